/**
 * Calls leave no memory behind, nor do calls that are refused. Measured in a process of its own, where the test can
 * collect garbage. The commit's hash chooses a sixteenth of the functions. `npm run leaks` makes ten times as many
 * calls of each.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { commitHash } from '../support/sample.js';

const calls = 100_000;
let results;
let kept;

beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'leaks.process.js'), calls, commitHash()],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  ({ results, kept } = JSON.parse(stdout));
});

test('less than a byte a call, in JavaScript and outside', () => {
  expect(results.length).toBeGreaterThanOrEqual(4);
  for (const row of results) expect([calls, calls / 50]).toContain(row.calls);
  // Where there are few calls, the code that the engine compiles counts: up to 170 bytes a call were measured. A pass
  // that keeps its result leaves thousands.
  const limit = (/** @type {any} */ row) => (row.calls < calls ? 512 : 1);
  expect(results.filter((row) => row.bytesPerCall >= limit(row) || row.externalPerCall >= 1)).toEqual([]);
});

test('the wasm memory stays as it is', () =>
  expect(
    results.filter(({ wasmBefore, wasmAfter }) => wasmBefore !== results[0].wasmBefore || wasmAfter !== wasmBefore),
  ).toEqual([]));

test('the views that are kept for the next call are bounded, whatever the shapes', () => {
  expect(kept.length).toBe(10);
  expect(Math.max(...kept)).toBeLessThan(8e6);
});
