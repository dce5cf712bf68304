/** The words of words.js are found, alone and by the linter. */
import { Linter } from 'eslint';
import { expect, test } from '@jest/globals';
import { faultOfName, faultOfProse, wordsRule } from './words.js';

test.each([
  ['colourOf', 'write American English instead of colour'],
  ['toGrey', 'write American English instead of Grey'],
  ['QUANTISED', 'write American English instead of QUANTISE'],
  ['grayOf', undefined],
  ['whatever', undefined],
])('the name %s', (name, fault) => {
  expect(faultOfName(name)).toBe(fault);
});

test.each([
  ['*\n * What becomes what.\n ', "write plain English instead of 'What becomes what.'"],
  [' Made once: What is left is\n // copied.', "write plain English instead of ': What is left is copied.'"],
  [' The rules of the house stand here.', "write plain English instead of 'the house'"],
  [' Pixels of\n one colour.', 'write American English instead of colour'],
  [' Say what is wrong. Say: what is it? What is a tensor?', undefined],
  [' The types of one quantization.', undefined],
])('the comment %j', (text, fault) => {
  expect(faultOfProse(text)).toBe(fault);
});

test('the linter names the places', () => {
  const config = { plugins: { house: { rules: { words: wordsRule } } }, rules: { 'house/words': 'error' } };
  const code = "const text = 'grey';\n// What becomes what.\nconst gray = 1;\ntext.colours(gray);\n";
  expect(new Linter().verify(code, config).map(({ line, column, message }) => [line, column, message])).toEqual([
    [2, 1, "write plain English instead of 'What becomes what.'"],
    [4, 6, 'write American English instead of colour'],
  ]);
});
