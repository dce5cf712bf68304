/** The rooms of js/ stand on the floors of .dependency-cruiser.mjs: no import runs up, in a circle, or past a door. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { floors } from '../../.dependency-cruiser.mjs';
import { root } from '../support/packed.js';

/** @returns {string[]} the refused imports of a tree's js/, each as `rule: from -> to` */
function refusals(tree) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(root, '.dependency-cruiser.mjs'),
      '--output-type',
      'json',
      'js',
    ],
    { cwd: tree, encoding: 'utf8', maxBuffer: Infinity },
  );
  expect(stderr).toBe('');
  const { violations } = JSON.parse(stdout).summary;
  return violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

test('js/ keeps to its floors', () => expect(refusals(root)).toEqual([]), 60_000);

test('every room of js/ has its floor', () => {
  const rooms = readdirSync(join(root, 'js'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(floors.flat().sort()).toEqual(rooms.sort());
});

/** A small architecture in which nothing is wrong. */
const architecture = {
  'package.json': ['{ "type": "module" }'],
  'dist/layout.mjs': ['export default 1;'],
  'js/arguments/index.js': ["export * from './lists.js';"],
  'js/arguments/lists.js': ['export const list = 1;'],
  'js/tensor/index.js': ["export * from './dtypes.js';", "export * from './tensor.js';"],
  'js/tensor/dtypes.js': ["import { list } from '../arguments/index.js';", 'export const dtypes = list;'],
  'js/tensor/tensor.js': ["import { dtypes } from './dtypes.js';", 'export const tensor = dtypes;'],
  'js/engine/index.js': ["export * from './load.js';"],
  'js/engine/load.js': ["import load from '../../dist/layout.mjs';", 'export const loaded = load;'],
  'js/operators/index.js': ["export * from './cast.js';"],
  'js/operators/cast.js': [
    "/** @import { tensor } from '../tensor/index.js' */",
    "import { loaded } from '../engine/index.js';",
    'export const cast = loaded;',
  ],
  'js/image/index.js': ["/** @type {import('../tensor/index.js').tensor} */", 'export const image = 1;'],
  'js/io/index.js': ["export * from './npy.js';"],
  'js/io/npy.js': ["import { cast } from '../operators/index.js';", 'export const npy = cast;'],
  'js/cli/cli.js': [
    "import { readFileSync } from 'node:fs';",
    "import { cast } from '../index.js';",
    "import { npy } from '../io/index.js';",
    'export default [readFileSync, cast, npy];',
  ],
};

/** A fault, a file that has it, and how it is refused. */
const faults = [
  [
    'an import that runs up',
    { 'js/tensor/up.js': ["import { npy } from '../io/index.js';", 'export default npy;'] },
    'up: js/tensor/up.js -> js/io/index.js',
  ],
  [
    'a type from above',
    { 'js/arguments/type.js': ["/** @import { tensor } from '../tensor/index.js' */", 'export default 1;'] },
    'up: js/arguments/type.js -> js/tensor/index.js',
  ],
  [
    'a type from above, imported where it is used',
    { 'js/arguments/inline.js': ["/** @type {import('../image/index.js').image} */", 'export default 1;'] },
    'up: js/arguments/inline.js -> js/image/index.js',
  ],
  [
    'an import from a neighbor',
    { 'js/image/neighbour.js': ["export { cast } from '../operators/index.js';"] },
    'up: js/image/neighbour.js -> js/operators/index.js',
  ],
  [
    'an import of the public door from a room',
    { 'js/image/public.js': ["export { cast } from '../index.js';"] },
    'up: js/image/public.js -> js/index.js',
  ],
  [
    'a circle',
    {
      'js/tensor/one.js': ["import two from './two.js';", 'export default two;'],
      'js/tensor/two.js': ["import one from './one.js';", 'export default one;'],
    },
    'circle: js/tensor/one.js -> js/tensor/two.js',
  ],
  [
    'an import past a door',
    { 'js/io/past.js': ["import { cast } from '../operators/cast.js';", 'export default cast;'] },
    'past the door: js/io/past.js -> js/operators/cast.js',
  ],
  [
    'an import past a door by the public door',
    { 'js/index.js': ["export { cast } from './operators/cast.js';"] },
    'past the door: js/index.js -> js/operators/cast.js',
  ],
  [
    'an import past the door of core',
    {
      'js/operators/core/run.js': ['export const run = 1;'],
      'js/operators/past.js': ["export * from './core/run.js';"],
    },
    'past the inner door: js/operators/past.js -> js/operators/core/run.js',
  ],
  [
    'a program that uses what is not public',
    { 'js/cli/private.js': ["import { tensor } from '../tensor/index.js';", 'export default tensor;'] },
    'past the public door: js/cli/private.js -> js/tensor/index.js',
  ],
  [
    'the wasm module outside of the engine',
    { 'js/tensor/wasm.js': ["import load from '../../dist/layout.mjs';", 'export default load;'] },
    'wasm outside the engine: js/tensor/wasm.js -> dist/layout.mjs',
  ],
  [
    "one of Node's modules",
    { 'js/io/node.js': ["import { readFileSync } from 'node:fs';", 'export default readFileSync;'] },
    'dependency: js/io/node.js -> fs',
  ],
  [
    'a file that does not exist',
    { 'js/io/missing.js': ["import { npz } from './npz.js';", 'export default npz;'] },
    'missing: js/io/missing.js -> ./npz.js',
  ],
];

describe('in an architecture with faults', () => {
  let found;
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
    try {
      const files = Object.assign({}, architecture, ...faults.map(([, more]) => more));
      for (const [path, lines] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
      }
      found = refusals(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  test.each(faults)('%s is refused', (_, __, refusal) => expect(found).toContain(refusal));

  test('nothing else is refused', () => expect(found).toEqual(faults.map(([, , refusal]) => refusal).sort()));
});
