/** Float32 matrices and rows whose numbers depend on their neighbors, in blocks that pass through the module. */
import { rangeError } from '../../arguments/index.js';
import { checkLength, span } from '../memory/index.js';
import { kernels, pieces } from './module.js';
import { newNumbers, pieceLength } from './numbers.js';

/** Computes torchaudio's deltas of a row: at each number the slope of a line through it and `half` numbers on both
 * sides, where the row's ends are repeated.
 * @type {(row: Float32Array, half: number) => Float32Array} */
export function deltasOf(row, half) {
  const result = new Float32Array(row.length);
  // A piece has `half` numbers more on both sides, whose own slopes are dropped, so that the kernel repeats the ends of
  // a piece only where they are those of the row.
  const step = pieceLength - 2 * half;
  if (!(step >= 1)) rangeError(`delta_win_length must be at most ${pieceLength}, got ${2 * half + 1}`);
  for (let at = 0; at < row.length; at += step) {
    const first = Math.max(0, at - half);
    const piece = row.subarray(first, Math.min(row.length, at + step + half));
    pieces.clear();
    const from = pieces.put(piece, piece.byteLength);
    const to = pieces.space(4 * piece.length);
    kernels.make_deltas(from, piece.length, half, to);
    const deltas = pieces.view(Float32Array, to, piece.length);
    result.set(deltas.subarray(at - first, at - first + Math.min(step, row.length - at)), at);
  }
  return result;
}

/** Transposes a matrix [rows, columns] into `to`, block by block through the module. `to` is a matrix of `stride`
 * columns, in which the result [columns, rows] begins at column `at` of row 0.
 * @type {(data: Float32Array, rows: number, columns: number, to: Float32Array, at?: number, stride?: number) =>
 *   Float32Array} `to` */
export function flipNumbers(data, rows, columns, to, at = 0, stride = rows) {
  checkLength(data, rows * columns);
  checkLength(to, (columns - 1) * stride + at + rows);
  // A block of at most 128 columns has 256 rows or more, so that each copy to the result is 1 KB or longer.
  const wide = Math.min(columns, 128);
  const high = Math.min(rows, Math.floor(pieceLength / wide));
  for (let r = 0; r < rows; r += high) {
    const blockRows = Math.min(high, rows - r);
    for (let c = 0; c < columns; c += wide) {
      const blockColumns = Math.min(wide, columns - c);
      pieces.clear();
      const [from, flipped] = [1, 2].map(() => pieces.space(4 * blockRows * blockColumns));
      const source = pieces.view(Float32Array, from, blockRows * blockColumns);
      // Rows that the block has whole follow one another in the matrix, so one copy takes all of them.
      const step = blockColumns === columns ? blockRows : 1;
      for (let i = 0; i < blockRows; i += step) {
        const first = (r + i) * columns + c;
        source.set(data.subarray(first, first + step * blockColumns), i * blockColumns);
      }
      kernels.flip_numbers(from, blockRows * blockColumns, blockColumns, flipped, blockRows);
      const result = pieces.view(Float32Array, flipped, blockRows * blockColumns);
      for (let i = 0; i < blockColumns; i++)
        to.set(result.subarray(i * blockRows, (i + 1) * blockRows), (c + i) * stride + at + r);
    }
  }
  return to;
}

/** Resizes a matrix [rows, columns] to [height, width], as torch's bilinear interpolation without antialias does on
 * CPUs with fused multiply-add (align_corners false): each result row is blended of two rows.
 * @type {(data: Float32Array, size: [rows: number, columns: number], to: [height: number, width: number]) =>
 *   Float32Array} */
export function resizeRows(data, [rows, columns], [height, width]) {
  if (!(rows >= 1 && columns >= 1)) rangeError(`a matrix must have a row and a column, got [${rows}, ${columns}]`);
  checkLength(data, rows * columns);
  const result = newNumbers('the matrix', height * width);
  const scale = Math.fround(rows / height);
  for (let i = 0; i < height; i++) {
    // The middle of result row i in the matrix, in float32 steps as torch rounds them.
    const center = Math.fround(Math.fround(scale * Math.fround(i + 0.5)) - 0.5);
    const upper = Math.max(0, Math.floor(center));
    const lower = Math.min(upper + 1, rows - 1);
    pieces.clear();
    const [from, second] = [upper, lower].map((row) =>
      pieces.put(span(data, row * columns, (row + 1) * columns), 4 * columns),
    );
    const to = pieces.space(4 * width);
    // The weight of the lower row.
    const part = Math.fround(Math.max(0, center) - upper);
    kernels.blend_rows(from, second, part, columns, width, to);
    result.set(pieces.view(Float32Array, to, width), i * width);
  }
  return result;
}

/** Averages channels of one length and class sample by sample, in the order of NumPy's mean over interleaved samples.
 * @template {Float32Array | Float64Array} T
 * @param {readonly T[]} channels
 * @param {T} [result] a new array if omitted
 * @returns {T} `result` */
export function meanOfChannels(channels, result = /** @type {T} */ (channels[0].slice())) {
  /** @type {import('../memory/index.js').Class<Float32Array | Float64Array>} */
  const ArrayClass = result.BYTES_PER_ELEMENT === 8 ? Float64Array : Float32Array;
  const width = result.BYTES_PER_ELEMENT;
  const mean = ArrayClass === Float64Array ? kernels.mean_of_wide_channels : kernels.mean_of_channels;
  const { length } = channels[0];
  for (const each of [...channels, result]) checkLength(each, length);
  // All channels of a piece and their mean take 512 KB together.
  const step = Math.max(1, Math.floor((16 * pieceLength) / width / (channels.length + 1)));
  for (let at = 0; at < length; at += step) {
    const count = Math.min(step, length - at);
    pieces.clear();
    const from = pieces.space(width * count * channels.length);
    const samples = pieces.view(ArrayClass, from, count * channels.length);
    channels.forEach((channel, c) => samples.set(channel.subarray(at, at + count), c * count));
    const to = pieces.space(width * count);
    mean(from, channels.length, count, count, to);
    result.set(pieces.view(ArrayClass, to, count), at);
  }
  return result;
}

/** Computes the cepstra of log spectra [rows, size]: the first `count` numbers of the orthonormal DCT-II of each row.
 * @type {(data: Float32Array, rows: number, size: number, count: number, to: Float32Array) => Float32Array} `to`, as
 *   [rows, count] */
export function cepstraOf(data, rows, size, count, to) {
  checkLength(data, rows * size);
  checkLength(to, rows * count);
  const step = Math.max(1, Math.min(rows, Math.floor(pieceLength / size)));
  pieces.clear();
  const table = pieces.space(8 * size * count);
  const from = pieces.space(4 * step * size);
  const results = pieces.space(4 * step * count);
  kernels.make_dct(size, count, table);
  const block = pieces.view(Float32Array, from, step * size);
  for (let at = 0; at < rows; at += step) {
    const blockRows = Math.min(step, rows - at);
    block.set(data.subarray(at * size, (at + blockRows) * size));
    kernels.multiply_rows(from, blockRows, size, table, count, results);
    to.set(pieces.view(Float32Array, results, blockRows * count), at * count);
  }
  return to;
}
