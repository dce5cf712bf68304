/** Every example in a docblock, and every program in the README and the site, does what it says. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as core from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import * as conversions from 'onnx-layout/convert';
import * as pictures from 'onnx-layout/image';
import * as files from 'onnx-layout/io';
import * as node from 'onnx-layout/node';
import * as postprocess from 'onnx-layout/postprocess';
import * as processors from 'onnx-layout/processors';
import * as transformers from 'onnx-layout/transformers';
import { example, programs } from '../support/examples.js';
import { root } from '../support/packed.js';
import { chooseSample } from '../support/sample.js';
import { publicEntries } from './docblocks.js';
import { exampleFolder, exampleScope } from './example-scope.js';
import { programFolder } from './program-folder.js';
import { runExample, runProgram } from './run-example.js';

const entries = publicEntries();
const isCall = ({ kind, signature }) => kind === 'function' || signature.startsWith('new ');

test('the docblocks of all that is exported are found', () => {
  const found = (door) => new Set(entries.filter((entry) => entry.door === door).map(({ name }) => name));
  expect([...found('onnx-layout')].sort()).toEqual(Object.keys(core).sort());
  expect([...found('onnx-layout/image')].sort()).toEqual(Object.keys(pictures).sort());
  expect([...found('onnx-layout/io')].sort()).toEqual(Object.keys(files).sort());
  expect([...found('onnx-layout/convert')].sort()).toEqual(Object.keys(conversions).sort());
  expect([...found('onnx-layout/audio')].sort()).toEqual(Object.keys(audio).sort());
  expect([...found('onnx-layout/node')].sort()).toEqual(Object.keys(node).sort());
  expect([...found('onnx-layout/postprocess')].sort()).toEqual(Object.keys(postprocess).sort());
  expect([...found('onnx-layout/processors')].sort()).toEqual(Object.keys(processors).sort());
  expect([...found('onnx-layout/transformers')]).toEqual(Object.keys(transformers));
});

test.each(entries.map((entry) => [entry.signature, entry]))(
  '%s has prose, and all of its parts are described',
  (_, entry) => {
    const { text: prose, params, examples, name } = entry;
    if (!entry.signature.startsWith('new ')) expect(prose).not.toBe('');
    expect(params.filter(({ type }) => type === '')).toEqual([]);
    expect([name, examples.length]).toEqual([name, isCall(entry) ? 1 : Math.min(examples.length, 1)]);
  },
);

const examples = entries.flatMap((entry) => entry.examples.map((program) => [entry.signature, program, entry.door]));
describe('in a folder of its own', () => {
  const home = process.cwd();
  const folder = exampleFolder();
  beforeAll(() => process.chdir(folder));
  afterAll(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });

  test.each(examples)('the example of %s', async (signature, program, door) => {
    const checks = await runExample(program, exampleScope(door));
    if (program.includes('; // ')) expect(checks).toBeGreaterThan(0);
  });
});

describe('the README and the site', () => {
  const scripts = join(root, 'tests/io/scripts');
  /**
   * Tested elsewhere: package/readme, browser/browser, browser/processors, io/scripts, engines/transformers,
   * workers.test of this room. `ocr.mjs` imports text-reader.mjs.
   */
  const elsewhere = [
    ...[
      '// page.js',
      '// worker.js',
      '// batches.js',
      '// batch-worker.js',
      '// text-reader.mjs',
      '// service-worker.js',
      '// main.js',
      '// app/api/transpose/route.js',
      '// The frames of a video element',
      '// Some frames of encoded chunks',
      '// A model between',
      '// A model of',
      '// Boxes of a model',
      '// The encoder of a model',
      '// Detects objects',
      '// Both results of one call',
      '// Pipelines with',
      '// A processor of',
    ],
  ];
  const tested = [
    example(),
    ...elsewhere.map(example),
    ...readdirSync(scripts).map((name) => readFileSync(join(scripts, name), 'utf8')),
  ];
  const rest = programs
    .filter(({ program }, i) => !tested.includes(program) && programs.findIndex((one) => one.program === program) === i)
    .map(({ path, program }) => [path, program]);
  let folder;
  beforeAll(async () => {
    folder = await programFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('every program imports what it uses', () =>
    expect(rest.filter(([, program]) => !/^import /m.test(program))).toEqual([]));

  // Each is a process of its own. The commit's hash chooses a half.
  test.each(chooseSample(rest, 2))('%s prints something: %s', (_, program) =>
    expect(runProgram(program, folder)).not.toBe(''),
  );

  test.each(readdirSync(scripts))('%s stands in the documents as it is', (name) =>
    expect(programs.map(({ program }) => program)).toContain(readFileSync(join(scripts, name), 'utf8')),
  );
});

describe('a stated value', () => {
  test.each([
    ['1 + 1; // 2'],
    ["'a'.repeat(2); // 'aa'"],
    ['Uint8Array.of(1, 255); // Uint8Array [1, 0xff]'],
    ['Uint8Array.of(1, 255); // [1, 255]'],
    ['const a = 1; // a comment\n[a,\n  2]; // [1, 2]'],
  ])('%s', async (program) => expect(await runExample(program, {})).toBe(1));

  test.each([
    ['another number', '1 + 1; // 3'],
    ['another class of array', 'Int8Array.of(1); // Uint8Array [1]'],
    ['a missing entry', 'Uint8Array.of(1, 2); // [1]'],
  ])('is compared: %s', (_, program) => expect(runExample(program, {})).rejects.toThrow('deep-equal'));
});
