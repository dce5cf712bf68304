/** Compares contenders in one worker, then times them in turn, so that what disturbs one disturbs all. */
import { contendersOf } from './contenders.js';
import { quantile } from './statistics.js';
import { workloads } from './workloads.js';

/** A sample takes at least this many milliseconds and ticks of the clock; a tick takes up to 1 ms in browsers. */
const leastMs = 4;
const leastTicks = 20;

/** @typedef {{ name: string, run: () => any, isAsync: boolean, calls: number }} Contender */

/** @type {Contender[]} */
let contenders = [];

function tickOfClock() {
  const ticks = Array.from({ length: 5 }, () => {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    return now - start;
  });
  return quantile(ticks, 0.5);
}

async function time({ run, isAsync }, calls) {
  const start = performance.now();
  if (isAsync) for (let i = 0; i < calls; i++) await run();
  else for (let i = 0; i < calls; i++) run();
  return performance.now() - start;
}

/** @type {(a: ArrayBufferView, b: ArrayBufferView) => boolean} */
function isEqual(a, b) {
  const words = ({ buffer, byteOffset, byteLength }) => new Uint32Array(buffer, byteOffset, byteLength / 4);
  const [x, y] = [words(a), words(b)];
  return x.length === y.length && x.every((word, i) => word === y[i]);
}

/** The fastest of a few loops, by two timed calls of each after one untimed call. */
async function fastest(runs) {
  const times = [];
  for (const run of runs) {
    run();
    times.push(await time({ run, isAsync: false }, 2));
  }
  return runs[times.indexOf(Math.min(...times))];
}

/**
 * @typedef {object} Prepared
 * @property {{ name: string, isEqual: boolean | undefined, isOther: boolean }[]} contenders `isEqual`: whether the
 *   result equals ours byte for byte; undefined for memcpy, whose result is another one. `isOther`: whether it is meant
 *   to differ
 * @property {number} tick of the clock, in milliseconds
 */

/**
 * Prepares the contenders of a workload.
 * @param {string} name of the workload
 * @param {boolean} withOnnxruntime
 * @returns {Promise<Prepared>}
 */
export async function prepare(name, withOnnxruntime) {
  const workload = workloads[name];
  const { source, expected, runs, loops } = contendersOf(workload);
  runs.push(['best plain JS loop', await fastest(loops)]);
  // Of these workloads, onnxruntime has an operator with the same results for transposes alone.
  if (withOnnxruntime && workload.perm) {
    const { onnxruntimeCall } = await import('./onnxruntime.js');
    runs.push(['onnxruntime-web', await onnxruntimeCall(workload, source)]);
  }

  const tick = tickOfClock();
  const sampleMs = Math.max(leastMs, leastTicks * tick);
  const report = [];
  contenders = [];
  for (const [contender, run, isOther = false] of runs) {
    const first = run();
    const isAsync = typeof first?.then === 'function';
    const result = await first;
    report.push({ name: contender, isEqual: result && isEqual(result, expected), isOther });
    let calls = 1;
    for (let ms; (ms = await time({ run, isAsync }, calls)) < sampleMs;)
      calls = Math.max(calls + 1, Math.ceil(calls * Math.min(8, (1.1 * sampleMs) / ms)));
    if (isOther || report.at(-1).isEqual !== false) contenders.push({ name: contender, run, isAsync, calls });
  }
  return { contenders: report, tick };
}

/**
 * Takes one sample of each contender, after as many untimed calls: the contender before leaves its data in the caches.
 * @returns {Promise<Record<string, number>>} milliseconds a call
 */
export async function round() {
  const samples = {};
  for (const contender of contenders) {
    await time(contender, contender.calls);
    samples[contender.name] = (await time(contender, contender.calls)) / contender.calls;
  }
  return samples;
}
