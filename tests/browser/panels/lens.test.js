/** Axes and lengths of the lens panel, without a DOM. */
import { expect, test } from '@jest/globals';
import { indexOf, moved, permFor, readLengths, readNumbers } from '../../../web/lens/layout.js';
import { lists } from '../../support/tables.js';

test('elements, axes and what is written of them', () => {
  expect(Array.from({ length: 6 }, (_, i) => indexOf(i, [2, 3]))).toEqual(
    lists('[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]'),
  );
  expect([moved([0, 1, 2], 0, 2), moved([0, 1, 2], 2, 0), moved([0, 1, 2], 1, 1)]).toEqual(
    lists('[1, 2, 0], [2, 0, 1], [0, 1, 2]'),
  );
  expect([permFor([1, 0], 2), permFor([1, 0], 3), permFor([0, 0], 2), permFor([0, 2], 2)]).toEqual(
    lists('[1, 0], [2, 1, 0], [1, 0], [1, 0]'),
  );
  expect(
    ['', ' 2, -1', '[2 3]', '2', '1.5', 'x', '9223372036854775808'].map((written) => readNumbers(written)),
  ).toEqual([[], [2, -1], [2, 3], [2], [1.5], [NaN], [2n ** 63n]]);
  expect(['', '3', '[3]', '3,', '1, 2'].map((written) => readNumbers(written, true))).toEqual([
    undefined,
    3,
    [3],
    [3],
    [1, 2],
  ]);
});

test('lengths are read by their names', () =>
  expect(['', ' h=2', 'h=2, w=-3', 'h', 'h=x'].map((written) => readLengths(written))).toEqual([
    {},
    { h: 2 },
    { h: 2, w: -3 },
    { h: NaN },
    { h: NaN },
  ]));
