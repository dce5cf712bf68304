/**
 * Versions of other projects stand in tests/goldens/constraints.txt, for PyPI, and in package.json, for npm. A sentence
 * that names one is out of date with the next release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/packed.js';
import { pins } from '../support/pins.js';

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (path) => readFileSync(join(root, path), 'utf8');

/** The versions of npm's packages, by name. */
const packages = new Map(
  tracked
    .filter((path) => /(^|\/)package\.json$/.test(path))
    .map((path) => JSON.parse(read(path)))
    .flatMap(({ dependencies = {}, devDependencies = {} }) => Object.entries({ ...dependencies, ...devDependencies })),
);

/** Recorded tables and measurements, and this test. */
const recorded = ['CHANGELOG.md', 'tests/architecture/versions.test.js', 'tests/bench/README.md'];
const isPlace = (path) => recorded.includes(path) || path.startsWith('tests/follow/');
const texts = tracked.filter((path) => /\.(js|mjs|ts|py|md|html|css|cpp|h|def|yml|svg)$/.test(path));

const names = [...Object.keys(pins), ...packages.keys(), 'OpenCV', 'Silero VAD', 'transformers\\.js', 'torchvision'];
const version = new RegExp(`(?<![\\w/.-])(${names.join('|')})(?:==|@|'s | v?)(\\d+\\.\\d[\\w.-]*)`, 'gi');

/** Bounds, of which later releases are not out of date. */
const bounds = ['TypeScript 5.0', 'OpenCV 4.5 to 5.0', 'OpenCV 4.6 to 4.12', "NumPy 1.24's `str()`"];

/** The versions that a text names, but for those of addresses that package.json has too. */
function versionsOf(text) {
  const plain = bounds.reduce((all, bound) => all.replaceAll(bound, ''), text);
  return [...plain.matchAll(version)].filter(([, name, found]) => packages.get(name) !== found).map(([words]) => words);
}

test('no text but their two places names a version of another project', () => {
  const named = texts
    .filter((path) => !isPlace(path))
    .flatMap((path) => versionsOf(read(path)).map((words) => `${path}: ${words}`));
  expect(named).toEqual([]);
});

test.each([
  'transformers 5.24.0',
  'pip install torch==2.15.0',
  "OpenCV 5.0's",
  'Pillow 13.0.0',
  'onnxruntime-web@1.2.3',
])('%s is found', (text) => expect(versionsOf(`as ${text} does`)).toHaveLength(1));

test('a bound, and the address of a version that package.json has, are fine', () =>
  expect(versionsOf(`OpenCV 4.5 to 5.0, onnxruntime-web@${packages.get('onnxruntime-web')}`)).toEqual([]));
