/** The header of a .npy file: a magic string, a version, and a Python dict in text. */
import { checkFileKind, rangeError, show } from '../../arguments/index.js';

/** @import { Header } from '../types.js' */

const magic = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59); // \x93NUMPY
/** NumPy's own bound. The longest header of 64 axes has 1.5 kB. */
const headerLimit = 10_000;
/** Most bytes before the data. */
export const mostBeforeData = 12 + headerLimit;

/** Reads the header of a .npy file. `file`: its first {@link mostBeforeData} bytes, or all of a shorter one;
 * `byteLength`: of the whole file, for messages.
 * @type {(file: Uint8Array, byteLength?: number) => Header} */
export function readHeader(file, byteLength) {
  checkFileKind('bytes', 'a .npy file', file, byteLength);
  const { textStart, dataStart } = boundsOf(file);
  // The pattern below accepts ASCII alone, so the encodings of the three versions make no difference. A copy, because
  // browsers refuse to decode shared memory.
  const text = new TextDecoder().decode(file.slice(textStart, dataStart));
  return { ...parseDict(text), dataStart };
}

/** Finds the bytes at which the header's text and, right behind it, the data begin. In front of the text are the magic
 * string (6 bytes), the version (2), and the text's length: 2 bytes in version 1, 4 in later ones.
 * @type {(file: Uint8Array) => { textStart: number, dataStart: number }} */
function boundsOf(file) {
  if (!magic.every((byte, i) => file[i] === byte)) rangeError('bytes must begin with \\x93NUMPY, got other bytes');
  const [major, minor] = [file[6], file[7]];
  if (!(major >= 1 && major <= 3 && minor === 0)) rangeError(`version must be 1.0, 2.0 or 3.0, got ${major}.${minor}`);
  const textStart = major === 1 ? 10 : 12;
  if (file.length < textStart) rangeError(`bytes must have a header, got ${file.length} bytes`);
  const view = new DataView(file.buffer, file.byteOffset);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > headerLimit) rangeError(`header must have at most ${headerLimit} bytes, got ${length}`);
  if (textStart + length > file.length) rangeError(`header must have ${length} bytes, got ${file.length - textStart}`);
  return { textStart, dataStart: textStart + length };
}

/** One entry of the dict: its key, and a string, a bool or a tuple of integers. Sticky: it matches at `lastIndex`. */
const entry = /\s*['"](\w+)['"]\s*:\s*(?:'([^']*)'|"([^"]*)"|(True|False)|\(([\dL,\s]*)\))\s*(?:,|(?=\}))/y;

/** Parses the Python dict of a header, such as `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
 * @type {(text: string) => Omit<Header, 'dataStart'>} */
function parseDict(text) {
  /** @type {Map<string, string>} */
  const values = new Map();
  const open = /^\s*\{/.exec(text);
  // Without a brace nothing matches, and the check below refuses the text.
  entry.lastIndex = open ? open[0].length : text.length;
  let end = entry.lastIndex; // of the last entry
  for (let match = entry.exec(text); match; match = entry.exec(text)) {
    end = entry.lastIndex;
    const [, key, single, double, bool, tuple] = match;
    values.set(key, bool ?? single ?? double ?? `(${tuple})`);
  }
  // Check that it has the three entries, of the right kinds, and nothing else.
  const [descr, order, shape] = ['descr', 'fortran_order', 'shape'].map((key) => values.get(key) ?? '');
  const inside = shape.slice(1, -1).replace(/,\s*$/, '');
  const extents = shape === '()' ? [] : inside.split(',').map((extent) => extent.trim());
  const isComplete =
    values.size === 3 &&
    /^\s*\}\s*$/.test(text.slice(end)) &&
    /^(True|False)$/.test(order) &&
    shape.startsWith('(') &&
    // Python 2 spelled long integers with an L.
    extents.every((extent) => /^\d+L?$/.test(extent));
  if (/['"]descr['"]\s*:\s*\[/.test(text)) rangeError('descr must be of one type, got a structured one, of fields');
  if (!isComplete) rangeError(`header must be a dict of descr, fortran_order and shape, got ${show(text.trim())}`);
  return { descr, fortran: order === 'True', shape: extents.map((extent) => BigInt(extent.replace('L', ''))) };
}

/** Encodes all bytes in front of the data, of version 1.0 and C order.
 * @type {(descr: string, dims: readonly number[]) => Uint8Array} */
export function encodeHeader(descr, dims) {
  const shape = `(${dims.join(', ')}${dims.length === 1 ? ',' : ''})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  // The format asks for data that begins at a multiple of 64. In front of the text are 10 bytes: the magic string, the
  // version and the text's length; a line feed ends the text.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const header = new Uint8Array(10 + length);
  header.set(magic);
  header[6] = 1; // version 1.0, whose length of 16 bits has room for 64 axes
  new DataView(header.buffer).setUint16(8, length, true);
  new TextEncoder().encodeInto(`${text.padEnd(length - 1)}\n`, header.subarray(10));
  return header;
}
