/** Options of the command line, how their text becomes numbers, and which OUT is refused. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The caller's mistake, as opposed to the file's. */
export class UsageError extends Error {}

export const text = /** @type {const} */ ({ type: 'string' });
export const flag = /** @type {const} */ ({ type: 'boolean' });

/** @type {(name: string, given: string | undefined, pattern: RegExp, kind: string) => number[] | undefined} */
function listOf(name, given, pattern, kind) {
  if (given === undefined) return undefined;
  const entries = given === '' ? [] : given.split(',');
  if (!entries.every((entry) => pattern.test(entry)))
    throw new UsageError(`--${name} must be ${kind}s with commas between, got ${given}`);
  return entries.map(Number);
}

/** @type {(name: string, given: string | undefined) => number[] | undefined} */
export const list = (name, given) => listOf(name, given, /^-?\d{1,15}$/, 'whole number');

/** @type {(name: string, given: string | undefined) => number[] | undefined} */
export const decimals = (name, given) => listOf(name, given, /^-?\d{1,15}(\.\d{1,15})?$/, 'number');

/**
 * One whole number.
 * @type {(name: string, given: string | undefined) => number | undefined}
 */
export function whole(name, given) {
  const numbers = list(name, given);
  if (numbers && numbers.length !== 1) throw new UsageError(`--${name} must be a whole number, got ${given}`);
  return numbers?.[0];
}

/** @type {(name: string, given: string | undefined) => number | undefined} */
export function decimal(name, given) {
  const numbers = decimals(name, given);
  if (numbers && numbers.length !== 1) throw new UsageError(`--${name} must be a number, got ${given}`);
  return numbers?.[0];
}

/** @type {(name: string, given: string | undefined) => Record<string, number> | undefined} */
export function lengths(name, given) {
  if (given === undefined) return undefined;
  const entries = given.split(',').map((entry) => /^([^=]+)=(\d{1,15})$/.exec(entry));
  if (!entries.every((entry) => entry !== null)) throw new UsageError(`--${name} must be like h=2,w=3, got ${given}`);
  return Object.fromEntries(entries.map(([, axis, length]) => [axis, Number(length)]));
}

/** @type {(path: string) => string} of a link its target */
const realPath = (path) => (existsSync(path) ? realpathSync(path) : resolve(path));

/**
 * Refuses to replace an input, or a file of a folder that is one. `argument` names the inputs.
 * @type {(out: string, inputs: string[], force: boolean | undefined, argument?: string) => void}
 */
export function checkOut(out, inputs, force, argument = 'IN') {
  if (out === '-' || force) return;
  const targets = [realPath(out), ...(existsSync(out) ? [dirname(realPath(out))] : [])];
  const isTarget = (/** @type {string} */ path) => targets.includes(realPath(path));
  if (inputs.some((path) => path !== '-' && isTarget(path)))
    throw new UsageError(`OUT must not be ${argument}: --force replaces it`);
}
