/** A wasm module as text, for the build, and for the sanitized one of the tests. */

/**
 * Bytes as text that js/engines/loading reads. It holds ASCII alone, and nothing that a bundler would escape, so no
 * charset can harm it. The 82 most frequent bytes take a character each, all others two. Of the core's module, raw and
 * gzipped: 349 and 86.8 kB, where hexadecimal digits take 661 and 94.9, base64 441 and 126.4, and Latin-1 characters
 * 356 and 88.9 kB.
 * @param {Uint8Array} bytes
 * @returns {string} all bytes in the order of their frequency, in hexadecimal, then the module
 */
export function asText(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const byRank = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const symbols = Array.from({ length: 87 }, (_, i) => String.fromCharCode(i + 40)).filter((c) => !'\\`'.includes(c));
  /** @type {string[]} */
  const texts = [];
  for (const [rank, byte] of byRank.entries()) {
    const more = rank - 82;
    texts[byte] = more < 0 ? symbols[rank] : symbols[82 + Math.floor(more / 85)] + symbols[more % 85];
  }
  return Buffer.from(byRank).toString('hex') + Array.from(bytes, (byte) => texts[byte]).join('');
}
