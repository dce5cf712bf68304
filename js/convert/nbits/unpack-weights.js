/** How packed tensors become a matrix of weights again, tile by tile. */
import { dequantizeLinear } from '../../operators/index.js';
import { tensorOf } from '../../tensor/index.js';
import { byteLengthOf, Tiled } from '../../weights/index.js';
import { unpackMatMulNBits } from './matmul-nbits.js';

/** @import { CheckedTensor, Tensor } from '../../tensor/index.js' */
/** @import { Operator, Packed } from './types.js' */

/** A matrix of plain weights, made of packed tensors tile by tile when it is written. */
export class UnpackedWeights {
  /** Describes how tiles of the packed tensors become tiles of the matrix; makes none yet. `before` and `after` are the
   * bytes of both, for the report.
   * @param {Operator} operator that takes the packed tensors
   * @param {Packed} packed
   * @param {string} name of the matrix */
  constructor(operator, { sources, layout, dims, bits, block }, name) {
    const { units, tensors: from } = layout;
    const [, scales] = from;
    // Weights have the type of their scales.
    const { dtype } = scales;
    const isNBits = operator === 'MatMulNBits';
    const to = {
      dtype,
      dims,
      axes: /** @type {const} */ ([0, 1]),
      steps: /** @type {const} */ ([1, 1]),
      // The axis along which codes lie side by side: MatMulNBits has those of a column together, the others of a row.
      contiguousAxis: isNBits ? 0 : 1,
      // Weights are float32 before they are rounded to their type.
      widestBits: 32,
    };
    this.sources = sources;
    this.names = [name];
    this.tiled = new Tiled({
      dims,
      units,
      from,
      // Tiles are as tall as they can be where codes lie side by side in columns.
      isTall: isNBits,
      to: [to],
      make: (tiles, tileDims) => [unpackTile(operator, { bits, block }, tiles, tileDims)],
    });
    this.before = from.reduce((sum, tensor) => sum + byteLengthOf(tensor), 0);
    this.after = byteLengthOf({ dtype, dims });
  }
}

/** Makes the weights of a tile of `rows` by `columns`. `packedTiles`: its codes, their scales, and their zero points,
 * if there are some. A scale is that of `block` rows, or of `block` columns for GatherBlockQuantized.
 * @type {(operator: Operator, packing: { bits: number, block: number }, packedTiles: CheckedTensor[], dims: [rows:
 *   number, columns: number]) => Tensor} */
function unpackTile(operator, { bits, block }, packedTiles, [rows, columns]) {
  const [codes, scales, zeros] = packedTiles.map(({ dtype, data, dims }) => tensorOf(dtype, data, dims));
  if (operator === 'MatMulNBits')
    return unpackMatMulNBits({ B: codes, scales, zero_points: zeros, K: rows, N: columns, bits, block_size: block });
  const blockAxis = operator === 'GatherBlockQuantized' ? 1 : 0;
  return dequantizeLinear(codes, scales, zeros, { axis: blockAxis, block_size: block });
}
