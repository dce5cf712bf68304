/** The job of the package, shown on one picture: the tensors that Python makes, and the same by transformers.js. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { imageProcessor } from 'onnx-layout/processors';
import { recorded, transformersJs } from './transformers-js.mjs';

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
    const isPhoto = basename(file) === 'photo.jpg';
    const live = other && (await timed(3, () => new other[configuration.image_processor_type](configuration)(picture)));
    const known = isPhoto ? recorded(name, configuration) : undefined;
    const theirs = live?.[0] ?? known?.outputs;
    const version = live ? other.env.version : `${known?.version}, recorded`;
    for (const [output, tensor] of Object.entries(outputs)) {
      const isEqual = sha256(tensor) === golden[name][output] ? 'yes' : 'NO';
      const verdict = isPhoto ? `equal to transformers ${golden.transformers}: ${isEqual}` : '';
      const beside = theirs?.[output] ? `transformers.js ${version}: ${difference(tensor, theirs[output])}` : '';
      console.log(`  ${output.padEnd(13)} ${tensor.type} [${tensor.dims.join(', ')}]  ${verdict}  ${beside}`.trimEnd());
      if (isEqual === 'NO' && verdict) process.exitCode = 1;
    }
    if (live) console.log(`  transformers.js takes ${live[1].toFixed(1)} ms`);
  }
}
