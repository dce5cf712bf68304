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

test('bundles keep the notice of protobuf', () => {
  for (const file of ['cli.js', 'cli-worker.js', 'preprocess-worker.js', 'onnx-layout.min.js'])
    expect(readFileSync(join(root, 'dist', file), 'utf8')).toMatch(
      /^(#!.*\n)?\/\/ Holds parts of @bufbuild\/protobuf .*\n\/\/ Copyright 2008 Google Inc\./,
    );
});
