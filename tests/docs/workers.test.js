/** The page and the worker of the guide's batches, in threads of Node. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { example } from '../support/examples.js';
import { root, run } from '../support/packed.js';

test('batches in workers are those of one thread, and moved', () => {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/workers-'));
  try {
    for (const name of ['batches.js', 'batch-worker.js']) writeFileSync(join(folder, name), example(`// ${name}`));
    const printed = run(process.execPath, [join(root, 'tests/docs/page-threads.js'), 'batches.js'], folder);
    const rule = 'images[1] data must be a Uint8Array or Uint8ClampedArray, got undefined';
    expect(printed).toBe(`4 threads, 3 batches, then TypeError: imageProcessorAsync: ${rule}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
