/** `toOrt`: shared where types agree, cast where a session asks, refused where onnxruntime has no such tensor. */
import { beforeAll, expect, test } from '@jest/globals';
import * as ort from 'onnxruntime-common';
import { cast, dtypes, init, Tensor, toOrt } from 'onnx-layout';
import { expectError } from '../support/assertions.js';
import { randomData } from '../support/samples.js';

const foreign = Object.keys(dtypes).filter((name) => /^(bfloat16|float[468]e|u?int2$|complex)/.test(name));
const taken = Object.keys(dtypes).filter((name) => !foreign.includes(name));
const x = Tensor.from('float32', [0.5, 1, -2.5], [1, 3]);
const session = (...inputs) => ({
  inputNames: inputs.map(([name]) => name),
  inputMetadata: inputs.map(([name, type]) => ({ name, isTensor: true, type, shape: [] })),
});

beforeAll(() => init());

test.each(taken)('%s is shared', (type) => {
  const data = type === 'string' ? ['a', 'b', 'c', 'd'] : randomData(type, 4, 1);
  const tensor = new Tensor(type, data, [2, 2]);
  const made = toOrt(ort, tensor);
  expect(made).toBeInstanceOf(ort.Tensor);
  expect([made.type, made.dims]).toEqual([type, [2, 2]]);
  expect(made.data).toBe(data);
  expect(made.dims).not.toBe(tensor.dims);
});

test.each(foreign)('%s is refused', (type) => {
  const tensor = new Tensor(type, randomData(type, 4, 1), [2, 2]);
  const rule = `type must be one that ort.Tensor has, got ${type}: cast gives others`;
  expectError(() => toOrt(ort, tensor), TypeError, `toOrt: outputs ${rule}`);
  expectError(() => toOrt(ort, { x }, session(['x', type])), TypeError, `toOrt: outputs x ${rule}`);
});

test.each(taken.filter((type) => type !== 'string'))('is cast to %s where a session asks for it', (type) => {
  const made = toOrt(ort, x, session(['x', type]));
  expect([made.type, made.data]).toEqual([type, type === 'float32' ? x.data : cast(x, type).data]);
});

test('bfloat16 becomes what a session asks for', () =>
  expect(toOrt(ort, cast(x, 'bfloat16'), session(['x', 'float16'])).data).toEqual(cast(x, 'float16').data));

test('outputs become the feeds of a session, or all tensors', () => {
  const outputs = { x, mask: Tensor.from('int32', [1, 0], [2]), more: [x] };
  const feeds = toOrt(ort, outputs, session(['mask', 'bool'], ['x', 'float32'], ['other', 'float32']));
  expect(Object.keys(feeds)).toEqual(['x', 'mask']);
  expect([feeds.mask.type, feeds.mask.data, feeds.x.data]).toEqual(['bool', Uint8Array.of(1, 0), x.data]);
  expect(Object.keys(toOrt(ort, { x, y: x }))).toEqual(['x', 'y']);
  expect(toOrt(ort, { x }, { inputNames: ['x'] }).x.data).toBe(x.data);
});

test('without the names of inputs, lists and plain values stay beside the tensors', () => {
  const outputs = { x, rows: [[3]], sizes: null, many: [x, 'a'], count: 2 };
  const { many, ...others } = toOrt(ort, outputs);
  expect(others).toEqual({ ...outputs, x: expect.any(ort.Tensor), many: undefined });
  expect([many[0].data, many[1]]).toEqual([x.data, 'a']);
});

test('types alone cast outputs, and leave none out', () => {
  const mask = Tensor.from('int64', [1n, 0n], [2]);
  const { inputMetadata } = session(['mask', 'bool'], ['x', 'float16']);
  const made = toOrt(ort, { x: [x], mask, other: mask, rows: [1] }, { inputMetadata });
  expect([made.mask.type, made.x[0].type, made.other.type, made.rows]).toEqual(['bool', 'float16', 'int64', [1]]);
});

test('features and masks of a sound become whole numbers of the width that a session asks', () => {
  const outputs = { mask: Tensor.from('int32', [1, 0], [1, 2]), long: Tensor.from('int64', [2n ** 60n]), x };
  const feeds = toOrt(ort, outputs, session(['mask', 'int64'], ['long', 'uint64'], ['x', 'int64']));
  expect(Object.values(feeds).map(({ data }) => data)).toEqual([
    BigInt64Array.of(1n, 0n),
    BigUint64Array.of(2n ** 60n),
    BigInt64Array.of(0n, 1n, -2n),
  ]);
});

test.each([
  [[{}, x], TypeError, 'ort must have the class Tensor, got an object'],
  [[{ Tensor: () => 5 }, x], TypeError, 'ort must have the class Tensor, got an object'],
  [[undefined, x], TypeError, 'ort must have the class Tensor, got undefined'],
  [[ort, 5], TypeError, 'outputs must be a tensor, or tensors by their names, got 5'],
  [
    [ort, x, session(['a', 'float32'], ['b', 'float32'])],
    RangeError,
    "outputs must be tensors by the names of the session's inputs, ['a', 'b'], got a tensor",
  ],
  [[ort, { x }, session(['y', 'float32'])], RangeError, "outputs must have an input of the session, ['y']"],
  [[ort, {}], RangeError, 'outputs must have a tensor, got none'],
  [[ort, { x: [x] }, { inputNames: ['x'] }], RangeError, 'outputs x must be one tensor, got a list: pass padding'],
  [[ort, { x }, {}], TypeError, 'session.inputNames must be an array, got undefined'],
  [
    [ort, { x }, session(['x', 'float7'])],
    TypeError,
    "the session must ask for a type of ONNX, got 'float7' for outputs x",
  ],
  [
    [ort, { x }, session(['x', 'string'])],
    TypeError,
    'outputs x type must be string, as the session asks, got float32',
  ],
  [[ort, { x }, { inputNames: 'x' }], TypeError, "session.inputNames must be an array, got 'x'"],
  [
    [ort, { x }, { inputNames: ['x'], inputMetadata: new Array(2 ** 32 - 1) }],
    RangeError,
    'session.inputMetadata must have 0 to 1000000 entries, got 4294967295',
  ],
  [
    [ort, { x: new Tensor('string', ['1'], [1]) }, session(['x', 'int64'])],
    TypeError,
    'outputs x type must be int64, as the session asks, got string',
  ],
])('is refused #%#', (args, Class, message) => expectError(() => toOrt(...args), Class, `toOrt: ${message}`));
