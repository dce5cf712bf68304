/** Calls: inputs, options, whole messages, empty tensors, results' memory. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import * as answers from 'onnx-layout/postprocess';

const { argmax, boxConvert, boxIou, classify, decodeRle, encodeRle, init, interpolate, nms, softmax, topk } = answers;

const numbers = (values, dims = [values.length]) => Tensor.from('float32', values, dims);
const box = numbers([0, 0, 2, 2], [1, 4]);

test('init refuses what is no module', async () => {
  await expect(init({ wasm: 7 })).rejects.toThrow(
    new TypeError('init: wasm must be a WebAssembly.Module, bytes or a URL, got 7'),
  );
});

describe('after init,', () => {
  beforeAll(() => init());

  test.each([
    ['an array', () => softmax([1]), TypeError, 'softmax: input must be a tensor { type, dims, data }, got Array'],
    [
      'another type',
      () => softmax(Tensor.from('int32', [1])),
      TypeError,
      'softmax: input type must be float32 or float16, got int32',
    ],
    [
      'a tensor on the GPU',
      () => nms({ type: 'float32', dims: [1, 4], location: 'gpu-buffer' }, numbers([1]), 0.5),
      TypeError,
      "nms: boxes must be on the CPU, got 'gpu-buffer': await its getData()",
    ],
    [
      'other dims',
      () => nms(numbers([1, 2, 3]), numbers([1]), 0.5),
      RangeError,
      'nms: boxes must have dims [n, 4], got [3]',
    ],
    [
      'too few scores',
      () => nms(numbers([1, 2, 3, 4, 5, 6, 7, 8], [2, 4]), numbers([1]), 0.5),
      RangeError,
      'nms: scores must have dims [2], got [1]',
    ],
    ['no threshold', () => nms(box, numbers([1])), TypeError, 'nms: iou_threshold must be a number, got undefined'],
    ['a NaN threshold', () => nms(box, numbers([1]), NaN), RangeError, 'nms: iou_threshold must be a number, got NaN'],
    [
      'classes that are floats',
      () => answers.batchedNms(box, numbers([1]), numbers([1]), 0.5),
      TypeError,
      'batchedNms: idxs type must be int32 or int64, got float32',
    ],
    [
      'another format',
      () => boxConvert(box, 'xyxy', 'yxyx'),
      RangeError,
      "boxConvert: out_fmt must be 'xyxy', 'xywh' or 'cxcywh', got 'yxyx'",
    ],
    ['no format', () => boxConvert(box, 'xyxy'), TypeError, 'boxConvert: out_fmt must be a string, got undefined'],
    [
      'no boxes',
      () => boxConvert(numbers([1, 2], [1, 2]), 'xyxy', 'xywh'),
      RangeError,
      'boxConvert: boxes must have dims [..., 4], got [1, 2]',
    ],
    [
      'a size of three',
      () => answers.clipBoxesToImage(box, [1, 2, 3]),
      RangeError,
      'clipBoxesToImage: size must have 2 entries, got 3',
    ],
    [
      'a size that is no list',
      () => answers.clipBoxesToImage(box, 3),
      TypeError,
      'clipBoxesToImage: size must be an array, got 3',
    ],
    [
      'no min_size',
      () => answers.removeSmallBoxes(box),
      TypeError,
      'removeSmallBoxes: min_size must be a number, got undefined',
    ],
    [
      'masks of another type',
      () => answers.masksToBoxes(Tensor.from('int64', [1n], [1, 1, 1])),
      TypeError,
      'masksToBoxes: masks type must be bool, uint8, int32 or float32, got int64',
    ],
    [
      'k above the extent',
      () => topk(numbers([1]), 2),
      RangeError,
      "topk: k must be at most the last axis' extent 1, got 2",
    ],
    ['a fraction of k', () => topk(numbers([1]), 0.5), RangeError, 'topk: k must be a whole number from 0 on, got 0.5'],
    [
      'an unknown option',
      () => topk(numbers([1]), 1, { sort: false }),
      TypeError,
      "topk: unknown option 'sort', did you mean 'sorted'? Known: sorted",
    ],
    ['an axis too far', () => argmax(numbers([1]), 1), RangeError, 'argmax: dim must be in [-1, 0], got 1'],
    ['no elements', () => argmax(numbers([], [0])), RangeError, 'argmax: input must have elements, got dims [0]'],
    [
      'a size of no pixels',
      () => interpolate(numbers([1], [1, 1, 1, 1]), { size: [0, 1] }),
      RangeError,
      'interpolate: size must hold whole numbers from 1 to 32768, got [0, 1]',
    ],
    [
      'corners of nearest',
      () => interpolate(numbers([1], [1, 1, 1, 1]), { size: [1, 1], align_corners: true }),
      RangeError,
      "interpolate: align_corners must be omitted with mode 'nearest', got true",
    ],
    [
      'nothing to resize',
      () => interpolate(numbers([], [1, 0, 1, 1]), { size: [1, 1] }),
      RangeError,
      'interpolate: input must have elements, got dims [1, 0, 1, 1]',
    ],
    [
      'work beyond the memory',
      () => interpolate(numbers([1, 2], [1, 2, 1, 1]), { size: [32768, 32768] }),
      RangeError,
      /^interpolate: outputs must fit in the module's 2 GiB, got work of \d+ bytes$/,
    ],
    [
      'logits of rank 3',
      () => classify(numbers([1], [1, 1, 1])),
      RangeError,
      'classify: logits must have dims [classes] or [batch, classes], got [1, 1, 1]',
    ],
    [
      'labels that are no object',
      () => classify(numbers([1]), { id2label: 1 }),
      TypeError,
      'classify: id2label must be an object or an array, got 1',
    ],
    ['no run lengths', () => decodeRle(null), TypeError, 'decodeRle: rle must be an object, got null'],
    [
      'counts that are no list',
      () => decodeRle({ size: [1, 1], counts: 1 }),
      TypeError,
      'decodeRle: counts must be an array or a string, got 1',
    ],
    [
      'counts too long',
      () => decodeRle({ size: [1, 1], counts: [2] }),
      RangeError,
      'decodeRle: counts must sum to 1, got 2',
    ],
    [
      'a negative count',
      () => decodeRle({ size: [1, 1], counts: [2, -1] }),
      RangeError,
      'decodeRle: counts must sum to 1, got 1',
    ],
    [
      'a string with other characters',
      () => decodeRle({ size: [1, 1], counts: '1\u0000' }),
      RangeError,
      "decodeRle: counts must be COCO's string, got '1\u0000'",
    ],
    [
      'a string that ends early',
      () => decodeRle({ size: [1, 1], counts: 'P' }),
      RangeError,
      "decodeRle: counts must be COCO's string, got 'P'",
    ],
  ])('%s is refused', (_, call, Class, message) => {
    expect(call).toThrow(Class);
    expect(call).toThrow(message instanceof RegExp ? message : new Class(message));
  });

  test('float16 is widened, subnormal numbers, infinities and NaN too', () => {
    const codes = Uint16Array.of(0x3c00, 0x0001, 0x8001, 0x03ff, 0xfc00, 0x7c00, 0x7bff, 0x8000);
    const { values } = topk({ type: 'float16', dims: [8], data: codes }, 8);
    expect(values.toArray()).toEqual([Infinity, 65504, 1, 2 ** -24 * 1023, 2 ** -24, -0, -(2 ** -24), -Infinity]);
    expect(argmax({ type: 'float16', dims: [2], data: Uint16Array.of(0x7c00, 0x7e00) }).data[0]).toBe(1);
  });

  test('NaN counts as extreme, and softmax of it is NaN', () => {
    const x = numbers([1, NaN, 3]);
    expect([argmax(x), answers.argmin(x)].map(({ data }) => data[0])).toEqual([1, 1]);
    expect(topk(x, 2).indices.toArray()).toEqual([1, 2]);
    expect(softmax(x).toArray()).toEqual([NaN, NaN, NaN]);
  });

  test('empty tensors give empty results', () => {
    const none = numbers([], [0, 4]);
    expect([nms(none, numbers([], [0]), 0.5).dims, boxIou(none, box).dims]).toEqual([[0], [0, 1]]);
    expect([softmax(numbers([], [2, 0])).dims, topk(numbers([], [2, 0]), 0).values.dims]).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  test('scalars are rows of one', () => {
    expect(softmax(numbers([3], [])).data[0]).toBe(1);
    expect(topk(numbers([3], []), 1).values.dims).toEqual([]);
    expect(argmax(numbers([3], []), 0).dims).toEqual([]);
  });

  test('results have memory of their own, and a large call gives its memory back', () => {
    const { data } = interpolate(numbers([1, 2], [1, 1, 1, 2]), { size: [4096, 4096], mode: 'bilinear' });
    expect([data.buffer.byteLength, data[0], data.at(-1)]).toEqual([2 ** 26, 1, 2]);
    expect(softmax(numbers([1, 1])).toArray()).toEqual([0.5, 0.5]);
  });

  test('concurrent and later calls of init do nothing', async () => {
    await Promise.all([init(), init()]);
    expect(softmax(numbers([1])).toArray()).toEqual([1]);
  });

  test('a classifier names its best classes', () => {
    const logits = numbers([0, 2, 1, 3, 3, 9], [2, 3]);
    const labels = { id2label: { 0: 'cat', 1: 'dog', 2: 'owl' }, top_k: 2, function_to_apply: 'none' };
    expect(classify(logits, labels)).toEqual([
      [
        { label: 'dog', score: 2 },
        { label: 'owl', score: 1 },
      ],
      [
        { label: 'owl', score: 9 },
        { label: 'cat', score: 3 },
      ],
    ]);
    expect(classify(numbers([0]))).toEqual([[{ label: 'LABEL_0', score: 0.5 }]]);
    expect(classify(numbers([0, 0]))[0].map(({ score }) => score)).toEqual([0.5, 0.5]);
  });

  test("run lengths of COCO's string", () => {
    // 0 at the start, a long run, differences of either sign.
    const counts = [0, 1, 70, 1, 3, 5, 40, 8];
    const sum = counts.reduce((all, one) => all + one, 0);
    const mask = decodeRle({ size: [sum, 1], counts });
    const { counts: text } = encodeRle(mask, { compress: true });
    expect(text).toBe('01V20mM4U13');
    expect(decodeRle({ size: [sum, 1], counts: text }).data).toEqual(mask.data);
    expect(encodeRle(mask).counts).toEqual(counts);
  });
});

describe('exotic values are refused in the words of the argument:', () => {
  const probs = Tensor.from('float32', [0.1, 0.9], [1, 1, 2]);
  const bytes = new Uint8Array(100_000);
  const detr = (outputs) =>
    answers.postProcessor({ image_processor_type: 'DetrImageProcessor' }).post_process_object_detection(outputs);
  test.each([
    [
      'more digits than numbers have',
      () => answers.ctcDecode(probs, { character_list: ['-', 'a'], round: 101 }),
      RangeError,
      'ctcDecode: round must be at most 100, got 101',
    ],
    [
      'a character that is a symbol',
      () => answers.ctcDecode(probs, { character_list: ['-', Symbol('s')] }),
      TypeError,
      'ctcDecode: character_list[1] must be a string, got Symbol(s)',
    ],
    [
      'a type that is no text',
      () => answers.convexHull({ type: [Symbol('s')], dims: [1, 2], data: new Int32Array(2) }),
      TypeError,
      /^convexHull: /,
    ],
    [
      'bytes in the place of options',
      () => answers.findContours(Tensor.from('float32', [1, 0], [1, 2]), bytes),
      TypeError,
      'findContours: options must be an object, got Uint8Array',
    ],
    [
      'bytes in the place of outputs, whose names are cut',
      () => detr(bytes),
      TypeError,
      `DetrImageProcessor.post_process_object_detection: outputs must have logits, got ${Object.keys([...bytes])
        .join(', ')
        .slice(0, 60)}…`,
    ],
  ])('%s', (_, call, Class, message) => {
    expect(call).toThrow(Class);
    expect(call).toThrow(message instanceof RegExp ? message : new Class(message));
  });
});
