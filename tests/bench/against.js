/**
 * Times this build beside another checkout's, in one process and call by call: `npm run bench -- --against FOLDER`. A
 * ratio is the time of this build divided by that of the other, the median over pairs of neighbors. Times of calls on
 * 12 elements differ by up to a tenth between processes, so that `--processes 7` repeats all in processes of their own
 * and reports the median of their ratios.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { elementCount } from '../support/reference.js';
import { outOf, randomData } from './data.js';
import { median } from './measure.js';
import { ourCall } from './ours.js';
import { pictureOf } from './photo.js';
import { processorWorkloads } from './processors-workloads.js';
import { processorCall } from './processors.js';
import { pixelValuesWorkloads, resizeWorkloads } from './resize-workloads.js';
import { pixelValuesCall, resizeCall } from './resize.js';
import { packedWorkloads, surgeryWorkloads } from './surgery-workloads.js';
import { taskOf } from './surgery.js';
import { outputDims, outputType, workloads } from './workloads.js';

/**
 * The factor by which a workload may be slower than before. Calls on 12 elements vary more between two equal builds.
 */
const most = 1.05;
const mostTiny = 1.1;

/** A row of the table: a call of a build that writes to memory which both builds use. */
function tableCase(workload) {
  const { type, dims, to } = workload;
  const data = randomData(type, elementCount(dims), to);
  const outs = outputDims(workload).map((extents) => outOf([outputType(workload), extents]));
  return ({ tensors }) => ourCall(workload, data, outs, tensors).run;
}

/** A case of pictures: our call on one, by a door of a build. */
const pictureCase = (callOf, door, backend) => (workload) => {
  const picture = pictureOf(workload.channels ?? 3, workload.from);
  return (build) => callOf(workload, picture, backend, build[door]);
};

const float32 = (dims) => ({ type: 'float32', dims, data: Float32Array.from({ length: 12 }, (_, i) => i) });
const x = float32([3, 4]);
const y = float32([3, 4]);
const wide = float32([1, 3, 1, 4]);
const scale = { type: 'float32', dims: [], data: Float32Array.of(0.5) };
const zero = { type: 'uint8', dims: [], data: Uint8Array.of(3) };
const indices = { type: 'int64', dims: [2], data: BigInt64Array.of(0n, 2n) };
const perm = { perm: [1, 0] };
const perm13 = { perm: [1, 0], opset: 13 };
const axis = { axis: 0 };

/** Calls on 12 elements, where the package's own code takes all the time. */
const tinyCalls = Object.entries({
  'transpose, perm': (t) => () => t.transpose(x, perm),
  transpose: (t) => () => t.transpose(x),
  'transpose, opset 13': (t) => () => t.transpose(x, perm13),
  slice: (t) => () => t.slice(x, [1], [3], [1]),
  'concat of two': (t) => () => t.concat([x, y], axis),
  'squeeze, axes': (t) => () => t.squeeze(wide, [0, 2]),
  'cast to float16': (t) => () => t.cast(x, 'float16'),
  'gather, list': (t) => () => t.gather(x, [0, 2]),
  'gather, int64': (t) => () => t.gather(x, indices, axis),
  'reshape, list with -1': (t) => () => t.reshape(x, [2, -1]),
  'split in two': (t) => () => t.split(x, [1, 2]),
  flatten: (t) => () => t.flatten(x),
  unsqueeze: (t) => () => t.unsqueeze(x, [0, -1]),
  quantizeLinear: (t) => () => t.quantizeLinear(x, scale, zero),
  pad: (t) => () => t.pad(x, [0, 1, 0, 1]),
}).map(([name, call]) => ({ name, call }));

/** Cases by the names of their workloads. */
const casesOf = (prefix, list, caseOf, suffix = '') =>
  Object.fromEntries(list.map((workload) => [`${prefix} ${workload.name}${suffix}`, () => caseOf(workload)]));

const casesOfBackend = (backend) => {
  const resizes = resizeWorkloads.filter(({ bars }) => bars[backend] !== undefined);
  return {
    ...casesOf('resize', resizes, pictureCase(resizeCall, 'images', backend), ` ${backend}`),
    ...casesOf('pixels', pixelValuesWorkloads, pictureCase(pixelValuesCall, 'images', backend), ` ${backend}`),
    ...casesOf('processors', processorWorkloads, pictureCase(processorCall, 'processors', backend), ` ${backend}`),
  };
};

function surgeryCase(workload) {
  const { callOf } = taskOf(workload);
  return ({ tensors }) => callOf(tensors);
}

function tinyCase({ call }) {
  return ({ tensors }) => call(tensors);
}

/** Each workload by its name: a function that makes its memory, and gives the call of a build. */
const cases = {
  ...casesOf('tiny', tinyCalls, tinyCase),
  ...casesOf('table', workloads, tableCase),
  ...casesOf('surgery', surgeryWorkloads, surgeryCase),
  ...casesOf('surgery int4', packedWorkloads, ({ int4 }) => surgeryCase(int4)),
  ...casesOfBackend('pil'),
  ...casesOfBackend('torchvision'),
};

/** The public doors of a checkout that is built. */
async function load(folder) {
  const door = (path) => import(pathToFileURL(join(folder, 'js', path)).href);
  const build = {
    tensors: await door('index.js'),
    images: await door('image/index.js'),
    processors: await door('processors/index.js'),
  };
  // Checkouts of before have one `init` for all doors.
  for (const { init } of Object.values(build)) await init?.();
  return build;
}

/** Nanoseconds a call. */
function batch(run, calls) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) run();
  return Number(process.hrtime.bigint() - start) / calls;
}

/** A pair's ratio varies less than its times, because a busy machine disturbs both alike. */
function summarize(name, pairs) {
  const of = (side) => median(pairs.map((pair) => pair[side])) / 1e6;
  return { name, before: of(0), now: of(1), ratio: median(pairs.map(([old, own]) => own / old)) };
}

/** Times old, new, new, old, or the other way around, so that neither is always first. */
function timePair(runs, calls, first) {
  const pair = [0, 0];
  for (const side of [first, 1 - first, 1 - first, first]) pair[side] += batch(runs[side], calls) / 2;
  return pair;
}

/** Rounds of both builds' tiny calls; a sample has this many of them. */
const tinyRounds = 100;
const tinyBatch = 250;

/**
 * Times the calls on 12 elements. All of them are called before any is timed, because an engine compiles a function for
 * all that it has seen.
 */
function measureTiny(names, before, now) {
  const calls = names.map((name) => ({ name, runs: [before, now].map(cases[name]()), pairs: [] }));
  for (let round = 0; round < 12; round++) for (const { runs } of calls) for (const run of runs) batch(run, 3000);
  for (let round = 0; round < tinyRounds; round++)
    for (const { runs, pairs } of calls) pairs.push(timePair(runs, tinyBatch, round % 2));
  return calls.map(({ name, pairs }) => summarize(name, pairs));
}

/** Samples last this long at least, in nanoseconds; shorter calls are repeated within one. */
const shortest = 3e5;
const fewestPairs = 5;

/**
 * Times one workload, both builds call by call. Nothing collects garbage between them: a full collection drops the
 * engine's feedback, and calls of microseconds then take up to a fifth longer for a while.
 */
function measureOne(name, before, now, budgetMs) {
  const prepare = cases[name]();
  globalThis.gc?.();
  const runs = [before, now].map(prepare);
  let calls = 1;
  const start = performance.now();
  const warmUp = start + budgetMs / 5;
  for (let rounds = 0; rounds < 2 || performance.now() < warmUp; rounds++)
    if (Math.min(...timePair(runs, calls, 0)) * calls < shortest) calls *= 2;
  const pairs = [];
  while (pairs.length < fewestPairs || performance.now() < start + budgetMs)
    pairs.push(timePair(runs, calls, pairs.length % 2));
  return summarize(name, pairs);
}

/** Whether a build has what a workload calls. */
function isIn(build, name) {
  try {
    cases[name]()(build)();
    return true;
  } catch (error) {
    console.error(`bench: the other build lacks ${name}: ${error.message}`);
    return false;
  }
}

const isTiny = (name) => name.startsWith('tiny ');
const barOf = (name) => (isTiny(name) ? mostTiny : most);

async function measureAll(folder, names, budgetMs) {
  const [before, now] = [await load(folder), await load(resolve(import.meta.dirname, '../..'))];
  const both = names.filter((name) => isIn(before, name));
  const rows = measureTiny(both.filter(isTiny), before, now);
  for (const name of both.filter((each) => !isTiny(each))) rows.push(measureOne(name, before, now, budgetMs));
  return rows;
}

/** The median of the processes' ratios, with the lowest and the highest. */
function measureInProcesses(folder, { only, quick, processes }) {
  const args = ['--expose-gc', fileURLToPath(new URL('run.js', import.meta.url)), '--against', folder, '--json', '-'];
  if (only !== undefined) args.push('--only', only);
  if (quick) args.push('--quick');
  const runs = Array.from({ length: processes }, (_, i) => {
    console.error(`bench: process ${i + 1} of ${processes}`);
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return JSON.parse(stdout);
  });
  return runs[0].map(({ name }, i) => {
    const of = (key) => runs.map((rows) => rows[i][key]);
    const ratios = of('ratio');
    const range = { lowest: Math.min(...ratios), highest: Math.max(...ratios) };
    return { name, before: median(of('before')), now: median(of('now')), ratio: median(ratios), ...range };
  });
}

/**
 * @param {string} folder another checkout, built
 * @param {{ only?: string, quick?: boolean, processes?: number, json?: string }} options
 * @returns {Promise<boolean>} whether no workload takes longer than its bar
 */
export async function compareBuilds(folder, options) {
  const parts = options.only?.split(',');
  const names = Object.keys(cases).filter((name) => !parts || parts.some((part) => name.startsWith(part)));
  if (names.length === 0) throw new RangeError(`--only: no workload begins with ${options.only}`);
  const rows =
    options.processes > 1
      ? measureInProcesses(resolve(folder), options)
      : await measureAll(resolve(folder), names, options.quick ? 400 : 3000);
  if (options.json === '-') {
    console.log(JSON.stringify(rows));
    return true;
  }
  const shown = (ms) => (ms < 0.1 ? `${(ms * 1e6).toFixed(0)} ns` : `${ms.toFixed(3)} ms`);
  for (const { name, before, now, ratio, lowest, highest } of rows) {
    const range = lowest === undefined ? '' : ` (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
    const mark = ratio > barOf(name) ? ' SLOWER' : '';
    console.log(
      `${name.padEnd(36)} ${shown(before).padStart(10)} ${shown(now).padStart(10)} ${ratio.toFixed(2)}${range}${mark}`,
    );
  }
  for (const group of new Set(rows.map(({ name }) => name.split(' ')[0]))) {
    const ratios = rows.filter(({ name }) => name.startsWith(`${group} `)).map(({ ratio }) => ratio);
    console.log(`median of ${group}: ${median(ratios).toFixed(2)}`);
  }
  return rows.every(({ name, ratio }) => ratio <= barOf(name));
}
