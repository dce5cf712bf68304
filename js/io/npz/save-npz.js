/** .npz archives of any size, written as they are made. */
import { named } from '../../arguments/index.js';
import { isPacked } from '../../tensor/index.js';
import { byteLengthOf, FileWriter, readSaveOptions, unpacked } from '../../weights/index.js';
import { readEntries } from '../maps.js';
import { checkFormat, descrOf } from '../npy/npy.js';
import { encodeHeader } from '../npy/npy-header.js';
import { crc32, shiftCrc } from './crc32.js';
import { encodeArchive } from './write-directory.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { Entry } from '../../weights/index.js' */
/** @import { Elements, SaveOptions } from '../../weights/types.js' */
/** @import { NewMember } from './write-directory.js' */

/**
 * Makes a .npz archive of any size of entries, one piece after another: stored members, each with its CRC behind it.
 * Elements lie at multiples of 64 bytes.
 * @param {ReadonlyMap<string, Entry | TensorLike>} entries by name, of any type but string, whose width the whole
 *   tensor decides
 * @param {SaveOptions} [options] `onProgress`: is called with `{ done, total }` in bytes; `signal`: ends the work
 * @returns {FileWriter} the file's size, and its bytes as an async iterable
 * @example
 * const entries = new Map([['one', new Entry({ type: 'float32', data: Float32Array.of(1), dims: [] })]]);
 * saveNpz(entries).byteLength; // 287
 */
export function saveNpz(entries, options) {
  return named('saveNpz', () => {
    const saving = readSaveOptions(options);
    const read = readEntries(entries, (dtype) => checkFormat(dtype));
    const members = Array.from(read, ([name, elements]) => {
      const { dtype, dims } = elements;
      const header = encodeHeader(descrOf(dtype), dims);
      return { name, header, elements: isPacked(dtype) ? unpacked(elements) : elements };
    });
    // A function, because writing changes the CRCs: each writing of the file needs new members.
    return new FileWriter('saveNpz', () => encodeArchive(members.map(newMember), { isStreamed: true }), saving);
  });
}

/** Makes a member, a .npy file, of its header and its elements. Its CRC is the XOR of what the header and each piece
 * of the elements add to it, because the pieces may be written in any order.
 * @type {(member: { name: string, header: Uint8Array, elements: Elements }) => NewMember} */
function newMember({ name, header, elements }) {
  const bytes = byteLengthOf(elements);
  const length = header.length + bytes;
  let crc = shiftCrc(crc32(header), bytes);
  /** @type {(at: number, piece: Uint8Array) => void} `at`: the byte of the elements at which the piece begins */
  const onBytes = (at, piece) => {
    const bytesBehind = bytes - at - piece.length;
    crc ^= shiftCrc(crc32(piece), bytesBehind);
  };
  const unsignedCrc = () => crc >>> 0;
  return { name, length, crc: unsignedCrc, chunks: [header, { length: bytes, content: () => elements, onBytes }] };
}
