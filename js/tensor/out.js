/** `out`: results that the caller has room for already. */
import {
  bufferOf,
  byteOffsetOf,
  overlap,
  show,
  showClass,
  showList,
  wrongKind,
  wrongValue,
} from '../arguments/index.js';
import { checkRoom, readTensor } from './tensor.js';

/** @import { DType } from './dtypes.js' */
/** @import { Parts } from './tensor.js' */

/** Reads a tensor to write to. @type {(prefix: string, argument: string, value: unknown, dtype: DType, dims: number[]) => Parts} */
export function readOut(prefix, argument, value, dtype, dims) {
  const out = readTensor(prefix, argument, value, ({ name }) => {
    if (name !== dtype.name) wrongKind(prefix, `${argument} type must be ${dtype.name}, got ${name}`);
  });
  if (!isSame(out.dims, dims))
    wrongValue(prefix, `${argument} dims must be ${showList(dims)}, got ${showList(out.dims)}`);
  if (Array.isArray(out.data) && Object.isFrozen(out.data))
    wrongKind(prefix, `${argument} data must be writable, got a frozen Array`);
  return out;
}

/** @type {(a: readonly number[], b: readonly number[]) => boolean} */
function isSame(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** @type {(prefix: string, value: unknown, dtype: DType, pieceDims: number[][]) => Parts[]} */
export function readOuts(prefix, value, dtype, pieceDims) {
  if (!Array.isArray(value)) wrongKind(prefix, `out must be an array of tensors, got ${showClass(value)}`);
  const { length } = value;
  if (length !== pieceDims.length) wrongValue(prefix, `out must hold ${pieceDims.length} tensors, got ${show(length)}`);
  return pieceDims.map((dims, i) => readOut(prefix, `out[${i}]`, value[i], dtype, dims));
}

/** @type {(prefix: string, argument: string, out: Parts, inputName: string, input: Parts) => void} */
export function checkOut(prefix, argument, out, inputName, input) {
  checkRoom(prefix, out);
  if (overlap(out.data, input.data)) wrongValue(prefix, `${argument} must not overlap ${inputName}`);
}

/** Pieces must not overlap one another. @type {(prefix: string, outs: Parts[]) => void} */
export function checkApart(prefix, outs) {
  /** @type {Map<unknown, number[]>} */
  const byMemory = new Map();
  outs.forEach(({ data, size }, i) => {
    if (size === 0) return;
    const memory = Array.isArray(data) ? data : bufferOf(data);
    const indices = byMemory.get(memory);
    if (indices) indices.push(i);
    else byMemory.set(memory, [i]);
  });
  for (const indices of byMemory.values()) {
    if (!Array.isArray(outs[indices[0]].data))
      indices.sort((a, b) => byteOffsetOf(outs[a].data) - byteOffsetOf(outs[b].data));
    for (let k = 1; k < indices.length; k++) {
      const [a, b] = [indices[k - 1], indices[k]].sort((x, y) => x - y);
      if (overlap(outs[a].data, outs[b].data)) wrongValue(prefix, `out[${b}] must not overlap out[${a}]`);
    }
  }
}
