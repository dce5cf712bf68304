/** Structs and words that bridge.mjs reads from C++'s headers: structs lie where the compiler of the wasm puts them. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { bridgeModules, structLayouts } from '../../bridge.mjs';
import { root } from '../support/packed.js';

const layouts = structLayouts();

/** The compiler's complaints about what is asserted of the structs. */
function complaints(lists) {
  const files = [...new Set(lists.map(({ file }) => file))];
  const asserted = lists.flatMap(({ name, bytes, places }) => [
    `static_assert(sizeof(layout::${name}) == ${bytes});`,
    ...Object.entries(places).map(
      ([field, place]) => `static_assert(offsetof(layout::${name}, ${field}) == ${place});`,
    ),
  ]);
  const text = ['#include <cstddef>', ...files.map((file) => `#include "${file}"`), ...asserted, ''].join('\n');
  const flags = ['-std=c++20', '-msimd128', '-Icpp', '-Wno-invalid-offsetof', '-fsyntax-only', '-xc++', '-'];
  const { status, stderr } = spawnSync('em++', flags, { cwd: root, input: text, encoding: 'utf8' });
  return { status, errors: [...stderr.matchAll(/static_assert failed.*|static assertion failed.*/g)].length };
}

test('members of structs lie where the compiler puts them', () => {
  expect(layouts.length).toBeGreaterThan(20);
  expect(complaints(layouts)).toEqual({ status: 0, errors: 0 });
});

test('a member at another place is seen', () => {
  const moved = layouts.map((each) =>
    each.name === 'Warp' ? { ...each, places: { ...each.places, matrix: each.places.matrix + 4 } } : each,
  );
  expect(complaints(moved)).toMatchObject({ errors: 1 });
});

test('a call writes each member at its place, by its name', async () => {
  const { writeNearestColors } = await import('../../dist/bridge/images.js');
  const { writeBlockRanges, writeScatterCall } = await import('../../dist/bridge/tensors.js');
  const words = new Uint32Array(8);
  writeNearestColors(words, { to: 5, color: 4, pixels: 3, colors: 2, count: 1 });
  expect([...words]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
  writeBlockRanges(words, { count: 1, grid: { width: 2, rows: 3, block: 4, row: 5, column: 6 }, src: 7, ranges: 8 });
  expect([...words]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const rows = { format: 11, reduction: 'mulComplex', rows: 12, run: 13 };
  writeScatterCall(words, { rows, numbers: 14, updates: 15, current: 16, work: 17 });
  expect([...words]).toEqual([11, 4, 12, 13, 14, 15, 16, 17]);
});

test('words are those of the enumerations, in the order of their numbers', async () => {
  const audio = bridgeModules().find(({ name }) => name === 'audio');
  expect(audio?.text).toContain('export const MelScale = ["htk","slaney","kaldi"];\n');
  expect(audio?.text).toContain('export const Sinc = { torchHann: 0, torchKaiser: 1, scipy: 2, kaiser: 3 };\n');
});
