/** Writes files so that they are there whole or not at all: under temporary names, until all are whole. */
import { writeSync } from 'node:fs';
import { open, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, sep } from 'node:path';
import { namedAsync, rangeError, show, showClass, typedArrayName, typeError } from '../arguments/index.js';
import { ofSystem, refuseSystem } from './paths.js';
import { announceTemporary, announceTemporaryGone } from './temporaries.js';

/** @import { FileWriter } from '../io/index.js' */
/** @import { Content, Handle, Target } from './types.js' */

/**
 * Writes files, all or none. Each gets a temporary name in its folder, and its own name only when all are whole: a
 * failure, a full disk or an end by a signal leaves what was there before, and a process that is killed leaves no half
 * file under the final name. A path that is a link stays one, and what it leads to is written, even if nothing is there
 * yet.
 *
 * Files that the package saves are written in the order that is the fastest: rotated matrices in tiles.
 * @param {Readonly<Record<string, Content>> | ReadonlyMap<string, Content>} files by path, the one that names the
 *   others last
 * @returns {Promise<void>}
 * @example
 * await writeFiles({ 'one.npy': saveNpy({ type: 'uint8', data: Uint8Array.of(1), dims: [1] }) });
 * const source = await fileSource('one.npy');
 * (await (await openNpy(source)).read()).data; // Uint8Array [1]
 * await source.close();
 */
export async function writeFiles(files) {
  return namedAsync('writeFiles', async () => {
    if (typeof files !== 'object' || files === null) typeError(`files must be an object or a Map, got ${show(files)}`);
    const list = files instanceof Map ? [...files] : Object.entries(files);
    for (const [path, content] of list) {
      const isIterable = typeof content === 'object' && content !== null && Symbol.asyncIterator in content;
      if (!isBytes(content) && !isIterable)
        typeError(`${show(path)} must be a Uint8Array or an async iterable, got ${showClass(content)}`);
    }
    await allOrNone(async (open) => {
      for (const [path, content] of list) await write(await open(path), content);
    });
  });
}

/** Runs `work`, which writes files that it opens by the function that it gets. Then all of them get their names; if
 * anything fails before, all temporary files are deleted.
 * @type {<T>(work: (open: (path: string) => Promise<Target>) => Promise<T>) => Promise<T>} */
export async function allOrNone(work) {
  /** @type {Target[]} */
  const targets = [];
  try {
    const result = await work(async (path) => {
      const target = await openTarget(path);
      targets.push(target);
      return target;
    });
    for (const { handle } of targets) await ofSystem(handle.close());
    for (const { path, temporary } of targets) {
      const isWrittenInPlace = temporary === undefined;
      if (isWrittenInPlace) continue;
      await ofPath(path, rename(temporary, path));
      announceTemporaryGone(temporary);
    }
    return result;
  } catch (error) {
    await Promise.all(targets.map(discardTarget));
    throw error;
  }
}

/** A Uint8Array of any realm. @type {(value: unknown) => value is Uint8Array} */
const isBytes = (value) => typedArrayName(value) === 'Uint8Array';

/** Opens a temporary file for a path, in the same folder and with the permissions of the file that is there. A pipe or
 * a device is opened itself; then `temporary` is undefined.
 * @type {(writtenPath: string) => Promise<Target>} */
async function openTarget(writtenPath) {
  const path = await behindLinks(writtenPath);
  const known = await stat(path).catch(() => undefined);
  if (known && !known.isFile()) return { path, temporary: undefined, handle: await ofSystem(open(path, 'w')) };
  const temporary = `${shortenName(path)}.${crypto.randomUUID().slice(-12)}.tmp`;
  announceTemporary(temporary);
  return { path, temporary, handle: await ofPath(path, open(temporary, 'wx', known?.mode)) };
}

/** Waits for a call of the system about a temporary file. Its error names `path`, the file that the caller knows.
 * @type {<T>(path: string, call: Promise<T>) => Promise<T>} */
const ofPath = (path, call) =>
  ofSystem(
    call.catch((error) => {
      throw Object.assign(error, { path });
    }),
  );

/** A temporary name has 17 characters more. A name may have 255 bytes, and a character takes up to 3: 79 * 3 + 17 =
 * 254. */
const maxNameLength = 79;

/** @type {(path: string) => string} */
function shortenName(path) {
  const name = basename(path);
  const folderLength = path.length - name.length;
  return name.length > maxNameLength && path.endsWith(name) ? path.slice(0, folderLength + maxNameLength) : path;
}

/** Finds the path of the file that a path leads to behind all links, so that links stay when the file is written. The
 * file need not be there yet.
 * @type {(path: string) => Promise<string>} */
async function behindLinks(path) {
  try {
    return await realpath(path);
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'ENOENT') refuseSystem(error);
    const target = await readlink(path).catch(() => undefined);
    const isLink = target !== undefined;
    if (!isLink) return path;
    // Not by `join`: it resolves `..` in the text, not in the folders, which may be links themselves.
    return behindLinks(isAbsolute(target) ? target : `${dirname(path)}${sep}${target}`);
  }
}

/** Closes a file of a write that failed, and deletes it if it is temporary. Ignores errors, as of a file that is closed
 * already, or has its final name.
 * @type {(target: Target) => Promise<void>} */
async function discardTarget({ temporary, handle }) {
  await handle.close().catch(() => {});
  if (temporary === undefined) return;
  await unlink(temporary).catch(() => {});
  announceTemporaryGone(temporary);
}

/** Writes the content of a file. A result of the package's save functions (`writes`) gives its pieces in the order that
 * is the fastest, each with its place; other content, and all content of a pipe, is written from the beginning on.
 * @type {(target: Target, content: Content) => Promise<void>} */
async function write({ path, temporary, handle }, content) {
  // A Uint8Array has a `byteLength` and no `writes`; an iterable of the caller may have neither.
  const { byteLength, writes } = /** @type {Partial<FileWriter>} */ (content);
  const isPipeOrDevice = temporary === undefined;
  const isPlaced = typeof writes === 'function' && !isPipeOrDevice;
  const pieces = isPlaced ? writes.call(content) : piecesInOrder(path, content);
  let total = 0;
  for await (const { at, bytes } of pieces) {
    await writeAll(handle, bytes, isPipeOrDevice ? null : at);
    total += bytes.length;
  }
  if (Number.isSafeInteger(byteLength) && total !== byteLength)
    rangeError(`${show(path)} must have ${byteLength} bytes, got ${total}`);
}

/** Yields the pieces of a content, each with the byte of the file at which it begins.
 * @param {string} path
 * @param {Content} content */
async function* piecesInOrder(path, content) {
  let at = 0;
  for await (const bytes of isBytes(content) ? [content] : content) {
    if (!isBytes(bytes)) typeError(`${show(path)} must be made of Uint8Arrays, got ${showClass(bytes)}`);
    yield { at, bytes };
    at += bytes.length;
  }
}

/** Writes bytes to a file at the byte `at`; null stands for behind the bytes that were written before, as to a pipe.
 * The system may take fewer bytes than it is given, so it is called until all are written.
 * @type {(handle: Handle, bytes: Uint8Array, at: number | null) => Promise<void>} */
export async function writeAll(handle, bytes, at) {
  for (let done = 0; done < bytes.length;) {
    const length = Math.min(bytes.length - done, maxBytes);
    const place = at === null ? null : at + done;
    if (length <= shortWrite) {
      done += writeShort(handle, bytes, done, length, place);
    } else {
      const { bytesWritten } = await ofSystem(handle.write(bytes, done, length, place));
      done += bytesWritten;
    }
  }
}

/** Returns how many bytes were written.
 * @type {(handle: Handle, bytes: Uint8Array, offset: number, length: number, place: number | null) => number} */
function writeShort({ fd }, bytes, offset, length, place) {
  try {
    return writeSync(fd, bytes, offset, length, place);
  } catch (error) {
    return refuseSystem(error);
  }
}

/** Writes of up to so many bytes block this thread: that is faster than to hand them to another one of Node's. */
const shortWrite = 64 * 2 ** 10;
/** Limit of the bytes of one write: more are no faster. */
const maxBytes = 64 * 2 ** 20;
