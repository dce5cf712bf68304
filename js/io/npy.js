/**
 * NumPy's .npy files. Format: NumPy's NEP 1 and `numpy.lib.format`, versions 1.0, 2.0 and 3.0.
 *
 * The types that NumPy does not have (bfloat16, float8*, the packed ones) stand in a file as ml_dtypes stores them: as void bytes,
 * `|V2` or `|V1`, one element each, packed types too. The file does not say which type that is; the reader has to.
 */
import { readOptions, show, wrongKind, wrongValue } from '../arguments/index.js';
import { pack, unpack } from '../engine/index.js';
import { transpose } from '../operators/index.js';
import { dtypeOf, dtypes, readWholeTensor } from '../tensor/index.js';
import { concat, copyOf, dataOver, rawBytes, readBytes, tensorFrom } from './bytes.js';

/** @import { DType, Tensor, TensorLike, TypeName } from '../tensor/index.js' */

const magic = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59); // \x93NUMPY
/** NumPy's own bound. The longest header of 64 axes has 1.5 kB. */
const headerLimit = 10_000;

/** NumPy's kind and width by ONNX's type. @type {Partial<Record<TypeName, string>>} */
const descrs = {
  bool: 'b1',
  int8: 'i1',
  uint8: 'u1',
  int16: 'i2',
  uint16: 'u2',
  int32: 'i4',
  uint32: 'u4',
  int64: 'i8',
  uint64: 'u8',
  float16: 'f2',
  float32: 'f4',
  float64: 'f8',
  complex64: 'c8',
  complex128: 'c16',
};

/** The width of an element in the file: packed types take a byte. @type {(dtype: DType) => number} */
const fileBytes = ({ bits }) => Math.ceil(bits / 8);

/**
 * Reads a .npy file, of C or Fortran order, of either byte order.
 * @param {Uint8Array} bytes the whole file
 * @param {{ type?: TypeName }} [options] `type`: what void elements are (`|V1`, `|V2`): bfloat16, a float8 or a packed type
 * @returns {Tensor} shares the bytes of a little-endian file of C order where they are aligned
 * @throws {TypeError} no bytes, a type that the file does not hold, void elements without `type`, an unknown option
 * @throws {RangeError} bytes that are no .npy file, or of elements that ONNX does not have
 * @throws {Error} before `init()`, where the file has Fortran order or the type is packed
 * @example
 * readNpy(writeNpy({ type: 'int16', data: Int16Array.of(1, 2), dims: [2] })).toString(); // '[1 2]'
 */
export function readNpy(bytes, options) {
  const prefix = 'readNpy';
  const { type } = readOptions(prefix, options, ['type']);
  const file = readBytes(prefix, bytes);
  const start = dataStart(prefix, file);
  // Only ASCII is accepted in what is read of it, so that the three versions' encodings are one.
  const { descr, fortran, shape } = parseHeader(prefix, new TextDecoder().decode(file.slice(start.header, start.data)));
  const dtype = readDescr(prefix, descr, type);
  let data = file.subarray(start.data);
  if (descr.startsWith('>'))
    data = swapped(prefix, data, dtype.format.kind === 'complex' ? fileBytes(dtype) / 2 : fileBytes(dtype));
  const dims = fortran ? shape.toReversed() : shape;
  const elements = dtype.bits < 8 ? pack(dtype.name, data) : dataOver(prefix, dtype, data);
  // Packed bytes do not say how many elements they hold: the file's own length does.
  if (dtype.bits < 8) tensorFrom(prefix, dtypes.uint8, dims, data);
  const tensor = tensorFrom(prefix, dtype, dims, elements);
  return fortran && dims.length > 1 ? transpose(tensor) : tensor;
}

/** Where the header's text and the data begin. @type {(prefix: string, file: Uint8Array) => { header: number, data: number }} */
function dataStart(prefix, file) {
  if (!magic.every((byte, i) => file[i] === byte))
    wrongValue(prefix, 'bytes must begin with \\x93NUMPY, got other bytes');
  const [major, minor] = [file[6], file[7]];
  if (!(major >= 1 && major <= 3 && minor === 0))
    wrongValue(prefix, `version must be 1.0, 2.0 or 3.0, got ${major}.${minor}`);
  const header = major === 1 ? 10 : 12;
  if (file.length < header) wrongValue(prefix, `bytes must have a header, got ${file.length} bytes`);
  const view = new DataView(file.buffer, file.byteOffset);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > headerLimit) wrongValue(prefix, `header must have at most ${headerLimit} bytes, got ${length}`);
  if (header + length > file.length)
    wrongValue(prefix, `header must have ${length} bytes, got ${file.length - header}`);
  return { header, data: header + length };
}

/** One entry of the header, a Python dict: its key, and a string, a bool or a tuple of integers. */
const entry = /\s*['"](\w+)['"]\s*:\s*(?:'([^']*)'|"([^"]*)"|(True|False)|\(([\dL,\s]*)\))\s*(?:,|(?=\}))/y;

/** @type {(prefix: string, text: string) => { descr: string, fortran: boolean, shape: (number | bigint)[] }} */
function parseHeader(prefix, text) {
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
  const [descr, order, shape] = ['descr', 'fortran_order', 'shape'].map((key) => values.get(key) ?? '');
  const entries = shape
    .slice(1, -1)
    .replace(/,\s*$/, '')
    .split(',')
    .map((extent) => extent.trim());
  const extents = shape === '()' ? [] : entries;
  const whole =
    values.size === 3 &&
    /^\s*\}\s*$/.test(text.slice(end)) &&
    /^(True|False)$/.test(order) &&
    shape.startsWith('(') &&
    extents.every((extent) => /^\d+L?$/.test(extent));
  if (!whole) wrongValue(prefix, `header must be a dict of descr, fortran_order and shape, got ${show(text.trim())}`);
  return { descr, fortran: order === 'True', shape: extents.map((extent) => BigInt(extent.replace('L', ''))) };
}

/** @type {(prefix: string, descr: string, type: unknown) => DType} */
function readDescr(prefix, descr, type) {
  const asked = type === undefined ? undefined : dtypeOf(type);
  if (type !== undefined && !asked)
    wrongKind(prefix, `type must be one of the ${Object.keys(dtypes).length} of ONNX, got ${show(type)}`);
  const [, order, kind] = /^([<>|])(.*)$/s.exec(descr) ?? [];
  const known = Object.values(dtypes).find(({ name }) => descrs[name] !== undefined && descrs[name] === kind);
  if (known && (order !== '|' || fileBytes(known) === 1)) {
    if (asked && asked !== known) wrongKind(prefix, `type must be ${known.name}, as in the file, got ${asked.name}`);
    return known;
  }
  if (!/^V[12]$/.test(kind)) wrongValue(prefix, `descr must be of a type that ONNX has, got ${show(descr)}`);
  if (!asked) wrongKind(prefix, `type must say what ${descr} elements are, got undefined`);
  if (asked.bits === 0 || descrs[asked.name] || fileBytes(asked) !== Number(kind[1])) {
    wrongKind(prefix, `type must be one that NumPy stores as ${descr}, got ${asked.name}`);
  }
  return asked;
}

/** @type {(prefix: string, data: Uint8Array, width: number) => Uint8Array} */
function swapped(prefix, data, width) {
  const copy = copyOf(prefix, data);
  for (let at = 0; at < copy.length; at += width) copy.subarray(at, at + width).reverse();
  return copy;
}

/**
 * Writes a .npy file, version 1.0, little-endian, of C order.
 * @param {TensorLike} tensor of any type but string; those that NumPy does not have become `|V1` or `|V2`
 * @returns {Uint8Array} the whole file
 * @throws {TypeError} no tensor, or one of strings
 * @throws {RangeError} data of the wrong length
 * @throws {Error} before `init()`, where the type is packed
 * @example
 * writeNpy({ type: 'uint8', data: Uint8Array.of(1, 2, 3), dims: [3] }).length; // 131
 */
export function writeNpy(tensor) {
  const prefix = 'writeNpy';
  const parts = readWholeTensor(prefix, 'tensor', tensor, ({ name }) => {
    if (name === 'string') wrongKind(prefix, 'type must not be string, got string');
  });
  const { dtype, dims, size } = parts;
  const order = descrs[dtype.name] === undefined || fileBytes(dtype) === 1 ? '|' : '<';
  const descr = `${order}${descrs[dtype.name] ?? `V${fileBytes(dtype)}`}`;
  const shape = `(${dims.join(', ')}${dims.length === 1 ? ',' : ''})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
  // The data begins at a multiple of 64.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const header = new Uint8Array(10 + length);
  header.set(magic);
  header[6] = 1;
  new DataView(header.buffer).setUint16(8, length, true);
  new TextEncoder().encodeInto(`${text.padEnd(length - 1)}\n`, header.subarray(10));
  const raw = rawBytes(prefix, parts);
  return concat(prefix, [header, dtype.bits < 8 ? new Uint8Array(unpack(dtype.name, raw, size).buffer) : raw]);
}
