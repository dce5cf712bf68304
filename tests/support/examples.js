/** The programs that the documents show. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.js';

const site = 'web/docs/pages';
const pages = readdirSync(join(root, site), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('api'))
  .map((path) => join(site, path));

/** The JavaScript programs of the README and the site, by their pages, in their order. */
export const programs = ['README.md', ...pages.sort()].flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  return Array.from(text.matchAll(/^```js\n(.*?)^```$/gms), ([, program]) => ({ path, program }));
});

/**
 * One program of the documents.
 * @param {string} [start] the words that it begins with; the README's first program if omitted
 * @returns {string}
 */
export function example(start = '') {
  const found = programs.find(({ program }) => program.startsWith(start));
  if (!found) throw new Error(`README.md and ${site} have no program that begins with ${start}`);
  return found.program;
}
