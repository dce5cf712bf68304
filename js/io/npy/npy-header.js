/** The header of a .npy file: a magic string, a version, and a Python dict in text. */
import { checkFileKind, rangeError, show } from '../../arguments/index.js';

/** @import { Header } from '../types.js' */

const magic = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59); // \x93NUMPY
/** Bytes of the magic string and, behind it, of the version's two numbers. The text's length follows. */
const majorAt = 6;
const minorAt = 7;
const lengthAt = 8;
/** The byte at which the text begins: its length has 16 bits in version 1, 32 in later ones. */
const textStart1 = 10;
const textStart2 = 12;
/** NumPy's own bound. The longest header of 64 axes has 1.5 kB. */
const headerLimit = 10_000;
/** Most bytes before the data. */
export const mostBeforeData = textStart2 + headerLimit;

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

/** Finds the bytes at which the header's text and, right behind it, the data begin.
 * @type {(file: Uint8Array) => { textStart: number, dataStart: number }} */
function boundsOf(file) {
  if (!magic.every((byte, i) => file[i] === byte)) rangeError('bytes must begin with \\x93NUMPY, got other bytes');
  const major = file[majorAt];
  const minor = file[minorAt];
  if (!(major >= 1 && major <= 3 && minor === 0)) rangeError(`version must be 1.0, 2.0 or 3.0, got ${major}.${minor}`);
  const textStart = major === 1 ? textStart1 : textStart2;
  if (file.length < textStart) rangeError(`bytes must have a header, got ${file.length} bytes`);
  const view = new DataView(file.buffer, file.byteOffset);
  const length = major === 1 ? view.getUint16(lengthAt, true) : view.getUint32(lengthAt, true);
  if (length > headerLimit) rangeError(`header must have at most ${headerLimit} bytes, got ${length}`);
  if (textStart + length > file.length) rangeError(`header must have ${length} bytes, got ${file.length - textStart}`);
  return { textStart, dataStart: textStart + length };
}

/** One entry of the dict: its key, and a string, a bool or a tuple of integers. Sticky: it matches at `lastIndex`. */
const entry = /\s*['"](\w+)['"]\s*:\s*(?:'([^']*)'|"([^"]*)"|(True|False)|\(([\dL,\s]*)\))\s*(?:,|(?=\}))/y;

/** Reads the entries of a Python dict, each value as the text spells it, but strings without their quotes. `rest`: the
 * text behind the last entry.
 * @type {(text: string) => { values: Map<string, string>, rest: string }} */
function readEntries(text) {
  /** @type {Map<string, string>} */
  const values = new Map();
  const open = /^\s*\{/.exec(text);
  entry.lastIndex = open ? open[0].length : text.length;
  let end = entry.lastIndex;
  for (let match = entry.exec(text); match; match = entry.exec(text)) {
    end = entry.lastIndex;
    const [, key, single, double, bool, tuple] = match;
    values.set(key, bool ?? single ?? double ?? `(${tuple})`);
  }
  return { values, rest: text.slice(end) };
}

/** Parses the Python dict of a header, such as `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, and
 * refuses one that has not just these entries, of these kinds.
 * @type {(text: string) => Omit<Header, 'dataStart'>} */
function parseDict(text) {
  const { values, rest } = readEntries(text);
  const descr = values.get('descr') ?? '';
  const order = values.get('fortran_order') ?? '';
  const shape = values.get('shape') ?? '';
  const inside = shape.slice(1, -1).replace(/,\s*$/, '');
  const extents = shape === '()' ? [] : inside.split(',').map((extent) => extent.trim());
  const isComplete =
    values.size === 3 &&
    /^\s*\}\s*$/.test(rest) &&
    /^(True|False)$/.test(order) &&
    shape.startsWith('(') &&
    // Python 2 spelled long integers with an L.
    extents.every((extent) => /^\d+L?$/.test(extent));
  if (/['"]descr['"]\s*:\s*\[/.test(text)) rangeError('descr must be of one type, got a structured one, of fields');
  if (!isComplete) rangeError(`header must be a dict of descr, fortran_order and shape, got ${show(text.trim())}`);
  return { descr, fortran: order === 'True', shape: extents.map((extent) => BigInt(extent.replace('L', ''))) };
}

/** Encodes the header of a .npy file of version 1.0 and C order.
 * @type {(descr: string, dims: readonly number[]) => Uint8Array} */
export function encodeHeader(descr, dims) {
  const shape = `(${dims.join(', ')}${dims.length === 1 ? ',' : ''})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  // The format asks for data that begins at a multiple of 64, and for a line feed at the end of the text.
  const lineFeed = 1;
  const dataStart = Math.ceil((textStart1 + text.length + lineFeed) / 64) * 64;
  const length = dataStart - textStart1;
  const header = new Uint8Array(dataStart);
  header.set(magic);
  header[majorAt] = 1; // version 1.0, whose length of 16 bits has room for 64 axes
  new DataView(header.buffer).setUint16(lengthAt, length, true);
  new TextEncoder().encodeInto(`${text.padEnd(length - lineFeed)}\n`, header.subarray(textStart1));
  return header;
}
