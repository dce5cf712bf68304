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

test('js/ keeps to its floors', () => expect(refusals(root)).toEqual([]));

test('every room of js/ has its floor', () => {
  const foldersOf = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const engines = foldersOf('js/engines').map((name) => `engines/${name}`);
  const rooms = [...foldersOf('js').filter((name) => name !== 'engines'), ...engines];
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
  'js/engines/tensors/index.js': ["export * from './load.js';"],
  'js/engines/tensors/load.js': ["import load from '../../../dist/layout.mjs';", 'export const loaded = load;'],
  'js/operators/index.js': ["export * from './cast.js';"],
  'js/operators/cast.js': [
    "/** @import { tensor } from '../tensor/index.js' */",
    "import { loaded } from '../engines/tensors/index.js';",
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

/** Files that the faults import. */
const others = {
  'js/tensor/two.js': ["export { default } from './one.js';"],
  'js/operators/core/run.js': ['export const run = 1;'],
  'js/processors/steps/resize.js': ['export const resize = 1;'],
};

/** How a fault is refused, and the file that has it. */
const faults = {
  'up: js/tensor/up.js -> js/io/index.js': "import { npy } from '../io/index.js'; export default npy;",
  'up: js/arguments/type.js -> js/tensor/index.js':
    "/** @import { tensor } from '../tensor/index.js' */ export default 1;",
  'up: js/arguments/inline.js -> js/image/index.js':
    "/** @type {import('../image/index.js').image} */ export default 1;",
  'up: js/image/neighbor.js -> js/operators/index.js': "export { cast } from '../operators/index.js';",
  'up: js/image/public.js -> js/index.js': "export { cast } from '../index.js';",
  'circle: js/tensor/one.js -> js/tensor/two.js': "import two from './two.js'; export default two;",
  'past the door: js/io/past.js -> js/operators/cast.js':
    "import { cast } from '../operators/cast.js'; export default cast;",
  'past the door: js/index.js -> js/operators/cast.js': "export { cast } from './operators/cast.js';",
  'past the inner door: js/operators/past.js -> js/operators/core/run.js': "export * from './core/run.js';",
  'past the inner door: js/processors/tiles/past.js -> js/processors/steps/resize.js':
    "export * from '../steps/resize.js';",
  'past the public door: js/cli/private.js -> js/tensor/index.js':
    "import { tensor } from '../tensor/index.js'; export default tensor;",
  'up: js/engines/loading/up.js -> js/engines/tensors/index.js': "export { loaded } from '../tensors/index.js';",
  'past the door: js/engines/images/past.js -> js/engines/tensors/load.js': "export * from '../tensors/load.js';",
  'wasm outside the engines: js/tensor/wasm.js -> dist/layout.mjs':
    "import load from '../../dist/layout.mjs'; export default load;",
  'dependency: js/io/node.js -> fs': "import { readFileSync } from 'node:fs'; export default readFileSync;",
  'missing: js/io/missing.js -> ./npz.js': "import { npz } from './npz.js'; export default npz;",
};

describe('in an architecture with faults', () => {
  let found;
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
    try {
      const files = { ...architecture, ...others };
      for (const [refusal, text] of Object.entries(faults)) files[/: (\S+)/.exec(refusal)[1]] = [text];
      for (const [path, lines] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(path)), { recursive: true });
        writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
      }
      found = refusals(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(Object.keys(faults))('%s', (refusal) => expect(found).toContain(refusal));

  test('nothing else is refused', () => expect(found).toEqual(Object.keys(faults).sort()));
});
