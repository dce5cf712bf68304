/** The samples that stand for the long runs: what a hash chooses, and that all hashes together leave nothing out. */
import { expect, test } from '@jest/globals';
import { chooseEveryNth, chooseSome, commitHash } from '../support/sample.js';

const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

test('the hash of the commit is SHA-1 in hexadecimal', () => expect(commitHash()).toMatch(/^[0-9a-f]{40}$/));

test('some of a list are neighbors, which the hash chooses', () => {
  expect(chooseSome(list, 3, '0')).toEqual(['a', 'b', 'c']);
  expect(chooseSome(list, 3, 'c')).toEqual(['a', 'f', 'g']);
  // 2^160 = 2 * 8^53, so that 2^160 - 1 is 1 more than a multiple of 7.
  expect(chooseSome(list, 2, 'f'.repeat(40))).toEqual(['b', 'c']);
  expect(chooseSome(list, 9, '5')).toEqual(list);
});

test('every n-th of a list begins where the hash says', () => {
  expect(chooseEveryNth(list, 3, '0')).toEqual(['a', 'd', 'g']);
  expect(chooseEveryNth(list, 3, '4')).toEqual(['b', 'e']);
  expect(chooseEveryNth(list, 3, '5')).toEqual(['c', 'f']);
  expect(chooseEveryNth(list, 1, 'ff')).toEqual(list);
});

test('the choices of all hashes together are the list, each entry as often as any other', () => {
  const hashes = Array.from({ length: 21 }, (_, i) => i.toString(16));
  const times = (chosen) => list.map((entry) => chosen.filter((other) => other === entry).length);
  expect(times(hashes.flatMap((hash) => chooseSome(list, 3, hash)))).toEqual(list.map(() => 9));
  expect(times(hashes.flatMap((hash) => chooseEveryNth(list, 3, hash)))).toEqual(list.map(() => 7));
});
