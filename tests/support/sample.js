/**
 * Samples of the tests that take too long to run as a whole at each commit. The commit's hash chooses, so that a
 * failure repeats, and later commits run what this one leaves out.
 */
import { run } from './packed.js';

/** @returns {string} the hash of the last commit, in hexadecimal */
export const commitHash = () => run('git', ['rev-parse', 'HEAD']).trim();

/**
 * Chooses neighbors from a list that is taken as a circle.
 * @template T
 * @param {readonly T[]} list
 * @param {number} count of those that are chosen
 * @param {string} hash
 * @returns {T[]} in the order of the list
 */
export function chooseSome(list, count, hash) {
  const first = Number(BigInt(`0x${hash}`) % BigInt(list.length));
  return list.filter((_, i) => (i - first + list.length) % list.length < count);
}

/**
 * Chooses every n-th entry of a list. The n possible choices together are the list.
 * @template T
 * @param {readonly T[]} list
 * @param {number} n
 * @param {string} hash
 * @returns {T[]} in the order of the list
 */
export function chooseEveryNth(list, n, hash) {
  const first = Number(BigInt(`0x${hash}`) % BigInt(n));
  return list.filter((_, i) => i % n === first);
}

/**
 * Every n-th entry by the last commit's hash, or the list where WHOLE is set: `WHOLE=1 npm test -- tests/engine/large`.
 * @type {<T>(list: readonly T[], n: number) => readonly T[]}
 */
export const chooseSample = (list, n) => (process.env.WHOLE ? list : chooseEveryNth(list, n, commitHash()));
