/** How packed tensors become a matrix of weights again, tile by tile. */
import { dequantizeLinear } from '../../operators/index.js';
import { tensorOf } from '../../tensor/index.js';
import { byteLengthOf, Tiled } from '../../weights/index.js';
import { unpackMatMulNBits } from './matmul-nbits.js';

/** @import { CheckedTensor, Tensor } from '../../tensor/index.js' */
/** @import { Side } from '../../weights/types.js' */
/** @import { Packed } from './types.js' */
/** @import { Way } from '../types.js' */

/** @typedef {Pick<Side, 'dtype' | 'dims'>} Shape */

/** A matrix of weights that is unpacked. */
export class UnpackedWeights {
  /** @param {'MatMulNBits' | 'DequantizeLinear' | 'GatherBlockQuantized'} operator that takes the packed tensors
   * @param {Packed} packed
   * @param {string} name of the matrix */
  constructor(operator, packed, name) {
    const { sources, shapes, dims } = packed;
    const { dtype } = shapes[1];
    this.sources = sources;
    this.names = [name];
    this.tiled = new Tiled({ dims, ...(operator === 'MatMulNBits' ? nBitsWay(packed) : blockWay(operator, packed)) });
    this.before = shapes.reduce((sum, shape) => sum + byteLengthOf(shape), 0);
    this.after = byteLengthOf({ dtype, dims });
  }
}

/** @type {(parts: CheckedTensor) => Tensor} */
const tensorIn = ({ dtype, data, dims }) => tensorOf(dtype, data, dims);

/** @type {(operator: 'MatMulNBits' | 'DequantizeLinear' | 'GatherBlockQuantized', dims: readonly [rows: number,
 *   columns: number], bits: number, block: number) => [codes: number[], scales: number[], zeros: number[]]} */
export function packedDims(operator, [rows, columns], bits, block) {
  if (operator === 'MatMulNBits') {
    const count = Math.ceil(rows / block);
    const bytes = (block * bits) / 8;
    return [
      [columns, count, bytes],
      [columns, count],
      [columns, Math.ceil((count * bits) / 8)],
    ];
  }
  const scales =
    operator === 'DequantizeLinear' ? [Math.ceil(rows / block), columns] : [rows, Math.ceil(columns / block)];
  return [[rows, columns], scales, scales];
}

/** @type {(packed: Packed) => Way} Columns lie together in B, so tiles are as high as they are wide. */
function nBitsWay({ shapes, dims, bits, block }) {
  const [codes, scales, zeros] = shapes;
  // Tiles of so many blocks have zero points that fill whole bytes.
  const high = (block * 8) / bits;
  const transposed = /** @type {const} */ ({ axes: [1, 0], steps: [block, 1] });
  /** @type {Side[]} */
  const from = [
    { ...codes, ...transposed },
    { ...scales, ...transposed },
  ];
  if (zeros) from.push({ ...zeros, axes: [1, 0], steps: [high, 1] });
  return {
    ...{ units: [high, 1], isTall: true, from },
    to: [{ dtype: scales.dtype, dims, axes: [0, 1], steps: [1, 1], along: 0, widest: 32 }],
    make(parts, [K, N]) {
      const [B, factors, points] = parts.map(tensorIn);
      return [unpackMatMulNBits({ B, scales: factors, zero_points: points, K, N, bits, block_size: block })];
    },
  };
}

/** Blocks along an axis: of rows for DequantizeLinear, of columns for GatherBlockQuantized.
 * @type {(operator: 'DequantizeLinear' | 'GatherBlockQuantized', packed: Packed) => Way} */
function blockWay(operator, { shapes, dims, block }) {
  const [codes, scales, zeros] = shapes;
  const axis = operator === 'DequantizeLinear' ? 0 : 1;
  /** @type {[number, number]} */
  const units = [1, 1];
  units[axis] = block;
  const blocks = /** @type {const} */ ({ axes: [0, 1], steps: units });
  /** @type {Side[]} */
  const from = [
    { ...codes, axes: [0, 1], steps: [1, 1] },
    { ...scales, ...blocks },
  ];
  if (zeros) from.push({ ...zeros, ...blocks });
  return {
    ...{ units, from, to: [{ dtype: scales.dtype, dims, axes: [0, 1], steps: [1, 1], widest: 32 }] },
    make(parts) {
      const [x, factors, points] = parts.map(tensorIn);
      return [dequantizeLinear(x, factors, points, { axis, block_size: block })];
    },
  };
}
