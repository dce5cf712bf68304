/** A wasm module as text, for the build, and for the sanitized one of the tests. */

/**
 * Bytes as text that js/engines/loading reads. It holds ASCII alone, and nothing that a bundler would escape, so no
 * charset can harm it. The 82 most frequent bytes take a character each, all others two. Of the core's module, raw and
 * gzipped: 231 and 49.8 kB, where hexadecimal digits take 444 and 55.7, base64 296 and 76.7, and the module itself 222
 * and 49.8 kB. Bytes stand in ascending order, because a list of them by frequency takes .3 to .4 kB a module.
 * @param {Uint8Array} bytes
 * @returns {string} 64 hexadecimal digits, whose bits, lowest first, say which bytes take one character, then the text
 */
export function asText(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const all = [...counts.keys()];
  const frequent = new Set(all.toSorted((a, b) => counts[b] - counts[a]).slice(0, 82));
  const symbols = Array.from({ length: 87 }, (_, i) => String.fromCharCode(i + 40)).filter((c) => !'\\`'.includes(c));
  const short = all.filter((byte) => frequent.has(byte));
  const long = all.filter((byte) => !frequent.has(byte));
  /** @type {string[]} */
  const texts = [];
  short.forEach((byte, i) => (texts[byte] = symbols[i]));
  long.forEach((byte, i) => (texts[byte] = symbols[82 + Math.floor(i / 85)] + symbols[i % 85]));
  const digits = Array.from({ length: 64 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum + (Number(frequent.has(4 * i + bit)) << bit), 0).toString(16),
  );
  return digits.join('') + Array.from(bytes, (byte) => texts[byte]).join('');
}
