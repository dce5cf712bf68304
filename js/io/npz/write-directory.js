/** Headers, descriptors and the directory of a zip archive of stored members (APPNOTE 6.3.10). */
import { rangeError, show } from '../../arguments/index.js';
import { encodeText } from '../bytes.js';
import { extraFields, localBytes, max32, signatures } from './zip-format.js';

/** @import { LaterPart } from '../../weights/index.js' */

/** @typedef {Uint8Array | LaterPart} Part */
/** @typedef {{ name: string, length: number, crc: () => number, chunks: Part[] }} NewMember `length`: bytes of all
 *   chunks; `crc`: gives the right CRC once the chunks are written */
/** @typedef {{ member: NewMember, file: Uint8Array, offset: number }} PlacedMember
 *   `file`: its name in the archive; `offset`: the byte of the archive at which its header begins */

/** The largest number of 16 bits: a count of members from here on stands in a field of 64 bits, as other numbers do
 * from {@link max32} on. */
const max16 = 0xffff;
/** The first day of the format's calendar, as Python's zipfile writes it. */
const date = 0x21;
/** NumPy's own: elements begin at multiples of it in a .npy file, and here in the archive. */
const alignment = 64;

const flags = { streamed: 8, utf8: 0x800 };

/** A number in a record, little-endian.
 * @typedef {{ bytes: 2 | 4 | 8, value: number }} NumberField */

/** @type {(value: number) => NumberField} */
const u16 = (value) => ({ bytes: 2, value });
/** @type {(value: number) => NumberField} */
const u32 = (value) => ({ bytes: 4, value });
/** @type {(value: number) => NumberField} */
const u64 = (value) => ({ bytes: 8, value });

/** @type {(fields: readonly NumberField[]) => Uint8Array} */
function encodeFields(fields) {
  const encoded = new Uint8Array(fields.reduce((sum, { bytes }) => sum + bytes, 0));
  const view = new DataView(encoded.buffer);
  let at = 0;
  for (const { bytes, value } of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return encoded;
}

/** Joins chunks, and copies even a single one.
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
  const extensionBytes = 4;
  const mostBytes = 0xffff - extensionBytes;
  const bytes = file.length - extensionBytes;
  if (bytes > mostBytes) rangeError(`names must have at most ${mostBytes} bytes, got ${bytes}`);
  // Python's zipfile ends a name at the first zero.
  if (name.includes('\0')) rangeError(`names must have no zero, got ${show(name)}`);
  return file;
}

/** Lists the parts of an archive in the file's order: each member's header, content and, if streamed, descriptor; then
 * the directory and the end records. `isStreamed`: whether the members' CRCs are known only when their contents are
 * written, so that they stand in descriptors behind them.
 * @type {(members: readonly NewMember[], options: { isStreamed: boolean }) => Part[]} */
export function encodeArchive(members, { isStreamed }) {
  /** @type {Part[]} */
  const chunks = [];
  /** @type {PlacedMember[]} */
  const placedMembers = [];
  let end = 0;
  for (const member of members) {
    const placed = { member, file: fileName(member.name), offset: end };
    placedMembers.push(placed);
    const header = localHeader(placed, isStreamed);
    chunks.push(header);
    for (const part of member.chunks) chunks.push(part);
    end += header.length + member.length;
    if (isStreamed) {
      const length = descriptorBytes(member);
      chunks.push({ length, content: () => encodeDescriptor(member) });
      end += length;
    }
  }
  const directory = () => concatenate(placedMembers.map((placed) => directoryEntry(placed, isStreamed)));
  // CRCs do not change its length, so it can be told before they are known.
  const { length } = directory();
  return [...chunks, { length, content: directory }, endRecords(members.length, length, end)];
}

/** Lists the fields that a member's header and its entry in the directory share. `isLong`: whether a zip64 field has a
 * number of theirs.
 * @type {(placed: PlacedMember, isStreamed: boolean, crc: number, isLong: boolean) => NumberField[]} */
function sharedFields({ member, file }, isStreamed, crc, isLong) {
  const isAscii = file.every((byte) => byte < 0x80);
  const flagBits = (isStreamed ? flags.streamed : 0) | (isAscii ? 0 : flags.utf8);
  const size = Math.min(member.length, max32);
  return [
    u16(versionFor(isLong)),
    u16(flagBits),
    u16(0), // method: stored
    u16(0), // time
    u16(date),
    u32(crc),
    u32(size), // compressed
    u32(size),
    u16(file.length),
  ];
}

/** Gives the version of the format that a reader needs, times 10: 4.5 for zip64, 2.0 otherwise.
 * @type {(isLong: boolean) => number} */
const versionFor = (isLong) => (isLong ? 45 : 20);

/** Encodes the zip64 field, which has the numbers that need 64 bits; no bytes if there are none.
 * @type {(numbers: readonly number[]) => Uint8Array} */
function zip64Field(numbers) {
  if (numbers.length === 0) return new Uint8Array(0);
  const length = 8 * numbers.length;
  return encodeFields([u16(extraFields.zip64), u16(length), ...numbers.map(u64)]);
}

/** Makes an extra field that pads a header, so that the `.npy` file behind it begins at a multiple of 64 bytes: the one
 * of Android's zipalign, which has a number, a length, the alignment and zeros. `end`: where it begins in the archive.
 * @type {(end: number) => Uint8Array} */
function alignmentField(end) {
  const headBytes = 6;
  const fileStart = end + headBytes;
  const zeros = Math.ceil(fileStart / alignment) * alignment - fileStart;
  const field = new Uint8Array(headBytes + zeros);
  const length = field.length - 4; // behind the number and the length
  field.set(encodeFields([u16(extraFields.zipalign), u16(length), u16(alignment)]));
  return field;
}

/** Encodes the header in front of a member. A streamed member's CRC is 0 here.
 * @type {(placed: PlacedMember, isStreamed: boolean) => Uint8Array} */
function localHeader(placed, isStreamed) {
  const { member, file, offset } = placed;
  const isLong = member.length >= max32;
  // Both sizes, which are equal: in this header the format asks for both if one needs 64 bits.
  const sizes = zip64Field(isLong ? [member.length, member.length] : []);
  const padding = alignmentField(offset + localBytes + file.length + sizes.length);
  const fields = [
    u32(signatures.local),
    ...sharedFields(placed, isStreamed, isStreamed ? 0 : member.crc(), isLong),
    u16(sizes.length + padding.length),
  ];
  return concatenate([encodeFields(fields), file, sizes, padding]);
}

/** Encodes the descriptor behind a streamed member: its CRC and its two sizes, which are equal.
 * @type {(member: NewMember) => Uint8Array} */
function encodeDescriptor({ crc, length }) {
  const size = length < max32 ? u32(length) : u64(length);
  return encodeFields([u32(signatures.descriptor), u32(crc()), size, size]);
}

/** How many bytes a descriptor has: its sizes take 4 bytes each, or 8.
 * @type {(member: NewMember) => number} */
const descriptorBytes = ({ length }) => (length < max32 ? 16 : 24);

/** Encodes a member's entry in the directory; its zip64 field has the sizes and the offset that need 64 bits.
 * @type {(placed: PlacedMember, isStreamed: boolean) => Uint8Array} */
function directoryEntry(placed, isStreamed) {
  const { member, file, offset } = placed;
  const extra = zip64Field([member.length, member.length, offset].filter((number) => number >= max32));
  const isLong = extra.length > 0;
  const fields = [
    u32(signatures.entry),
    u16(versionFor(isLong)), // of the writer
    ...sharedFields(placed, isStreamed, member.crc(), isLong),
    u16(extra.length),
    u16(0), // length of the comment
    u16(0), // number of the disk
    u16(0), // internal attributes
    u32(0), // external attributes
    u32(Math.min(offset, max32)),
  ];
  return concatenate([encodeFields(fields), file, extra]);
}

/** Encodes the end of the archive, which says where the directory is: the end record, and in front of it the zip64
 * record and its locator if a number needs them. `count`: of members; `length` and `start`: of the directory, in bytes.
 * @type {(count: number, length: number, start: number) => Uint8Array} */
function endRecords(count, length, start) {
  const shortCount = u16(Math.min(count, max16));
  const end = encodeFields([
    u32(signatures.end),
    u16(0), // number of the disk
    u16(0), // disk of the directory
    shortCount, // on this disk
    shortCount,
    u32(Math.min(length, max32)),
    u32(Math.min(start, max32)),
    u16(0), // length of the comment
  ]);
  const isLong = count >= max16 || length >= max32 || start >= max32;
  return isLong ? concatenate([...end64Records(count, length, start), end]) : end;
}

/** Encodes the zip64 record, which stands behind the directory, and its locator. The parameters are those of
 * {@link endRecords}.
 * @type {(count: number, length: number, start: number) => [record: Uint8Array, locator: Uint8Array]} */
function end64Records(count, length, start) {
  const record = encodeFields([
    u32(signatures.end64),
    u64(44), // bytes that follow
    u16(versionFor(true)), // of the writer
    u16(versionFor(true)), // of readers
    u32(0), // number of the disk
    u32(0), // disk of the directory
    u64(count), // on this disk
    u64(count),
    u64(length),
    u64(start),
  ]);
  const locator = encodeFields([
    u32(signatures.locator),
    u32(0), // disk of the record
    u64(start + length), // where it begins
    u32(1), // disks
  ]);
  return [record, locator];
}
