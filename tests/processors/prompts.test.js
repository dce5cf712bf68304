/** Points, labels and boxes of segmenters, scaled and filled up, against transformers' own. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageProcessor, init } from 'onnx-layout/processors';
import { goldenJson } from '../support/goldens.js';

beforeAll(() => init());

const cases = goldenJson('prompts/index.json').filter(({ kind }) => kind === 'prompts');
const names = ['input_points', 'input_labels', 'input_boxes', 'input_boxes_labels'];

/** A black picture of these sides. */
const black = ([height, width]) => ({ data: new Uint8Array(3 * width * height), width, height });

const run = ({ config, images, inputs, options }) =>
  imageProcessor(config)(images.map(black), { ...inputs, ...options });

describe.each([...new Set(cases.map(({ class: name }) => name))])('%s', (name) => {
  const own = cases.filter((golden) => golden.class === name);
  test.each(own.map((golden) => [golden.id, golden]))('%s', (_, golden) => {
    if (golden.error) {
      expect(() => run(golden)).toThrow(/^imageProcessor: input_/);
      return;
    }
    const outputs = run(golden);
    const made = names
      .filter((key) => outputs[key])
      .map((key) => {
        const { type, dims, data } = outputs[key];
        return [key, { dtype: type, dims: [...dims], values: Array.from(data, Number) }];
      });
    expect(Object.fromEntries(made)).toEqual(golden.outputs);
    expect(outputs.pixel_values.dims[0]).toBe(golden.images.length);
  });
});

test('labels without a number are float64, as of NumPy', () => {
  const { input_labels: labels } = imageProcessor(sam)(black([4, 4]), { input_labels: [[]] });
  expect([labels.type, labels.dims]).toEqual(['float64', [1, 1, 0]]);
});

test('prompts have no effect on a class that takes none', () => {
  const processor = imageProcessor({ image_processor_type: 'ViTImageProcessor' });
  expect(Object.keys(processor(black([4, 4]), { input_points: [[[1, 2]]] }))).toEqual(['pixel_values']);
});

const sam = { image_processor_type: 'SamImageProcessor' };
test.each([
  [sam, { input_points: 5 }, TypeError, 'input_points must be nested lists, got 5'],
  [sam, { input_points: [[['a', 1]]] }, TypeError, "input_points must hold numbers, got 'a'"],
  [sam, { input_points: [1, 2] }, RangeError, 'input_points must be nested at least 2 deep, got 1'],
  [sam, { input_labels: [[0.5]] }, RangeError, 'input_labels must hold whole numbers, got 0.5'],
  [sam, { input_boxes: [[[1, 2, 3]]] }, RangeError, 'input_boxes must hold four numbers a box, got 3'],
])('%j %j', (config, options, Class, message) => {
  expect(() => imageProcessor(config)(black([4, 4]), options)).toThrow(new Class(`imageProcessor: ${message}`));
});
