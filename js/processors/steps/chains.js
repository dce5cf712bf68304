/** Processors that are chains of steps: each picture goes through them, then all become one tensor. */
import { bytesOf, rangeError, typeError } from '../../arguments/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { encoded, numbersOf } from '../../image/internal.js';
import { grayPlanes } from '../../engines/images/index.js';
import { byteNumbers, checkKept, multipleAbove, sizeOf, writePicture, writeStrips } from '../pictures/index.js';
import { toGray } from './crop-steps.js';
import { commonFrame, ownFrame } from './frames.js';
import { rescaledNumbers, scalingOf, usualNumbers, withSettings } from './numbers.js';
import { pixelTensor, reportNumbers, stack, toTensor } from './results.js';
import { resize } from './steps.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Call, Chain, ClassOutputs, Make, Numbers, Outputs, Picture, Rectangle } from '../types.js' */

const ownFrames = withSettings([], (_, pictures) => pictures.map(ownFrame));
const nothing = withSettings([], () => ({}));
const zero = withSettings([], () => 0);

/** @typedef {ClassOutputs & { pixel_values: Tensor }} ChainOutputs */

/** Makes a class whose pictures go each through the same steps; then all are written as numbers into one tensor
 * [N, C, H, W], and other outputs are added. Parts that are omitted are those of most classes: rescaled and normalized
 * numbers, a frame as large as its picture, a border of 0, no other outputs. It reads the settings that its parts read.
 * @type {(chain: Chain) => ((call: Call, pictures: Picture[]) => ChainOutputs) & { reads: readonly string[] }} */
export function chain({
  steps,
  numbers = usualNumbers,
  frames: place = ownFrames,
  border = zero,
  extraOutputs = nothing,
}) {
  const reads = [...steps, numbers, place, border, extraOutputs].flatMap((part) => part.reads);
  return withSettings(reads, (call, originals) => {
    const pictures = originals.map((original) => steps.reduce((picture, step) => step(call, picture), original));
    const frames = place(call, pictures);
    const values = toTensor(call, pictures, numbers(call, pictures), frames, { border: border(call) });
    return { pixel_values: values, ...extraOutputs(call, pictures, { originals: originals.map(sizeOf), frames }) };
  });
}

/** Makes a class as `chain` does, whose images are the frames of one video, as VideoMAE's: its `pixel_values` has the
 * dims [1, frames, 3, height, width].
 * @type {(of: Chain) => Make} */
export function videoChain(of) {
  const make = chain(of);
  return withSettings(make.reads, (call, pictures) => make({ ...call, reshape: (dims) => [1, ...dims] }, pictures));
}

/** Makes SuperPoint's gray numbers: torchvision makes pictures gray before it resizes them, Pillow's backend makes the
 * numbers gray. */
export const makeSuperPoint = withSettings(
  [...toGray.reads, ...resize.reads, ...rescaledNumbers.reads],
  (call, originals) => {
    const { backend, settings } = call;
    const pictures = originals.map((picture) => resize(call, toGray(call, picture)));
    pictures.forEach(checkKept);
    // torchvision's pictures are gray already, where that is on.
    if (backend === 'torchvision' || !settings.do_grayscale)
      return { pixel_values: stack(call, pictures, rescaledNumbers) };
    return grayTensor(call, pictures);
  },
);

/** Makes the numbers of pairs of pictures [pairs, 2, 3, H, W], gray if `do_grayscale` is on, as LightGlue does. The
 * images are a list of pairs, or a flat list of an even length. */
export const makePairs = withSettings(
  ['do_grayscale', ...resize.reads, ...rescaledNumbers.reads],
  (call, originals) => {
    // A flat list is a single sample of all images, of which only the number is checked.
    const odd = call.samples.findIndex((count) => count !== 2);
    if (odd >= 0 && call.samples.length > 1) rangeError(`images[${odd}] must be a pair, got ${call.samples[odd]}`);
    if (originals.length % 2 === 1) rangeError(`images must be pairs, got ${originals.length}`);
    const pictures = originals.map((picture) => resize(call, picture));
    pictures.forEach(checkKept);
    /** @type {Call} */
    const paired = { ...call, reshape: ([count, ...dims]) => [count / 2, 2, ...dims] };
    const { do_grayscale: isGray, do_rescale: rescales } = call.settings;
    if (isGray && (rescales || call.backend === 'pil')) return grayTensor(paired, pictures);
    // torchvision's gray of bytes that are not rescaled is bytes, which toGray makes. It leaves all others as they are.
    const grays = pictures.map((picture) => toGray(call, picture));
    return { pixel_values: stack(paired, grays, rescaledNumbers) };
  },
);

/** Makes `pixel_values` [N, 3, H, W] of gray pictures: the gray of each picture's numbers, in three equal planes. The
 * numbers are float32, rescaled where that is on, and become the call's dtype at the end.
 * @type {(call: Call, pictures: readonly Picture[]) => Outputs} */
function grayTensor(call, pictures) {
  // NumPy computes the gray of bytes that are not rescaled in float64. A call that asks for a dtype gets that of
  // float32.
  if (call.backend === 'pil' && !call.settings.do_rescale && call.dtype === undefined)
    return grayOfBytes(call, pictures);
  const numbers = rescaledNumbers({ ...call, dtype: dtypes.float32 });
  const { width, height } = commonFrame(pictures.map(ownFrame));
  const type = call.dtype ?? dtypes.float32;
  const tensor = pixelTensor(call, type, [pictures.length, 3, height, width]);
  // Bytes of a picture's three planes.
  const part = (3 * width * height * type.bits) / 8;
  // torch adds products without rounding them (fused multiply-add), NumPy rounds each.
  const isFused = call.backend !== 'pil';
  pictures.forEach((picture, i) => {
    reportNumbers(picture, numbers);
    writeGray(picture, numbers, type, bytesOf(tensor.data).subarray(i * part, (i + 1) * part), isFused);
  });
  return { pixel_values: tensor };
}

/** Whether three planes of `size` bytes are equal. @type {(planes: Uint8Array, size: number) => boolean} */
const isSame = (planes, size) => planes.subarray(0, 2 * size).every((byte, i) => byte === planes[size + i]);

/** Makes `pixel_values` [N, 3, H, W] of the gray of bytes as NumPy computes it in transformers' `convert_to_grayscale`,
 * whose weights are 0.2989, 0.587 and 0.114, in three equal planes: float64, or bytes where every picture is gray
 * already. A gray picture keeps its bytes, because the weights sum to 0.9999. The loops take 12 ms for a pair of
 * 640 x 480 (measured).
 * @type {(call: Call, pictures: readonly Picture[]) => Outputs} */
function grayOfBytes(call, pictures) {
  const { width, height } = commonFrame(pictures.map(ownFrame));
  const size = width * height;
  const planes = pictures.map((picture) => {
    const bytes = newData(dtypes.uint8, 3 * size, undefined);
    reportNumbers(picture, byteNumbers);
    writePicture(picture, byteNumbers, ownFrame(picture), true, bytes);
    return { bytes, isGray: isSame(bytes, size) };
  });
  const type = planes.every(({ isGray }) => isGray) ? dtypes.uint8 : dtypes.float64;
  const tensor = pixelTensor(call, type, [pictures.length, 3, height, width]);
  planes.forEach(({ bytes, isGray }, k) => {
    const first = 3 * size * k;
    for (let i = 0; i < size; i++) {
      const gray = bytes[i] * 0.2989 + bytes[size + i] * 0.587 + bytes[2 * size + i] * 0.114;
      for (let c = 0; c < 3; c++) tensor.data[first + c * size + i] = isGray ? bytes[i] : gray;
    }
  });
  return { pixel_values: tensor };
}

/** Writes the gray of a picture's numbers, encoded as `type`, to the three equal planes that `destination` holds. A
 * gray picture keeps its numbers, because the weights sum to 0.9999. Whether it is gray is known only after its last
 * pixel, so such a picture is written a second time without weights. `isFused`: whether products are added without
 * rounding them, as torch does
 * @type {(picture: Picture, numbers: Numbers, type: DType, destination: Uint8Array, isFused: boolean) => void} */
function writeGray(picture, numbers, type, destination, isFused) {
  const plane = destination.length / 3;
  let isGray = true;
  /** Writes the picture strip by strip; with `weighs` it makes the first plane gray and finds out whether the picture
   * is.
   * @type {(weighs: boolean) => void} */
  const write = (weighs) =>
    writeStrips([picture], numbers, { rows: 1, isPlanar: true }, (strip, y, height) => {
      const planes = new Float32Array(strip.buffer, strip.byteOffset, strip.length / 4);
      if (weighs) isGray = grayPlanes(planes, isFused) && isGray;
      const bytes = encoded(planes.subarray(0, planes.length / 3), type);
      // The strip's first row in the plane: `bytes` holds `height` rows.
      for (let c = 0; c < 3; c++) destination.set(bytes, c * plane + (bytes.length * y) / height);
    });
  write(true);
  if (isGray) write(false);
}

/** Rescales pictures and, if `do_pad` is on, pads them with their mirror image on the right and at the bottom, up to
 * the next multiple of `size_divisor`, as Swin2SR does; by a whole one if they fit already. */
export const makeSwin2Sr = withSettings([...rescaledNumbers.reads, 'do_pad', 'size_divisor'], (call, pictures) => {
  const { do_pad: pads, size_divisor: divisor = 8 } = call.settings;
  const frames = pictures.map((picture) => {
    const { width, height } = sizeOf(picture);
    if (!pads) return ownFrame(picture);
    // Python's (height // divisor + 1) * divisor.
    const [wide, high] = [multipleAbove(width + 1, divisor), multipleAbove(height + 1, divisor)];
    return { x: 0, y: 0, width: wide, height: high, isMirrored: true };
  });
  const tensor = toTensor(call, pictures, rescaledNumbers(call), frames);
  pictures.forEach((picture, i) => {
    for (let plane = 3 * i; plane < 3 * i + 3; plane++) mirror(tensor.data, plane, frames[i], sizeOf(picture));
  });
  return { pixel_values: tensor };
});

/** Fills the border of a plane, on the right and below, with the mirror image of its picture, in which the outermost
 * pixels come twice. `data`: planes as large as `frame`, of which `plane` is the number; `size`: of the picture at its
 * top left. The copies take .3 of 1.8 ms for 640 x 480.
 * @type {(data: TypedArray, plane: number, frame: Rectangle, size: { width: number, height: number }) => void} */
function mirror(data, plane, frame, { width, height }) {
  /** The pixel of the picture that is mirrored at `at`: a border longer than the picture mirrors it again and again.
   * @type {(at: number, extent: number) => number} */
  const place = (at, extent) => (at % (2 * extent) < extent ? at % extent : extent - 1 - (at % extent));
  const first = plane * frame.width * frame.height;
  for (let y = 0; y < height; y++) {
    const row = first + y * frame.width;
    for (let x = width; x < frame.width; x++) data[row + x] = data[row + place(x, width)];
  }
  for (let y = height; y < frame.height; y++) {
    const from = first + place(y, height) * frame.width;
    data.copyWithin(first + y * frame.width, from, from + frame.width);
  }
}

/** Writes the three planes of each picture and that of its trimap, which is only rescaled: [N, 4, H, W]. If `do_pad` is
 * on, they are padded with 0 on the right and at the bottom, to multiples of `size_divisor`, as VitMatte does. */
export const makeVitMatte = withSettings([...usualNumbers.reads, 'do_pad', 'size_divisor'], (call, pictures) => {
  const { backend, settings } = call;
  const trimaps = call.others?.trimaps;
  if (!trimaps) typeError('trimaps must be given, got undefined');
  if (trimaps.length !== pictures.length)
    rangeError(`trimaps must hold ${pictures.length}, one for each image, got ${trimaps.length}`);
  // Without padding, multiples of 1 are the sizes as they are. 32 is Python's default.
  const divisor = settings.do_pad ? (settings.size_divisor ?? 32) : 1;
  const frames = pictures.map((picture, i) => {
    const [size, trimap] = [sizeOf(picture), sizeOf(trimaps[i])];
    if (size.width !== trimap.width || size.height !== trimap.height) {
      const wanted = `${size.width} x ${size.height} pixels as its image`;
      rangeError(`trimaps[${i}] must have ${wanted}, got ${trimap.width} x ${trimap.height}`);
    }
    return { x: 0, y: 0, width: multipleAbove(size.width, divisor), height: multipleAbove(size.height, divisor) };
  });
  const { width, height } = commonFrame(frames);
  const numbers = usualNumbers(call);
  const { dtype } = numbers;
  const { factor } = scalingOf(call);
  const trimapNumbers = numbersOf(backend, { factor }, { dtype, channels: 1 });
  const tensor = pixelTensor(call, dtype, [pictures.length, 4, height, width]);
  const plane = (width * height * dtype.bits) / 8;
  pictures.forEach((picture, i) => {
    reportNumbers(picture, numbers, frames[i]);
    const part = bytesOf(tensor.data).subarray(4 * i * plane, 4 * (i + 1) * plane);
    writePicture(picture, numbers, frames[i], true, part.subarray(0, 3 * plane));
    writePicture(trimaps[i], trimapNumbers, frames[i], true, part.subarray(3 * plane));
  });
  return { pixel_values: tensor };
});
