/** The types of what callers hand in. */

/** The members that typed arrays of all classes have. Entries are numbers, or bigints of 64 bits. */
export interface TypedArray extends ArrayBufferView {
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  [index: number]: number | bigint;
  subarray(first?: number, end?: number): TypedArray;
  slice(first?: number, end?: number): TypedArray;
  set(source: ArrayLike<number | bigint>, at?: number): void;
  fill(value: number | bigint, first?: number, end?: number): TypedArray;
  copyWithin(to: number, first: number, end?: number): TypedArray;
}

/** A class of typed arrays. */
export interface TypedArrayClass {
  new (lengthOrBuffer: number | ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
  readonly BYTES_PER_ELEMENT: number;
}

/** Array, as the class of a tensor's strings. */
export interface StringsClass {
  new (length: number): any;
  readonly BYTES_PER_ELEMENT?: undefined;
}

/** Typed arrays by the names of their classes. */
export type TypedArrays = {
  Uint8Array: Uint8Array;
  Uint8ClampedArray: Uint8ClampedArray;
  Int8Array: Int8Array;
  Uint16Array: Uint16Array;
  Int16Array: Int16Array;
  Uint32Array: Uint32Array;
  Int32Array: Int32Array;
  Float16Array: TypedArray;
  Float32Array: Float32Array;
  Float64Array: Float64Array;
  BigInt64Array: BigInt64Array;
  BigUint64Array: BigUint64Array;
};
