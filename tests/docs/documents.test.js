/** The generated parts of the documents are what their sources say, and no link leads nowhere. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { example } from '../support/examples.js';
import { root } from '../support/packed.js';
import { publicEntries } from './docblocks.js';
import { current, generated, markdownFiles, withAbsoluteLinks } from './generate.js';

test.each([...generated()])('%s is current', (path, text) => {
  if (current(path) !== text) throw new Error(`${path} is out of date: run npm run docs`);
});

test("the README's links lead to the repository once package.json names one", () => {
  const text = '[a](b.md#c) [d](https://e.org) [f](#g) ![h](i.svg) <img src="j.png" />';
  expect(withAbsoluteLinks(text)).toBe(text);
  const address = 'https://example.org/r';
  const linked = `[a](${address}/blob/main/b.md#c) [d](https://e.org) [f](#g) ![h](${address}/raw/main/i.svg)`;
  const expected = `${linked} <img src="${address}/raw/main/j.png" />`;
  expect(withAbsoluteLinks(text, `git+${address}.git`)).toBe(expected);
  expect(withAbsoluteLinks(expected, address)).toBe(expected);
  expect(withAbsoluteLinks('[a](b.md)', address, 'v1.0.0')).toBe(`[a](${address}/blob/v1.0.0/b.md)`);
});

test('the site has its generated sections', () => {
  const pages = markdownFiles('web/docs/pages').map(current).join('\n');
  const names = Array.from(pages.matchAll(/^<!-- begin: (.*) -->$/gm), ([, name]) => name);
  expect(names.sort()).toEqual(['image-classes', 'scripts', 'types', 'versions', 'video-classes']);
});

const read = (path) => readFileSync(join(root, path), 'utf8');

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchors = (path) => Array.from(read(path).matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading));

/** Words of the builders' own; readers meet entry points, reference results, modules and results. */
const buildersWords = /(?<!\/)\b(doors?|goldens?|rooms?(?! for)|answer(s|ed)?)\b/i;

test.each(['README.md', 'SECURITY.md', 'CHANGELOG.md', ...markdownFiles('web/docs/pages')])(
  "%s has none of the builders' own words",
  (path) => {
    const prose = read(path).replace(/\]\([^)]*\)|`[^`\n]*`/g, '');
    expect(prose.split('\n').filter((line) => buildersWords.test(line))).toEqual([]);
  },
);

test("hovers have none of the builders' own words, and no paths of the repository", () => {
  const texts = publicEntries().flatMap(({ text, params, returns, examples }) => [
    text,
    ...examples,
    ...[...params, ...returns].map((part) => part.text),
  ]);
  const isInside = (text) => buildersWords.test(text) || /\b(js|cpp|tests|web)\/\w/.test(text);
  expect(texts.filter(isInside)).toEqual([]);
});

/** A line that holds an address alone cannot be broken. */
const isLong = (line) => line.length > 80 && !/^ *(import .*|\} )from 'https:\S+;$/.test(line);

test('code of the README and the site has at most 80 columns', () => {
  const code = ['README.md', ...markdownFiles('web/docs/pages')].flatMap((path) =>
    Array.from(read(path).matchAll(/^```.*\n([^]*?)^```$/gm), ([, text]) => text.split('\n')).flat(),
  );
  expect(code.filter(isLong)).toEqual([]);
});

test("the README's first program has ten lines of code", () => {
  const lines = example().split('\n');
  expect(lines.filter((line) => line && !line.startsWith('//')).length).toBe(10);
});

test('versions.md lists every entry point', () => {
  const page = read('web/docs/pages/guides/versions.md');
  const entryPoints = Object.keys(JSON.parse(read('package.json')).exports).filter((name) => !/\.\w/.test(name));
  const named = entryPoints.map((name) => (name === '.' ? '`onnx-layout`' : `\`${name.slice(1)}\``));
  expect(named.filter((name) => !page.includes(name))).toEqual([]);
});

const site = 'web/docs/pages';
/** Pages that `npm run docs:site` makes; VitePress looks for what they have. */
const isMade = (path) => /^(api|playground)\//.test(relative(site, path));

/** The targets of links and images, outside of code. */
function targetsIn(path) {
  const prose = read(path).replace(/^```.*?^```$/gms, '');
  const links = prose.matchAll(/\]\(([^)\s]+)\)|<img\s[^>]*?src="([^"]+)"/g);
  return Array.from(links, ([, link, image]) => link ?? image);
}

function isThere(from, target) {
  const [file, anchor] = target.split('#');
  const to = file ? (file.startsWith('/') ? join(site, file) : join(dirname(from), file)) : from;
  if (from.startsWith(site) && (isMade(to) || existsSync(join(root, site, 'public', target)))) return true;
  return existsSync(join(root, to)) && (!anchor || anchors(to).includes(anchor));
}

test.each(markdownFiles())('every link of %s leads to something', (path) => {
  const inside = targetsIn(path).filter((target) => !/^[a-z]+:/.test(target));
  expect(inside.filter((target) => !isThere(path, target))).toEqual([]);
});
