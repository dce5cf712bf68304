/**
 * The oracle: what the operators do, one element at a time. It is slow and obvious, and shares nothing with js/, not
 * even the tables. An element is a code: the number that its bits spell (a bigint above 32 bits), or the string itself.
 */

// TensorProto.DataType, width in bits and the class of `data`, as onnx.in.proto and onnxruntime have them.
export const types = {
  float32: { code: 1, bits: 32, array: Float32Array },
  uint8: { code: 2, bits: 8, array: Uint8Array },
  int8: { code: 3, bits: 8, array: Int8Array },
  uint16: { code: 4, bits: 16, array: Uint16Array },
  int16: { code: 5, bits: 16, array: Int16Array },
  int32: { code: 6, bits: 32, array: Int32Array },
  int64: { code: 7, bits: 64, array: BigInt64Array },
  string: { code: 8, bits: 0, array: Array },
  bool: { code: 9, bits: 8, array: Uint8Array },
  float16: { code: 10, bits: 16, array: Uint16Array },
  float64: { code: 11, bits: 64, array: Float64Array },
  uint32: { code: 12, bits: 32, array: Uint32Array },
  uint64: { code: 13, bits: 64, array: BigUint64Array },
  complex64: { code: 14, bits: 64, array: Float32Array },
  complex128: { code: 15, bits: 128, array: Float64Array },
  bfloat16: { code: 16, bits: 16, array: Uint16Array },
  float8e4m3fn: { code: 17, bits: 8, array: Uint8Array },
  float8e4m3fnuz: { code: 18, bits: 8, array: Uint8Array },
  float8e5m2: { code: 19, bits: 8, array: Uint8Array },
  float8e5m2fnuz: { code: 20, bits: 8, array: Uint8Array },
  uint4: { code: 21, bits: 4, array: Uint8Array },
  int4: { code: 22, bits: 4, array: Uint8Array },
  float4e2m1: { code: 23, bits: 4, array: Uint8Array },
  float8e8m0: { code: 24, bits: 8, array: Uint8Array },
  uint2: { code: 25, bits: 2, array: Uint8Array },
  int2: { code: 26, bits: 2, array: Uint8Array },
};

export const typeNames = Object.keys(types);

/**
 * The number of elements.
 * @param {number[]} dims
 * @returns {number} 1 for a scalar
 */
export function elementCount(dims) {
  let count = 1;
  for (const extent of dims) count *= extent;
  return count;
}

/**
 * The bytes that `size` elements take; narrow ones share them.
 * @param {string} type
 * @param {number} size in elements
 * @returns {number}
 */
export function byteCount(type, size) {
  return Math.ceil((size * types[type].bits) / 8);
}

// A list for codes of a type, smaller and faster than a plain array.
function codeList(bits, size) {
  if (bits === 0 || bits === 128) return new Array(size);
  if (bits === 64) return new BigUint64Array(size);
  if (bits === 32) return new Uint32Array(size);
  return bits === 16 ? new Uint16Array(size) : new Uint8Array(size);
}

/**
 * The codes of a tensor's data, first element first.
 * @param {string} type
 * @param {any} data
 * @param {number} size in elements
 * @returns {any} an array or a typed array
 */
export function toCodes(type, data, size) {
  const { bits } = types[type];
  if (bits === 0) return data.slice(0, size);
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const codes = codeList(bits, size);
  for (let i = 0; i < size; i++) {
    if (bits === 128) codes[i] = bytes.getBigUint64(16 * i, true) | (bytes.getBigUint64(16 * i + 8, true) << 64n);
    else if (bits === 64) codes[i] = bytes.getBigUint64(8 * i, true);
    else if (bits === 32) codes[i] = bytes.getUint32(4 * i, true);
    else if (bits === 16) codes[i] = bytes.getUint16(2 * i, true);
    else if (bits === 8) codes[i] = bytes.getUint8(i);
    else if (bits === 4) codes[i] = (bytes.getUint8(i >> 1) >> (4 * (i % 2))) & 15;
    else codes[i] = (bytes.getUint8(i >> 2) >> (2 * (i % 4))) & 3;
  }
  return codes;
}

/**
 * The data of a tensor with the given codes; the tail bits of the last byte are zero.
 * @param {string} type
 * @param {ArrayLike<any>} codes
 * @returns {any}
 */
export function fromCodes(type, codes) {
  const { bits, array } = types[type];
  if (bits === 0) return [...codes];
  const buffer = new ArrayBuffer(byteCount(type, codes.length));
  const bytes = new DataView(buffer);
  for (let i = 0; i < codes.length; i++) {
    if (bits === 128) {
      bytes.setBigUint64(16 * i, codes[i] & 0xffff_ffff_ffff_ffffn, true);
      bytes.setBigUint64(16 * i + 8, codes[i] >> 64n, true);
    } else if (bits === 64) bytes.setBigUint64(8 * i, codes[i], true);
    else if (bits === 32) bytes.setUint32(4 * i, codes[i], true);
    else if (bits === 16) bytes.setUint16(2 * i, codes[i], true);
    else if (bits === 8) bytes.setUint8(i, codes[i]);
    else if (bits === 4) bytes.setUint8(i >> 1, bytes.getUint8(i >> 1) | ((codes[i] & 15) << (4 * (i % 2))));
    else bytes.setUint8(i >> 2, bytes.getUint8(i >> 2) | ((codes[i] & 3) << (2 * (i % 4))));
  }
  return new array(buffer);
}

/**
 * The dims after a transposition: axis i of the result is axis perm[i] of the input.
 * @param {number[]} dims
 * @param {number[]} perm
 * @returns {number[]}
 */
export function transposedDims(dims, perm) {
  return perm.map((axis) => dims[axis]);
}

/**
 * The codes in the order that a transposition gives them.
 * @param {any} codes
 * @param {number[]} dims
 * @param {number[]} perm
 * @returns {any} a list of the class of `codes`
 */
export function transposed(codes, dims, perm) {
  const outDims = transposedDims(dims, perm);
  const steps = perm.map((axis) => elementCount(dims.slice(axis + 1)));
  const index = outDims.map(() => 0);
  const result = codes.slice();
  for (let i = 0; i < result.length; i++) {
    let from = 0;
    for (let axis = 0; axis < steps.length; axis++) from += index[axis] * steps[axis];
    result[i] = codes[from];
    for (let axis = index.length - 1; axis >= 0; axis--) {
      index[axis] += 1;
      if (index[axis] < outDims[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

/**
 * The pieces of a split: for each entry of `sizes`, the codes whose index on `axis` falls into it.
 * @param {any} codes
 * @param {number[]} dims
 * @param {number} axis
 * @param {number[]} sizes
 * @returns {any[]}
 */
export function split(codes, dims, axis, sizes) {
  const inner = elementCount(dims.slice(axis + 1));
  const outer = elementCount(dims.slice(0, axis));
  const pieces = [];
  let first = 0;
  for (const size of sizes) {
    const piece = codes.slice(0, outer * size * inner);
    let to = 0;
    for (let o = 0; o < outer; o++) {
      for (let a = first; a < first + size; a++) {
        for (let i = 0; i < inner; i++) piece[to++] = codes[(o * dims[axis] + a) * inner + i];
      }
    }
    pieces.push(piece);
    first += size;
  }
  return pieces;
}

/**
 * The numbers that codes of a 4- or 2-bit integer type stand for: two's complement if the type is signed.
 * @param {string} type
 * @param {ArrayLike<number>} codes
 * @returns {number[]}
 */
export function smallIntegers(type, codes) {
  const { bits } = types[type];
  return Array.from(codes, (code) => (type.startsWith('int') && code >= 2 ** (bits - 1) ? code - 2 ** bits : code));
}
