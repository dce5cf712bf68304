/** The memory that workloads read and write. */
import { createHash } from 'node:crypto';
import { byteCount, types } from '../support/reference.js';
import { generator } from '../support/samples.js';
import { sizeOf } from './workloads.js';

/** The bytes of a typed array. */
export const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** The bytes of a typed array, in short: to compare results. */
export const hashOf = (data) => createHash('sha256').update(bytesOf(data)).digest('hex');

/** Memory for `size` elements. Its pages are touched, because the first write to a page costs more than the copy. */
export function roomFor(type, size) {
  const { array } = types[type];
  const data = new array(byteCount(type, size) / array.BYTES_PER_ELEMENT);
  bytesOf(data).fill(1);
  return data;
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
  const data = randomData(type, sizeOf(dims));
  if (limit !== undefined) data.forEach((_, i) => (data[i] = BigInt((i * 7919) % limit)));
  return { type, dims, data };
}

/** A tensor for the result. */
export const outOf = ([type, dims]) => ({ type, dims, data: roomFor(type, sizeOf(dims)) });
