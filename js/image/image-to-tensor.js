/** Pixels to tensors. */
import {
  bytesOf,
  copyList,
  lengthOf,
  overlap,
  readOptions,
  readWord,
  show,
  showClass,
  typedArrayName,
  wrongKind,
  wrongValue,
} from '../arguments/index.js';
import { pixelBytes, ready } from '../engine/index.js';
import { checkRoom, dtypeOf, dtypes, newData, readOut, sizeOf, tensorOf } from '../tensor/index.js';
import {
  classNameOf,
  draw,
  drawableSize,
  isBlob,
  isDrawable,
  needCanvas,
  readExtent,
  readResizing,
  resizedSize,
} from './canvas.js';
import { identity, isPixelType, readNormalization } from './normalization.js';

/** @import { Image } from '../engine/index.js' */
/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { BrowserClass, Drawable, ResizeOptions, Size } from './canvas.js' */
/** @import { Normalization } from './normalization.js' */

/**
 * Interleaved bytes, as ImageData, sharp, pngjs and jpeg-js have them: grey, RGB or RGBA.
 * @typedef {object} Pixels
 * @property {Uint8Array | Uint8ClampedArray} data row after row
 * @property {number} width in pixels
 * @property {number} height in pixels
 * @property {number} [channels] 1, 3 or 4; what the length of data says if omitted
 * @property {number} [rowstride] bytes from one row to the next; `width * channels` if omitted
 */

/** @typedef {Pixels | Drawable} ImageLike */

const layouts = /** @type {const} */ (['NCHW', 'NHWC', 'CHW', 'HWC']);
/** @typedef {typeof layouts[number]} ImageLayout */

/** Where each channel comes from, by the channels of the source. The numbers are those of cpp/pixels.h: 4 is an opaque alpha, 5 the luma. */
const places = /** @type {const} */ ({
  RGB: { 1: [0, 0, 0], 3: [0, 1, 2], 4: [0, 1, 2] },
  BGR: { 1: [0, 0, 0], 3: [2, 1, 0], 4: [2, 1, 0] },
  RGBA: { 1: [0, 0, 0, 4], 3: [0, 1, 2, 4], 4: [0, 1, 2, 3] },
  L: { 1: [0], 3: [5], 4: [5] },
});
/** @typedef {keyof typeof places} ChannelOrder */

const channelOrders = /** @type {ChannelOrder[]} */ (Object.keys(places));

/**
 * @typedef {object} ImageToTensorOptions
 * @property {ImageLayout} [layout] 'NCHW' if omitted; 'CHW' and 'HWC' for a single image, without the axis of the batch
 * @property {ChannelOrder} [channels] 'RGB' if omitted
 * @property {'uint8' | 'int8' | 'float32' | 'float16' | 'bfloat16'} [type] 'float32' if omitted
 * @property {TensorLike} [out] a tensor of the result's type and dims to write to, its memory apart from the images'
 */

const optionNames = [
  'layout',
  'channels',
  'type',
  'preset',
  'scale',
  'mean',
  'std',
  'out',
  'width',
  'height',
  'fit',
  'background',
];

/**
 * An image, or equally large ones, as a model takes them. Of each byte x it makes `(x * scale - mean) / std`, evaluated in float32 in this
 * order, each step rounded; by default x itself. float16 and bfloat16 are that rounded to nearest even, uint8 and int8 too, and saturated.
 *
 * - `channels`: 'RGB' or 'BGR'; 'RGBA', whose alpha is 255 where the image has none; 'L', by the weights of ITU-R BT.601 in whole
 *   numbers, as Pillow has them: `(19595 r + 38470 g + 7471 b + 32768) >> 16`. A grey image counts as three equal channels.
 * - `scale`, `mean`, `std`: a number, or one for each channel of the result in its order. `preset` stands for the three: 'imagenet',
 *   'clip' (RGB or BGR), 'unit' (to [0, 1]) or 'signed' (to [-1, 1]).
 * - `width`, `height`: the result's, where the image is to be resized, which the browser's canvas does. `fit`: 'fill' (as omitted)
 *   distorts, 'contain' leaves bars of the colour `background` ('black' if omitted), 'cover' cuts off. One of the two follows from the other.
 * @param {ImageLike | readonly ImageLike[]} image pixels; in browsers also an ImageBitmap, an image, video or canvas element, an
 *   OffscreenCanvas or a VideoFrame. An array of images makes a batch
 * @param {ImageToTensorOptions & Normalization & ResizeOptions} [options]
 * @returns {Tensor} of dims [N, C, H, W], [N, H, W, C], [C, H, W] or [H, W, C], with memory of its own, or over `out.data`
 * @throws {TypeError} no image, a type that `cast` has to give, an unknown option, a preset beside scale, mean or std
 * @throws {RangeError} data of another length than the image's, images of different sizes, out does not fit or overlaps, out of memory
 * @throws {Error} before `init()`; resizing where there is no OffscreenCanvas
 * @example
 * const image = { data: Uint8Array.of(255, 128, 0), width: 1, height: 1 };
 * imageToTensor(image, { preset: 'unit' }).data; // Float32Array [1, 0.501960813999176, 0]
 */
export function imageToTensor(image, options) {
  ready('imageToTensor');
  const call = readCall('imageToTensor', options);
  return tensorOfImages(
    call,
    readEntries(call, image).map((entry) => readImage(call.prefix, entry)),
  );
}

/**
 * {@link imageToTensor} for what takes time: an image may be a Blob or File too, which the browser decodes.
 * @param {ImageLike | BrowserClass<'Blob'> | readonly (ImageLike | BrowserClass<'Blob'>)[]} image
 * @param {ImageToTensorOptions & Normalization & ResizeOptions} [options]
 * @returns {Promise<Tensor>} rejected with what imageToTensor throws, or what the browser says of a Blob that it cannot decode
 * @example
 * await imageToTensorAsync(input.files[0], { width: 224, height: 224, fit: 'cover', preset: 'imagenet' });
 */
export async function imageToTensorAsync(image, options) {
  const prefix = 'imageToTensorAsync';
  ready(prefix);
  const call = readCall(prefix, options);
  /** @type {any[]} */
  const bitmaps = [];
  const decode = async (/** @type {Entry} */ entry) => {
    if (!isBlob(entry.className)) return entry;
    if (!('createImageBitmap' in globalThis))
      throw new Error(`${prefix}: a Blob needs createImageBitmap, which is not there`);
    const bitmap = await createImageBitmap(entry.value);
    bitmaps.push(bitmap);
    return { argument: entry.argument, value: bitmap, className: classNameOf(bitmap) };
  };
  try {
    // All of them, also if one fails: what comes later has to be closed too.
    const results = await Promise.allSettled(readEntries(call, image).map(decode));
    const entries = results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    return tensorOfImages(
      call,
      entries.map((entry) => readImage(prefix, entry)),
    );
  } finally {
    for (const bitmap of bitmaps) bitmap.close();
  }
}

/**
 * What the options ask for.
 * @typedef {object} Call
 * @property {string} prefix
 * @property {ImageLayout} layout
 * @property {ChannelOrder} channels
 * @property {DType} dtype
 * @property {import('./normalization.js').NormalizationLists} normalization
 * @property {import('./canvas.js').Resizing | undefined} resizing
 * @property {unknown} out
 */

/** @type {(prefix: string, options: any) => Call} */
function readCall(prefix, options) {
  const { layout, channels, type, preset, scale, mean, std, out, width, height, fit, background } = readOptions(
    prefix,
    options,
    optionNames,
  );
  const dtype = readTarget(prefix, type);
  const order = readWord(prefix, 'channels', channelOrders, channels) ?? 'RGB';
  return {
    prefix,
    layout: readWord(prefix, 'layout', layouts, layout) ?? 'NCHW',
    channels: order,
    dtype,
    normalization: readNormalization(prefix, { preset, scale, mean, std }, order, 'std'),
    resizing: readResizing(prefix, { width, height, fit, background }),
    out,
  };
}

/** @type {(prefix: string, type: unknown) => DType} */
function readTarget(prefix, type = 'float32') {
  const dtype = dtypeOf(type);
  if (dtype && isPixelType(dtype)) return dtype;
  return wrongKind(
    prefix,
    `type must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got ${dtype ? dtype.name : show(type)}`,
  );
}

/** An image of which all that is the caller's was read. @typedef {Size & { argument: string, drawable?: any, data?: any, channels?: number, rowstride?: number }} Source */

/** What stands for an image, and what it claims to be: asked once. @typedef {{ argument: string, value: any, className: string }} Entry */

/** @type {(call: Call, image: any) => Entry[]} */
function readEntries({ prefix, layout }, image) {
  if (!Array.isArray(image)) return [{ argument: 'image', value: image, className: classNameOf(image) }];
  if (!layout.startsWith('N')) wrongValue(prefix, `layout of a batch must be 'NCHW' or 'NHWC', got '${layout}'`);
  const list = copyList(prefix, 'image', image);
  if (list.length === 0) wrongValue(prefix, 'image must hold at least one image, got []');
  return list.map((value, i) => ({ argument: `image[${i}]`, value, className: classNameOf(value) }));
}

/** @type {(prefix: string, entry: Entry) => Source} */
function readImage(prefix, { argument, value, className }) {
  if (isDrawable(className)) return { argument, drawable: value, ...drawableSize(prefix, argument, value, className) };
  if (isBlob(className)) wrongKind(prefix, `${argument} must be decoded, which imageToTensorAsync does, got a Blob`);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    wrongKind(prefix, `${argument} must be an image { data, width, height }, got ${showClass(value)}`);
  }
  const { data, width, height, channels, rowstride } = value;
  const name = typedArrayName(data);
  if (name !== 'Uint8Array' && name !== 'Uint8ClampedArray')
    wrongKind(prefix, `${argument} data must be a Uint8Array or Uint8ClampedArray, got ${showClass(data)}`);
  const source = {
    argument,
    data,
    width: readExtent(prefix, `${argument} width`, width),
    height: readExtent(prefix, `${argument} height`, height),
  };
  if (channels === undefined) {
    if (rowstride !== undefined) wrongKind(prefix, `${argument} channels must stand beside rowstride, got undefined`);
    return source;
  }
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    const wrong = typeof channels === 'number' || typeof channels === 'bigint' ? wrongValue : wrongKind;
    wrong(prefix, `${argument} channels must be 1, 3 or 4, got ${show(channels)}`);
  }
  if (rowstride === undefined) return { ...source, channels };
  const stride = readExtent(prefix, `${argument} rowstride`, rowstride);
  if (stride < source.width * channels)
    wrongValue(prefix, `${argument} rowstride must be at least ${source.width * channels}, got ${stride}`);
  return { ...source, channels, rowstride: stride };
}

/** Checks the length of an image's data, when no more code of the caller's can run. @type {(prefix: string, source: Source) => Image} */
function checkImage(prefix, { argument, data, width, height, channels, rowstride }) {
  const length = lengthOf(data);
  const size = width * height;
  const perPixel = channels ?? length / size;
  if (channels === undefined && ![1, 3, 4].includes(perPixel)) {
    wrongValue(
      prefix,
      `${argument} data of ${width} x ${height} pixels has ${size}, ${3 * size} or ${4 * size} bytes, got ${length}`,
    );
  }
  const rowBytes = width * perPixel;
  const stride = rowstride ?? rowBytes;
  // The last row may come without its padding.
  if (length !== stride * height && length !== stride * (height - 1) + rowBytes) {
    wrongValue(prefix, `${argument} data of ${width} x ${height} pixels has ${stride * height} bytes, got ${length}`);
  }
  return { data: bytesOf(data), width, height, channels: perPixel, rowstride: stride };
}

/** @type {(call: Call, sources: Source[]) => Tensor} */
function tensorOfImages(call, sources) {
  const { prefix, layout, dtype, resizing } = call;
  const sizes = sources.map((source) => resizedSize(source, resizing));
  const [size] = sizes;
  sizes.forEach(({ width, height }, i) => {
    if (width === size.width && height === size.height) return;
    wrongValue(
      prefix,
      `${sources[i].argument} must have ${size.width} x ${size.height} pixels as the first, got ${width} x ${height}`,
    );
  });
  const count = call.channels.length;
  const isPlanar = layout.endsWith('CHW');
  const single = isPlanar ? [count, size.height, size.width] : [size.height, size.width, count];
  const dims = layout.startsWith('N') ? [sources.length, ...single] : single;
  const out = call.out === undefined ? undefined : readOut(prefix, 'out', call.out, dtype, dims);
  const images = sources.map((source) => (source.drawable ? undefined : checkImage(prefix, source)));
  sources.forEach((source, i) => {
    const isResized = source.width !== size.width || source.height !== size.height;
    if (source.drawable || isResized) needCanvas(prefix, source.drawable ? source.argument : 'resizing');
    if (out && images[i] && overlap(out.data, images[i].data))
      wrongValue(prefix, `out must not overlap ${source.argument}`);
  });
  if (out) checkRoom(prefix, out);
  const data = out ? out.data : newData(prefix, dtype, sizeOf(dims), undefined);
  const bytes = bytesOf(data);
  const part = bytes.length / sources.length;
  // All are drawn before any is written: a page may not read the last one's pixels.
  const pictures = sources.map((source, i) => pictureOf(call, source, images[i], size));
  pictures.forEach((picture, i) => convert(call, picture, isPlanar, bytes.subarray(i * part, (i + 1) * part)));
  return tensorOf(dtype, data, dims);
}

/** The pixels of the size that is asked for. @type {(call: Call, source: Source, image: Image | undefined, size: Size) => Image} */
function pictureOf({ prefix, resizing }, source, image, size) {
  if (image && image.width === size.width && image.height === size.height) return image;
  const drawn = draw(prefix, image ? rgbaOf(prefix, image) : source.drawable, source, size, resizing);
  return { data: bytesOf(drawn), ...size, channels: 4, rowstride: 4 * size.width };
}

/** @type {(prefix: string, image: Image) => Uint8Array} */
function rgbaOf(prefix, image) {
  const bytes = newData(prefix, dtypes.uint8, 4 * image.width * image.height, undefined);
  convert({ prefix, dtype: dtypes.uint8, channels: 'RGBA', normalization: identity }, image, false, bytes);
  return bytes;
}

/** @type {(call: Pick<Call, 'prefix' | 'dtype' | 'channels' | 'normalization'>, image: Image, isPlanar: boolean, destination: Uint8Array) => void} */
function convert({ prefix, dtype, channels, normalization: { scale, mean, std } }, image, isPlanar, destination) {
  const parameters = [];
  const from = places[channels][/** @type {1 | 3 | 4} */ (image.channels)];
  for (let c = 0; c < from.length; c++) parameters.push(from[c], scale[c], mean[c], std[c]);
  pixelBytes(prefix, dtype, image, parameters, isPlanar, destination);
}
