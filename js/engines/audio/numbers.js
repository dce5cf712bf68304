/** Arithmetic on arrays of numbers, in pieces that pass through the module. */
import { rangeError } from '../../arguments/index.js';
import * as cpp from '../../../dist/bridge/audio.js';
import { checkLength, floatBytes } from '../memory/index.js';
import { kernels, pieces } from './module.js';

/** @import { Class } from '../memory/index.js' */

/** @typedef {Float32Array | Float64Array} Floats */

/** No array of audio is longer: engines have no more for one. */
const mostNumbers = 2 ** 31 - 1;

/** Makes an array of zeros, of float32 numbers if no class is given. Refuses more than there is memory for.
 * @template {Float32Array | Float64Array | Int32Array | Uint8Array} [T=Float32Array]
 * @param {string} purpose the array in words, such as 'the matrix', for the message
 * @param {number} length
 * @param {new (length: number) => T} [Class]
 * @returns {T} */
export function newNumbers(
  purpose,
  length,
  Class = /** @type {new (length: number) => T} */ (/** @type {unknown} */ (Float32Array)),
) {
  try {
    if (length <= mostNumbers) return new Class(length);
  } catch {
    // The engine has no memory for it: refused below, in words of ours.
  }
  return rangeError(`${purpose} has ${length} numbers, more than there is memory for`);
}

/** How many numbers a piece has: 128 kB of float32, which second caches hold. */
export const pieceLength = 2 ** 15;

/** Changes numbers `first` to `end` of an array in place, piece by piece: copies a piece into the module, calls `work`,
 * which changes `count` numbers at an address there, and copies them back. `first` of `work`: the index in `data` of
 * the piece's first number.
 * @type {(data: Floats, work: (address: number, count: number, first: number) => void, first?: number, end?: number) =>
 *   void} */
function changeNumbers(data, work, first = 0, end = data.length) {
  /** @type {Class<Floats>} */
  const ArrayClass = data.BYTES_PER_ELEMENT === 8 ? Float64Array : Float32Array;
  checkLength(data, end);
  for (let done = first; done < end; done += pieceLength) {
    const piece = data.subarray(done, Math.min(end, done + pieceLength));
    pieces.clear();
    const at = pieces.copyIn(piece, piece.byteLength);
    work(at, piece.length, done);
    piece.set(pieces.view(ArrayClass, at, piece.length));
  }
}

/** Changes float32 numbers in place by one of the formulas of NumberMap (cpp/audio/numbers.h), with its constants a, b
 * and c.
 * @type {(data: Float32Array, map: (typeof cpp.NumberMap)[number], constants: readonly number[]) => void} */
export const mapNumbers = (data, map, [a, b = 1, c = 1]) =>
  changeNumbers(data, (at, count) => kernels.map_numbers(cpp.NumberMap.indexOf(map), at, count, a, b, c));

/** Reduces the numbers of one piece to a sum or a maximum, on top of `start`, the result of the pieces before. `mean`
 * is what sums of squares take off each number; `reduction` is an index in cpp.Reduction.
 * @type {(piece: Float32Array, reduction: number, mean: number, start: number) => number} */
function reducePiece(piece, reduction, mean, start) {
  pieces.clear();
  const numbers = pieces.copyIn(piece, piece.byteLength);
  return kernels.reduce_numbers(reduction, numbers, piece.length, mean, start);
}

/** Sums float32 numbers, or the squares of their distances from `mean`, in NumPy's pairwise order: more than a piece
 * are cut in halves as NumPy cuts them, at a multiple of 8.
 * @type {(data: Float32Array, reduction: number, mean: number) => number} */
function sumPairwise(data, reduction, mean) {
  const { length } = data;
  if (length <= pieceLength) return reducePiece(data, reduction, mean, 0);
  const half = Math.floor(length / 16) * 8;
  const firstSum = sumPairwise(data.subarray(0, half), reduction, mean);
  const secondSum = sumPairwise(data.subarray(half), reduction, mean);
  return Math.fround(firstSum + secondSum);
}

/** Reduces numbers to one, by a word of Reduction (cpp/audio/numbers.h): their sum in some order and precision, the sum
 * of the squares of x - mean, or a maximum. Without numbers a sum is 0, and a maximum -Infinity, or 0 of magnitudes.
 * @type {(data: Float32Array, order: (typeof cpp.Reduction)[number], mean?: number) => number} */
export function reduceNumbers(data, order, mean = 0) {
  const reduction = cpp.Reduction.indexOf(order);
  if (order.startsWith('pairwise')) return sumPairwise(data, reduction, mean);
  let result = order === 'maximum' ? -Infinity : 0;
  for (let at = 0; at < data.length; at += pieceLength)
    result = reducePiece(data.subarray(at, at + pieceLength), reduction, mean, result);
  return result;
}

/** Computes mean and variance as NumPy does of float32 numbers: each step is rounded to float32. `lost` is NumPy's
 * ddof: the squares are divided by the count less `lost`, or by 0 if that is negative.
 * @type {(data: Float32Array, order: 'pairwise' | 'inOrder', lost?: number) => [mean: number, variance: number]} */
export function meanAndVariance(data, order, lost = 0) {
  const { length } = data;
  const mean = Math.fround(reduceNumbers(data, order) / length);
  const squares = reduceNumbers(data, `${order}Squares`, mean);
  return [mean, Math.fround(squares / Math.max(length - lost, 0))];
}

/** Emphasizes high frequencies: replaces each x[i] by x[i] - c x[i - 1], in float32 steps, with 0 before the first.
 * @type {(data: Float32Array, c: number) => void} */
export function emphasizeNumbers(data, c) {
  let before = 0;
  changeNumbers(data, (at, count) => {
    // Read before the kernel changes it: the next piece needs the number as it was.
    const last = pieces.view(Float32Array, at, count)[count - 1];
    kernels.emphasize_numbers(at, count, c, before);
    before = last;
  });
}

/** Fades an array out in place: multiplies it with a line from 1 at its first number to 0 at its last.
 * @type {(data: Float32Array) => void} */
export const fadeOut = (data) =>
  changeNumbers(data, (at, count, first) => kernels.fade_out(at, count, first, data.length));

/** torch draws so many normal numbers at a time. */
const normalsPerGroup = 16;

/** Adds torch.randn's numbers after torch.manual_seed(seed), times `scale`, to at least 16 numbers, in place.
 * @type {(data: Float32Array, seed: number, scale: number) => void} */
export function addNormals(data, seed, scale) {
  const { length } = data;
  const normals = new Float32Array(length);
  const restLength = length % normalsPerGroup;
  kernels.seed_normals(seed);
  changeNumbers(normals, (at, count) => kernels.fill_normals(at, count), 0, length - restLength);
  if (restLength > 0) {
    // torch has drawn uniform numbers for the rest, but then draws a whole group, which overwrites the array's last
    // numbers.
    kernels.skip_normals(restLength);
    changeNumbers(normals, (at) => kernels.fill_normals(at, normalsPerGroup), length - normalsPerGroup);
  }
  changeNumbers(data, (at, count, first) => {
    const noise = pieces.copyIn(normals.subarray(first, first + count), floatBytes * count);
    kernels.add_numbers(at, noise, count, scale);
  });
}

/** The decimal logarithm and the power, computed by the module: the same bits in all engines. */
export const decimalLog = (/** @type {number} */ x) => kernels.log10_of(x);
export const powerOf = (/** @type {number} */ x, /** @type {number} */ y) => kernels.power_of(x, y);

/** Converts float64 numbers to decibels, in place: factor * (log10(max(x, least)) - reference), where `reference` is
 * the logarithm of the number that has 0 decibels.
 * @type {(data: Float64Array, factor: number, least: number, reference: number) => void} */
export const decibelsOf = (data, factor, least, reference) =>
  changeNumbers(data, (at, count) => kernels.decibels(at, count, factor, least, reference));

/** Raises float64 numbers in place, so that none is more than `range` below the largest of them.
 * @type {(data: Float64Array, range: number) => void} */
export function limitRange(data, range) {
  let maximum = -Infinity;
  // On a copy: the kernel returns the largest number, but also raises all numbers to the bound that it gets.
  changeNumbers(data.slice(), (at, count) => {
    maximum = kernels.raise_doubles(at, count, maximum);
  });
  changeNumbers(data, (at, count) => kernels.raise_doubles(at, count, maximum - range));
}
