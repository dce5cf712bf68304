/** Each method of each class of transformers 5.23.0 is here, or says why not (`tests/goldens/postprocess`). */
import { beforeAll, expect, test } from '@jest/globals';
import { init, postProcessor } from 'onnx-layout/postprocess';
import { readCases } from './goldens.js';

const classes = readCases('methods.json');
const cases = readCases('processors.json');

const isText = (name) => Object.values(classes[name]).every((how) => how.startsWith('text'));
const names = Object.keys(classes);

/** Methods that are not here. */
const missing = {
  OwlViTProcessor: { post_process: 'raises in Python too: its image processor lacks what it calls' },
};

beforeAll(() => init());

test.each(names.filter(isText))('%s makes text, and is refused by name', (className) => {
  const message = `postProcessor: ${className} makes text of tokens, which is for its tokenizer`;
  expect(() => postProcessor({}, { className })).toThrow(new RangeError(message));
});

test.each(names.filter((name) => !isText(name)))('%s has the methods of Python', (className) => {
  const reasons = missing[className] ?? {};
  const known = Object.keys(classes[className]);
  if (known.every((method) => method in reasons)) {
    const [method] = known;
    const message = `postProcessor: ${className}.${method} ${reasons[method]}`;
    expect(() => postProcessor({}, { className })).toThrow(new RangeError(message));
    return;
  }
  const made = postProcessor({}, { className });
  expect(Object.keys(made).sort()).toEqual(['className', ...known].sort());
  for (const [method, reason] of Object.entries(reasons))
    expect(() => made[method]({})).toThrow(new RangeError(`${className}.${method}: ${reason}`));
});

test('no method has goldens there and none here', () => {
  const own = new Set(cases.map((one) => `${one.class}.${one.method}`));
  const lacking = names.flatMap((name) =>
    Object.entries(classes[name])
      .filter(([method, how]) => how === 'goldens' && !own.has(`${name}.${method}`) && !missing[name]?.[method])
      .map(([method]) => `${name}.${method}`),
  );
  expect(lacking).toEqual([]);
});
