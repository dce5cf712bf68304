/** Where a hash differs, samples of the golden say which values do. */
import { expect, test } from '@jest/globals';
import { compareHash, describeDifference, hashOf, samplesOf } from './golden-samples.js';
import { goldenJson } from './goldens.js';

const numbers = Float32Array.from({ length: 100 }, (_, i) => i / 4);

test.each([
  [
    'a sampled value',
    [60],
    '1 of 20 parts differ, first in [60] to [64]; 1 of 7 samples differ, first [60] is -1 instead of 15',
  ],
  ['a value between samples', [99], '1 of 20 parts differ, first in [95] to [99]; 0 of 7 samples differ'],
  [
    'the first values',
    [0, 1, 15, 16],
    '2 of 20 parts differ, first in [0] to [4]; 2 of 7 samples differ, first [0] is -1 instead of 0',
  ],
])('%s', (_, places, text) => {
  const changed = numbers.map((value, i) => (places.includes(i) ? -1 : value));
  expect(describeDifference(changed, samplesOf(numbers))).toBe(text);
});

test('another type, another length, and no samples', () => {
  expect(describeDifference(Float64Array.from(numbers), samplesOf(numbers))).toBe(
    'the golden has another length or type',
  );
  expect(describeDifference(new Float32Array(0), samplesOf(numbers))).toBe('the golden has another length or type');
  const unknown = '0'.repeat(64);
  expect(compareHash(numbers, unknown)).toEqual({ sha256: hashOf(numbers), differs: 'no samples are stored' });
});

test('the samples of the resized pictures are stored', () => {
  const stored = new Set(Object.keys(goldenJson('samples.json')));
  const goldens = goldenJson('images/index.json').filter((/** @type {any} */ { kind }) => kind === 'resize');
  const hashes = goldens.map((/** @type {any} */ { output }) => output.sha256.slice(0, 12));
  expect(hashes.filter((/** @type {string} */ hash) => !stored.has(hash))).toEqual([]);
});
