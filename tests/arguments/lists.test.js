/** Lists: what counts as one, and the bound that is compared before an entry is read. */
import { expect, test } from '@jest/globals';
import { copyList, readEntries } from '../../js/arguments/index.js';
import { expectError } from '../support/assertions.js';

const endless = new Array(2 ** 32 - 1);

test('a list is copied', () => {
  const list = [1, 'a', null];
  expect(readEntries('sizes', list)).toEqual(list);
  expect(readEntries('sizes', list)).not.toBe(list);
  expect(readEntries('sizes', Int32Array.of(1, 2))).toEqual([1, 2]);
  expect(readEntries('sizes', [1, 2], 2)).toEqual([1, 2]);
});

test('a list that says it has 2^32 - 1 entries is refused before one is read', () => {
  expectError(() => readEntries('sizes', endless), RangeError, 'sizes must have 0 to 1000000 entries, got 4294967295');
  expectError(() => copyList('sizes', endless, 9), RangeError, 'sizes must have 0 to 9 entries, got 4294967295');
  expectError(() => readEntries('sizes', [1, 2], 1), RangeError, 'sizes must have 0 to 1 entries, got 2');
});

test('what is no list is refused by its kind', () => {
  expectError(() => readEntries('sizes', { length: 2 }), TypeError, 'sizes must be an array, got an object');
  expectError(() => readEntries('sizes', '12'), TypeError, "sizes must be an array, got '12'");
  expectError(() => readEntries('sizes', new Float32Array(2)), TypeError, 'sizes must be an array, got Float32Array');
});
