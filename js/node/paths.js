/** Paths of the caller, and what the system says of them. */
import { fileURLToPath } from 'node:url';
import { rangeError, refusal, show, typeError } from '../arguments/index.js';

/** Reads the path of a file, or its URL of file:.
 * @type {(argument: string, path: unknown) => string} */
export function readPath(argument, path) {
  if (path instanceof URL && path.protocol === 'file:') return pathOf(argument, path);
  if (typeof path !== 'string' && !(path instanceof URL))
    typeError(`${argument} must be a string or a URL, got ${show(path)}`);
  const text = String(path);
  // Of an address of data nothing is shown: it may be the file itself.
  const [, scheme] = /^(data|blob|https?):/i.exec(text) ?? [];
  if (scheme) rangeError(`${argument} must be that of a file, got a URL of ${scheme}:`);
  if (text === '' || text.includes('\0')) rangeError(`${argument} must be that of a file, got ${show(text)}`);
  return text;
}

/** Turns a URL of file: into a path.
 * @type {(argument: string, url: URL) => string} */
function pathOf(argument, url) {
  try {
    return fileURLToPath(url);
  } catch (error) {
    return rangeError(`${argument} must be that of a file: ${/** @type {Error} */ (error).message}`);
  }
}

/** @typedef {Error & { code?: string, errno?: number, path?: string, syscall?: string }} SystemError */

/** Puts an error of the system into the package's words. Its code, number and path stay.
 * @type {(error: unknown) => never} */
export function refuseSystem(error) {
  const { code, errno, path, syscall, message } = /** @type {SystemError} */ (error);
  if (typeof syscall !== 'string') throw error;
  const [, words] = /^\w+: ([^,]+)/.exec(message) ?? [];
  const rule = `${path === undefined ? 'the file' : show(path)} must be accessible, got ${code}: ${words}`;
  throw Object.assign(refusal(new RangeError(rule, { cause: error })), { code, errno, path, syscall });
}

/** Waits for a call of the system, and words its error.
 * @type {<T>(call: Promise<T>) => Promise<T>} */
export const ofSystem = (call) => call.catch(refuseSystem);
