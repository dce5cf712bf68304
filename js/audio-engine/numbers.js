/** Arithmetic on arrays of float32 numbers, in pieces that pass through the module. */
import { rangeError } from '../arguments/index.js';
import { doubles, floats, kernels, piecesByte } from './module.js';

/** How many numbers a piece has: 128 kB, which second caches hold. */
const pieceLength = 2 ** 15;
const inPiece = () => piecesByte / 4;

/** The changes of {@link mapNumbers}; see cpp/audio/numbers.h. */
export const maps = { multiply: 0, standardize: 1, standardizeWide: 2, raise: 3, raiseAfter: 4, range: 5 };

/**
 * Changes numbers in place.
 * @param {Float32Array} data
 * @param {number} map one of {@link maps}
 * @param {readonly number[]} constants a, b and c of the map
 * @param {number} [first]
 * @param {number} [end]
 */
export function mapNumbers(data, map, [a, b = 1, c = 1], first = 0, end = data.length) {
  for (let at = first; at < end; at += pieceLength) {
    const piece = data.subarray(at, Math.min(end, at + pieceLength));
    floats.set(piece, inPiece());
    kernels.map_numbers(map, piecesByte, piece.length, a, b, c);
    piece.set(floats.subarray(inPiece(), inPiece() + piece.length));
  }
}

/** How {@link reduceNumbers} sums; see cpp/audio/numbers.h. */
const reductions = {
  pairwise: 0,
  pairwiseSquares: 1,
  inOrder: 2,
  inOrderSquares: 3,
  wide: 4,
  wideSquares: 5,
  maximum: 6,
  largest: 7,
};

/**
 * @param {Float32Array} data
 * @param {number} reduction
 * @param {number} mean
 * @param {number} start
 */
function reducePiece(data, reduction, mean, start) {
  floats.set(data, inPiece());
  return kernels.reduce_numbers(reduction, piecesByte, data.length, mean, start);
}

/**
 * A sum in NumPy's pairwise order, whose halves are cut at the same places whatever the pieces.
 * @param {Float32Array} data
 * @param {number} reduction
 * @param {number} mean
 * @returns {number}
 */
function pairwise(data, reduction, mean) {
  const { length } = data;
  if (length <= pieceLength) return reducePiece(data, reduction, mean, 0);
  const half = Math.floor(length / 16) * 8;
  const first = pairwise(data.subarray(0, half), reduction, mean);
  return Math.fround(first + pairwise(data.subarray(half), reduction, mean));
}

/**
 * The sum or the largest of numbers.
 * @param {Float32Array} data
 * @param {keyof typeof reductions} how
 * @param {number} [mean] that is taken off each number before squares are summed
 * @param {number} [start]
 * @returns {number}
 */
export function reduceNumbers(data, how, mean = 0, start = how === 'maximum' ? -Infinity : 0) {
  const reduction = reductions[how];
  if (how === 'pairwise' || how === 'pairwiseSquares') return pairwise(data, reduction, mean);
  let result = start;
  for (let at = 0; at < data.length; at += pieceLength)
    result = reducePiece(data.subarray(at, at + pieceLength), reduction, mean, result);
  return result;
}

/**
 * Mean and variance as NumPy has them of float32 numbers: each step is rounded to float32.
 * @param {Float32Array} data
 * @param {'pairwise' | 'inOrder'} how
 * @param {number} [lost] the degrees of freedom that the variance lacks
 * @returns {[mean: number, variance: number]}
 */
export function meanAndVariance(data, how, lost = 0) {
  const { length } = data;
  const mean = Math.fround(reduceNumbers(data, how) / length);
  const squares = reduceNumbers(data, how === 'pairwise' ? 'pairwiseSquares' : 'inOrderSquares', mean);
  return [mean, Math.fround(squares / Math.max(length - lost, 0))];
}

/**
 * x[i] - c x[i - 1] in float32 steps, in place.
 * @param {Float32Array} data
 * @param {number} c
 * @param {number} before what stands before the first number
 */
export function emphasizeNumbers(data, c, before) {
  let previous = before;
  for (let at = 0; at < data.length; at += pieceLength) {
    const piece = data.subarray(at, at + pieceLength);
    const last = piece[piece.length - 1];
    floats.set(piece, inPiece());
    kernels.emphasize_numbers(piecesByte, piece.length, c, previous);
    piece.set(floats.subarray(inPiece(), inPiece() + piece.length));
    previous = last;
  }
}

/**
 * Fades a whole array out, in place.
 * @param {Float32Array} data
 */
export function fadeOut(data) {
  for (let at = 0; at < data.length; at += pieceLength) {
    const piece = data.subarray(at, at + pieceLength);
    floats.set(piece, inPiece());
    kernels.fade_out(piecesByte, piece.length, at, data.length);
    piece.set(floats.subarray(inPiece(), inPiece() + piece.length));
  }
}

/**
 * Adds what torch.randn gives of a generator with this seed, times a scale.
 * @param {Float32Array} data of at least 16 numbers
 * @param {number} seed
 * @param {number} scale
 */
export function addNormals(data, seed, scale) {
  const { length } = data;
  const normals = new Float32Array(length);
  const whole = length - (length % 16);
  const target = inPiece();
  kernels.seed_normals(seed);
  for (let at = 0; at < whole; at += pieceLength) {
    const count = Math.min(pieceLength, whole - at);
    kernels.fill_normals(piecesByte, count);
    normals.set(floats.subarray(target, target + count), at);
  }
  if (length > whole) {
    // torch fills a rest by 16 numbers of their own, which end where the array ends.
    kernels.skip_normals(length - whole);
    kernels.fill_normals(piecesByte, 16);
    normals.set(floats.subarray(target, target + 16), length - 16);
  }
  const second = target + pieceLength;
  for (let at = 0; at < length; at += pieceLength) {
    const piece = data.subarray(at, at + pieceLength);
    floats.set(piece, target);
    floats.set(normals.subarray(at, at + pieceLength), second);
    kernels.add_numbers(piecesByte, second * 4, piece.length, scale);
    piece.set(floats.subarray(target, target + piece.length));
  }
}

/**
 * torchaudio's deltas of a row that one piece holds.
 * @param {Float32Array} row
 * @param {number} half how many frames on both sides
 * @returns {Float32Array}
 */
export function deltasOf(row, half) {
  const result = new Float32Array(row.length);
  const target = inPiece();
  // Pieces overlap by what the neighbors read; their ends repeat inside a row only where the row ends.
  const step = pieceLength - 2 * half;
  if (step < 1) rangeError(`delta_win_length must be at most ${pieceLength}, got ${2 * half + 1}`);
  for (let at = 0; at < row.length; at += step) {
    const from = Math.max(0, at - half);
    const piece = row.subarray(from, Math.min(row.length, at + step + half));
    floats.set(piece, target);
    kernels.make_deltas(piecesByte, piece.length, half, (target + pieceLength) * 4);
    const shift = target + pieceLength + at - from;
    result.set(floats.subarray(shift, shift + Math.min(step, row.length - at)), at);
  }
  return result;
}

/**
 * [rows, columns] to [columns, rows].
 * @param {Float32Array} data
 * @param {number} rows
 * @param {number} columns below 2^15
 * @param {Float32Array} to
 * @param {number} [offset] where the result begins
 * @returns {Float32Array} `to`
 */
export function flipNumbers(data, rows, columns, to, offset = 0) {
  const target = inPiece();
  const second = target + pieceLength;
  // Blocks of few rows and all columns would scatter; blocks of all sides up to 128 stay in the first cache.
  const high = Math.min(rows, 128);
  const wide = Math.min(columns, 128);
  for (let r = 0; r < rows; r += high) {
    const blockRows = Math.min(high, rows - r);
    for (let c = 0; c < columns; c += wide) {
      const blockColumns = Math.min(wide, columns - c);
      for (let i = 0; i < blockRows; i++) {
        const from = (r + i) * columns + c;
        floats.set(data.subarray(from, from + blockColumns), target + i * blockColumns);
      }
      kernels.flip_numbers(piecesByte, blockRows, blockColumns, second * 4, blockRows);
      for (let i = 0; i < blockColumns; i++) {
        const from = second + i * blockRows;
        to.set(floats.subarray(from, from + blockRows), offset + (c + i) * rows + r);
      }
    }
  }
  return to;
}

/**
 * A matrix [rows, columns] at another size, as torch's bilinear interpolation without antialias has it on CPUs with
 * fused multiply-add.
 * @param {Float32Array} data
 * @param {number} rows
 * @param {number} columns
 * @param {number} height
 * @param {number} width
 * @returns {Float32Array} [height, width]
 */
export function resizeRows(data, rows, columns, height, width) {
  const result = new Float32Array(height * width);
  const scale = Math.fround(rows / height);
  const target = inPiece();
  for (let i = 0; i < height; i++) {
    const center = Math.fround(Math.fround(scale * Math.fround(i + 0.5)) - 0.5);
    const upper = Math.max(0, Math.floor(center));
    const lower = Math.min(upper + 1, rows - 1);
    floats.set(data.subarray(upper * columns, (upper + 1) * columns), target);
    floats.set(data.subarray(lower * columns, (lower + 1) * columns), target + columns);
    const part = Math.fround(Math.max(0, center) - upper);
    const to = target + 2 * columns;
    kernels.blend_rows(piecesByte, (target + columns) * 4, part, columns, width, to * 4);
    result.set(floats.subarray(to, to + width), i * width);
  }
  return result;
}

/**
 * The mean over channels, as NumPy makes it of interleaved samples.
 * @param {readonly Float32Array[]} channels of one length
 * @returns {Float32Array}
 */
export function meanOfChannels(channels) {
  const { length } = channels[0];
  const result = new Float32Array(length);
  const step = Math.floor((4 * pieceLength) / (channels.length + 1));
  const target = inPiece();
  const out = target + step * channels.length;
  for (let at = 0; at < length; at += step) {
    const count = Math.min(step, length - at);
    channels.forEach((channel, c) => floats.set(channel.subarray(at, at + count), target + c * step));
    kernels.mean_of_channels(piecesByte, channels.length, step, count, out * 4);
    result.set(floats.subarray(out, out + count), at);
  }
  return result;
}

/** Scalar functions with the module's own bits. */
export const decimalLog = (/** @type {number} */ x) => kernels.log10_of(x);
export const powerOf = (/** @type {number} */ x, /** @type {number} */ y) => kernels.power_of(x, y);

/**
 * Decibels of float64 numbers, in place.
 * @param {Float64Array} data
 * @param {number} factor
 * @param {number} least
 * @param {number} reference its logarithm
 */
export function decibelsOf(data, factor, least, reference) {
  for (let at = 0; at < data.length; at += pieceLength) {
    const piece = data.subarray(at, at + pieceLength);
    doubles.set(piece, piecesByte / 8);
    kernels.decibels(piecesByte, piece.length, factor, least, reference);
    piece.set(doubles.subarray(piecesByte / 8, piecesByte / 8 + piece.length));
  }
}

/**
 * Raises float64 numbers to a floor, in place.
 * @param {Float64Array} data
 * @param {number} floor
 */
export function raiseNumbers(data, floor) {
  for (let at = 0; at < data.length; at += pieceLength) {
    const piece = data.subarray(at, at + pieceLength);
    doubles.set(piece, piecesByte / 8);
    kernels.raise_doubles(piecesByte, piece.length, floor);
    piece.set(doubles.subarray(piecesByte / 8, piecesByte / 8 + piece.length));
  }
}

/**
 * The largest of float64 numbers, or NaN where one is NaN.
 * @param {Float64Array} data
 * @returns {number}
 */
export function largestOf(data) {
  let most = -Infinity;
  for (let at = 0; at < data.length; at += pieceLength) {
    const piece = data.subarray(at, at + pieceLength);
    doubles.set(piece, piecesByte / 8);
    most = kernels.raise_doubles(piecesByte, piece.length, most);
  }
  return most;
}
