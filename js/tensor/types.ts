/** The types of dtypes' rows. */
import type { ArrayName } from '../arguments/index.js';
import type { Rows, TypeName } from './dtypes.js';

/**
 * How a code becomes a number.
 * - `ieee`: the top exponent holds infinities and NaNs
 * - `fn`: no infinity, NaN is the all-ones code of either sign
 * - `fnuz`: no infinity, no -0; the code of -0 is the only NaN
 * - `finite`: every code is a number
 * - `e8m0`: unsigned power of two, all-ones is NaN
 */
export type Special = 'ieee' | 'fn' | 'fnuz' | 'finite' | 'e8m0';

/** The widths of exponent and mantissa are in bits. */
export type FloatFormat = { kind: 'float'; exponent: number; mantissa: number; bias: number; special: Special };
export type IntFormat = { kind: 'int'; signed: boolean };
export type OtherFormat = { kind: 'bool' } | { kind: 'string' } | { kind: 'complex' };
export type NumberFormat = FloatFormat | IntFormat | OtherFormat;

export type Row = [code: number, bits: number, array: ArrayName, ir: number, format: NumberFormat, also?: ArrayName];

export interface DType {
  name: TypeName;
  /** TensorProto.DataType */
  code: number;
  /** width of one element; 0 for string, which has none of its own */
  bits: number;
  /** the class that `data` has, as its `Symbol.toStringTag` says it */
  array: ArrayName;
  /** of one entry of `array`; 0 for string */
  entryBits: number;
  /** a second class that is accepted, and kept in results if it holds the same type */
  also: ArrayName | undefined;
  /** the ONNX IR version that brought the type; 1: the first operators' three floats, 3: all of the first types */
  ir: number;
  format: NumberFormat;
}

interface Arrays {
  Array: string[];
  Uint8Array: Uint8Array;
  Int8Array: Int8Array;
  Uint16Array: Uint16Array;
  Int16Array: Int16Array;
  Uint32Array: Uint32Array;
  Int32Array: Int32Array;
  Float32Array: Float32Array;
  Float64Array: Float64Array;
  BigInt64Array: BigInt64Array;
  BigUint64Array: BigUint64Array;
}

/** `any` where the type is not known */
export type TensorData<Type extends TypeName = TypeName> = TypeName extends Type ? any : Arrays[Rows[Type][2]];

/** A decoded element of a type: bool is 0 or 1, and a complex number a pair of re and im. */
export type TensorValue<Type extends TypeName = TypeName> = Type extends 'string'
  ? string
  : Type extends 'int64' | 'uint64'
    ? bigint
    : Type extends 'complex64' | 'complex128'
      ? [number, number]
      : number;
