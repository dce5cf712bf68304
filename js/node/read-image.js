/** Picture files as pixels, decoded by sharp. */
import {
  namedAsync,
  rangeError,
  readOptions,
  readWord,
  refusal,
  show,
  showClass,
  typeError,
} from '../arguments/index.js';
import { openRegular } from './path-source.js';

/** @import { EncodedImage } from './types.js' */

/** A peer that may be missing. As a variable, so that neither tsc nor a bundler looks for it. @type {string} */
const decoder = 'sharp';

/**
 * Decodes a picture with `sharp`, which has to be installed beside this package: `npm install sharp`. The pixels are
 * Pillow's: colors are neither converted by a profile nor multiplied by alpha. It is what `decode` of
 * {@link imageToTensorAsync} and {@link imageProcessorAsync} takes in Node.
 * @param {EncodedImage} image a path, the bytes of a file, a Blob, or a pipeline of sharp, whose steps stay
 * @param {{ orientation?: 'upright' | 'ignore' }} [options] `orientation`: 'upright' (if omitted) turns a picture as
 *   its EXIF says, 'ignore' takes the pixels as the file stores them, as PIL.Image.open does
 * @returns {Promise<{ data: Uint8Array, width: number, height: number, channels: number }>} bytes of red,
 *   green, blue and alpha, if there is any; of a pipeline the channels that it gives
 * @example
 * const { width, height, channels } = await readImage('tests/demo/photo.jpg');
 * [width, height, channels]; // [1920, 1080, 3]
 * const { dims } = await imageToTensorAsync('tests/demo/photo.jpg', { decode: readImage, width: 224, height: 224 });
 * dims; // [1, 3, 224, 224]
 */
export async function readImage(image, options) {
  return namedAsync('readImage', async () => {
    const { orientation } = readOptions(options, ['orientation']);
    const autoOrient = readWord('orientation', ['upright', 'ignore'], orientation) !== 'ignore';
    const { default: sharp } = await import(decoder).catch(refuseDecoder);
    const { name, input } = await inputOf(image);
    try {
      const pipeline = isPipeline(input) ? input.clone() : sharp(input, { ignoreIcc: true });
      const upright = autoOrient ? pipeline.autoOrient() : pipeline;
      const { data, info } = await upright.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
      return { data, width: info.width, height: info.height, channels: info.channels };
    } catch (error) {
      return rangeError(`${name} must be a picture that sharp decodes: ${/** @type {Error} */ (error).message}`);
    }
  });
}

/** @type {(error: any) => never} */
function refuseDecoder(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw refusal(new Error('pictures are decoded by sharp, which is not there: npm install sharp'));
}

/** @type {(image: any) => boolean} */
const isPipeline = (image) => typeof image?.toBuffer === 'function';

/** @type {(image: any) => Promise<{ name: string, input: any }>} `name`: what messages call it */
async function inputOf(image) {
  const className = Object.prototype.toString.call(image).slice(8, -1);
  if (typeof image === 'string' || className === 'URL') {
    const file = await openRegular(image);
    try {
      return { name: show(String(image)), input: await file.slice(0, file.byteLength) };
    } finally {
      await file.close();
    }
  }
  const name = 'image';
  if (isPipeline(image) || className === 'Uint8Array') return { name, input: image };
  if (className === 'ArrayBuffer') return { name, input: new Uint8Array(image) };
  if (className === 'Blob' || className === 'File') return { name, input: new Uint8Array(await image.arrayBuffer()) };
  return typeError(`image must be a path, bytes, a Blob or a pipeline of sharp, got ${showClass(image)}`);
}
