/** The other byte order. */

/**
 * Reverses the bytes of each number in place.
 * @param {Uint8Array} bytes
 * @param {number} width of a number: 2, 4 or 8 bytes
 */
export function swapBytes(bytes, width) {
  for (let at = 0; at < bytes.length; at += width) {
    for (let low = at, high = at + width - 1; low < high; low++, high--) {
      const byte = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = byte;
    }
  }
}
