/** What a terminal is shown: a line about long work, and no control characters of a file's. */

/**
 * @typedef {object} Streams
 * @property {AsyncIterable<Uint8Array | string>} stdin
 * @property {{ write(chunk: string | Uint8Array): unknown }} stdout
 * @property {{ isTTY?: boolean, write(chunk: string): unknown }} stderr
 */

/** A file with fewer bytes is done before a line about it could be read. */
const longWork = 64 * 2 ** 20;

/**
 * Shows a line that the next one replaces.
 * @param {Streams} streams
 * @param {string} what
 * @param {number} bytes of the work
 */
export function progress({ stderr }, what, bytes) {
  if (stderr.isTTY && bytes >= longWork) stderr.write(`\r\x1b[K${what}`);
}

/**
 * Clears the line.
 * @param {Streams} streams
 */
export function clearProgress(streams) {
  progress(streams, '', Infinity);
}

/**
 * A name from a file, without the control characters that would reach the terminal.
 * @param {string} name
 * @returns {string}
 */
export const safe = (name) =>
  name.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
