/** Float32 matrices and rows whose numbers depend on their neighbors, in blocks that pass through the module. */
import { rangeError } from '../../arguments/index.js';
import { checkLength, doubleBytes, floatBytes, span } from '../memory/index.js';
import { kernels, pieces } from './module.js';
import { newNumbers, pieceLength } from './numbers.js';

/** @import { Class } from '../memory/index.js' */

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
    const count = Math.min(step, row.length - at);
    const first = Math.max(0, at - half);
    const end = Math.min(row.length, at + step + half);
    const piece = row.subarray(first, end);
    pieces.clear();
    const numbers = pieces.copyIn(piece, piece.byteLength);
    const deltas = pieces.allocate(piece.byteLength);
    kernels.make_deltas(numbers, piece.length, half, deltas);
    const before = at - first;
    result.set(pieces.view(Float32Array, deltas, piece.length).subarray(before, before + count), at);
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
  const maxColumns = Math.min(columns, 128);
  const maxRows = Math.min(rows, Math.floor(pieceLength / maxColumns));
  for (let row = 0; row < rows; row += maxRows) {
    const high = Math.min(maxRows, rows - row);
    for (let column = 0; column < columns; column += maxColumns) {
      const wide = Math.min(maxColumns, columns - column);
      const flipped = flipBlock(data, columns, row, column, high, wide);
      for (let i = 0; i < wide; i++) {
        const flippedRow = flipped.subarray(i * high, (i + 1) * high);
        to.set(flippedRow, (column + i) * stride + at + row);
      }
    }
  }
  return to;
}

/** Transposes the block of `high` rows and `wide` columns that begins at `row` and `column` of a matrix with `columns`
 * columns. Returns a view of the result [wide, high] in the module.
 * @type {(data: Float32Array, columns: number, row: number, column: number, high: number, wide: number) =>
 *   Float32Array} */
function flipBlock(data, columns, row, column, high, wide) {
  const length = high * wide;
  pieces.clear();
  const [block, flipped] = [pieces.allocate(floatBytes * length), pieces.allocate(floatBytes * length)];
  const blockView = pieces.view(Float32Array, block, length);
  // Rows that the block has whole follow one another in the matrix, so one copy takes all of them.
  const rowsPerCopy = wide === columns ? high : 1;
  for (let i = 0; i < high; i += rowsPerCopy) {
    const first = (row + i) * columns + column;
    blockView.set(data.subarray(first, first + rowsPerCopy * wide), i * wide);
  }
  kernels.flip_numbers(block, length, wide, flipped, high);
  return pieces.view(Float32Array, flipped, length);
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
    // Where the middle of result row i lies among the matrix's rows: scale * (i + 0.5) - 0.5, in torch's float32 steps.
    const scaledMiddle = Math.fround(scale * Math.fround(i + 0.5));
    const center = Math.fround(scaledMiddle - 0.5);
    const upper = Math.max(0, Math.floor(center));
    const lower = Math.min(upper + 1, rows - 1);
    pieces.clear();
    const [upperRow, lowerRow] = [upper, lower].map((row) =>
      pieces.copyIn(span(data, row * columns, (row + 1) * columns), floatBytes * columns),
    );
    const blended = pieces.allocate(floatBytes * width);
    const lowerWeight = Math.fround(Math.max(0, center) - upper);
    kernels.blend_rows(upperRow, lowerRow, lowerWeight, columns, width, blended);
    result.set(pieces.view(Float32Array, blended, width), i * width);
  }
  return result;
}

/** Bytes of a piece of all channels and of their mean. */
const meanBytes = 512 * 2 ** 10;

/** Averages channels of one length and class sample by sample, in the order of NumPy's mean over interleaved samples.
 * @template {Float32Array | Float64Array} T
 * @param {readonly T[]} channels
 * @param {T} [result] a new array if omitted
 * @returns {T} `result` */
export function meanOfChannels(channels, result = /** @type {T} */ (channels[0].slice())) {
  /** @type {Class<Float32Array | Float64Array>} */
  const ArrayClass = result.BYTES_PER_ELEMENT === 8 ? Float64Array : Float32Array;
  const sampleBytes = ArrayClass.BYTES_PER_ELEMENT;
  const takeMean = ArrayClass === Float64Array ? kernels.mean_of_wide_channels : kernels.mean_of_channels;
  const { length } = channels[0];
  for (const each of [...channels, result]) checkLength(each, length);
  // A sample of each channel, and their mean.
  const frameBytes = sampleBytes * (channels.length + 1);
  const maxFrames = Math.max(1, Math.floor(meanBytes / frameBytes));
  for (let at = 0; at < length; at += maxFrames) {
    const count = Math.min(maxFrames, length - at);
    pieces.clear();
    const samples = pieces.allocate(sampleBytes * count * channels.length);
    const samplesView = pieces.view(ArrayClass, samples, count * channels.length);
    channels.forEach((channel, c) => samplesView.set(channel.subarray(at, at + count), c * count));
    const mean = pieces.allocate(sampleBytes * count);
    const channelStride = count;
    takeMean(samples, channels.length, channelStride, count, mean);
    result.set(pieces.view(ArrayClass, mean, count), at);
  }
  return result;
}

/** Computes the cepstra of log spectra [rows, size]: the first `count` numbers of the orthonormal DCT-II of each row.
 * @type {(data: Float32Array, rows: number, size: number, count: number, to: Float32Array) => Float32Array} `to`, as
 *   [rows, count] */
export function cepstraOf(data, rows, size, count, to) {
  checkLength(data, rows * size);
  checkLength(to, rows * count);
  const maxRows = Math.max(1, Math.min(rows, Math.floor(pieceLength / size)));
  pieces.clear();
  const table = pieces.allocate(doubleBytes * size * count);
  const spectra = pieces.allocate(floatBytes * maxRows * size);
  const cepstra = pieces.allocate(floatBytes * maxRows * count);
  kernels.make_dct(size, count, table);
  const spectraView = pieces.view(Float32Array, spectra, maxRows * size);
  for (let row = 0; row < rows; row += maxRows) {
    const blockRows = Math.min(maxRows, rows - row);
    spectraView.set(data.subarray(row * size, (row + blockRows) * size));
    kernels.multiply_rows(spectra, blockRows, size, table, count, cepstra);
    to.set(pieces.view(Float32Array, cepstra, blockRows * count), row * count);
  }
  return to;
}
