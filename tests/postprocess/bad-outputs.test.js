/**
 * Every method of every class with outputs that are broken in one place: each is refused by the name of what is wrong,
 * or answered, and the module works on.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { applyAlpha, decodeYolo, init, maskToPolygons, postProcessor, textDetection } from 'onnx-layout/postprocess';
import { refuses } from '../support/assertions.js';
import { chooseSample } from '../support/sample.js';
import { readCases } from './goldens.js';
import { make } from './recipes.js';

/** Elements of a case's outputs that are few enough to be computed a hundred times. */
const mostElements = 200_000;

const product = (dims) => dims.reduce((a, b) => a * b, 1);
const elementsOf = (recipes) =>
  Object.values(recipes)
    .flat()
    .reduce((sum, { dims }) => sum + product(dims), 0);
/** Outputs that are options of the call, which goldens.test.js hands over. */
const optionOutputs = ['flipped', 'flipped_heatmaps', 'backgrounds', 'original_images'];

const cases = readCases('processors.json').filter(
  ({ outputs, options }) =>
    Object.keys(outputs).length > 0 &&
    elementsOf(outputs) < mostElements &&
    !options.character_list &&
    !optionOutputs.some((name) => name in outputs),
);
const first = [...new Map(cases.map((one) => [`${one.class}.${one.method}`, one]).reverse()).values()];

/** An output with another extent along one axis, filled up by zeros. */
function withExtent({ type, dims, data }, axis, extent) {
  const other = dims.map((old, i) => (i === axis ? extent : old));
  const values = new data.constructor(product(other));
  values.set(data.subarray(0, values.length));
  return new Tensor(type, values, other);
}

/** Wrong stand-ins for a tensor, all of which are refused. */
const strangers = ({ type, dims, data }) => ({
  text: 'x',
  'an object': {},
  'a tensor on the GPU': { type, dims, location: 'gpu-buffer' },
  strings: new Tensor('string', Array.from(data, String), dims),
  'one axis more': new Tensor(type, data, [1, ...dims]),
  'one axis less': new Tensor(type, data, [data.length]),
});

/** Numbers that are strange, which Python computes with. */
const strange = ({ type, dims, data }) =>
  type === 'float32'
    ? [NaN, Infinity, -Infinity, 3e38].flatMap((value) => [
        new Tensor(
          type,
          data.map(() => value),
          dims,
        ),
        new Tensor(
          type,
          data.map((old, i) => (i % 3 === 0 ? value : old)),
          dims,
        ),
      ])
    : [];

beforeAll(() => init());

describe.each(chooseSample(first, 3).map((one) => [`${one.class}.${one.method}`, one]))('%s', (name, one) => {
  const outputs = Object.fromEntries(Object.entries(one.outputs).map(([key, recipe]) => [key, make(recipe)]));
  const call = (given, options = one.options) =>
    postProcessor(one.config, { className: one.class })[one.method](given, options);
  const tensors = Object.entries(outputs).filter(([, value]) => value.dims);
  const messageOf = (act) => {
    try {
      act();
      return undefined;
    } catch (error) {
      const isRefusal = error instanceof TypeError || error instanceof RangeError;
      return isRefusal ? error.message : `not refused: ${error}`;
    }
  };

  test('refuses other things in the place of a tensor, by its name', () => {
    for (const [key, tensor] of tensors) {
      const isRead = messageOf(() => call({ ...outputs, [key]: 5 })) !== undefined;
      // SAM 3's boxes come without its masks.
      if (!isRead) expect([name, key]).toEqual(['Sam3ImageProcessor.post_process_object_detection', 'pred_masks']);
      else
        for (const [what, value] of Object.entries(strangers(tensor))) {
          if (what === 'one axis less' && tensor.dims.length === 1) continue;
          const message = messageOf(() => call({ ...outputs, [key]: value }));
          expect([what, message?.startsWith(`${name}: ${key} `)]).toEqual([what, true]);
        }
    }
  });

  test('refuses or answers other extents and strange numbers, and works on', () => {
    const before = JSON.stringify(call(outputs));
    for (const [key, tensor] of tensors) {
      const others = tensor.dims.flatMap((extent, axis) => [
        withExtent(tensor, axis, extent + 1),
        withExtent(tensor, axis, 0),
      ]);
      for (const value of [...others, ...strange(tensor)]) {
        const message = messageOf(() => call({ ...outputs, [key]: value })) ?? `${name}: fine`;
        expect([message, message.startsWith(`${name}: `)]).toEqual([message, true]);
      }
    }
    expect(JSON.stringify(call(outputs))).toBe(before);
  });

  test('refuses one entry too few in lists of sizes', () => {
    for (const [key, list] of Object.entries(one.options)) {
      if (!/^(target|original|reshaped_input|source)_sizes$/.test(key) || !Array.isArray(list)) continue;
      const rule = `${key} must have ${list.length} entries, one a picture, got ${list.length - 1}`;
      expect(() => call(outputs, { ...one.options, [key]: list.slice(1) })).toThrow(new RangeError(`${name}: ${rule}`));
    }
  });
});

test('no family of methods is left out', () => {
  expect(first.length).toBeGreaterThan(60);
});

describe('settings', () => {
  const prob = () => new Tensor('float32', new Float32Array(16), [4, 4]);
  const sam = (options, masks = []) =>
    postProcessor({}, { className: 'SamImageProcessor' }).post_process_masks({ masks }, options);
  refuses('textDetection', {
    'RangeError: unclip_ratio must be at most 1000, got 1e+300': () => textDetection(prob(), { unclip_ratio: 1e300 }),
    'RangeError: unclip_ratio must be a number, got NaN': () => textDetection(prob(), { unclip_ratio: NaN }),
  });
  const output0 = () => new Tensor('float32', new Float32Array(7 * 9), [1, 7, 9]);
  refuses('decodeYolo', {
    'TypeError: classes must be an array, got 5': () => decodeYolo(output0(), { size: [64, 64], classes: 5 }),
    'TypeError: kpt_shape must be an array, got 17': () => decodeYolo(output0(), { size: [64, 64], kpt_shape: 17 }),
  });
  refuses('maskToPolygons', {
    'TypeError: mask must be a tensor { type, dims, data }, got 5': () => maskToPolygons(5),
    "TypeError: mask must be on the CPU, got 'texture': await its getData()": () =>
      maskToPolygons({ type: 'bool', dims: [1, 1], location: 'texture' }),
  });
  const bytes = () => new Tensor('uint8', new Uint8Array(12), [2, 2, 3]);
  refuses('applyAlpha', {
    'TypeError: image must be a tensor { type, dims, data }, got an object': () => applyAlpha({}, bytes()),
    "TypeError: mask must be on the CPU, got 'gpu-buffer': await its getData()": () =>
      applyAlpha(bytes(), { type: 'float32', dims: [2, 2], location: 'gpu-buffer' }),
  });
  refuses('SamImageProcessor.post_process_masks', {
    "TypeError: pad_size must be { height, width }, got 'x'": () =>
      sam({ original_sizes: [], reshaped_input_sizes: [], pad_size: 'x' }),
    'RangeError: masks must have 0 to 1000000 entries, got 4294967295': () =>
      sam({ original_sizes: [], reshaped_input_sizes: [] }, new Array(2 ** 32 - 1)),
  });
  refuses('PPOCRV5ServerRecImageProcessor.post_process_text_recognition', {
    'TypeError: character_list must be given': () =>
      postProcessor({}, { className: 'PPOCRV5ServerRecImageProcessor' }).post_process_text_recognition({
        last_hidden_state: new Tensor('float32', new Float32Array(4), [1, 2, 2]),
      }),
  });
});
