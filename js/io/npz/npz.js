/** NumPy's .npz archives: zip files of .npy files, as `numpy.savez` and `numpy.savez_compressed` write them. */
import {
  later,
  makeBudget,
  named,
  rangeError,
  readMaxBytes,
  readTable,
  spending,
  namePart,
} from '../../arguments/index.js';
import { concat, readBytes } from '../bytes.js';
import { readTensors } from '../maps.js';
import { encodeArray, readArray } from '../npy/npy.js';
import { crc32 } from './crc32.js';
import { inflateMember } from './inflate.js';
import { encodeArchive } from './write-directory.js';
import { checkArchive, findDirectory, maxEndBytes, readDirectory, readLocalHeader } from './zip-directory.js';

/** @import { Tensor, TensorLike, TypeName } from '../../tensor/index.js' */
/** @import { Member, NpzOptions } from '../types.js' */

/** @typedef {TypeName | Readonly<Record<string, TypeName>>} VoidTypes The type of the void elements of all members, or
 *   of each by its name. */

/**
 * Reads a .npz archive of stored and deflated members, and compares each with its CRC.
 * @param {Uint8Array} bytes the whole file
 * @param {NpzOptions} [options]
 * @returns {Map<string, Tensor>} by name, without .npy; stored ones share the bytes where they are aligned
 * @example
 * const file = writeNpz(new Map([['one', { type: 'int8', data: Int8Array.of(1), dims: [1] }]]));
 * readNpz(file).get('one').toArray(); // [1]
 */
export function readNpz(bytes, options) {
  return named('readNpz', () => {
    const { dtype, maxBytes } = readTable(options, { dtype: later, maxBytes: readMaxBytes });
    const file = readBytes(bytes);
    checkArchive(file, file.length);
    const tail = file.subarray(Math.max(0, file.length - maxEndBytes));
    const directory = findDirectory(tail, file.length);
    const { start, bytes: length } = directory;
    const members = readDirectory(file.subarray(start, start + length), directory);
    return spending(makeBudget('deflated members', maxBytes), () => {
      const tensors = members.map((member, i) => {
        const end = members[i + 1]?.offset ?? start;
        const readTensor = () => readArray(bytesOfMember(file, member, end), askedType(member, dtype));
        return /** @type {const} */ ([member.name, namePart(member.label, readTensor)]);
      });
      return new Map(tensors);
    });
  });
}

/** Gives the bytes of a member's .npy file: inflates them if need be, and compares their CRC. Stored bytes share the
 * memory of `file`. `end`: where the next member or the directory begins.
 * @type {(file: Uint8Array, member: Member, end: number) => Uint8Array} */
function bytesOfMember(file, member, end) {
  const start = readLocalHeader(file.subarray(member.offset, end), member, end);
  const stored = file.subarray(start, start + member.compressed);
  const bytes = member.isDeflated ? inflateMember(member, stored) : stored;
  const crc = crc32(bytes);
  if (crc !== member.crc) rangeError(`bytes must have the CRC ${member.crc}, got ${crc}: the file is damaged`);
  return bytes;
}

/** Gives the function that finds the caller's type for a member by the member's descr. It is undefined unless the
 * elements are void (descr V1 or V2), because other members say their type themselves. `dtype`: the option, a type of
 * all members or an object of types by their names.
 * @type {(member: Member, dtype: unknown) => (descr: string) => unknown} */
export const askedType =
  ({ name }, dtype) =>
  (descr) => {
    if (!/^[<>|=]?V/.test(descr)) return undefined;
    const types = /** @type {Record<string, unknown>} */ (dtype);
    // An object without this name is passed on, so that it is refused as a type.
    return typeof dtype === 'object' && dtype !== null && Object.hasOwn(dtype, name) ? types[name] : dtype;
  };

/**
 * Writes a .npz archive of stored members, as `numpy.savez` does. Elements lie at multiples of 64 bytes.
 * @param {ReadonlyMap<string, TensorLike>} tensors by name
 * @returns {Uint8Array} the whole file
 * @example
 * writeNpz(new Map([['one', { type: 'int8', data: Int8Array.of(1), dims: [1] }]])).length; // 268
 */
export function writeNpz(tensors) {
  return named('writeNpz', () => {
    const members = Array.from(readTensors(tensors), ([name, tensor]) => {
      const bytes = concat(encodeArray(tensor));
      const crc = crc32(bytes);
      return { name, length: bytes.length, crc: () => crc, chunks: [bytes] };
    });
    // The directory is made when the headers are: CRCs are known from the start.
    return concat(
      encodeArchive(members, { isStreamed: false }).map(
        (part) => /** @type {Uint8Array} */ ('content' in part ? part.content() : part),
      ),
    );
  });
}
