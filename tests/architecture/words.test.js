/** The words of words.js are found, and stand nowhere in C++, in documents and in names of files. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Linter } from 'eslint';
import { expect, test } from '@jest/globals';
import { root, run } from '../support/packed.js';
import { british, faultOfName, faultOfProse, wordsRule } from './words.js';

test.each([
  ['colourOf', 'write American English instead of colour'],
  ['toGrey', 'write American English instead of Grey'],
  ['QUANTISED', 'write American English instead of QUANTISE'],
  ['isOpen', 'write isUnknown instead of isOpen'],
  ['grayOf', undefined],
  ['whatever', undefined],
])('the name %s', (name, fault) => expect(faultOfName(name)).toBe(fault));

test.each([
  ['*\n * What becomes what.\n ', "write plain English instead of 'What becomes what.'"],
  [' Made once: What is left is\n // copied.', "write plain English instead of ': What is left is copied.'"],
  [' The rules of the house stand here.', "write plain English instead of 'the house'"],
  [' Pixels of\n one colour.', 'write American English instead of colour'],
  [' Say what is wrong. Say: what is it? What is a tensor?', undefined],
  [' The types of one quantization.', undefined],
])('the comment %j', (text, fault) => expect(faultOfProse(text)).toBe(fault));

test('the linter names the places', () => {
  const config = { plugins: { house: { rules: { words: wordsRule } } }, rules: { 'house/words': 'error' } };
  const code = "const text = 'grey';\n// What becomes what.\nconst gray = 1;\ntext.colours(gray);\n";
  expect(new Linter().verify(code, config).map(({ line, column, message }) => [line, column, message])).toEqual([
    [2, 1, "write plain English instead of 'What becomes what.'"],
    [4, 6, 'write American English instead of colour'],
  ]);
});

const tracked = run('git', ['ls-files']).trimEnd().split('\n');
const comment = /(?:^[ \t]*\/\/.*\n)+|\/\*[^]*?\*\//gm;

/** @returns {string[]} the faults of a source of C++ */
function faultsOfCpp(text) {
  const names = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[^]*?\*\//g, ' ').match(/[A-Za-z_]\w*/g) ?? [];
  const comments = text.match(comment) ?? [];
  return [...names.map(faultOfName), ...comments.map(faultOfProse)].filter((fault) => fault !== undefined);
}

test('in C++', () => {
  expect(faultsOfCpp('// What a.\n// b\nint grey = "grey"; /* of\n one colour */')).toEqual([
    'write American English instead of grey',
    "write plain English instead of 'What a.'",
    'write American English instead of colour',
  ]);
  const sources = tracked.filter((path) => /\.(cpp|h|def)$/.test(path));
  const faults = sources.flatMap((path) =>
    faultsOfCpp(readFileSync(join(root, path), 'utf8')).map((fault) => [path, fault]),
  );
  expect(faults).toEqual([]);
});

test('in documents', () => {
  const documents = tracked.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const words = new RegExp(`${british.source}|\\bthe house\\b|\\bdoor plates?\\b`, 'i');
  const faults = documents.flatMap((path) => [path, words.exec(readFileSync(join(root, path), 'utf8'))?.[0]]);
  expect(faults).toEqual(documents.flatMap((path) => [path, undefined]));
});

test('in names of files', () => {
  const isData = (path) => /^tests\/(goldens|image\/sources\/pictures)\//.test(path);
  const faults = tracked.filter((path) => !isData(path)).map((path) => faultOfName(basename(path)));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
