/** Files of any size for tests: sources that note what is read, and files in the making as bytes. */
import { expect } from '@jest/globals';

/**
 * The bytes of a file in the making.
 * @param {AsyncIterable<Uint8Array> & { byteLength: number }} saved
 * @returns {Promise<Uint8Array>}
 */
export async function bytesOf(saved) {
  const chunks = [];
  for await (const chunk of saved) chunks.push(chunk);
  // Joined only now: each chunk has memory of its own.
  const bytes = new Uint8Array(Buffer.concat(chunks));
  expect(bytes.length).toBe(saved.byteLength);
  return bytes;
}

/**
 * A source over bytes that notes the ranges that are read of it.
 * @param {Uint8Array} bytes
 * @returns {{ source: import('onnx-layout/io').ByteSource, ranges: [from: number, to: number][] }}
 */
export function spiedSource(bytes) {
  /** @type {[from: number, to: number][]} */
  const ranges = [];
  const source = {
    byteLength: bytes.length,
    async slice(/** @type {number} */ start, /** @type {number} */ end) {
      ranges.push([start, end]);
      return bytes.slice(start, end);
    },
  };
  return { source, ranges };
}
