/**
 * Files of every format that the package reads, and mutations of them: flipped bits, numbers at their ends, cut,
 * repeated and spliced parts. Each must give a result or one of our errors, in little CPU time and memory.
 */
import {
  convertModel,
  convertModelAsync,
  dequantizeWeights,
  quantizeWeights,
  quantizeWeightsAsync,
} from 'onnx-layout/convert';
import * as io from 'onnx-layout/io';
import { init, Tensor } from 'onnx-layout';
import { goldenJson } from '../support/goldens.js';
import { below, generator } from '../support/samples.js';

const bytesOf = (text) => new Uint8Array(Buffer.from(text));
const floats = Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
const named = new Map([
  ['a', floats],
  ['b', Tensor.from('bfloat16', [1, 2])],
]);
const replaced = (bytes, from, to) =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'));
const npy = io.writeNpy(floats);

/** Reads some of each entry. */
async function readAll(entries) {
  for (const entry of entries.values()) if (entry.byteLength < 1e6) await entry.read();
}

const opened = async (bytes) => readAll(await io.openSafetensors(bytes, { shard: () => io.writeSafetensors(named) }));
const external = ({ length }) => new Uint8Array(Math.min(length, 100));
const outside = () => new Uint8Array(100);

/** By format: the files, and the calls that read them. */
const formats = {
  npy: {
    files: () => [
      ...[npy, replaced(npy, '<f4', '>f4'), replaced(npy, '<f4', '=f4'), replaced(npy, 'False', 'True ')],
      ...[
        io.writeNpy(Tensor.from('string', ['a', 'ßx'], [2])),
        replaced(npy, '<f4', '|S4'),
        replaced(npy, '<f4', '>U1'),
      ],
    ],
    calls: [(bytes) => io.readNpy(bytes), async (bytes) => (await io.openNpy(bytes)).read()],
  },
  safetensors: {
    files: () => [io.writeSafetensors(named, { metadata: new Map([['format', 'pt']]) })],
    calls: [(bytes) => io.readSafetensors(bytes), opened],
  },
  index: {
    files: () => [
      bytesOf(JSON.stringify({ metadata: { total_size: 28 }, weight_map: { a: 'x', b: './x', c: 'y/z' } })),
    ],
    calls: [opened],
  },
  onnx: {
    files: () =>
      goldenJson('quantize/subgraphs.json')
        .slice(0, 6)
        .map(({ model }) => new Uint8Array(Buffer.from(model, 'base64'))),
    calls: [
      async (bytes) => readAll((await io.openModel(bytes, { external: outside })).constants),
      (bytes) => io.readModel(bytes, { external }),
      (bytes) => io.runModel(io.readModel(bytes, { external }), {}),
      (bytes) => dequantizeWeights(quantizeWeights(bytes, { external, ops: ['MatMul', 'Gather'] }).model),
      async (bytes) => quantizeWeightsAsync(bytes, { external: outside, form: 'qdq' }),
      (bytes) => convertModel(bytes, { external, dtype: 'q4f16' }),
      async (bytes) => convertModelAsync(bytes, { external: outside, dtype: 'q8' }),
    ],
  },
};

const ends = [0, 1, 0x7f, 0x80, 0xff];

/** One mutation of a file, or a few. */
function mutated(file, other, random) {
  let bytes = Buffer.from(file);
  for (let steps = below(random, 4) === 0 ? 3 : 1; steps > 0; steps--) {
    const at = below(random, bytes.length + 1);
    const to = Math.min(bytes.length, at + below(random, 12));
    const put = (...parts) => Buffer.concat([bytes.subarray(0, at), ...parts]);
    switch (below(random, 6)) {
      case 0:
        if (at < bytes.length) bytes[at] ^= 1 << below(random, 8);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = ends[below(random, ends.length)];
        break;
      case 2:
        bytes = put(bytes.subarray(to));
        break;
      case 3:
        bytes = put(bytes.subarray(at, to), bytes.subarray(at, to), bytes.subarray(to));
        break;
      case 4:
        bytes = put(other.subarray(below(random, other.length)));
        break;
      default:
        bytes = put(Buffer.alloc(below(random, 9), 0xff), bytes.subarray(to));
    }
  }
  return new Uint8Array(bytes);
}

/** Milliseconds of CPU time: the machine may be busy with others. */
const clock = () => process.cpuUsage().user / 1000;
/** The slowest file may take so long, and hold so many bytes of new memory. */
const [mostTime, mostBytes] = [1000, 2 ** 28];

const isOurs = ({ constructor, message }) =>
  (constructor === RangeError || constructor === TypeError) &&
  /^[A-Z]?\w+(\.\w+)?(-\d+)?: /i.test(message) &&
  message.length < 1000;

/** Tries `count` mutations of the files of each format.
 * @type {(count: number, seed: number) => Promise<{ tried: number, read: number, faults: string[] }>} */
export async function tryFiles(count, seed) {
  await init();
  const random = generator(seed);
  const outcome = { tried: 0, read: 0, faults: /** @type {string[]} */ ([]) };
  for (const [name, { files, calls }] of Object.entries(formats)) {
    const list = files();
    for (let i = 0; i < count; i++) {
      const bytes = mutated(list[below(random, list.length)], list[below(random, list.length)], random);
      const call = calls[i % calls.length];
      const [start, held] = [clock(), process.memoryUsage().arrayBuffers];
      const fault = (/** @type {string} */ what) =>
        void outcome.faults.push(`${name} ${Buffer.from(bytes).toString('base64')}: ${what}`);
      outcome.tried++;
      try {
        await call(bytes);
        outcome.read++;
      } catch (error) {
        if (!isOurs(/** @type {Error} */ (error))) fault(/** @type {Error} */ (error).stack ?? String(error));
      }
      if (clock() - start > mostTime) fault(`${Math.round(clock() - start)} ms`);
      if (process.memoryUsage().arrayBuffers - held > mostBytes) fault('memory');
    }
  }
  return outcome;
}
