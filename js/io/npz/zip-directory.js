/** The directory of a zip archive: APPNOTE 6.3.10 of PKWARE, sections 4.3 and 4.5.3, as Python's zipfile reads it. */
import { kindBytes, kindOf, checkFileKind, rangeError, show, namePart } from '../../arguments/index.js';
import { decodeText } from '../bytes.js';
import { extraFields, localBytes, max32, signatures } from './zip-format.js';

/** @import { Member } from '../types.js' */

/** Bytes of the records, without names and comments. */
const entryBytes = 46;
const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;

/** The bytes of the records at which their fields begin. */
const localAt = { nameBytes: 26, extraBytes: 28 };
const entryAt = {
  flags: 8,
  method: 10,
  crc: 16,
  compressed: 20,
  size: 24,
  nameBytes: 28,
  extraBytes: 30,
  commentBytes: 32,
  offset: 42,
};
const endAt = { count: 10, bytes: 12, start: 16 };
const end64At = { count: 32, bytes: 40, start: 48 };

/** Bit 0: encrypted; bit 6: strong encryption; bit 13: the directory is encrypted. */
const encryptedBits = 0x2041;
/** How a member's bytes are kept. */
const methods = { stored: 0, deflated: 8 };

/** Most bytes behind the directory: the records there with the longest comment. */
export const maxEndBytes = end64Bytes + locatorBytes + endBytes + 0xffff;
/** A bound of our own: a million members. */
const maxDirectoryBytes = 100_000_000;
/** Deflate's greatest ratio: a byte becomes up to 1,032. */
const maxRatio = 1032;

/** @type {(bytes: Uint8Array) => DataView} */
const viewOf = ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength);

/** @type {(view: DataView, at: number) => number} inexact beyond 2^53, which no file has */
const uint64 = (view, at) => Number(view.getBigUint64(at, true));

/** Refuses a file of a known kind that is no zip archive; other bytes are refused later. `beginning`: the file's first
 * `kindBytes`; `byteLength`: of the whole file, for the message.
 * @type {(beginning: Uint8Array, byteLength: number) => void} */
export function checkArchive(beginning, byteLength) {
  const kind = kindOf(beginning.subarray(0, kindBytes));
  // kindOf calls it 'a .npz archive' only if .npy stands in these bytes; a long first name hides that.
  if (!kind?.startsWith('a zip archive')) checkFileKind('bytes', 'a .npz archive', beginning, byteLength);
}

/** @typedef {{ start: number, bytes: number, count: number }} Directory the byte at which it begins in the file, its
 *   length in bytes, and how many members it lists */

/** Finds the directory of an archive by the end records. `tail`: the file's last {@link maxEndBytes}, or all of a
 * shorter one; `byteLength`: of the whole file.
 * @type {(tail: Uint8Array, byteLength: number) => Directory} */
export function findDirectory(tail, byteLength) {
  const view = viewOf(tail);
  // Look for the end record from the back: a comment of any length follows it.
  let end = tail.length - endBytes;
  while (end >= 0 && view.getUint32(end, true) !== signatures.end) end--;
  if (end < 0) rangeError('bytes must end with the directory of an archive, got none: a part of the file is missing');
  const end64 = findEnd64(view, end);
  const directory = end64 === undefined ? readEnd(view, end) : readEnd64(view, end64);
  const { start, bytes, count } = directory;
  const limitInTail = end64 ?? end;
  const limit = byteLength - tail.length + limitInTail;
  if (start + bytes > limit) rangeError(`directory must end by byte ${limit}, got ${start} and ${bytes} bytes`);
  if (bytes > maxDirectoryBytes) rangeError(`directory must have at most ${maxDirectoryBytes} bytes, got ${bytes}`);
  if (count * entryBytes > bytes) rangeError(`directory must have ${count} members, got ${bytes} bytes`);
  return directory;
}

/** Finds the zip64 record, which a large archive has in front of the end record at `end`, with a locator between them.
 * Undefined if there is no locator.
 * @type {(view: DataView, end: number) => number | undefined} */
function findEnd64(view, end) {
  const locator = end - locatorBytes;
  if (locator < 0 || view.getUint32(locator, true) !== signatures.locator) return undefined;
  const end64 = locator - end64Bytes;
  if (end64 < 0 || view.getUint32(end64, true) !== signatures.end64)
    rangeError('the directory of an archive must have its zip64 record in front of the locator, got other bytes');
  return end64;
}

/** Reads where the directory is from the end record, which begins at byte `end` of the view.
 * @type {(view: DataView, end: number) => Directory} */
const readEnd = (view, end) => ({
  start: view.getUint32(end + endAt.start, true),
  bytes: view.getUint32(end + endAt.bytes, true),
  count: view.getUint16(end + endAt.count, true),
});

/** Reads where the directory is from the zip64 record, which begins at byte `end64` of the view.
 * @type {(view: DataView, end64: number) => Directory} */
const readEnd64 = (view, end64) => ({
  start: uint64(view, end64 + end64At.start),
  bytes: uint64(view, end64 + end64At.bytes),
  count: uint64(view, end64 + end64At.count),
});

/** Reads the directory of an archive: its members by ascending offsets in the file, without folders. Behind each entry
 * stand the member's name, extra fields and comment. `bytes`: of the directory alone.
 * @type {(bytes: Uint8Array, directory: Directory) => Member[]} */
export function readDirectory(bytes, { start, count }) {
  const view = viewOf(bytes);
  /** @type {Member[]} */
  const members = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + entryBytes > bytes.length || view.getUint32(at, true) !== signatures.entry)
      rangeError(`directory must have ${count} members, got ${i}`);
    const nameStart = at + entryBytes;
    const extraStart = nameStart + view.getUint16(at + entryAt.nameBytes, true);
    const extraEnd = extraStart + view.getUint16(at + entryAt.extraBytes, true);
    const next = extraEnd + view.getUint16(at + entryAt.commentBytes, true);
    if (next > bytes.length) rangeError(`directory must have ${count} members, got ${i}`);
    const file = decodeText('name of a member', bytes.subarray(nameStart, extraStart));
    const member = namePart(memberLabel(file), () => readMember(view, at, { start: extraStart, end: extraEnd }, file));
    const isFolder = file.endsWith('/') && member.size === 0;
    if (!isFolder) members.push(member);
    at = next;
  }
  members.sort((a, b) => a.offset - b.offset);
  checkMembers(members, start);
  return members;
}

/** @type {(file: string) => string} */
const memberLabel = (file) => `member ${show(file)}`;

/** Bytes of the directory.
 * @typedef {{ start: number, end: number }} Range */

/** Reads a member's entry in the directory. `at`: the byte at which the entry begins; `extra`: those of its extra
 * fields; `file`: the member's name.
 * @type {(view: DataView, at: number, extra: Range, file: string) => Member} */
function readMember(view, at, extra, file) {
  const flags = view.getUint16(at + entryAt.flags, true);
  const method = view.getUint16(at + entryAt.method, true);
  const isStored = method === methods.stored;
  const isDeflated = method === methods.deflated;
  if (flags & encryptedBits) rangeError('must not be encrypted, got an encrypted one');
  if (!isStored && !isDeflated) rangeError(`method must be 0 (stored) or 8 (deflated), got ${method}`);
  // In the order in which the zip64 field has those that need 64 bits.
  const numbers = [entryAt.size, entryAt.compressed, entryAt.offset].map((field) => view.getUint32(at + field, true));
  const [size, compressed, offset] = withLongNumbers(view, extra, numbers);
  if (isStored && size !== compressed) rangeError(`stored bytes must be ${size}, got ${compressed}`);
  if (size > compressed * maxRatio)
    rangeError(`${compressed} deflated bytes must become at most ${maxRatio} times as many, got ${size}`);
  const name = file.replace(/\.npy$/, '');
  return {
    name,
    label: memberLabel(file),
    isDeflated,
    crc: view.getUint32(at + entryAt.crc, true),
    size,
    compressed,
    offset,
  };
}

/** Gives a member's size, compressed size and offset with those of 2^32 - 1 replaced by the numbers of the zip64 field,
 * which has only these. Without the field 2^32 - 1 is the number itself. `extra`: where the extra fields lie.
 * @type {(view: DataView, extra: Range, numbers: number[]) => number[]} */
function withLongNumbers(view, extra, numbers) {
  const field = numbers.includes(max32) ? findZip64(view, extra) : undefined;
  if (!field) return numbers;
  let next = field.start;
  return numbers.map((number) => {
    if (number !== max32) return number;
    if (next + 8 > field.end) rangeError('zip64 field must hold each number of 64 bits, got fewer');
    const longNumber = uint64(view, next);
    next += 8;
    return longNumber;
  });
}

/** Finds the data of the zip64 field among the extra fields; undefined if there is none. Each field has a number and a
 * length, of 2 bytes each, and its data.
 * @type {(view: DataView, extra: Range) => Range | undefined} */
function findZip64(view, extra) {
  let at = extra.start;
  while (at + 4 <= extra.end) {
    const number = view.getUint16(at, true);
    const start = at + 4;
    const end = start + view.getUint16(at + 2, true);
    if (number === extraFields.zip64) return { start, end: Math.min(end, extra.end) };
    at = end;
  }
  return undefined;
}

/** Refuses two members of one name, and members that overlap one another or the directory. `members`: by ascending
 * offsets; `end`: where the directory begins.
 * @type {(members: readonly Member[], end: number) => void} */
function checkMembers(members, end) {
  const names = new Set();
  for (const [i, { name, label, offset, compressed }] of members.entries()) {
    if (names.has(name)) rangeError(`members must have different names, got ${show(name)} twice`);
    names.add(name);
    const limit = members[i + 1]?.offset ?? end;
    if (offset + localBytes + compressed > limit)
      rangeError(`${label} must end by byte ${limit}, got ${offset} and ${compressed} bytes`);
  }
}

/** Reads the header in front of a member, and gives the byte of the file at which the member's content begins.
 * `beginning`: the file's bytes from the member's offset on, {@link localBytes} at least; `end`: where the next member
 * or the directory begins.
 * @type {(beginning: Uint8Array, member: Member, end: number) => number} */
export function readLocalHeader(beginning, { offset, compressed }, end) {
  const view = viewOf(beginning);
  if (view.getUint32(0, true) !== signatures.local)
    rangeError(`header must begin with PK\\3\\4 at byte ${offset}, got other bytes`);
  const nameBytes = view.getUint16(localAt.nameBytes, true);
  const extraBytes = view.getUint16(localAt.extraBytes, true);
  const start = offset + localBytes + nameBytes + extraBytes;
  if (start + compressed > end) rangeError(`must end by byte ${end}, got ${start} and ${compressed} bytes`);
  return start;
}
