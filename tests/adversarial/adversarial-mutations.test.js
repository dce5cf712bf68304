/** A sample of mutated files of every format; `node tests/fuzz/files.mjs` tries as many as one likes. */
import { expect, test } from '@jest/globals';
import { tryFiles } from '../fuzz/mutate-files.js';

test('mutated files give a result or one of our errors, in a second each', async () => {
  const { tried, read, faults } = await tryFiles(400, 7);
  expect(faults).toEqual([]);
  expect([tried, read > 100 && read < tried]).toEqual([1600, true]);
});
