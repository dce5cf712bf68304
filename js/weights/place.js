/** Boxes of elements that are written to a part of a result. */
import { arrayClasses } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { ready, strided, stridesOf } from '../engines/tensors/index.js';
import { moveElements } from '../operators/internal.js';
import { sizeOf } from '../tensor/index.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Work } from './work.js' */
/** @import { Box, Elements } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** A part of a tensor in memory: `data` holds the whole tensor, `start` is the part's first element in it, and
 * `strides` are those of the part's axes, in elements.
 * @typedef {{ data: TensorData, start: number, strides: readonly number[] }} Part */

/** Moves elements of the given extents from one part to another.
 * @type {(dtype: DType, extents: readonly number[], from: Part, to: Part) => void} */
export function movePart(dtype, extents, from, to) {
  // Strings, which an Array holds, never enter the module.
  if (dtype.array !== 'Array') ready();
  const startsAndStrides = [from.start, to.start, ...from.strides, ...to.strides];
  moveElements(dtype, strided, extents, startsAndStrides, [from.data], [to.data]);
}

/** Reads a box of elements to a part of a result: straight to its place if the part is contiguous and consists of whole
 * bytes, or else to the memory that `work` keeps for `owner`, from where it is moved.
 * @type {(elements: Elements, box: Box, part: Part, work: Work, owner: unknown) => Promise<void>} */
export async function readToPart(elements, box, part, work, owner) {
  const { dtype } = elements;
  const { counts } = box;
  const { data, start, strides } = part;
  const size = sizeOf(counts);
  if (size === 0) return;
  const boxStrides = stridesOf(counts);
  // An axis of one index has no neighbor, so its stride does not matter.
  const isContiguous = counts.every((count, axis) => count === 1 || strides[axis] === boxStrides[axis]);
  const firstByte = (start * dtype.bits) / 8;
  const endByte = ((start + size) * dtype.bits) / 8;
  const areBytesWhole = Number.isInteger(firstByte) && Number.isInteger(endByte);
  // An Array, of strings, has no bytes to view.
  if (isContiguous && dtype.array !== 'Array' && areBytesWhole) {
    checkMemory('written', data, endByte);
    const ArrayClass = arrayClasses[dtype.array];
    const length = (endByte - firstByte) / ArrayClass.BYTES_PER_ELEMENT;
    await elements.readBox(box, new ArrayClass(data.buffer, data.byteOffset + firstByte, length), work);
    return;
  }
  const buffer = work.bufferFor(owner, dtype, size);
  await elements.readBox(box, buffer, work);
  movePart(dtype, counts, { data: buffer, start: 0, strides: boxStrides }, part);
}
