/** From pictures to the tensors that a processor returns, under Python's names. */
import { bytesOf } from '../../arguments/index.js';
import { checkLength, dtypes, newData, readOut, sizeOf as countOf, tensorOf } from '../../tensor/index.js';
import { encoded, rowOf } from '../../image/internal.js';
import { checkKeptSize, sizeOf, writePlanes } from '../pictures/index.js';
import { commonFrame, ownFrame } from './frames.js';
import { usualNumbers, withSettings } from './numbers.js';
import { resizePixtral, resizeSam } from './steps.js';

/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Call, Numbers, Picture, Size } from '../types.js' */
/** @import { Frame } from './frames.js' */

/** Reports to the picture's listener the steps of its numbers and the padding of its frame.
 * @type {(picture: Picture, numbers: Numbers, frame?: Frame) => void} */
export function reportNumbers(picture, { steps = [] }, frame = ownFrame(picture)) {
  for (const step of steps) picture.onStep?.(step);
  reportFrame(picture, sizeOf(picture), frame);
}

/** Reports to the picture's listener that it is padded, where its frame is larger than `size`. `fill` is left out of
 * the report of a frame that is filled with the picture's mirror image. `size`: of the picture after its steps
 * @type {({ onStep }: Picture, size: Size, frame: Frame) => void} */
export function reportFrame({ onStep }, { width, height }, { isMirrored, ...frame }) {
  const isPadded = frame.width !== width || frame.height !== height;
  if (!isPadded) return;
  onStep?.(isMirrored ? { name: 'pad', ...frame } : { name: 'pad', ...frame, fill: 0 });
}

/** The dims of a list of whole numbers, or of rows of one length; [0] of an empty list.
 * @type {(rows: readonly (number | readonly number[])[]) => number[]} */
const dimsOf = (rows) => (Array.isArray(rows[0]) ? [rows.length, rows[0].length] : [rows.length]);

/** Makes an int64 tensor of whole numbers, or of rows of one length. `dims`: other dims for the same numbers
 * @type {(rows: readonly (number | readonly number[])[], dims?: readonly number[]) => Tensor} */
export function int64(rows, dims = dimsOf(rows)) {
  const values = rows.flat();
  const data = newData(dtypes.int64, values.length, undefined);
  values.forEach((value, i) => (data[i] = BigInt(value)));
  return tensorOf(dtypes.int64, data, [...dims]);
}

/** Makes a tensor of numbers, or of rows of one length, of a type of at most 32 bits, as int64 takes BigInts.
 * @type {(dtype: DType, rows: readonly (number | readonly number[])[], dims?: readonly number[]) => Tensor} */
function numberTensor(dtype, rows, dims = dimsOf(rows)) {
  const values = rows.flat();
  const data = newData(dtype, values.length, undefined);
  data.set(values);
  return tensorOf(dtype, data, [...dims]);
}

/** Makes an int32 tensor of whole numbers, or of rows of one length.
 * @type {(rows: readonly (number | readonly number[])[]) => Tensor} */
export const int32 = (rows) => numberTensor(dtypes.int32, rows);

/** Makes a float32 tensor of numbers, or of rows of one length.
 * @type {(rows: readonly (number | readonly number[])[], dims?: readonly number[]) => Tensor} */
export const float32 = (rows, dims) => numberTensor(dtypes.float32, rows, dims);

/** Makes an int64 tensor with a row [height, width] for each size. @type {(sizes: readonly Size[]) => Tensor} */
export const sizesTensor = (sizes) => int64(sizes.map(({ height, width }) => [height, width]));

/** Makes the tensor `pixel_values`, filled with zeros, over the caller's `out` if there is one. `extents`: the dims of
 * a stack of pictures, as [N, 3, H, W]; the call's `reshape` may make others of them for the same numbers
 * @type {(call: Pick<Call, 'out' | 'reshape'>, dtype: DType, extents: readonly number[]) => Tensor} */
export function pixelTensor({ out, reshape }, dtype, extents) {
  const dims = [...(reshape?.(extents) ?? extents)];
  if (out === undefined) return tensorOf(dtype, newData(dtype, countOf(dims), undefined), dims);
  const target = readOut(outName, out, dtype, dims);
  // readOut compares type and dims, not how long the data are.
  checkLength(target);
  return tensorOf(dtype, target.data.fill(0), dims);
}

export const outName = 'out pixel_values';

/** The call without the caller's `out`, for outputs other than `pixel_values`. @type {(call: Call) => Call} */
export const withoutOut = (call) => ({ ...call, out: undefined });

/** Makes `pixel_values`: writes the planes of each picture, one picture after the other. Steps and padding are
 * reported to the pictures' listeners, and everything is checked and allocated before a pixel is computed.
 * @param {Call} call
 * @param {readonly Picture[]} pictures
 * @param {Numbers} numbers
 * @param {readonly Frame[]} frames for each picture the width and height of its part of the result, which are the same
 *   for all, and the place of the picture in that part
 * @param {object} [placement]
 * @param {readonly number[]} [placement.dims] [N, 3, H, W] if omitted
 * @param {number} [placement.border] the number that fills frames around pictures; 0 if omitted
 * @param {readonly number[]} [placement.places] of each picture its index in the result, where some indices stay empty;
 *   their order if omitted
 * @returns {Tensor} */
export function toTensor(call, pictures, numbers, frames, { dims, places, border = 0 } = {}) {
  const { width, height } = commonFrame(frames);
  pictures.forEach(checkKeptSize);
  const { dtype } = numbers;
  const planes = numbers.channels.sources.length;
  const extents = dims ?? [pictures.length, planes, height, width];
  const tensor = pixelTensor(call, dtype, extents);
  const bytes = bytesOf(tensor.data);
  if (border !== 0) {
    const borderNumber = encoded(Float32Array.of(border), dtype);
    bytes.set(rowOf(borderNumber, tensor.data.length));
  }
  const pictureBytes = (planes * width * height * dtype.bits) / 8;
  pictures.forEach((picture, i) => reportNumbers(picture, numbers, frames[i]));
  pictures.forEach((picture, i) => {
    const place = places?.[i] ?? i;
    const destination = bytes.subarray(place * pictureBytes, (place + 1) * pictureBytes);
    writePlanes(picture, numbers, frames[i], destination);
  });
  return tensor;
}

/** Makes `pixel_values` [N, C, H, W] of pictures of one size, without borders.
 * @type {(call: Call, pictures: readonly Picture[], numbers?: (call: Call) => Numbers) => Tensor} */
export const stack = (call, pictures, numbers = usualNumbers) =>
  toTensor(call, pictures, numbers(call), pictures.map(ownFrame));

/** Splits a list with an entry for each image into one for each sample.
 * @type {<T>(call: Call, list: readonly T[]) => T[][]} */
export function bySample({ samples }, list) {
  let end = 0;
  return samples.map((count) => {
    const start = end;
    end += count;
    return list.slice(start, end);
  });
}

/** Makes `original_sizes`: the sizes of the images before any step. */
export const originalSizes = withSettings([], (_call, _pictures, { originals }) => ({
  original_sizes: sizesTensor(originals),
}));

/** Makes SAM's sizes of the images: `original_sizes` before any step, `reshaped_input_sizes` after resizing. */
export const samSizes = withSettings([], (call, _pictures, { originals }) => {
  const resizedSizes = originals.map((size) => resizeSam.sizeFor(call, size));
  return { original_sizes: sizesTensor(originals), reshaped_input_sizes: sizesTensor(resizedSizes) };
});

/** Makes `image_sizes`: the sizes of the pictures before padding. */
export const imageSizes = withSettings([], (_call, pictures) => ({ image_sizes: sizesTensor(pictures.map(sizeOf)) }));

/** Makes Pixtral's `image_sizes`: those before padding and, with torchvision, before the crop, too, as in Python. */
export const pixtralSizes = withSettings([], (call, pictures, { originals }) => {
  if (call.backend === 'pil') return imageSizes(call, pictures);
  const resizedSizes = originals.map((size) => resizePixtral.sizeFor(call, size));
  return { image_sizes: sizesTensor(resizedSizes) };
});

/** Makes `pixel_mask` [N, H, W], 1 where the batch's tensor shows a picture. All frames have one size. */
export const pixelMask = withSettings([], (call, pictures, { frames }) => ({
  pixel_mask: maskOf(call, pictures.map(sizeOf), frames[0]),
}));

/** Makes `pixel_mask` if `do_pad` is on, as DETR does; without padding there is no such output. */
export const pixelMaskIfPadded = withSettings(['do_pad'], (call, pictures, layout) =>
  call.settings.do_pad ? pixelMask(call, pictures, layout) : {},
);

/** Makes a mask [N, H, W], or of `dims`, that is 1 where a frame shows its picture, at the top left, and 0 elsewhere.
 * `sizes`: of the N pictures; `frame`: H and W
 * @type {(call: Call, sizes: readonly Size[], frame: Size, dims?: readonly number[]) => Tensor} */
export function maskOf({ maskDtype = dtypes.int64 }, sizes, frame, dims) {
  const data = newData(maskDtype, sizes.length * frame.height * frame.width, undefined);
  // Arrays of int64 take bigints alone, those of bool bytes.
  const shown = maskDtype === dtypes.int64 ? 1n : 1;
  const framePixels = frame.height * frame.width;
  sizes.forEach(({ width, height }, i) => {
    const firstPixel = i * framePixels;
    if (width === frame.width) {
      // Rows of the frame's full width follow one another without gaps.
      data.fill(shown, firstPixel, firstPixel + height * width);
      return;
    }
    for (let y = 0; y < height; y++) {
      const rowStart = firstPixel + y * frame.width;
      data.fill(shown, rowStart, rowStart + width);
    }
  });
  return tensorOf(maskDtype, data, [...(dims ?? [sizes.length, frame.height, frame.width])]);
}
