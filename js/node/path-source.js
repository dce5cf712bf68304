/** A file by its path, as a source. */
import { constants, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { named, namedAsync, rangeError, show } from '../arguments/index.js';

/** @import { PathSource } from './types.js' */

/** Bytes. Shorter reads wait for the disk: through Node's threads each takes 10 times as long (30 us instead of 3,
 * measured), and a transposed matrix takes a million of them. */
const shortRead = 64 * 2 ** 10;

/**
 * Opens a file as a source. Reads of up to 64 KiB wait for the disk, because they are done sooner than handed over.
 * @param {string | URL} path
 * @returns {Promise<PathSource>} with `close()`, which lets go of the file
 * @example
 * const source = await fileSource('package.json');
 * source.byteLength > 100; // true
 * await source.close();
 */
export async function fileSource(path) {
  return namedAsync('fileSource', async () => namedSource('fileSource', await openRegular(path)));
}

/** Without O_NONBLOCK, a pipe would be waited for until someone writes to it. Windows has no such flag, and 0 here. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Errors are named after the public function that opened it.
 * @type {(name: string, source: PathSource) => PathSource} */
export const namedSource = (name, { byteLength, read, slice, close }) => ({
  byteLength,
  read: (target, start) => named(name, () => read(target, start)),
  slice: (start, end) => namedAsync(name, async () => slice(start, end)),
  close,
});

/** @type {(path: string | URL) => Promise<PathSource>} */
export async function openRegular(path) {
  const handle = await open(path, flags);
  try {
    const stats = await handle.stat();
    const name = show(String(path));
    if (!stats.isFile()) {
      const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : 'a device';
      rangeError(`${name} must be a regular file, got ${kind}`);
    }
    const read = (/** @type {Uint8Array} */ target, /** @type {number} */ start) => {
      if (handle.fd === -1) rangeError(`${name} must be open while it is read, got a closed file`);
      return target.length <= shortRead
        ? readSync(handle.fd, target, 0, target.length, start)
        : handle.read(target, 0, target.length, start).then(({ bytesRead }) => bytesRead);
    };
    return {
      byteLength: stats.size,
      read,
      async slice(start, end) {
        const bytes = new Uint8Array(end - start);
        const count = bytes.length > 0 ? await read(bytes, start) : 0;
        return bytes.subarray(0, count);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @type {(path: string | URL, mostBytes?: number) => Promise<Uint8Array>} all of a regular file */
export async function readRegular(path, mostBytes = Infinity) {
  const { byteLength, slice, close } = await openRegular(path);
  try {
    if (byteLength > mostBytes) rangeError(`${show(path)} must have at most ${mostBytes} bytes, got ${byteLength}`);
    return await slice(0, byteLength);
  } finally {
    await close();
  }
}
