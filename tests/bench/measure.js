/** Times contenders of one process in turn, so that what disturbs one disturbs all. */

/** A sample takes at least this long: shorter calls are repeated within it. */
const sampleMs = 4;
/** Samples a contender has at least, however slow, and at most, however fast. */
const fewestSamples = 3;
const mostSamples = 301;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What is reported of a contender's samples. On a machine that does other work too, the least of them says more than the median. */
let summarize = median;

export function reportLeast() {
  summarize = (values) => Math.min(...values);
}

/** Milliseconds that a number of calls take. A function that gives promises is awaited, every other one never is. */
async function time(run, calls, isAsync) {
  const start = performance.now();
  if (isAsync) for (let i = 0; i < calls; i++) await run();
  else for (let i = 0; i < calls; i++) run();
  return performance.now() - start;
}

/** How many calls make a sample. Doubling lets the engine compile what is called often. */
async function callsOf(run, isAsync) {
  for (let calls = 1; ; calls *= 2) {
    const ms = await time(run, calls, isAsync);
    if (ms >= sampleMs) return Math.max(1, Math.round(calls * sampleMs / ms));
  }
}

/**
 * @param {Record<string, () => unknown>} contenders
 * @param {number} budgetMs for all of them together, shared evenly; each has its fewest samples whatever they take
 * @returns {Promise<Record<string, number>>} the median (or least) of each in milliseconds a call
 */
export async function race(contenders, budgetMs) {
  const runners = [];
  for (const [name, run] of Object.entries(contenders)) {
    const first = run();
    const isAsync = typeof first?.then === 'function';
    await first;
    runners.push({ name, run, isAsync, calls: await callsOf(run, isAsync), samples: [], spent: 0 });
  }
  const share = budgetMs / runners.length;
  const wants = ({ samples, spent }) => samples.length < fewestSamples || (spent < share && samples.length < mostSamples);
  for (let racing = runners; racing.length > 0; racing = racing.filter(wants)) {
    for (const runner of racing) {
      // What others allocated is not to be freed in this one's time.
      globalThis.gc?.();
      // What ran before leaves its own data in the caches, and a third level that takes what the second one drops fills slowly: each is
      // timed after as many calls of its own (measured: 6 MB reach their lasting speed at the fourth call).
      const before = await time(runner.run, runner.calls, runner.isAsync);
      const ms = await time(runner.run, runner.calls, runner.isAsync);
      runner.spent += before + ms;
      runner.samples.push(ms / runner.calls);
    }
  }
  return Object.fromEntries(runners.map(({ name, samples }) => [name, summarize(samples)]));
}
