/** Checks across many tensors, which cannot be rows of the table. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { dtypes } from '../../js/index.js';
import { elementCount } from '../support/reference.js';
import { permutations } from '../support/samples.js';
import { lists } from '../support/tables.js';
import { bytesOf, randomData, roomFor } from './data.js';
import { audioChecks } from './audio.js';
import { resultOf, ratioOf, ratiosOf } from './contest.js';
import { images } from './images.js';
import { loopsFor } from './loops.js';
import { median, race } from './measure.js';
import { openCvChecks } from './opencv.js';
import { cast, ourCall, transpose, wasmBytes } from './ours.js';
import { pixelChecks } from './pixels.js';
import { postprocessChecks } from './postprocess.js';
import { processorChecks } from './processors.js';
import { resizeChecks } from './resize.js';
import { surgeryChecks } from './surgery.js';
import { transformersChecks } from './transformers.js';
import { weightsChecks } from './weights.js';

/** Our transpose from one memory to another. */
const transposeCall = ({ type, dims, perm }, data, target) =>
  ourCall({ operator: 'Transpose', type, dims, perm }, data, [
    { type, data: target, dims: perm.map((axis) => dims[axis]) },
  ]).run;

/** Nanoseconds a byte, in and out. */
const perByte = (ms, bytes) => (ms * 1e6) / (2 * bytes);

/** The bar for the slowest permutation of a shape, as a multiple of the fastest. */
const sweepBar = 4;

/**
 * Times all permutations of a shape. The slowest must take at most {@link sweepBar} times as long as the fastest that
 * moves the innermost axis. Permutations that leave that axis in place copy whole runs; the fastest of these is
 * reported too.
 */
async function sweep(type, dims, budgetMs) {
  const data = randomData(type, elementCount(dims));
  const [expected, actual] = [roomFor(type, data.length), roomFor(type, data.length)];
  const runs = new Map();
  const figures = [];
  for (const perm of permutations(dims.length).slice(1)) {
    loopsFor({ operator: 'Transpose', type, dims, perm }, data, [expected]).naive();
    const run = transposeCall({ type, dims, perm }, data, actual);
    run();
    if (Buffer.compare(bytesOf(actual), bytesOf(expected)) !== 0)
      throw new Error(`${type} [${dims}] perm [${perm}]: wrong results`);
    runs.set(perm, run);
    const { into } = await race({ into: run }, budgetMs);
    figures.push({ perm, nsPerByte: perByte(into, data.byteLength) });
  }
  const order = () => figures.sort((a, b) => a.nsPerByte - b.nsPerByte);
  const fastest = order().find(({ perm }) => perm.at(-1) !== dims.length - 1);
  // Of a hundred medians of few samples some are far off, so measure what seems too slow again, in turn with the
  // fastest.
  for (const figure of figures.filter(({ nsPerByte }) => nsPerByte > sweepBar * fastest.nsPerByte)) {
    const { fast, slow } = await race({ fast: runs.get(fastest.perm), slow: runs.get(figure.perm) }, 40 * budgetMs);
    figure.nsPerByte = (fastest.nsPerByte * slow) / fast;
  }
  const slowest = order().at(-1);
  const fastestRuns = figures.find(({ perm }) => perm.at(-1) === dims.length - 1);
  const shown = { fastest, slowest, 'fastest of runs': fastestRuns };
  const times = Object.entries(shown).map(([name, { perm, nsPerByte }]) => [`${name}, perm ${perm}`, nsPerByte]);
  return {
    ...resultOf(`all permutations of ${type} [${dims}]`, Object.fromEntries(times), [
      ratioOf('slowest', 'fastest', slowest.nsPerByte / fastest.nsPerByte, sweepBar),
    ]),
    unit: 'ns a byte',
  };
}

async function sweeps({ quick }) {
  const results = [];
  for (const dims of lists('[32, 32, 32, 32], [3, 17, 5, 129, 31]'))
    for (const type of ['uint8', 'float16', 'float32', 'int64']) results.push(await sweep(type, dims, quick ? 2 : 15));
  return results;
}

/** The same work on 64 MB, and with four times the edges on 1 GB. */
const linearCases = [
  { title: 'float32 2-D', type: 'float32', dims: [4096, 4096], perm: [1, 0] },
  { title: 'uint8 2-D', type: 'uint8', dims: [8192, 8192], perm: [1, 0] },
  { title: 'uint8 HWC to CHW', type: 'uint8', dims: [4096, 5461, 3], perm: [2, 0, 1] },
];

/** The time a byte takes on 1 GB must be at most 1.5 times that on 64 MB. */
async function linear({ quick }) {
  const results = [];
  for (const { title, type, dims: small, perm } of linearCases) {
    const times = {};
    for (const [name, edge] of Object.entries({ '64 MB': 1, '1 GB': 4 })) {
      const dims = small.map((extent, axis) => (axis < 2 ? edge * extent : extent));
      const [data, target] = [0, 1].map(() => roomFor(type, elementCount(dims)));
      const { into } = await race({ into: transposeCall({ type, dims, perm }, data, target) }, quick ? 0 : 500);
      times[name] = perByte(into, data.byteLength);
      globalThis.gc?.();
    }
    const bars = { '1 GB': { '64 MB': [1.5] } };
    results.push({ ...resultOf(title, times, ratiosOf(times, bars)), unit: 'ns a byte' });
  }
  return results;
}

/** The bar for the slowest of all pairs of number types, as a multiple of memcpy's time, and how many are shown. */
const [castBar, shownCasts] = [10, 8];

/** Times every cast between number types, of 16M values. */
async function casts({ quick }) {
  const size = 2 ** 24;
  const numeric = Object.values(dtypes)
    .filter(({ format }) => format.kind !== 'string' && format.kind !== 'complex')
    .map(({ name }) => name);
  const sources = new Map(numeric.map((name) => [name, randomData(name, size)]));
  const targets = new Map(numeric.map((name) => [name, roomFor(name, size)]));
  const [copySource, copyTarget] = [roomFor('uint8', 8 * size), roomFor('uint8', 8 * size)];
  const measure = async (from, to, budgetMs) => {
    const x = { type: from, data: sources.get(from), dims: [size] };
    const options = { out: { type: to, data: targets.get(to), dims: [size] } };
    const bytes = (x.data.byteLength + options.out.data.byteLength) / 2;
    const [part, room] = [copySource.subarray(0, bytes), copyTarget.subarray(0, bytes)];
    const { memcpy, into } = await race(
      { memcpy: () => room.set(part), into: () => cast(x, to, options) },
      quick ? 0 : budgetMs,
    );
    return ratioOf(`${from} to ${to}`, 'memcpy', into / memcpy, castBar);
  };
  const figures = [];
  for (const from of numeric)
    for (const to of numeric) {
      if (from === to) continue;
      const first = await measure(from, to, 30);
      // This is a median of three samples; of 506 some are far off, so measure what seems too slow again.
      figures.push(first.pass ? first : await measure(from, to, 1000));
    }
  figures.sort((a, b) => b.ratio - a.ratio);
  const middle = ratioOf('the median', 'memcpy', median(figures.map(({ ratio }) => ratio)));
  const title = `all ${figures.length} casts between number types, the slowest`;
  return resultOf(title, {}, [...figures.slice(0, shownCasts), middle]);
}

/** The size of the wasm memory after a large tensor passed through it. */
function memory() {
  transpose({ type: 'uint8', data: new Uint8Array(2 ** 26), dims: [2 ** 13, 2 ** 13] });
  return resultOf('wasm memory', {}, [ratioOf('wasm memory', '24 MiB', wasmBytes() / (24 * 2 ** 20), 1)]);
}

/** Transposes 3 GB in a process of its own and measures the memory of that process. */
function large() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '3gb.js')], {
    encoding: 'utf8',
  });
  if (status === null || stdout === '') throw new Error(`3gb.js: ${stderr}`);
  const { ms, peak, most } = JSON.parse(stdout);
  const memory = ratioOf('peak memory', `${(most / 1e9).toFixed(2)} GB`, peak / most, 1);
  return resultOf('transpose of 3 GB of uint8', { ours: ms }, [memory]);
}

/** The checks by the name that `--only` takes. Each gets the options of the command. */
export const checks = {
  sweep: sweeps,
  linear,
  casts,
  images,
  memory,
  '3gb': large,
  ...resizeChecks,
  ...audioChecks,
  ...openCvChecks,
  ...surgeryChecks,
  ...postprocessChecks,
  ...processorChecks,
  ...transformersChecks,
  ...pixelChecks,
  ...weightsChecks,
};
