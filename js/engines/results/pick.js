/** Rows of tables that stay, through the module. Each function takes arrays and gives arrays of its own. */
import { rangeError } from '../../arguments/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';

/** @import { Class } from '../memory/index.js' */

/** Finds the indices of numbers above a threshold, or with `inclusive` at it, too.
 * @type {(x: Float32Array, threshold: number, inclusive?: boolean) => Int32Array} */
export const indicesAbove = (x, threshold, inclusive = false) =>
  withMemory(() => {
    const to = arena.space(4 * (x.length + 1));
    return arena.take(
      Int32Array,
      to,
      kernels.find_above(arena.put(x, 4 * x.length), x.length, threshold, Number(inclusive), to),
    );
  });

/** Counts the numbers of each row that are above a threshold.
 * @type {(x: Float32Array, rows: number, threshold: number) => Int32Array} */
export const countsAbove = (x, rows, threshold) =>
  withMemory(() => {
    const length = rowsIn(x, rows);
    const to = arena.space(4 * rows);
    kernels.count_above(arena.put(x, 4 * rows * length), rows, length, threshold, to);
    return arena.take(Int32Array, to, rows);
  });

/**
 * Picks rows of a table, in the order of their indices.
 * @template {Float32Array | Int32Array} A
 * @param {A} x
 * @param {number} width of a row
 * @param {Int32Array} indices
 * @returns {A}
 */
export const rowsOf = (x, width, indices) =>
  withMemory(() => {
    const ArrayClass = x instanceof Float32Array ? Float32Array : Int32Array;
    // Rows without numbers are not counted.
    if (width === 0) return /** @type {typeof x} */ (new ArrayClass(0));
    const [rows, count] = [rowsIn(x, width), indices.length];
    const to = arena.space(4 * width * count);
    if (!kernels.gather_rows(arena.put(x, 4 * rows * width), rows, width, arena.put(indices, 4 * count), count, to))
      rangeError(`indices must be below ${rows}`);
    const numbers = arena.take(/** @type {Class<Float32Array | Int32Array>} */ (ArrayClass), to, width * count);
    return /** @type {typeof x} */ (numbers);
  });

/** Cuts rows to their first `used` numbers.
 * @type {(x: Float32Array, length: number, used: number) => Float32Array} */
export const cutRows = (x, length, used) =>
  withMemory(() => {
    const rows = rowsIn(x, length);
    if (sizeOf([used]) > length) rangeError(`used must be at most ${length}, got ${used}`);
    const to = arena.space(4 * rows * used);
    kernels.cut_rows(arena.put(x, 4 * rows * length), rows, length, used, to);
    return arena.take(Float32Array, to, rows * used);
  });

/** Counts how many queries each of `count` queries follows, by their logits [count, count] of being read in order.
 * @type {(logits: Float32Array, count: number) => Float32Array} */
export const votesOf = (logits, count) =>
  withMemory(() => {
    const to = arena.space(4 * count);
    kernels.sum_votes(arena.put(logits, 4 * sizeOf([count, count])), count, to);
    return arena.take(Float32Array, to, count);
  });
