/** Weights as codes of 8 bits: their ranges, scales and zero points, and the codes, made when they are written. */
import { bytesOf, rangeError, show } from '../../arguments/index.js';
import { blockRanges, quantizeBytes } from '../../engines/tensors/index.js';
import { transpose } from '../../operators/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Change, Weight } from '../model/types.js' */
/** @import { Survey } from '../types.js' */

/** @typedef {'int8' | 'uint8'} Kind */
/** Which numbers share a scale: all, those of each index of the last axis, of the first, or of the first two.
 * @typedef {'tensor' | 'last' | 'first' | 'rows'} Grain */

/** Most numbers of a range that the module finds at once. */
const maxRange = 2 ** 16;
/** The least normal float32: smaller scales count as 1. */
const minScale = 2 ** -126;

/** The nearest integer, ties to even, of a number below 2^51. */
const nearest = (/** @type {number} */ value) => value + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** The lowest and the highest code; with reduce_range of 7 bits, as onnxruntime has them.
 * @type {(kind: Kind, isReduced: boolean) => readonly [low: number, high: number]} */
function codesOf(kind, isReduced) {
  if (kind === 'uint8') return [0, isReduced ? 127 : 255];
  return isReduced ? [-64, 64] : [-127, 127];
}

/** The number of scales of a weight. @type {(weight: Weight, grain: Grain) => number} */
function scalesOf({ dims }, grain) {
  if (grain === 'tensor') return 1;
  if (grain === 'last') return dims.at(-1) ?? 1;
  return grain === 'first' ? dims[0] : dims[0] * dims[1];
}

/** The scales of a weight, filled by a survey of its numbers. */
export class EightBitScales {
  /** @param {Weight} weight
   * @param {{ kind: Kind, isReduced: boolean, grain: Grain }} scaling */
  constructor(weight, { kind, isReduced, grain }) {
    const count = scalesOf(weight, grain);
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

  /** A survey that finds the range of each scale. @type {() => Survey} */
  survey() {
    return {
      weight: this.weight,
      visit: (data, counts, first) => this.widen(/** @type {Float32Array} */ (data), counts, first),
      finish: () => this.finish(),
    };
  }

  /** Widens the range of each scale by the numbers of a piece: `counts` of the weight's elements from `first` on.
   * @type {(data: Float32Array, counts: readonly number[], first: readonly number[]) => void} */
  widen(data, counts, first) {
    const { grain, weight } = this;
    const last = counts.at(-1) ?? 1;
    const rows = data.length / last;
    if (grain === 'tensor') return this.widenRows(data, 1, data.length, () => 0);
    if (grain === 'last') {
      const tensor = { type: /** @type {const} */ ('float32'), data, dims: [rows, last] };
      const columns = transpose(tensor, { strict: false }).data;
      const start = first.at(-1) ?? 0;
      return this.widenRows(columns, last, rows, (row) => start + row);
    }
    const [, height] = weight.dims;
    return this.widenRows(data, rows, last, (row) => {
      const [outer, inner] = [first[0] + Math.floor(row / counts[1]), first[1] + (row % counts[1])];
      return grain === 'first' ? outer : outer * height + inner;
    });
  }

  /** Widens ranges by the rows of a matrix; `groupOf` gives the place of a row's scale.
   * @type {(data: Float32Array, rows: number, columns: number, groupOf: (row: number) => number) => void} */
  widenRows(data, rows, columns, groupOf) {
    const block = Math.min(columns, maxRange);
    const ranges = blockRanges(data, [rows, columns], block);
    if (!ranges) rangeError(`weights ${show(this.weight.name)} must hold finite numbers, got NaN or an infinity`);
    const blocks = Math.ceil(columns / block);
    for (let i = 0; i < rows * blocks; i++) {
      const group = groupOf(Math.floor(i / blocks));
      this.lows[group] = Math.min(this.lows[group], ranges[2 * i]);
      this.highs[group] = Math.max(this.highs[group], ranges[2 * i + 1]);
    }
  }

  /** Computes scales and zero points from the ranges, by onnxruntime's rule, in float64. */
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

  /** Writes the codes of a box of the weight. @type {Change} */
  encode = (source, data, counts, first) => {
    const { grain, scales, zeros } = this;
    const last = counts.at(-1) ?? 1;
    const [start, end] = [first.at(-1) ?? 0, (first.at(-1) ?? 0) + last];
    if (grain === 'tensor') return this.encodeRun(source, data, scales, zeros, 1);
    if (grain === 'last')
      return this.encodeRun(source, data, scales.subarray(start, end), zeros.subarray(start, end), last);
    // LSTM's weights, whose last two axes are exchanged.
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

  /** Quantizes elements; `width` scales repeat from element to element.
   * @type {(source: TypedArray, data: TypedArray, scales: Float32Array, zeros: Float32Array, width: number) =>
   *   void} */
  encodeRun(source, data, scales, zeros, width) {
    if (source.length === 0) return;
    const work = { from: dtypes.float32, to: dtypes[this.kind], size: source.length };
    const sharing = { width, rows: Infinity, block: Infinity };
    quantizeBytes(
      { ...work, source: bytesOf(source), destination: bytesOf(data) },
      { sharing, scales, zeros, defaultZeroPoint: 0 },
      { precision: dtypes.float32, saturate: true },
    );
  }
}
