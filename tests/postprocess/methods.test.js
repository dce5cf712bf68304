/** Each method of each class of transformers is here, or says why not (`tests/goldens/postprocess`). */
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
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

test('SLANeXt names every word of a table as Python does', () => {
  const words = '<thead> </thead> <tbody> </tbody> <tr> </tr> <td > </td>'.split(' ');
  const spans = ['colspan', 'rowspan'].flatMap((name) =>
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((count) => ` ${name}="${count}"`),
  );
  const count = 50;
  // Step i is word i + 1, and the last word ends the table.
  const data = new Float32Array((count - 1) * count);
  for (let i = 0; i < count - 1; i++) data[i * count + i + 1] = 1;
  const last_hidden_state = new Tensor('float32', data, [1, count - 1, count]);
  const processor = postProcessor({}, { className: 'SLANeXtImageProcessor' });
  expect(processor.post_process_table_recognition({ last_hidden_state })).toEqual({
    structure: ['<html>', '<body>', '<table>', ...words, ...spans, '<td></td>', '</table>', '</body>', '</html>'],
    structure_score: 1,
  });
});

test('a depth that is resized has no sides of 1, but in GLPN, as in Python', () => {
  const predicted_depth = { type: 'float32', dims: [1, 2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) };
  const dimsOf = (className, size) => {
    const { post_process_depth_estimation: method } = postProcessor({}, { className });
    return method({ predicted_depth }, size && { target_sizes: [size] })[0].predicted_depth.dims;
  };
  for (const name of ['DPT', 'CHMv2', 'PromptDepthAnything', 'DepthPro']) {
    const sizes = [[1, 4], [5, 1], [1, 1], [2, 2], undefined];
    const dims = sizes.map((size) => dimsOf(`${name}ImageProcessor`, size));
    expect([name, dims]).toEqual([name, [[4], [5], [], [2, 2], [2, 3]]]);
  }
  expect(dimsOf('GLPNImageProcessor', [1, 4])).toEqual([1, 4]);
});

/** Fields of view, widths, and the focal lengths that torch gives. */
test.each([
  [109.65596008300781, 317, 111.69355773925781],
  [86.36276245117188, 1817, 968.0844116210938],
  [169.66757202148438, 1714, 77.48363494873047],
])('DepthPro divides as torch does: %d degrees, %i pixels', (angle, width, focal) => {
  const { post_process_depth_estimation: method } = postProcessor({}, { className: 'DepthProImageProcessor' });
  const predicted_depth = { type: 'float32', dims: [1, 1, 1], data: Float32Array.of(1) };
  const field_of_view = { type: 'float32', dims: [1], data: Float32Array.of(angle) };
  const [{ focal_length }] = method({ predicted_depth, field_of_view }, { target_sizes: [[1, width]] });
  expect(focal_length.data[0]).toBe(focal);
});
