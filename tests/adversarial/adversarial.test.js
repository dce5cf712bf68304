/**
 * Memory that changes between calls, and adversarial dims and lists: each public function gives its result or its
 * documented error, changes no input, and works in the next call.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as core from 'onnx-layout';
import { imageToTensor, init, tensorToImage } from 'onnx-layout/image';
import { packMatMulNBits } from 'onnx-layout/convert';
import { runModel, writeNpy, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';
import { badDims, changingViews, otherRealm, goodViews } from './adversarial.js';

const { Tensor, cast, concat, dynamicQuantizeLinear, expand, flatten, inferShape, pad, quantizeLinear } = core;
const { rearrange, reshape, slice, split, splitToSequence, squeeze, stack, tile, transpose, unsqueeze } = core;
const { unstack } = core;

beforeAll(() => init());

const values = [1, 2, 3, 4, 5, 6];
const tensor = (data = Float32Array.from(values), dims = [2, 3]) => ({ type: 'float32', data, dims });

/** A model of one node, whose output is its input. */
const model = {
  irVersion: 8,
  opsets: new Map([['', 25]]),
  name: '',
  initializers: new Map(),
  inputs: [{ name: 'x', type: 'float32', dims: null, sequence: false }],
  nodes: [{ name: '', operator: 'Identity', domain: '', inputs: ['x'], outputs: ['y'], attributes: new Map() }],
  outputs: [{ name: 'y', type: undefined, dims: null, sequence: false }],
};

const half = { type: 'float32', data: Float32Array.of(0.5), dims: [] };

/**
 * Every function that takes a tensor: the prefix of its messages, and a call with a float32 tensor of [2, 3]. No call
 * asks for two axes, because the length of data is checked last.
 */
const takers = {
  flatten: ['Flatten-25', (x) => flatten(x)],
  reshape: ['Reshape-25', (x) => reshape(x, [-1])],
  transpose: ['Transpose-25', (x) => transpose(x)],
  splitToSequence: ['SplitToSequence-24', (x) => splitToSequence(x, 1, { axis: 1 })],
  slice: ['Slice-13', (x) => slice(x, [0], [2], [-1])],
  concat: ['Concat-13', (x) => concat([x], { axis: 0 })],
  split: ['Split-18', (x) => split(x, null, { axis: 1, num_outputs: 3 })],
  pad: ['Pad-25', (x) => pad(x, [1, 1], null, [0])],
  squeeze: ['Squeeze-25', (x) => squeeze(x)],
  unsqueeze: ['Unsqueeze-25', (x) => unsqueeze(x, [0])],
  expand: ['Expand-13', (x) => expand(x, [1])],
  tile: ['Tile-13', (x) => tile(x, x.dims?.length === 3 ? [1, 1, 2] : [2, 2])],
  rearrange: ['rearrange', (x) => rearrange(x, 'a ... -> ... a')],
  stack: ['stack', (x) => stack([x])],
  unstack: ['unstack', (x) => unstack(x, { axis: 1 })],
  'cast in the engine': ['Cast-28', (x) => cast(x, 'float64')],
  'cast in the module': ['Cast-28', (x) => cast(x, 'float16')],
  'cast to text': ['Cast-28', (x) => cast(x, 'string')],
  quantizeLinear: ['QuantizeLinear-28', (x) => quantizeLinear(x, half)],
  dynamicQuantizeLinear: ['DynamicQuantizeLinear-11', (x) => dynamicQuantizeLinear(x)],
  packMatMulNBits: ['packMatMulNBits', (x) => packMatMulNBits(x)],
  tensorToImage: ['tensorToImage', (x) => tensorToImage(x)],
  Tensor: ['Tensor', ({ type, data, dims }) => new Tensor(type, data, dims)],
  writeNpy: ['writeNpy', (x) => writeNpy(x)],
  writeTensorProto: ['writeTensorProto', (x) => writeTensorProto(x)],
  writeSafetensors: ['writeSafetensors', (x) => writeSafetensors(new Map([['x', x]]))],
  runModel: ['runModel', (x) => runModel(model, { x })],
};

/** The entries of a result, whatever classes hold them. */
const plain = (result) =>
  JSON.stringify(result, (_, value) =>
    ArrayBuffer.isView(value) ? [...value] : value instanceof Map ? [...value] : value,
  );

describe.each(Object.entries(takers))('%s', (name, [prefix, call]) => {
  const expected = () => plain(call(tensor()));
  const wrongLength = (length) => `${prefix}: float32 data of dims [2, 3] has 6 entries, got ${length}`;

  test.each(Object.entries(goodViews))('takes data %s', (_, make) => {
    const data = make(Float32Array, 6);
    Float32Array.prototype.set.call(data, values);
    expect(plain(call(tensor(data)))).toBe(expected());
    expect(values.every((value, i) => data[i] === value)).toBe(true);
  });

  test('takes dims of another realm', () => {
    for (const dims of [otherRealm.Array.of(2, 3), otherRealm.Int32Array.of(2, 3), otherRealm.BigInt64Array.of(2n, 3n)])
      expect(plain(call(tensor(undefined, dims)))).toBe(expected());
  });

  test.each(changingViews)('refuses data that was %s between two calls', (_, make, change, left) => {
    const data = make(Float32Array, 6);
    call(tensor(data));
    change(data);
    expectError(() => call(tensor(data)), RangeError, wrongLength(left(6)));
    expect(plain(call(tensor()))).toBe(expected());
  });

  test.each([
    ...badDims,
    [TypeError, [2, '3'], "dims must hold whole numbers, got [2, '3']"],
    [TypeError, [2, null], 'dims must hold whole numbers, got [2, null]'],
    // Products beyond 32 and 53 bits, which would be 6 if they wrapped or rounded.
    [RangeError, [2 ** 16 + 1, 2 ** 16], 'float32 data of dims [65537, 65536] has 4295032832 entries, got 6'],
    [RangeError, [2 ** 31, 2, 3], 'float32 data of dims [2147483648, 2, 3] has 12884901888 entries, got 6'],
    [
      RangeError,
      [2 ** 27 + 1, 2 ** 27],
      'float32 data of dims [134217729, 134217728] has 18014398643699712 entries, got 6',
    ],
    [
      RangeError,
      [2 ** 52, 2 ** 52, 6],
      `float32 data of dims [4503599627370496, 4503599627370496, 6] has ${6n * 2n ** 104n} entries, got 6`,
    ],
  ])('%p for dims %#', (Class, dims, rule) => {
    expectError(() => call(tensor(undefined, dims)), Class, `${prefix}: ${rule}`);
  });

  test('reads -0 as 0', () => {
    const dims = [-0, 3];
    if (name === 'tensorToImage')
      return expectError(
        () => call(tensor(new Float32Array(0), dims)),
        RangeError,
        'tensorToImage: tensor must hold one image, got dims [0, 3] as HW',
      );
    if (name === 'splitToSequence')
      return expect(call(tensor(new Float32Array(0), dims)).map((piece) => Object.is(piece.dims[0], 0))).toEqual([
        true,
        true,
        true,
      ]);
    expect(plain(call(tensor(new Float32Array(0), dims)))).toBe(plain(call(tensor(new Float32Array(0), [0, 3]))));
  });
});

describe('lists', () => {
  const six = tensor();
  const lists = {
    perm: ['Transpose-25', (list) => transpose(six, { perm: list })],
    shape: ['Reshape-25', (list) => reshape(six, list)],
    starts: ['Slice-13', (list) => slice(six, list, [1])],
    steps: ['Slice-13', (list) => slice(six, [0], [1], [0], list)],
    pads: ['Pad-25', (list) => pad(six, list)],
    axes: ['Squeeze-25', (list) => squeeze(six, list)],
    repeats: ['Tile-13', (list) => tile(six, list)],
    inputs: ['Concat-13', (list) => concat(list, { axis: 0 })],
    tensors: ['stack', (list) => stack(list)],
    'out of unstack': ['unstack', (list) => unstack(six, { out: list }), 'out', 'hold 2 tensors'],
    'a list of pieces': ['Split-18', (list) => split(six, list), 'split'],
    split: ['SplitToSequence-24', (list) => splitToSequence(six, list)],
    image: ['imageToTensor', (list) => imageToTensor(list)],
    'input value': [
      'Reshape-25',
      (list) => inferShape('Reshape', { data: { type: 'float32', dims: list }, shape: { type: 'int64', dims: [1] } }),
      'dims',
    ],
    'shape value': [
      'Reshape-25',
      (list) => inferShape('Reshape', { data: six, shape: { type: 'int64', dims: [1], value: list } }),
      'shape',
    ],
  };
  test.each(Object.entries(lists))(
    '%s of 2^32 - 1 holes is refused at once',
    (name, [prefix, call, argument = name, rule = 'have 0 to 1000000 entries']) => {
      const start = performance.now();
      const message = `${prefix}: ${argument} must ${rule}, got 4294967295`;
      expectError(() => call(new Array(2 ** 32 - 1)), RangeError, message);
      expect(performance.now() - start).toBeLessThan(5000);
    },
  );

  test('that hold themselves, or one another many times over', () => {
    const self = [];
    self.push(self, 1);
    let wide = [1];
    for (let depth = 0; depth < 100; depth++) wide = new Array(8).fill(wide);
    const eight = (entry) => `[${new Array(8).fill(entry).join(', ')}]`;
    expectErrors(flatten, {
      'TypeError: Flatten-25: axis must be a number or a bigint, got [[Array, 1], 1]': [six, { axis: self }],
      [`TypeError: Flatten-25: axis must be a number or a bigint, got ${eight(eight('Array'))}`]: [six, { axis: wide }],
      'TypeError: Transpose-25: perm must hold whole numbers, got [[Array, 1]]': () => transpose(six, { perm: [self] }),
      'TypeError: Transpose-25: dims must hold whole numbers, got [[Array, 1], 1]': () =>
        transpose(tensor(undefined, self)),
      'TypeError: Tensor.from: uint8 value 0 must be a number or a bigint, got [[Array, 1], 1]': () =>
        Tensor.from('uint8', self),
    });
  });

  test('a text in a message is cut', () => {
    const long = 'x'.repeat(1e6);
    const known = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';
    const message = `Tensor: unknown type '${'x'.repeat(60)}…'. ${known}`;
    expectError(() => new Tensor(long, [], []), TypeError, message);
    const rule = `Reshape-25: shape must be a list of whole numbers or an int64 tensor, got 1${'0'.repeat(59)}…`;
    expectError(() => reshape(six, 10n ** 5000n), TypeError, rule);
  });

  test('of ten million pieces', () => {
    const bytes = new Uint8Array(1e7);
    const large = { type: 'uint8', data: bytes, dims: [1e7] };
    for (const split of [undefined, null, 1, 1n, 9]) {
      const pieces = Math.ceil(1e7 / Number(split ?? 1));
      const message = `SplitToSequence-24: split must give at most 1000000 pieces, got ${pieces}`;
      expectError(() => splitToSequence(large, split), RangeError, message);
    }
    expectErrors({
      'RangeError: SplitToSequence-24: split must have 0 to 1000000 entries, got 10000000': [
        () => splitToSequence(large, new Array(1e7).fill(1)),
        () => splitToSequence(large, new BigInt64Array(1e7)),
        () => splitToSequence(large, { type: 'int32', data: new Int32Array(1e7), dims: [1e7] }),
      ],
    });
  });

  test('a shape has at most 64 entries', () => {
    const one = { type: 'uint8', data: Uint8Array.of(7), dims: [1] };
    expect(reshape(one, new Array(64).fill(1)).dims.length).toBe(64);
    expectErrors({
      'RangeError: Reshape-25: shape must have at most 64 entries, got 65': () => reshape(one, new Array(65).fill(1)),
    });
  });
});

test('empty tensors beside enormous extents', () => {
  const [most, many] = [Number.MAX_SAFE_INTEGER, new Array(21).fill(Number.MAX_SAFE_INTEGER)];
  for (const dims of [
    [0, ...many],
    [...many, 0],
    [most, 0, ...many],
  ])
    for (const [type, data] of [
      ['uint8', new Uint8Array(0)],
      ['string', []],
      ['int4', new Uint8Array(0)],
    ]) {
      const x = { type, data, dims };
      const zeros = dims.map(() => 0);
      expectTensor(slice(x, zeros, dims, null, null, { strict: false }), type, dims, data);
      expectTensor(tile(x, zeros, { strict: false }), type, zeros, data);
      expectTensor(expand(x, [1], { strict: false }), type, dims, data);
      expectTensor(pad(x, [...zeros, ...zeros]), type, dims, data);
      expectTensor(unsqueeze(x, [0]), type, [1, ...dims], data);
      expectTensor(concat([x, x], { axis: dims.indexOf(0), strict: false }), type, dims, data);
      expectTensor(transpose(x), type, dims.toReversed(), data);
      expectTensor(cast(x, 'uint8'), 'uint8', dims, new Uint8Array(0));
      expect([`${new Tensor(type, data, dims)}`, new Tensor(type, data, dims).toArray()]).toEqual(['[]', []]);
      expectTensor(reshape(x, [0, 7], { allowzero: 1 }), type, [0, 7], data);
    }
  const x = { type: 'uint8', data: new Uint8Array(0), dims: [0, ...many] };
  expectError(() => flatten(x), RangeError, `Flatten-25: result dims must be at most ${most}, got [0, Infinity]`);
});

test('strings whose dims overflow', () => {
  for (const [extents, count] of [
    [[2 ** 30, 2 ** 30], 2n ** 60n],
    [[2 ** 40, 3, 2 ** 40], 3n * 2n ** 80n],
  ]) {
    const rule = `string data of dims [${extents.join(', ')}] has ${count} entries, got 1`;
    expectError(() => new Tensor('string', ['a'], extents), RangeError, `Tensor: ${rule}`);
    expectError(() => transpose({ type: 'string', data: ['a'], dims: extents }), RangeError, `Transpose-25: ${rule}`);
  }
});
