/** The memory that workloads read and write. */
import { byteCount, types } from '../support/reference.js';
import { generator } from '../support/samples.js';

/** The bytes of a typed array. */
export const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** Room for `size` elements, its pages touched: the first write to a page costs more than the copy to it. */
export function roomFor(type, size) {
  const { array } = types[type];
  const data = new array(byteCount(type, size) / array.BYTES_PER_ELEMENT);
  bytesOf(data).fill(1);
  return data;
}

// What is kept and what is set of an element's random bits, so that the 8- and 16-bit floats are neither NaN nor (which slows some
// peers down) subnormal; NaN has many codes, of which peers choose different ones.
const masks = { float16: [0x8fff, 0x3000], bfloat16: [0x80ff, 0x3f00], float8e4m3fn: [0xbf, 0] };

/**
 * Random data. 32-bit floats and integers lie in [-8, 8), those that become uint8 in [0, 256); 64-bit elements are finite when read as
 * float64, whatever their type; the others have random bits, or nearly so.
 * @param {string} type
 * @param {number} size in elements
 * @param {string} [to] what the elements are to be cast to
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
