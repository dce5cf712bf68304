/** Tensors back to pictures. */
import { bytesOf, readOptions, readWord, showList, wrongKind, wrongValue } from '../arguments/index.js';
import { convertBytes, ready } from '../engine/index.js';
import { checkData, dtypes, newData, readTensor } from '../tensor/index.js';
import { isPixelType, readNormalization } from './normalization.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { BrowserClass } from './canvas.js' */
/** @import { Normalization } from './normalization.js' */

/** What ImageData is where there is none. @typedef {{ data: Uint8ClampedArray, width: number, height: number }} Picture */

const layouts = /** @type {const} */ (['NCHW', 'NHWC', 'CHW', 'HWC', 'HW']);
const orders = /** @type {const} */ (['RGB', 'BGR', 'RGBA', 'L']);
/** Where each channel goes in RGBA. */
const places = { R: [0], G: [1], B: [2], A: [3], L: [0, 1, 2] };

const optionNames = ['layout', 'channels', 'preset', 'scale', 'mean', 'std'];

/**
 * A tensor of one image as a picture to look at: the way back from {@link imageToTensor}, with the same `channels` and `preset` (or
 * `scale`, `mean` and `std`). Of each number t it makes `(t * std + mean) / scale`, evaluated in float32 in this order, each step rounded,
 * then the nearest byte, the even one of two; what is below 0 or NaN becomes 0, what is above 255 becomes 255.
 * @param {TensorLike} tensor uint8, int8, float32, float16 or bfloat16, of dims [C, H, W], [1, C, H, W], [H, W, C], [1, H, W, C] or
 *   [H, W], with 1, 3 or 4 channels
 * @param {{ layout?: typeof layouts[number], channels?: typeof orders[number] } & Normalization} [options] `layout`: one letter a dim; if
 *   omitted, the channels come first, unless there only the last dim is 1, 3 or 4. `channels`: by their number 'L', 'RGB' or 'RGBA'
 *   if omitted
 * @returns {BrowserClass<'ImageData'> extends never ? Picture : BrowserClass<'ImageData'>} RGBA bytes, alpha 255 where the tensor
 *   has none; in browsers an ImageData, elsewhere a plain object `{ data, width, height }`
 * @throws {TypeError} no tensor, a type that `cast` has to convert before, an unknown option, a preset beside scale, mean or std
 * @throws {RangeError} dims that are no image's, data of the wrong length, out of memory
 * @throws {Error} before `init()`
 * @example
 * tensorToImage({ type: 'float32', data: Float32Array.of(0, 0.5, 2), dims: [3, 1, 1] }, { preset: 'unit' }).data; // [0, 128, 255, 255]
 */
export function tensorToImage(tensor, options) {
  const prefix = 'tensorToImage';
  ready(prefix);
  const { layout, channels, preset, scale, mean, std } = readOptions(prefix, options, optionNames);
  const parts = readTensor(prefix, 'tensor', tensor, (dtype) => {
    if (!isPixelType(dtype))
      wrongKind(
        prefix,
        `tensor type must be uint8, int8, float32, float16 or bfloat16 (cast gives them), got ${dtype.name}`,
      );
  });
  const { dtype, size, dims } = parts;
  const { extents, strides } = axesOf(prefix, dims, readWord(prefix, 'layout', layouts, layout));
  const { C: count, H: height, W: width } = extents;
  const order = readWord(prefix, 'channels', orders, channels) ?? (count === 1 ? 'L' : count === 3 ? 'RGB' : 'RGBA');
  if (order.length !== count) wrongValue(prefix, `channels of dims ${showList(dims)} must be ${count}, got '${order}'`);
  const normalization = readNormalization(prefix, { preset, scale, mean, std }, order, 'scale');
  const data = checkData(prefix, parts);

  /** @type {Float32Array} */
  let numbers = data;
  if (dtype.name !== 'float32') {
    numbers = newData(prefix, dtypes.float32, size, undefined);
    convertBytes(prefix, dtype, dtypes.float32, size, bytesOf(data), bytesOf(numbers));
  }
  const bytes = new Uint8ClampedArray(newData(prefix, dtypes.uint8, 4 * width * height, undefined).buffer);
  if (!order.includes('A')) bytes.fill(255);
  for (let c = 0; c < count; c++) {
    const parameters = { scale: normalization.scale[c], mean: normalization.mean[c], std: normalization.std[c] };
    for (const place of places[/** @type {keyof typeof places} */ (order[c])])
      writeChannel(numbers, c * strides.C, strides.W, parameters, bytes, place);
  }
  const { ImageData } = /** @type {any} */ (globalThis);
  return ImageData ? new ImageData(bytes, width, height) : /** @type {any} */ ({ data: bytes, width, height });
}

/** Uint8ClampedArray itself rounds to the nearest byte, ties to even, and clamps. @type {(numbers: Float32Array, from: number, step: number, parameters: { scale: number, mean: number, std: number }, bytes: Uint8ClampedArray, place: number) => void} */
function writeChannel(numbers, from, step, { scale, mean, std }, bytes, place) {
  const { fround } = Math;
  for (let to = place; to < bytes.length; to += 4, from += step)
    bytes[to] = fround(fround(fround(numbers[from] * std) + mean) / scale);
}

/** The image's extents, and the distance of its channels and columns; rows are dense. @type {(prefix: string, dims: readonly number[], layout: string | undefined) => { extents: { C: number, H: number, W: number }, strides: { C: number, W: number } }} */
function axesOf(prefix, dims, layout) {
  const shown = showList(dims);
  if (dims.length < 2 || dims.length > 4) wrongValue(prefix, `tensor must have 2, 3 or 4 dims, got ${shown}`);
  const isCount = (/** @type {number | undefined} */ extent) => extent === 1 || extent === 3 || extent === 4;
  const isLast = isCount(dims.at(-1)) && !isCount(dims.at(-3));
  const names = layout ?? (dims.length === 2 ? 'HW' : (isLast ? 'NHWC' : 'NCHW').slice(-dims.length));
  if (names.length !== dims.length)
    wrongValue(prefix, `layout must have a letter for each of dims ${shown}, got '${names}'`);
  const extentOf = (/** @type {string} */ name) => (names.includes(name) ? dims[names.indexOf(name)] : 1);
  const extents = { C: extentOf('C'), H: extentOf('H'), W: extentOf('W') };
  if (!isCount(extents.C)) wrongValue(prefix, `tensor must have 1, 3 or 4 channels, got dims ${shown} as ${names}`);
  if (extentOf('N') !== 1 || extents.H === 0 || extents.W === 0)
    wrongValue(prefix, `tensor must hold one image, got dims ${shown} as ${names}`);
  return { extents, strides: names.endsWith('C') ? { C: 1, W: extents.C } : { C: extents.H * extents.W, W: 1 } };
}
