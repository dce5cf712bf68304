/** From tensors back to pictures. */
import { bytesOf, later, named, rangeError, readTable, showList, typeError, word } from '../../arguments/index.js';
import { ready, rgbaBytes } from '../../engines/images/index.js';
import { checkData, dtypes, newData, readTensor } from '../../tensor/index.js';
import { channelOrders, layouts as imageLayouts } from '../numbers/layout.js';
import { isPixelType, readNormalization } from '../numbers/normalization.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { ImageDataLike, Normalization, TensorToImageOptions } from '../types.js' */

const layouts = /** @type {const} */ ([...imageLayouts, 'HW']);

const table = {
  layout: word(layouts, undefined),
  channels: word(channelOrders, undefined),
  ...{ preset: later, scale: later, mean: later, std: later },
};

/**
 * Turns a tensor of one image into a picture to look at. This undoes {@link imageToTensor} if `channels` and `preset`
 * (or `scale`, `mean` and `std`) are the same. Each number t becomes `(t * std + mean) / scale`, evaluated in float32
 * in this order with each step rounded, then the nearest byte, ties to even. Numbers below 0 and NaN become 0, numbers
 * above 255 become 255.
 * @param {TensorLike} tensor uint8, int8, float32, float16 or bfloat16, of dims [C, H, W], [1, C, H, W], [H, W, C],
 *   [1, H, W, C] or [H, W], with 1, 3 or 4 channels
 * @param {TensorToImageOptions & Normalization} [options]
 * @returns {ImageDataLike} RGBA bytes in memory of
 *   their own, alpha 255 where the tensor has none; in browsers an ImageData, elsewhere a plain object `{ data, width,
 *   height }`
 * @example
 * const tensor = { type: 'float32', data: Float32Array.of(0, 0.5, 2), dims: [3, 1, 1] };
 * tensorToImage(tensor, { preset: 'unit' }).data; // [0, 127, 255, 255]
 */
export function tensorToImage(tensor, options) {
  return named('tensorToImage', () => {
    ready();
    const { layout, channels, ...numbering } = readTable(options, table);
    const checked = readTensor('tensor', tensor, (dtype) => {
      if (!isPixelType(dtype))
        typeError(`tensor type must be uint8, int8, float32, float16 or bfloat16 (cast gives them), got ${dtype.name}`);
    });
    const { dims } = checked;
    const { count, height, width, isPlanar } = axesOf(dims, layout);
    const order = channels ?? (count === 1 ? 'L' : count === 3 ? 'RGB' : 'RGBA');
    if (order.length !== count) rangeError(`channels of dims ${showList(dims)} must be ${count}, got '${order}'`);
    const { scale, mean, std } = readNormalization(numbering, order, 'scale');
    // For each channel of the picture, which of the tensor's it is: gray gives all three colors; -1 is none, for alpha.
    const places = Array.from('RGBA', (letter) => order.indexOf(order === 'L' && letter !== 'A' ? 'L' : letter));
    const source = { dtype: checked.dtype, data: bytesOf(checkData(checked)), count, isPlanar };
    const bytes = new Uint8ClampedArray(newData(dtypes.uint8, 4 * width * height, undefined).buffer);
    const formulas = places.map((c) => [c, scale[c], mean[c], std[c]]);
    rgbaBytes(source, formulas, bytes);
    const { ImageData } = globalThis;
    const picture = ImageData ? new ImageData(bytes, width, height) : { data: bytes, width, height };
    return /** @type {ImageDataLike} */ (picture);
  });
}

/** Finds the number of channels, the height and the width among the dims of a tensor of one image. Without a layout,
 * channels are the last axis if only that may be 1, 3 or 4 of them, otherwise the axis before height and width.
 * @type {(dims: readonly number[], layout: string | undefined) => { count: number, height: number, width: number,
 *   isPlanar: boolean }} */
function axesOf(dims, layout) {
  const shown = showList(dims);
  if (dims.length < 2 || dims.length > 4) rangeError(`tensor must have 2, 3 or 4 dims, got ${shown}`);
  const isCount = (/** @type {number | undefined} */ extent) => extent === 1 || extent === 3 || extent === 4;
  const isLast = isCount(dims.at(-1)) && !isCount(dims.at(-3));
  // A letter for each axis; of three, N is cut off.
  const names = layout ?? (dims.length === 2 ? 'HW' : (isLast ? 'NHWC' : 'NCHW').slice(-dims.length));
  if (names.length !== dims.length) rangeError(`layout must have a letter for each of dims ${shown}, got '${names}'`);
  const extentOf = (/** @type {string} */ name) => (names.includes(name) ? dims[names.indexOf(name)] : 1);
  const extents = { C: extentOf('C'), H: extentOf('H'), W: extentOf('W') };
  if (!isCount(extents.C)) rangeError(`tensor must have 1, 3 or 4 channels, got dims ${shown} as ${names}`);
  if (extentOf('N') !== 1 || extents.H === 0 || extents.W === 0)
    rangeError(`tensor must hold one image, got dims ${shown} as ${names}`);
  return { count: extents.C, height: extents.H, width: extents.W, isPlanar: !names.endsWith('C') };
}
