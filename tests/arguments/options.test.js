/** The rules that all operators share: the options bag, opset, strict and out. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import * as layout from 'onnx-layout';
import { types, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';

beforeAll(() => layout.init());

const tensor = () => new layout.Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);

const firstTypes = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';

// Operators by their names, with their newest version and a call that is legal for [2, 3].
const operators = [
  ['Flatten', 25, (input, options) => layout.flatten(input, options)],
  ['Reshape', 25, (data, options) => layout.reshape(data, [3, 2], options)],
  ['Identity', 25, (input, options) => layout.identity(input, options)],
  ['Transpose', 25, (data, options) => layout.transpose(data, options)],
  ['SplitToSequence', 24, (input, options) => layout.splitToSequence(input, 1, options)],
  ['Slice', 13, (data, options) => layout.slice(data, [0], [1], null, null, options)],
  ['Split', 18, (input, options) => layout.split(input, [2, 0], options)],
  ['Pad', 25, (data, options) => layout.pad(data, [0, 1, 0, 0], null, null, options)],
  ['Squeeze', 25, (data, options) => layout.squeeze(data, null, options)],
  ['Unsqueeze', 25, (data, options) => layout.unsqueeze(data, [0], options)],
  ['Expand', 13, (input, options) => layout.expand(input, [2, 1, 1], options)],
  ['Tile', 13, (input, options) => layout.tile(input, [2, 1], options)],
  ['CenterCropPad', 18, (input_data, options) => layout.centerCropPad(input_data, [3, 3], options)],
  ['Gather', 13, (data, options) => layout.gather(data, 1, options)],
  ['GatherND', 13, (data, options) => layout.gatherND(data, [1], options)],
  ['ReverseSequence', 28, (input, options) => layout.reverseSequence(input, [2, 1, 0], options)],
];
/** The name of an operator's first input, where that is not `input`. */
const firstNames = { Reshape: 'data', Transpose: 'data', Slice: 'data', Pad: 'data', Squeeze: 'data' };
Object.assign(firstNames, { Unsqueeze: 'data', CenterCropPad: 'input_data', Gather: 'data', GatherND: 'data' });

describe.each(operators)('%s', (operator, since, callWith) => {
  const call = (options, input = tensor()) => callWith(input, options);

  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [5, '5'],
    ['float32', "'float32'"],
    [new Float32Array(6), 'Float32Array'],
    [() => {}, 'a function'],
  ])('refuses %p as a tensor', (input, shown) => {
    const name = firstNames[operator] ?? 'input';
    const message = `${operator}-${since}: ${name} must be a tensor { type, dims, data }, got ${shown}`;
    expectError(() => callWith(input), TypeError, message);
  });

  test.each([
    [
      TypeError,
      { type: 'float33', data: new Float32Array(6), dims: [2, 3] },
      `unknown type 'float33', did you mean 'float32'? ${firstTypes}`,
    ],
    [TypeError, { data: new Float32Array(6), dims: [2, 3] }, 'type must be one of the 28 of ONNX, got undefined'],
    [
      TypeError,
      { type: 'float32', data: new Float64Array(6), dims: [2, 3] },
      'float32 data must be a Float32Array, got Float64Array',
    ],
    [TypeError, { type: 'float32', data: new Float32Array(6) }, 'dims must be an array, got undefined'],
    [
      TypeError,
      { type: 'string', data: ['a', 2, 'c', 'd', 'e', 'f'], dims: [2, 3] },
      'string data must hold strings, got 2 at 1',
    ],
    [
      RangeError,
      { type: 'float32', data: new Float32Array(5), dims: [2, 3] },
      'float32 data of dims [2, 3] has 6 entries, got 5',
    ],
    [
      RangeError,
      { type: 'int4', data: new Uint8Array(6), dims: [2, 3] },
      'int4 data of dims [2, 3] has 3 bytes, got 6',
    ],
    [
      RangeError,
      { type: 'float32', data: new Float32Array(6), dims: [2, -3] },
      'dims must hold whole numbers from 0 to 9007199254740991, got [2, -3]',
    ],
  ])('%p for the tensor %p', (Class, input, rule) => {
    expectError(() => call({ strict: false }, input), Class, `${operator}-${since}: ${rule}`);
  });

  test('strict: false lifts the type list alone', () => {
    for (const type of typeNames) {
      const input = { type, data: randomData(type, 6, 1), dims: [2, 3] };
      const lenient = call({ strict: false }, input);
      expect([lenient].flat()[0].type).toBe(type);
    }
  });
});

test('what shares its data takes no out', () => {
  const rule = (known) => `unknown option 'out'. Known: ${known}, opset, strict`;
  expectError(() => layout.flatten(tensor(), { out: tensor() }), TypeError, `Flatten-25: ${rule('axis')}`);
  const message = `Reshape-25: ${rule('allowzero, shape')}`;
  expectError(() => layout.reshape(tensor(), [6], { out: tensor() }), TypeError, message);
  const none = "unknown option 'out'. Known: axes, opset, strict";
  expectError(() => layout.squeeze(tensor(), null, { out: tensor() }), TypeError, `Squeeze-25: ${none}`);
  expectError(() => layout.unsqueeze(tensor(), [0], { out: tensor() }), TypeError, `Unsqueeze-25: ${none}`);
});

describe('out of Transpose', () => {
  const out = (type, data, dims) => ({ type, data, dims });
  test.each([
    [TypeError, out('int32', new Int32Array(6), [3, 2]), 'out type must be float32, got int32'],
    [RangeError, out('float32', new Float32Array(6), [2, 3]), 'out dims must be [3, 2], got [2, 3]'],
    [RangeError, out('float32', new Float32Array(6), [6]), 'out dims must be [3, 2], got [6]'],
    [RangeError, out('float32', new Float32Array(3), [3]), 'out dims must be [3, 2], got [3]'],
    [RangeError, out('float32', new Float32Array(5), [3, 2]), 'float32 data of dims [3, 2] has 6 entries, got 5'],
    [TypeError, out('float32', new Float64Array(6), [3, 2]), 'float32 data must be a Float32Array, got Float64Array'],
    [TypeError, 5, 'out must be a tensor { type, dims, data }, got 5'],
    [TypeError, null, 'out must be a tensor { type, dims, data }, got null'],
    [TypeError, [out('float32', new Float32Array(6), [3, 2])], 'out must be a tensor { type, dims, data }, got Array'],
  ])('%p for %p', (Class, target, rule) => {
    expectError(() => layout.transpose(tensor(), { out: target }), Class, `Transpose-25: ${rule}`);
  });

  test('must not overlap its input by a byte, but may stand right beside it', () => {
    for (const type of typeNames.filter((name) => name !== 'string')) {
      const { array } = types[type];
      const step = array.BYTES_PER_ELEMENT;
      for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
        const memory = new Memory(320);
        new Uint8Array(memory).set(randomData('uint8', 320, 2));
        const data = new array(memory, 112, randomData(type, 6, 1).length);
        const input = { type, data, dims: [2, 3] };
        const before = new Uint8Array(memory).slice();
        for (const at of [112, 112 + data.byteLength - step, 112 - data.byteLength + step]) {
          const target = out(type, new array(memory, at, data.length), [3, 2]);
          expectError(
            () => layout.transpose(input, { out: target, strict: false }),
            RangeError,
            'Transpose-25: out must not overlap data',
            `${type} at ${at}`,
          );
        }
        expect(Buffer.compare(new Uint8Array(memory).slice(), before)).toBe(0);
        const wanted = layout.transpose(input, { strict: false }).data.slice();
        for (const at of [112 + data.byteLength, 112 - data.byteLength]) {
          const target = out(type, new array(memory, at, data.length), [3, 2]);
          const result = layout.transpose(input, { out: target, strict: false });
          expectTensor(result, type, [3, 2], wanted, `${type} beside at ${at}`);
        }
      }
    }
    const strings = ['a', 'b', 'c', 'd'];
    expectError(
      () =>
        layout.transpose(
          { type: 'string', data: strings, dims: [2, 2] },
          { out: { type: 'string', data: strings, dims: [2, 2] } },
        ),
      RangeError,
      'Transpose-25: out must not overlap data',
    );
    expect(strings).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('out of SplitToSequence', () => {
  const piece = (length, type = 'float32') => ({ type, data: new types[type].array(length * 3), dims: [length, 3] });
  test.each([
    [RangeError, () => [piece(1)], 'out must hold 2 tensors, got 1'],
    [RangeError, () => [piece(1), piece(1), piece(1)], 'out must hold 2 tensors, got 3'],
    [TypeError, () => piece(1), 'out must be an array of tensors, got an object'],
    [TypeError, () => [piece(1), null], 'out[1] must be a tensor { type, dims, data }, got null'],
    [TypeError, () => [piece(1), piece(1, 'int32')], 'out[1] type must be float32, got int32'],
    [RangeError, () => [piece(1), piece(2)], 'out[1] dims must be [1, 3], got [2, 3]'],
  ])('%p: %#', (Class, target, rule) => {
    const out = target();
    expectError(() => layout.splitToSequence(tensor(), 1, { out }), Class, `SplitToSequence-24: ${rule}`);
    for (const { data } of [out].flat().filter(Boolean)) expect(data.every((value) => value === 0)).toBe(true);
  });

  test('must overlap neither its input nor itself', () => {
    const input = tensor();
    const half = (from) => ({ type: 'float32', data: input.data.subarray(from, from + 3), dims: [1, 3] });
    expectErrors({
      'RangeError: SplitToSequence-24: out[0] must not overlap input': () =>
        layout.splitToSequence(input, 1, { out: [half(0), half(3)] }),
    });
    const one = new Float32Array(5);
    const at = (from) => ({ type: 'float32', data: one.subarray(from, from + 3), dims: [1, 3] });
    expectErrors({
      'RangeError: SplitToSequence-24: out[1] must not overlap out[0]': () =>
        layout.splitToSequence(input, 1, { out: [at(0), at(2)] }),
    });
    expect([...one, ...input.data]).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
    // The two that overlap are the first and the last piece.
    const three = { type: 'float32', data: new Float32Array(9), dims: [3, 3] };
    const row = (from) => ({ type: 'float32', data: nine.subarray(from, from + 3), dims: [1, 3] });
    const nine = new Float32Array(9);
    expectErrors({
      'RangeError: SplitToSequence-24: out[2] must not overlap out[0]': () =>
        layout.splitToSequence(three, 1, { out: [row(0), row(6), row(2)] }),
    });
    expect(layout.splitToSequence(three, 1, { out: [row(0), row(6), row(3)] }).length).toBe(3);
  });

  test('an empty piece overlaps nothing, wherever it points, and hides no overlap', () => {
    const input = tensor();
    const row = (data, length) => ({ type: 'float32', data, dims: [length, 3] });
    const one = new Float32Array(12);
    const empty = row(one.subarray(4, 4), 0);
    layout.splitToSequence(input, [0, 1, 1], {
      out: [row(input.data.subarray(3, 3), 0), row(one.subarray(0, 3), 1), row(one.subarray(3, 6), 1)],
    });
    layout.splitToSequence(input, [1, 0, 1], { out: [row(one.subarray(3, 6), 1), empty, row(one.subarray(6, 9), 1)] });
    expect([...one]).toEqual([1, 2, 3, 1, 2, 3, 4, 5, 6, 0, 0, 0]);
    expectErrors({
      'RangeError: SplitToSequence-24: out[2] must not overlap out[0]': () =>
        layout.splitToSequence(input, [1, 0, 1], {
          out: [row(one.subarray(3, 6), 1), empty, row(one.subarray(5, 8), 1)],
        }),
    });
  });
});

test("an operator's attributes are its own", () => {
  const refuses = (call, message) => expectError(call, TypeError, `${message}, opset, strict`);
  refuses(() => layout.flatten(tensor(), { perm: [1, 0] }), "Flatten-25: unknown option 'perm'. Known: axis");
  refuses(() => layout.transpose(tensor(), { axis: 1 }), "Transpose-25: unknown option 'axis'. Known: perm, out");
  refuses(
    () => layout.reshape(tensor(), [6], { keepdims: 1 }),
    "Reshape-25: unknown option 'keepdims'. Known: allowzero, shape",
  );
  refuses(
    () => layout.splitToSequence(tensor(), 1, { allowzero: 1 }),
    "SplitToSequence-24: unknown option 'allowzero'. Known: axis, keepdims, split, out",
  );
});

test('a message knows the options of the version that is asked for', () => {
  const refuses = (call, message) => expectError(call, TypeError, `${message}, opset, strict`);
  refuses(
    () => layout.transpose(tensor(), { prem: [1, 0], opset: 13 }),
    "Transpose-13: unknown option 'prem', did you mean 'perm'? Known: perm, out",
  );
  refuses(
    () => layout.reshape(tensor(), undefined, { shapes: [6], opset: 4 }),
    "Reshape-1: unknown option 'shapes', did you mean 'shape'? Known: shape, consumed_inputs",
  );
  refuses(
    () => layout.cast(tensor(), 'int8', { round: 'up', opset: 18 }),
    "Cast-13: unknown option 'round'. Known: to, out",
  );
  refuses(
    () => layout.cast(tensor(), 'int8', { roundMode: 'up' }),
    "Cast-28: unknown option 'roundMode', did you mean 'round_mode'? Known: saturate, round_mode, to, out",
  );
});

test('takes whole numbers to the ends of int64, -0 as 0, and flags as bigint', () => {
  expectErrors(layout.flatten, {
    'RangeError: Flatten-25: axis must be in [-2, 2], got -9223372036854775808': [tensor(), { axis: -(2n ** 63n) }],
    'RangeError: Flatten-25: axis must fit int64, got 9223372036854775808': [tensor(), { axis: 2n ** 63n }],
  });
  const empty = new layout.Tensor('float32', new Float32Array(0), [0, 2]);
  expect(layout.reshape(empty, [-0, 5], { allowzero: 1n }).dims).toEqual([0, 5]);
  expect(layout.reshape(tensor(), [0, 3], { allowzero: 0n }).dims).toEqual([2, 3]);
});
