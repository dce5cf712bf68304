/** Weights as codes of 8 bits: their ranges, scales and zero points, and the codes, made when they are written. */
import { bytesOf, rangeError, show } from '../../arguments/index.js';
import { blockRanges, quantizeBytes } from '../../engines/tensors/index.js';
import { transpose } from '../../operators/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Change, Weight } from '../model/types.js' */
/** @import { ReadPass } from '../types.js' */

/** @typedef {'int8' | 'uint8'} Kind */
/** Which numbers of a weight share a scale. 'tensor': all; 'last': those of each index of the last axis; 'first': of
 * each index of the first axis; 'rows': of each pair of indexes of the first two axes.
 * @typedef {'tensor' | 'last' | 'first' | 'rows'} Grain */

/** Numbers of a block whose range is found at once: blockRanges has at most 120 * 2^10 numbers in wasm memory. */
const maxRange = 2 ** 16;
/** The least normal float32: onnxruntime's `compute_scale_zp` makes smaller scales 1, and the zero point 0. */
const minScale = 2 ** -126;

/** A float64 of this size has no fraction bits, so a sum with it is rounded, ties to even. `value` is below 2^51. */
const noFraction = 1.5 * 2 ** 52;
const nearest = (/** @type {number} */ value) => value + noFraction - noFraction;

/** As onnxruntime's `get_qmin_qmax_for_qType`, with reduce_range (`isReduced`) or without.
 * @type {(kind: Kind, isReduced: boolean) => readonly [low: number, high: number]} */
function codeRange(kind, isReduced) {
  if (kind === 'uint8') return [0, isReduced ? 127 : 255];
  return isReduced ? [-64, 64] : [-127, 127];
}

/** 'first' and 'rows' are of weights with three axes; a scalar has no last axis.
 * @type {(weight: Weight, grain: Grain) => number} */
function countScales({ dims }, grain) {
  if (grain === 'tensor') return 1;
  if (grain === 'last') return dims.at(-1) ?? 1;
  return grain === 'first' ? dims[0] : dims[0] * dims[1];
}

/** The scales and zero points of a weight, which a pass over its numbers computes. The ranges `lows` and `highs` begin
 * at 0, so that each has 0 in it. */
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

  /** Makes the pass over the weight that finds the ranges of its numbers, and then computes scales and zero points.
   * @type {() => ReadPass} */
  readPass() {
    return {
      weight: this.weight,
      visit: (data, counts, first) => this.widen(/** @type {Float32Array} */ (data), counts, first),
      finish: () => this.computeScales(),
    };
  }

  /** Widens the ranges by a box of the weight, of `counts` elements from index `first` on.
   * @type {(data: Float32Array, counts: readonly number[], first: readonly number[]) => void} */
  widen(data, counts, first) {
    const { grain } = this;
    const columns = counts.at(-1) ?? 1;
    const rows = data.length / columns;
    if (grain === 'tensor') return this.widenRows(data, 1, data.length, () => 0);
    if (grain === 'last') {
      // The numbers of a scale are a column: transposed, a row.
      const tensor = { type: /** @type {const} */ ('float32'), data, dims: [rows, columns] };
      const transposed = transpose(tensor, { strict: false }).data;
      const firstColumn = first.at(-1) ?? 0;
      return this.widenRows(transposed, columns, rows, (column) => firstColumn + column);
    }
    const [, height] = this.weight.dims;
    const [firstOuter, firstInner] = first;
    const [, boxHeight] = counts;
    return this.widenRows(data, rows, columns, (row) => {
      const outer = firstOuter + Math.floor(row / boxHeight);
      const inner = firstInner + (row % boxHeight);
      return grain === 'first' ? outer : outer * height + inner;
    });
  }

  /** Widens ranges by the rows of a matrix [rows, columns], each of which shares the scale `scaleIndexOf(row)`.
   * @type {(data: Float32Array, rows: number, columns: number, scaleIndexOf: (row: number) => number) => void} */
  widenRows(data, rows, columns, scaleIndexOf) {
    const block = Math.min(columns, maxRange);
    const ranges = blockRanges(data, [rows, columns], block);
    if (!ranges) rangeError(`weights ${show(this.weight.name)} must hold finite numbers, got NaN or an infinity`);
    const blocksInRow = Math.ceil(columns / block);
    for (let i = 0; i < rows * blocksInRow; i++) {
      const [low, high] = [ranges[2 * i], ranges[2 * i + 1]];
      const index = scaleIndexOf(Math.floor(i / blocksInRow));
      this.lows[index] = Math.min(this.lows[index], low);
      this.highs[index] = Math.max(this.highs[index], high);
    }
  }

  /** In float64, as onnxruntime's `compute_scale_zp`. */
  computeScales() {
    const [lowCode, highCode] = codeRange(this.kind, this.isReduced);
    const isSymmetric = this.kind === 'int8';
    for (let i = 0; i < this.scales.length; i++) {
      const magnitude = Math.max(-this.lows[i], this.highs[i]);
      const [low, high] = isSymmetric ? [-magnitude, magnitude] : [this.lows[i], this.highs[i]];
      const scale = (high - low) / (highCode - lowCode);
      const isTiny = scale < minScale;
      this.scales[i] = isTiny ? 1 : scale;
      this.zeros[i] = isTiny || isSymmetric ? 0 : nearest(lowCode - low / scale);
      this.zeroCodes[i] = this.zeros[i];
    }
  }

  /** Writes the codes of a box of the weight, of `counts` elements from index `first` on, to `data`.
   * @type {Change} */
  encode = (source, data, counts, first) => {
    const { grain } = this;
    const columns = counts.at(-1) ?? 1;
    const firstColumn = first.at(-1) ?? 0;
    if (grain === 'tensor') return this.encodeRun(source, data, 0, 1);
    if (grain === 'last') return this.encodeRun(source, data, firstColumn, columns);
    // LSTM's weights [directions, rows, columns], which come with the last two axes exchanged: the scales of the rows
    // repeat along the last axis.
    const height = this.weight.dims[1];
    const [directions] = counts;
    const directionSize = sizeOf(counts, 1);
    for (let i = 0; i < directions; i++) {
      const direction = first[0] + i;
      const [from, to] = [i * directionSize, (i + 1) * directionSize];
      const [numbers, codes] = [source.subarray(from, to), data.subarray(from, to)];
      if (grain === 'first') this.encodeRun(numbers, codes, direction, 1);
      else this.encodeRun(numbers, codes, direction * height + firstColumn, columns);
    }
    return undefined;
  };

  /** Quantizes elements in their flat order: element i has the scale and the zero point `firstScale + i % scaleCount`.
   * Codes beyond the range of the type become its ends.
   * @type {(source: TypedArray, data: TypedArray, firstScale: number, scaleCount: number) => void} */
  encodeRun(source, data, firstScale, scaleCount) {
    if (source.length === 0) return;
    const work = { from: dtypes.float32, to: dtypes[this.kind], size: source.length };
    const scales = this.scales.subarray(firstScale, firstScale + scaleCount);
    const zeros = this.zeros.subarray(firstScale, firstScale + scaleCount);
    // No axis or block ends the scales: they repeat to the end.
    const sharing = { width: scaleCount, rows: Infinity, block: Infinity };
    quantizeBytes(
      { ...work, source: bytesOf(source), destination: bytesOf(data) },
      { sharing, scales, zeros, defaultZeroPoint: 0 },
      { precision: dtypes.float32, saturate: true },
    );
  }
}
