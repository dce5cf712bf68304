/** Rows of tables that stay, through the module. Each function takes arrays and gives arrays of its own. Names that end
 * in `At` are addresses in the module. */
import { rangeError } from '../../arguments/index.js';
import { floatBytes, intBytes, wordBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';

/** @import { Class } from '../memory/index.js' */

/** Finds the indices of the numbers above a threshold; with `inclusive`, those that equal it, too.
 * @type {(x: Float32Array, threshold: number, inclusive?: boolean) => Int32Array} */
export const indicesAbove = (x, threshold, inclusive = false) =>
  withMemory(() => {
    // The kernel writes each index, and goes on to the next place only if its number is above: one place more.
    const indicesAt = arena.allocate(intBytes * (x.length + 1));
    const xAt = arena.copyIn(x, floatBytes * x.length);
    const count = kernels.find_above(xAt, x.length, threshold, Number(inclusive), indicesAt);
    return arena.copyOut(Int32Array, indicesAt, count);
  });

/** Counts the numbers above a threshold in each of `rows` rows of equal length. Without rows there are no counts.
 * @type {(x: Float32Array, rows: number, threshold: number) => Int32Array} */
export const countsAbove = (x, rows, threshold) =>
  withMemory(() => {
    const length = rowsIn(x, rows); // of a row: the array's length by the other factor
    const countsAt = arena.allocate(intBytes * rows);
    const xAt = arena.copyIn(x, floatBytes * rows * length);
    kernels.count_above(xAt, rows, length, threshold, countsAt);
    return arena.copyOut(Int32Array, countsAt, rows);
  });

/**
 * Picks rows of `width` numbers, in the order of the indices, of which some may be equal. Refuses an index of no row.
 * @template {Float32Array | Int32Array} A
 * @param {A} x
 * @param {number} width
 * @param {Int32Array} indices
 * @returns {A}
 */
export const gatherRows = (x, width, indices) =>
  withMemory(() => {
    const ArrayClass = x instanceof Float32Array ? Float32Array : Int32Array;
    // How many rows there are is not known if they hold no numbers, so no index can be refused.
    if (width === 0) return /** @type {typeof x} */ (new ArrayClass(0));
    const [rows, count] = [rowsIn(x, width), indices.length];
    const pickedAt = arena.allocate(wordBytes * width * count);
    const xAt = arena.copyIn(x, wordBytes * rows * width);
    const indicesAt = arena.copyIn(indices, intBytes * count);
    const areInRange = kernels.gather_rows(xAt, rows, width, indicesAt, count, pickedAt);
    if (!areInRange) rangeError(`indices must be below ${rows}`);
    const NumberClass = /** @type {Class<Float32Array | Int32Array>} */ (ArrayClass);
    const numbers = arena.copyOut(NumberClass, pickedAt, width * count);
    return /** @type {typeof x} */ (numbers);
  });

/** Cuts rows of `length` numbers to their first `used` ones.
 * @type {(x: Float32Array, length: number, used: number) => Float32Array} */
export const cutRows = (x, length, used) =>
  withMemory(() => {
    const rows = rowsIn(x, length);
    if (sizeOf([used]) > length) rangeError(`used must be at most ${length}, got ${used}`);
    const cutAt = arena.allocate(floatBytes * rows * used);
    const xAt = arena.copyIn(x, floatBytes * rows * length);
    kernels.cut_rows(xAt, rows, length, used, cutAt);
    return arena.copyOut(Float32Array, cutAt, rows * used);
  });

/** Estimates how many of the other queries come before each of `count` queries in the order of reading: a sum of
 * probabilities. `logits` [count, count]: of row query being read before column query, read above the diagonal alone.
 * @type {(logits: Float32Array, count: number) => Float32Array} */
export const votesOf = (logits, count) =>
  withMemory(() => {
    const votesAt = arena.allocate(floatBytes * count);
    const logitsAt = arena.copyIn(logits, floatBytes * sizeOf([count, count]));
    kernels.sum_votes(logitsAt, count, votesAt);
    return arena.copyOut(Float32Array, votesAt, count);
  });
