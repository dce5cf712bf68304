/**
 * The memory that a call of a configured function may take. One number of a configuration, which may be anybody's,
 * makes gigabytes of a picture of few pixels, so that whatever allocates says how much before it does.
 */
import { rangeError, show } from './errors.js';
import { readNumber } from './numbers.js';

/**
 * @typedef {object} Budget
 * @property {string} item one image, video or sound, for the message
 * @property {number} maxBytes of each item
 * @property {number} count of items
 * @property {number} spent in bytes
 */

/** 1 GiB: a video of 1,700 frames of 224 x 224 as float32, or features of five hours of audio. */
export const usualMaxBytes = 2 ** 30;

/** Reads the option of how many bytes an item may become: at least 1, Infinity for no bound.
 * @type {(name: string, value?: unknown) => number} */
export function readMaxBytes(name, value = usualMaxBytes) {
  const maxBytes = readNumber(name, value);
  return maxBytes >= 1 ? maxBytes : rangeError(`${name} must be at least 1, got ${show(value)}`);
}

/** Makes a budget of `maxBytes` for each of `count` items; `item` names one, such as 'a video'.
 * @type {(item: string, maxBytes: number, count?: number) => Budget} */
export const makeBudget = (item, maxBytes, count = 1) => ({ item, maxBytes, count: Math.max(1, count), spent: 0 });

/** The budget of the running call, if it has one. One variable is enough: between two awaits a call runs without
 * interruption.
 * @type {Budget | undefined} */
let current;

/** Runs work whose allocations count towards a budget, or, if it is undefined, towards none. The work must not wait:
 * its budget is `current` only until it returns.
 * @type {<T>(budget: Budget | undefined, work: () => T) => T} */
export function spending(budget, work) {
  const outer = current;
  current = budget;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/** Makes a function that runs work later, with a budget of its own, as large as that of the call running now.
 * @type {<T>(work: () => T) => () => T} */
export function inBudget(work) {
  const budget = current;
  return () => spending(budget && { ...budget, spent: 0 }, work);
}

/** Counts bytes that are about to be allocated towards the running call's budget, and refuses them where all items take
 * more than theirs together.
 * @type {(bytes: number) => void} */
export function spend(bytes) {
  if (current === undefined) return;
  current.spent += bytes;
  const { item, maxBytes, count, spent } = current;
  // Not `>`, which NaN would pass.
  const isWithin = spent <= maxBytes * count;
  const mean = Math.ceil(spent / count);
  if (!isWithin) rangeError(`${item} must become at most ${maxBytes} bytes (maxBytes), got ${mean}`);
}
