/** Numbers to quantized ones and back, piece by piece through the scratch area. */
import { arrayClasses, bytesBetween, bytesOf } from '../arguments/index.js';
import { dataLength, dtypes, newData } from '../tensor/index.js';
import { convertBytes } from './convert.js';
import { checkMemory } from './memory.js';
import { destinationByte, placeInLine, ready, scratch, scratchByte, scratchViews } from './module.js';
import { clearScales, eachRun, pieceElements, scalesByte, widened, writeScales, zerosByte } from './scales.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Scales } from './scales.js' */

/** Where the stages of a piece lie in the scratch area, in bytes; they take turns. */
const stages = Object.freeze([6 * 2 ** 20, 8 * 2 ** 20]);

/** @type {(at: number) => number} the stage that does not hold what lies at a place */
const stageBeside = (at) => (at === stages[0] ? stages[1] : stages[0]);

/**
 * What becomes what.
 * @typedef {object} Quantization
 * @property {DType} from
 * @property {DType} to
 * @property {number} size in elements
 * @property {Uint8Array} source
 * @property {Uint8Array} destination
 */
/**
 * How numbers are divided and rounded.
 * @typedef {object} Rounding
 * @property {DType} precision of the quotient: float32, float16, bfloat16; int32 for exact quotients
 * @property {boolean} saturate counts for float8
 */

/**
 * Numbers in another format: in memory of their own, or where they are if they have that format already.
 * @param {DType} from
 * @param {DType} to a float
 * @param {number} size in elements
 * @param {ArrayBufferView} source
 * @returns {any} of the class of `to`
 */
export function numbersAs(from, to, size, source) {
  checkMemory('read', source, Math.ceil((size * from.bits) / 8));
  const { buffer, byteOffset } = bytesOf(source);
  if (from === to) return new /** @type {any} */ (arrayClasses[to.array])(buffer, byteOffset, dataLength(to, size));
  const numbers = newData(to, size, undefined);
  convertBytes(from, to, size, bytesOf(source), bytesOf(numbers));
  return numbers;
}

/**
 * Quantizes. Each number is divided by its scale in a precision. To an integer, the quotient is rounded to nearest
 * even, the zero point added, and the sum saturated; to a float, the zero point is added in the precision, and the sum
 * rounded as Cast does it. See cpp/quantize/quantize.h.
 * @param {Quantization} work
 * @param {Scales} given in the precision; as float64 for exact quotients
 * @param {Rounding} rounding
 */
export function quantizeBytes(work, given, rounding) {
  const scales = widened(given);
  const { to } = work;
  const convert = converterOf(rounding.saturate);
  const { quantize } = ready();
  const isInteger = to.format.kind === 'int' && to.bits <= 16;
  inPieces(work, (front, last, first, count) => {
    if (rounding.precision === dtypes.int32) {
      convert(work.from, dtypes.float64, front, stages[0], count);
      quotientsOf(work.to, scales, first, count);
      return convert(dtypes.float64, to, stages[0], last, count);
    }
    const at = dividend(work.from, rounding.precision, convert, quantize, front, scales, first, count);
    const end = isInteger ? last : stageBeside(at);
    const grid = writeScales(scales, first, count);
    if (rounding.precision.bits === 16) clearScales(count);
    quantize(isInteger ? to.code : dtypes.float32.code, count, ...grid, ...addresses(at, end));
    if (isInteger) return undefined;
    return convert(dtypes.float32, to, roundedAt(rounding.precision, convert, end, count), last, count);
  });
}

/**
 * Goes through a tensor in pieces that fit the scratch area.
 * @param {Quantization} work
 * @param {(front: number, last: number, first: number, count: number) => void} fill makes `last` of `front`, both
 *   places in the scratch area in bytes
 */
function inPieces({ from, to, size, source, destination }, fill) {
  checkMemory('read', source, Math.ceil((size * from.bits) / 8));
  checkMemory('written', destination, Math.ceil((size * to.bits) / 8));
  const front = placeInLine(source, 0);
  const last = destinationByte + placeInLine(destination, 0);
  for (let first = 0; first < size; first += pieceElements) {
    const count = Math.min(pieceElements, size - first);
    scratch.set(bytesBetween(source, (first * from.bits) / 8, Math.ceil(((first + count) * from.bits) / 8)), front);
    fill(front, last, first, count);
    destination.set(bytesBetween(scratch, last, last + Math.ceil((count * to.bits) / 8)), (first * to.bits) / 8);
  }
}

/**
 * Converts within the scratch area.
 * @typedef {(from: DType, to: DType, at: number, end: number, count: number) => void} Convert
 */

/** @type {(saturate: boolean) => Convert} */
function converterOf(saturate) {
  const { convert, saturateFlag } = ready();
  return (from, to, at, end, count) =>
    convert(from.code, to.code, scratchByte + at, scratchByte + end, count, saturate ? saturateFlag : 0);
}

/** @type {(at: number, end: number) => [number, number, number, number]} */
const addresses = (at, end) => [scratchByte + at, scratchByte + scalesByte, scratchByte + zerosByte, scratchByte + end];

/**
 * What is rounded, as float32: the numbers themselves, or in a precision of 16 bits the quotients, which are rounded to
 * it. Dividing these by 1 changes nothing.
 * @param {DType} from
 * @param {DType} precision
 * @param {Convert} convert
 * @param {import('./module.js').Layout['quantize']} quantize
 * @param {number} front where the numbers lie
 * @param {Scales} scales
 * @param {number} first
 * @param {number} count
 * @returns {number} where they lie now
 */
function dividend(from, precision, convert, quantize, front, scales, first, count) {
  const isNarrow = precision.bits === 16;
  let [at, type] = [front, from];
  if (isNarrow && from !== precision) {
    convert(from, precision, at, stages[0], count);
    [at, type] = [stages[0], precision];
  }
  if (type !== dtypes.float32) {
    convert(type, dtypes.float32, at, stages[1], count);
    at = stages[1];
  }
  if (!isNarrow) return at;
  const grid = writeScales({ ...scales, zeros: undefined, defaultZeroPoint: -0 }, first, count);
  quantize(dtypes.float32.code, count, ...grid, ...addresses(at, stages[0]));
  return roundedAt(precision, convert, stages[0], count);
}

/**
 * Rounds float32 numbers to a precision.
 * @param {DType} precision
 * @param {Convert} convert
 * @param {number} at a stage
 * @param {number} count
 * @returns {number} where they lie now
 */
function roundedAt(precision, convert, at, count) {
  if (precision === dtypes.float32) return at;
  convert(dtypes.float32, precision, at, stageBeside(at), count);
  convert(precision, dtypes.float32, stageBeside(at), at, count);
  return at;
}

/** 1.5 * 2^52: a smaller float64 that it is added to and subtracted from is rounded to an integer, ties to even. */
const nearest = 1.5 * 2 ** 52;

/**
 * Divides the float64 numbers of the first stage, in place: quotients of 32-bit integers never round to a half. To an
 * integer they are rounded and saturated as well. To a float, a sum with a zero point is an int32, as the precision is.
 * @param {DType} to
 * @param {Scales} scales as float64
 * @param {number} first
 * @param {number} count
 */
function quotientsOf(to, { sharing, scales, zeros, defaultZeroPoint }, first, count) {
  const isInteger = to.format.kind === 'int';
  const lowest = to.format.kind === 'int' && to.format.signed ? -(2 ** (to.bits - 1)) : 0;
  const highest = lowest + 2 ** to.bits - 1;
  const doubles = scratchViews.Float64Array;
  const start = stages[0] / 8;
  eachRun(sharing, scales.length, first, count, (at, length, scale) => {
    const step = sharing.width === 1 ? 0 : 1;
    for (let i = 0; i < length; i++) {
      const quotient = doubles[start + at + i] / scales[scale + step * i];
      const zero = zeros ? zeros[scale + step * i] : defaultZeroPoint;
      // Saturated before it is rounded: NaN is not above the lowest number.
      const inside = quotient > lowest - zero ? Math.min(quotient, highest - zero) : lowest - zero;
      const sum = zeros ? Math.trunc(quotient + zero) + 0 : quotient;
      doubles[start + at + i] = isInteger ? inside + nearest - nearest + zero : sum;
    }
  });
}

/**
 * Dequantizes: the difference of each number and its zero point, as float32, times its scale, rounded to the result's
 * type. See cpp/quantize/quantize.h.
 * @param {Quantization} work
 * @param {Scales} given whose zero points are float64 for int32 numbers
 */
export function dequantizeBytes(work, given) {
  const scales = widened(given);
  const { from, to } = work;
  const convert = converterOf(true);
  const { dequantize } = ready();
  const isRead = from === dtypes.float32 || (from.format.kind === 'int' && from.bits <= 16);
  const isWide = from === dtypes.int32 && scales.zeros !== undefined;
  const multipliers = isWide ? { ...scales, zeros: undefined } : scales;
  inPieces(work, (front, last, first, count) => {
    if (isWide) writeDifferences(front, scales, first, count);
    else if (!isRead) convert(from, dtypes.float32, front, stages[0], count);
    const at = isRead ? front : stages[0];
    const grid = writeScales(multipliers, first, count);
    dequantize(isRead ? from.code : dtypes.float32.code, to.code, count, ...grid, ...addresses(at, last));
  });
}

/**
 * Writes the differences of int32 numbers and their zero points to the first stage: exact, then rounded to float32.
 * @param {number} front where the numbers lie
 * @param {Scales} scales with zero points as float64
 * @param {number} first
 * @param {number} count
 */
function writeDifferences(front, { sharing, scales, zeros }, first, count) {
  const floats = scratchViews.Float32Array;
  const words = new Int32Array(scratch.buffer, scratchByte, scratch.length / 4);
  eachRun(sharing, scales.length, first, count, (at, length, scale) => {
    const step = sharing.width === 1 ? 0 : 1;
    for (let i = 0; i < length; i++)
      floats[stages[0] / 4 + at + i] = words[front / 4 + at + i] - /** @type {any} */ (zeros)[scale + step * i];
  });
}

/**
 * The range of float32 numbers and 0, whatever NaN is among them.
 * @param {DType} from of the numbers
 * @param {number} size in elements
 * @param {Uint8Array} source
 * @returns {[lowest: number, highest: number]}
 */
export function rangeOf(from, size, source) {
  const { widenRange } = ready();
  const convert = converterOf(true);
  const range = scratchViews.Float32Array.subarray(scalesByte / 4, scalesByte / 4 + 2);
  range.fill(0);
  checkMemory('read', source, Math.ceil((size * from.bits) / 8));
  const front = placeInLine(source, 0);
  for (let first = 0; first < size; first += pieceElements) {
    const count = Math.min(pieceElements, size - first);
    scratch.set(bytesBetween(source, (first * from.bits) / 8, Math.ceil(((first + count) * from.bits) / 8)), front);
    if (from !== dtypes.float32) convert(from, dtypes.float32, front, stages[0], count);
    widenRange(count, scratchByte + (from === dtypes.float32 ? front : stages[0]), scratchByte + scalesByte);
  }
  return [range[0], range[1]];
}
