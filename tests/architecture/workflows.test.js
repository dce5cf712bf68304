/** Workflows run pinned actions, because some publish with an identity; licences keep their names and notices. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/packed.js';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

test.each(workflows)('%s names actions by a commit, with the version beside it', (_, text) => {
  const uses = text.match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the licence has no placeholder', () => {
  expect(readFileSync(join(root, 'LICENSE'), 'utf8')).not.toMatch(/\[yyyy\]|\[name of/);
});

test('the modules of protobuf keep their notice, and no bundle holds them without it', () => {
  const read = (/** @type {string} */ file) => readFileSync(join(root, 'dist', file), 'utf8');
  expect(read('protobuf/wire/varint.js')).toMatch(/^\/\/ Copyright 2008 Google Inc\./);
  // Words of a message of these modules, which minifying keeps.
  expect(read('protobuf/wire/binary-encoding.js')).toContain('illegal tag: field no');
  for (const file of ['cli.js', 'cli-worker.js', 'preprocess-worker.js', 'onnx-layout.min.js'])
    expect([file, read(file).includes('illegal tag: field no')]).toEqual([file, false]);
});
