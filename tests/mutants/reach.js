/** The suites of a room, and which lines of the sources each reaches. */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * How the paths of suites begin, by the room of js/, where they are not those of the room of the same name alone.
 * @type {Record<string, string[]>}
 */
const mirrors = {
  arguments: ['arguments/', 'tensor/', 'operators/matrix', 'operators/reshape', 'adversarial/adversarial-values'],
  tensor: ['tensor/', 'arguments/', 'operators/cast', 'operators/versions', 'adversarial/adversarial-values'],
  'arguments/configurations': ['processors/', 'audio/'],
  'engines/audio': ['audio/'],
  'engines/results': ['postprocess/'],
  'engines/tensors': ['engine/', 'operators/', 'image/', 'convert/nbits/'],
  'engines/images': ['engine/', 'image/', 'processors/'],
  'engines/loading': ['engine/'],
};

/** Suites that repeat others many times, or run other programs. */
const tooSlow = /\/(leaks|large|memory|streaming|cast-exhaustive|corpus)\.test/;

/**
 * Lists the suites that may catch a mistake in a source.
 * @param {string} root
 * @param {string} file of js/
 * @returns {string[]} from the folder tests
 */
export function suitesOf(root, file) {
  const [, room, inner] = file.split('/');
  const begins = mirrors[`${room}/${inner}`] ?? mirrors[room] ?? [`${room}/`];
  return readdirSync(join(root, 'tests'), { recursive: true })
    .map((path) => String(path).split(sep).join('/'))
    .filter((path) => path.endsWith('.test.js') && begins.some((begin) => path.startsWith(begin)))
    .filter((path) => !tooSlow.test(path));
}

/** @type {(suite: string) => string} */
const nameOf = (suite) => suite.split('/').at(-1).replace('.test.js', '');

/** @type {(file: string, suite: string) => boolean} */
export const sharesName = (file, suite) => file.split('/').at(-1).replace('.js', '') === nameOf(suite);

/** @type {(folder: string) => string} */
const reportOf = (folder) => join(folder, 'build/reach');

/** Jest's options that make a report of lines. @type {(folder: string, files: readonly string[]) => string[]} */
export const reachOptions = (folder, files) => [
  '--coverage',
  '--coverageThreshold={}',
  '--coverageReporters=json',
  `--coverageDirectory=${reportOf(folder)}`,
  ...files.map((file) => `--collectCoverageFrom=${file}`),
];

/**
 * Reads which lines a run of Jest has reached.
 * @param {string} folder a copy of the tree
 * @returns {Map<string, Set<number>>} by source
 */
export function readReached(folder) {
  const report = JSON.parse(readFileSync(join(reportOf(folder), 'coverage-final.json'), 'utf8'));
  rmSync(reportOf(folder), { recursive: true });
  return new Map(
    Object.values(report).map(({ path, statementMap, s }) => [
      relative(folder, path).split(sep).join('/'),
      new Set(Object.keys(s).flatMap((i) => (s[i] > 0 ? [statementMap[i].start.line] : []))),
    ]),
  );
}
