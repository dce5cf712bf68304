/** The command `preprocess`: pictures and a `preprocessor_config.json` in, what a model takes out. */
import { readImage } from '../../node/index.js';
import { described, inputFiles, ofFile, readBytes, readConfig, writeFiles } from '../files.js';
import { expand } from '../globs.js';
import { integer, path, text, UsageError, word } from '../options.js';
import { canStream, NotJoined, preprocessMany } from './preprocess-files.js';
import { progress } from '../terminal.js';
import { checkOut } from '../usage.js';

/** @import { Call, Command, ImageProcessor, Outcome, Pixels, Streams } from '../types.js' */

/** @type {Command} */
export const preprocess = {
  form: 'IMAGE… OUT',
  summary: "make of pictures what a model takes, with Python's own numbers",
  notes:
    'An IMAGE is a picture that sharp decodes (npm install sharp), or .npy: uint8 [H, W, C] with 1 to 4 channels,\n' +
    'or uint8 [H, W]. A quoted pattern stands for the files it matches, a folder for the pictures in it and below.\n' +
    'Several become one batch, in threads where that gives the same; with --jobs or --batch, batches of any number,\n' +
    'joined along the first axis.\n' +
    'OUT.safetensors has all outputs by name; OUT.npy has pixel_values, and OUT.pixel_mask.npy and so on what else\n' +
    'there is. --json says what was done.',
  examples: [
    'preprocess photo.jpg pixels.npy --config preprocessor_config.json',
    'preprocess a.png b.png batch.safetensors --config preprocessor_config.json --backend pil --dtype float16',
    "preprocess 'photos/**/*.jpg' pixels.npy --config preprocessor_config.json --jobs 8",
  ],
  options: {
    jobs: integer('N', 'work in so many threads, with bounded memory; as many as cores if omitted'),
    batch: integer('N', 'pictures of each batch; 1 if --jobs is given alone, all if both are omitted'),
    config: path('the preprocessor_config.json of the model, or the folder that has it'),
    backend: word(['torchvision', 'pil'], 'the fast processor, if omitted, or the slow one'),
    dtype: word(['float32', 'float16', 'bfloat16'], 'what floats become'),
    'class-name': text('NAME', 'the class, where it is not that of the configuration'),
    trimap: { ...path('one for each IMAGE'), multiple: true },
    'on-error': word(['throw', 'skip'], 'of several pictures: skip leaves out those that fail, and ends with status 3'),
    orientation: word(['upright', 'ignore'], 'whether pictures are turned as their EXIF says'),
    'max-pixels': integer('N', 'of an IMAGE; 178956970 if omitted'),
    'max-bytes': integer('N', 'what an IMAGE becomes; 1 GiB if omitted'),
  },
  required: ['config'],
  shared: ['as', 'force'],
  extensions: ['.npy', '.safetensors'],
  hasPictures: true,
  /** Preprocesses pictures in threads if the result is that of one batch, or batches were asked for; otherwise, or if
   * their outputs turn out not to join, all in memory as one batch. */
  async work(streams, call) {
    const { config, backend, className, maxBytes, jobs, batch } = call.options;
    // Loaded here, so that the other commands start without these files.
    const { imageProcessor } = await import('../../processors/index.js');
    const settings = await readConfig(config);
    const processor = imageProcessor(settings, { backend, className, maxBytes });
    const inputs = expand(call.inputs);
    checkOut(call, preprocess, inputs);
    const about = { className: processor.className, backend: processor.backend, ignored: processor.ignored };
    const asksForBatches = jobs !== undefined || batch !== undefined;
    if (asksForBatches || canStream(call, inputs, processor))
      try {
        return await preprocessMany(streams, call, inputs, { settings, about });
      } catch (error) {
        if (!(error instanceof NotJoined)) throw error;
      }
    return preprocessBatch(streams, call, inputs, { processor, about });
  },
};

/** Preprocesses pictures in memory, as one batch, and writes the outputs to OUT. `about`: what the report says of the
 * processor.
 * @type {(streams: Streams, call: Call, inputs: string[], processing: { processor: ImageProcessor, about: object }) =>
 *   Promise<Outcome>} */
async function preprocessBatch(streams, call, inputs, { processor, about }) {
  const { dtype, orientation, maxPixels, trimap = [], onError } = call.options;
  // One batch has all pictures or fails.
  if (onError) throw new UsageError('--on-error is for pictures whose outputs have the same dims, or --jobs');
  /** @type {Pixels[]} */
  const pixels = [];
  for (const file of [...inputs, ...trimap]) pixels.push(await readPixels(streams, file, { orientation, maxPixels }));
  const pictures = pixels.slice(0, inputs.length);
  const trimaps = pixels.slice(inputs.length);
  const byteCount = pixels.reduce((sum, { data }) => sum + data.length, 0);
  progress(streams, 'preprocess', byteCount);
  /** @type {object[][]} */
  const steps = inputs.map(() => []);
  const outputs = processor(pictures, {
    dtype,
    trimaps: trimaps.length > 0 ? trimaps : undefined,
    onStep: ({ image, pixels: _, ...step }) => void steps[image].push(step),
  });
  const tensors = Object.entries(outputs);
  const report = {
    files: await writeFiles(streams, inputFiles(call, tensors, outputs.pixel_values)),
    ...about,
    images: pictures.map(({ width, height }, i) => ({ file: inputs[i], width, height, steps: steps[i] })),
    failed: [],
    outputs: described(tensors),
  };
  return { report };
}

/** Decodes the picture of a file, or of standard input for -.
 * @type {(streams: Streams, file: string, reading: { orientation?: 'upright' | 'ignore', maxPixels?: number }) =>
 *   Promise<Pixels>} */
async function readPixels(streams, file, reading) {
  const bytes = await readBytes(streams, file);
  return ofFile(file, () => readImage(bytes, reading));
}
