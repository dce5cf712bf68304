/** The README's programs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.js';

export const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The program that begins with these words; the first of all without. */
export function example(start = '') {
  const programs = Array.from(readme.matchAll(/^```js\n(.*?)^```$/gms), ([, program]) => program);
  const found = programs.find((program) => program.startsWith(start));
  if (!found) throw new Error(`README.md has no program that begins with ${start}`);
  return found;
}
