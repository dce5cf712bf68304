/** Boxes of elements that are copied, as the engine takes them. */

/** @import { Box } from '../../engines/tensors/types.js' */

/** Makes the box that copies elements along axes, the fastest axis last. Each axis has its extent and its strides, in
 * elements, in the source and in the destination.
 * @type {(...axes: readonly (readonly [extent: number, from: number, to: number])[]) => Box} */
export const boxOf = (...axes) => ({
  extents: axes.map(([extent]) => extent),
  from: axes.map(([, from]) => from),
  to: axes.map(([, , to]) => to),
});
