/** Reads paths of the caller, and words the errors of the system's calls. */
import { fileURLToPath } from 'node:url';
import { rangeError, refusal, show, typeError } from '../arguments/index.js';

/** Reads a path from a string or a URL of file:. Refuses URLs of other kinds, also as strings of data:, blob: and
 * http(s):, empty strings, and those with the character 0, which ends a path for the system.
 * @type {(argument: string, path: unknown) => string} */
export function readPath(argument, path) {
  if (path instanceof URL && path.protocol === 'file:') return pathOf(argument, path);
  if (typeof path !== 'string' && !(path instanceof URL))
    typeError(`${argument} must be a string or a URL, got ${show(path)}`);
  const text = String(path);
  // Only the scheme is shown, because a URL of data: may be the file itself.
  const [, scheme] = /^(data|blob|https?):/i.exec(text) ?? [];
  if (scheme) rangeError(`${argument} must be that of a file, got a URL of ${scheme}:`);
  if (text === '' || text.includes('\0')) rangeError(`${argument} must be that of a file, got ${show(text)}`);
  return text;
}

/** Refuses a URL that names no file of this machine.
 * @type {(argument: string, url: URL) => string} */
function pathOf(argument, url) {
  try {
    return fileURLToPath(url);
  } catch (error) {
    return rangeError(`${argument} must be that of a file: ${/** @type {Error} */ (error).message}`);
  }
}

/** @typedef {Error & { code?: string, errno?: number, path?: string, syscall?: string }} SystemError */

/** Throws an error of a system call as one in the package's words, with the same code, number, path and name of the
 * call. Other errors are thrown as they are.
 * @type {(error: unknown) => never} */
export function refuseSystem(error) {
  const { code, errno, path, syscall, message } = /** @type {SystemError} */ (error);
  if (typeof syscall !== 'string') throw error;
  // Node's message, such as "ENOENT: no such file or directory, open 'x'".
  const [, words] = /^\w+: ([^,]+)/.exec(message) ?? [];
  const rule = `${path === undefined ? 'the file' : show(path)} must be accessible, got ${code}: ${words}`;
  throw Object.assign(refusal(new RangeError(rule, { cause: error })), { code, errno, path, syscall });
}

/** Waits for a call of the system, whose error {@link refuseSystem} throws in the package's words.
 * @type {<T>(call: Promise<T>) => Promise<T>} */
export const ofSystem = (call) => call.catch(refuseSystem);
