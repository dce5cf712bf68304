/** Processors that rescale before they resize, or normalize before. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { encoded, normalizing } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import {
  blurredPicture,
  both,
  exactSize,
  multipleSize,
  onTopLeft,
  resizePicture,
  sizeBySetting,
  sizeOf,
  writePixels,
  zoomed,
} from '../pictures/index.js';

/** @import { Call, FloatFinish, FloatPicture, Numbers, Outputs, Picture, Size } from '../types.js' */

const { fround } = Math;

const floatKeys = [...steps.usualNumbers.reads, ...steps.resize.reads];

/** Makes a class whose `pixel_values` are pictures that are resized as float32, each by `resizeOne`. `reads`: the
 * settings that `resizeOne` reads besides the usual ones
 * @param {readonly string[]} reads
 * @param {(call: Call, picture: Picture) => FloatPicture} resizeOne */
const makeFloatClass = (reads, resizeOne) =>
  steps.withSettings([...floatKeys, ...reads], (call, pictures) => {
    const resized = pictures.map((picture) => resizeOne(call, picture));
    return { pixel_values: steps.stackFloats(call, resized) };
  });

/** The numbers that bytes become before a picture is resized, and the formula for the resized numbers.
 * @typedef {{ before?: Numbers, finish?: FloatFinish }} Rescalings */

/** The numbers of a class that rescales before it resizes and normalizes after.
 * @type {(call: Call) => { before: Numbers, finish: FloatFinish }} */
const rescaledFirst = (call) => ({ before: steps.rescaledBefore(call), finish: steps.normalizedFinish(call) });

/** Resizes a picture as float32 to the setting `size`; without `do_resize` it keeps its size, and only becomes float32.
 * `filters`: the kernel's names of those that the class has, by the public names; `numbers`: before and after resizing
 * @type {(call: Call, picture: Picture, filters: Record<string, string>, numbers: Rescalings) => FloatPicture} */
function resizedBySetting(call, picture, filters, numbers) {
  const { settings } = call;
  const from = sizeOf(picture);
  const to = settings.do_resize ? sizeBySetting(from, settings.size) : from;
  // Without `do_resize` the setting `resample` does not count: any filter leaves a picture of its own size as it is.
  const kernelFilter = settings.do_resize ? steps.filterOf(call, filters, from, to) : 'Bilinear';
  const axes = steps.axesOf(kernelFilter, from);
  // A listener gets the filter by its public name, as in the settings, not by the kernel's.
  const publicFilter = settings.resample ?? 'bilinear';
  return steps.resizedFloats(picture, to, axes, { filter: publicFilter, ...numbers });
}

/** Rescales, resizes with antialiasing, crops and normalizes, as DINOv3 does. The listener gets the report of
 * normalizing after that of the crop. */
export const makeDinov3 = makeFloatClass(steps.centerCrop.reads, (call, picture) => {
  const { before, finish } = rescaledFirst(call);
  const { steps: normalizeReports = [], ...silentFinish } = finish;
  const resized = resizedBySetting(call, picture, steps.smoothFilters, { before, finish: silentFinish });
  const cropped = steps.croppedFloats(call, resized);
  for (const report of normalizeReports) picture.onStep?.(report);
  return cropped;
});

/** Normalizes, then resizes without antialiasing, as DepthPro does. */
export const makeDepthPro = makeFloatClass([], (call, picture) => {
  const before = steps.usualNumbers({ ...call, dtype: dtypes.float32 });
  return resizedBySetting(call, picture, steps.sharpFilters, { before });
});

/** Makes a class that resizes float32 where `do_rescale` is on, by `makeFloats`, and bytes where it is off, by
 * `makeBytes`. `reads`: the settings that the two read besides the usual ones
 * @param {readonly string[]} reads
 * @param {object} rules
 * @param {(call: Call, picture: Picture) => FloatPicture} rules.makeFloats
 * @param {(call: Call, picture: Picture) => Picture} rules.makeBytes */
const makeFloatOrByteClass = (reads, { makeFloats, makeBytes }) => {
  const make = makeFloatClass(reads, makeFloats);
  return steps.withSettings(make.reads, (call, pictures) => {
    if (call.settings.do_rescale) return make(call, pictures);
    const resized = pictures.map((picture) => makeBytes(call, picture));
    return { pixel_values: steps.stack(call, resized) };
  });
};

/** The standard deviations in pixels of a Gaussian blur, horizontally (`columns`) and vertically (`rows`); 0 for none.
 * @typedef {{ columns: number, rows: number }} Sigmas */

/** Pads a picture to a square where `do_pad` is on, with 0 on the right and at the bottom, as OWLv2 does. `to`: the
 * size that the square is resized to, its own without `do_resize`; `sigmas`: of the blur before
 * @type {(call: Call, picture: Picture) => { square: Picture, to: Size, sigmas: Sigmas }} */
function owlSquare({ settings }, picture) {
  const { width, height } = sizeOf(picture);
  const longer = Math.max(width, height);
  const square = settings.do_pad ? onTopLeft(picture, { width: longer, height: longer }) : picture;
  const from = sizeOf(square);
  const to = settings.do_resize ? exactSize(settings.size) : from;
  return { square, to, sigmas: owlSigmas(from, to) };
}

/** The blur by which OWLv2 keeps a picture that shrinks from aliasing, as skimage's `resize` does: (n - 1) / 2 along a
 * side that becomes 1 / n as long. None unless both sides shrink.
 * @type {(from: Size, to: Size) => Sigmas} */
function owlSigmas(from, to) {
  /** @type {(shrinking: number) => number} */
  const sigmaFor = (shrinking) => Math.max(0, fround(fround(shrinking) - 1) / 2);
  // torchvision takes the first of Python's sigmas, [by height, by width], for the columns, so the two are swapped.
  const columns = sigmaFor(from.height / to.height);
  const rows = sigmaFor(from.width / to.width);
  return columns > 0 && rows > 0 ? { columns, rows } : { columns: 0, rows: 0 };
}

/** The axes by which a picture of the size `from` is blurred and then resized bilinearly.
 * @type {(from: Size, sigmas: Sigmas) => FloatPicture['axes']} */
function blurredAxes(from, sigmas) {
  const { columns, rows } = steps.axesOf('BilinearPoint', from);
  return { columns: { ...columns, sigma: sigmas.columns }, rows: { ...rows, sigma: sigmas.rows } };
}

/** Makes OWLv2's squares by torchvision: blurred as much as they shrink, and always bilinear, because its `resize`
 * ignores `resample`. */
const makeOwlByTorch = makeFloatOrByteClass(['do_pad'], {
  /** The square as float32: rescaled, blurred, resized and normalized. */
  makeFloats: (call, picture) => {
    const { square, to, sigmas } = owlSquare(call, picture);
    const axes = blurredAxes(sizeOf(square), sigmas);
    return steps.resizedFloats(square, to, axes, { filter: 'bilinear', ...rescaledFirst(call) });
  },
  /** The square as bytes: blurred where it shrinks, then resized. */
  makeBytes: (call, picture) => {
    const { square, to, sigmas } = owlSquare(call, picture);
    const isBlurred = sigmas.rows > 0;
    const method = { backend: call.backend, filter: 'bilinear', antialias: false };
    return resizePicture(isBlurred ? blurredPicture(square, sigmas) : square, to, method);
  },
});

/** Makes OWLv2's squares by either backend. With `pil` they are resized with scipy. */
export const makeOwlv2 = steps.withSettings(makeOwlByTorch.reads, (call, pictures) => {
  if (call.backend === 'torchvision') return makeOwlByTorch(call, pictures);
  const { do_rescale: rescales, do_normalize: normalizes } = call.settings;
  const { dtype = rescales || normalizes ? dtypes.float32 : dtypes.uint8 } = call;
  const squares = pictures.map((picture) => owlSquare(call, picture));
  const { width, height } = steps.commonFrame(squares.map(({ to }) => to));
  const tensor = steps.pixelTensor(call, dtype, [pictures.length, 3, height, width]);
  const bytes = bytesOf(tensor.data);
  const pictureBytes = bytes.length / pictures.length;
  squares.forEach(({ square, to }, i) => {
    const planes = zoomedPlanes(call, square, to);
    bytes.set(encoded(planes, dtype), i * pictureBytes);
  });
  return { pixel_values: tensor };
});

/** Rescales a picture, resizes it to `to` with scipy's filters, and normalizes it, each where its flag is on, and
 * reports these steps. Returns its three planes.
 * @type {(call: Call, picture: Picture, to: Size) => Float32Array} */
function zoomedPlanes(call, picture, to) {
  const { do_rescale: rescales, rescale_factor: factor, resample } = call.settings;
  const from = sizeOf(picture);
  const numbers = steps.rescaledBefore(call);
  const pixels = newData(numbers.dtype, 3 * from.width * from.height, undefined);
  writePixels(picture, numbers, steps.ownFrame(picture), bytesOf(pixels));
  // Python hands the code of `resample` on as the flag of antialiasing, and nearest has the code 0.
  const isAntialiased = resample !== 'nearest';
  const resized = zoomed(pixels, from, to, isAntialiased);
  const finish = steps.normalizedFinish(call);
  const isResized = to.width !== from.width || to.height !== from.height;
  if (rescales) picture.onStep?.({ name: 'rescale', factor });
  if (isResized) picture.onStep?.({ name: 'resize', filter: 'bilinear', ...to });
  for (const report of finish.steps ?? []) picture.onStep?.(report);
  return normalizedPlanes(resized, finish);
}

/** Normalizes the numbers of pixels, whose channels lie side by side, and returns them as three planes.
 * @type {(pixels: ArrayLike<number>, finish: FloatFinish) => Float32Array} */
function normalizedPlanes(pixels, { mean = 0, std = 1 }) {
  const normalize = normalizing(mean, std);
  const planes = newData(dtypes.float32, pixels.length, undefined);
  const planeLength = pixels.length / 3;
  // 1.2 of the 25 ms from 640 x 480 to 320 x 320: all that a kernel could save (measured).
  for (let i = 0; i < pixels.length; i++) {
    const channel = i % 3;
    const pixel = (i - channel) / 3;
    planes[channel * planeLength + pixel] = normalize(pixels[i], channel);
  }
  return planes;
}

/** How many pixels wide ZoeDepth's mirrored border is on the left and right of a picture (`width`), and how high above
 * and below (`height`): 3 * sqrt(side / 2), truncated; 0 without `do_pad`.
 * @type {(call: Call, size: Size) => Size} */
function zoeBorder({ backend, settings }, size) {
  if (!settings.do_pad) return { width: 0, height: 0 };
  const border = both(size, (extent) => Math.trunc(Math.sqrt(extent / 2) * 3));
  const isTooSmall = border.width >= size.width || border.height >= size.height;
  // torch refuses to mirror as many pixels as there are, or more; NumPy, by which the PIL class pads, does not.
  if (backend !== 'pil' && isTooSmall)
    rangeError(`an image must be larger than its mirrored border, got ${size.width} x ${size.height} pixels`);
  return border;
}

/** Plans how ZoeDepth resizes a picture with its mirrored border, and reports the border to the listener. `padded`: the
 * size of the picture with the border; `size`: that it is resized to; `axes`: the part that is resized, which begins
 * before the picture and ends past it
 * @type {(call: Call, picture: Picture) => { padded: Size, size: Size, axes: FloatPicture['axes'] }} */
function zoePlan(call, picture) {
  const { settings } = call;
  const { width, height } = sizeOf(picture);
  const border = zoeBorder(call, { width, height });
  const padded = { width: width + 2 * border.width, height: height + 2 * border.height };
  if (settings.do_pad) picture.onStep?.({ name: 'pad', x: border.width, y: border.height, ...padded });
  // Without `do_resize` the picture keeps its size, and any filter leaves all pixels as they are.
  const filter = settings.do_resize ? steps.filterOf(call, steps.cornerFilters) : 'BilinearCorners';
  const axes = {
    columns: { filter, from: -border.width, to: width + border.width },
    rows: { filter, from: -border.height, to: height + border.height },
  };
  const { keep_aspect_ratio: keepsAspect = false, ensure_multiple_of: multiple = 1 } = settings;
  const size = settings.do_resize ? multipleSize(padded, exactSize(settings.size), { keepsAspect, multiple }) : padded;
  return { padded, size, axes };
}

/** Resizes pictures with a mirrored border so that the centers of corner pixels stay, as ZoeDepth does. */
export const makeZoeDepth = makeFloatOrByteClass(['do_pad', 'keep_aspect_ratio', 'ensure_multiple_of'], {
  /** The picture as float32: rescaled, resized together with its border, and normalized. */
  makeFloats: (call, picture) => {
    const { size, axes } = zoePlan(call, picture);
    const filter = call.settings.resample ?? 'bilinear';
    return steps.resizedFloats(picture, size, axes, { filter, ...rescaledFirst(call) });
  },
  /** The picture as bytes: its border is made first, then both are resized. */
  makeBytes: (call, picture) => {
    const { settings } = call;
    const { padded, size, axes } = zoePlan(call, picture);
    const { onStep } = picture;
    // `zoePlan` has reported the border, so the step that makes it reports nothing.
    const withBorder = settings.do_pad
      ? steps.roundedFloats({ ...picture, onStep: undefined }, padded, axes, 'bilinear')
      : picture;
    const backend = /** @type {const} */ ('torchvision');
    const method = { backend, filter: settings.resample ?? 'bilinear', hasCorners: true };
    return resizePicture({ ...withBorder, onStep }, size, method);
  },
});

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
