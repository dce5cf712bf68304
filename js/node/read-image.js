/** Picture files as pixels, decoded by sharp. */
import * as args from '../arguments/index.js';
import { readNpy } from '../io/index.js';
import { placeFrame, readGif } from './gif-frame.js';
import { makeTransparent, transparentGray } from './png-gray.js';
import { readRegular } from './path-source.js';

/** @import { GifFrame, Pixels } from './gif-frame.js' */
/** @import { EncodedImage, Pipeline, ReadImageOptions } from './types.js' */

/** A peer that may be missing. As a variable, so that neither tsc nor a bundler looks for it. @type {string} */
const decoder = 'sharp';

/** The kinds of files that Pillow and sharp decode. sharp alone takes drawings, which no limit of pixels bounds. */
const kinds = /a (JPEG|PNG|GIF|WebP|TIFF) picture|an AVIF picture/;
/** Most bytes of a file: as many as Node and sharp take. */
const mostBytes = 2 ** 31 - 1;
/** Pillow's limit, twice its MAX_IMAGE_PIXELS. */
const pillowPixels = 178_956_970;

/** Makes a row that reads a whole number from 1 on. Anything else is out of range.
 * @type {(byDefault: number) => (name: string, value: unknown) => number} */
export const wholeOr = (byDefault) =>
  args.row((name, value) => {
    if (!(Number.isSafeInteger(value) && value > 0))
      args.rangeError(`${name} must be a whole number from 1 on, got ${args.show(value)}`);
    return value;
  }, byDefault);

export const decodingTable = {
  maxPixels: wholeOr(pillowPixels),
  orientation: args.word(['upright', 'ignore'], 'upright'),
};

/**
 * Decodes a picture with `sharp`, which has to be installed beside this package: `npm install sharp`. The pixels are
 * Pillow's: colors are neither converted by a profile nor multiplied by alpha. It is what `decode` of
 * {@link imageToTensorAsync} and {@link imageProcessorAsync} takes in Node.
 * @param {EncodedImage} image a path, the bytes of a file, a Blob, or a pipeline of sharp, whose steps stay. Files are
 *   JPEG, PNG, GIF, WebP, AVIF or TIFF; or .npy of uint8 [H, W] or [H, W, C], which needs no sharp
 * @param {ReadImageOptions} [options]
 * @returns {Promise<{ data: Uint8Array, width: number, height: number, channels: number }>} bytes of red,
 *   green, blue and alpha, if there is any; of a pipeline the channels that it gives
 * @example
 * const { width, height, channels } = await readImage('photo.jpg');
 * [width, height, channels]; // [1920, 1080, 3]
 * const { dims } = await imageToTensorAsync('photo.jpg', { decode: readImage, width: 224, height: 224 });
 * dims; // [1, 3, 224, 224]
 */
export async function readImage(image, options) {
  return args.namedAsync('readImage', async () => {
    const { orientation, maxPixels } = args.readTable(options, decodingTable);
    const { name, input } = await inputOf(image);
    if (!isPipeline(input) && args.kindOf(input) === 'a .npy file') return npyPixels(name, input, maxPixels);
    const { default: sharp } = await import(decoder).catch(refuseDecoder);
    if (isPipeline(input)) return decoding(name, () => decode(input.clone(), orientation));
    checkKind(name, input);
    const gif = args.kindOf(input) === 'a GIF picture' ? readGif(input) : undefined;
    const pipeline = sharp(gif?.file ?? input, { ignoreIcc: true, limitInputPixels: false });
    const { space, ...stated } = await decoding(name, () => pipeline.metadata());
    const { width, height } = gif?.frame ?? stated;
    checkPixels(name, { width, height }, maxPixels);
    const gray = args.kindOf(input) === 'a PNG picture' ? transparentGray(input) : undefined;
    return decoding(name, () =>
      decodeFile(pipeline, orientation, { isInk: space === 'cmyk', frame: gif?.frame, gray }),
    );
  });
}

/** Refuses a picture of more than `maxPixels`.
 * @type {(name: string, size: { width: number, height: number }, maxPixels: number) => void} */
function checkPixels(name, { width, height }, maxPixels) {
  if (width * height > maxPixels)
    args.rangeError(`${name} must have at most ${maxPixels} pixels, option maxPixels, got ${width} x ${height}`);
}

/** Reads a .npy file of uint8 [H, W] or [H, W, C] as pixels.
 * @type {(name: string, bytes: Uint8Array, maxPixels: number) => Pixels} */
function npyPixels(name, bytes, maxPixels) {
  const { type, dims, data } = readNpy(bytes);
  if (type !== 'uint8' || (dims.length !== 2 && dims.length !== 3))
    args.typeError(`${name} must be uint8 [H, W] or [H, W, C], got ${type} [${dims.join(', ')}]`);
  const [height, width, channels = 1] = dims;
  checkPixels(name, { width, height }, maxPixels);
  return { data: /** @type {Uint8Array} */ (data), width, height, channels };
}

/** Refuses files that are no pictures which Pillow and sharp both decode.
 * @type {(name: string, bytes: Uint8Array) => void} */
function checkKind(name, bytes) {
  if (kinds.test(args.kindOf(bytes) ?? '')) return;
  const other = args.describeBytes(bytes) ?? `${bytes.length} other bytes`;
  args.rangeError(`${name} must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got ${other}`);
}

/** Runs work of sharp, whose errors become refusals of the image.
 * @type {<T>(name: string, work: () => Promise<T>) => Promise<T>} */
const decoding = (name, work) =>
  work().catch(({ message }) =>
    args.rangeError(`${name} must be a picture that sharp decodes: ${args.brief(message)}`),
  );

/** Decodes a pipeline's picture to bytes, turned as EXIF says if `orientation` is 'upright'.
 * @type {(pipeline: Pipeline, orientation: string) => Promise<Pixels>} */
async function decode(pipeline, orientation) {
  const upright = orientation === 'upright' ? pipeline.autoOrient() : pipeline;
  const { data, info } = await upright.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

/** Decodes a file as Pillow does: inks without a profile, the frame of a GIF in its picture, a transparent gray.
 * @type {(pipeline: Pipeline, orientation: string, file: { isInk: boolean, frame?: GifFrame, gray?: number }) =>
 *   Promise<Pixels>} */
async function decodeFile(pipeline, orientation, { isInk, frame, gray }) {
  const inks = isInk ? pipeline.pipelineColorspace('cmyk').toColorspace('cmyk') : pipeline;
  const picture = await decode(inks, orientation);
  if (frame) return placeFrame(picture, frame);
  if (gray !== undefined && picture.channels === 4) makeTransparent(picture.data, gray);
  return isInk ? { ...picture, data: inkColors(picture.data), channels: 3 } : picture;
}

/** Converts cyan, magenta, yellow and black to Pillow's colors: without a profile, which sharp would convert by. The
 * loop over pixels takes 23 ms a million of them, a fifth of the whole call (measured with libvips decoding on the same
 * core).
 * @type {(inks: Uint8Array) => Uint8Array} */
function inkColors(inks) {
  const colors = new Uint8Array((inks.length / 4) * 3);
  for (let from = 0, to = 0; from < inks.length; from += 4) {
    const light = 255 - inks[from + 3];
    for (let ink = 0; ink < 3; ink++) {
      const product = inks[from + ink] * light + 128;
      colors[to++] = light - (((product >> 8) + product) >> 8);
    }
  }
  return colors;
}

/** Says that sharp is missing, if that is the error.
 * @type {(error: { code?: string }) => never} */
function refuseDecoder(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw args.refusal(new Error('pictures are decoded by sharp, which is not there: npm install sharp'));
}

/** @type {(image: unknown) => image is Pipeline} */
const isPipeline = (image) =>
  typeof (/** @type {Partial<Pipeline> | null | undefined} */ (image)?.toBuffer) === 'function';

/** Reads an image: the bytes of a file, or a pipeline of sharp. `name`: its name in messages.
 * @type {(image: EncodedImage) => Promise<{ name: string, input: Uint8Array | Pipeline }>} */
async function inputOf(image) {
  const className = Object.prototype.toString.call(image).slice(8, -1);
  if (typeof image === 'string' || className === 'URL')
    return {
      name: args.show(String(image)),
      input: await readRegular(/** @type {string | URL} */ (image), mostBytes, 'image'),
    };
  const name = 'image';
  if (isPipeline(image)) return { name, input: image };
  if (className === 'Uint8Array' || className === 'ArrayBuffer') {
    const bytes = /** @type {Uint8Array} */ (image);
    // No array can be made over memory that is gone.
    if (bytes.byteLength === 0) return { name, input: new Uint8Array() };
    return { name, input: className === 'Uint8Array' ? bytes : new Uint8Array(bytes) };
  }
  if (className === 'Blob' || className === 'File')
    return { name, input: new Uint8Array(await /** @type {Blob} */ (image).arrayBuffer()) };
  return args.typeError(`image must be a path, bytes, a Blob or a pipeline of sharp, got ${args.showClass(image)}`);
}
