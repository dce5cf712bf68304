/** The programs that the documents show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.js';

export const readme = readFileSync(join(root, 'README.md'), 'utf8');
export const reference = readFileSync(join(root, 'js/README.md'), 'utf8');

/** All JavaScript programs of the README and the reference, in their order. */
export const programs = Array.from(`${readme}\n${reference}`.matchAll(/^```js\n(.*?)^```$/gms), ([, code]) => code);

/**
 * One program of the documents.
 * @param {string} [start] the words that it begins with; the README's first program if omitted
 * @returns {string}
 */
export function example(start = '') {
  const found = programs.find((program) => program.startsWith(start));
  if (!found) throw new Error(`README.md and js/README.md have no program that begins with ${start}`);
  return found;
}
