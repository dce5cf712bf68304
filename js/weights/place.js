/** Elements written to a part of a result. */
import { arrayClasses } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { ready, strided, stridesOf } from '../engines/tensors/index.js';
import { moveElements } from '../operators/internal.js';
import { sizeOf } from '../tensor/index.js';

/** @import { Work } from './work.js' */
/** @import { Box, Elements } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** A part of a result: `data` holds all of it, `start` is the part's first element in it, and `strides` are those of
 * the result's axes, in elements.
 * @typedef {{ data: TensorData, start: number, strides: readonly number[] }} Part */

/** Reads a box of elements to a part of a result: straight to its place where that is one run of whole bytes, or else
 * to the memory that `work` keeps for `owner`, from where it is moved.
 * @type {(elements: Elements, box: Box, part: Part, work: Work, owner: unknown) => Promise<void>} */
export async function fillPart(elements, box, { data, start, strides }, work, owner) {
  const { dtype } = elements;
  const { counts } = box;
  const size = sizeOf(counts);
  if (size === 0) return;
  const boxStrides = stridesOf(counts);
  // An axis of one index has no neighbor, so its stride does not matter.
  const isRun = counts.every((count, i) => count === 1 || strides[i] === boxStrides[i]);
  const [from, to] = [(start * dtype.bits) / 8, ((start + size) * dtype.bits) / 8];
  const areBytesWhole = Number.isInteger(from) && Number.isInteger(to);
  // An Array, of strings, has no bytes to view.
  if (isRun && dtype.array !== 'Array' && areBytesWhole) {
    checkMemory('written', data, to);
    const ArrayClass = arrayClasses[dtype.array];
    const part = new ArrayClass(data.buffer, data.byteOffset + from, (to - from) / ArrayClass.BYTES_PER_ELEMENT);
    await elements.fill(box, part, work);
    return;
  }
  const source = work.buffer(owner, dtype, size);
  await elements.fill(box, source, work);
  if (dtype.array !== 'Array') ready();
  // The first element in both memories, then the strides in both.
  moveElements(dtype, strided, counts, [0, start, ...boxStrides, ...strides], [source], [data]);
}
