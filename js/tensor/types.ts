/** The types of dtypes' rows. */
import type { ArrayName } from '../arguments/index.js';
import type { TypeName } from './dtypes.js';

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
  /** onnxruntime's name */
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
  /** how to read one element */
  format: NumberFormat;
}
