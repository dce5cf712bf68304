/** CRC-32 as zip archives have it: of bytes, and of pieces that come in any order. */

/** The reflected polynomial. */
const polynomial = 0xedb88320;

/** @type {Int32Array | undefined} */
let table;

/** Makes the CRC of each byte.
 * @type {() => Int32Array} */
const makeTable = () =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let code = byte;
    for (let bit = 0; bit < 8; bit++) code = code & 1 ? (code >>> 1) ^ polynomial : code >>> 1;
    return code;
  });

/** Computes the CRC-32 of bytes. A byte at a time: a tenth of the time that inflating takes.
 * @type {(bytes: Uint8Array) => number} */
export function crc32(bytes) {
  table ??= makeTable();
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Multiplies two polynomials over bits, modulo the polynomial; the highest bit is x^0.
 * @type {(a: number, b: number) => number} */
function multiply(a, b) {
  let product = 0;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= b;
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1;
  }
  return product >>> 0;
}

/** Computes the part that a piece has in the CRC of all bytes: its own CRC times x^(8 * following), where `following`
 * bytes come behind it. The CRC of all is the XOR of these parts (zlib's `crc32_combine`).
 * @type {(crc: number, following: number) => number} */
export function shiftCrc(crc, following) {
  // x^8, for one byte; the powers for 2, 4 and more bytes follow by squaring.
  let power = 0x00800000;
  let shifted = crc;
  for (let left = following; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shifted = multiply(power, shifted);
    power = multiply(power, power);
  }
  return shifted >>> 0;
}
