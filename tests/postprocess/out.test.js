/** Maps that go to `out`: equal bytes, in the caller's memory; whole messages before anything is written. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import * as answers from 'onnx-layout/postprocess';
import { answerTo } from './golden-calls.js';
import { readCases } from './goldens.js';

const { applyAlpha, init, interpolate, labelMapToImage, postProcessor, sigmoid, softmax } = answers;

beforeAll(() => init());

const emptied = ({ type, dims, data }) => new Tensor(type, new data.constructor(data.length), dims);
const floats = (values, dims = [values.length]) => Tensor.from('float32', values, dims);

/** The methods with maps, and the keys of these in an answer; none where each answer is a map. */
const maps = {
  post_process_semantic_segmentation: [],
  post_process_masks: [],
  post_process_instance_segmentation: ['segmentation'],
  post_process_panoptic_segmentation: ['segmentation'],
  post_process_depth_estimation: ['predicted_depth'],
  post_process_normal_estimation: ['normals'],
  post_process_pointmap_estimation: ['pointmap'],
  post_process_document_rectification: ['images'],
};

const others = ['return_segmentation_scores', 'return_coco_annotation', 'return_binary_maps'];
const cases = readCases('processors.json').filter(
  ({ method, options, expect: wanted }) =>
    maps[method]?.every((key) => key in wanted[0]) && !others.some((name) => options[name]),
);

describe('methods', () => {
  const classes = new Map(cases.map((one) => [`${one.class}.${one.method}`, one]));

  test.each([...classes])('%s', (_, one) => {
    const first = answerTo['processors.json'](one);
    const keys = maps[one.method];
    const out = first.map((map) =>
      keys.length === 0 ? emptied(map) : Object.fromEntries(keys.map((key) => [key, emptied(map[key])])),
    );
    const again = answerTo['processors.json']({ ...one, options: { ...one.options, out } });
    expect(again).toEqual(first);
    const memory = (list) => list.flatMap((map) => (keys.length === 0 ? [map.data] : keys.map((key) => map[key].data)));
    expect(memory(again).every((data, i) => data === memory(out)[i])).toBe(true);
  });

  test.each([
    [[1, 3], [3]],
    [[3, 1], [3]],
    [[1, 1], []],
  ])('a depth of %j is squeezed, and so is its memory', (size, dims) => {
    const { post_process_depth_estimation: method } = postProcessor({ image_processor_type: 'DPTImageProcessor' });
    const call = (out) => method({ predicted_depth: floats([1, 2, 3, 4], [1, 2, 2]) }, { target_sizes: [size], out });
    const [{ predicted_depth: first }] = call();
    expect(first.dims).toEqual(dims);
    const to = emptied(first);
    const [{ predicted_depth: again }] = call([{ predicted_depth: to }]);
    expect(again).toEqual(first);
    expect(again.data).toBe(to.data);
    const wide = floats(new Float32Array(size[0] * size[1]), size);
    const rule = `out[0].predicted_depth dims must be [${dims.join(', ')}], got [${size.join(', ')}]`;
    expect(() => call([{ predicted_depth: wide }])).toThrow(
      new RangeError(`DPTImageProcessor.post_process_depth_estimation: ${rule}`),
    );
  });

  test('all methods with maps are there', () => {
    expect([...new Set(cases.map(({ method }) => method))].sort()).toEqual(Object.keys(maps).sort());
  });
});

const logits = floats([1, 2, 3, 0], [2, 2, 1, 1]);
const label = () => Tensor.from('int32', [7], [1, 1]);
const segment = (out) => {
  const { post_process_semantic_segmentation: method } = postProcessor({ image_processor_type: 'BeitImageProcessor' });
  return method({ logits }, { out });
};
const name = 'BeitImageProcessor.post_process_semantic_segmentation:';

test.each([
  [label(), TypeError, 'out must be an array, got an object'],
  [[label()], RangeError, 'out must have 2 entries, one a picture, got 1'],
  [[label(), undefined], TypeError, 'out[1] must be a tensor { type, dims, data }, got undefined'],
  [[label(), floats([1], [1, 1])], TypeError, 'out[1] type must be int32, got float32'],
  [[label(), Tensor.from('int32', [1])], RangeError, 'out[1] dims must be [1, 1], got [1]'],
  [
    [label(), { type: 'int32', dims: [1, 1], data: new Int32Array(2) }],
    RangeError,
    'int32 data of dims [1, 1] has 1 entries, got 2',
  ],
  [
    [label(), { type: 'int32', dims: [1, 1], data: new Int32Array(logits.data.buffer, 4, 1) }],
    RangeError,
    'out[1] must not overlap logits',
  ],
])('out %# is refused, and nothing is written', (out, Class, message) => {
  expect(() => segment(out)).toThrow(new Class(`${name} ${message}`));
  expect([out].flat()[0].toArray()).toEqual([7]);
  expect(logits.toArray()).toEqual([1, 2, 3, 0]);
});

test('two of out share no memory, and answers without maps take none', () => {
  const one = label();
  expect(() => segment([one, one])).toThrow(new RangeError(`${name} out[1] must not overlap out[0]`));
  const detr = postProcessor({ image_processor_type: 'DetrImageProcessor' });
  const outputs = { logits: floats([1, 2], [1, 1, 2]), pred_boxes: floats([1, 2, 3, 4], [1, 1, 4]) };
  expect(() => detr.post_process_object_detection(outputs, { out: [one] })).toThrow(
    new RangeError(
      'DetrImageProcessor.post_process_object_detection: out must be omitted where the result has no maps',
    ),
  );
});

const pixels = Tensor.from('uint8', [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4]);
const labels = Tensor.from('int32', [0, 1], [1, 2]);
const palette = [
  [1, 2, 3],
  [4, 5, 6],
];

test.each([
  ['softmax', [floats([1, 2, 3])], {}],
  ['sigmoid', [floats([1, 2, 3])], {}],
  ['interpolate', [floats([1, 2, 3, 4], [1, 1, 2, 2])], { size: [3, 5], mode: 'bicubic' }],
  ['labelMapToImage', [labels, palette], {}],
  ['applyAlpha', [pixels, floats([0.5, 1], [1, 2])], {}],
])('%s writes to out', (function_, inputs, options) => {
  const wanted = answers[function_](...inputs, options);
  const out = emptied(wanted);
  const result = answers[function_](...inputs, { ...options, out });
  expect(result).toEqual(wanted);
  expect(result.data).toBe(out.data);
  const wrong = Tensor.from('int64', [1n]);
  expect(() => answers[function_](...inputs, { ...options, out: wrong })).toThrow(
    new TypeError(`${function_}: out type must be ${wanted.type}, got int64`),
  );
});

test('out of one map may be the input', () => {
  const x = floats([0, 0]);
  expect(softmax(x, { out: x }).toArray()).toEqual([0.5, 0.5]);
  expect(sigmoid(x, { out: x }).data).toBe(x.data);
  const image = Tensor.from('uint8', [1, 2, 3, 4], [1, 1, 4]);
  expect(applyAlpha(image, floats([0.5], [1, 1]), { out: image }).toArray()).toEqual([1, 2, 3, 128]);
  const same = floats([1, 2], [1, 1, 1, 2]);
  expect(interpolate(same, { size: [1, 2], out: same }).toArray()).toEqual([1, 2]);
  expect(() => labelMapToImage(labels, palette, { to: same })).toThrow(
    new TypeError("labelMapToImage: unknown option 'to'. Known: out"),
  );
});

test('a picture so narrow that a mask loses its pixels has the corners of the box', () => {
  const one = readCases('processors.json').find(({ class: name }) => name === 'PPDocLayoutV3ImageProcessor');
  const options = { ...one.options, target_sizes: one.options.target_sizes.map(([height]) => [height, 5]) };
  const polygons = answerTo['processors.json']({ ...one, options }).flatMap(({ polygon_points: list }) => list);
  expect(polygons.length).toBeGreaterThan(0);
  for (const { dims } of polygons) expect([dims[0] >= 4, dims[1]]).toEqual([true, 2]);
});
