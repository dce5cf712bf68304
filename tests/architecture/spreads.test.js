/** The rule of spreads.js: which lists may become arguments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import { expect, test } from '@jest/globals';
import { root, run } from '../support/packed.js';
import { spreadsRule } from './spreads.js';

const config = { plugins: { house: { rules: { spreads: spreadsRule } } }, rules: { 'house/spreads': 'error' } };
const columnsOf = (code) => new Linter().verify(code, config).map(({ column }) => column);

test.each([
  'const all = (...list) => Math.max(...list);',
  'f(...[1, 2], ...(a ? [1] : [2, 3]));',
  'const pair = [a, b]; const twice = pair.map((x) => 2 * x); Math.max(...twice);',
  'const list = [...many]; g([...many], { ...many });',
])('short, or no arguments: %s', (code) => expect(columnsOf(code)).toEqual([]));

test.each([
  ['list.push(...many);', 11],
  ['const all = (list) => Math.max(0, ...list);', 35],
  ['let pair = [1, 2]; f(...pair);', 22],
  ['const long = [...many]; f(...long);', 27],
  ['f(...many.map(g), ...[...many]);', 3, 19],
  ['new F(...h());', 7],
  ['const [...rest] = many; f(...rest);', 27],
])('of any length: %s', (code, ...columns) => expect(columnsOf(code)).toEqual(columns));

test('exceptions say why, and are five', () => {
  const found = run('git', ['ls-files', 'js', 'web']).trimEnd().split('\n');
  const comments = found
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/eslint-disable.*architecture\/spreads.*/g) ?? []);
  expect(comments.filter((text) => !/^eslint-disable-next-line architecture\/spreads -- \w+/.test(text))).toEqual([]);
  expect(comments).toHaveLength(5);
});
