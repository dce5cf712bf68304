/** Tables of the 256 numbers that bytes become, where the formula of normalization rounds otherwise. */
import { bytesOf } from '../arguments/index.js';
import { convertBytes } from '../engine/index.js';
import { dtypes } from '../tensor/index.js';
import { roundHalfToEven } from './letterbox-geometry.js';

/** @import { DType } from '../tensor/index.js' */

/**
 * Makes the tables of some channels.
 * @param {string} prefix
 * @param {DType} dtype of the result
 * @param {number} count of channels
 * @param {(byte: number, channel: number) => number} numberOf what is rounded to float32, and then to the result's type
 * @returns {Uint8Array} 256 numbers in the result's format for each channel
 */
export function tablesOf(prefix, dtype, count, numberOf) {
  const numbers = Float32Array.from({ length: 256 * count }, (_, i) => numberOf(i % 256, Math.floor(i / 256)));
  // Bytes are rounded to nearest and saturated here; the conversion of the engine cuts off and wraps, as Cast does.
  if (dtype.bits === 8) {
    const least = dtype.name === 'int8' ? -128 : 0;
    numbers.forEach((x, i) => (numbers[i] = Math.min(Math.max(roundHalfToEven(x), least), least + 255)));
  }
  const tables = new Uint8Array((numbers.length * dtype.bits) / 8);
  convertBytes(prefix, dtypes.float32, dtype, numbers.length, bytesOf(numbers), tables);
  return tables;
}
