/** Lists of a fixed length: matrices and landmarks. */
import { rangeError, show, showList, typedArrayName, typeError } from '../../arguments/index.js';

/** Whether a value is an Array or a typed array of floats. @type {(value: unknown) => value is ArrayLike<unknown>} */
export const isNumberList = (value) =>
  Array.isArray(value) || ['Float32Array', 'Float64Array'].includes(typedArrayName(value) ?? '');

/** Reads `count` finite numbers. @type {(name: string, value: ArrayLike<unknown>, count: number) => number[]} */
export function readNumbers(name, value, count) {
  if (value.length !== count) rangeError(`${name} must have ${count} numbers, got ${value.length}`);
  const list = Array.from(value);
  for (const entry of list) if (typeof entry !== 'number') typeError(`${name} must hold numbers, got ${show(entry)}`);
  if (!list.every(Number.isFinite)) rangeError(`${name} must be finite, got ${showList(list)}`);
  return /** @type {number[]} */ (list);
}
