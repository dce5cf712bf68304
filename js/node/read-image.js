/** Picture files as pixels, decoded by sharp. */
import * as args from '../arguments/index.js';
import { readRegular } from './path-source.js';

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
  return args.namedAsync('readImage', async () => {
    const { orientation } = args.readOptions(options, ['orientation']);
    const autoOrient = args.readWord('orientation', ['upright', 'ignore'], orientation) !== 'ignore';
    const { default: sharp } = await import(decoder).catch(refuseDecoder);
    const { name, input } = await inputOf(image);
    try {
      const pipeline = isPipeline(input) ? input.clone() : sharp(input, { ignoreIcc: true });
      const isInk = !isPipeline(input) && (await pipeline.metadata()).space === 'cmyk';
      const inks = isInk ? pipeline.pipelineColorspace('cmyk').toColorspace('cmyk') : pipeline;
      const upright = autoOrient ? inks.autoOrient() : inks;
      const { data, info } = await upright.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      return isInk
        ? { data: inkColors(data), width, height, channels: 3 }
        : { data, width, height, channels: info.channels };
    } catch (error) {
      return args.rangeError(`${name} must be a picture that sharp decodes: ${/** @type {Error} */ (error).message}`);
    }
  });
}

/** Pillow's colors of cyan, magenta, yellow and black: without a profile, which sharp would convert by. The loop over
 * pixels takes 23 ms a million of them, a fifth of the whole call (measured with libvips decoding on the same core).
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

/** @type {(error: any) => never} */
function refuseDecoder(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw args.refusal(new Error('pictures are decoded by sharp, which is not there: npm install sharp'));
}

/** @type {(image: any) => boolean} */
const isPipeline = (image) => typeof image?.toBuffer === 'function';

/** @type {(image: any) => Promise<{ name: string, input: any }>} `name`: what messages call it */
async function inputOf(image) {
  const className = Object.prototype.toString.call(image).slice(8, -1);
  if (typeof image === 'string' || className === 'URL')
    return { name: args.show(String(image)), input: await readRegular(image) };
  const name = 'image';
  if (isPipeline(image) || className === 'Uint8Array') return { name, input: image };
  if (className === 'ArrayBuffer') return { name, input: new Uint8Array(image) };
  if (className === 'Blob' || className === 'File') return { name, input: new Uint8Array(await image.arrayBuffer()) };
  return args.typeError(`image must be a path, bytes, a Blob or a pipeline of sharp, got ${args.showClass(image)}`);
}
