/** Compares a value with the one that an example states. Programs of the documents import it when they are tested. */
import { deepStrictEqual } from 'node:assert/strict';

const AsyncFunction = (async () => {}).constructor;

/**
 * @param {unknown} value
 * @param {string} stated a literal, or a typed array such as `Uint8Array [1, 2]`; a list in brackets alone stands for
 *   any array with these entries
 */
export async function check(value, stated) {
  deepStrictEqual(plain(value, stated), await evaluate(stated));
  return value;
}

/** The value that a comment states. */
function evaluate(stated) {
  const [, className, entries] = /^(\w+Array) \[(.*)\]$/.exec(stated) ?? [];
  return new AsyncFunction(`return ${className ? `${className}.of(${entries})` : `(${stated})`};`)();
}

const plain = (value, stated) => (stated.startsWith('[') && ArrayBuffer.isView(value) ? Array.from(value) : value);
