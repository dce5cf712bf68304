/** Processors that rescale before they resize, or normalize before. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { encoded, normalizing } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import {
  blurredPicture,
  exactSize,
  multipleSize,
  onTopLeft,
  resizePicture,
  sizeBySetting,
  sizeOf,
  writePicture,
  zoomed,
} from '../pictures/index.js';

/** @import { Call, FloatFinish, FloatPicture, Numbers, Outputs, Picture, Size } from '../types.js' */

const { fround } = Math;

const floatKeys = [...steps.usualNumbers.reads, ...steps.resize.reads];

/** Makes a class whose `pixel_values` are pictures that are resized as float32, each by `makeOne`. `reads`: the
 * settings that `makeOne` reads besides the usual ones
 * @param {readonly string[]} reads
 * @param {(call: Call, picture: Picture) => FloatPicture} makeOne */
const making = (reads, makeOne) =>
  steps.withSettings([...floatKeys, ...reads], (call, pictures) => ({
    pixel_values: steps.stackFloats(
      call,
      pictures.map((picture) => makeOne(call, picture)),
    ),
  }));

/** The numbers that bytes become before a picture is resized, and the formula for the resized numbers.
 * @typedef {{ before?: Numbers, finish?: FloatFinish }} Rescalings */

/** The numbers of a class that rescales before it resizes and normalizes after.
 * @type {(call: Call) => { before: Numbers, finish: FloatFinish }} */
const rescaledFirst = (call) => ({ before: steps.rescaledBefore(call), finish: steps.normalizedFinish(call) });

/** Resizes a picture as float32 to the setting `size`; without `do_resize` it keeps its size, and only becomes float32.
 * `filters`: those that the class has, by their public names; `numbers`: before and after resizing
 * @type {(call: Call, picture: Picture, filters: Record<string, string>, numbers: Rescalings) => FloatPicture} */
function resizedBySetting(call, picture, filters, numbers) {
  const { settings } = call;
  const from = sizeOf(picture);
  const to = settings.do_resize ? sizeBySetting(from, settings.size) : from;
  // Without `do_resize` the setting `resample` does not count: any filter leaves a picture of its own size as it is.
  const filter = settings.do_resize ? steps.filterOf(call, filters, from, to) : 'Bilinear';
  return steps.resizedFloats(picture, to, steps.axesOf(filter, from), {
    filter: settings.resample ?? 'bilinear',
    ...numbers,
  });
}

/** Rescales, resizes with antialiasing, crops and normalizes, as DINOv3 does. */
export const makeDinov3 = making(steps.centerCrop.reads, (call, picture) => {
  const { before, finish } = rescaledFirst(call);
  const { steps: reports = [], ...last } = finish;
  const resized = resizedBySetting(call, picture, steps.smoothFilters, { before, finish: last });
  const cropped = steps.croppedFloats(call, resized);
  for (const step of reports) picture.onStep?.(step);
  return cropped;
});

/** Normalizes, then resizes without antialiasing, as DepthPro does. */
export const makeDepthPro = making([], (call, picture) =>
  resizedBySetting(call, picture, steps.sharpFilters, {
    before: steps.usualNumbers({ ...call, dtype: dtypes.float32 }),
  }),
);

/** Makes a class that resizes float32 where `do_rescale` is on, by `makeFloats`, and bytes where it is off, by
 * `makeBytes`. `reads`: the settings that the two read besides the usual ones
 * @param {readonly string[]} reads
 * @param {(call: Call, picture: Picture) => FloatPicture} makeFloats
 * @param {(call: Call, picture: Picture) => Picture} makeBytes */
const makingEither = (reads, makeFloats, makeBytes) => {
  const make = making(reads, makeFloats);
  return steps.withSettings(make.reads, (call, pictures) =>
    call.settings.do_rescale
      ? make(call, pictures)
      : {
          pixel_values: steps.stack(
            call,
            pictures.map((picture) => makeBytes(call, picture)),
          ),
        },
  );
};

/** OWLv2: pads a picture to a square, with 0 on the right and at the bottom, where `do_pad` is on. `to`: the size that
 * the square is resized to, its own without `do_resize`; `sigmas`: the standard deviations, in pixels, of the Gaussian
 * blur before, 0 for none
 * @type {(call: Call, picture: Picture) => { square: Picture, to: Size, sigmas: { columns: number, rows: number } }} */
function owlSquare({ settings }, picture) {
  const pictureSize = sizeOf(picture);
  const side = Math.max(pictureSize.width, pictureSize.height);
  const square = settings.do_pad ? onTopLeft(picture, { width: side, height: side }) : picture;
  const from = sizeOf(square);
  const to = settings.do_resize ? exactSize(settings.size) : from;
  // Sigma is (scale - 1) / 2. torchvision takes the first of [height, width] for the columns, so the two are swapped.
  const [columns, rows] = [from.height / to.height, from.width / to.width].map((scale) =>
    Math.max(0, fround(fround(scale) - 1) / 2),
  );
  // A picture is blurred along both axes or not at all.
  return { square, to, sigmas: columns > 0 && rows > 0 ? { columns, rows } : { columns: 0, rows: 0 } };
}

/** The axes by which a picture of the size `from` is blurred and then resized bilinearly. The second argument has the
 * standard deviations of the blur, in pixels.
 * @type {(from: Size, sigmas: { columns: number, rows: number }) => FloatPicture['axes']} */
function blurredAxes(from, { columns: sigmaX, rows: sigmaY }) {
  const { columns, rows } = steps.axesOf('BilinearPoint', from);
  return { columns: { ...columns, sigma: sigmaX }, rows: { ...rows, sigma: sigmaY } };
}

/** Makes OWLv2's squares by torchvision: blurred as much as they shrink, and always bilinear, because its `resize`
 * ignores `resample`. */
const makeOwlByTorch = makingEither(
  ['do_pad'],
  (call, picture) => {
    const { square, to, sigmas } = owlSquare(call, picture);
    const axes = blurredAxes(sizeOf(square), sigmas);
    return steps.resizedFloats(square, to, axes, { filter: 'bilinear', ...rescaledFirst(call) });
  },
  (call, picture) => {
    const { square, to, sigmas } = owlSquare(call, picture);
    const by = { backend: call.backend, filter: 'bilinear', antialias: false };
    return resizePicture(sigmas.rows > 0 ? blurredPicture(square, sigmas) : square, to, by);
  },
);

/** Makes OWLv2's squares by either backend. `pil` resizes with scipy, which takes `resample` for its flag of
 * antialiasing: 0 blurs nothing. */
export const makeOwlv2 = steps.withSettings(makeOwlByTorch.reads, (call, pictures) => {
  if (call.backend === 'torchvision') return makeOwlByTorch(call, pictures);
  const { do_rescale: rescales, do_normalize: normalizes } = call.settings;
  const { dtype = rescales || normalizes ? dtypes.float32 : dtypes.uint8 } = call;
  const squares = pictures.map((picture) => owlSquare(call, picture));
  const { width, height } = steps.commonFrame(squares.map(({ to }) => to));
  const tensor = steps.pixelTensor(call, dtype, [pictures.length, 3, height, width]);
  const bytes = bytesOf(tensor.data);
  squares.forEach(({ square, to }, i) => {
    const planes = zoomedPlanes(call, square, to);
    bytes.set(encoded(planes, dtype), (i * bytes.length) / pictures.length);
  });
  return { pixel_values: tensor };
});

/** Rescales a picture, resizes it to `to` with scipy's filters, and normalizes it, and reports these steps. Returns its
 * three planes.
 * @type {(call: Call, picture: Picture, to: Size) => Float32Array} */
function zoomedPlanes(call, picture, to) {
  const { do_rescale: rescales, rescale_factor: factor } = call.settings;
  const { width, height } = sizeOf(picture);
  const numbers = steps.rescaledBefore(call);
  // Scipy takes pixels with their channels side by side.
  const samples = newData(numbers.dtype, 3 * width * height, undefined);
  writePicture(picture, numbers, steps.ownFrame(picture), false, bytesOf(samples));
  // Python hands `resample` on as the flag of antialiasing: nearest, 0, blurs nothing.
  const resized = zoomed(samples, { width, height }, to, call.settings.resample !== 'nearest');
  if (rescales) picture.onStep?.({ name: 'rescale', factor });
  if (to.width !== width || to.height !== height) picture.onStep?.({ name: 'resize', filter: 'bilinear', ...to });
  const { steps: reports = [], mean = 0, std = 1 } = steps.normalizedFinish(call);
  for (const step of reports) picture.onStep?.(step);
  const normalized = normalizing(mean, std);
  const plane = to.width * to.height;
  const planes = newData(dtypes.float32, 3 * plane, undefined);
  // 1.2 of the 25 ms from 640 x 480 to 320 x 320: all that a kernel could save (measured).
  for (let i = 0; i < planes.length; i++) {
    const channel = i % 3;
    const pixel = (i - channel) / 3;
    planes[channel * plane + pixel] = normalized(resized[i], channel);
  }
  return planes;
}

/** The size that ZoeDepth resizes a picture to, and the axes of that. With `do_pad` the picture has a mirrored border
 * of 3 * sqrt(side / 2) pixels, so axes begin before the picture and end past it. Reports the border to the listener.
 * @type {(call: Call, picture: Picture) => { size: Size, axes: FloatPicture['axes'] }} */
function zoeAxes(call, picture) {
  const { settings } = call;
  const { width, height } = sizeOf(picture);
  /** @type {(extent: number) => number} */
  const border = (extent) => (settings.do_pad ? Math.trunc(Math.sqrt(extent / 2) * 3) : 0);
  // torch refuses to mirror as many pixels as there are, or more; NumPy, by which the PIL class pads, does not.
  if (call.backend !== 'pil' && (border(width) >= width || border(height) >= height))
    rangeError(`an image must be larger than its mirrored border, got ${width} x ${height} pixels`);
  const from = { width: width + 2 * border(width), height: height + 2 * border(height) };
  if (settings.do_pad) picture.onStep?.({ name: 'pad', x: border(width), y: border(height), ...from });
  // Without `do_resize` the size is `from`, that of the axes, which leaves all pixels as they are.
  const filter = settings.do_resize ? steps.filterOf(call, steps.cornerFilters) : 'BilinearCorners';
  const axes = {
    columns: { filter, from: -border(width), to: width + border(width) },
    rows: { filter, from: -border(height), to: height + border(height) },
  };
  const { keep_aspect_ratio: keeps = false, ensure_multiple_of: multiple = 1 } = settings;
  const size = settings.do_resize ? multipleSize(from, exactSize(settings.size), keeps, multiple) : from;
  return { size, axes };
}

/** Resizes pictures with a mirrored border so that the centers of corner pixels stay, as ZoeDepth does. */
export const makeZoeDepth = makingEither(
  ['do_pad', 'keep_aspect_ratio', 'ensure_multiple_of'],
  (call, picture) => {
    const { size, axes } = zoeAxes(call, picture);
    return steps.resizedFloats(picture, size, axes, {
      filter: call.settings.resample ?? 'bilinear',
      ...rescaledFirst(call),
    });
  },
  (call, picture) => {
    const { settings } = call;
    const { size, axes } = zoeAxes(call, picture);
    const { onStep } = picture;
    const from = { width: axes.columns.to - axes.columns.from, height: axes.rows.to - axes.rows.from };
    const padded = settings.do_pad
      ? steps.roundedFloats({ ...picture, onStep: undefined }, from, axes, 'bilinear')
      : picture;
    const by = {
      backend: /** @type {const} */ ('torchvision'),
      filter: settings.resample ?? 'bilinear',
      hasCorners: true,
    };
    return resizePicture({ ...padded, onStep }, size, by);
  },
);

/** Rescales, resizes without antialiasing, normalizes and pads, as RF-DETR does. */
export const makeRfDetr = steps.withSettings(
  [...floatKeys, ...steps.framesByPadSize.reads, 'max_size'],
  (call, pictures) => {
    const numbers = rescaledFirst(call);
    const resized = pictures.map((picture) => resizedBySetting(call, picture, steps.sharpFilters, numbers));
    const sizes = resized.map(({ size }) => size);
    const frames = steps.framesOfSizes(call, sizes);
    sizes.forEach((size, i) => steps.reportFrame(pictures[i], size, frames[i]));
    /** @type {Outputs} */
    const outputs = { pixel_values: steps.stackFloats(call, resized, frames) };
    if (call.settings.do_pad) outputs.pixel_mask = steps.maskOf(call, sizes, frames[0]);
    return outputs;
  },
);
