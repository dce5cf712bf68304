/** Reads PNG files that hold their pixels as bytes, to the bit: no palette, no interlacing, no change of colors. */
import { inflateSync } from 'node:zlib';

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { abs, floor } = Math;

/** Channels by the color type of IHDR: gray, RGB, gray with alpha, RGB with alpha. */
const channelsOf = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);

const signature = '89504e470d0a1a0a';

/**
 * The data of all chunks of a kind, joined.
 * @param {Buffer} file
 * @param {string} kind
 */
function chunks(file, kind) {
  const pieces = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === kind) pieces.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(pieces);
}

/**
 * Paeth's predictor: of the bytes to the left, above, and left above, the one nearest to left + above - left above.
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function paeth(left, above, corner) {
  const toLeft = abs(above - corner);
  const toAbove = abs(left - corner);
  const toCorner = abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/**
 * The prediction of a byte by each of the five filters of PNG (9.2).
 * @type {((left: number, above: number, corner: number) => number)[]}
 */
const predictors = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => floor((left + above) / 2),
  paeth,
];

/**
 * Reads a PNG file.
 * @param {Uint8Array} bytes
 * @returns {{ data: Uint8Array, width: number, height: number, channels: number }}
 */
export function readPng(bytes) {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.toString('hex', 0, 8) !== signature) throw new Error('not a PNG file');
  const header = chunks(file, 'IHDR');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colorType, , , interlaced] = header.subarray(8);
  const channels = channelsOf.get(colorType);
  if (depth !== 8 || channels === undefined || interlaced !== 0)
    throw new Error(`PNG of depth ${depth}, color type ${colorType}, interlacing ${interlaced} is not read here`);
  const rows = inflateSync(chunks(file, 'IDAT'));
  const row = width * channels;
  const data = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const predict = predictors[rows[y * (row + 1)]];
    for (let x = 0; x < row; x++) {
      const at = y * row + x;
      const left = x < channels ? 0 : data[at - channels];
      const above = y === 0 ? 0 : data[at - row];
      const corner = x < channels || y === 0 ? 0 : data[at - row - channels];
      data[at] = rows[at + y + 1] + predict(left, above, corner);
    }
  }
  return { data, width, height, channels };
}
