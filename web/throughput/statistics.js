/** Statistics of samples. No DOM. */

/**
 * A quantile: the least value that is not below a `part` of all values.
 * @param {readonly number[]} values at least one
 * @param {number} part in (0, 1]
 */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

/**
 * @param {readonly number[]} samples milliseconds a call
 * @param {number} bytes that a call reads and writes
 */
export function summarize(samples, bytes) {
  const median = quantile(samples, 0.5);
  return { median, p95: quantile(samples, 0.95), gigabytes: bytes / median / 1e6, count: samples.length };
}
