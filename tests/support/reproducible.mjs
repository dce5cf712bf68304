/**
 * Builds the last commit in two clean clones, and compares their image.wasm, which has all code of layout.wasm: `node
 * tests/support/reproducible.mjs`. With `--once` it builds in one clone, and compares with the module in dist/, which
 * must come from the same sources. Shows the SHA-256, and ends with a line `1 passed, 0 failed`.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './packed.js';
import { buildWasm } from './wasm-build.js';

process.chdir(root);

const digest = (/** @type {string} */ file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The digest of the module that a clean clone builds. */
function digestOfClone() {
  // Each clone has a path of another length, because paths must leave no trace in the module.
  const folder = mkdtempSync(join(tmpdir(), `clone${'-'.repeat(clones++)}`));
  try {
    run('git', ['clone', '--quiet', '.', join(folder, 'tree')]);
    buildWasm(join(folder, 'tree'), join(folder, 'tree/build/wasm'));
    return digest(join(folder, 'tree/build/wasm/image.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let clones = 0;
const first = digestOfClone();
const second = process.argv.includes('--once') ? digest('dist/image.wasm') : digestOfClone();
console.log(first === second ? `image.wasm: SHA-256 ${first}` : `image.wasm differs: SHA-256 ${first} and ${second}`);
console.log(first === second ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = first === second ? 0 : 1;
