/** A file by its path, as a source. */
import { constants, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { named, namedAsync, rangeError, show } from '../arguments/index.js';
import { checkEnds, checkTarget, newBytes } from '../weights/index.js';
import { ofSystem, readPath } from './paths.js';

/** @import { FileHandle } from 'node:fs/promises' */
/** @import { PathSource } from './types.js' */

/** Bytes. Shorter reads wait for the disk: through Node's threads each takes 10 times as long (30 us instead of 3,
 * measured), and a transposed matrix takes a million of them. */
const shortRead = 64 * 2 ** 10;
/** Bytes. Node aborts at a read of 2 GiB; reads of more than 8 MiB are no faster (measured). */
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

/** Without O_NONBLOCK, a pipe would be waited for until someone writes to it. Windows has no such flag, and 0 here. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Wraps a source, so that its errors are named after the public function that opened it.
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

/** Closes the files of sources that are dropped without close(): Node warns of each that it has to close itself. The
 * registry holds the handle; the source's functions hold its owner.
 * @type {FinalizationRegistry<FileHandle>} */
const dropped = new FinalizationRegistry((handle) => void handle.close().catch(() => {}));

/** Closes the file of a source, and lets the registry forget it.
 * @type {(owner: { handle: FileHandle }) => Promise<void>} */
function closeOwned(owner) {
  dropped.unregister(owner);
  return owner.handle.close();
}

/** Opens a regular file as a source. Folders, pipes and devices are refused.
 * @type {(path: string | URL, argument?: string) => Promise<PathSource>} */
export async function openRegular(path, argument = 'path') {
  const file = readPath(argument, path);
  const name = show(file);
  const handle = await ofSystem(open(file, flags));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : 'a device';
      rangeError(`${name} must be a regular file, got ${kind}`);
    }
    const owner = { handle };
    dropped.register(owner, handle, owner);
    const read = (/** @type {Uint8Array} */ target, /** @type {number} */ start) => {
      const { handle } = owner;
      if (handle.fd === -1) rangeError(`${name} must be open while it is read, got a closed file`);
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
        for (let count = 1; count > 0 && done < bytes.length; done += count)
          count = await read(bytes.subarray(done), start + done);
        return bytes.subarray(0, done);
      },
      close: () => closeOwned(owner),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads all of a regular file of at most `mostBytes`.
 * @type {(path: string | URL, mostBytes: number, argument?: string) => Promise<Uint8Array>} */
export async function readRegular(path, mostBytes, argument) {
  const { byteLength, slice, close } = await openRegular(path, argument);
  try {
    if (byteLength > mostBytes)
      rangeError(`${show(String(path))} must have at most ${mostBytes} bytes, got ${byteLength}`);
    return await slice(0, byteLength);
  } finally {
    await close();
  }
}
