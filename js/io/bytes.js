/** The bytes of a file: reading what the caller hands in, copying, joining, and text in them. */
import { bytesOf, rangeError, show, showClass, typedArrayName, typeError } from '../arguments/index.js';
import { dtypes, newData } from '../tensor/index.js';

const noBytes = new Uint8Array(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a caller's Uint8Array: shares its memory, but drops a subclass's methods, because Buffer's `slice` does not
 * copy.
 * @type {(bytes: unknown, argument?: string) => Uint8Array} */
export function readBytes(bytes, argument = 'bytes') {
  if (typedArrayName(bytes) !== 'Uint8Array') typeError(`${argument} must be a Uint8Array, got ${showClass(bytes)}`);
  return bytesOf(/** @type {Uint8Array} */ (bytes));
}

/** Decodes UTF-8, and refuses other bytes.
 * @type {(argument: string, bytes: Uint8Array) => string} */
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

/** Refuses lone surrogates: TextEncoder writes U+FFFD for one, and JSON an escape that other readers refuse.
 * @type {(argument: string, text: string) => void} */
export function checkText(argument, text) {
  if (loneSurrogate.test(text)) rangeError(`${argument} must have no lone surrogate, got ${show(text)}`);
}

/** Encodes a text as UTF-8, and refuses lone surrogates.
 * @type {(argument: string, text: string) => Uint8Array} */
export function encodeText(argument, text) {
  checkText(argument, text);
  return new TextEncoder().encode(text);
}

/** Copies bytes: as two chunks, because `concat` returns a single one as it is.
 * @type {(bytes: Uint8Array) => Uint8Array} */
export const copyOf = (bytes) => concat([bytes, noBytes]);

/** Joins chunks. A single one is returned as it is, several are copied; none give no bytes.
 * @type {(chunks: readonly Uint8Array[]) => Uint8Array} */
export function concat(chunks) {
  if (chunks.length === 1) return chunks[0];
  const size = chunks.reduce((total, { length }) => total + length, 0);
  const joined = newData(dtypes.uint8, size, undefined);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
