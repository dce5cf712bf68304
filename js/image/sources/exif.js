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

/** @type {(bytes: Uint8Array, at: number, expected: readonly number[]) => boolean} */
const hasBytes = (bytes, at, expected) => expected.every((byte, i) => bytes[at + i] === byte);

/** @type {(bytes: Uint8Array) => Range[]} */
const segmentsOfExif = (bytes) => segmentsOf(bytes).exif;

/** @type {(bytes: Uint8Array) => { exif: Range[], isWhole: boolean }} `isWhole`: whether they end in a scan */
function segmentsOf(bytes) {
  /** @type {Range[]} */
  const ranges = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = 2;
  let isWhole = false;
  // A marker is 0xff and a code. All segments before the first scan have a length, which counts its own two bytes.
  while (start + 4 <= bytes.length && bytes[start] === 0xff) {
    const code = bytes[start + 1];
    if (code === startOfScan) {
      isWhole = true;
      break;
    }
    // Further bytes of 0xff may stand before a marker.
    const end = code === 0xff ? start + 1 : start + 2 + view.getUint16(start + 2);
    if (code === app1 && hasBytes(bytes, start + 4, exifName)) ranges.push([start, end]);
    start = end;
  }
  return { exif: ranges, isWhole };
}

/** Bytes of a segment APP1 before its TIFF: marker, length, and the name. */
const beforeTiff = 10;
const orientationTag = 0x0112;

/** Whether a file is surely a JPEG that no viewer turns: without EXIF, or with one whose Orientation is 1 or missing.
 * @type {(beginning: Uint8Array) => boolean} */
export function isUprightJpeg(beginning) {
  if (!hasBytes(beginning, 0, jpegSignature)) return false;
  const { exif, isWhole } = segmentsOf(beginning);
  return isWhole && exif.every(([start, end]) => isUpright(beginning.subarray(start + beforeTiff, end)));
}

/** CIPA DC-008, 4.6.2: a TIFF whose first directory may have an Orientation.
 * @type {(tiff: Uint8Array) => boolean} */
function isUpright(tiff) {
  if (tiff.length < 8) return false;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  const isLittle = tiff[0] === 0x49;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > tiff.length) return false;
  const count = view.getUint16(directory, isLittle);
  if (directory + 2 + 12 * count > tiff.length) return false;
  for (let at = directory + 2; at < directory + 2 + 12 * count; at += 12)
    if (view.getUint16(at, isLittle) === orientationTag && view.getUint16(at + 8, isLittle) !== 1) return false;
  return true;
}

/** @type {(bytes: Uint8Array) => Range[]} */
function chunksOfExif(bytes) {
  /** @type {Range[]} */
  const ranges = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = pngSignature.length;
  // A chunk is the length of its data, its type, the data, and a checksum.
  while (start + 12 <= bytes.length) {
    const end = start + 12 + view.getUint32(start);
    if (hasBytes(bytes, start + 4, exifType)) ranges.push([start, end]);
    start = end;
  }
  return ranges;
}

/** @type {(bytes: Uint8Array) => Range[]} The EXIF of a WebP may stay, because neither browser reads it. */
function exifRanges(bytes) {
  if (hasBytes(bytes, 0, jpegSignature)) return segmentsOfExif(bytes);
  return hasBytes(bytes, 0, pngSignature) ? chunksOfExif(bytes) : [];
}

/** @type {(blob: any) => Promise<any>} The same Blob if the file has no EXIF. */
export async function withoutExif(blob) {
  const ranges = exifRanges(new Uint8Array(await blob.arrayBuffer()));
  if (ranges.length === 0) return blob;
  const starts = [0, ...ranges.map(([, end]) => end)];
  const parts = starts.map((start, i) => blob.slice(start, ranges[i]?.[0]));
  return new Blob(parts, { type: blob.type });
}
