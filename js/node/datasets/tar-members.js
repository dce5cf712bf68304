/** Lists the members of tar archives. A member is a header of one block and its data, filled up to whole blocks. */
import { rangeError, show } from '../../arguments/index.js';
import { decode, decodeLongPath, decodePax } from '../../../dist/tar/headers.js';

/** @import { PathSource } from '../types.js' */

/** @typedef {{ name: string, start: number, length: number }} Member */

/** Bytes of a block, of which a tar archive is made. */
const blockBytes = 512;
/** Limit of the bytes of a long name or of extended attributes (pax): a path has at most 4096. */
const maxNameBytes = 2 ** 20;

/** Yields the files of an archive in their order. The archive ends at the first block of zeros, as for Python's
 * tarfile, or where less than a block is left. `path`: for messages.
 * @type {(path: string, source: PathSource) => AsyncGenerator<Member, void, undefined>} */
export async function* tarMembers(path, { byteLength, slice }) {
  /** @type {Record<string, string>} attributes for the next member, which count more than its header */
  let pax = {};
  /** @type {string | undefined} the name of the next member, if it is too long for its header */
  let longName;
  for (let at = 0; at + blockBytes <= byteLength;) {
    const header = headerOf(path, await slice(at, at + blockBytes));
    if (!header) return;
    const start = at + blockBytes;
    const length = pax.size === undefined ? header.size : Number(pax.size);
    if (!(length >= 0) || start + length > byteLength)
      rangeError(`${show(path)} must have its members whole, got the first bytes of ${show(header.name)}`);
    at = start + Math.ceil(length / blockBytes) * blockBytes;
    const isAboutNext = header.type === 'pax-header' || header.type === 'gnu-long-path';
    if (isAboutNext) {
      if (length > maxNameBytes) rangeError(`${show(path)} must have names of at most 1 MiB, got ${length} bytes`);
      const bytes = await slice(start, start + length);
      if (header.type === 'pax-header') pax = decodePax(bytes);
      else longName = decodeLongPath(bytes, 'utf8');
      continue;
    }
    const isFile = header.type === 'file' || header.type === 'contiguous-file';
    if (isFile) yield { name: pax.path ?? longName ?? header.name, start, length };
    pax = {};
    longName = undefined;
  }
}

/** Decodes the header of a member; null for a block of zeros.
 * @type {(path: string, block: Uint8Array) => { name: string, size: number, type: string | null } | null} */
function headerOf(path, block) {
  try {
    return decode(block, 'utf8', true);
  } catch (error) {
    return rangeError(`${show(path)} must be a tar archive: ${/** @type {Error} */ (error).message}`);
  }
}
