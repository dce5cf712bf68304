/** The command `preprocess`: pictures and a `preprocessor_config.json` in, what a model takes out. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { readNpy, writeNpy, writeSafetensors } from '../io/index.js';
import { readImage } from '../node/index.js';
import { isNpy, readBytes, writeFiles } from './files.js';
import { checkOut, flag, text, UsageError } from './options.js';
import { clearProgress, progress } from './terminal.js';

/** @import { Tensor } from '../index.js' */
/** @import { Pixels, SpecialCommand, Streams } from './types.js' */

const orientations = /** @type {const} */ (['upright', 'ignore']);

/** @type {SpecialCommand} */
export const preprocess = {
  help: [
    'IMAGE… OUT --config FILE',
    '[--backend torchvision|pil] [--dtype float32|float16|bfloat16]',
    '[--processor NAME] [--trimap FILE]… [--orientation upright|ignore]',
  ],
  options: {
    config: text,
    backend: text,
    processor: text,
    orientation: text,
    trimap: { type: 'string', multiple: true },
    force: flag,
  },
  read(values, files) {
    const { config, backend, dtype, processor: name, orientation = 'upright', trimap = [], json } = values;
    const images = files.slice(0, -1);
    const out = files.at(-1) ?? '';
    if (images.length === 0) throw new UsageError(`preprocess takes pictures and OUT, got ${files.length}`);
    if (config === undefined) throw new UsageError('preprocess needs --config');
    if (!orientations.includes(orientation))
      throw new UsageError(`--orientation must be upright or ignore, got ${orientation}`);
    if (!['.npy', '.safetensors'].includes(out === '-' ? '.npy' : extname(out)))
      throw new UsageError(`OUT must be .npy, .safetensors or -, got ${out}`);
    checkOut(out, [...images, ...trimap, config], values.force, 'an input');
    if (json && out === '-') throw new UsageError('--json and the tensor cannot both go to standard output');
    return async (streams) => {
      // Loaded here, so that the other commands start without these files.
      const { imageProcessor } = await import('../processors/index.js');
      const processor = imageProcessor(readFileSync(config, 'utf8'), { backend, className: name });
      /** @type {Pixels[]} */
      const pixels = [];
      for (const path of [...images, ...trimap]) pixels.push(await readPixels(streams, path, orientation));
      const size = pixels.reduce((sum, { data }) => sum + data.length, 0);
      progress(streams, 'preprocess', size);
      /** @type {object[][]} */
      const steps = images.map(() => []);
      const outputs = processor(pixels.slice(0, images.length), {
        dtype: /** @type {any} */ (dtype),
        trimaps: trimap.length > 0 ? pixels.slice(images.length) : undefined,
        onStep: ({ image, pixels: _, ...step }) => steps[image].push(step),
      });
      const written = filesOf(out, outputs);
      await writeFiles(streams, written);
      clearProgress(streams);
      if (!json) return { printed: '' };
      const done = {
        files: written.map(([path]) => path),
        processor: processor.className,
        backend: backend ?? 'torchvision',
        ignored: processor.ignored,
        images: images.map((file, i) => ({ file, ...sizeOf(pixels[i]), steps: steps[i] })),
        outputs: Object.entries(outputs).map(([output, tensor]) => ({
          name: output,
          type: tensor.type,
          dims: tensor.dims,
        })),
      };
      return { printed: `${JSON.stringify(done, undefined, 2)}\n` };
    };
  },
};

/** @type {(pixels: Pixels) => { width: number, height: number }} */
const sizeOf = ({ width, height }) => ({ width, height });

/**
 * The files of a processor's outputs: all by name in one .safetensors file; or `pixel_values` in a .npy file and each
 * other output in one beside it. Standard output has `pixel_values` alone.
 * @type {(out: string, outputs: Record<string, Tensor>) => [path: string, bytes: Uint8Array][]}
 */
function filesOf(out, outputs) {
  if (extname(out) === '.safetensors') return [[out, writeSafetensors(new Map(Object.entries(outputs)))]];
  if (out === '-') return [[out, writeNpy(outputs.pixel_values)]];
  const stem = join(dirname(out), basename(out, '.npy'));
  return Object.entries(outputs).map(([name, tensor]) => [
    name === 'pixel_values' ? out : `${stem}.${name}.npy`,
    writeNpy(tensor),
  ]);
}

/**
 * .npy files hold uint8 [H, W] or [H, W, C]; readImage decodes any other file.
 * @type {(streams: Streams, path: string, orientation: 'upright' | 'ignore') => Promise<Pixels>}
 */
async function readPixels(streams, path, orientation) {
  const bytes = await readBytes(streams, path);
  if (!isNpy(bytes))
    return readImage(bytes, { orientation }).catch((/** @type {Error} */ { message }) => {
      throw new Error(`${path}: ${message}`);
    });
  const { type, dims, data } = readNpy(bytes);
  if (type !== 'uint8' || (dims.length !== 2 && dims.length !== 3))
    throw new TypeError(`preprocess: ${path} must be uint8 [H, W] or [H, W, C], got ${type} [${dims.join(', ')}]`);
  const [height, width, channels = 1] = dims;
  return { data: /** @type {Uint8Array} */ (data), width, height, channels };
}
