/** Float32 matrices and rows whose numbers depend on their neighbors, in blocks that pass through the module. */
import { rangeError } from '../arguments/index.js';
import { floats, halfBytes, kernels, piecesByte } from './module.js';
import { inPiece, pieceLength } from './numbers.js';

/** torchaudio's deltas of a row: slopes over `half` frames on both sides.
 * @type {(row: Float32Array, half: number) => Float32Array} */
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

/** [rows, columns] to [columns, rows], from column `at` on of a matrix with `stride` columns.
 * @type {(data: Float32Array, rows: number, columns: number, to: Float32Array, at?: number, stride?: number) =>
 *   Float32Array} */
export function flipNumbers(data, rows, columns, to, at = 0, stride = rows) {
  const target = inPiece();
  const second = target + pieceLength;
  // Blocks of few rows would scatter. Whole rows, of which a block has 256 or more, are one copy.
  const wide = Math.min(columns, 128);
  const high = Math.min(rows, Math.floor(pieceLength / wide));
  for (let r = 0; r < rows; r += high) {
    const blockRows = Math.min(high, rows - r);
    for (let c = 0; c < columns; c += wide) {
      const blockColumns = Math.min(wide, columns - c);
      const step = blockColumns === columns ? blockRows : 1;
      for (let i = 0; i < blockRows; i += step) {
        const from = (r + i) * columns + c;
        floats.set(data.subarray(from, from + step * blockColumns), target + i * blockColumns);
      }
      kernels.flip_numbers(piecesByte, blockRows * blockColumns, blockColumns, second * 4, blockRows);
      for (let i = 0; i < blockColumns; i++) {
        const from = second + i * blockRows;
        to.set(floats.subarray(from, from + blockRows), (c + i) * stride + at + r);
      }
    }
  }
  return to;
}

/** A matrix [rows, columns] at another size, as torch's bilinear interpolation without antialias has it on CPUs with
 * fused multiply-add.
 * @type {(data: Float32Array, size: [rows: number, columns: number], to: [height: number, width: number]) =>
 *   Float32Array} */
export function resizeRows(data, [rows, columns], [height, width]) {
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

/** The mean over channels of one length, as NumPy makes it of interleaved samples.
 * @type {(channels: readonly Float32Array[], result?: Float32Array) => Float32Array} */
export function meanOfChannels(channels, result = new Float32Array(channels[0].length)) {
  const { length } = channels[0];
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

/** The orthonormal DCT of each row of [rows, size], its first `count` numbers.
 * @type {(data: Float32Array, rows: number, size: number, count: number, to: Float32Array) => Float32Array} */
export function cepstraOf(data, rows, size, count, to) {
  const table = piecesByte + 4 * pieceLength;
  const results = table + 8 * size * count;
  const step = Math.floor(pieceLength / size);
  if (step < 1 || results + 4 * pieceLength > piecesByte + halfBytes)
    rangeError(`n_mels times n_mfcc must be smaller, got ${size} and ${count}`);
  kernels.make_dct(size, count, table);
  for (let at = 0; at < rows; at += step) {
    const some = Math.min(step, rows - at);
    floats.set(data.subarray(at * size, (at + some) * size), inPiece());
    kernels.multiply_rows(piecesByte, some, size, table, count, results);
    to.set(floats.subarray(results / 4, results / 4 + some * count), at * count);
  }
  return to;
}
