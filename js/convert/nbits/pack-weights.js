/** How a matrix of weights becomes packed tensors, tile by tile. */
import { show } from '../../arguments/index.js';
import { numbersAs } from '../../engines/tensors/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import { byteLengthOf, Tiled } from '../../weights/index.js';
import { packGather } from './gather-blocks.js';
import { columnsOf, nBitsOf, nBitsRule, packedCodes } from './matmul-nbits.js';
import { layoutOf } from './packed-layout.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { MatrixTensor } from '../../weights/types.js' */
/** @import { Weight } from '../model/types.js' */
/** @import { Matrix, Operator, Pack, Packing } from './types.js' */

/** The endings of the names of codes, scales and, unless codes are symmetric, zero points.
 * @type {(operator: Operator, packing: Packing) => string[]} */
export function endingsOf(operator, { bits, symmetric }) {
  const prefix = operator === 'DequantizeLinear' ? '_DQ' : '';
  const endings = [`${prefix}_Q${bits}`, `${prefix}_scales`];
  return symmetric ? endings : [...endings, `${prefix}_zero_points`];
}

/** The codes, scales and zero points of one matrix, which are made tile by tile when they are written. */
export class PackedWeights {
  /** @param {Operator} operator that takes the new tensors
   * @param {Packing} packing
   * @param {{ weight: Weight, path: string, stem: string, dims: Matrix }} matrix `path`: the weight's name in messages;
   *   `stem`: of the new names
   * @param {boolean} isMeasured whether errors are added up */
  constructor(operator, packing, { weight, path, stem, dims }, isMeasured) {
    const { dtype } = weight;
    const { bits, symmetric } = packing;
    const endings = endingsOf(operator, packing);
    const codeType = dtypes[/** @type {'int4'} */ (`${symmetric ? 'int' : 'uint'}${bits}`)];
    const { units, tensors } = layoutOf(operator, { ...packing, codes: codeType, scales: dtype }, dims);
    // One for each ending: zero points, the last tensor, are left out if codes are symmetric.
    const to = tensors.slice(0, endings.length);
    this.sources = [weight];
    this.dims = dims;
    this.names = endings.map((ending) => stem + ending);
    this.squares = 0;
    this.isMeasured = isMeasured;
    /** @type {MatrixTensor} */
    const matrix = { dtype, dims, axes: [0, 1], steps: [1, 1] };
    this.tiled = new Tiled({
      dims,
      units,
      from: [matrix],
      to,
      make: ([tile]) => {
        const rule = { ...packing, codes: codeType, measured: this.isMeasured };
        const { tensors, squares } = packers[operator](`weights ${show(path)}`, tile, rule);
        this.squares += squares;
        return tensors.slice(0, endings.length);
      },
    });
    this.before = byteLengthOf(matrix);
    this.after = to.reduce((sum, tensor) => sum + byteLengthOf(tensor), 0);
  }

  /** Gives the root-mean-square error of the codes when all tiles were made for the first time, and ends measuring:
   * tiles that are made later, to be written, are not added up.
   * @type {() => number} */
  finishRms() {
    const [rows, columns] = this.dims;
    this.isMeasured = false;
    return Math.sqrt(this.squares / Math.max(1, rows * columns));
  }
}

/** Pack a tile of weights to codes, scales and zero points, by the operator that takes them. Zero points of symmetric
 * codes are made too, and dropped by the caller. @type {Record<Operator, Pack>} */
const packers = {
  MatMulNBits(name, weights, rule) {
    const columns = columnsOf(name, weights, { ...nBitsRule(rule), measured: rule.measured });
    const { B, scales, zero_points: zeros } = nBitsOf(weights, columns, rule);
    return { tensors: [B, scales, /** @type {Tensor} */ (zeros)], squares: columns.squares };
  },

  /** Symmetric codes are signed, and their zero point is 0; others are rounded before the zero point is added. */
  DequantizeLinear(name, weights, { codes, measured, ...rule }) {
    const { dtype, dims } = weights;
    const { bits, block, symmetric } = rule;
    const [rows, width] = dims;
    const blockDims = [Math.ceil(rows / block), width];
    const lowest = symmetric ? -(2 ** (bits - 1)) : 0;
    const columns = columnsOf(name, weights, { ...rule, measured, lowest, after: false, joined: false, zero: 0 });
    const scales = numbersAs(dtypes.float32, dtype, columns.scales.length, columns.scales);
    // Codes of int8 stay in bytes: tiles are copied as bytes.
    const tensors = [
      tensorOf(codes, packedCodes(bits, columns.codes), dims),
      tensorOf(dtype, scales, blockDims),
      tensorOf(codes, packedCodes(bits, columns.zeros), blockDims),
    ];
    return { tensors, squares: columns.squares };
  },

  GatherBlockQuantized: packGather,
};
