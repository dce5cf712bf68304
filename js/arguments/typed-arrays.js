/** Typed arrays: their classes, their bytes in place, and the memory that two of them share. */

/** @import { StringsClass, TypedArrayClass } from './types.js' */

/**
 * The class names of arrays that hold a tensor's data.
 * @typedef {'Array' | 'Float16Array' | 'Float32Array' | 'Float64Array' | 'Uint8Array' | 'Uint8ClampedArray'
 *   | 'Int8Array' | 'Uint16Array' | 'Int16Array' | 'Uint32Array' | 'Int32Array' | 'BigInt64Array'
 *   | 'BigUint64Array'} ArrayName
 */

/** The classes of data by their names, and Float16Array where the engine has it. A table, because a look-up in
 * `globalThis` takes 150 ns once it has seen several names.
 * @type {Record<Exclude<ArrayName, 'Array'>, TypedArrayClass> & { Array: StringsClass }} */
export const arrayClasses = {
  Array,
  Uint8Array,
  Uint8ClampedArray,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  Float16Array: /** @type {{ Float16Array: TypedArrayClass }} */ (/** @type {object} */ (globalThis)).Float16Array,
};

/*
 * Use the prototype's getters, which see the memory itself, whatever properties an array of the caller has.
 */
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const { set } = typedArray;
/** @type {(name: string | symbol) => Function} the getter of a property that all typed arrays have */
const getter = (name) => /** @type {Function} */ (Object.getOwnPropertyDescriptor(typedArray, name)?.get);
const className = getter(Symbol.toStringTag);
const length = getter('length');
const byteOffset = getter('byteOffset');
const byteLength = getter('byteLength');
const buffer = getter('buffer');

/** Names the class of a typed array of any realm; undefined for everything else.
 * @type {(value: unknown) => ArrayName | undefined} */
export const typedArrayName = (value) => className.call(value);

/** Counts a typed array's entries; 0 if its memory is gone (detached).
 * @type {(data: ArrayBufferView) => number} */
export const lengthOf = (data) => length.call(data);

/** @type {(data: ArrayBufferView) => number} 0 if its memory is gone */
export const byteLengthOf = (data) => byteLength.call(data);

/** @type {(data: ArrayBufferView) => number} */
export const byteOffsetOf = (data) => byteOffset.call(data);

/** @type {(data: ArrayBufferView) => ArrayBuffer} */
export const bufferOf = (data) => buffer.call(data);

/** Makes a function that tells whether a value is of a built-in class, of any realm. `countName`: a getter of that
 * class that gives a count, such as `size` of Map; it throws for values of other classes.
 * @type {(Class: { prototype: object }, countName: string) => (value: unknown) => boolean} */
export function checkerOf(Class, countName) {
  const getCount = /** @type {Function} */ (Object.getOwnPropertyDescriptor(Class.prototype, countName)?.get);
  return (value) => {
    try {
      return getCount.call(value) >= 0;
    } catch {
      return false;
    }
  };
}

/** Copies all entries of one typed array to another, from entry `at` on. The source must not be empty, because engines
 * refuse memory that is gone even if nothing is copied.
 * @type {(destination: ArrayBufferView, source: ArrayBufferView, at: number) => void} */
export const copyTo = (destination, source, at) => void set.call(destination, source, at);

/** Views all bytes of an array's part of its buffer, in place.
 * @type {(data: ArrayBufferView) => Uint8Array} */
export function bytesOf(data) {
  const bytes = byteLengthOf(data);
  // Engines make no view of memory that is gone. It has no bytes.
  return bytes === 0 ? new Uint8Array(0) : new Uint8Array(bufferOf(data), byteOffsetOf(data), bytes);
}

/** @type {(bytes: Uint8Array) => string} */
export const latin1 = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Views bytes `first` to before `end`, which must lie within the array's buffer. `subarray` takes 30 ns longer.
 * @type {(bytes: Uint8Array, first: number, end: number) => Uint8Array} */
export const bytesBetween = ({ buffer, byteOffset }, first, end) =>
  new Uint8Array(buffer, byteOffset + first, end - first);

/** Whether two data arrays share memory; lists of strings if they are the same list.
 * @type {(a: ArrayBufferView | readonly string[], b: ArrayBufferView | readonly string[]) => boolean} */
export function overlap(a, b) {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return a === b;
  if (a.buffer !== b.buffer) return false;
  const sharedBegin = Math.max(a.byteOffset, b.byteOffset);
  const sharedEnd = Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength);
  return sharedBegin < sharedEnd;
}
