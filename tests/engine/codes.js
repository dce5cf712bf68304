/** Packs codes of any width into bytes, one bit at a time, and unpacks them. */

/**
 * @param {number} bits
 * @param {readonly bigint[]} codes
 * @returns {Uint8Array}
 */
export function packCodes(bits, codes) {
  const bytes = new Uint8Array(Math.ceil((bits * codes.length) / 8));
  codes.forEach((code, k) => {
    for (let i = 0; i < bits; i++)
      if ((code >> BigInt(i)) & 1n) bytes[Math.floor((k * bits + i) / 8)] |= 1 << ((k * bits + i) % 8);
  });
  return bytes;
}

/**
 * @param {number} bits
 * @param {Uint8Array} bytes
 * @param {number} count
 * @returns {bigint[]}
 */
export const unpackCodes = (bits, bytes, count) =>
  Array.from({ length: count }, (_, k) => {
    let code = 0n;
    for (let i = bits - 1; i >= 0; i--)
      code = (code << 1n) | BigInt((bytes[Math.floor((k * bits + i) / 8)] >> ((k * bits + i) % 8)) & 1);
    return code;
  });
