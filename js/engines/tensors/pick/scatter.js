/** Rows of a tensor that take updates, by their numbers: the inverse of rows.js. A row is `run` elements that follow
 * one another; row r begins at element r * run. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { bytesOf } from '../../../arguments/index.js';
import { dtypes } from '../../../tensor/index.js';
import { doubleBytes, intBytes } from '../../memory/index.js';
import { callBlock, layout, scratchByte, scratchLike, scratchViews } from '../module.js';
import { checkRows, copyRows, longBytes } from './rows.js';
import { wordBytesOf, wordsOf } from '../moves/words.js';

/** @import { TypedArray } from '../../../arguments/types.js' */
/** @import { DType } from '../../../tensor/index.js' */
/** @import { Rows, ScatteredRows, ScatterReduction } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** Places of the kernel's memories in the scratch area, in bytes, behind the rows that are there. */
const updatesByte = 8 * 2 ** 20;
const numbersByte = 10 * 2 ** 20;
const workByte = 11 * 2 ** 20;
/** A result of at most so many bytes is staged as a whole, and changed by calls of at most so many bytes of updates,
 * and so many rows. */
const maxResultBytes = updatesByte;
const maxUpdateBytes = numbersByte - updatesByte;
const maxRowsPerCall = 2 ** 17;

/** Copies row k of the updates to row rows[k] of the result; of several updates of one row the last one stays. `bits`:
 * of an element; 0: strings. `size`: elements of the result.
 * @type {(bits: number, which: ScatteredRows, updates: TensorData, result: TensorData) => void} */
export function scatterRows(bits, { run, rows, size }, updates, result) {
  if (run === 0 || rows.length === 0) return;
  checkRows(bits, run * rows.length, 'read', updates);
  checkRows(bits, size, 'written', result);
  if (bits === 0) return scatterEntries(run, rows, updates, result);
  const rowBits = bits * run;
  if (rowBits % 8 !== 0) return scatterBits(rowBits, rows, bytesOf(updates), bytesOf(result));
  const rowBytes = rowBits / 8;
  const wordBytes = wordBytesOf(rowBytes, [updates, result]);
  const words = rowBytes / wordBytes;
  const [source, target] = [wordsOf(wordBytes, updates), wordsOf(wordBytes, result)];
  if (rowBytes < longBytes) return scatterEntries(words, rows, source, target);
  for (let k = 0; k < rows.length; k++) target.set(source.subarray(k * words, (k + 1) * words), rows[k] * words);
  return undefined;
}

/** Copies row k of the source to row rows[k] of the target, entry by entry; a row has `entries` of them. A row of 4
 * bytes takes 8 to 10 ns, by the scratch area 7 (measured).
 * @type {(entries: number, rows: Rows['rows'], source: TensorData, target: TensorData) => void} */
function scatterEntries(entries, rows, source, target) {
  if (entries === 1) for (let k = 0; k < rows.length; k++) target[rows[k]] = source[k];
  else
    for (let k = 0; k < rows.length; k++) {
      const from = k * entries;
      const to = rows[k] * entries;
      for (let i = 0; i < entries; i++) target[to + i] = source[from + i];
    }
}

/** Copies row k of the updates to row rows[k] of the result, bit by bit, for rows that are no whole bytes; the low bits
 * of a byte come first. A bit takes 11 ns in 4-bit rows (measured).
 * @type {(rowBits: number, rows: Rows['rows'], source: Uint8Array, result: Uint8Array) => void} */
function scatterBits(rowBits, rows, source, result) {
  for (let k = 0; k < rows.length; k++)
    for (let i = 0; i < rowBits; i++) {
      const from = k * rowBits + i;
      const to = rows[k] * rowBits + i;
      const isSet = ((source[Math.floor(from / 8)] >> (from % 8)) & 1) === 1;
      const byte = Math.floor(to / 8);
      const mask = 1 << (to % 8);
      if (isSet) result[byte] |= mask;
      else result[byte] &= ~mask;
    }
}

/** Joins row k of the updates with row rows[k] of the result, in the order of k: adds or multiplies them, or keeps the
 * greater or the lesser element, as `reduction` says. Changes the result in place.
 * @type {(dtype: DType, reduction: ScatterReduction, which: ScatteredRows, updates: TypedArray, result: TypedArray) =>
 *   void} */
export function reduceRows(dtype, reduction, { run, rows, size }, updates, result) {
  if (run === 0 || rows.length === 0) return;
  const { bits, format } = dtype;
  // Whether the kernel computes with the type as it is. Others go through its work memory, at most `maxElements` at a
  // time.
  const isPlain = format.kind === 'float' ? bits >= 32 : bits >= 8;
  const rowBytes = (bits * run) / 8;
  if (isPlain && result.byteLength <= maxResultBytes && rowBytes <= maxUpdateBytes)
    return reduceWhole(dtype, reduction, { run, rows, size }, updates, result);
  // Half of what a call takes, because a complex number is two floats for the kernel.
  const maxElements = Math.floor(layout.scatterElements / 2);
  if (run > maxElements) return reduceLongRows(dtype, reduction, { run, rows, size }, updates, result);
  const perCall = Math.min(layout.scatterRows, Math.floor(maxElements / run));
  for (let k = 0; k < rows.length; k += perCall) {
    const piece = rows.subarray(k, k + perCall);
    const updateRows = countFrom(k, piece.length);
    reducePiece(dtype, reduction, { run, size, rows: piece, updateRows }, updates, result);
  }
  return undefined;
}

/** Joins rows that are too long for a call: as rows of one element each.
 * @type {typeof reduceRows} */
function reduceLongRows(dtype, reduction, { run, rows, size }, updates, result) {
  const perCall = layout.scatterRows;
  for (let k = 0; k < rows.length; k++)
    for (let done = 0; done < run; done += perCall) {
      const count = Math.min(perCall, run - done);
      const elements = countFrom(rows[k] * run + done, count);
      const updateElements = countFrom(k * run + done, count);
      reducePiece(dtype, reduction, { run: 1, size, rows: elements, updateRows: updateElements }, updates, result);
    }
}

/** Lists the numbers `first` to `first + count - 1`. By a loop, which takes 2 of the 265 ns of a float16 row of
 * one element; `from` with a function takes ten times as long (measured).
 * @type {(first: number, count: number) => Float64Array} */
function countFrom(first, count) {
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}

/** Joins updates with a result that is copied into the scratch area whole, changed there, and copied back: 7 times
 * faster than staging rows (1M float32).
 * @type {typeof reduceRows} */
function reduceWhole(dtype, reduction, { run, rows }, updates, result) {
  const view = scratchLike(result);
  const entryBytes = result.BYTES_PER_ELEMENT;
  // Entries of a row in its array: an element of a complex type has two.
  const entries = (dtype.bits / 8 / entryBytes) * run;
  const perCall = Math.min(maxRowsPerCall, Math.floor(maxUpdateBytes / (entries * entryBytes)));
  view.set(result);
  for (let k = 0; k < rows.length; k += perCall) {
    const piece = rows.subarray(k, k + perCall);
    view.set(updates.subarray(k * entries, (k + piece.length) * entries), updatesByte / entryBytes);
    scratchViews.Uint32Array.set(piece, numbersByte / intBytes);
    writeCall(dtype, reduction, piece.length, run);
    layout.scatterInPlace();
  }
  result.set(view.subarray(0, result.length));
}

/** Writes the settings of the kernel's call to `callBlock`. For the kernel a complex number is two floats.
 * @type {(dtype: DType, reduction: ScatterReduction, rows: number, run: number) => void} */
function writeCall({ bits, code, format }, reduction, rows, run) {
  const isComplex = format.kind === 'complex';
  const floatOfComplex = bits === 64 ? dtypes.float32 : dtypes.float64;
  cpp.writeScatterCall(callBlock, {
    rows: {
      format: isComplex ? floatOfComplex.code : code,
      reduction: isComplex && reduction === 'mul' ? 'mulComplex' : reduction,
      rows,
      run: isComplex ? 2 * run : run,
    },
    numbers: scratchByte + numbersByte,
    updates: scratchByte + updatesByte,
    current: scratchByte,
    work: scratchByte + workByte,
  });
}

/** Joins some rows of `run` elements: copies them and their updates into the scratch area, calls the kernel, and copies
 * the rows back. `rows`: their numbers in the result, which has `size` elements; `updateRows`: their numbers in the
 * updates, ascending.
 * @type {(dtype: DType, reduction: ScatterReduction, which: ScatteredRows & { updateRows: Rows['rows'] },
 *   updates: TensorData, result: TensorData) => void} */
function reducePiece(dtype, reduction, { run, size, rows, updateRows }, updates, result) {
  const view = scratchLike(result);
  const staged = view.subarray(updatesByte / view.BYTES_PER_ELEMENT);
  copyRows(dtype.bits, { run, rows, size }, result, view);
  // `copyRows` checks that the updates reach to their last row of this call.
  const readSize = run * (updateRows[updateRows.length - 1] + 1);
  copyRows(dtype.bits, { run, rows: updateRows, size: readSize }, updates, staged);
  scratchViews.Float64Array.set(rows, numbersByte / doubleBytes);
  writeCall(dtype, reduction, rows.length, run);
  layout.scatter();
  scatterRows(dtype.bits, { run, rows, size }, view, result);
}
