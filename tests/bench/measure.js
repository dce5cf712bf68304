/** Times contenders of one process in turn, so that what disturbs one disturbs all. */
import { generator, randomPermutation } from '../support/samples.js';

/** A sample takes at least this long: shorter calls are repeated within it. */
const sampleMs = 1;
/** A contender's turn takes at least this long, after as long a run whose time does not count. */
const turnMs = 4;
/** Samples a contender has at least, however slow, and at most, however fast. */
const fewestSamples = 3;
const mostSamples = 1001;
/** A moment is quiet if arithmetic takes at most so many times its least time. */
const quietness = 1.05;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Other work on the machine, such as another thread of the same core, slows what computes by up to half and what copies by little: the
// ratio of the two would tell of the neighbours. So a fixed piece of arithmetic is timed before and after each sample, and of each contender's
// samples those count where it took hardly more than its least time: the quiet moments, a tenth of all at least.

/** Milliseconds of arithmetic that uses all of a core but its memory. */
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
/** Kept, so that the loop is not left out. */
let yardstickResult = 0;

/** @typedef {{ ms: number, arithmetic: number }} Sample a call's time, and the longer of the yardsticks before and after */

/** What is reported of a contender's samples. @type {(samples: Sample[]) => number} */
let summarize = (samples) => {
  const quietest = [...samples].sort((a, b) => a.arithmetic - b.arithmetic);
  const quiet = quietest.filter(({ arithmetic }) => arithmetic <= quietness * quietest[0].arithmetic).length;
  return median(quietest.slice(0, Math.max(fewestSamples, Math.ceil(samples.length / 10), quiet)).map(({ ms }) => ms));
};

/** On a machine that is never quiet, the least sample says more. */
export function reportLeast() {
  summarize = (samples) => Math.min(...samples.map(({ ms }) => ms));
}

/** Milliseconds that a number of calls take. A function that gives promises is awaited, every other one never is. */
async function time(run, calls, isAsync) {
  const start = performance.now();
  if (isAsync) for (let i = 0; i < calls; i++) await run();
  else for (let i = 0; i < calls; i++) run();
  return performance.now() - start;
}

/** How many calls a millisecond takes. Doubling lets the engine compile what is called often. */
async function callsPerMs(run, isAsync) {
  for (let calls = 1; ; calls *= 2) {
    const ms = await time(run, calls, isAsync);
    if (ms >= turnMs) return calls / ms;
  }
}

/**
 * @param {Record<string, () => unknown>} contenders
 * @param {number} budgetMs for all of them together, shared evenly; each has its fewest samples whatever they take
 * @returns {Promise<Record<string, number>>} milliseconds a call of each, as {@link summarize} has them of its samples
 */
export async function race(contenders, budgetMs) {
  const runners = [];
  for (const [name, run] of Object.entries(contenders)) {
    const first = run();
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
    // In a fixed order, two that do the same were 0 to 6 % apart, the same one ahead in each run.
    for (const index of randomPermutation(random, racing.length)) {
      const runner = racing[index];
      // What others allocated is not to be freed in this one's time.
      globalThis.gc?.();
      // What ran before leaves its own data in the caches, and a third level that takes what the second one drops fills slowly: each is
      // timed after as many calls of its own (measured: 6 MB reach their lasting speed at the fourth call).
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
