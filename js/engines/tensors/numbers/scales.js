/**
 * Which scales the elements of a tensor have, and the scales of a piece in the scratch area.
 *
 * Elements come in rows of `width`; an axis has `rows` rows, and `block` rows in a turn share a row of scales, which
 * holds one scale for each column. See `Sharing` in types.ts.
 */
import { floatBytes } from '../../memory/index.js';
import { layout, scratchViews } from '../module.js';

/** @import { Grid, Scales, Sharing } from '../types.js' */

/** Places of a piece's scales and zero points in the scratch area, in bytes. */
export const scalesByte = 2 * 2 ** 20;
export const zerosByte = 4 * 2 ** 20;

/** Elements of a piece: 480 KiB of float32, as `conversionBytes` says. A multiple of 64. */
export const pieceElements = 120 * 2 ** 10;

/** Rows of at most so many scales go to the module as they are: of longer ones a piece would stage much that it does
 * not use. Their scales are copied run by run. */
const maxWidth = 16384;
/** The most rows of an axis that go to the module as they are: it counts them in 32 bits. */
const maxRows = 2 ** 30;
/** One row of scales for all elements is repeated up to this length: the module takes it 16 numbers at a time. */
const minWidth = 64;

/** Where all rows of elements share one row of scales, shorter than `minWidth`, repeats it so that it has at least
 * `minWidth` of them; others are returned as they are.
 * @type {(all: Scales) => Scales} */
export function widened(all) {
  const { sharing, scales, zeros } = all;
  const { width, rows } = sharing;
  const hasOneRow = rows === Infinity;
  // A width of 0 is that of an axis without elements. A single scale (width 1) needs no vector.
  const isShort = width > 1 && width < minWidth;
  if (!hasOneRow || !isShort) return all;
  const times = Math.ceil(minWidth / width);
  const numbers = { scales: repeated(scales, times), zeros: zeros && repeated(zeros, times) };
  return { ...all, ...numbers, sharing: { ...sharing, width: times * width } };
}

/** Makes a list that holds the numbers of another one `times` times.
 * @type {<List extends Float32Array | Float64Array>(list: List, times: number) => List} */
function repeated(list, times) {
  const ListClass = /** @type {new (length: number) => typeof list} */ (list.constructor);
  const result = new ListClass(times * list.length);
  for (let i = 0; i < times; i++) result.set(list, i * list.length);
  return result;
}

/** Copies the scales and zero points of a piece to their places in the scratch area, as float32. Returns how the
 * piece's elements share them, for the module. `first`, `size`: the piece's first element, and how many it has.
 * @type {(all: Scales, first: number, size: number) => Grid} */
export function writeScales(all, first, size) {
  const { sharing, scales, zeros, defaultZeroPoint } = all;
  const { width, rows, block } = sharing;
  const { Float32Array: floats } = scratchViews;
  const hasTooManyRows = rows !== Infinity && rows > maxRows;
  if (width > maxWidth || hasTooManyRows) {
    // One scale for each element: a single row as long as the piece.
    writeEach(floats, all, first, size);
    return { width: size, rows: layout.endless, block: layout.endless, row: 0, column: 0 };
  }
  const [toScales, toZeros] = [scalesByte / floatBytes, zerosByte / floatBytes];
  const firstPlace = locate(sharing, first);
  const lastPlace = locate(sharing, first + size - 1);
  // The rows of scales repeat where there are more blocks than rows of them.
  const firstScale = (firstPlace.scaleRow * width) % scales.length;
  const scaleRows = lastPlace.scaleRow - firstPlace.scaleRow + 1;
  const needed = scaleRows * width;
  writeCyclic(floats, toScales, needed, scales, firstScale);
  if (zeros) writeCyclic(floats, toZeros, needed, zeros, firstScale);
  else floats.fill(defaultZeroPoint, toZeros, toZeros + needed);
  // The module's number for Infinity.
  const { endless } = layout;
  const { row, column } = firstPlace;
  return { width, rows: Math.min(rows, endless), block: Math.min(block, endless), row, column };
}

/** @typedef {Float32Array | Float64Array} Numbers */
/** Writes a scale and a zero point for each element of a piece to their places in the scratch area, of which `numbers`
 * is a view. Float64 ones, which int32 numbers alone have, take 30 ns an element in blocks of 2; a kernel would add 550
 * bytes to the module (measured).
 * @type {(numbers: Numbers, all: Scales, first: number, size: number) => void} */
function writeEach(numbers, { sharing, scales, zeros, defaultZeroPoint }, first, size) {
  const { width, rows, block } = sharing;
  const toScales = scalesByte / numbers.BYTES_PER_ELEMENT;
  const toZeros = zerosByte / numbers.BYTES_PER_ELEMENT;
  let done = 0;
  while (done < size) {
    const { row, column, scaleRow } = locate(sharing, first + done);
    // Elements whose scales are one run: up to the end of their block or axis if a row is one element, else of their
    // row.
    const toBlockEnd = block - (row % block);
    const toRunEnd = width === 1 ? Math.min(rows - row, toBlockEnd) : width - column;
    const length = Math.min(toRunEnd, size - done);
    const firstScale = ((scaleRow * width) % scales.length) + column;
    writeRun(numbers, toScales + done, length, scales, firstScale, width);
    if (zeros) writeRun(numbers, toZeros + done, length, zeros, firstScale, width);
    done += length;
  }
  if (!zeros) numbers.fill(defaultZeroPoint, toZeros, toZeros + size);
}

/** @type {(all: Scales, first: number, size: number) => void} writes a float64 scale and zero point for each element */
export const writeExactScales = (all, first, size) => writeEach(scratchViews.Float64Array, all, first, size);

/** Writes the scales of `length` elements from entry `at` on: with rows of one element (`width` 1) the same one for
 * all, otherwise those that follow `first` in the source.
 * @type {(numbers: Numbers, at: number, length: number, source: Numbers, first: number, width: number) => void} */
function writeRun(numbers, at, length, source, first, width) {
  if (width === 1) numbers.fill(source[first], at, at + length);
  else numbers.set(source.subarray(first, first + length), at);
}

/** Copies `count` numbers of the source, from `first` on, to entry `at` and the next ones. Behind the end of the source
 * its first number comes again.
 * @type {(floats: Float32Array, at: number, count: number, source: Numbers, first: number) => void} */
function writeCyclic(floats, at, count, source, first) {
  let [done, from] = [0, first];
  while (done < count) {
    const runCount = Math.min(count - done, source.length - from);
    floats.set(source.subarray(from, from + runCount), at + done);
    done += runCount;
    from = 0;
  }
}

/** Finds where an element of the tensor lies: its row within its axis, its column, and the number of its row of scales,
 * counted over all blocks of all axes.
 * @type {(sharing: Sharing, element: number) => { row: number, column: number, scaleRow: number }} */
function locate({ width, rows, block }, element) {
  const row = Math.floor(element / width);
  const column = element - row * width;
  // All rows share one row of scales.
  if (rows === Infinity) return { row: 0, column, scaleRow: 0 };
  const axis = Math.floor(row / rows);
  const rowInAxis = row - axis * rows;
  const blocksPerAxis = Math.ceil(rows / block);
  const blockInAxis = Math.floor(rowInAxis / block);
  return { row: rowInAxis, column, scaleRow: axis * blocksPerAxis + blockInAxis };
}
