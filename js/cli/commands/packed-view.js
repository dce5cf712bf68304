/** `--view-as`: bytes that pack elements of 4 or 2 bits, in files whose format has no such type. */
import { dtypes, Tensor } from '../../index.js';

/** @import { PackedName } from '../types.js' */

/** @type {(name: PackedName) => number} elements in a byte */
const perByte = (name) => 8 / dtypes[name].bits;

/** Views tensors of uint8 as packed elements of the type `name`, without a copy: the last axis gets 2 or 4 times as
 * long.
 * @type {(tensors: Tensor[], name: PackedName) => Tensor[]} */
export const unpackedView = (tensors, name) =>
  tensors.map(({ type, dims, data }) => {
    if (type !== 'uint8' || dims.length === 0)
      throw new TypeError(`IN must be uint8 with an axis for --view-as, got ${type} [${dims.join(', ')}]`);
    return new Tensor(name, data, [...dims.slice(0, -1), /** @type {number} */ (dims.at(-1)) * perByte(name)]);
  });

/** Views packed elements as bytes again.
 * @type {(result: Tensor | Tensor[], name: PackedName) => Tensor | Tensor[]} */
export const packed = (result, name) =>
  Array.isArray(result) ? result.map((piece) => packedTensor(piece, name)) : packedTensor(result, name);

/** Views packed elements as uint8, without a copy. Tensors of other types are returned as they are.
 * @type {(result: Tensor, name: PackedName) => Tensor} */
function packedTensor(result, name) {
  const { type, dims, data } = result;
  if (type !== name) return result;
  // A tensor without axes has one element, which is no whole byte, so it is refused.
  const last = dims.at(-1) ?? 1;
  if (last % perByte(name) !== 0) {
    const rule = `a last axis of a multiple of ${perByte(name)} to be packed`;
    throw new RangeError(`OUT must have ${rule}, got [${dims.join(', ')}]`);
  }
  return new Tensor('uint8', data, [...dims.slice(0, -1), last / perByte(name)]);
}
