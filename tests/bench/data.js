/** The memory that workloads read and write. */
import { createHash } from 'node:crypto';
import { byteCount, elementCount, types } from '../support/reference.js';
import { generator } from '../support/samples.js';

/** The bytes of a typed array. */
export const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** The hash of the bytes of arrays, one after another: to compare results. */
export function hashOf(...arrays) {
  const hash = createHash('sha256');
  for (const array of arrays) hash.update(bytesOf(array));
  return hash.digest('hex');
}

/** Memory for `size` elements. Its pages are touched, because the first write to a page costs more than the copy. */
export function roomFor(type, size) {
  const { array } = types[type];
  const data = new array(byteCount(type, size) / array.BYTES_PER_ELEMENT);
  bytesOf(data).fill(1);
  return data;
}

export const clear = (array) => bytesOf(array).fill(0);

/** memcpy between two buffers that were touched before. */
export function memcpyOf(bytes) {
  const [source, target] = [roomFor('uint8', bytes), roomFor('uint8', bytes)];
  return () => target.set(source);
}

// The random bits to keep, and the bits to set, so that floats of 8 and 16 bits are neither NaN nor subnormal. NaN has
// many codes, and peers choose different ones; subnormal numbers slow some peers down.
const masks = { float16: [0x8fff, 0x3000], bfloat16: [0x80ff, 0x3f00], float8e4m3fn: [0xbf, 0] };

/**
 * Random data. Elements of 32 bits are in [-8, 8), or in [0, 256) if they become uint8. Elements of 64 bits are finite
 * when read as float64, whatever their type. The others have random bits, except for what the masks above fix.
 * @param {string} type
 * @param {number} size in elements
 * @param {string} [to] the type that the elements are cast to
 */
export function randomData(type, size, to) {
  const { bits } = types[type];
  const random = generator(size);
  const data = roomFor(type, size);
  if (bits >= 64) {
    const numbers = new Float64Array(data.buffer);
    for (let i = 0; i < numbers.length; i++) numbers[i] = random() / 2 ** 28 - 8;
  } else if (bits === 32) {
    const [scale, least] = to === 'uint8' ? [2 ** -24, 0] : [2 ** -28, -8];
    for (let i = 0; i < data.length; i++) data[i] = random() * scale + least;
  } else {
    const [kept, set] = masks[type] ?? [-1, 0];
    for (let i = 0; i < data.length; i++) data[i] = (random() & kept) | set;
  }
  return data;
}

/** Random data of an input; the third entry is a limit of indices. */
export function inputOf([type, dims, limit]) {
  const data = randomData(type, elementCount(dims));
  if (limit !== undefined) data.forEach((_, i) => (data[i] = BigInt((i * 7919) % limit)));
  return { type, dims, data };
}

/** A tensor for the result. */
export const outOf = ([type, dims]) => ({ type, dims, data: roomFor(type, elementCount(dims)) });
