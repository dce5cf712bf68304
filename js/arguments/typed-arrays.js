/** What typed arrays say of themselves, by the language's own getters: a property of the caller's cannot stand in for these. */

/**
 * The class names of arrays that hold a tensor's data.
 * @typedef {'Float32Array' | 'Float64Array' | 'Float16Array' | 'Uint8Array' | 'Uint8ClampedArray' | 'Int8Array'
 *   | 'Uint16Array' | 'Int16Array' | 'Uint32Array' | 'Int32Array' | 'BigInt64Array' | 'BigUint64Array' | 'Array'} ArrayName
 */

/**
 * The classes of data by name; Float16Array where the engine has it. A look-up in `globalThis` costs 150 ns once it has seen several.
 * @type {Record<string, any>}
 */
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
  Float16Array: /** @type {any} */ (globalThis).Float16Array,
};

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const { set } = typedArray;
/** @type {(name: string | symbol) => (this: unknown) => any} */
const getter = (name) => /** @type {any} */ (Object.getOwnPropertyDescriptor(typedArray, name)).get;

const className = getter(Symbol.toStringTag);
const length = getter('length');
const byteOffset = getter('byteOffset');
const byteLength = getter('byteLength');
const buffer = getter('buffer');

/**
 * The class name of a typed array of any realm; undefined for everything else.
 * @type {(value: unknown) => ArrayName | undefined}
 */
export const typedArrayName = (value) => className.call(value);

/** What a list says of its length: a typed array nothing but the truth. @type {(list: ArrayLike<unknown>) => unknown} */
export const listLength = (list) => (Array.isArray(list) ? list.length : lengthOf(/** @type {any} */ (list)));

/** In entries; 0 where the memory is gone. @type {(data: ArrayBufferView) => number} */
export const lengthOf = (data) => length.call(data);

/** @type {(data: ArrayBufferView) => number} */
export const byteLengthOf = (data) => byteLength.call(data);

/** @type {(data: ArrayBufferView) => ArrayBuffer} */
export const bufferOf = (data) => buffer.call(data);

/** Of a view in its buffer. @type {(data: ArrayBufferView) => number} */
export const byteOffsetOf = (data) => byteOffset.call(data);

/**
 * Copies all entries of a typed array to another one, from an index on. Copies at least one entry: engines refuse memory
 * that is gone even if nothing is copied. A method of the caller's would see the module's memory, so this calls the
 * language's own.
 * @type {(destination: ArrayBufferView, source: ArrayBufferView, at?: number) => void}
 */
export const copyTo = (destination, source, at = 0) => void set.call(destination, source, at);

/**
 * The bytes of a tensor's data, in place.
 * @param {ArrayBufferView} data a typed array
 * @returns {Uint8Array}
 */
export function bytesOf(data) {
  const bytes = byteLengthOf(data);
  // Engines refuse to make a view of memory that is gone, which has no bytes.
  return bytes === 0 ? new Uint8Array(0) : new Uint8Array(bufferOf(data), byteOffsetOf(data), bytes);
}

/** Bytes from `first` to `end` of bytes, in place. Not by subarray, which takes 30 ns longer. @type {(bytes: Uint8Array, first: number, end: number) => Uint8Array} */
export const bytesBetween = ({ buffer, byteOffset }, first, end) =>
  new Uint8Array(buffer, byteOffset + first, end - first);

/**
 * Whether two data arrays share memory.
 * @param {any} a
 * @param {any} b
 */
export function overlap(a, b) {
  if (Array.isArray(a) || Array.isArray(b)) return a === b;
  return bufferOf(a) === bufferOf(b) && haveCommonBytes(a, b);
}

/** Of two views of one buffer. @type {(a: ArrayBufferView, b: ArrayBufferView) => boolean} */
function haveCommonBytes(a, b) {
  const startA = byteOffsetOf(a);
  const startB = byteOffsetOf(b);
  const endA = startA + byteLengthOf(a);
  const endB = startB + byteLengthOf(b);
  // An empty view has no memory, wherever it points.
  return Math.max(startA, startB) < Math.min(endA, endB);
}
