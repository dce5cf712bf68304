/**
 * Workflows run pinned actions, because some publish with an identity; `.ci/run` has all its steps; licences keep their
 * names and notices.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from '@jest/globals';
import { root } from '../support/packed.js';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

test.each(workflows)('%s names actions by a commit, with the version beside it', (_, text) => {
  const uses = text.match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('what has to pass before a merge', () => {
  const steps = readFileSync(join(root, '.ci/run'), 'utf8').match(/^step .*/gm);
  expect(steps).toEqual([
    "step 'set-up' as_one_test node tests/support/run.mjs --build-only",
    "step 'tests' npm test",
    "step 'every engine, smoke suite' npm run test:engines -- --smoke",
    "step 'one version of transformers.js' npm run test:transformers -- --sample",
    "step 'one engine, whole suite' npm run test:engines -- --sample",
    "step 'an eighth of the suites, sanitized' npm run test:sanitize -- --sample",
    "step 'a third of the fuzzers, 5 s each' npm run fuzz -- --seconds 5 --sample",
    "step 'mistakes in one file' npm run mutants -- --quick",
    "step 'reproducible build' node tests/support/reproducible.mjs --once",
    "step 'demonstration' as_one_test npm start",
  ]);
});

test('the licence has no placeholder', () => {
  expect(readFileSync(join(root, 'LICENSE'), 'utf8')).not.toMatch(/\[yyyy\]|\[name of/);
});

const notice = 'Copyright 2008 Google Inc.  All rights reserved.';
// Words of a message of protobuf's modules, which minifying keeps.
const words = 'illegal tag: field no';
const pageFiles = ['onnx-layout.min.js', 'onnx-layout-audio.min.js', 'onnx-layout-postprocess.min.js'];

test('a minified bundle keeps the notices of protobuf, and none of dist holds protobuf without them', async () => {
  const options = { bundle: true, minify: true, format: /** @type {const} */ ('esm'), write: false };
  const stdin = { contents: "export { readModel } from './js/io/index.js';", resolveDir: root };
  const [{ text }] = (await build({ stdin, ...options })).outputFiles ?? [];
  expect([words, notice, 'Copyright 2021-2026 Buf Technologies, Inc.'].filter((part) => !text.includes(part))).toEqual(
    [],
  );
  for (const file of ['cli.js', 'cli-worker.js', 'preprocess-worker.js', ...pageFiles])
    expect([file, readFileSync(join(root, 'dist', file), 'utf8').includes(words)]).toEqual([file, false]);
});
