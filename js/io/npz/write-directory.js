/** Headers, descriptors and the directory of a zip archive of stored members (APPNOTE 6.3.10). */
import { rangeError, show } from '../../arguments/index.js';
import { encodeText } from '../bytes.js';

/** @import { LaterPart } from '../../weights/index.js' */

/** @typedef {Uint8Array | LaterPart} Part */
/** @typedef {{ name: string, length: number, crc: () => number, chunks: Part[] }} NewMember `length`: bytes of all
 *   chunks; `crc`: gives the right CRC once the chunks are written */
/** @typedef {{ member: NewMember, file: Uint8Array, at: number }} Placed
 *   `file`: its name in the archive; `at`: where it begins */

/** Numbers from here on, and counts of members, stand in fields of 64 bits. */
const long = 0xffffffff;
const longCount = 0xffff;
/** The first day of the format's calendar, as Python's zipfile writes it. */
const date = 0x21;
/** NumPy's own: elements begin at multiples of it in a .npy file, and here in the archive. */
const alignment = 64;

const flags = { streamed: 8, utf8: 0x800 };

/** Encodes little-endian numbers of 2, 4 or 8 bytes each. `widths`: a digit for each number.
 * @type {(widths: string, values: readonly number[]) => Uint8Array} */
function encodeFields(widths, values) {
  const bytes = new Uint8Array(Array.from(widths, Number).reduce((sum, width) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [i, value] of values.entries()) {
    const width = Number(widths[i]);
    if (width === 2) view.setUint16(at, value, true);
    else if (width === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += width;
  }
  return bytes;
}

/** Joins chunks in new memory, even a single one.
 * @type {(chunks: readonly Uint8Array[]) => Uint8Array} */
function concatenate(chunks) {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Encodes the name that a member has in the archive: with .npy, in UTF-8, of 65,535 bytes at most.
 * @type {(name: string) => Uint8Array} */
function fileName(name) {
  const file = encodeText('names', `${name}.npy`);
  if (file.length > 0xffff) rangeError(`names must have at most 65531 bytes, got ${file.length - 4}`);
  // Python's zipfile ends a name at the first zero.
  if (name.includes('\0')) rangeError(`names must have no zero, got ${show(name)}`);
  return file;
}

/** Lists the parts of an archive in the file's order: each member's header, content and, if streamed, descriptor; then
 * the directory and the end records. `isStreamed`: whether the members' CRCs are known only when their contents are
 * written, so that they stand in descriptors behind them.
 * @type {(members: readonly NewMember[], isStreamed?: boolean) => Part[]} */
export function encodeArchive(members, isStreamed = false) {
  /** @type {Part[]} */
  const chunks = [];
  /** @type {Placed[]} */
  const placed = [];
  let at = 0;
  for (const member of members) {
    const entry = { member, file: fileName(member.name), at };
    const header = localHeader(entry, isStreamed);
    chunks.push(header);
    for (const part of member.chunks) chunks.push(part);
    placed.push(entry);
    at += header.length + member.length;
    if (!isStreamed) continue;
    // The descriptor has the CRC. Its length is that of four fields of 4 bytes, or of two of 4 and two of 8.
    const length = member.length < long ? 16 : 24;
    chunks.push({ length, content: () => descriptor(member) });
    at += length;
  }
  const directory = () => concatenate(placed.map((entry) => directoryEntry(entry, isStreamed)));
  // CRCs do not change its length, so it can be told before they are known.
  const { length } = directory();
  return [...chunks, { length, content: directory }, endRecords(placed.length, length, at)];
}

/** Lists the fields that a member's header and its entry in the directory share: version, flags, method (0: stored),
 * time, date, CRC, compressed size, size (the same, 2^32 - 1 if a zip64 field has it) and the length of the name.
 * @type {(placed: Placed, isStreamed: boolean, crc: number, isLong: boolean) => number[]} */
function sharedFields({ member, file }, isStreamed, crc, isLong) {
  const isAscii = file.every((byte) => byte < 0x80);
  const size = Math.min(member.length, long);
  const bits = (isStreamed ? flags.streamed : 0) | (isAscii ? 0 : flags.utf8);
  return [versionFor(isLong), bits, 0, 0, date, crc, size, size, file.length];
}
const sharedWidths = '222224442';

/** Gives the version of the format that a reader needs: 4.5 for zip64, 2.0 otherwise.
 * @type {(isLong: boolean) => number} */
const versionFor = (isLong) => (isLong ? 45 : 20);

/** Encodes the zip64 field: its number (1), its length, and the numbers of 64 bits. No numbers give no field.
 * @type {(numbers: readonly number[]) => Uint8Array} */
const longNumbers = (numbers) =>
  numbers.length === 0
    ? new Uint8Array(0)
    : encodeFields('22'.padEnd(2 + numbers.length, '8'), [1, 8 * numbers.length, ...numbers]);

/** Encodes the header in front of a member, padded so that the member, a .npy file, begins at a multiple of 64 bytes;
 * then its elements do, too. A streamed member's CRC is 0 here.
 * @type {(placed: Placed, isStreamed: boolean) => Uint8Array} */
function localHeader(placed, isStreamed) {
  const { member, file, at } = placed;
  const isLong = member.length >= long;
  // Both sizes, which are equal: in this header the format asks for both if one needs 64 bits.
  const sizes = longNumbers(isLong ? [member.length, member.length] : []);
  const end = at + 30 + file.length + sizes.length; // 30 bytes of fixed fields
  // Pad by the field of Android's zipalign: its number, its length and the alignment, 6 bytes, then zeros.
  const padding = new Uint8Array(6 + ((alignment - ((end + 6) % alignment)) % alignment));
  padding.set(encodeFields('222', [0xd935, padding.length - 4, alignment]));
  const shared = sharedFields(placed, isStreamed, isStreamed ? 0 : member.crc(), isLong);
  const fields = [0x04034b50, ...shared, sizes.length + padding.length];
  return concatenate([encodeFields(`4${sharedWidths}2`, fields), file, sizes, padding]);
}

/** Encodes the descriptor behind a streamed member: its signature, the CRC, compressed size and size.
 * @type {(member: NewMember) => Uint8Array} */
const descriptor = ({ crc, length }) =>
  encodeFields(length < long ? '4444' : '4488', [0x08074b50, crc(), length, length]);

/** Encodes a member's entry in the directory; its zip64 field has the sizes and the offset that need 64 bits.
 * @type {(placed: Placed, isStreamed: boolean) => Uint8Array} */
function directoryEntry(placed, isStreamed) {
  const { member, file, at } = placed;
  const extra = longNumbers([member.length, member.length, at].filter((number) => number >= long));
  const isLong = extra.length > 0;
  const shared = sharedFields(placed, isStreamed, member.crc(), isLong);
  // The zeros: length of the comment, number of the disk, internal and external attributes.
  const fields = [0x02014b50, versionFor(isLong), ...shared, extra.length, 0, 0, 0, 0, Math.min(at, long)];
  return concatenate([encodeFields(`42${sharedWidths}222244`, fields), file, extra]);
}

/** Encodes the end of the archive, which says where the directory is: the end record, and in front of it the zip64
 * record and its locator if a number needs them. `count`: of members; `length` and `start`: of the directory, in bytes.
 * @type {(count: number, length: number, start: number) => Uint8Array} */
function endRecords(count, length, start) {
  const counts = Math.min(count, longCount);
  const fields = [0x06054b50, 0, 0, counts, counts, Math.min(length, long), Math.min(start, long), 0];
  const end = encodeFields('42222442', fields);
  if (count < longCount && length < long && start < long) return end;
  // 44 bytes follow its length; version 4.5 made it and is needed to read it; the zeros are numbers of disks.
  const record = encodeFields('4822448888', [0x06064b50, 44, 45, 45, 0, 0, count, count, length, start]);
  // The disk of the zip64 record, where it begins, and how many disks there are.
  const locator = encodeFields('4484', [0x07064b50, 0, start + length, 1]);
  return concatenate([record, locator, end]);
}
