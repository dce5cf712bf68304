/** Times contenders in one process and in turn, so that what disturbs one disturbs all. */
import { generator, randomPermutation } from '../support/samples.js';

/** A sample takes at least this long; shorter calls are repeated within it. */
const sampleMs = 1;
/** A contender's turn takes at least this long, after a warm-up of the same length. */
const turnMs = 4;
/** The least number of samples of a slow contender, and the greatest of a fast one. */
const fewestSamples = 3;
const mostSamples = 1001;
/** A moment is quiet if the arithmetic below takes at most this many times its least time. */
const quietness = 1.05;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Other work on the machine, such as another thread on the same core, slows down computing by up to half but copying by
// little, so the ratio of the two would measure the neighbors. Therefore a fixed piece of arithmetic is timed before
// and after each sample. Only the samples count for which it took hardly more than its least time, the quiet moments;
// at least a tenth of all samples count.

/** Milliseconds of arithmetic that keeps a core busy and leaves memory alone. */
function yardstick() {
  const start = performance.now();
  let [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6];
  for (let i = 0; i < 100_000; i++) {
    a = (a + i) | 0;
    b ^= a;
    c = (c + i) | 0;
    d ^= c;
    e = (e + i) | 0;
    f ^= e;
  }
  yardstickResult = a ^ b ^ c ^ d ^ e ^ f;
  return performance.now() - start;
}
/** Exported, so that the compiler does not drop the loop. */
export let yardstickResult = 0;

/**
 * The time of a call, and the longer of the yardsticks before and after it.
 * @typedef {{ ms: number, arithmetic: number }} Sample
 */

/**
 * The figure that is reported for a contender's samples.
 * @type {(samples: Sample[]) => number}
 */
let summarize = (samples) => {
  const quietest = [...samples].sort((a, b) => a.arithmetic - b.arithmetic);
  const quiet = quietest.filter(({ arithmetic }) => arithmetic <= quietness * quietest[0].arithmetic).length;
  return median(quietest.slice(0, Math.max(fewestSamples, Math.ceil(samples.length / 10), quiet)).map(({ ms }) => ms));
};

/** Reports the least sample instead, for machines that are never quiet. */
export function reportLeast() {
  summarize = (samples) => Math.min(...samples.map(({ ms }) => ms));
}

/**
 * The milliseconds that a number of calls take. Only calls that return promises are awaited. Code in another process
 * times itself.
 */
async function time(run, calls, isAsync) {
  if (run.time) return run.time(calls);
  const start = performance.now();
  if (isAsync) for (let i = 0; i < calls; i++) await run();
  else for (let i = 0; i < calls; i++) run();
  return performance.now() - start;
}

/** The calls that fit in a millisecond. Doubling their number gives the engine time to compile them. */
async function callsPerMs(run, isAsync) {
  for (let calls = 1; ; calls *= 2) {
    const ms = await time(run, calls, isAsync);
    if (ms >= turnMs) return calls / ms;
  }
}

/**
 * @param {Record<string, (() => unknown) | { time: (calls: number) => Promise<number> }>} contenders
 * @param {number} budgetMs for all of them together, shared evenly; each takes its fewest samples even if that is
 *   longer
 * @returns {Promise<Record<string, number>>} milliseconds a call of each, which {@link summarize} makes of its samples
 */
export async function race(contenders, budgetMs) {
  const runners = [];
  for (const [name, run] of Object.entries(contenders)) {
    const first = run.time ? undefined : run();
    const isAsync = typeof first?.then === 'function';
    await first;
    const rate = await callsPerMs(run, isAsync);
    const callsIn = (ms) => Math.max(1, Math.round(ms * rate));
    runners.push({ name, run, isAsync, callsBefore: callsIn(turnMs), calls: callsIn(sampleMs), samples: [], spent: 0 });
  }
  const random = generator(runners.length);
  const share = budgetMs / runners.length;
  const wants = ({ samples, spent }) =>
    samples.length < fewestSamples || (spent < share && samples.length < mostSamples);
  for (let racing = runners; racing.length > 0; racing = racing.filter(wants)) {
    // The order changes: in a fixed one, two contenders that do the same were 0 to 6 % apart, always the same one
    // ahead.
    for (const index of randomPermutation(random, racing.length)) {
      const runner = racing[index];
      // Free what others allocated before this one's time begins.
      globalThis.gc?.();
      // Warm up the caches, which still hold the data of the contender before. A third level that takes what the second
      // one drops fills slowly: 6 MB reach their lasting speed at the fourth call.
      runner.spent += await time(runner.run, runner.callsBefore, runner.isAsync);
      let before = yardstick();
      for (let spent = 0; spent < turnMs;) {
        const ms = await time(runner.run, runner.calls, runner.isAsync);
        const after = yardstick();
        runner.samples.push({ ms: ms / runner.calls, arithmetic: Math.max(before, after) });
        before = after;
        spent += ms;
        runner.spent += ms;
      }
    }
  }
  return Object.fromEntries(runners.map(({ name, samples }) => [name, summarize(samples)]));
}

/** Milliseconds for all contenders of a check. */
export const budgetOf = ({ quick }) => (quick ? 500 : 8000);
