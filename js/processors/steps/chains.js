/** Processors that are chains of steps: each picture goes through them, then all become one tensor. */
import { bytesOf, rangeError, typeError } from '../../arguments/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { encoded, numbersOf } from '../../image/internal.js';
import { grayPlanes } from '../../engines/images/index.js';
import {
  both,
  byteNumbers,
  checkKeptSize,
  multipleAbove,
  sizeOf,
  writePlanes,
  writeStrips,
} from '../pictures/index.js';
import { toGray } from './crop-steps.js';
import { commonFrame, ownFrame } from './frames.js';
import { rescaledNumbers, scalingOf, usualNumbers, withSettings } from './numbers.js';
import { pixelTensor, reportNumbers, stack, toTensor } from './results.js';
import { resize } from './steps.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Call, Chain, ClassOutputs, Make, Numbers, Outputs, Picture, Size, Step } from '../types.js' */

/** The defaults of the rules of a chain: no borders, the number 0 in them, no extra outputs. */
const ownFrames = withSettings([], (_, pictures) => pictures.map(ownFrame));
const zero = withSettings([], () => 0);
const noOutputs = withSettings([], () => ({}));

/** @typedef {ClassOutputs & { pixel_values: Tensor }} ChainOutputs */

/** Makes a class whose pictures each go through the same `steps`. Then their bytes become `numbers` in one tensor
 * [N, C, H, W], each picture's at its rectangle of `frames`, with the number `border` around it; `extraOutputs` are
 * added. The class's `reads` are the settings that these rules read.
 * @type {(chain: Chain) => ((call: Call, pictures: Picture[]) => ChainOutputs) & { reads: readonly string[] }} */
export function chain({
  steps,
  numbers: numbersOfCall = usualNumbers,
  frames: framesOf = ownFrames,
  border: borderOf = zero,
  extraOutputs = noOutputs,
}) {
  const rules = [...steps, numbersOfCall, framesOf, borderOf, extraOutputs];
  const reads = rules.flatMap((rule) => rule.reads);
  return withSettings(reads, (call, originals) => {
    const pictures = originals.map((original) => applySteps(call, steps, original));
    const frames = framesOf(call, pictures);
    const numbers = numbersOfCall(call, pictures);
    const values = toTensor(call, pictures, numbers, frames, { border: borderOf(call) });
    const layout = { originals: originals.map(sizeOf), frames };
    return { pixel_values: values, ...extraOutputs(call, pictures, layout) };
  });
}

/** The picture after all steps, in their order.
 * @type {(call: Call, steps: readonly Step[], original: Picture) => Picture} */
function applySteps(call, steps, original) {
  let picture = original;
  for (const step of steps) picture = step(call, picture);
  return picture;
}

/** Makes a chain whose images are the frames of one video, as VideoMAE's: `pixel_values` have the dims [1, frames, 3,
 * height, width].
 * @type {(rules: Chain) => Make} */
export function videoChain(rules) {
  const make = chain(rules);
  return withSettings(make.reads, (call, pictures) => {
    /** @type {Call} */
    const callOfVideo = { ...call, reshape: (pictureDims) => [1, ...pictureDims] };
    return make(callOfVideo, pictures);
  });
}

/** Makes SuperPoint's rescaled `pixel_values` [N, 3, H, W]. With `do_grayscale` they are gray: torchvision's backend
 * makes pictures gray before it resizes them (`toGray` does nothing with the other one), Pillow's backend
 * afterwards. */
export const makeSuperPoint = withSettings(
  [...toGray.reads, ...resize.reads, ...rescaledNumbers.reads],
  (call, originals) => {
    const { backend, settings } = call;
    const pictures = originals.map((picture) => resize(call, toGray(call, picture)));
    pictures.forEach(checkKeptSize);
    const isGrayLater = backend === 'pil' && settings.do_grayscale;
    if (isGrayLater) return grayTensor(call, pictures);
    return { pixel_values: stack(call, pictures, rescaledNumbers) };
  },
);

/** Makes the numbers of pairs of pictures [pairs, 2, 3, H, W], gray if `do_grayscale` is on, as LightGlue does. */
export const makePairs = withSettings(
  ['do_grayscale', ...resize.reads, ...rescaledNumbers.reads],
  (call, originals) => {
    checkPairs(call, originals.length);
    const pictures = originals.map((picture) => resize(call, picture));
    pictures.forEach(checkKeptSize);
    /** @type {Call} Its pixel_values get an axis of pairs. */
    const pairedCall = { ...call, reshape: ([count, ...pictureDims]) => [count / 2, 2, ...pictureDims] };
    const { do_grayscale: isGray, do_rescale: rescales } = call.settings;
    // torchvision's gray of bytes that are not rescaled is bytes, which toGray makes; others are of float32 numbers.
    const isOfNumbers = rescales || call.backend === 'pil';
    if (isGray && isOfNumbers) return grayTensor(pairedCall, pictures);
    // Without `do_grayscale` toGray changes nothing.
    const maybeGray = pictures.map((picture) => toGray(call, picture));
    return { pixel_values: stack(pairedCall, maybeGray, rescaledNumbers) };
  },
);

/** Refuses images that are neither a list of pairs nor a flat list of an even number.
 * @type {(call: Call, count: number) => void} */
function checkPairs({ samples }, count) {
  // A flat list is a single sample of all images.
  const isFlat = samples.length === 1;
  const wrong = samples.findIndex((images) => images !== 2);
  if (!isFlat && wrong >= 0) rangeError(`images[${wrong}] must be a pair, got ${samples[wrong]}`);
  if (count % 2 === 1) rangeError(`images must be pairs, got ${count}`);
}

/** Makes `pixel_values` [N, 3, H, W] of gray pictures, three equal planes each. The gray is computed from the rescaled
 * float32 numbers, with Pillow's backend from the bytes where neither `do_rescale` nor a `dtype` of the call is on.
 * @type {(call: Call, pictures: readonly Picture[]) => Outputs} */
function grayTensor(call, pictures) {
  // NumPy computes the gray of bytes in float64.
  const isOfBytes = call.backend === 'pil' && !call.settings.do_rescale && call.dtype === undefined;
  if (isOfBytes) return grayOfBytes(call, pictures);
  const numbers = rescaledNumbers({ ...call, dtype: dtypes.float32 });
  const { width, height } = commonFrame(pictures.map(ownFrame));
  const dtype = call.dtype ?? dtypes.float32;
  const tensor = pixelTensor(call, dtype, [pictures.length, 3, height, width]);
  const bytes = bytesOf(tensor.data);
  const pictureBytes = (3 * width * height * dtype.bits) / 8;
  // torch adds products that are not rounded, NumPy rounds each.
  const isFused = call.backend !== 'pil';
  pictures.forEach((picture, i) => {
    reportNumbers(picture, numbers);
    const destination = bytes.subarray(i * pictureBytes, (i + 1) * pictureBytes);
    writeGray(picture, numbers, { dtype, isFused }, destination);
  });
  return { pixel_values: tensor };
}

/** The gray of a pixel as transformers' `convert_to_grayscale` computes it. The weights sum to 0.9999.
 * @type {(red: number, green: number, blue: number) => number} */
const weighedGray = (red, green, blue) => red * 0.2989 + green * 0.587 + blue * 0.114;

/** Whether three planes of `size` bytes are equal: each of the first two to the one behind it.
 * @type {(planes: Uint8Array, size: number) => boolean} */
const areEqual = (planes, size) => planes.subarray(0, 2 * size).every((byte, i) => byte === planes[size + i]);

/** Makes `pixel_values` of the gray of bytes as NumPy computes it: float64, or bytes where every picture is gray
 * already. The loops take 12 ms for a pair of 640 x 480 (measured).
 * @type {(call: Call, pictures: readonly Picture[]) => Outputs} */
function grayOfBytes(call, pictures) {
  const { width, height } = commonFrame(pictures.map(ownFrame));
  const size = width * height;
  const colorPictures = pictures.map((picture) => {
    const planes = newData(dtypes.uint8, 3 * size, undefined);
    reportNumbers(picture, byteNumbers);
    writePlanes(picture, byteNumbers, ownFrame(picture), planes);
    return { planes, isGray: areEqual(planes, size) };
  });
  const areAllGray = colorPictures.every(({ isGray }) => isGray);
  const dtype = areAllGray ? dtypes.uint8 : dtypes.float64;
  const tensor = pixelTensor(call, dtype, [pictures.length, 3, height, width]);
  colorPictures.forEach(({ planes, isGray }, picture) => {
    const reds = planes.subarray(0, size);
    const greens = planes.subarray(size, 2 * size);
    const blues = planes.subarray(2 * size);
    const pictureStart = 3 * size * picture;
    for (let i = 0; i < size; i++) {
      const gray = isGray ? reds[i] : weighedGray(reds[i], greens[i], blues[i]);
      for (let plane = 0; plane < 3; plane++) tensor.data[pictureStart + plane * size + i] = gray;
    }
  });
  return { pixel_values: tensor };
}

/** Writes the gray of a picture's float32 numbers as `dtype` to three equal planes. A picture that is gray already
 * keeps its numbers, but that is known only after its last pixel: then it is written a second time, without weights.
 * `isFused`: red, green and blue times their weights are not rounded before they are added
 * @type {(picture: Picture, numbers: Numbers, format: { dtype: DType, isFused: boolean }, destination: Uint8Array) =>
 *   void} */
function writeGray(picture, numbers, { dtype, isFused }, destination) {
  let isGrayPicture = true;
  writeFirstPlane(picture, numbers, dtype, destination, (planes) => {
    // Puts the gray into the first plane.
    const wasGray = grayPlanes(planes, isFused);
    isGrayPicture &&= wasGray;
  });
  if (isGrayPicture) writeFirstPlane(picture, numbers, dtype, destination);
}

/** Writes the first of the three planes of a picture's float32 numbers, encoded as `dtype`, to each of three planes.
 * `change`: changes the three planes of a strip of the picture before they are written
 * @type {(picture: Picture, numbers: Numbers, dtype: DType, destination: Uint8Array, change?: (planes: Float32Array)
 *   => void) => void} */
function writeFirstPlane(picture, numbers, dtype, destination, change) {
  const planeBytes = destination.length / 3;
  writeStrips([picture], numbers, { rows: 1, isPlanar: true }, (strip, y, height) => {
    const { buffer, byteOffset, length } = strip;
    const planes = new Float32Array(buffer, byteOffset, length / Float32Array.BYTES_PER_ELEMENT);
    change?.(planes);
    const firstPlane = planes.subarray(0, planes.length / 3);
    const bytes = encoded(firstPlane, dtype);
    const rowBytes = bytes.length / height;
    for (let plane = 0; plane < 3; plane++) destination.set(bytes, plane * planeBytes + y * rowBytes);
  });
}

/** Makes `pixel_values` of rescaled pictures. With `do_pad` they get their mirror image on the right and at the bottom,
 * up to the next multiple of `size_divisor`, as Swin2SR does. A side that is a multiple already grows to the next. */
export const makeSwin2Sr = withSettings([...rescaledNumbers.reads, 'do_pad', 'size_divisor'], (call, pictures) => {
  const { do_pad: pads, size_divisor: divisor = 8 } = call.settings;
  const frames = pictures.map((picture) => {
    if (!pads) return ownFrame(picture);
    // Python's (height // divisor + 1) * divisor.
    const padded = both(sizeOf(picture), (extent) => multipleAbove(extent + 1, divisor));
    return { x: 0, y: 0, ...padded, isMirrored: true };
  });
  const tensor = toTensor(call, pictures, rescaledNumbers(call), frames);
  pictures.forEach((picture, i) => {
    const size = sizeOf(picture);
    for (let channel = 0; channel < 3; channel++) mirrorIntoBorder(tensor.data, 3 * i + channel, frames[i], size);
  });
  return { pixel_values: tensor };
});

/** Gives the index of the pixel that stands at `index` of an axis where `extent` pixels and their mirror image take
 * turns: abc|cba|abc.
 * @type {(index: number, extent: number) => number} */
function mirroredIndex(index, extent) {
  const period = 2 * extent;
  const inPeriod = index % period;
  return inPeriod < extent ? inPeriod : period - 1 - inPeriod;
}

/** Fills the border of a plane, on the right and below, with the mirror image of its picture, which has `size`.
 * `plane`: its number among those of `data`, each as large as `frame`. The copies take .3 of 1.8 ms for 640 x 480.
 * @type {(data: TypedArray, plane: number, frame: Size, size: Size) => void} */
function mirrorIntoBorder(data, plane, frame, { width, height }) {
  const first = plane * frame.width * frame.height;
  for (let y = 0; y < height; y++) {
    const row = first + y * frame.width;
    for (let x = width; x < frame.width; x++) data[row + x] = data[row + mirroredIndex(x, width)];
  }
  for (let y = height; y < frame.height; y++) {
    const sourceRow = first + mirroredIndex(y, height) * frame.width;
    data.copyWithin(first + y * frame.width, sourceRow, sourceRow + frame.width);
  }
}

/** The pictures of the option `trimaps`; refuses another number of them than of images.
 * @type {(call: Call, count: number) => readonly Picture[]} */
function trimapsOf({ others }, count) {
  const trimaps = others?.trimaps;
  if (!trimaps) return typeError('trimaps must be given, got undefined');
  if (trimaps.length !== count) rangeError(`trimaps must hold ${count}, one for each image, got ${trimaps.length}`);
  return trimaps;
}

/** Refuses a trimap of another size than its image. @type {(trimap: Size, image: Size, i: number) => void} */
function checkTrimap(trimap, image, i) {
  if (trimap.width === image.width && trimap.height === image.height) return;
  const wanted = `${image.width} x ${image.height} pixels as its image`;
  rangeError(`trimaps[${i}] must have ${wanted}, got ${trimap.width} x ${trimap.height}`);
}

/** Writes the three planes of each picture and that of its trimap, which is only rescaled: [N, 4, H, W]. If `do_pad` is
 * on, they are padded with 0 on the right and at the bottom, to multiples of `size_divisor`, as VitMatte does. */
export const makeVitMatte = withSettings([...usualNumbers.reads, 'do_pad', 'size_divisor'], (call, pictures) => {
  const { backend, settings } = call;
  const trimaps = trimapsOf(call, pictures.length);
  // Without padding, multiples of 1 are the sizes as they are. 32 is Python's default.
  const divisor = settings.do_pad ? (settings.size_divisor ?? 32) : 1;
  const frames = pictures.map((picture, i) => {
    const size = sizeOf(picture);
    checkTrimap(sizeOf(trimaps[i]), size, i);
    return { x: 0, y: 0, ...both(size, (extent) => multipleAbove(extent, divisor)) };
  });
  const { width, height } = commonFrame(frames);
  const numbers = usualNumbers(call);
  const { dtype } = numbers;
  const { factor } = scalingOf(call);
  const onlyRescaled = { factor };
  const trimapNumbers = numbersOf(backend, onlyRescaled, { dtype, channels: 1 });
  const planesOfPicture = 4; // red, green, blue and the trimap
  const tensor = pixelTensor(call, dtype, [pictures.length, planesOfPicture, height, width]);
  const bytes = bytesOf(tensor.data);
  const planeBytes = (width * height * dtype.bits) / 8;
  pictures.forEach((picture, i) => {
    reportNumbers(picture, numbers, frames[i]);
    const colorsStart = planesOfPicture * i * planeBytes;
    const trimapStart = colorsStart + 3 * planeBytes;
    const colorPlanes = bytes.subarray(colorsStart, trimapStart);
    const trimapPlane = bytes.subarray(trimapStart, trimapStart + planeBytes);
    writePlanes(picture, numbers, frames[i], colorPlanes);
    writePlanes(trimaps[i], trimapNumbers, frames[i], trimapPlane);
  });
  return { pixel_values: tensor };
});
