/** Elements of fewer than 8 bits, packed in bytes, to elements of one byte each, and back. */
import { bytesOf, named, rangeError, show, showClass, typedArrayName, typeError } from '../../../arguments/index.js';
import { dataLength, dtypeOf, dtypes, newData } from '../../../tensor/index.js';
import { codeRules, convertBytes } from './convert.js';
import { ready } from '../load.js';

/** @import { DType, TypeName } from '../../../tensor/index.js' */

/** Reads the type of packed elements; refuses types of whole bytes, and strings.
 * @type {(type: unknown) => DType} */
function packedType(type) {
  const dtype = dtypeOf(type);
  // Strings have 0 bits.
  if (dtype && dtype.bits > 0 && dtype.bits < 8) return dtype;
  return typeError(`dtype must be a 6-, 4- or 2-bit type, got ${dtype ? dtype.name : show(type)}`);
}

/** Gives the one-byte type that unpacked elements have: int8 for signed integers, uint8 for others and for floats'
 * codes.
 * @type {(dtype: DType) => DType} */
const byteType = ({ format }) => (format.kind === 'int' && format.signed ? dtypes.int8 : dtypes.uint8);

/**
 * Packs one-byte elements as a 6-, 4- or 2-bit type has them: one behind the other without gaps, the first in the low
 * bits of the first byte; bits after the last element are zero. Four elements of 6 bits take three bytes.
 *
 * ONNX: the packing of float6e2m3, float6e3m2, int4, uint4, float4e2m1, int2 and uint2 in onnx.in.proto.
 * @param {TypeName} dtype int4, uint4, int2, uint2; float6e2m3, float6e3m2 or float4e2m1 (by its codes)
 * @param {Int8Array | Uint8Array} values one element a byte; of each the low bits count
 * @returns {Uint8Array} of `ceil(n * bits / 8)` bytes
 * @throws {TypeError} another type, another class of values
 * @example
 * pack('int4', Int8Array.of(1, -1, 7)); // Uint8Array [0xf1, 0x07]
 */
export function pack(dtype, values) {
  return named('pack', () => {
    ready();
    const packed = packedType(dtype);
    const name = typedArrayName(values);
    if (name !== 'Int8Array' && name !== 'Uint8Array')
      typeError(`values must be an Int8Array or Uint8Array, got ${showClass(values)}`);
    return packBytes(packed, bytesOf(values));
  });
}

/** Packs one-byte elements: puts the low bits of each one behind the other, without gaps. Checks nothing, and needs the
 * module loaded. `packed`: the type of fewer than 8 bits that the result has.
 * @type {(packed: DType, source: Uint8Array) => Uint8Array} */
export function packBytes(packed, source) {
  const size = source.length;
  const result = newData(packed, size, undefined);
  convertBytes(dtypes.uint8, packed, size, source, result, codeRules);
  return result;
}

/**
 * Unpacks the elements of a 6-, 4- or 2-bit type, one a byte.
 * @param {TypeName} dtype int4, uint4, int2, uint2; float6e2m3, float6e3m2 or float4e2m1 (as its codes)
 * @param {Uint8Array} bytes `ceil(size * bits / 8)`; bits after the last element are ignored
 * @param {number} size in elements
 * @returns {Int8Array | Uint8Array} Int8Array for the signed integers
 * @throws {TypeError} another type, another class of bytes
 * @throws {RangeError} bytes of another length
 * @example
 * unpack('int4', Uint8Array.of(0xf1, 0x07), 3); // Int8Array [1, -1, 7]
 */
export function unpack(dtype, bytes, size) {
  return named('unpack', () => {
    ready();
    const packed = packedType(dtype);
    if (typedArrayName(bytes) !== 'Uint8Array') typeError(`bytes must be a Uint8Array, got ${showClass(bytes)}`);
    if (typeof size !== 'number') typeError(`size must be a number, got ${show(size)}`);
    if (!Number.isSafeInteger(size) || size < 0) rangeError(`size must be a whole number from 0, got ${size}`);
    const source = bytesOf(bytes);
    const length = dataLength(packed, size);
    if (source.length !== length)
      rangeError(`${packed.name} bytes of ${size} elements are ${length}, got ${source.length}`);
    return unpackBytes(packed, source, size);
  });
}

/** Unpacks the first `size` elements of the type `packed` to one byte each: signed integers to int8, others to uint8.
 * Checks nothing, and needs the module loaded.
 * @type {(packed: DType, source: Uint8Array, size: number) => Int8Array | Uint8Array} */
export function unpackBytes(packed, source, size) {
  const byte = byteType(packed);
  const result = newData(byte, size, undefined);
  convertBytes(packed, byte, size, source, bytesOf(result), codeRules);
  return result;
}
