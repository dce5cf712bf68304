/** The directory of a zip archive: APPNOTE 6.3.10 of PKWARE, sections 4.3 and 4.5.3, as Python's zipfile reads it. */
import { kindBytes, kindOf, checkFileKind, rangeError, show, namePart } from '../../arguments/index.js';
import { decodeText } from '../bytes.js';

/** @import { Member } from '../types.js' */

/** The four bytes that each record begins with. `local`: the header in front of a member; `entry`: a member's entry in
 * the directory; `end`, `end64` and `locator`: the records behind the directory */
const signatures = { local: 0x04034b50, entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 };
/** Bytes of the header in front of a member, without its name. The others are the bytes of the other records, without
 * names and comments. */
export const localBytes = 30;
const entryBytes = 46;
const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;

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
  let at = tail.length - endBytes;
  while (at >= 0 && view.getUint32(at, true) !== signatures.end) at--;
  if (at < 0) rangeError('bytes must end with the directory of an archive, got none: a part of the file is missing');
  let end = at; // of the directory, at the latest, in the tail
  let [count, bytes, start] = [
    view.getUint16(at + 10, true),
    view.getUint32(at + 12, true),
    view.getUint32(at + 16, true),
  ];
  // A large archive has two more records in front: end64 with the same numbers in 64 bits, and its locator.
  const locator = at - locatorBytes;
  if (locator >= 0 && view.getUint32(locator, true) === signatures.locator) {
    end = locator - end64Bytes;
    if (end < 0 || view.getUint32(end, true) !== signatures.end64)
      rangeError('the directory of an archive must have its zip64 record in front of the locator, got other bytes');
    [count, bytes, start] = [uint64(view, end + 32), uint64(view, end + 40), uint64(view, end + 48)];
  }
  const limit = byteLength - tail.length + end; // the same place in the file
  if (start + bytes > limit) rangeError(`directory must end by byte ${limit}, got ${start} and ${bytes} bytes`);
  if (bytes > maxDirectoryBytes) rangeError(`directory must have at most ${maxDirectoryBytes} bytes, got ${bytes}`);
  if (count * entryBytes > bytes) rangeError(`directory must have ${count} members, got ${bytes} bytes`);
  return { start, bytes, count };
}

/** Reads the directory of an archive: its members by ascending offsets in the file, without folders. Each entry has 46
 * bytes, then the member's name, extra fields and comment. `bytes`: of the directory alone.
 * @type {(bytes: Uint8Array, directory: Directory) => Member[]} */
export function readDirectory(bytes, { start, count }) {
  const view = viewOf(bytes);
  /** @type {Member[]} */
  const members = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + entryBytes > bytes.length || view.getUint32(at, true) !== signatures.entry)
      rangeError(`directory must have ${count} members, got ${i}`);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const extra = at + entryBytes + nameBytes;
    const next = extra + extraBytes + commentBytes;
    if (next > bytes.length) rangeError(`directory must have ${count} members, got ${i}`);
    const file = decodeText('name of a member', bytes.subarray(at + entryBytes, extra));
    const member = namePart(labelOf(file), () => readMember(view, at, { start: extra, end: extra + extraBytes }, file));
    if (!(file.endsWith('/') && member.size === 0)) members.push(member);
    at = next;
  }
  members.sort((a, b) => a.offset - b.offset);
  checkMembers(members, start);
  return members;
}

/** @type {(file: string) => string} */
const labelOf = (file) => `member ${show(file)}`;

/** Reads a member's entry in the directory: how it is stored, and where. `at`: the byte of the directory at which the
 * entry begins; `extra`: those of its extra fields; `file`: the member's name.
 * @type {(view: DataView, at: number, extra: { start: number, end: number }, file: string) => Member} */
function readMember(view, at, extra, file) {
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
  // Bit 0: encrypted; bit 6: strong encryption; bit 13: the directory is encrypted.
  if (flags & 0x2041) rangeError('must not be encrypted, got an encrypted one');
  if (method !== 0 && method !== 8) rangeError(`method must be 0 (stored) or 8 (deflated), got ${method}`);
  const places = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  // 2^32 - 1 stands for a larger number, which the zip64 field has.
  const [size, compressed, offset] = places.includes(0xffffffff) ? longPlaces(view, extra, places) : places;
  if (method === 0 && size !== compressed) rangeError(`stored bytes must be ${size}, got ${compressed}`);
  if (size > compressed * maxRatio)
    rangeError(`${compressed} deflated bytes must become at most ${maxRatio} times as many, got ${size}`);
  const name = file.replace(/\.npy$/, '');
  return {
    name,
    label: labelOf(file),
    isDeflated: method === 8,
    crc: view.getUint32(at + 16, true),
    size,
    compressed,
    offset,
  };
}

/** Gives a member's size, compressed size and offset (`places`) with those of 2^32 - 1 replaced by 64-bit numbers. The
 * zip64 field, number 1 of the extra fields, has only these, in the same order; without it 2^32 - 1 is the number
 * itself. `extra`: where the extra fields lie.
 * @type {(view: DataView, extra: { start: number, end: number }, places: number[]) => number[]} */
function longPlaces(view, { start, end }, places) {
  // Each field has a number and a length, of 2 bytes each, and its data.
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    const last = next + view.getUint16(at + 2, true);
    return places.map((place) => {
      if (place !== 0xffffffff) return place;
      if (next + 8 > Math.min(end, last)) rangeError('zip64 field must hold each number of 64 bits, got fewer');
      next += 8;
      return uint64(view, next - 8);
    });
  }
  return places;
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

/** Reads the header in front of a member, and gives the byte of the file at which the member's content begins: behind
 * the header, a name and extra fields. `beginning`: the file's bytes from the member's offset on, {@link localBytes} at
 * least; `end`: where the next member or the directory begins.
 * @type {(beginning: Uint8Array, member: Member, end: number) => number} */
export function readLocalHeader(beginning, { offset, compressed }, end) {
  const view = viewOf(beginning);
  if (view.getUint32(0, true) !== signatures.local)
    rangeError(`header must begin with PK\\3\\4 at byte ${offset}, got other bytes`);
  // At 26 and 28 stand the lengths of the name and of the extra fields.
  const start = offset + localBytes + view.getUint16(26, true) + view.getUint16(28, true);
  if (start + compressed > end) rangeError(`must end by byte ${end}, got ${start} and ${compressed} bytes`);
  return start;
}
