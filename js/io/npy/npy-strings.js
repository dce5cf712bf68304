/** NumPy's strings: `<U5`, five code points of four bytes, and `|S5`, five bytes, filled up with zeros. NumPy states no
 * encoding of bytes; here they are read as UTF-8. */
import { rangeError, show } from '../../arguments/index.js';
import { dtypes, sizeOf, tensorOf } from '../../tensor/index.js';
import { checkText } from '../bytes.js';

/** @import { Tensor } from '../../tensor/index.js' */

/** A bound of our own: a short file could state any number of strings of width 0. */
const maxEmptyStrings = 1_000_000;

/** The type of all strings of an array. `width`: code points (U) or bytes (S) of a string; `bytes`: of a string in the
 * file; `isBig`: whether its code points are big-endian
 * @typedef {{ kind: 'U' | 'S', width: number, isBig: boolean, bytes: number }} Strings */

/** Reads NumPy's descr of strings, such as `<U5`: the order of the bytes, the kind, and the width, which has at most 10
 * digits, as many as a number of 32 bits. Undefined for another type.
 * @type {(descr: string) => Strings | undefined} */
export function readStringDescr(descr) {
  const [, order, kind, digits] = /^([<>|=]?)([US])(\d{1,10})$/.exec(descr) ?? [];
  if (kind === undefined) return undefined;
  const width = Number(digits);
  const isWide = kind === 'U';
  return { kind: isWide ? 'U' : 'S', width, isBig: order === '>', bytes: isWide ? 4 * width : width };
}

/** Computes how many bytes of the file the strings of an array take. Refuses too many of width 0.
 * @type {(strings: Strings, dims: readonly number[]) => number} */
export function bytesOfStrings({ bytes }, dims) {
  const size = sizeOf(dims);
  if (bytes === 0 && size > maxEmptyStrings)
    rangeError(`strings of no bytes must be at most ${maxEmptyStrings}, got ${size}`);
  return size * bytes;
}

/** Decodes an array of strings, each of which takes the same number of bytes.
 * @type {(strings: Strings, dims: readonly number[], data: Uint8Array) => Tensor} */
export function readStrings(strings, dims, data) {
  const { bytes, kind } = strings;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const decode = kind === 'U' ? decodeCodePoints : decodeUtf8;
  const list = Array.from({ length: sizeOf(dims) }, (_, i) => decode(view, i * bytes, strings));
  return tensorOf(dtypes.string, list, [...dims]);
}

/** Decodes a string of code points of four bytes. Zeros at the end only fill it up; those between are characters.
 * @type {(view: DataView, start: number, strings: Strings) => string} */
function decodeCodePoints(view, start, { width, isBig }) {
  let text = '';
  let pendingZeros = '';
  for (let i = 0; i < width; i++) {
    const code = view.getUint32(start + 4 * i, !isBig);
    const isSurrogate = code >= 0xd800 && code < 0xe000;
    if (code > 0x10ffff || isSurrogate) rangeError(`strings must hold code points of Unicode, got ${code}`);
    if (code === 0) pendingZeros += '\0';
    else {
      text += pendingZeros + String.fromCodePoint(code);
      pendingZeros = '';
    }
  }
  return text;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a string of UTF-8, without the zeros that fill it up to `width` bytes.
 * @type {(view: DataView, start: number, strings: Strings) => string} */
function decodeUtf8(view, start, { width }) {
  let end = start + width;
  while (end > start && view.getUint8(end - 1) === 0) end--;
  try {
    // A copy, because browsers refuse to decode shared memory.
    return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + start, end - start).slice());
  } catch {
    return rangeError('strings of bytes must be UTF-8, got other bytes');
  }
}

/** Encodes strings as code points of four bytes each, filled up with zeros to the width of the longest, such as `<U5`.
 * @type {(texts: readonly string[]) => { descr: string, data: Uint8Array }} */
export function encodeStrings(texts) {
  // NumPy writes empty strings as <U1.
  let width = 1;
  for (const text of texts) {
    checkText('strings', text);
    if (text.endsWith('\0')) rangeError(`strings must not end with a zero, which fills up, got ${show(text)}`);
    width = Math.max(width, [...text].length); // code points, where text.length counts UTF-16 units
  }
  const bytes = 4 * width * texts.length;
  // A bound of our own: one long string widens all of them.
  if (bytes > 2 ** 31) rangeError(`strings as wide as the longest must take at most 2 GiB, got ${bytes} bytes`);
  const codes = new Uint32Array(new ArrayBuffer(bytes));
  texts.forEach((text, i) => {
    let at = width * i;
    for (const character of text) {
      codes[at] = /** @type {number} */ (character.codePointAt(0));
      at++;
    }
  });
  return { descr: `<U${width}`, data: new Uint8Array(codes.buffer) };
}
