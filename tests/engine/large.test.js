/** Tensors far larger than the scratch area's pieces, of every width, and of extents that divide nothing. */
import { test, describe, beforeAll, expect } from '@jest/globals';
import { init, splitToSequence, transpose } from 'onnx-layout';
import { elementCount, splitData, transposeData, transposedDims, types } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { chooseSample } from '../support/sample.js';
import { expectSequence, expectTensor } from '../support/assertions.js';
import { lists } from '../support/tables.js';

beforeAll(() => init());

function check(type, dims, perm, offset = 0, Memory = ArrayBuffer) {
  const size = elementCount(dims);
  const data = randomData(type, size, size, offset, Memory);
  const expected = transposeData(type, data, dims, perm);
  const outDims = transposedDims(dims, perm);
  const what = `${type} [${dims}] perm [${perm}]`;
  expectTensor(transpose({ type, data, dims }, { perm, strict: false }), type, outDims, expected, what);
  const out = { type, data: randomData(type, size, 1, offset, Memory), dims: outDims };
  expectTensor(
    transpose({ type, data, dims }, { perm, out, strict: false }),
    type,
    outDims,
    expected,
    `${what} into out`,
  );
}

// Dims of about 2^24 bytes (2^23 for the packed types), per width.
const cases = {
  uint2: lists('[4099, 8193], [61, 67, 65, 127], [2161, 1281, 11]'),
  int4: lists('[4099, 4097], [61, 67, 65, 63], [1081, 1281, 11]'),
  float6e3m2: lists('[2731, 4097], [61, 67, 43, 63], [1081, 853, 11]'),
  uint8: lists('[4099, 4097], [61, 67, 65, 63], [2161, 2561, 3]'),
  float16: lists('[2053, 4097], [61, 67, 33, 63], [1081, 2561, 3]'),
  float32: lists('[2053, 2051], [61, 33, 33, 63], [1081, 961, 4]'),
  float64: lists('[1031, 2051], [31, 33, 33, 63], [541, 1283, 3]'),
  complex128: lists('[1031, 1027], [31, 17, 33, 61], [541, 643, 3]'),
};

test('every width of a type is here', () => {
  const all = Object.values(types).map(({ bits }) => bits);
  expect(Object.keys(cases).map((type) => types[type].bits)).toEqual(
    [...new Set(all)].filter(Boolean).sort((a, b) => a - b),
  );
});

// The oracle takes seconds a case, so a commit tests one of the widths.
describe.each(chooseSample(Object.entries(cases), 8))('%s', (type, [plane, reversed, image]) => {
  const step = types[type].array.BYTES_PER_ELEMENT;
  test('2-D', () => check(type, plane, [1, 0], step));
  test('4-D reversed', () => check(type, reversed, [3, 2, 1, 0]));
  test('channels last to first', () => check(type, image, [2, 0, 1], 0, SharedArrayBuffer));
  test('channels first to last', () => check(type, [image[2], image[0], image[1]], [1, 2, 0]));
  test('rows in another order', () => check(type, reversed, [1, 0, 2, 3], step));
  test('one long axis', () => check(type, [5, elementCount(plane) >> 3], [1, 0]));
  test('one long axis, the other way', () => check(type, [elementCount(plane) >> 3, 7], [1, 0]));
  test('planes of long rows', () => check(type, [3, 5, elementCount(plane) >> 5, 1], [1, 3, 0, 2]));
});

test('strips that end along either of two axes', () => check('uint8', [60, 20, 1000], [2, 1, 0]));
test('slabs that begin within a byte', () => check('int4', [3, 7, 80001], [0, 2, 1]));

test.each(chooseSample(Object.keys(cases), 4))('SplitToSequence of %s', (type) => {
  const [rows, columns] = cases[type][0];
  const data = randomData(type, rows * columns, 9);
  for (const [axis, sizes] of [
    [0, [1, 2, rows - 3]],
    [1, [columns - 1003, 1, 0, 1002]],
  ]) {
    const pieces = splitData(type, data, [rows, columns], axis, sizes).map((piece, i) => [
      axis === 0 ? [sizes[i], columns] : [rows, sizes[i]],
      piece,
    ]);
    const result = splitToSequence({ type, data, dims: [rows, columns] }, sizes, { axis, strict: false });
    expectSequence(result, type, pieces, `${type} axis ${axis}`);
  }
});
