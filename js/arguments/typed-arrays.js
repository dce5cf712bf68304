/**
 * Typed arrays, asked by the language's own getters and methods: a property or a subclass of the caller's has no say.
 */

/**
 * The class names of arrays that hold a tensor's data.
 * @typedef {'Array' | 'Float16Array' | 'Float32Array' | 'Float64Array' | 'Uint8Array' | 'Uint8ClampedArray'
 *   | 'Int8Array' | 'Uint16Array' | 'Int16Array' | 'Uint32Array' | 'Int32Array' | 'BigInt64Array'
 *   | 'BigUint64Array'} ArrayName
 */

/**
 * The classes of data by their names, and Float16Array where the engine has it. A table, because a look-up in
 * `globalThis` takes 150 ns once it has seen several names.
 * @type {Record<ArrayName, any>}
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
/**
 * @param {string | symbol} name
 * @returns {(this: unknown) => any}
 */
const getter = (name) => /** @type {any} */ (Object.getOwnPropertyDescriptor(typedArray, name)).get;

const className = getter(Symbol.toStringTag);
const length = getter('length');
const byteOffset = getter('byteOffset');
const byteLength = getter('byteLength');
const buffer = getter('buffer');

/**
 * The class name of a typed array of any realm.
 * @param {unknown} value
 * @returns {ArrayName | undefined} undefined for everything else
 */
export const typedArrayName = (value) => className.call(value);

/**
 * The length of a list: of a typed array its true length, of an array whatever it claims.
 * @param {ArrayLike<unknown>} list
 * @returns {unknown}
 */
export const listLength = (list) => (Array.isArray(list) ? list.length : lengthOf(/** @type {any} */ (list)));

/**
 * @param {ArrayBufferView} data a typed array
 * @returns {number} in entries; 0 if its memory is gone
 */
export const lengthOf = (data) => length.call(data);

/**
 * @param {ArrayBufferView} data a typed array
 * @returns {number} 0 if its memory is gone
 */
export const byteLengthOf = (data) => byteLength.call(data);

/**
 * @param {ArrayBufferView} data a typed array
 * @returns {ArrayBuffer}
 */
export const bufferOf = (data) => buffer.call(data);

/**
 * @param {ArrayBufferView} data a typed array
 * @returns {number} where its first entry stands in its buffer, in bytes
 */
export const byteOffsetOf = (data) => byteOffset.call(data);

/**
 * Copies all entries of one typed array to another, from an index on. Needs at least one entry: engines refuse memory
 * that is gone even if nothing is copied. Calls the language's own method, because a method of the caller's would get
 * hold of the module's memory.
 * @param {ArrayBufferView} destination
 * @param {ArrayBufferView} source
 * @param {number} [at] the first entry of the destination
 * @returns {void}
 */
export const copyTo = (destination, source, at = 0) => void set.call(destination, source, at);

/**
 * The bytes of a tensor's data, in place.
 * @param {ArrayBufferView} data a typed array
 * @returns {Uint8Array}
 */
export function bytesOf(data) {
  const bytes = byteLengthOf(data);
  // Engines make no view of memory that is gone. It has no bytes.
  return bytes === 0 ? new Uint8Array(0) : new Uint8Array(bufferOf(data), byteOffsetOf(data), bytes);
}

/**
 * Some of the bytes, in place. Not by `subarray`, which takes 30 ns longer.
 * @param {Uint8Array} bytes our own, not the caller's
 * @param {number} first
 * @param {number} end the one after the last
 * @returns {Uint8Array}
 */
export const bytesBetween = ({ buffer, byteOffset }, first, end) =>
  new Uint8Array(buffer, byteOffset + first, end - first);

/**
 * Whether two data arrays share memory.
 * @param {any} a an array of strings or a typed array
 * @param {any} b likewise
 * @returns {boolean}
 */
export function overlap(a, b) {
  if (Array.isArray(a) || Array.isArray(b)) return a === b;
  return bufferOf(a) === bufferOf(b) && haveCommonBytes(a, b);
}

/**
 * Whether two views of one buffer have a byte in common.
 * @param {ArrayBufferView} a
 * @param {ArrayBufferView} b
 * @returns {boolean}
 */
function haveCommonBytes(a, b) {
  const startA = byteOffsetOf(a);
  const startB = byteOffsetOf(b);
  const endA = startA + byteLengthOf(a);
  const endB = startB + byteLengthOf(b);
  // An empty view shares nothing, wherever it points.
  return Math.max(startA, startB) < Math.min(endA, endB);
}
