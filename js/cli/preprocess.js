/** The command `preprocess`: pictures and a `preprocessor_config.json` in, what a model takes out. */
import { readFileSync } from 'node:fs';
import { readNpy } from '../io/index.js';
import { readImage } from '../node/index.js';
import { described, inputFiles, isNpy, readBytes, writeFiles } from './files.js';
import { choice, path, text } from './options.js';
import { progress } from './terminal.js';

/** @import { Command, Pixels, Streams } from './types.js' */

/** @type {Command} */
export const preprocess = {
  form: 'IMAGE… OUT',
  summary: "make of pictures what a model takes, with Python's own numbers",
  notes:
    'An IMAGE is a picture that sharp decodes (npm install sharp), or .npy: uint8 [H, W, C] with 1 to 4 channels,\n' +
    'or uint8 [H, W]. Several become one batch. OUT.safetensors has all outputs by name; OUT.npy has pixel_values,\n' +
    'and OUT.pixel_mask.npy and so on what else there is. --json says what was done.',
  examples: [
    'preprocess photo.jpg pixels.npy --config preprocessor_config.json',
    'preprocess a.png b.png batch.safetensors --config preprocessor_config.json --backend pil --dtype float16',
  ],
  options: {
    config: path('the preprocessor_config.json of the model'),
    backend: text('torchvision|pil', 'the fast processor, if omitted, or the slow one'),
    dtype: text('float32|float16|bfloat16', 'what floats become'),
    'class-name': text('NAME', 'the class, where it is not that of the configuration'),
    trimap: { ...path('one for each IMAGE'), multiple: true },
    orientation: choice('upright|ignore', 'whether pictures are turned as their EXIF says'),
  },
  required: ['config'],
  shared: ['as', 'force'],
  extensions: ['.npy', '.safetensors'],
  async work(streams, call) {
    const { inputs, options } = call;
    const { config, backend, dtype, className, orientation = 'upright', trimap = [] } = options;
    // Loaded here, so that the other commands start without these files.
    const { imageProcessor } = await import('../processors/index.js');
    const processor = imageProcessor(readFileSync(config, 'utf8'), { backend, className });
    /** @type {Pixels[]} */
    const pixels = [];
    for (const file of [...inputs, ...trimap]) pixels.push(await readPixels(streams, file, orientation));
    const size = pixels.reduce((sum, { data }) => sum + data.length, 0);
    progress(streams, 'preprocess', size);
    /** @type {object[][]} */
    const steps = inputs.map(() => []);
    const outputs = processor(pixels.slice(0, inputs.length), {
      dtype,
      trimaps: trimap.length > 0 ? pixels.slice(inputs.length) : undefined,
      onStep: ({ image, pixels: _, ...step }) => steps[image].push(step),
    });
    const tensors = Object.entries(outputs);
    const report = {
      files: await writeFiles(streams, inputFiles(call, tensors, outputs.pixel_values)),
      className: processor.className,
      backend: backend ?? 'torchvision',
      ignored: processor.ignored,
      images: inputs.map((file, i) => ({
        ...{ file, width: pixels[i].width, height: pixels[i].height, steps: steps[i] },
      })),
      outputs: described(tensors),
    };
    return { report };
  },
};

/** .npy files hold uint8 [H, W] or [H, W, C]; readImage decodes any other file.
 * @type {(streams: Streams, file: string, orientation: 'upright' | 'ignore') => Promise<Pixels>} */
async function readPixels(streams, file, orientation) {
  const bytes = await readBytes(streams, file);
  if (!isNpy(bytes))
    return readImage(bytes, { orientation }).catch((/** @type {Error} */ { message }) => {
      throw new Error(`${file}: ${message}`);
    });
  const { type, dims, data } = readNpy(bytes);
  if (type !== 'uint8' || (dims.length !== 2 && dims.length !== 3))
    throw new TypeError(`preprocess: ${file} must be uint8 [H, W] or [H, W, C], got ${type} [${dims.join(', ')}]`);
  const [height, width, channels = 1] = dims;
  return { data: /** @type {Uint8Array} */ (data), width, height, channels };
}
