/** The list of cpp.js fits the code, and the generated mistakes are those that the syntax allows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as cpp from './cpp.js';
import { apply, editsOf } from './generate.js';
import { survivors } from './survivors.js';

const root = join(import.meta.dirname, '../..');

test('each snippet of cpp.js stands in its file once, and changes it', () => {
  const wrong = [];
  for (const [file, list] of Object.entries(cpp.mutants)) {
    const source = readFileSync(join(root, file), 'utf8');
    if (!cpp.tests[file]?.length) wrong.push(`${file}: no tests`);
    for (const [from, to] of list)
      if (from === to || source.split(from).length !== 2) wrong.push(`${file}: ${JSON.stringify(from)}`);
  }
  expect(wrong).toEqual([]);
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
