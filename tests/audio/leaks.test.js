/** Calls of audio leave no memory behind, nor do streams that nobody ends. Measured in a process of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('the memory after 1,000 calls is the memory before', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'leaks.process.js')],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  const { results, grown, size } = JSON.parse(stdout);
  expect([results.length, grown]).toEqual([13, 0]);
  expect(size).toBeLessThanOrEqual(6 * 2 ** 20);
  // The samples of a call have 6,400 bytes, and its tables as many. The engine's own code takes up to 100 bytes a call.
  expect(results.filter(({ bytesPerCall }) => bytesPerCall >= 512)).toEqual([]);
});
