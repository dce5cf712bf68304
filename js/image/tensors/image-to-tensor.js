/** From pictures to tensors. */
import { named, namedAsync, rangeError } from '../../arguments/index.js';
import { loader, ready } from '../../engines/images/index.js';
import { tensorOfImages } from './batch.js';
import { callTables, readCall } from './options.js';
import { croppedPart } from '../resizing/fit.js';
import { readEntries, readImage, withDecoded } from '../sources/read-images.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { BrowserClass } from '../sources/drawables.js' */
/** @import { Call, DecoderOption, Decoding, DecodingOptions, Encoded, Entry } from '../types.js' */
/** @import { FitOptions, ImageLike } from '../types.js' */
/** @import { ImageDtype, ImageToTensorOptions, Normalization, Source } from '../types.js' */

/** @typedef {ImageLike | BrowserClass<'Blob'> | Encoded} Decodable */

/**
 * Turns an image, or several of one size, into the tensor that a model takes. Each byte x becomes
 * `(x * scale - mean) / std`, evaluated in float32 in this order with each step rounded; by default x itself. float16
 * and bfloat16 are that number rounded to nearest even. uint8 and int8 are rounded to nearest even and saturated.
 *
 * - `channels`: 'RGB' or 'BGR'; 'RGBA', whose alpha is 255 where the image has none; 'L', by the weights of ITU-R
 *   BT.601 in whole numbers, as Pillow has them: `(19595 r + 38470 g + 7471 b + 32768) >> 16`, or as OpenCV
 *   with backend 'opencv' (see {@link toGray}). A gray image counts as three equal channels.
 * - `scale`, `mean`, `std`: a number, or one for each channel of the result in its order. `preset` stands for the
 *   three: 'imagenet', 'clip' (both for RGB or BGR), 'unit' (to [0, 1]) or 'signed' (to [-1, 1]). A preset's floats are
 *   those of transformers' image processors with this `backend`, 'pil' or 'torchvision', right to the bit. 'yolo',
 *   'yolox', 'scrfd', 'rapidocr-det', 'paddleocr-det' and 'rapidocr-text' stand for what these projects do with a
 *   picture: they bring their `channels` and their `letterbox` along, and backend 'opencv', unless the caller gives
 *   others. 'yolo-cls', of Ultralytics' classifiers, brings fit 'center-crop', filter 'bilinear' and backend 'pil'.
 * - `letterbox`: the size of the result, and how {@link letterbox} puts the image into it.
 * - `width`, `height`: the size of the result. If the image has another one, it is resized with the numbers of
 *   `backend` and `filter`, as {@link resize} does. If one of the two is omitted, the aspect ratio gives it. `fit`:
 *   'fill' (if omitted) distorts, 'contain' leaves bars of `background` ('black' if omitted), 'cover' cuts
 *   off what does not fit, and 'center-crop' does so as torchvision's `Resize` of the shorter side and `CenterCrop`,
 *   which round in another way. `filter: 'canvas'` has the browser's canvas resize, with numbers of its own.
 * @template {ImageDtype} [T='float32']
 * @param {ImageLike | readonly ImageLike[]} image pixels; in browsers also an ImageBitmap, an image, video or canvas
 *   element, an OffscreenCanvas or a VideoFrame. An array of images makes a batch
 * @param {ImageToTensorOptions<T> & Normalization & FitOptions} [options]
 * @returns {Tensor<T>} of dims [N, C, H, W], [N, H, W, C], [C, H, W] or [H, W, C], with memory of its own, or over
 *   `out.data`
 * @example
 * const image = { data: Uint8Array.of(255, 128, 0), width: 1, height: 1 };
 * imageToTensor(image, { preset: 'unit' }).data; // Float32Array [1, 0.501960813999176, 0]
 */
export function imageToTensor(image, options) {
  return named('imageToTensor', () => {
    ready();
    const call = readCall(options, callTables.sync);
    return /** @type {Tensor<T>} */ (tensorOfImages(call, sourcesOf(entriesOf(call, image))));
  });
}

/** Lists the images of a call. A list, even of one image, needs a layout with the axis N.
 * @type {(call: Call, image: unknown) => Entry[]} */
function entriesOf({ layout }, image) {
  if (Array.isArray(image) && !layout.startsWith('N'))
    rangeError(`layout of a batch must be 'NCHW' or 'NHWC', got '${layout}'`);
  return readEntries('image', image);
}

/** Reads images that are decoded already. @type {(entries: Entry[]) => Source[]} */
const sourcesOf = (entries) => entries.map((entry) => readImage(entry, 'imageToTensorAsync'));

/**
 * {@link imageToTensor} for images that take time to decode: an image may be a Blob or File too, which the browser
 * decodes. In Chromium and Firefox the pixels of a Blob are those that Pillow decodes: colors are neither converted by
 * a profile nor multiplied by alpha. Pictures with alpha need WebGL2 for that; without it their colors are rounded. An
 * image element is decoded once more, in the same way. `decode` reads anything else, such as paths and Buffers in Node.
 *
 * The tensor has `originalSizes`, the height and width of each image as it was decoded: results of a model are brought
 * back to the picture by them.
 * @template {ImageDtype} [T='float32']
 * @param {Decodable | readonly Decodable[]} image
 * @param {ImageToTensorOptions<T> & Normalization & FitOptions & DecodingOptions & DecoderOption} [options]
 * @returns {Promise<Tensor<T> & { originalSizes: [height: number, width: number][] }>} rejected with what imageToTensor
 *   throws, or with the browser's error for a Blob that it cannot decode
 * @example
 * await imageToTensorAsync(input.files[0], { width: 224, height: 224, fit: 'cover', preset: 'imagenet' });
 */
export async function imageToTensorAsync(image, options) {
  return namedAsync('imageToTensorAsync', async () => {
    const { orientation, signal, decode, ...call } = readCall(options, callTables.async);
    const isDrawn = call.fitting?.filter === 'canvas';
    /** @type {Decoding} */
    const decoding = { orientation, signal, decode, isDrawn, partOf: (size) => croppedPart(size, call.fitting) };
    const entries = entriesOf(call, image);
    await loader.loadAsync();
    return withDecoded(entries, decoding, (entries) => {
      const sources = sourcesOf(entries);
      const originalSizes = sources.map(({ height, width }) => /** @type {[number, number]} */ ([height, width]));
      return Object.assign(/** @type {Tensor<T>} */ (tensorOfImages(call, sources)), { originalSizes });
    });
  });
}
