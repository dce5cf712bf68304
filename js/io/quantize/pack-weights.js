/** How a matrix of weights becomes packed tensors, tile by tile. */
import { show } from '../../arguments/index.js';
import { numbersAs } from '../../engine/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import { byteLengthOf, Tiled } from '../../weights/index.js';
import { packGather } from './gather-blocks.js';
import { columnsOf, nBitsOf, nBitsRule, packed } from './matmul-nbits.js';

/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Side } from '../../weights/types.js' */
/** @import { Packing, Way, WayOptions } from './types.js' */

/** @typedef {readonly [rows: number, columns: number]} Matrix */

/** Tensors that take the place of one matrix of weights. */
export class PackedWeights {
  /** @param {'MatMulNBits' | 'DequantizeLinear' | 'GatherBlockQuantized'} operator that takes the new tensors
   * @param {Packing} given
   * @param {string} weights the initializer's name
   * @param {DType} dtype
   * @param {Matrix} dims */
  constructor(operator, given, weights, dtype, dims) {
    const name = `weights ${show(weights)}`;
    const { units, sides, suffixes, pack } = strategies[operator]({ name, given, dtype, dims });
    this.sources = [weights];
    this.dims = dims;
    this.sides = sides;
    this.names = suffixes.map((suffix) => `${weights}${suffix}`);
    this.squares = 0;
    this.isMeasured = true;
    /** @type {Side} */
    const matrix = { dtype, dims, axes: [0, 1], steps: [1, 1] };
    this.tiled = new Tiled({
      ...{ dims, units, from: [matrix], to: sides },
      make: ([parts]) => {
        const { tensors, squares } = pack(parts, this.isMeasured);
        this.squares += squares;
        return tensors;
      },
    });
    this.before = byteLengthOf(matrix);
    this.after = sides.reduce((sum, side) => sum + byteLengthOf(side), 0);
  }

  /** @type {() => number} The root-mean-square error, after all tiles were made once. */
  rms() {
    const [rows, columns] = this.dims;
    // From now on tiles are made for the second time.
    this.isMeasured = false;
    return Math.sqrt(this.squares / Math.max(1, rows * columns));
  }
}

/** @type {Record<'MatMulNBits' | 'DequantizeLinear' | 'GatherBlockQuantized', (options: WayOptions) => Way>} */
const strategies = { MatMulNBits: nBitsWay, DequantizeLinear: qdqWay, GatherBlockQuantized: gatherWay };

/** Pieces of B are whole columns, however many fit: along its blocks the file has neighbors far apart.
 * @type {(options: WayOptions) => Way} */
function nBitsWay({ name, given, dtype, dims: [K, N] }) {
  const { bits, block, symmetric } = given;
  const count = Math.ceil(K / block);
  // Tiles of so many blocks have zero points that fill whole bytes.
  const high = (block * 8) / bits;
  const transposed = /** @type {const} */ ({ axes: [1, 0], steps: [block, 1] });
  const codes = { dtype: dtypes.uint8, dims: [N, count, (block * bits) / 8], along: 1, widest: 16, ...transposed };
  const scales = { dtype, dims: [N, count], ...transposed };
  /** @type {Side} */
  const zeros = { dtype: dtypes.uint8, dims: [N, Math.ceil((count * bits) / 8)], axes: [1, 0], steps: [high, 1] };
  return {
    units: [high, 1],
    sides: symmetric ? [codes, scales] : [codes, scales, zeros],
    suffixes: [`_Q${bits}`, '_scales', '_zero_points'].slice(0, symmetric ? 2 : 3),
    pack(parts, measured) {
      const columns = columnsOf(name, parts, { ...nBitsRule(given), measured });
      const { B, scales: factors, zero_points: points } = nBitsOf(parts, columns, given);
      return { tensors: points ? [B, factors, points] : [B, factors], squares: columns.squares };
    },
  };
}

/** @type {(options: WayOptions) => Way} */
function qdqWay({ name, given, dtype, dims }) {
  const { bits, block, symmetric } = given;
  const type = codeType(bits, symmetric);
  const rule = { ...given, after: false, joined: false, lowest: symmetric ? -(2 ** (bits - 1)) : 0, zero: 0 };
  const blocks = (/** @type {readonly number[]} */ [rows, columns]) => [Math.ceil(rows / block), columns];
  /** @type {Side} */
  const codes = { dtype: type, dims, axes: [0, 1], steps: [1, 1] };
  /** @type {Side} */
  const scales = { dtype, dims: blocks(dims), axes: [0, 1], steps: [block, 1] };
  return {
    units: [block, 1],
    sides: symmetric ? [codes, scales] : [codes, scales, { ...scales, dtype: type }],
    suffixes: [`_DQ_Q${bits}`, '_DQ_scales', '_DQ_zero_points'].slice(0, symmetric ? 2 : 3),
    pack(parts, measured) {
      const columns = columnsOf(name, parts, { ...rule, measured });
      const own = numbersAs(dtypes.float32, dtype, columns.scales.length, columns.scales);
      const tensors = [
        codesTensor(type, columns.codes, parts.dims),
        tensorOf(dtype, own, blocks(parts.dims)),
        ...(symmetric ? [] : [codesTensor(type, columns.zeros, blocks(parts.dims))]),
      ];
      return { tensors, squares: columns.squares };
    },
  };
}

/** @type {(bits: number, symmetric: boolean) => DType} */
const codeType = (bits, symmetric) => /** @type {any} */ (dtypes)[`${symmetric ? 'int' : 'uint'}${bits}`];

/** Codes of int8 stay in bytes: tiles are copied as bytes.
 * @type {(type: DType, codes: Uint8Array, dims: number[]) => Tensor} */
const codesTensor = (type, codes, dims) => tensorOf(type, packed(type.bits, codes), dims);

/** @type {(options: WayOptions) => Way} */
function gatherWay({ name, given: { block, symmetric }, dtype, dims }) {
  const type = codeType(4, symmetric);
  /** @type {Side} */
  const codes = { dtype: type, dims, axes: [0, 1], steps: [1, 1] };
  /** @type {Side} */
  const scales = { dtype, dims: [dims[0], Math.ceil(dims[1] / block)], axes: [0, 1], steps: [1, block] };
  return {
    units: [1, block],
    sides: symmetric ? [codes, scales] : [codes, scales, { ...scales, dtype: type }],
    suffixes: ['_Q4', '_scales', '_zero_points'].slice(0, symmetric ? 2 : 3),
    pack(parts) {
      const { data, scales: factors, zero_points: points, squares } = packGather(name, parts, block, symmetric);
      return { tensors: points ? [data, factors, points] : [data, factors], squares };
    },
  };
}
