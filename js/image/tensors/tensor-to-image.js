/** From tensors back to pictures. */
import { bytesOf, later, named, rangeError, readTable, showList, typeError, word } from '../../arguments/index.js';
import { ready, rgbaBytes } from '../../engines/images/index.js';
import { checkData, dtypes, newData, readTensor } from '../../tensor/index.js';
import { channelOrders, layouts as imageLayouts } from '../numbers/layout.js';
import { isPixelType, readNormalization } from '../numbers/normalization.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { ChannelOrder } from '../numbers/layout.js' */
/** @import { ImageDataLike, Normalization, TensorToImageOptions } from '../types.js' */

const layouts = /** @type {const} */ ([...imageLayouts, 'HW']);

const table = {
  layout: word(layouts, undefined),
  channels: word(channelOrders, undefined),
  preset: later,
  scale: later,
  mean: later,
  std: later,
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
    const order = channels ?? usualOrders[count];
    if (order.length !== count) rangeError(`channels of dims ${showList(dims)} must be ${count}, got '${order}'`);
    const { scale, mean, std } = readNormalization(numbering, order, 'scale');
    const source = { dtype: checked.dtype, data: bytesOf(checkData(checked)), count, isPlanar };
    const bytes = new Uint8ClampedArray(newData(dtypes.uint8, 4 * width * height, undefined).buffer);
    // For red, green, blue and alpha: the tensor's channel and its three numbers, which alpha that it has not lacks.
    const formulas = tensorChannels(order).map((c) => [c, scale[c], mean[c], std[c]]);
    rgbaBytes(source, formulas, bytes);
    const { ImageData } = globalThis; // undefined in Node
    const picture = ImageData ? new ImageData(bytes, width, height) : { data: bytes, width, height };
    return /** @type {ImageDataLike} */ (picture);
  });
}

/** @type {Record<number, ChannelOrder>} */
const usualOrders = { 1: 'L', 3: 'RGB', 4: 'RGBA' };

/** For red, green, blue and alpha the index of the tensor's channel; -1 for alpha that it has not.
 * @type {(order: ChannelOrder) => number[]} */
function tensorChannels(order) {
  const isGray = order === 'L';
  if (isGray) return [0, 0, 0, -1];
  return Array.from('RGBA', (letter) => order.indexOf(letter)); // -1 for a letter that is not there
}

/** @type {(extent: number | undefined) => boolean} */
const isChannelCount = (extent) => extent === 1 || extent === 3 || extent === 4;

/** The layout of a tensor of 2 to 4 dims: channels are the last axis if only that may be 1, 3 or 4 of them, otherwise
 * the axis before height and width.
 * @type {(dims: readonly number[]) => string} */
function usualLayout(dims) {
  if (dims.length === 2) return 'HW';
  const isChannelsLast = isChannelCount(dims.at(-1)) && !isChannelCount(dims.at(-3));
  const layout = isChannelsLast ? 'NHWC' : 'NCHW';
  return layout.slice(-dims.length); // 3 dims have no N
}

/** The extents of a tensor of one image, by its dims and the letters of its `layout`, which is guessed if omitted.
 * `count` is the number of channels, 1 where the layout has no letter for them. `isPlanar`: whether each channel is a
 * plane, or those of a pixel lie side by side
 * @type {(dims: readonly number[], layout: string | undefined) => { count: number, height: number, width: number,
 *   isPlanar: boolean }} */
function axesOf(dims, layout) {
  const shown = showList(dims);
  if (dims.length < 2 || dims.length > 4) rangeError(`tensor must have 2, 3 or 4 dims, got ${shown}`);
  const letters = layout ?? usualLayout(dims);
  if (letters.length !== dims.length)
    rangeError(`layout must have a letter for each of dims ${shown}, got '${letters}'`);
  const extentOf = (/** @type {string} */ letter) => (letters.includes(letter) ? dims[letters.indexOf(letter)] : 1);
  const [images, count, height, width] = Array.from('NCHW', extentOf);
  if (!isChannelCount(count)) rangeError(`tensor must have 1, 3 or 4 channels, got dims ${shown} as ${letters}`);
  if (images !== 1 || height === 0 || width === 0)
    rangeError(`tensor must hold one image, got dims ${shown} as ${letters}`);
  return { count, height, width, isPlanar: !letters.endsWith('C') };
}
