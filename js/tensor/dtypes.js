/**
 * The element types of ONNX, one row each. Every other table and every type derives from this one.
 *
 * Source: onnx.in.proto (TensorProto.DataType), ONNX IR versions 3 to 14. The float formats' parameters are those of
 * IEEE 754-2019, "FP8 Formats for Deep Learning" (arXiv 2209.05433), "8-bit Numerical Formats" (arXiv 2206.02915) and
 * OCP Microscaling 1.0.
 */

import { arrayClasses } from '../arguments/index.js';

/** @import { FloatFormat, IntFormat, Row, Special } from './types.js' */
/** @typedef {import('./types.js').DType} DType */
/** @typedef {import('./types.js').NumberFormat} NumberFormat */

/** Describes a float format: the bits of its exponent and its mantissa, the exponent's bias, and which codes are NaN
 * and infinities.
 * @type {(exponent: number, mantissa: number, bias: number, special: Special) => FloatFormat} */
const float = (exponent, mantissa, bias, special) => ({ kind: 'float', exponent, mantissa, bias, special });
/** @type {IntFormat} */
const signed = { kind: 'int', signed: true };
/** @type {IntFormat} */
const unsigned = { kind: 'int', signed: false };

/** Of each type: ONNX's code, bits of an element, class of the data array, first IR version, number format, and another
 * class that data may have.
 * @satisfies {Record<string, Row>} */
const rows = {
  float32: [1, 32, 'Float32Array', 1, float(8, 23, 127, 'ieee')],
  uint8: [2, 8, 'Uint8Array', 3, unsigned, 'Uint8ClampedArray'],
  int8: [3, 8, 'Int8Array', 3, signed],
  uint16: [4, 16, 'Uint16Array', 3, unsigned],
  int16: [5, 16, 'Int16Array', 3, signed],
  int32: [6, 32, 'Int32Array', 3, signed],
  int64: [7, 64, 'BigInt64Array', 3, signed],
  string: [8, 0, 'Array', 3, { kind: 'string' }],
  bool: [9, 8, 'Uint8Array', 3, { kind: 'bool' }],
  float16: [10, 16, 'Uint16Array', 1, float(5, 10, 15, 'ieee'), 'Float16Array'],
  float64: [11, 64, 'Float64Array', 1, float(11, 52, 1023, 'ieee')],
  uint32: [12, 32, 'Uint32Array', 3, unsigned],
  uint64: [13, 64, 'BigUint64Array', 3, unsigned],
  complex64: [14, 64, 'Float32Array', 3, { kind: 'complex' }],
  complex128: [15, 128, 'Float64Array', 3, { kind: 'complex' }],
  bfloat16: [16, 16, 'Uint16Array', 4, float(8, 7, 127, 'ieee')],
  float8e4m3fn: [17, 8, 'Uint8Array', 9, float(4, 3, 7, 'fn')],
  float8e4m3fnuz: [18, 8, 'Uint8Array', 9, float(4, 3, 8, 'fnuz')],
  float8e5m2: [19, 8, 'Uint8Array', 9, float(5, 2, 15, 'ieee')],
  float8e5m2fnuz: [20, 8, 'Uint8Array', 9, float(5, 2, 16, 'fnuz')],
  uint4: [21, 4, 'Uint8Array', 10, unsigned],
  int4: [22, 4, 'Uint8Array', 10, signed],
  float4e2m1: [23, 4, 'Uint8Array', 11, float(2, 1, 1, 'finite')],
  float8e8m0: [24, 8, 'Uint8Array', 12, float(8, 0, 127, 'e8m0')],
  uint2: [25, 2, 'Uint8Array', 13, unsigned],
  int2: [26, 2, 'Uint8Array', 13, signed],
  float6e2m3: [27, 6, 'Uint8Array', 14, float(2, 3, 1, 'finite')],
  float6e3m2: [28, 6, 'Uint8Array', 14, float(3, 2, 3, 'finite')],
};

/** @typedef {typeof rows} Rows */
/** @typedef {keyof Rows} TypeName */

const entries = Object.entries(/** @type {Record<string, Row>} */ (rows));
const pairs = entries.map(([name, [code, bits, array, ir, format, also]]) => {
  const entryBits = 8 * (arrayClasses[array].BYTES_PER_ELEMENT ?? 0);
  Object.freeze(format);
  return [name, Object.freeze({ name, code, bits, array, entryBits, also, ir, format })];
});

/** Every dtype by its name. Read-only, without a prototype, so that any string may be looked up in it.
 * @type {Readonly<Record<TypeName, Readonly<DType>>>} */
export const dtypes = Object.freeze(Object.assign(Object.create(null), Object.fromEntries(pairs)));

/** @type {Readonly<Record<string, TypeName>>} The names that ONNX's text uses beside onnxruntime's. */
const aliases = Object.freeze(Object.assign(Object.create(null), { float: 'float32', double: 'float64' }));

/** @type {readonly string[]} Every name that {@link dtypeOf} knows, the aliases last. */
export const typeNames = Object.freeze([...Object.keys(dtypes), ...Object.keys(aliases)]);

/** @type {(name: unknown) => Readonly<DType> | undefined} undefined for anything that is no name and no alias */
export function dtypeOf(name) {
  if (typeof name !== 'string') return undefined;
  return dtypes[/** @type {TypeName} */ (name)] ?? dtypes[aliases[name]];
}

/** Tells whether several elements of a type share a byte of the data, as those of int4 do. Strings have 0 bits.
 * @type {(dtype: DType) => boolean} */
export const isPacked = ({ bits }) => bits > 0 && bits < 8;

/** Throws where a table or a `switch` over dtypes' properties has no case for one, so that a new dtype never gets
 * another one's treatment. TypeScript refuses the call as long as a case is left.
 * @type {(where: string, what: never) => never} */
export function noCase(where, what) {
  throw new Error(`${where} has no case for ${JSON.stringify(what)}`);
}
