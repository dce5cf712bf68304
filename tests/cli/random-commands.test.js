/** A sample of `node tests/fuzz/commands.mjs`: random command lines, which the commit's hash chooses. */
import { expect, test } from '@jest/globals';
import { fillFolder, tryLines } from '../fuzz/command-lines.js';
import { commitHash } from '../support/sample.js';
import { inFolder } from './streams.js';

const folder = inFolder();

test('random command lines end with a documented status, say why in plain words, and leave no file', async () => {
  await fillFolder(folder);
  /** @type {string[]} */
  const faults = [];
  const seed = Number.parseInt(commitHash().slice(0, 8), 16);
  await tryLines(
    seed,
    (count) => count < 150,
    ({ args }, fault) => faults.push(`${JSON.stringify(args)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});
