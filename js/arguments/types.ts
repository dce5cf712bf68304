/** The types of what callers hand in. */

/** The members that typed arrays of all classes have. Entries are numbers, or bigints of 64 bits. */
export interface TypedArray extends ArrayBufferView {
  readonly length: number;
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
