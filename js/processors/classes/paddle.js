/** Processors of PaddlePaddle's documents: lines of text, layouts and tables. */
import { largest, rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { exactSize, rendered, resizePicture, sizeBySetting, sizeOf, writePicture } from '../pictures/index.js';

/** @import { Call, FloatPicture, Numbers, Outputs, Picture, Rectangle, Settings, Size } from '../types.js' */

/** Makes a request to resize the bytes of a picture to `size` as float32, and then to rescale and normalize the results
 * by the formula of `numbers`.
 * @type {(call: Call, picture: Picture, size: Size, numbers: Numbers) => FloatPicture} */
export const numbersLast = (call, picture, size, numbers) =>
  steps.resizedFloats(picture, size, axesTo(call, steps.smoothFilters, picture, size), {
    filter: call.settings.resample ?? 'bilinear',
    finish: steps.finishOf(numbers),
  });

/** The axes of a picture that is resized to `size`, with the setting's filter of those in `known`.
 * @type {(call: Call, known: Record<string, string>, picture: Picture, size: Size) => FloatPicture['axes']} */
const axesTo = (call, known, picture, size) =>
  steps.axesOf(steps.filterOf(call, known, sizeOf(picture), size), sizeOf(picture));

/** The call with outputs of float32. @type {(call: Call) => Call} */
const inFloat32 = (call) => ({ ...call, dtype: dtypes.float32 });

/** Rescales, resizes without antialiasing, clips to 0 to 255 as rescaled, and normalizes, as PP-DocLayout 4 does. */
export const makeDocLayout4 = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.centerCrop.reads, ...steps.usualNumbers.reads, ...steps.framesByPadSize.reads],
  (call, pictures) => {
    const { settings } = call;
    if (!settings.do_rescale) return makePoint(call, pictures);
    const finish = { low: 0, high: Math.fround(255 * settings.rescale_factor), ...steps.normalizedFinish(call) };
    const resized = pictures.map((picture) => {
      const pictureSize = sizeOf(picture);
      const size = settings.do_resize ? sizeBySetting(pictureSize, settings.size) : pictureSize;
      const axes = axesTo(call, steps.sharpFilters, picture, size);
      const rules = { filter: settings.resample ?? 'bilinear', before: steps.rescaledBefore(call), finish };
      return steps.croppedFloats(call, steps.resizedFloats(picture, size, axes, rules));
    });
    const frames = steps.framesOfSizes(
      call,
      resized.map(({ size }) => size),
    );
    return { pixel_values: steps.stackFloats(call, resized, frames) };
  },
);

/** Makes `pixel_values` of PP-DocLayout 4 without `do_rescale`: resizes bytes without antialiasing, crops the middle,
 * and pads to `pad_size`, each where its flag is on.
 * @type {(call: Call, pictures: readonly Picture[]) => Outputs} */
const makePoint = (call, pictures) => {
  const cropped = pictures.map((picture) => steps.centerCrop(call, steps.resizePoint(call, picture)));
  const frames = steps.framesByPadSize(call, cropped);
  // Resized pictures are float32 in Python, even where no step makes numbers of their bytes.
  const numbers = (call.settings.do_resize ? steps.floatNumbers : steps.usualNumbers)(call);
  return { pixel_values: steps.toTensor(call, cropped, numbers, frames) };
};

/** The size of a picture for PP-OCR's detection, in its ratio, as `get_image_size` of Python's class computes it. By
 * `limit_type` the longer side is at most `limit_side_len` pixels ('max'), the shorter one at least ('min'), or the
 * longer one exactly ('resize_long'). Then the longer side is at most `max_side_limit`, if that is given, and both are
 * rounded to multiples of 32, at least 32.
 * @type {(settings: Settings, size: Size) => Size} */
function detectionSize({ limit_side_len: limit, limit_type: kind, max_side_limit: maxSide }, { width, height }) {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const scales = {
    max: longer > limit ? limit / longer : 1,
    min: shorter < limit ? limit / shorter : 1,
    resize_long: limit / longer,
  };
  if (!Object.hasOwn(scales, kind)) rangeError(`limit_type must be 'max', 'min' or 'resize_long', got '${kind}'`);
  /** @type {(sides: number[], scale: number) => number[]} */
  const scaled = (sides, scale) => sides.map((side) => Math.trunc(side * scale));
  let sides = scaled([width, height], scales[/** @type {'max'} */ (kind)]);
  if (maxSide !== undefined && largest(sides) > maxSide) sides = scaled(sides, maxSide / largest(sides));
  const [w, h] = sides.map((side) => Math.max(32, Math.trunc(roundHalfToEven(side / 32) * 32)));
  return { width: w, height: h };
}

/** Resizes pictures for PP-OCR's detection and gives their sizes before. */
export const makeTextDetection = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.usualNumbers.reads, 'limit_side_len', 'limit_type', 'max_side_limit'],
  (call, pictures) => {
    // Python gives no sizes where it resizes nothing.
    if (!call.settings.do_resize)
      return {
        pixel_values: steps.stack(call, pictures, steps.reversedNumbers),
        target_sizes: tensorOf(dtypes.float32, newData(dtypes.float32, 0, undefined), [0]),
      };
    const numbers = steps.reversedNumbers(inFloat32(call));
    const sizes = pictures.map(sizeOf);
    const resized = pictures.map((picture, i) =>
      numbersLast(call, picture, detectionSize(call.settings, sizes[i]), numbers),
    );
    const pixels = steps.stackFloats(call, resized);
    const sides = newData(dtypes.float32, 2 * sizes.length, undefined);
    sizes.forEach(({ width, height }, i) => sides.set([height, width], 2 * i));
    return { pixel_values: pixels, target_sizes: tensorOf(dtypes.float32, sides, [sizes.length, 2]) };
  },
);

/** The size that all lines of text of a call are resized to, as `get_target_size` of Python's class computes it: the
 * height of the setting `size`, and a width in the ratio of the picture with the greatest width, the first of equals.
 * It is `max_image_width` where this width or the setting's is beyond that. undefined where lines are neither resized
 * nor padded.
 * @type {(settings: Settings, sizes: readonly Size[]) => Size | undefined} */
function lineSize({ size, max_image_width: maxWidth, do_resize: resizes, do_pad: pads }, sizes) {
  if (!resizes && !pads) return undefined;
  const { width, height } = exactSize(size);
  const widest = sizes.reduce((best, other) => (other.width > best.width ? other : best));
  const ratio = widest.width / widest.height;
  const wanted = Math.trunc(height * Math.max(ratio, width / height));
  // The width is truncated, but rounded up where it is below that of the setting.
  const exact = Math.ceil(height * ratio);
  return { height, width: wanted > maxWidth ? maxWidth : Math.min(wanted, exact) };
}

/** The frames of lines of text: as large as `pad_size` where `do_pad` is on and lines are narrower than it, else as
 * large as the lines. `line`: the size that lines are resized to; `sizes`: of the pictures
 * @type {(call: Call, line: Size | undefined, sizes: readonly Size[]) => Rectangle[]} */
function lineFrames(call, line, sizes) {
  const { do_pad: pads, pad_size: frame } = call.settings;
  const do_pad = pads && line && line.width < exactSize(frame, 'pad_size').width;
  return steps.framesOfSizes({ ...call, settings: { ...call.settings, do_pad } }, sizes);
}

const lineKeys = [
  ...[...steps.resizePoint.reads, ...steps.centerCrop.reads, ...steps.usualNumbers.reads],
  ...['max_image_width', 'do_pad', 'pad_size'],
];

/** Resizes bytes of lines of text and pads narrow ones, as PP-OCR 6 does. */
export const makeTextLines = steps.withSettings(lineKeys, (call, pictures) => {
  const { settings } = call;
  const size = lineSize(settings, pictures.map(sizeOf));
  const sized = { ...call, settings: { ...settings, size } };
  const cropped = pictures.map((picture) => steps.centerCrop(call, steps.resizePoint(sized, picture)));
  // The channels are exchanged before numbers: the first mean is blue's.
  const { image_mean: mean, image_std: std } = settings;
  /** @type {(value: number | number[]) => number | number[]} */
  const reversed = (value) => (Array.isArray(value) ? [...value].reverse() : value);
  const numbers = steps.reversedNumbers({
    ...call,
    settings: { ...settings, image_mean: reversed(mean), image_std: reversed(std) },
  });
  const frames = lineFrames(call, size, cropped.map(sizeOf));
  return { pixel_values: steps.toTensor(call, cropped, numbers, frames) };
});

/** Resizes numbers of lines of text and pads narrow ones, as PP-OCR 5 does. */
export const makeTextRecognition = steps.withSettings(lineKeys, (call, pictures) => {
  const size = lineSize(call.settings, pictures.map(sizeOf));
  if (!call.settings.do_resize) {
    const cropped = pictures.map((picture) => steps.centerCrop(call, picture));
    const frames = lineFrames(call, size, cropped.map(sizeOf));
    return { pixel_values: steps.toTensor(call, cropped, steps.usualNumbers(call), frames) };
  }
  const numbers = steps.usualNumbers(inFloat32(call));
  const resized = pictures.map((picture) =>
    steps.croppedFloats(call, numbersLast(call, picture, /** @type {Size} */ (size), numbers)),
  );
  const frames = lineFrames(
    call,
    size,
    resized.map((picture) => picture.size),
  );
  return { pixel_values: steps.stackFloats(call, resized, frames) };
});

/** Normalizes and resizes so that the centers of corner pixels stay, as UVDoc does, and gives the pictures before.
 * Without rescaling and normalizing bytes are resized. */
export const makeUvDoc = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.usualNumbers.reads],
  (call, pictures) => {
    const { settings } = call;
    const numbers = steps.reversedNumbers(call);
    const sizeFor = (/** @type {Picture} */ picture) =>
      settings.do_resize ? exactSize(settings.size) : sizeOf(picture);
    const originals = pictures.map((picture) => {
      const { width, height } = sizeOf(picture);
      const data = newData(numbers.dtype, 3 * width * height, undefined);
      writePicture(picture, numbers, steps.ownFrame(picture), true, new Uint8Array(data.buffer));
      return tensorOf(numbers.dtype, data, [3, height, width]);
    });
    if (!settings.do_rescale && !settings.do_normalize) {
      const by = /** @type {const} */ ({ backend: 'torchvision', filter: 'bilinear', hasCorners: true });
      const resized = pictures.map((picture) => resizePicture(picture, sizeFor(picture), by));
      return { pixel_values: steps.stack(call, resized, steps.reversedNumbers), original_images: originals };
    }
    const resized = pictures.map((picture) =>
      steps.resizedFloats(picture, sizeFor(picture), steps.axesOf('BilinearCorners', sizeOf(picture)), {
        filter: 'bilinear',
        before: steps.reversedNumbers(inFloat32(call)),
      }),
    );
    return { pixel_values: steps.stackFloats(call, resized), original_images: originals };
  },
);

/** Resizes the longer side with OpenCV's weights of 11 bits, rounded once, and pads, as SLANeXt does. */
export const makeTables = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.centerCrop.reads, ...steps.usualNumbers.reads, 'do_pad', 'pad_size'],
  (call, pictures) => {
    const { settings } = call;
    /** Resizes a picture in its ratio so that its longer side is that of `size`.
     * @type {(picture: Picture) => Picture} */
    const resized = (picture) => {
      const { width: wide, height: high } = exactSize(settings.size);
      const { width, height } = sizeOf(picture);
      const scale = Math.max(wide, high) / Math.max(width, height);
      const size = { width: roundHalfToEven(width * scale), height: roundHalfToEven(height * scale) };
      const by = { backend: /** @type {const} */ ('opencv'), filter: 'bilinear', rule: 'LinearOnce' };
      return resizePicture(rendered(picture), size, by);
    };
    const cropped = pictures.map((picture) => steps.centerCrop(call, settings.do_resize ? resized(picture) : picture));
    const frames = steps.framesByPadSize(call, cropped);
    return { pixel_values: steps.toTensor(call, cropped, steps.usualNumbers(call), frames) };
  },
);
