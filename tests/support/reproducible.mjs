/**
 * Builds the wasm module of the last commit in two clean clones, and compares it: `node tests/support/reproducible.mjs`. With `--once` in one clone, and
 * compares with the module in dist/, which the same sources must have made. Ends with a line `1 passed, 0 failed`, and shows the SHA-256.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './packed.js';
import { buildWasm } from './wasm-build.js';

process.chdir(root);

const digest = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The digest of what a clean clone makes. */
function digestOfClone() {
  // Another path each time, of another length.
  const folder = mkdtempSync(join(tmpdir(), `clone${'-'.repeat(clones++)}`));
  try {
    run('git', ['clone', '--quiet', '.', join(folder, 'tree')]);
    buildWasm(join(folder, 'tree'), join(folder, 'tree/build/wasm'));
    return digest(join(folder, 'tree/build/wasm/layout.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let clones = 0;
const first = digestOfClone();
const second = process.argv.includes('--once') ? digest('dist/layout.wasm') : digestOfClone();
console.log(first === second ? `layout.wasm: SHA-256 ${first}` : `layout.wasm differs: SHA-256 ${first} and ${second}`);
console.log(first === second ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exitCode = first === second ? 0 : 1;
