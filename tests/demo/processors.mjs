/** The job of the package, shown on one picture: the tensors that Python makes, and the same by transformers.js. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { imageProcessor } from 'onnx-layout/processors';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const configurations = read('configurations.json');
/** The hashes of Python's outputs: golden.py writes them. */
const golden = read('golden.json');

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** @returns {Promise<[outputs: Record<string, Tensor>, ms: number]>} */
async function timed(runs, call) {
  const times = [];
  let outputs;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    outputs = await call();
    times.push(performance.now() - start);
  }
  return [outputs, median(times)];
}

/** transformers.js from the folder of the benchmarks or of the engines; undefined where neither has it. */
async function transformersJs() {
  for (const folder of ['bench', 'engines']) {
    try {
      const { resolve } = createRequire(new URL(`../${folder}/package.json`, import.meta.url));
      return await import(pathToFileURL(resolve('@huggingface/transformers')).href);
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

const sha256 = ({ data }) => createHash('sha256').update(new Uint8Array(data.buffer)).digest('hex');

/** How far another library's tensor is from ours; last bits do not count. */
function difference(ours, theirs) {
  if (`${ours.dims}` !== `${theirs.dims}`) return `dims [${theirs.dims.join(', ')}]`;
  let [count, most] = [0, 0];
  for (const [i, value] of ours.data.entries()) {
    const distance = Math.abs(value - theirs.data[i]);
    if (distance > 1e-5) count++;
    most = Math.max(most, distance);
  }
  return `${((100 * count) / ours.data.length).toFixed(0)} % of the values differ, by up to ${most.toFixed(2)}`;
}

/**
 * Prints what a ViT's and a DETR's configuration make of a picture.
 * @param {string} file
 * @param {{ data: Uint8Array, width: number, height: number, channels: number }} pixels
 */
export async function showProcessors(file, pixels) {
  const other = await transformersJs();
  const picture = other && new other.RawImage(pixels.data, pixels.width, pixels.height, pixels.channels);
  for (const [name, configuration] of Object.entries(configurations)) {
    const processor = imageProcessor(configuration);
    const [outputs, ms] = await timed(15, () => processor(pixels));
    console.log(`${name}'s processor, ${ms.toFixed(1)} ms`);
    const theirs =
      other && (await timed(3, () => new other[configuration.image_processor_type](configuration)(picture)));
    for (const [output, tensor] of Object.entries(outputs)) {
      const isEqual = sha256(tensor) === golden[name][output] ? 'yes' : 'NO';
      const verdict = basename(file) === 'photo.jpg' ? `equal to transformers ${golden.transformers}: ${isEqual}` : '';
      const beside = theirs ? `transformers.js ${other.env.version}: ${difference(tensor, theirs[0][output])}` : '';
      console.log(`  ${output.padEnd(13)} ${tensor.type} [${tensor.dims.join(', ')}]  ${verdict}  ${beside}`.trimEnd());
      if (isEqual === 'NO' && verdict) process.exitCode = 1;
    }
    if (theirs) console.log(`  transformers.js takes ${theirs[1].toFixed(1)} ms`);
  }
}
