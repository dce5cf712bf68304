/**
 * The oracle: moves elements one at a time, as the operators should. It is slow and obvious, and shares nothing with
 * js/, not even its tables. It takes the machine to be little-endian, as every engine's is. An element is a code: the
 * number that its bits spell (a bigint above 32 bits), or the string itself.
 *
 * @typedef {any} Codes a list of codes: numbers, bigints or strings, in an array or a typed array
 */

/**
 * TensorProto.DataType, the width in bits and the class of `data`, as onnx.in.proto and onnxruntime have them.
 * @type {Record<string, { code: number, bits: number, array: any }>}
 */
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
  float6e2m3: { code: 27, bits: 6, array: Uint8Array },
  float6e3m2: { code: 28, bits: 6, array: Uint8Array },
};

export const typeNames = Object.keys(types);

/**
 * The number of elements of a shape; 1 for a scalar.
 * @param {readonly number[]} dims
 * @returns {number}
 */
export function elementCount(dims) {
  let count = 1;
  for (const extent of dims) count *= extent;
  return count;
}

/**
 * Bytes that `size` elements take. Elements narrower than a byte share it.
 * @param {string} type
 * @param {number} size
 * @returns {number}
 */
export function byteCount(type, size) {
  return Math.ceil((size * types[type].bits) / 8);
}

/**
 * A list that holds codes of a type. It is faster and smaller than a plain array, and not otherwise different.
 * @param {number} bits
 * @param {number} size
 * @returns {Codes}
 */
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
 * @param {number} size
 * @returns {Codes}
 */
export function toCodes(type, data, size) {
  const { bits } = types[type];
  if (bits === 0) return data.slice(0, size);
  const codes = codeList(bits, size);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, byteCount(type, size));
  if (bits === 128) {
    const halves = new BigUint64Array(bytes.slice().buffer);
    for (let i = 0; i < size; i++) codes[i] = halves[2 * i] | (halves[2 * i + 1] << 64n);
  } else if (bits >= 8) new Uint8Array(codes.buffer).set(bytes);
  else {
    // A stream of bits, the low ones first.
    const mask = (1 << bits) - 1;
    let [stream, length, at] = [0, 0, 0];
    for (let i = 0; i < size; i++) {
      for (; length < bits; length += 8) stream |= bytes[at++] << length;
      codes[i] = stream & mask;
      stream >>= bits;
      length -= bits;
    }
  }
  return codes;
}

/**
 * The data of a tensor with the given codes. The bits left over in the last byte are zero.
 * @param {string} type
 * @param {Codes} codes
 * @returns {any}
 */
export function fromCodes(type, codes) {
  const { bits, array } = types[type];
  if (bits === 0) return [...codes];
  const buffer = new ArrayBuffer(byteCount(type, codes.length));
  const bytes = new Uint8Array(buffer);
  if (bits === 128) {
    const halves = new BigUint64Array(buffer);
    for (let i = 0; i < codes.length; i++) {
      halves[2 * i] = codes[i] & 0xffff_ffff_ffff_ffffn;
      halves[2 * i + 1] = codes[i] >> 64n;
    }
  } else if (bits >= 8) {
    const list = codeList(bits, codes.length);
    list.set(codes);
    bytes.set(new Uint8Array(list.buffer));
  } else {
    const mask = (1 << bits) - 1;
    let [stream, length, at] = [0, 0, 0];
    for (let i = 0; i < codes.length; i++) {
      stream |= (codes[i] & mask) << length;
      for (length += bits; length >= 8; length -= 8, stream >>= 8) bytes[at++] = stream & 255;
    }
    if (length > 0) bytes[at] = stream;
  }
  return new array(buffer);
}

/**
 * The dims after a transposition: axis i of the result is axis perm[i] of the input.
 * @param {readonly number[]} dims
 * @param {readonly number[]} perm
 * @returns {number[]}
 */
export function transposedDims(dims, perm) {
  return perm.map((axis) => dims[axis]);
}

/**
 * Transposes elements.
 * @param {Codes} codes
 * @param {readonly number[]} dims
 * @param {readonly number[]} perm
 * @returns {Codes} a list of the same class
 */
export function transposeCodes(codes, dims, perm) {
  const outDims = transposedDims(dims, perm);
  const steps = perm.map((axis) => elementCount(dims.slice(axis + 1)));
  const [extent = 1, step = 0] = [outDims.pop(), steps.pop()];
  const index = outDims.map(() => 0);
  const result = codes.slice();
  for (let row = 0; row < result.length; row += extent) {
    let from = 0;
    for (let axis = 0; axis < index.length; axis++) from += index[axis] * steps[axis];
    for (let i = 0; i < extent; i++) result[row + i] = codes[from + i * step];
    for (let axis = index.length - 1; axis >= 0; axis--) {
      index[axis] += 1;
      if (index[axis] < outDims[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

/**
 * A tensor's data as what moves: codes of less than a byte, or words of at most four bytes. Of BigInts, and of lists of
 * five classes, the two functions above and below take four times as long.
 * @param {string} type
 * @param {any} data
 * @param {number} size
 * @returns {{ words: Codes, inner: number[], dataOf: (words: Codes) => any }} `inner`: the words of an element, an axis
 *   behind the others
 */
function wordsOf(type, data, size) {
  const { bits, array } = types[type];
  if (bits < 8) return { words: toCodes(type, data, size), inner: [], dataOf: (codes) => fromCodes(type, codes) };
  const Words = bits === 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
  const words = new Words(data.buffer, data.byteOffset, (size * bits) / 8 / Words.BYTES_PER_ELEMENT);
  return { words, inner: bits > 32 ? [bits / 32] : [], dataOf: (moved) => new array(moved.buffer) };
}

/**
 * Transposes the data of a tensor.
 * @param {string} type
 * @param {any} data
 * @param {readonly number[]} dims
 * @param {readonly number[]} perm
 * @returns {any}
 */
export function transposeData(type, data, dims, perm) {
  const { words, inner, dataOf } = wordsOf(type, data, elementCount(dims));
  return dataOf(transposeCodes(words, [...dims, ...inner], [...perm, ...inner.map(() => dims.length)]));
}

/**
 * Splits the data of a tensor.
 * @param {string} type
 * @param {any} data
 * @param {readonly number[]} dims
 * @param {number} axis
 * @param {readonly number[]} sizes
 * @returns {any[]}
 */
export function splitData(type, data, dims, axis, sizes) {
  const { words, inner, dataOf } = wordsOf(type, data, elementCount(dims));
  return splitCodes(words, [...dims, ...inner], axis, sizes).map(dataOf);
}

/**
 * Splits elements: for each entry of `sizes`, the codes whose index on `axis` falls into it.
 * @param {Codes} codes
 * @param {readonly number[]} dims
 * @param {number} axis
 * @param {readonly number[]} sizes
 * @returns {Codes[]}
 */
export function splitCodes(codes, dims, axis, sizes) {
  const inner = elementCount(dims.slice(axis + 1));
  const outer = elementCount(dims.slice(0, axis));
  const pieces = [];
  let first = 0;
  for (const size of sizes) {
    const piece = codes.slice(0, outer * size * inner);
    for (let o = 0; o < outer; o++) {
      const from = (o * dims[axis] + first) * inner;
      for (let i = 0; i < size * inner; i++) piece[o * size * inner + i] = codes[from + i];
    }
    pieces.push(piece);
    first += size;
  }
  return pieces;
}

/**
 * The numbers that codes of a packed integer type stand for: two's complement where the type is signed.
 * @param {string} type
 * @param {Codes} codes
 * @returns {number[]}
 */
export function smallIntegers(type, codes) {
  const { bits } = types[type];
  return Array.from(codes, (code) => (type.startsWith('int') && code >= 2 ** (bits - 1) ? code - 2 ** bits : code));
}
