/**
 * `npm run docs [-- REF]`: writes the generated sections of all Markdown files, the README's chart, and types of
 * outputs. The README's links lead to a branch or a tag of the repository, if package.json names one.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/packed.js';
import { typeFiles } from './output-types.js';
import { sections, smallChart } from './sections.js';

const chartPath = 'tests/docs/speed.svg';
/** `api` is what TypeDoc writes for the site. */
const skipped = ['node_modules', 'build', 'dist', 'api'];

/** Markdown files below a folder, in the repository's own folders alone. */
export function markdownFiles(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return skipped.includes(entry.name) || entry.name.startsWith('.') ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * The README's links lead to the repository once package.json names one, because npm shows the page without the files.
 * @type {(text: string, address?: string, ref?: string) => string} `ref`: a branch or a tag
 */
export function withAbsoluteLinks(text, address, ref = 'main') {
  if (address === undefined) return text;
  const base = address.replace(/^git\+|\.git$/g, '');
  return text
    .replace(/\]\((?![a-z]+:|#|\/)/g, `](${base}/blob/${ref}/`)
    .replace(/src="(?![a-z]+:|\/)/g, `src="${base}/raw/${ref}/`)
    .replace(new RegExp(`!\\[([^\\]]*)\\]\\(${base}/blob/`, 'g'), `![$1](${base}/raw/`);
}

/** The text between `<!-- begin: NAME -->` and `<!-- end: NAME -->`. */
const marked = /(<!-- begin: ([\w-]+) -->\n).*?(<!-- end: \2 -->)/gs;

/**
 * Renders what is generated.
 * @param {string} [ref] to which the README's links lead
 * @returns {Map<string, string>} whole files, by their paths from the root
 */
export function generated(ref) {
  const made = new Map();
  const sectionOf = (path, name) => {
    if (!Object.hasOwn(sections, name)) throw new Error(`${path}: no section is called ${name}`);
    if (!made.has(name)) made.set(name, sections[name]());
    return made.get(name);
  };
  const files = new Map();
  for (const path of markdownFiles()) {
    const text = readFileSync(join(root, path), 'utf8');
    const render = (whole, begin, name, end) => {
      const section = sectionOf(path, name);
      return section === undefined ? whole : `${begin}\n${section.trim()}\n\n${end}`;
    };
    if (text.includes('\n<!-- begin: ')) files.set(path, text.replace(marked, render));
  }
  const readme = files.get('README.md') ?? readFileSync(join(root, 'README.md'), 'utf8');
  files.set('README.md', withAbsoluteLinks(readme, repository?.url, ref));
  const svg = smallChart();
  if (svg !== undefined) files.set(chartPath, svg);
  for (const [path, render] of Object.entries(typeFiles)) files.set(path, render());
  return files;
}

/** A file's text as it stands; empty where there is none. */
export const current = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of generated(process.argv[2])) {
    const isCurrent = current(path) === text;
    if (!isCurrent) writeFileSync(join(root, path), text);
    console.log(`${path}: ${isCurrent ? 'is current' : 'written'}`);
  }
}
