/** The numbers that JavaScript and C++ have to agree on: the module says what it was built with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { dtypes, init, Tensor } from 'onnx-layout';
import load from '../../dist/layout.mjs';
import { root } from '../support/packed.js';

let layout;

beforeAll(async () => {
  await init();
  layout = await load({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(readFileSync(join(root, 'dist/layout.wasm')), imports).then(({ instance }) =>
        done(instance),
      );
      return {};
    },
  });
});

test('C++ has a number format for each dtype of numbers, and no other, of its width', () => {
  const table = readFileSync(join(root, 'cpp/convert/formats.def'), 'utf8');
  const formats = Array.from(table.matchAll(/^FORMAT\(k(\w+), (\d+), Kind::\w+, (\d+)/gm), ([, name, ...numbers]) => [
    name.toLowerCase(),
    numbers.map(Number),
  ]);
  const numeric = Object.values(dtypes).filter(({ format }) => format.kind !== 'string' && format.kind !== 'complex');
  expect(Object.fromEntries(formats)).toEqual(
    Object.fromEntries(numeric.map(({ name, code, bits }) => [name, [code, bits]])),
  );
});

test('the greatest rank is the same in both languages', () => {
  const dims = Array(layout.maxRank).fill(1);
  expect(new Tensor('uint8', Uint8Array.of(7), dims).dims).toEqual(dims);
  expect(() => new Tensor('uint8', Uint8Array.of(7), [...dims, 1])).toThrow(
    `Tensor: dims must have at most ${layout.maxRank} entries, got ${layout.maxRank + 1}`,
  );
});

test('the module holds what the engine stages: 13 MiB, and 64 plans', () =>
  expect([layout.scratch().length, layout.plans]).toEqual([13 * 2 ** 20, 64]));
