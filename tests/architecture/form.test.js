/**
 * The rules that hold for every file and folder: lines of a bounded length, telling names, READMEs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root, run } from '../support/packed.js';

const tracked = run('git', ['ls-files'])
  .trimEnd()
  .split('\n')
  .filter((path) => existsSync(join(root, path)));
const read = (path) => readFileSync(join(root, path), 'utf8');

/** Files that no person reads line by line: lock files, corpora, drawings and data that a program writes, pictures. */
const isMadeByProgram = (path) =>
  /(^|\/)package-lock\.json$|\.(jpg|png|webp|svg)$|^tests\/fuzz\/corpus\/|^tests\/bench\/baseline\.json$/.test(path) ||
  /^js\/\w+\/(option-names|class-methods)\.ts$/.test(path) ||
  /\.gz$|^tests\/goldens\/.*\.(json|npy|wav|f32|onnx)$/.test(path) ||
  /^tests\/[\w/]+\/[\w-]+-goldens\.json$|^tests\/operators\/[\w-]+\.json$/.test(path);

/** A table's row in Markdown has to be one line. */
const isTableRow = (path, line) => path.endsWith('.md') && line.trimStart().startsWith('|');

const mostColumns = 120;

/** @returns {string[]} where the text's lines are longer than they may be */
function longLines(path, text) {
  return text
    .split('\n')
    .flatMap((line, i) =>
      [...line].length > mostColumns && !isTableRow(path, line)
        ? [`${path}:${i + 1}: ${[...line].length} columns`]
        : [],
    );
}

test(`no line has more than ${mostColumns} columns`, () =>
  expect(tracked.filter((path) => !isMadeByProgram(path)).flatMap((path) => longLines(path, read(path)))).toEqual([]));

test('a line that is too long is found, and a table row is not one', () => {
  const long = 'x'.repeat(mostColumns + 1);
  expect(longLines('a.js', `${long.slice(1)}\n${long}\n`)).toEqual(['a.js:2: 121 columns']);
  expect(longLines('a.md', `| ${long} |\n${long}\n`)).toEqual(['a.md:2: 121 columns']);
});

/** Names that say nothing of what a file is about. */
const emptyNames = ['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'base', 'misc'];

test('no file or folder has a name that says nothing', () => {
  const parts = tracked.flatMap((path) => path.split('/').map((part) => [path, basename(part).replace(/\..*$/, '')]));
  expect(parts.filter(([, name]) => emptyNames.includes(name)).map(([path]) => path)).toEqual([]);
});

const rooms = ['js', 'cpp', 'tests'].flatMap((floor) => [
  floor,
  ...readdirSync(join(root, floor), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && tracked.some((path) => path.startsWith(`${floor}/${entry.name}/`)))
    .map(({ name }) => `${floor}/${name}`),
]);

test.each(rooms)('%s has a README of 15 to 80 lines', (room) => {
  const plate = `${room}/README.md`;
  expect([plate, tracked.includes(plate)]).toEqual([plate, true]);
  const lines = read(plate).trimEnd().split('\n').length;
  expect(lines).toBeGreaterThanOrEqual(15);
  // The reference of all calls and the description of a byte's road stand at the doors of js/ and cpp/.
  if (room.includes('/')) expect(lines).toBeLessThanOrEqual(80);
});
