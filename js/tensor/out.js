/** `out`: tensors of the caller's that results are written to. */
import { isSame, overlap, rangeError, showClass, showList, typeError } from '../arguments/index.js';
import { checkLength, readTensor } from './read-tensor.js';

/** @import { DType } from './dtypes.js' */
/** @import { CheckedTensor } from './read-tensor.js' */

/** Reads a tensor that a result is to be written to: it must have the result's `dtype` and `dims`. The length of the
 * data is checked later, by `checkOut`.
 * @type {(argument: string, value: unknown, dtype: DType, dims: number[]) => CheckedTensor} */
export function readOut(argument, value, dtype, dims) {
  const out = readTensor(argument, value, ({ name }) => {
    if (name !== dtype.name) typeError(`${argument} type must be ${dtype.name}, got ${name}`);
  });
  if (!isSame(out.dims, dims)) rangeError(`${argument} dims must be ${showList(dims)}, got ${showList(out.dims)}`);
  // A typed array with elements cannot be frozen.
  if (Array.isArray(out.data) && Object.isFrozen(out.data))
    typeError(`${argument} data must be writable, got a frozen Array`);
  return out;
}

/** Reads an option `out` that holds a tensor for each of several results of one type, as {@link readOut} does.
 * @type {(value: unknown, dtype: DType, pieces: { dims: number[] }[]) => CheckedTensor[]} */
export function readOuts(value, dtype, pieces) {
  if (!Array.isArray(value)) typeError(`out must be an array of tensors, got ${showClass(value)}`);
  if (value.length !== pieces.length) rangeError(`out must hold ${pieces.length} tensors, got ${value.length}`);
  return pieces.map(({ dims }, i) => readOut(`out[${i}]`, value[i], dtype, dims));
}

/** Refuses an `out` whose data have another length than its dims say, or share memory with those of an input.
 * @type {(argument: string, out: CheckedTensor, inputName: string, input: CheckedTensor) => void} */
export function checkOut(argument, out, inputName, input) {
  checkLength(out);
  if (overlap(out.data, input.data)) rangeError(`${argument} must not overlap ${inputName}`);
}

/** Groups the indices of tensors by the buffer or list of their data. Leaves out empty ones, which share nothing.
 * @type {(outs: CheckedTensor[]) => Iterable<number[]>} */
function indicesByMemory(outs) {
  /** @type {Map<unknown, number[]>} */
  const byMemory = new Map();
  outs.forEach(({ data, size }, i) => {
    if (size === 0) return;
    const memory = Array.isArray(data) ? data : data.buffer;
    const indices = byMemory.get(memory);
    if (indices) indices.push(i);
    else byMemory.set(memory, [i]);
  });
  return byMemory.values();
}

/** @type {(outs: CheckedTensor[]) => void} */
export function checkApart(outs) {
  const byteOffsetOf = (/** @type {number} */ index) => outs[index].data.byteOffset;
  for (const indices of indicesByMemory(outs)) {
    // Sort those of one buffer by where they begin: if any two overlap, two neighbors do. Lists share all or nothing.
    const isList = Array.isArray(outs[indices[0]].data);
    if (!isList) indices.sort((a, b) => byteOffsetOf(a) - byteOffsetOf(b));
    for (let k = 1; k < indices.length; k++) {
      const first = Math.min(indices[k - 1], indices[k]);
      const second = Math.max(indices[k - 1], indices[k]);
      if (overlap(outs[first].data, outs[second].data)) rangeError(`out[${second}] must not overlap out[${first}]`);
    }
  }
}
