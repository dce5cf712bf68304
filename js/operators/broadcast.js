/** Broadcasting of several tensors, as NumPy and ONNX have it. */
import { rangeError } from '../arguments/index.js';
import { stridesOf } from '../engine/index.js';
import { isUnknown } from './extents.js';

/** @import { Dim } from './extents.js' */

/**
 * The dims to which tensors broadcast: their axes are aligned at the back, and an extent of 1 fits any other. An open
 * extent is kept beside extents of 1 and beside itself; beside any other number it is that number.
 * @template {Dim} E
 * @param {string} what the inputs' names in messages
 * @param {readonly (readonly E[])[]} list the dims of each
 * @returns {E[]}
 * @throws {RangeError} two extents that differ, neither of them 1
 */
export function broadcastDims(what, list) {
  const rank = Math.max(...list.map(({ length }) => length));
  return Array.from({ length: rank }, (_, i) => {
    const extents = list.filter(({ length }) => i >= rank - length).map((dims) => dims[i - rank + dims.length]);
    const wide = extents.filter((extent) => !isUnknown(extent) && extent !== 1);
    if (wide.some((extent) => extent !== wide[0])) {
      const shown = list.map((dims) => `[${dims.map((extent) => extent ?? '?').join(', ')}]`);
      rangeError(`${what} must broadcast, got dims ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`);
    }
    if (wide.length > 0) return wide[0];
    const open = extents.filter((extent) => isUnknown(extent));
    if (open.length === 0) return /** @type {E} */ (1);
    return open.every((extent) => extent === open[0]) ? open[0] : /** @type {E} */ (null);
  });
}

/**
 * The strides by which a tensor is read as one of other dims.
 * @param {readonly number[]} dims
 * @param {readonly number[]} target to which they broadcast
 * @returns {number[]} 0 where an element is read again
 */
export function broadcastStrides(dims, target) {
  const strides = stridesOf(dims);
  const added = target.length - dims.length;
  return target.map((_, i) => (i < added || dims[i - added] === 1 ? 0 : strides[i - added]));
}
