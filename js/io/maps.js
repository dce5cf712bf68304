/** Maps that callers hand in, of any realm. */
import { checkerOf, show, showClass, typeError } from '../arguments/index.js';
import { readWholeTensor } from '../tensor/index.js';
import { readElements } from '../weights/index.js';

/** @import { CheckedTensor, DType } from '../tensor/index.js' */
/** @import { Elements } from '../weights/types.js' */

/** `instanceof` refuses Maps of other realms. */
export const isMap = checkerOf(Map, 'size');

/** Copies a Map of any realm, and refuses anything else.
 * @type {<K, V>(argument: string, value: ReadonlyMap<K, V>) => Map<K, V>} */
export function readMap(argument, value) {
  if (!isMap(value)) typeError(`${argument} must be a Map, got ${showClass(value)}`);
  return new Map(Map.prototype.entries.call(value));
}

/** Reads the values of a Map by `read`, and refuses names that are no strings.
 * @type {<T>(argument: string, tensors: ReadonlyMap<string, unknown>, read: (name: string, value: unknown) => T) =>
 *   Map<string, T>} */
function readNamed(argument, tensors, read) {
  const pairs = Array.from(readMap(argument, tensors), ([name, value]) => {
    if (typeof name !== 'string') typeError(`names must be strings, got ${show(name)}`);
    return /** @type {const} */ ([name, read(name, value)]);
  });
  return new Map(pairs);
}

/** @typedef {(dtype: DType, name: string) => void} CheckType called as soon as a tensor's type is known */

/** Reads a Map of tensors by name, and checks that their data have the bytes that their dims ask for.
 * @type {(tensors: ReadonlyMap<string, unknown>, checkType?: CheckType) => Map<string, CheckedTensor>} */
export const readTensors = (tensors, checkType) =>
  readNamed('tensors', tensors, (name, tensor) =>
    readWholeTensor(`tensor ${show(name)}`, tensor, (dtype) => checkType?.(dtype, name)),
  );

/** Reads a Map of Entries or tensors by name. `Elements` stands for either: they are in memory or still in a file.
 * @type {(entries: ReadonlyMap<string, unknown>, checkType?: CheckType) => Map<string, Elements>} */
export const readEntries = (entries, checkType) =>
  readNamed('entries', entries, (name, entry) =>
    readElements(`entry ${show(name)}`, entry, (dtype) => checkType?.(dtype, name)),
  );
