/** Picture files without their EXIF, so that a browser decodes the pixels as they are stored. Chromium 156 and Firefox
 * 153 turn the picture upright even with `imageOrientation: 'none'`. JPEG: ITU-T T.81, annex B, and CIPA DC-008 (EXIF
 * 2.32), 4.5.4. PNG: https://www.w3.org/TR/png-3/#5Chunk-layout. */

/** @import { Range } from '../types.js' */

const jpegSignature = [0xff, 0xd8];
const startOfScan = 0xda;
const app1 = 0xe1;
/** `Exif` and two zeros: a segment APP1 may hold XMP instead. */
const exifName = [0x45, 0x78, 0x69, 0x66, 0, 0];
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** `eXIf` */
const exifType = [0x65, 0x58, 0x49, 0x66];

/** Whether bytes from `at` on are the expected ones.
 * @type {(bytes: Uint8Array, at: number, expected: readonly number[]) => boolean} */
const hasBytes = (bytes, at, expected) => expected.every((byte, i) => bytes[at + i] === byte);

/** The segments of a JPEG file that hold EXIF, as ranges of its bytes with their markers. The search stops at the first
 * scan, or where no marker stands.
 * @type {(bytes: Uint8Array) => Range[]} */
function segmentsOfExif(bytes) {
  /** @type {Range[]} */
  const ranges = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = jpegSignature.length;
  // A marker is 0xff and a code. All segments before the first scan have a length, which counts its own two bytes.
  const markerBytes = 2;
  const headerBytes = markerBytes + 2;
  while (start + headerBytes <= bytes.length && bytes[start] === 0xff) {
    const code = bytes[start + 1];
    if (code === startOfScan) break;
    const isFillByte = code === 0xff; // any number of which may stand before a marker
    const segmentEnd = start + markerBytes + view.getUint16(start + markerBytes);
    const end = isFillByte ? start + 1 : segmentEnd;
    if (code === app1 && hasBytes(bytes, start + headerBytes, exifName)) ranges.push([start, end]);
    start = end;
  }
  return ranges;
}

/** The chunks of a PNG file that hold EXIF, as ranges of its bytes with their lengths and checksums.
 * @type {(bytes: Uint8Array) => Range[]} */
function chunksOfExif(bytes) {
  /** @type {Range[]} */
  const ranges = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = pngSignature.length;
  // A chunk is the length of its data, its type, the data, and a checksum.
  const lengthBytes = 4;
  const bytesBesideData = lengthBytes + 4 + 4;
  while (start + bytesBesideData <= bytes.length) {
    const end = start + bytesBesideData + view.getUint32(start);
    if (hasBytes(bytes, start + lengthBytes, exifType)) ranges.push([start, end]);
    start = end;
  }
  return ranges;
}

/** The ranges of a JPEG's or PNG's bytes that hold EXIF. That of a WebP may stay, because neither browser reads it.
 * @type {(bytes: Uint8Array) => Range[]} */
function exifRanges(bytes) {
  if (hasBytes(bytes, 0, jpegSignature)) return segmentsOfExif(bytes);
  return hasBytes(bytes, 0, pngSignature) ? chunksOfExif(bytes) : [];
}

/** Copies a picture file without its EXIF; one that has none is returned itself.
 * @type {(blob: Blob) => Promise<Blob>} */
export async function withoutExif(blob) {
  const ranges = exifRanges(new Uint8Array(await blob.arrayBuffer()));
  if (ranges.length === 0) return blob;
  const pieces = [];
  let pieceStart = 0;
  for (const [start, end] of ranges) {
    pieces.push(blob.slice(pieceStart, start));
    pieceStart = end;
  }
  pieces.push(blob.slice(pieceStart));
  return new Blob(pieces, { type: blob.type });
}
