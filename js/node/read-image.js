/** Decodes picture files to pixels by sharp. A pipeline is an object of sharp: a picture and its steps. */
import * as args from '../arguments/index.js';
import { readNpy } from '../io/index.js';
import { placeFrame, readGif } from './gif-frame.js';
import { makeTransparent, transparentGray } from './png-gray.js';
import { readRegular } from './path-source.js';

/** @import { GifFrame, Pixels } from './gif-frame.js' */
/** @import { EncodedImage, Pipeline, ReadImageOptions } from './types.js' */

/** The name of a package that may be missing. It is a variable so that neither tsc nor a bundler looks for the package.
 * @type {string} */
const decoder = 'sharp';

/** The kinds of files that both Pillow and sharp decode. sharp also takes vector drawings, whose work no limit of
 * pixels bounds. */
const kinds = /a (JPEG|PNG|GIF|WebP|TIFF) picture|an AVIF picture/;
/** Limit of the bytes of a file: as many as Node and sharp take. */
const maxBytes = 2 ** 31 - 1;
/** Pillow's limit of pixels, beyond which it raises an error: twice its MAX_IMAGE_PIXELS. */
const pillowMaxPixels = 178_956_970;

/** The row of an option that is a whole number from 1 on. Values of other kinds are a RangeError, too.
 * @type {(byDefault: number) => (name: string, value: unknown) => number} */
export const wholeOr = (byDefault) =>
  args.row((name, value) => {
    if (!(Number.isSafeInteger(value) && value > 0))
      args.rangeError(`${name} must be a whole number from 1 on, got ${args.show(value)}`);
    return value;
  }, byDefault);

export const decodingTable = {
  maxPixels: wholeOr(pillowMaxPixels),
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
    const kind = args.kindOf(input);
    // sharp decodes a GIF of the first frame alone, which `decodeFile` then paints into the picture as Pillow does.
    const gif = kind === 'a GIF picture' ? readGif(input) : undefined;
    const { file, frame } = gif ?? { file: input, frame: undefined };
    // Pillow converts by no profile. The limit of pixels is `checkPixels`, so sharp's own is off.
    const pipeline = sharp(file, { ignoreIcc: true, limitInputPixels: false });
    // sharp reads the header alone here.
    const metadata = await decoding(name, () => pipeline.metadata());
    const pictureSize = frame ?? metadata;
    checkPixels(name, pictureSize, maxPixels);
    const isInk = metadata.space === 'cmyk';
    // Of a PNG, the gray whose pixels Pillow makes transparent where sharp may choose another gray.
    const gray = kind === 'a PNG picture' ? transparentGray(input) : undefined;
    return decoding(name, () => decodeFile(pipeline, orientation, { isInk, frame, gray }));
  });
}

/** @type {(name: string, size: { width: number, height: number }, maxPixels: number) => void} */
function checkPixels(name, { width, height }, maxPixels) {
  if (width * height > maxPixels)
    args.rangeError(`${name} must have at most ${maxPixels} pixels, option maxPixels, got ${width} x ${height}`);
}

/** @type {(name: string, bytes: Uint8Array, maxPixels: number) => Pixels} */
function npyPixels(name, bytes, maxPixels) {
  const { type, dims, data } = readNpy(bytes);
  if (type !== 'uint8' || (dims.length !== 2 && dims.length !== 3))
    args.typeError(`${name} must be uint8 [H, W] or [H, W, C], got ${type} [${dims.join(', ')}]`);
  const [height, width, channels = 1] = dims;
  checkPixels(name, { width, height }, maxPixels);
  return { data: /** @type {Uint8Array} */ (data), width, height, channels };
}

/** @type {(name: string, bytes: Uint8Array) => void} */
function checkKind(name, bytes) {
  if (kinds.test(args.kindOf(bytes) ?? '')) return;
  const other = args.describeBytes(bytes) ?? `${bytes.length} other bytes`;
  args.rangeError(`${name} must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got ${other}`);
}

/** Runs a step of sharp, whose error refuses the image by a RangeError.
 * @type {<T>(name: string, work: () => Promise<T>) => Promise<T>} */
const decoding = (name, work) =>
  work().catch(({ message }) =>
    args.rangeError(`${name} must be a picture that sharp decodes: ${args.brief(message)}`),
  );

/** Decodes a pipeline to bytes, turned as its EXIF says if `orientation` is 'upright'.
 * @type {(pipeline: Pipeline, orientation: string) => Promise<Pixels>} */
async function decode(pipeline, orientation) {
  const upright = orientation === 'upright' ? pipeline.autoOrient() : pipeline;
  const { data, info } = await upright.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

/** Decodes a file as Pillow does, where that differs from sharp. `isInk`: the picture is CMYK, which becomes RGB
 * without its color profile. `frame`: where the first frame of a GIF lies in its picture. `gray`: the gray that is
 * transparent in a PNG. A GIF has no EXIF, so its frame is not turned.
 * @type {(pipeline: Pipeline, orientation: string, file: { isInk: boolean, frame?: GifFrame, gray?: number }) =>
 *   Promise<Pixels>} */
async function decodeFile(pipeline, orientation, { isInk, frame, gray }) {
  const inks = isInk ? pipeline.pipelineColorspace('cmyk').toColorspace('cmyk') : pipeline;
  const picture = await decode(inks, orientation);
  if (frame) return placeFrame(picture, frame);
  if (gray !== undefined && picture.channels === 4) makeTransparent(picture.data, gray);
  return isInk ? { ...picture, data: inkColors(picture.data), channels: 3 } : picture;
}

/** Converts bytes of cyan, magenta, yellow and black to red, green and blue as Pillow's cmyk2rgb, without a color
 * profile. sharp would use the profile. The loop over pixels takes 23 ms a million of them, a fifth of the whole call
 * (measured with libvips decoding on the same core).
 * @type {(inks: Uint8Array) => Uint8Array} */
function inkColors(inks) {
  const pixels = inks.length / 4;
  const colors = new Uint8Array(pixels * 3);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const from = pixel * 4;
    const to = pixel * 3;
    const light = 255 - inks[from + 3];
    for (let ink = 0; ink < 3; ink++) {
      // Pillow's MULDIV255: ink * light / 255, rounded.
      const product = inks[from + ink] * light + 128;
      colors[to + ink] = light - (((product >> 8) + product) >> 8);
    }
  }
  return colors;
}

/** @type {(error: { code?: string }) => never} */
function refuseDecoder(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw args.refusal(new Error('pictures are decoded by sharp, which is not there: npm install sharp'));
}

/** @type {(image: unknown) => image is Pipeline} */
const isPipeline = (image) =>
  typeof (/** @type {Partial<Pipeline> | null | undefined} */ (image)?.toBuffer) === 'function';

/** Reads an image of any form to the bytes of a file or a pipeline of sharp. `name`: how messages call the image.
 * @type {(image: EncodedImage) => Promise<{ name: string, input: Uint8Array | Pipeline }>} */
async function inputOf(image) {
  // Objects of other realms are known by the name of their class, too.
  const className = Object.prototype.toString.call(image).slice(8, -1);
  if (typeof image === 'string' || className === 'URL')
    return {
      name: args.show(String(image)),
      input: await readRegular(/** @type {string | URL} */ (image), maxBytes, 'image'),
    };
  const name = 'image';
  if (isPipeline(image)) return { name, input: image };
  if (className === 'Uint8Array' || className === 'ArrayBuffer') {
    const bytes = /** @type {Uint8Array} */ (image);
    // Also memory that is gone, over which no array can be made.
    if (bytes.byteLength === 0) return { name, input: new Uint8Array() };
    return { name, input: className === 'Uint8Array' ? bytes : new Uint8Array(bytes) };
  }
  if (className === 'Blob' || className === 'File')
    return { name, input: new Uint8Array(await /** @type {Blob} */ (image).arrayBuffer()) };
  return args.typeError(`image must be a path, bytes, a Blob or a pipeline of sharp, got ${args.showClass(image)}`);
}
