/** Contenders in Python, and ratios of times beside their bars: the checks share them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, hashOf } from './data.js';
import { budgetOf, race } from './measure.js';
import { startPython } from './python.js';

/**
 * Contenders in Python: none where it is missing.
 * @param {string} name of the program `name-python.py` and of what it needs, `name-python.txt`
 * @param {ArrayBufferView[]} arrays that it reads from files
 * @param {(files: string[], python: { versions: Record<string, string>, folder: string }) => Record<string, object>}
 *   requestsOf by the contenders' names; under '' they are those that the program gives
 * @param {string} [environment] see {@link startPython}
 */
export async function inPython(name, arrays, requestsOf, environment = undefined) {
  const python = await startPython(`${name}-python.py`, `${name}-python.txt`, environment);
  if (python === undefined) return { contenders: {}, answers: {}, end: () => {} };
  const { ask, folder, versions, end } = python;
  const files = arrays.map((array, i) => {
    const file = join(folder, `x${i}`);
    writeFileSync(file, bytesOf(array));
    return file;
  });
  const [contenders, answers] = [{}, {}];
  for (const [label, request] of Object.entries(requestsOf(files, python))) {
    const { calls, ...answer } = await ask(request);
    answers[label] = answer;
    for (const time of calls)
      contenders[label || time] = { time: async (count) => (await ask({ time, calls: count })).ms };
  }
  return { contenders, answers, versions, end };
}

/** Throws where a result is another than was expected: contenders have to do the same work. */
export function expectHash(title, actual, expected) {
  if ((typeof actual === 'string' ? actual : hashOf(actual)) !== expected)
    throw new Error(`${title}: the results differ`);
}

/** A ratio of two times beside its upper limit, and what it should come to. Without a limit it is shown alone. */
export const ratioOf = (backend, against, ratio, must = undefined, aim = undefined) => ({
  ...{ backend, against, ratio, must, aim },
  pass: must === undefined || ratio <= must,
});

/**
 * The ratios of contenders that were measured: `{ ours: { memcpy: [must, aim] } }`.
 * @type {(times: Record<string, number>, bars: Record<string, Record<string, number[]>>) => object[]}
 */
export const ratiosOf = (times, bars) =>
  Object.entries(bars).flatMap(([own, limits]) =>
    Object.entries(limits ?? {})
      .filter(([rival, limit]) => limit && times[own] && times[rival])
      .map(([rival, limit]) => ratioOf(own, rival, times[own] / times[rival], ...limit)),
  );

/** The result of a check. */
export const judged = (title, times, ratios) => ({ title, times, ratios, pass: ratios.every(({ pass }) => pass) });

/** Races contenders, and holds their ratios against the bars. */
export async function contest(title, contenders, bars, options) {
  const times = await race(contenders, budgetOf(options));
  return judged(title, times, ratiosOf(times, bars));
}

/** Checks by the names that `--only` takes: one of each workload. */
export const checksOf = (prefix, workloads, measure) =>
  Object.fromEntries(
    workloads.map((workload) => [`${prefix}-${workload.name}`, (options) => measure(workload, options)]),
  );
