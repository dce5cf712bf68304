/** Processors of PaddlePaddle's documents: lines of text, layouts and tables. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { both, exactSize, rendered, resizePicture, sizeBySetting, sizeOf, writePlanes } from '../pictures/index.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, FloatPicture, Numbers, Outputs, Picture, Rectangle, Settings, Size } from '../types.js' */

/** Makes a request to resize the bytes of a picture to `size` as float32, and then to rescale and normalize the results
 * by the formula of `numbers`.
 * @type {(call: Call, picture: Picture, size: Size, numbers: Numbers) => FloatPicture} */
function resizedBeforeNumbers(call, picture, size, numbers) {
  const axes = resizingAxes(call, steps.smoothFilters, picture, size);
  // A listener gets the filter by its public name, as in the settings.
  const publicFilter = call.settings.resample ?? 'bilinear';
  return steps.resizedFloats(picture, size, axes, { filter: publicFilter, finish: steps.finishOf(numbers) });
}

/** The columns and rows by which a whole picture is resized to `size`, with the filter that the setting `resample`
 * names. `known`: the filters that the class has, by their public names
 * @type {(call: Call, known: Record<string, string>, picture: Picture, size: Size) => FloatPicture['axes']} */
function resizingAxes(call, known, picture, size) {
  const pictureSize = sizeOf(picture);
  return steps.axesOf(steps.filterOf(call, known, pictureSize, size), pictureSize);
}

/** The call with outputs of float32. @type {(call: Call) => Call} */
const inFloat32 = (call) => ({ ...call, dtype: dtypes.float32 });

/** Rescales, resizes without antialiasing, clips to 0 to 255 as rescaled, and normalizes, as PP-DocLayout 4 does. */
export const makeDocLayout4 = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.centerCrop.reads, ...steps.usualNumbers.reads, ...steps.framesByPadSize.reads],
  (call, pictures) => {
    const { settings } = call;
    if (!settings.do_rescale) return makeLayoutOfBytes(call, pictures);
    // A byte of 255, rescaled.
    const high = Math.fround(255 * settings.rescale_factor);
    const finish = { low: 0, high, ...steps.normalizedFinish(call) };
    const resized = pictures.map((picture) => {
      const pictureSize = sizeOf(picture);
      const size = settings.do_resize ? sizeBySetting(pictureSize, settings.size) : pictureSize;
      const axes = resizingAxes(call, steps.sharpFilters, picture, size);
      const rules = { filter: settings.resample ?? 'bilinear', before: steps.rescaledBefore(call), finish };
      return steps.croppedFloats(call, steps.resizedFloats(picture, size, axes, rules));
    });
    const sizes = resized.map(({ size }) => size);
    return { pixel_values: steps.stackFloats(call, resized, steps.framesOfSizes(call, sizes)) };
  },
);

/** Makes `pixel_values` of PP-DocLayout 4 without `do_rescale`: resizes bytes without antialiasing, crops the middle,
 * and pads to `pad_size`, each where its flag is on.
 * @type {(call: Call, pictures: readonly Picture[]) => Outputs} */
function makeLayoutOfBytes(call, pictures) {
  const cropped = pictures.map((picture) => steps.centerCrop(call, steps.resizePoint(call, picture)));
  const frames = steps.framesByPadSize(call, cropped);
  // Resized pictures are float32 in Python, even where no step makes numbers of their bytes.
  const numbers = call.settings.do_resize ? steps.floatNumbers(call) : steps.usualNumbers(call);
  return { pixel_values: steps.toTensor(call, cropped, numbers, frames) };
}

/** The size of a picture for PP-OCR's detection, in its ratio, as `get_image_size` of Python's class computes it. By
 * `limit_type` the longer side is at most `limit_side_len` pixels ('max'), the shorter one at least ('min'), or the
 * longer one exactly ('resize_long'). Then the longer side is at most `max_side_limit`, if that is given, and both are
 * rounded to multiples of 32, at least 32.
 * @type {(settings: Settings, size: Size) => Size} */
function detectionSize({ limit_side_len: limit, limit_type: limitType, max_side_limit: maxSide }, size) {
  const shorter = Math.min(size.width, size.height);
  const longer = Math.max(size.width, size.height);
  const scales = {
    max: longer > limit ? limit / longer : 1,
    min: shorter < limit ? limit / shorter : 1,
    resize_long: limit / longer,
  };
  if (!Object.hasOwn(scales, limitType))
    rangeError(`limit_type must be 'max', 'min' or 'resize_long', got '${limitType}'`);
  const limited = truncatedSize(size, scales[/** @type {'max'} */ (limitType)]);
  const longerLimited = Math.max(limited.width, limited.height);
  const isTooLong = maxSide !== undefined && longerLimited > maxSide;
  const bounded = isTooLong ? truncatedSize(limited, maxSide / longerLimited) : limited;
  return both(bounded, (extent) => Math.max(32, Math.trunc(roundHalfToEven(extent / 32) * 32)));
}

/** @type {(size: Size, scale: number) => Size} */
const truncatedSize = (size, scale) => both(size, (extent) => Math.trunc(extent * scale));

/** Resizes pictures for PP-OCR's detection and gives their sizes before. */
export const makeTextDetection = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.usualNumbers.reads, 'limit_side_len', 'limit_type', 'max_side_limit'],
  (call, pictures) => {
    // Python gives no sizes where it resizes nothing.
    if (!call.settings.do_resize)
      return { pixel_values: steps.stack(call, pictures, steps.reversedNumbers), target_sizes: steps.float32([]) };
    const numbers = steps.reversedNumbers(inFloat32(call));
    const resized = pictures.map((picture) => {
      const size = detectionSize(call.settings, sizeOf(picture));
      return resizedBeforeNumbers(call, picture, size, numbers);
    });
    const originalSizes = pictures.map(sizeOf).map(({ width, height }) => [height, width]);
    return { pixel_values: steps.stackFloats(call, resized), target_sizes: steps.float32(originalSizes) };
  },
);

/** The size that all lines of text of a call are resized to, as `get_target_size` of Python's class computes it: the
 * height of the setting `size`, and a width in the ratio of the widest picture, the first of equals. Where this width
 * or the setting's is over `max_image_width`, it is that. undefined where lines are neither resized nor padded.
 * @type {(settings: Settings, sizes: readonly Size[]) => Size | undefined} */
function lineSize({ size, max_image_width: maxWidth, do_resize: resizes, do_pad: pads }, sizes) {
  if (!resizes && !pads) return undefined;
  const { width, height } = exactSize(size);
  const widestPicture = sizes.reduce((best, other) => (other.width > best.width ? other : best));
  const ratio = widestPicture.width / widestPicture.height;
  const greaterRatio = Math.max(ratio, width / height);
  const greaterWidth = Math.trunc(height * greaterRatio);
  if (greaterWidth > maxWidth) return { width: maxWidth, height };
  // In the picture's ratio: truncated, but rounded up where that is narrower than the setting.
  return { width: Math.min(greaterWidth, Math.ceil(height * ratio)), height };
}

/** The frames of lines of text: as large as `pad_size` where `do_pad` is on and lines are narrower than it, else as
 * large as the lines. `line`: the size that lines are resized to; `sizes`: of the pictures
 * @type {(call: Call, line: Size | undefined, sizes: readonly Size[]) => Rectangle[]} */
function lineFrames(call, line, sizes) {
  const { settings } = call;
  const isPadded = settings.do_pad && line && line.width < exactSize(settings.pad_size, 'pad_size').width;
  return steps.framesOfSizes({ ...call, settings: { ...settings, do_pad: isPadded } }, sizes);
}

const lineKeys = [
  ...steps.resizePoint.reads,
  ...steps.centerCrop.reads,
  ...steps.usualNumbers.reads,
  'max_image_width',
  'do_pad',
  'pad_size',
];

/** A setting with a value for each channel, or one for all, in the reverse order of channels.
 * @type {(value: number | number[]) => number | number[]} */
const inReverse = (value) => (Array.isArray(value) ? [...value].reverse() : value);

/** Resizes lines of text as bytes, makes numbers of them and pads narrow lines, as PP-OCR 6 does. */
export const makeTextLines = steps.withSettings(lineKeys, (call, pictures) => {
  const { settings } = call;
  const size = lineSize(settings, pictures.map(sizeOf));
  const callWithLineSize = { ...call, settings: { ...settings, size } };
  const cropped = pictures.map((picture) => steps.centerCrop(call, steps.resizePoint(callWithLineSize, picture)));
  // The channels are exchanged before they are normalized, so the first mean is blue's; `reversedNumbers` takes red's.
  const image_mean = inReverse(settings.image_mean);
  const image_std = inReverse(settings.image_std);
  const numbers = steps.reversedNumbers({ ...call, settings: { ...settings, image_mean, image_std } });
  const frames = lineFrames(call, size, cropped.map(sizeOf));
  return { pixel_values: steps.toTensor(call, cropped, numbers, frames) };
});

/** Resizes lines of text as float32 numbers, normalizes these and pads narrow lines, as PP-OCR 5 does. */
export const makeTextRecognition = steps.withSettings(lineKeys, (call, pictures) => {
  const size = lineSize(call.settings, pictures.map(sizeOf));
  if (!call.settings.do_resize) {
    const cropped = pictures.map((picture) => steps.centerCrop(call, picture));
    const frames = lineFrames(call, size, cropped.map(sizeOf));
    return { pixel_values: steps.toTensor(call, cropped, steps.usualNumbers(call), frames) };
  }
  const numbers = steps.usualNumbers(inFloat32(call));
  const resized = pictures.map((picture) => {
    // Lines are resized here, so `lineSize` has given a size.
    const large = resizedBeforeNumbers(call, picture, /** @type {Size} */ (size), numbers);
    return steps.croppedFloats(call, large);
  });
  const sizes = resized.map((picture) => picture.size);
  return { pixel_values: steps.stackFloats(call, resized, lineFrames(call, size, sizes)) };
});

/** Makes a tensor [3, height, width] of a picture in its own size.
 * @type {(picture: Picture, numbers: Numbers) => Tensor} */
function planesTensor(picture, numbers) {
  const { width, height } = sizeOf(picture);
  const data = newData(numbers.dtype, 3 * width * height, undefined);
  writePlanes(picture, numbers, steps.ownFrame(picture), bytesOf(data));
  return tensorOf(numbers.dtype, data, [3, height, width]);
}

/** Normalizes and resizes so that the centers of corner pixels stay, as UVDoc does, and gives the pictures before.
 * Without rescaling and normalizing bytes are resized. */
export const makeUvDoc = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.usualNumbers.reads],
  (call, pictures) => {
    const { do_resize: resizes, do_rescale: rescales, do_normalize: normalizes, size } = call.settings;
    const numbers = steps.reversedNumbers(call);
    const originals = pictures.map((picture) => planesTensor(picture, numbers));
    /** @type {(picture: Picture) => Size} */
    const targetSize = (picture) => (resizes ? exactSize(size) : sizeOf(picture));
    if (!rescales && !normalizes) {
      const method = /** @type {const} */ ({ backend: 'torchvision', filter: 'bilinear', hasCorners: true });
      const resized = pictures.map((picture) => resizePicture(picture, targetSize(picture), method));
      return { pixel_values: steps.stack(call, resized, steps.reversedNumbers), original_images: originals };
    }
    const rules = { filter: 'bilinear', before: steps.reversedNumbers(inFloat32(call)) };
    const resized = pictures.map((picture) => {
      const axes = steps.axesOf('BilinearCorners', sizeOf(picture));
      return steps.resizedFloats(picture, targetSize(picture), axes, rules);
    });
    return { pixel_values: steps.stackFloats(call, resized), original_images: originals };
  },
);

/** Resizes a picture in its ratio with OpenCV's weights of 11 bits, so that its longer side becomes the longer side of
 * the setting `size`.
 * @type {(call: Call, picture: Picture) => Picture} */
function resizedByOpenCv({ settings }, picture) {
  const target = exactSize(settings.size);
  const pictureSize = sizeOf(picture);
  const scale = Math.max(target.width, target.height) / Math.max(pictureSize.width, pictureSize.height);
  const size = both(pictureSize, (extent) => roundHalfToEven(extent * scale));
  // `LinearOnce` rounds once, after both axes.
  const method = { backend: /** @type {const} */ ('opencv'), filter: 'bilinear', rule: 'LinearOnce' };
  return resizePicture(rendered(picture), size, method);
}

/** Resizes tables by their longer side, crops the middle and pads, each where its flag is on, as SLANeXt does. */
export const makeTables = steps.withSettings(
  [...steps.resizePoint.reads, ...steps.centerCrop.reads, ...steps.usualNumbers.reads, 'do_pad', 'pad_size'],
  (call, pictures) => {
    const cropped = pictures.map((picture) => {
      const resized = call.settings.do_resize ? resizedByOpenCv(call, picture) : picture;
      return steps.centerCrop(call, resized);
    });
    const frames = steps.framesByPadSize(call, cropped);
    return { pixel_values: steps.toTensor(call, cropped, steps.usualNumbers(call), frames) };
  },
);
