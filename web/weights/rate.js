/** Numbers and the course of a long work, in words. No DOM. */
import { short, showBytes } from '../shared/number-text.js';

/**
 * A time as people say it.
 * @param {number} ms
 */
export function duration(ms) {
  if (ms < 10_000) return `${short(ms / 1000)} s`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * @param {number} done in bytes
 * @param {number} total
 * @param {number} ms since the beginning
 */
export function progressText(done, total, ms) {
  const part = `${showBytes(done)} of ${showBytes(total)}`;
  // The first pieces say little about the rate.
  if (ms < 300 || done === 0) return part;
  const rate = done / ms;
  return `${part}, ${showBytes(1000 * rate)} a second, ${duration((total - done) / rate)} left`;
}

/**
 * A part of a whole, in percent.
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  const text = short(whole === 0 ? 0 : (100 * part) / whole);
  return text === '100' && part < whole ? 'almost 100 %' : `${text} %`;
}

/**
 * A value with some digits, short enough for a line.
 * @param {number} value
 * @param {number} digits
 */
export function shortValue(value, digits) {
  const magnitude = Math.abs(value);
  const isPlain = magnitude === 0 || (magnitude >= 0.001 && magnitude < 10 ** Math.max(digits, 6));
  const text = isPlain ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
  return text.replace(/\.?0*e\+?/, 'e').replaceAll('-', '−');
}
