/** Makes a model's tensors of an input of a data set, in the caller's thread or another. */
import { init } from '../../engines/images/index.js';
import { imageProcessor } from '../../processors/index.js';
import { readRegular, openRegular } from '../path-source.js';
import { readImage } from '../read-image.js';

/** @import { CallOptions, Outputs } from '../../processors/types.js' */
/** @import { SystemError } from '../paths.js' */
/** @import { Run } from '../types.js' */
/** @import { Input, InputProcessing } from './types.js' */

/** @typedef {{ outputsOf: (bytes: Uint8Array) => Outputs | Promise<Outputs>, makeSamples: () => Outputs[] }} Maker
 *   `outputsOf` takes the bytes of a file; `makeSamples`: the outputs of made-up inputs of several sizes */

/** As many as Node and sharp take. */
const maxFileBytes = 2 ** 31 - 1;

/** Makes a function that makes the outputs of a list of one input. The first call loads what that needs. `isSystem`:
 * the error is one of the system, which may come right later, and not the input's.
 * @type {(processing: InputProcessing) => Run<Input>} */
export function inputProcessor(processing) {
  /** @type {Promise<Maker> | undefined} */
  let maker;
  return async ([input]) => {
    const { key } = input;
    try {
      maker ??= makerOf(processing);
      const { outputsOf } = await maker;
      const outputs = await outputsOf(await readInput(input));
      return { paths: [key], outputs, failed: [] };
    } catch (cause) {
      const { message, syscall } = /** @type {SystemError} */ (cause);
      // Without the name of the function that threw, such as "readImage: ".
      const error = new RangeError(message.replace(/^[a-z]+[A-Z]\w*: /, ''));
      return { paths: [], outputs: undefined, failed: [{ path: key, error }], isSystem: syscall !== undefined };
    }
  };
}

/** Reads the bytes of an input: a whole file, or a member of an archive, which has a `length`.
 * @type {(input: Input) => Promise<Uint8Array>} */
async function readInput({ path, start = 0, length }) {
  const isMember = length !== undefined;
  if (!isMember) return readRegular(path, maxFileBytes);
  const source = await openRegular(path);
  try {
    return await source.slice(start, start + length);
  } finally {
    await source.close();
  }
}

/** Makes what turns inputs to outputs: a feature extractor for audio, or else an image processor.
 * @type {(processing: InputProcessing) => Promise<Maker>} */
export const makerOf = (processing) =>
  processing.kind === 'audio' ? audioMaker(processing) : pictureMaker(processing);

/** [width, height] of made-up pictures. Their outputs have different dims if a class keeps the aspect ratio, pads, or
 * counts tiles, so they tell which dims of outputs are fixed. */
const sampleSizes = [
  [640, 480],
  [480, 640],
  [1200, 600],
  [448, 448],
];

/** Makes the image processor of a data set, and black pictures as its samples.
 * @type {(processing: InputProcessing) => Promise<Maker>} */
async function pictureMaker({ config, settings, orientation, maxPixels, className, backend, dtype, maxBytes }) {
  await init();
  const processor = imageProcessor(config, { className, backend, dtype, maxBytes });
  return {
    outputsOf: async (bytes) =>
      processor([await readImage(bytes, { orientation, maxPixels })], /** @type {CallOptions} */ (settings)),
    makeSamples: () =>
      sampleSizes.map(([width, height]) => {
        const data = new Uint8Array(width * height * 3);
        return processor([{ width, height, channels: 3, data }], /** @type {CallOptions} */ (settings));
      }),
  };
}

/** Seconds of made-up audio, whose outputs have different dims if a class neither pads nor cuts audio. */
const sampleSeconds = [1, 2.3, 40];

/** Makes the feature extractor of a data set, and silence as its samples.
 * @type {(processing: InputProcessing) => Promise<Maker>} */
async function audioMaker({ config, settings, className, dtype, maxBytes, mono }) {
  // Loaded here, because most data sets have no audio.
  const audio = await import('../../audio/index.js');
  await audio.init();
  const extract = audio.featureExtractor(config, { className, maxBytes });
  // CLAP cuts long audio at random places, but the same input shall give the same bytes: all three parts begin at 0.
  const places = extract.className.startsWith('Clap') ? { offsets: [0, 0, 0] } : {};
  const call = { ...places, dtype, ...settings };
  return {
    outputsOf: (bytes) => {
      const decoded = audio.decodeWav(bytes);
      return extract(mono ? audio.toMono(decoded) : decoded, call);
    },
    makeSamples: () =>
      sampleSeconds.map((seconds) => extract(new Float32Array(Math.round(seconds * extract.sampling_rate)), call)),
  };
}
