/** How packed tensors become a matrix of weights again, tile by tile. */
import { dequantizeLinear } from '../../operators/index.js';
import { tensorOf } from '../../tensor/index.js';
import { byteLengthOf, Tiled } from '../../weights/index.js';
import { unpackMatMulNBits } from './matmul-nbits.js';

/** @import { Operator, Packed } from './types.js' */

export class UnpackedWeights {
  /** @param {Operator} operator that takes the packed tensors
   * @param {Packed} packed
   * @param {string} name of the matrix */
  constructor(operator, { sources, layout, dims, bits, block }, name) {
    const { units, sides: from } = layout;
    const [, { dtype }] = from;
    const isNBits = operator === 'MatMulNBits';
    this.sources = sources;
    this.names = [name];
    this.tiled = new Tiled({
      ...{ dims, units, from },
      // MatMulNBits has the codes of a column together, the other operators those of a row.
      isTall: isNBits,
      // Weights are float32 before they are rounded to their type.
      to: [{ dtype, dims, axes: [0, 1], steps: [1, 1], along: isNBits ? 0 : 1, widest: 32 }],
      make(tiles, [K, N]) {
        const [codes, scales, zeros] = tiles.map((part) => tensorOf(part.dtype, part.data, part.dims));
        if (isNBits)
          return [unpackMatMulNBits({ B: codes, scales, zero_points: zeros, K, N, bits, block_size: block })];
        const axis = operator === 'DequantizeLinear' ? 0 : 1;
        return [dequantizeLinear(codes, scales, zeros, { axis, block_size: block })];
      },
    });
    this.before = from.reduce((sum, tensor) => sum + byteLengthOf(tensor), 0);
    this.after = byteLengthOf({ dtype, dims });
  }
}
