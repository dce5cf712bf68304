/** Which scales the elements of a tensor have, and the scales of a piece in the scratch area. */
import { layout, scratchViews } from './module.js';

/**
 * How elements share scales. Elements come in rows of `width`, an axis has `rows` rows, and `block` rows in a turn
 * share a row of scales, with one for each column. The last block of an axis may be short. The rows of scales repeat
 * where there are more blocks than rows of them. See cpp/quantize/grid.h.
 * @typedef {object} Sharing
 * @property {number} width 1: a scale for whole elements in a row
 * @property {number} rows Infinity: one axis
 * @property {number} block Infinity: one block
 */

/**
 * Scales and zero points of a tensor.
 * @typedef {object} Scales
 * @property {Sharing} sharing
 * @property {Float32Array | Float64Array} scales
 * @property {Float32Array | Float64Array | undefined} zeros as many; undefined for none
 * @property {number} defaultZeroPoint what stands for a zero point where there is none: 0, or -0, which changes no sum
 */

/** Where the scales and the zero points of a piece lie in the scratch area, in bytes. */
export const scalesByte = 2 * 2 ** 20;
export const zerosByte = 4 * 2 ** 20;

/** Elements of a piece: 480 KiB of float32, as `conversionBytes` says. A multiple of 64. */
export const pieceElements = 120 * 2 ** 10;

/**
 * Rows of scales of at least 4 and at most 16384 numbers, and runs of at least 4 elements, go to the module as they
 * are. Others are written out, a scale for each element.
 */
const shortest = 4;
const longest = 16384;
/** The module counts rows of an axis in 32 bits. */
const mostRows = 2 ** 30;
/** One row of scales for all elements is repeated up to this length: the module takes it 16 numbers at a time. */
const wide = 64;

/**
 * Scales as the module likes them: a short row that repeats is one long row.
 * @param {Scales} all
 * @returns {Scales}
 */
export function widened(all) {
  const { sharing, scales, zeros } = all;
  const { width, rows } = sharing;
  // A width of 0 is that of an axis without elements.
  if (rows !== Infinity || width <= 1 || width >= wide) return all;
  const times = Math.ceil(wide / width);
  return {
    ...all,
    sharing: { ...sharing, width: times * width },
    scales: repeated(scales, times),
    zeros: zeros && repeated(zeros, times),
  };
}

/**
 * @template {Float32Array | Float64Array} List
 * @param {List} list
 * @param {number} times
 * @returns {List}
 */
function repeated(list, times) {
  const result =
    list instanceof Float32Array ? new Float32Array(times * list.length) : new Float64Array(times * list.length);
  for (let i = 0; i < times; i++) result.set(list, i * list.length);
  return /** @type {List} */ (result);
}

/**
 * The elements of a piece that have one scale, or rows of scales: a visit for each run.
 * @param {Sharing} sharing
 * @param {number} count of all scales
 * @param {number} first
 * @param {number} size of the piece
 * @param {(at: number, length: number, scale: number) => void} visit `at` counts from the piece's first element;
 *   `scale` is the first element's. The others have the same where the width is 1, and the next ones elsewhere
 */
export function eachRun({ width, rows, block }, count, first, size, visit) {
  const blocks = rows === Infinity ? 1 : Math.ceil(rows / block);
  for (let at = 0; at < size;) {
    const row = Math.floor((first + at) / width);
    const axis = rows === Infinity ? 0 : Math.floor(row / rows);
    const inAxis = rows === Infinity ? row : row - axis * rows;
    const inBlock = block === Infinity ? 0 : Math.floor(inAxis / block);
    const column = first + at - row * width;
    const left = width === 1 ? Math.min(rows - inAxis, (inBlock + 1) * block - inAxis) : width - column;
    const length = Math.min(left, size - at);
    visit(at, length, (((axis * blocks + inBlock) * width) % count) + column);
    at += length;
  }
}

/**
 * Writes the scales and the zero points of a piece for the module to read.
 * @param {Scales} all
 * @param {number} first element of the piece
 * @param {number} size
 * @returns {[width: number, rows: number, block: number, row: number, column: number]} a Grid of cpp/quantize/grid.h
 */
export function writeScales({ sharing, scales, zeros, defaultZeroPoint }, first, size) {
  const { width, rows, block } = sharing;
  const { Float32Array: floats } = scratchViews;
  const [toScales, toZeros] = [scalesByte / 4, zerosByte / 4];
  const least = width === 1 ? Math.min(rows, block) : width;
  if (least < shortest || width > longest || (rows !== Infinity && rows > mostRows)) {
    eachRun(sharing, scales.length, first, size, (at, length, scale) => {
      writeRun(floats, toScales + at, length, scales, scale, width);
      if (zeros) writeRun(floats, toZeros + at, length, zeros, scale, width);
    });
    if (!zeros) floats.fill(defaultZeroPoint, toZeros, toZeros + size);
    return [size, layout.endless, layout.endless, 0, 0];
  }
  const begin = rowOf(sharing, first);
  const end = rowOf(sharing, first + size - 1);
  const from = (begin.scaleRow * width) % scales.length;
  const needed = (end.scaleRow - begin.scaleRow + 1) * width;
  writeCyclic(floats, toScales, needed, scales, from);
  if (zeros) writeCyclic(floats, toZeros, needed, zeros, from);
  else floats.fill(defaultZeroPoint, toZeros, toZeros + needed);
  const ended = (/** @type {number} */ extent) => Math.min(extent, layout.endless);
  return [width, ended(rows), ended(block), begin.row, begin.column];
}

/**
 * Sets all scales of a piece that `writeScales` has written to 1.
 * @param {number} size
 */
export function clearScales(size) {
  scratchViews.Float32Array.fill(1, scalesByte / 4, scalesByte / 4 + size);
}

/**
 * @param {Float32Array} floats
 * @param {number} at
 * @param {number} length
 * @param {Float32Array | Float64Array} source
 * @param {number} first
 * @param {number} width
 */
function writeRun(floats, at, length, source, first, width) {
  if (width === 1) floats.fill(source[first], at, at + length);
  else floats.set(source.subarray(first, first + length), at);
}

/**
 * Copies entries of a list that begins anew at its end.
 * @param {Float32Array} floats
 * @param {number} at
 * @param {number} count
 * @param {Float32Array | Float64Array} source
 * @param {number} first
 */
function writeCyclic(floats, at, count, source, first) {
  for (let done = 0, from = first; done < count; from = 0) {
    const some = Math.min(count - done, source.length - from);
    floats.set(source.subarray(from, from + some), at + done);
    done += some;
  }
}

/**
 * Where an element lies: its row in its axis, its column, and its row of scales.
 * @param {Sharing} sharing
 * @param {number} element
 */
function rowOf({ width, rows, block }, element) {
  const row = Math.floor(element / width);
  const column = element - row * width;
  if (rows === Infinity) return { row: 0, column, scaleRow: 0 };
  const axis = Math.floor(row / rows);
  const inAxis = row - axis * rows;
  return { row: inAxis, column, scaleRow: axis * Math.ceil(rows / block) + Math.floor(inAxis / block) };
}
