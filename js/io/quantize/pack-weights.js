/** How a matrix of weights becomes packed tensors, tile by tile. */
import { show } from '../../arguments/index.js';
import { numbersAs } from '../../engine/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import { byteLengthOf, Tiled } from '../../weights/index.js';
import { packGather } from './gather-blocks.js';
import { columnsOf, nBitsOf, nBitsRule, packed } from './matmul-nbits.js';
import { layoutOf } from './packed-layout.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Side } from '../../weights/types.js' */
/** @import { Matrix, Operator, Pack, Packing } from './types.js' */

/** Tensors that take the place of one matrix of weights. */
export class PackedWeights {
  /** @param {Operator} operator that takes the new tensors
   * @param {Packing} given
   * @param {string} weights the initializer's name
   * @param {DType} dtype
   * @param {Matrix} dims */
  constructor(operator, given, weights, dtype, dims) {
    const { bits, symmetric } = given;
    const count = symmetric ? 2 : 3;
    const codes = /** @type {any} */ (dtypes)[`${symmetric ? 'int' : 'uint'}${bits}`];
    const { units, sides } = layoutOf(operator, { ...given, codes, scales: dtype }, dims);
    const to = sides.slice(0, count);
    const stem = operator === 'DequantizeLinear' ? `${weights}_DQ` : weights;
    this.sources = [weights];
    this.dims = dims;
    this.names = [`${stem}_Q${bits}`, `${stem}_scales`, `${stem}_zero_points`].slice(0, count);
    this.squares = 0;
    this.isMeasured = true;
    /** @type {Side} */
    const matrix = { dtype, dims, axes: [0, 1], steps: [1, 1] };
    this.tiled = new Tiled({
      ...{ dims, units, from: [matrix], to },
      make: ([parts]) => {
        const how = { ...given, codes, measured: this.isMeasured };
        const { tensors, squares } = packers[operator](`weights ${show(weights)}`, parts, how);
        this.squares += squares;
        return tensors.slice(0, count);
      },
    });
    this.before = byteLengthOf(matrix);
    this.after = to.reduce((sum, side) => sum + byteLengthOf(side), 0);
  }

  /** @type {() => number} The root-mean-square error, after all tiles were made once. */
  rms() {
    const [rows, columns] = this.dims;
    // From now on tiles are made for the second time.
    this.isMeasured = false;
    return Math.sqrt(this.squares / Math.max(1, rows * columns));
  }
}

/** @type {Record<Operator, Pack>} Zero points of symmetric codes are not used. */
const packers = {
  MatMulNBits(name, parts, how) {
    const columns = columnsOf(name, parts, { ...nBitsRule(how), measured: how.measured });
    const { B, scales, zero_points: zeros } = nBitsOf(parts, columns, how);
    return { tensors: [B, scales, /** @type {any} */ (zeros)], squares: columns.squares };
  },

  DequantizeLinear(name, parts, { codes, measured, ...how }) {
    const { dtype, dims } = parts;
    const blocks = [Math.ceil(dims[0] / how.block), dims[1]];
    const lowest = how.symmetric ? -(2 ** (how.bits - 1)) : 0;
    const made = columnsOf(name, parts, { ...how, measured, lowest, after: false, joined: false, zero: 0 });
    // Codes of int8 stay in bytes: tiles are copied as bytes.
    const tensors = [
      tensorOf(codes, packed(how.bits, made.codes), dims),
      tensorOf(dtype, numbersAs(dtypes.float32, dtype, made.scales.length, made.scales), blocks),
      tensorOf(codes, packed(how.bits, made.zeros), blocks),
    ];
    return { tensors, squares: made.squares };
  },

  GatherBlockQuantized: packGather,
};
