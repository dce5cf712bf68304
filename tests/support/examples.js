/** The programs that the documents show. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.js';

const site = 'web/docs/pages';
const pages = readdirSync(join(root, site), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('api'))
  .map((path) => join(site, path));

/**
 * The programs of the README and the site in some languages, by their pages, in their order.
 * @param {string[]} languages as the fences name them
 */
export const fences = (languages) =>
  ['README.md', ...pages.sort()].flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const blocks = Array.from(text.matchAll(/^```(\w+)\n(.*?)^```$/gms));
    return blocks.flatMap(([, language, program]) =>
      languages.includes(language) ? [{ path, language, program }] : [],
    );
  });

/** The JavaScript programs. */
export const programs = fences(['js']);

/**
 * One program of the documents.
 * @param {string} [start] the words that it begins with; the README's first program if omitted
 * @returns {string}
 */
export function example(start = '') {
  const block = programs.find(({ program }) => program.startsWith(start));
  if (!block) throw new Error(`README.md and ${site} have no program that begins with ${start}`);
  return block.program;
}
