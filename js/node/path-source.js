/** Opens a file as a source: an object that reads any part of the file. */
import { constants, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { named, namedAsync, rangeError, show } from '../arguments/index.js';
import { checkEnds, checkTarget, newBytes } from '../weights/index.js';
import { ofSystem, readPath } from './paths.js';

/** @import { FileHandle } from 'node:fs/promises' */
/** @import { PathSource } from './types.js' */

/** Reads of up to so many bytes block this thread until the disk is done: through Node's threads each takes 10 times as
 * long (30 us instead of 3, measured), and a transposed matrix takes a million of them. */
const shortRead = 64 * 2 ** 10;
/** Limit of the bytes of one read. Node aborts at a read of 2 GiB; more than 8 MiB are no faster (measured). */
const longRead = 8 * 2 ** 20;

/**
 * Opens a file as a source. Reads of up to 64 KiB wait for the disk, because they are done sooner than handed over.
 * @param {string | URL} path
 * @returns {Promise<PathSource>} with `close()`, which lets go of the file
 * @example
 * const source = await fileSource('photo.jpg');
 * source.byteLength > 100; // true
 * await source.close();
 */
export async function fileSource(path) {
  return namedAsync('fileSource', async () => namedSource('fileSource', await openRegular(path)));
}

/** How files are opened. Without O_NONBLOCK, to open a pipe would wait until someone writes to it, and it could not be
 * refused. Windows has no such flag. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Wraps a source so that errors of its functions have `name`, the public function that opened it, in front.
 * @type {(name: string, source: PathSource) => PathSource} */
export const namedSource = (name, { byteLength, read, slice, close }) => ({
  byteLength,
  read: (target, start) =>
    named(name, () => {
      checkTarget(target, start);
      return read(target, start);
    }),
  slice: (start, end) => namedAsync(name, async () => slice(start, end)),
  close,
});

/** Closes the files of sources that are garbage without close() having been called; otherwise Node would close them,
 * with a warning each. An entry is the `owner`, which the source's functions hold: when nothing else does, the registry
 * gets its file handle.
 * @type {FinalizationRegistry<FileHandle>} */
const unclosed = new FinalizationRegistry((handle) => void handle.close().catch(() => {}));

/** Closes the file of a source, which the registry then need not close.
 * @type {(owner: { handle: FileHandle }) => Promise<void>} */
function closeOwned(owner) {
  unclosed.unregister(owner);
  return owner.handle.close();
}

/** A file handle has this number when it is closed. */
const closedNumber = -1;

/** Opens a regular file as a source. Refuses folders, pipes and devices. Its `read` may give fewer bytes than it is
 * asked for; `slice` reads on until it has all, or the file ends. `argument`: how errors call the path.
 * @type {(path: string | URL, argument?: string) => Promise<PathSource>} */
export async function openRegular(path, argument = 'path') {
  const file = readPath(argument, path);
  const name = show(file);
  const handle = await ofSystem(open(file, flags));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) rangeError(`${name} must be a regular file, got ${kindOf(stats)}`);
    const owner = { handle };
    unclosed.register(owner, handle, owner);
    const read = (/** @type {Uint8Array} */ target, /** @type {number} */ start) => {
      const { handle } = owner;
      if (handle.fd === closedNumber) rangeError(`${name} must be open while it is read, got a closed file`);
      const { length } = target;
      return length <= shortRead
        ? readSync(handle.fd, target, 0, length, start)
        : handle.read(target, 0, Math.min(length, longRead), start).then(({ bytesRead }) => bytesRead);
    };
    return {
      byteLength: stats.size,
      read,
      async slice(start, end) {
        checkEnds(start, end);
        const bytes = newBytes(Math.max(0, Math.min(end, stats.size) - start));
        let done = 0;
        while (done < bytes.length) {
          const count = await read(bytes.subarray(done), start + done);
          // The file became shorter since it was opened.
          if (count === 0) break;
          done += count;
        }
        return bytes.subarray(0, done);
      },
      close: () => closeOwned(owner),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Names the kind of a path that is no regular file, for messages.
 * @type {(stats: import('node:fs').Stats) => string} */
function kindOf(stats) {
  if (stats.isDirectory()) return 'a folder';
  return stats.isFIFO() ? 'a pipe' : 'a device';
}

/** Reads a whole regular file. `argument`: how errors call the path.
 * @type {(path: string | URL, maxBytes: number, argument?: string) => Promise<Uint8Array>} */
export async function readRegular(path, maxBytes, argument) {
  const { byteLength, slice, close } = await openRegular(path, argument);
  try {
    if (byteLength > maxBytes)
      rangeError(`${show(String(path))} must have at most ${maxBytes} bytes, got ${byteLength}`);
    return await slice(0, byteLength);
  } finally {
    await close();
  }
}
