/** .npz archives of any size. */
import { kindBytes, namedAsync, readOptions, namePart } from '../../arguments/index.js';
import { openSource, Source } from '../../weights/index.js';
import { openArray } from '../npy/open-npy.js';
import { inflatedSource } from './inflate.js';
import { askedType } from './npz.js';
import { checkArchive, findDirectory, maxEndBytes, readDirectory, readLocalHeader } from './zip-directory.js';
import { localBytes } from './zip-format.js';

/** @import { Entry } from '../../weights/index.js' */
/** @import { SourceLike } from '../../weights/types.js' */
/** @import { Member, OpenNpzOptions } from '../types.js' */

/**
 * Opens a .npz archive of any size: reads its directory and the headers of its arrays. A read of a deflated member
 * inflates on from the last read, or from the member's beginning if it lies before that. CRCs are not compared, because
 * parts are read.
 * @param {SourceLike} source the file: a Uint8Array, an ArrayBuffer, a Blob or File, Node's FileHandle, or
 *   `{ byteLength, slice(start, end), read?(target, start) }`
 * @param {OpenNpzOptions} [options]
 * @returns {Promise<Map<string, Entry>>} by name, without .npy
 * @example
 * const file = writeNpz(new Map([['two', { type: 'int8', data: Int8Array.of(1, 2), dims: [2] }]]));
 * const entries = await openNpz(file);
 * (await entries.get('two').read({ rows: [1, 2] })).toArray(); // [2]
 */
export async function openNpz(source, options) {
  return namedAsync('openNpz', async () => {
    const { dtype } = readOptions(options, ['dtype']);
    const file = await openSource('source', source);
    const { byteLength } = file;
    checkArchive(await file.bytes(0, Math.min(kindBytes, byteLength)), byteLength);
    const tail = Math.min(maxEndBytes, byteLength);
    const directory = findDirectory(await file.bytes(byteLength - tail, tail), byteLength);
    const { start, bytes } = directory;
    const members = readDirectory(await file.bytes(start, bytes), directory);
    /** @type {Map<string, Entry>} */
    const entries = new Map();
    for (const [i, member] of members.entries()) {
      const end = members[i + 1]?.offset ?? start;
      const inside = await openMember(file, member, end);
      const opening = openArray(inside, askedType(member, dtype));
      entries.set(member.name, await opening.catch((error) => throwWithName(member, error)));
    }
    return entries;
  });
}

/** @type {(member: Member, error: unknown) => never} */
const throwWithName = ({ label }, error) =>
  namePart(label, () => {
    throw error;
  });

/** Opens a member as a source of its own: of the bytes that it becomes if it is deflated, of a range of the archive
 * otherwise. `end`: where the next member or the directory begins.
 * @type {(file: Source, member: Member, end: number) => Promise<Source>} */
async function openMember(file, member, end) {
  const { label, offset, size, isDeflated } = member;
  const header = await file.bytes(offset, localBytes);
  const start = namePart(label, () => readLocalHeader(header, member, end));
  if (isDeflated) return inflatedSource(file, member, start);
  return new Source(label, size, async (part, from) => {
    await file.read(part, start + from);
    return part.length;
  });
}
