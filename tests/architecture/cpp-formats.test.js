/**
 * A row of cpp/convert/formats.def that has no kernels does not compile, and the compiler names each place that lacks
 * one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/packed.js';
import { where } from '../support/programs.js';

/** All sources of convert and the native test's oracle, in one translation unit. */
const sources = readdirSync(join(root, 'cpp/convert')).filter((name) => name.endsWith('.cpp'));
const unit = [...sources.map((name) => `convert/${name}`), '../tests/native/convert_test.cpp']
  .map((path) => `#include "${path}"\n`)
  .join('');
/** The test that says which widths move. */
const moves = 'tests/native/transpose_test.cpp';

/** The files in which clang++ finds errors, with this row added to the table of formats. */
async function filesThatFail(row) {
  const fake = row ? [`-DLAYOUT_FAKE_FORMAT=${row}`] : [];
  const flags = ['-std=c++20', '-fsyntax-only', '-ferror-limit=0', '-Wswitch-enum', '-Werror', '-Icpp', '-x', 'c++'];
  const compiler = spawn('clang++', [...flags, ...fake, '-', moves], { cwd: root });
  compiler.stdin.end(unit);
  let log = '';
  compiler.stderr.on('data', (text) => {
    log += text;
  });
  const status = await new Promise((resolve) => {
    compiler.on('close', resolve);
  });
  const files = [...log.matchAll(/^(\S+?):\d+:\d+: (?:fatal )?error:/gm)].map(([, path]) => path.split('/').at(-1));
  expect(status === 0).toBe(files.length === 0);
  return [...new Set(files)].sort();
}

describe('a new number format', () => {
  const oracle = 'convert_test.cpp';
  const rows = [
    ['no new row', undefined, []],
    [
      'a float of 5 bits',
      'FORMAT(kFake, 99, Kind::kFloat, 5, 2, 2, 1, Special::kFinite)',
      [oracle, 'packed.cpp', 'transpose_test.cpp'],
    ],
    ['a signed integer of 6 bits', 'FORMAT(kFake, 99, Kind::kSigned, 6)', [oracle, 'packed.cpp']],
    // The kernels follow from the row.
    ['a float of 6 bits', 'FORMAT(kFake, 99, Kind::kFloat, 6, 4, 1, 7, Special::kFinite)', [oracle]],
    [
      'a float of 16 bits',
      'FORMAT(kFake, 99, Kind::kFloat, 16, 6, 9, 31, Special::kIeee)',
      [oracle, 'float32_to_small_floats.cpp', 'small_floats_to_float32.cpp'],
    ],
    [
      'an integer of 24 bits',
      'FORMAT(kFake, 99, Kind::kSigned, 24)',
      [oracle, 'to_bool.cpp', 'to_floats.cpp', 'to_integers.cpp'],
    ],
    // The kernels follow from the row.
    ['a float of 8 bits', 'FORMAT(kFake, 99, Kind::kFloat, 8, 3, 4, 3, Special::kIeee)', [oracle]],
  ];
  const results = new Map();

  where(spawnSync('clang++', ['--version']).status === 0, 'clang++', () => {
    test.each(rows)(
      '%s',
      async (name, _, files) => {
        // All compilers run at once, and each test waits for its own.
        if (results.size === 0) for (const [key, row] of rows) results.set(key, filesThatFail(row));
        expect(await results.get(name)).toEqual(files);
      },
      600_000,
    );
  });
});

test('both builds fail on a switch that leaves out an enumerator', () => {
  const cmake = readFileSync(join(root, 'CMakeLists.txt'), 'utf8');
  expect(cmake).toMatch(/target_compile_options\(kernels PUBLIC [^)]*-Wswitch-enum -Werror\)/);
});
