/** Weights as codes of 8 bits: their ranges, scales and zero points, and the codes, made when they are written. */
import { bytesOf, rangeError, show } from '../../arguments/index.js';
import { blockRanges, quantizeBytes } from '../../engines/tensors/index.js';
import { transpose } from '../../operators/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';
import { nearestInteger } from '../nearest-integer.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Change, Weight } from '../model/types.js' */
/** @import { ReadPass } from '../types.js' */

/** @typedef {'int8' | 'uint8'} Kind */
/** Which numbers of a weight share a scale. 'tensor': all; 'last': those of each index of the last axis; 'first': of
 * each index of the first axis; 'rows': of each pair of indexes of the first two axes.
 * @typedef {'tensor' | 'last' | 'first' | 'rows'} Grain */

/** Endings of the names of a value's codes, their scale and their zero point, as in onnxruntime. */
export const codeEndings = { codes: '_quantized', scale: '_scale', zero: '_zero_point' };

/** Numbers of a block whose range is found at once: blockRanges has at most 120 * 2^10 numbers in wasm memory. */
const maxRange = 2 ** 16;
/** The least normal float32: onnxruntime's `compute_scale_zp` makes smaller scales 1, and the zero point 0. */
const minScale = 2 ** -126;

/** The lowest and the highest code of a type, of 7 bits where `isReduced`, as onnxruntime's `get_qmin_qmax_for_qType`.
 * @type {(kind: Kind, isReduced: boolean) => readonly [low: number, high: number]} */
function codeRange(kind, isReduced) {
  if (kind === 'uint8') return [0, isReduced ? 127 : 255];
  return isReduced ? [-64, 64] : [-127, 127];
}

/** Counts the scales of a weight. 'first' and 'rows' are of weights with three axes; a scalar has no last axis.
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
      visit: (data, counts, first) => this.widenRanges(/** @type {Float32Array} */ (data), counts, first),
      finish: () => this.computeScales(),
    };
  }

  /** Widens the range of each scale to the numbers of a box of the weight, of `counts` elements from index `first` on.
   * @type {(data: Float32Array, counts: readonly number[], first: readonly number[]) => void} */
  widenRanges(data, counts, first) {
    const { grain } = this;
    const columns = counts.at(-1) ?? 1;
    const rows = data.length / columns;
    if (grain === 'tensor') return this.widenRows(data, [1, data.length], () => 0);
    if (grain === 'last') {
      // The numbers of a scale are a column: transposed, a row.
      const tensor = { type: /** @type {const} */ ('float32'), data, dims: [rows, columns] };
      const transposed = transpose(tensor, { strict: false }).data;
      const firstColumn = first.at(-1) ?? 0;
      return this.widenRows(transposed, [columns, rows], (column) => firstColumn + column);
    }
    // A box of LSTM's weights [directions, height, columns]. A scale is that of a direction, or of one of its rows.
    const [, height] = this.weight.dims;
    const [firstDirection, firstRow] = first;
    const [, boxHeight] = counts;
    return this.widenRows(data, [rows, columns], (rowInBox) => {
      const direction = firstDirection + Math.floor(rowInBox / boxHeight);
      const row = firstRow + (rowInBox % boxHeight);
      return grain === 'first' ? direction : direction * height + row;
    });
  }

  /** Widens ranges to the rows of a matrix; the numbers of a row share the scale `scaleIndexOf(row)`.
   * @type {(data: Float32Array, dims: readonly [rows: number, columns: number], scaleIndexOf: (row: number) =>
   *   number) => void} */
  widenRows(data, [rows, columns], scaleIndexOf) {
    const block = Math.min(columns, maxRange);
    const ranges = blockRanges(data, [rows, columns], block);
    if (!ranges) rangeError(`weights ${show(this.weight.name)} must hold finite numbers, got NaN or an infinity`);
    const blocksInRow = Math.ceil(columns / block);
    for (let i = 0; i < rows * blocksInRow; i++) {
      const [low, high] = [ranges[2 * i], ranges[2 * i + 1]];
      const row = Math.floor(i / blocksInRow);
      const scaleIndex = scaleIndexOf(row);
      this.lows[scaleIndex] = Math.min(this.lows[scaleIndex], low);
      this.highs[scaleIndex] = Math.max(this.highs[scaleIndex], high);
    }
  }

  /** Computes scales and zero points from the ranges, in float64 as onnxruntime's `compute_scale_zp`. */
  computeScales() {
    const [lowCode, highCode] = codeRange(this.kind, this.isReduced);
    const isSymmetric = this.kind === 'int8';
    for (let i = 0; i < this.scales.length; i++) {
      const magnitude = Math.max(-this.lows[i], this.highs[i]);
      const [low, high] = isSymmetric ? [-magnitude, magnitude] : [this.lows[i], this.highs[i]];
      const scale = (high - low) / (highCode - lowCode);
      const isTiny = scale < minScale;
      this.scales[i] = isTiny ? 1 : scale;
      this.zeros[i] = isTiny || isSymmetric ? 0 : nearestInteger(lowCode - low / scale);
      this.zeroCodes[i] = this.zeros[i];
    }
  }

  /** Writes the codes of a box of the weight, of `counts` elements from index `first` on, to `data`.
   * @type {Change} */
  encode = (source, data, counts, first) => {
    const { grain } = this;
    const columns = counts.at(-1) ?? 1;
    const firstColumn = first.at(-1) ?? 0;
    if (grain === 'tensor') return this.encodeRun(source, data, { firstScale: 0, scaleCount: 1 });
    if (grain === 'last') return this.encodeRun(source, data, { firstScale: firstColumn, scaleCount: columns });
    // A box of LSTM's weights [directions, height, columns], with the last two axes exchanged: `columns` of the box are
    // rows of the weight, and their scales repeat from one row of the box to the next.
    const [, height] = this.weight.dims;
    const [directions] = counts;
    const [firstDirection] = first;
    const directionSize = sizeOf(counts, 1);
    for (let i = 0; i < directions; i++) {
      const direction = firstDirection + i;
      const [from, to] = [i * directionSize, (i + 1) * directionSize];
      const [numbers, codes] = [source.subarray(from, to), data.subarray(from, to)];
      const ofDirection = { firstScale: direction, scaleCount: 1 };
      const ofRows = { firstScale: direction * height + firstColumn, scaleCount: columns };
      this.encodeRun(numbers, codes, grain === 'first' ? ofDirection : ofRows);
    }
    return undefined;
  };

  /** Quantizes elements in their flat order: element i has the scale and the zero point `firstScale + i % scaleCount`.
   * Codes beyond the range of the type become its ends.
   * @type {(source: TypedArray, data: TypedArray, scales: { firstScale: number, scaleCount: number }) => void} */
  encodeRun(source, data, { firstScale, scaleCount }) {
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
