/** Contests: contenders that do the same work in turn, and the ratios of their times beside their bars. */
import { hashOf } from './data.js';
import { budgetOf, race } from './measure.js';
import { startContenders } from './python.js';

/**
 * A contest as a check declares it.
 * @typedef {object} Contest
 * @property {string} title
 * @property {Record<string, () => any>} contenders by name
 * @property {import('./python.js').PythonContenders} [python] further ones, in Python
 * @property {(times: Record<string, number>) => Record<string, number>} [references] milliseconds that bars refer to
 *   and that no contender takes: a limit, or a time for another number of bytes
 * @property {Record<string, Record<string, (number | undefined)[]>>} bars `{ ours: { memcpy: [must, aim] } }`
 * @property {object[]} [ratios] ratios of other quantities than times
 * @property {() => unknown} [end] frees what the garbage collector does not
 */

/** A ratio of two times beside its upper limit, and what it should come to. Without a limit it is shown alone. */
export const ratioOf = (backend, against, ratio, must = undefined, aim = undefined) => ({
  ...{ backend, against, ratio, must, aim },
  pass: must === undefined || ratio <= must,
});

/** The ratios of a contest's times to those that its bars refer to. A peer that is missing has none. */
export const ratiosOf = (times, bars) =>
  Object.entries(bars).flatMap(([backend, limits]) =>
    Object.entries(limits ?? {})
      .filter(([rival, limit]) => limit && times[backend] && times[rival] < Infinity)
      .map(([rival, limit]) => ratioOf(backend, rival, times[backend] / times[rival], ...limit)),
  );

/** The result of a check. */
export const resultOf = (title, times, ratios) => ({ title, times, ratios, pass: ratios.every(({ pass }) => pass) });

/** Throws where a result is another than was expected: contenders have to do the same work. */
export function expectHash(title, actual, expected) {
  if ((typeof actual === 'string' ? actual : hashOf(actual)) !== expected)
    throw new Error(`${title}: the results differ`);
}

/**
 * Races the contenders, and holds their ratios against the bars.
 * @type {(contest: Contest, options: { quick?: boolean }) => Promise<object>}
 */
export async function holdContest({ title, contenders, python, references, bars, ratios = [], end }, options) {
  const pythons = await startContenders(title, python);
  const times = await race({ ...contenders, ...pythons.contenders }, budgetOf(options));
  pythons.end();
  await end?.();
  return {
    ...resultOf(title, times, [...ratiosOf({ ...times, ...references?.(times) }, bars), ...ratios]),
    python: pythons.versions,
  };
}

/**
 * Contests of workloads, by their names.
 * @param {any[]} workloads
 * @param {(workload: any, options: { quick?: boolean }) => Contest | Promise<Contest>} prepare
 */
export const contestsOf = (workloads, prepare) =>
  Object.fromEntries(workloads.map((workload) => [workload.name, (options) => prepare(workload, options)]));

/**
 * Checks by the names that `--only` takes: each prepares a contest, and holds it.
 * @param {string} prefix of the names
 * @param {Record<string, (options: { quick?: boolean }) => Contest | Promise<Contest>>} contests
 */
export const checksOf = (prefix, contests) =>
  Object.fromEntries(
    Object.entries(contests).map(([name, prepare]) => [
      `${prefix}-${name}`,
      async (options) => holdContest(await prepare(options), options),
    ]),
  );
