/** The table of cpp.js fits the code, and the generated mistakes are those that the syntax allows. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as cpp from './cpp.js';
import { cppEditsOf } from './generate-cpp.js';
import { apply, editsOf } from './generate.js';
import { survivors } from './survivors.js';

const root = join(import.meta.dirname, '../..');

const cppFiles = readdirSync(join(root, 'cpp'), { recursive: true }).map((path) => `cpp/${path}`);
/** The source of a native test, or the corpus that a replay reads. */
const fileOf = (name) =>
  name.startsWith('replay_') ? `tests/fuzz/corpus/${name.slice(7)}.txt` : `tests/native/${name}.cpp`;
/** Rooms whose sources no native test reads, or all of them. */
const untested = /^cpp\/(modules|bits)\//;

test('each row of cpp.js has sources and tests', () => {
  for (const [start, ...tests] of cpp.rows) {
    expect([start, cppFiles.some((path) => path.startsWith(start))]).toEqual([start, true]);
    expect([start, tests.filter((name) => !existsSync(join(root, fileOf(name))))]).toEqual([start, []]);
  }
  const sources = cppFiles.filter((path) => path.endsWith('.cpp') && !untested.test(path));
  expect(sources.filter((path) => cpp.testsOf(path).length === 0)).toEqual([]);
});

test.each([
  ['if (a < b && c) f(-1);', ['if (a <= b && c) f(-1);', 'if (a < b || c) f(-1);', 'if (a < b && c) f(-2);']],
  [
    'f<int, 2>(a + 0.5f, "1 < 2"); // 3 + 4',
    ['f<int, 3>(a + 0.5f, "1 < 2"); // 3 + 4', 'f<int, 2>(a - 0.5f, "1 < 2"); // 3 + 4'],
  ],
  ['#if A > 1\nbool b = true;\n', ['#if A > 1\nbool b = false;\n']],
  ['x += y * z;', ['x -= y * z;', 'x += y + z;']],
])('the mistakes of C++ in %j', (source, mistakes) => {
  expect(cppEditsOf(source).map((edit) => apply(source, edit))).toEqual(mistakes);
});

test.each([
  ['if (a < b) c();', ['if (!(a < b)) c();', 'if (a <= b) c();', 'if (a >= b) c();', 'if (a < b) ;']],
  ['x = a ?? (b || c);', [';', 'x = a;', 'x = a ?? (b && c);']],
  ['const x = !a + 7n;', ['const x = (a) + 7n;', 'const x = !a - 7n;', 'const x = !a + 8n;']],
  ['i++; typeError(`most ${n + 1}`);', ['; typeError(`most ${n + 1}`);', 'i--; typeError(`most ${n + 1}`);', 'i++; ;']],
  ['while (true) { break; }', ['while (false) { break; }', 'while (true) { ; }']],
  ["'use strict'; const n = 'a' + b, m = -c;", ["'use strict'; const n = 'a' + b, m = (c);"]],
])('the mistakes of %s', (source, mistakes) => {
  expect(editsOf(source).map((edit) => apply(source, edit))).toEqual(mistakes);
});

test('the list of survivors names sources that are there, with reasons', () => {
  for (const [name, reason] of survivors) {
    const [file, from] = [name.split(': ')[0], name.slice(name.indexOf(': ') + 2).split(' -> ')[0]];
    expect(readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' ')).toContain(from);
    expect(reason.length).toBeGreaterThan(10);
  }
});
