/** Which scales the elements of a tensor have, and the scales of a piece in the scratch area. */
import { layout, scratchViews } from '../module.js';

/** @import { Scales, Sharing } from '../types.js' */

/** Places of a piece's scales and zero points in the scratch area, in bytes. */
export const scalesByte = 2 * 2 ** 20;
export const zerosByte = 4 * 2 ** 20;

/** Elements of a piece: 480 KiB of float32, as `conversionBytes` says. A multiple of 64. */
export const pieceElements = 120 * 2 ** 10;

/** Rows of 4 to 16384 scales, and runs of at least 4 elements, go to the module as they are; others are written out:
 * blocks of 2 take 33 ns an element, of 3 23, of 4 by the module 13 (measured). */
const shortest = 4;
const longest = 16384;
/** The module counts rows of an axis in 32 bits. */
const mostRows = 2 ** 30;
/** One row of scales for all elements is repeated up to this length: the module takes it 16 numbers at a time. */
const wide = 64;

/** @type {(all: Scales) => Scales} a short row of scales that repeats becomes one long row */
export function widened(all) {
  const { sharing, scales, zeros } = all;
  const { width, rows } = sharing;
  // A width of 0 is that of an axis without elements.
  if (rows !== Infinity || width <= 1 || width >= wide) return all;
  const times = Math.ceil(wide / width);
  const numbers = { scales: repeated(scales, times), zeros: zeros && repeated(zeros, times) };
  return { ...all, ...numbers, sharing: { ...sharing, width: times * width } };
}

/** @type {<List extends Float32Array | Float64Array>(list: List, times: number) => List} */
function repeated(list, times) {
  const result = new /** @type {any} */ (list.constructor)(times * list.length);
  for (let i = 0; i < times; i++) result.set(list, i * list.length);
  return result;
}

/** @type {(sharing: Sharing, count: number, first: number, size: number, visit: (at: number, length: number, scale:
 *   number) => void) => void} Visits the runs of a piece. `at` counts from its first element; `scale` is the first
 *   element's: the others have the same where the width is 1, else the next ones. */
function eachRun({ width, rows, block }, count, first, size, visit) {
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

/** @type {(numbers: Float32Array | Float64Array, all: Scales, first: number, size: number) => void} a scale and a zero
 *   point for each element */
function writeEach(numbers, { sharing, scales, zeros, defaultZeroPoint }, first, size) {
  const [toScales, toZeros] = [scalesByte, zerosByte].map((byte) => byte / numbers.BYTES_PER_ELEMENT);
  eachRun(sharing, scales.length, first, size, (at, length, scale) => {
    writeRun(numbers, toScales + at, length, scales, scale, sharing.width);
    if (zeros) writeRun(numbers, toZeros + at, length, zeros, scale, sharing.width);
  });
  if (!zeros) numbers.fill(defaultZeroPoint, toZeros, toZeros + size);
}

/** @type {(all: Scales, first: number, size: number) => [width: number, rows: number, block: number, row: number,
 *   column: number]} Stages the scales and zero points of a piece, and returns its Grid of cpp/quantize/grid.h. */
export function writeScales(all, first, size) {
  const { sharing, scales, zeros, defaultZeroPoint } = all;
  const { width, rows, block } = sharing;
  const { Float32Array: floats } = scratchViews;
  const least = width === 1 ? Math.min(rows, block) : width;
  if (least < shortest || width > longest || (rows !== Infinity && rows > mostRows)) {
    writeEach(floats, all, first, size);
    return [size, layout.endless, layout.endless, 0, 0];
  }
  const [toScales, toZeros] = [scalesByte / 4, zerosByte / 4];
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

/** @type {(all: Scales, first: number, size: number) => void} writes a float64 scale and zero point for each element */
export const writeExactScales = (all, first, size) => writeEach(scratchViews.Float64Array, all, first, size);

/** @typedef {Float32Array | Float64Array} Numbers */
/** @type {(floats: Numbers, at: number, length: number, source: Numbers, first: number, width: number) => void} */
function writeRun(floats, at, length, source, first, width) {
  if (width === 1) floats.fill(source[first], at, at + length);
  else floats.set(source.subarray(first, first + length), at);
}

/** The list begins anew at its end.
 * @type {(floats: Float32Array, at: number, count: number, source: Numbers, first: number) => void} */
function writeCyclic(floats, at, count, source, first) {
  for (let done = 0, from = first; done < count; from = 0) {
    const some = Math.min(count - done, source.length - from);
    floats.set(source.subarray(from, from + some), at + done);
    done += some;
  }
}

/** @type {(sharing: Sharing, element: number) => { row: number, column: number, scaleRow: number }} */
function rowOf({ width, rows, block }, element) {
  const row = Math.floor(element / width);
  const column = element - row * width;
  if (rows === Infinity) return { row: 0, column, scaleRow: 0 };
  const axis = Math.floor(row / rows);
  const inAxis = row - axis * rows;
  return { row: inAxis, column, scaleRow: axis * Math.ceil(rows / block) + Math.floor(inAxis / block) };
}
