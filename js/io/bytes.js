/** The bytes of a file: reading what the caller hands in, copying, joining, and text in them. */
import { bytesOf, rangeError, show, showClass, typedArrayName, typeError } from '../arguments/index.js';
import { dtypes, newData } from '../tensor/index.js';

const noBytes = new Uint8Array(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A file's bytes as a plain Uint8Array, without the methods of a subclass: Buffer's `slice` does not copy.
 * @param {unknown} bytes
 * @returns {Uint8Array} shares the caller's memory
 */
export function readBytes(bytes) {
  if (typedArrayName(bytes) !== 'Uint8Array') typeError(`bytes must be a Uint8Array, got ${showClass(bytes)}`);
  return bytesOf(/** @type {Uint8Array} */ (bytes));
}

/**
 * Decodes UTF-8.
 * @param {string} argument
 * @param {Uint8Array} bytes
 * @returns {string}
 * @throws {RangeError} bytes that are not UTF-8
 */
export function decodeText(argument, bytes) {
  // Browsers refuse to decode shared or resizable memory.
  const copy = copyOf(bytes);
  try {
    return utf8.decode(copy);
  } catch {
    return rangeError(`${argument} must be UTF-8, got other bytes`);
  }
}

/** With the flag u, the halves of a pair are one character, which is no surrogate. */
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Refuses text that UTF-8 cannot hold. TextEncoder writes U+FFFD for a lone surrogate, and JSON an escape that other
 * readers refuse.
 * @param {string} argument
 * @param {string} text
 * @throws {RangeError} text with a lone surrogate
 */
export function checkText(argument, text) {
  if (loneSurrogate.test(text)) rangeError(`${argument} must have no lone surrogate, got ${show(text)}`);
}

/**
 * Encodes UTF-8.
 * @param {string} argument
 * @param {string} text
 * @returns {Uint8Array}
 * @throws {RangeError} text with a lone surrogate
 */
export function encodeText(argument, text) {
  checkText(argument, text);
  return new TextEncoder().encode(text);
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} in memory of its own
 */
export const copyOf = (bytes) => concat([bytes, noBytes]);

/**
 * Joins chunks.
 * @param {readonly Uint8Array[]} chunks
 * @returns {Uint8Array} a single chunk is shared, several are copied
 */
export function concat(chunks) {
  if (chunks.length === 1) return chunks[0];
  const size = chunks.reduce((total, { length }) => total + length, 0);
  const whole = newData(dtypes.uint8, size, undefined);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
