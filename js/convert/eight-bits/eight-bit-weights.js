/** Weights as codes of 8 bits: their ranges, scales and zero points, and the codes, made when they are written. */
import { bytesOf, rangeError, show } from '../../arguments/index.js';
import { blockRanges, quantizeBytes } from '../../engines/tensors/index.js';
import { transpose } from '../../operators/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Change, Weight } from '../model/types.js' */
/** @import { Survey } from '../types.js' */

/** @typedef {'int8' | 'uint8'} Kind */
/** Which numbers of a weight share a scale. 'tensor': all; 'last': those of each index of the last axis; 'first': of
 * each index of the first axis; 'rows': of each pair of indexes of the first two axes.
 * @typedef {'tensor' | 'last' | 'first' | 'rows'} Grain */

/** Numbers of a block whose range is found at once: blockRanges has at most 120 * 2^10 numbers in wasm memory. */
const maxRange = 2 ** 16;
/** The least normal float32: onnxruntime's `compute_scale_zp` makes smaller scales 1, and the zero point 0. */
const minScale = 2 ** -126;

/** Rounds to the nearest integer, ties to even: a float64 at 1.5 * 2^52 has no fraction, so the sum is rounded. `value`
 * is below 2^51. */
const nearest = (/** @type {number} */ value) => value + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** Gives the lowest and the highest code, as onnxruntime's `get_qmin_qmax_for_qType` does: those of int8 are symmetric;
 * of 7 bits with reduce_range (`isReduced`).
 * @type {(kind: Kind, isReduced: boolean) => readonly [low: number, high: number]} */
function codesOf(kind, isReduced) {
  if (kind === 'uint8') return [0, isReduced ? 127 : 255];
  return isReduced ? [-64, 64] : [-127, 127];
}

/** Counts the scales of a weight: one for each group of numbers that share one; 1 for 'last' of a scalar, which has no
 * last axis. 'first' and 'rows' are of weights with three axes.
 * @type {(weight: Weight, grain: Grain) => number} */
function countScales({ dims }, grain) {
  if (grain === 'tensor') return 1;
  if (grain === 'last') return dims.at(-1) ?? 1;
  return grain === 'first' ? dims[0] : dims[0] * dims[1];
}

/** The scales and zero points of a weight. A survey of its numbers fills the arrays, whose entries are those of the
 * numbers that share a scale. The ranges `lows` and `highs` begin at 0, so that each has 0 in it. */
export class EightBitScales {
  /** @param {Weight} weight
   * @param {{ kind: Kind, isReduced: boolean, grain: Grain }} scaling */
  constructor(weight, { kind, isReduced, grain }) {
    const count = countScales(weight, grain);
    this.weight = weight;
    this.kind = kind;
    this.isReduced = isReduced;
    this.grain = grain;
    this.lows = new Float32Array(count);
    this.highs = new Float32Array(count);
    this.scales = new Float32Array(count);
    this.zeros = new Float32Array(count);
    this.zeroCodes = kind === 'int8' ? new Int8Array(count) : new Uint8Array(count);
  }

  /** Makes the survey that finds the range of each scale, and then computes the scales.
   * @type {() => Survey} */
  survey() {
    return {
      weight: this.weight,
      visit: (data, counts, first) => this.widen(/** @type {Float32Array} */ (data), counts, first),
      finish: () => this.finish(),
    };
  }

  /** Widens the ranges by the numbers of a piece, the box of `counts` elements of the weight from index `first` on. A
   * piece is never empty. The numbers become a matrix each of whose rows shares a scale.
   * @type {(data: Float32Array, counts: readonly number[], first: readonly number[]) => void} */
  widen(data, counts, first) {
    const { grain, weight } = this;
    const last = counts.at(-1) ?? 1;
    const rows = data.length / last;
    if (grain === 'tensor') return this.widenRows(data, 1, data.length, () => 0);
    if (grain === 'last') {
      // The numbers of a scale are a column: transposed, a row.
      const tensor = { type: /** @type {const} */ ('float32'), data, dims: [rows, last] };
      const columns = transpose(tensor, { strict: false }).data;
      const start = first.at(-1) ?? 0;
      return this.widenRows(columns, last, rows, (row) => start + row);
    }
    // Three axes: a row of the last one stands at two indexes, `outer` and `inner`.
    const [, height] = weight.dims;
    return this.widenRows(data, rows, last, (row) => {
      const [outer, inner] = [first[0] + Math.floor(row / counts[1]), first[1] + (row % counts[1])];
      return grain === 'first' ? outer : outer * height + inner;
    });
  }

  /** Widens ranges by the rows of a matrix [rows, columns]. `scaleIndexOf` gives the index of a row's scale. Refuses
   * numbers that are not finite.
   * @type {(data: Float32Array, rows: number, columns: number, scaleIndexOf: (row: number) => number) => void} */
  widenRows(data, rows, columns, scaleIndexOf) {
    // A row is searched in blocks, whose ranges are joined.
    const block = Math.min(columns, maxRange);
    const ranges = blockRanges(data, [rows, columns], block);
    if (!ranges) rangeError(`weights ${show(this.weight.name)} must hold finite numbers, got NaN or an infinity`);
    const blocks = Math.ceil(columns / block);
    for (let i = 0; i < rows * blocks; i++) {
      const index = scaleIndexOf(Math.floor(i / blocks));
      this.lows[index] = Math.min(this.lows[index], ranges[2 * i]);
      this.highs[index] = Math.max(this.highs[index], ranges[2 * i + 1]);
    }
  }

  /** Computes scales and zero points from the ranges, as onnxruntime's `compute_scale_zp` does, in float64. The codes
   * of int8 are symmetric: the zero point is 0, and the scale that of the greatest magnitude. */
  finish() {
    const [low, high] = codesOf(this.kind, this.isReduced);
    const isSymmetric = this.kind === 'int8';
    for (let i = 0; i < this.scales.length; i++) {
      const magnitude = Math.max(-this.lows[i], this.highs[i]);
      const [from, to] = isSymmetric ? [-magnitude, magnitude] : [this.lows[i], this.highs[i]];
      const scale = (to - from) / (high - low);
      const isTiny = scale < minScale;
      this.scales[i] = isTiny ? 1 : scale;
      this.zeros[i] = isTiny || isSymmetric ? 0 : nearest(low - from / scale);
      this.zeroCodes[i] = this.zeros[i];
    }
  }

  /** Writes the codes of a box of the weight: `source` has its numbers, `data` gets the codes. `counts`: the box's
   * extents; `first`: the indexes at which it begins.
   * @type {Change} */
  encode = (source, data, counts, first) => {
    const { grain, scales, zeros } = this;
    const last = counts.at(-1) ?? 1;
    const [start, end] = [first.at(-1) ?? 0, (first.at(-1) ?? 0) + last];
    if (grain === 'tensor') return this.encodeRun(source, data, scales, zeros, 1);
    if (grain === 'last')
      return this.encodeRun(source, data, scales.subarray(start, end), zeros.subarray(start, end), last);
    // LSTM's weights [directions, rows, columns], which come with the last two axes exchanged: the scales of the rows
    // repeat along the last axis.
    const height = this.weight.dims[1];
    const size = sizeOf(counts, 1);
    for (let i = 0; i < counts[0]; i++) {
      const outer = first[0] + i;
      const [from, to] = grain === 'first' ? [outer, outer + 1] : [outer * height + start, outer * height + end];
      const run = [source, data].map((list) => list.subarray(i * size, (i + 1) * size));
      this.encodeRun(run[0], run[1], scales.subarray(from, to), zeros.subarray(from, to), to - from);
    }
    return undefined;
  };

  /** Quantizes elements in their flat order. Element i has scale i % width, and the zero point of that scale. Codes
   * beyond the range of the type become its ends.
   * @type {(source: TypedArray, data: TypedArray, scales: Float32Array, zeros: Float32Array, width: number) =>
   *   void} */
  encodeRun(source, data, scales, zeros, width) {
    if (source.length === 0) return;
    const work = { from: dtypes.float32, to: dtypes[this.kind], size: source.length };
    // Scales repeat every `width` elements, to the end: no axis or block ends them.
    const sharing = { width, rows: Infinity, block: Infinity };
    quantizeBytes(
      { ...work, source: bytesOf(source), destination: bytesOf(data) },
      { sharing, scales, zeros, defaultZeroPoint: 0 },
      { precision: dtypes.float32, saturate: true },
    );
  }
}
