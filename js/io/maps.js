/** Maps that callers hand in, of any realm. */
import { show, showClass, typeError } from '../arguments/index.js';
import { checkLength, readWholeTensor } from '../tensor/index.js';

/** @import { DType, CheckedTensor } from '../tensor/index.js' */

const mapSize = /** @type {any} */ (Object.getOwnPropertyDescriptor(Map.prototype, 'size')).get;

/**
 * Whether a value is a Map. The getter throws for everything else; `instanceof` refuses Maps of other realms.
 * @param {unknown} value
 * @returns {boolean}
 */
export function isMap(value) {
  try {
    return mapSize.call(value) >= 0;
  } catch {
    return false;
  }
}

/**
 * Copies a Map.
 * @template K, V
 * @param {string} argument
 * @param {ReadonlyMap<K, V>} value
 * @returns {Map<K, V>}
 */
export function readMap(argument, value) {
  if (!isMap(value)) typeError(`${argument} must be a Map, got ${showClass(value)}`);
  return new Map(Map.prototype.entries.call(value));
}

/**
 * Reads a Map of tensors by name.
 * @param {ReadonlyMap<string, unknown>} tensors
 * @param {(dtype: DType, name: string) => void} [checkType] called as soon as a tensor's type is known
 * @returns {Map<string, CheckedTensor>} complete and checked
 */
export function readTensors(tensors, checkType) {
  const named = Array.from(readMap('tensors', tensors), ([name, tensor]) => {
    if (typeof name !== 'string') typeError(`names must be strings, got ${show(name)}`);
    const check = (/** @type {DType} */ dtype) => checkType?.(dtype, name);
    return /** @type {const} */ ([name, readWholeTensor(`tensor ${show(name)}`, tensor, check)]);
  });
  // Again, after all getters have run: one tensor's getter may have taken the memory of another.
  for (const [, parts] of named) checkLength(parts);
  return new Map(named);
}
