/**
 * Adversarial values instead of numbers, lists and bytes, for Tensor and its printing, Tensor.from, pack, unpack,
 * cast's type and inferShape's inputs.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, cast, inferShape, init, pack, splitToSequence, transpose, unpack } from 'onnx-layout';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';
import { badDims, badLengths, changingViews, detach, otherRealm, goodViews } from './adversarial.js';

beforeAll(() => init());

describe.each([
  ['pack', 'values', Int8Array, [1, -1, 7, 0], (data) => pack('int4', data), [0xf1, 0x07]],
  ['unpack', 'bytes', Uint8Array, [0xf1, 0x07], (data) => unpack('int4', data, 4), [1, -1, 7, 0]],
])('%s', (name, argument, Class, entries, call, expected) => {
  test.each(Object.entries(goodViews))(`takes ${argument} %s`, (_, make) => {
    const data = make(Class, entries.length);
    Class.prototype.set.call(data, entries);
    expect([...call(data)]).toEqual(expected);
    expect(entries.every((value, i) => data[i] === value)).toBe(true);
  });

  test.each(changingViews)(`sees that ${argument} were %s`, (_, make, change, left) => {
    const data = make(Class, entries.length);
    call(data);
    change(data);
    if (name === 'unpack')
      expectError(() => call(data), RangeError, `unpack: int4 bytes of 4 elements are 2, got ${left(2)}`);
    else expect(call(data)).toEqual(new Uint8Array(left(4) / 2));
    expect([...call(Class.from(entries))]).toEqual(expected);
  });

  test('refuses other classes, and what stands for them', () => {
    const kinds = [
      [new Float32Array(4), 'Float32Array'],
      [new Uint8ClampedArray(4), 'Uint8ClampedArray'],
      [entries, 'Array'],
      [new ArrayBuffer(4), 'an object'],
      [new DataView(new ArrayBuffer(4)), 'DataView'],
      [new Proxy(Class.from(entries), {}), 'an object'],
      [{ length: 4, [Symbol.toStringTag]: Class.name }, 'an object'],
      ['\x01', "'\x01'"],
      [null, 'null'],
    ];
    for (const [data, shown] of kinds) {
      const wanted = name === 'pack' ? 'an Int8Array or Uint8Array' : 'a Uint8Array';
      expectError(() => call(data), TypeError, `${name}: ${argument} must be ${wanted}, got ${shown}`);
    }
    for (const [type, shown] of [
      ['int8', 'int8'],
      ['string', 'string'],
      ['__proto__', "'__proto__'"],
      [22, '22'],
      [Symbol('t'), 'Symbol(t)'],
      [['int4'], "['int4']"],
    ])
      expectError(
        () => (name === 'pack' ? pack(type, Class.from(entries)) : unpack(type, Class.from(entries), 4)),
        TypeError,
        `${name}: dtype must be a 6-, 4- or 2-bit type, got ${shown}`,
      );
  });
});

test('unpack refuses a size that is none', () => {
  const rows = [
    [RangeError, NaN, 'size must be a whole number from 0, got NaN'],
    [RangeError, 1.5, 'size must be a whole number from 0, got 1.5'],
    [RangeError, -1, 'size must be a whole number from 0, got -1'],
    [RangeError, Infinity, 'size must be a whole number from 0, got Infinity'],
    [RangeError, 2 ** 53, 'size must be a whole number from 0, got 9007199254740992'],
    [RangeError, 2 ** 53 - 1, 'int4 bytes of 9007199254740991 elements are 4503599627370496, got 2'],
    [RangeError, 2 ** 32 + 4, 'int4 bytes of 4294967300 elements are 2147483650, got 2'],
    [TypeError, 4n, 'size must be a number, got 4'],
    [TypeError, '4', "size must be a number, got '4'"],
    [TypeError, undefined, 'size must be a number, got undefined'],
    [TypeError, { valueOf: () => 4 }, 'size must be a number, got an object'],
  ];
  for (const [Class, size, rule] of rows)
    expectError(() => unpack('int4', Uint8Array.of(1, 2), size), Class, `unpack: ${rule}`);
  expect(unpack('int4', new Uint8Array(0), -0)).toEqual(new Int8Array(0));
});

test('cast refuses a type that is none', () => {
  const x = { type: 'uint8', data: Uint8Array.of(1), dims: [1] };
  for (const [to, shown] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [1, '1'],
    [['float32'], "['float32']"],
    [{ toString: () => 'float32' }, 'undefined'],
    [new String('float32'), 'an object'],
    [Symbol('float32'), 'Symbol(float32)'],
  ])
    expectError(() => cast(x, to), TypeError, `Cast-28: to must be one of the 28 types of ONNX, got ${shown}`);
  for (const [to, rule] of [
    ['FLOAT', "unknown type 'FLOAT', did you mean 'float'?"],
    ['__proto__', "unknown type '__proto__'."],
    ['constructor', "unknown type 'constructor'."],
    ['x'.repeat(1e6), `unknown type '${'x'.repeat(60)}…'.`],
  ]) {
    const known = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';
    expectError(() => cast(x, to), TypeError, `Cast-28: ${rule} ${known}`);
  }
});

describe('memory that is gone holds an empty tensor', () => {
  const gone = (Class) => {
    const data = new Class(2);
    detach(data);
    return data;
  };
  test('for every operator', () => {
    const x = { type: 'float32', data: gone(Float32Array), dims: [0, 3] };
    for (const [type, Class] of [
      ['float16', Uint16Array],
      ['float64', Float64Array],
      ['int4', Uint8Array],
      ['float32', Float32Array],
    ]) {
      expectTensor(cast(x, type), type, [0, 3], new Class(0));
      expect(cast(x, type, { out: { type, data: gone(Class), dims: [0, 3] } }).dims).toEqual([0, 3]);
    }
    expectTensor(transpose(x), 'float32', [3, 0], new Float32Array(0));
    expect(splitToSequence(x, 1, { axis: 1 }).map(({ dims }) => dims)).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(new Tensor('uint8', gone(Uint8ClampedArray)).data).toEqual(new Uint8Array(0));
  });
});

describe('Tensor', () => {
  test.each(changingViews)('toArray and toString refuse data that was %s since', (_, make, change, left) => {
    const tensor = new Tensor('float32', make(Float32Array, 6), [2, 3]);
    change(tensor.data);
    for (const call of [() => tensor.toArray(), () => `${tensor}`])
      expectError(call, RangeError, `Tensor: float32 data of dims [2, 3] has 6 entries, got ${left(6)}`);
  });

  test('toArray and toString refuse strings that are none any more', () => {
    const tensor = new Tensor('string', ['a', 'b'], [2]);
    tensor.data[1] = 5;
    for (const call of [() => tensor.toArray(), () => `${tensor}`])
      expectError(call, TypeError, 'Tensor: string data must hold strings, got 5 at 1');
    tensor.data.length = 1;
    for (const call of [() => tensor.toArray(), () => `${tensor}`])
      expectError(call, RangeError, 'Tensor: string data of dims [2] has 2 entries, got 1');
  });
});

describe('Tensor.from', () => {
  test.each(badDims)('%p for dims %#', (Class, dims, rule) => {
    expectError(() => Tensor.from('uint8', [1, 2, 3, 4, 5, 6], dims), Class, `Tensor: ${rule}`);
  });

  test('takes the values of anything with a length', () => {
    for (const make of Object.values(goodViews)) {
      const data = make(Float64Array, 2);
      Float64Array.prototype.set.call(data, [1, 2]);
      const actual = Tensor.from(
        'int4',
        Array.from({ length: 2 }, (_, i) => data[i]),
      );
      expectTensor(actual, 'int4', [2], Uint8Array.of(0x21));
    }
    expectTensor(Tensor.from('int8', { length: 2, 0: 1n, 1: -2 }), 'int8', [2], Int8Array.of(1, -2));
    expectTensor(Tensor.from('int8', otherRealm.Array.of(1, 2)), 'int8', [2], Int8Array.of(1, 2));
    expectTensor(Tensor.from('complex64', [otherRealm.Array.of(1, 2)]), 'complex64', [1], Float32Array.of(1, 2));
  });

  test('refuses a length that is none, and more dims than values', () => {
    for (const [length, shown] of badLengths) {
      const message = `Tensor: values must be an array, got an object of length ${shown}`;
      expectError(() => Tensor.from('uint8', { length }), TypeError, message);
    }
    expectErrors({
      'RangeError: Tensor: dims [65536, 65536] have 4294967296 elements, got 1': () =>
        Tensor.from('uint8', [1], [2 ** 16, 2 ** 16]),
      'RangeError: Tensor: dims [4294967296, 4294967296] have 18446744073709552000 elements, got 0': () =>
        Tensor.from('uint8', [], [2 ** 32, 2 ** 32]),
      'RangeError: Tensor: result must fit in memory, got 9007199254740991 entries of Float64Array': () =>
        Tensor.from('float64', { length: 2 ** 53 - 1 }),
    });
  });

  test('a value in a message is cut', () => {
    const message = `Tensor.from: uint8 value 0 must be in [0, 256), got 1${'0'.repeat(59)}…`;
    expectError(() => Tensor.from('uint8', [10n ** 5000n]), RangeError, message);
  });
});

describe('inferShape', () => {
  const infer = (dims) => inferShape('Flatten', { input: { type: 'float32', dims } });
  test.each(badDims)('%p for dims %#', (Class, dims, rule) => {
    expectError(() => infer(dims), Class, `Flatten-25: ${rule}`);
  });

  test('refuses products beyond exact numbers', () => {
    expectErrors({
      'RangeError: Flatten-25: dims must have at most 9007199254740991 elements, got [134217728, 134217728]': () =>
        infer([2 ** 27, 2 ** 27]),
    });
    expect(infer([2 ** 27, 2 ** 26 - 1, 0]).dims).toEqual([2 ** 27, 0]);
    expect(infer([-0, 'N']).dims).toEqual([0, 'N']);
  });

  test('refuses inputs that are none', () => {
    for (const [inputs, shown] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [5, '5'],
      ['input', "'input'"],
      [Symbol('s'), 'Symbol(s)'],
    ])
      expectError(() => inferShape('Flatten', inputs), TypeError, `Flatten-25: inputs must be an object, got ${shown}`);
    const input = { type: 'float32', dims: [2] };
    expectErrors(inferShape, {
      "TypeError: Flatten-25: unknown input 'toString'. Known: input": ['Flatten', { input, toString: 1 }],
      "TypeError: Flatten-25: unknown input '__proto__'. Known: input": ['Flatten', JSON.parse('{ "__proto__": 1 }')],
      [`TypeError: Flatten-25: unknown input '${'x'.repeat(60)}…'. Known: input`]: () =>
        inferShape('Flatten', { ['x'.repeat(1e6)]: 1 }),
    });
    expect(inferShape('Flatten', Object.assign(Object.create(null), { input })).dims).toEqual([2, 1]);
    const names =
      'Cast, CenterCropPad, Compress, Concat, ConcatFromSequence, DepthToSpace, ' +
      'DequantizeLinear, DynamicQuantizeLinear, …';
    for (const op of ['__proto__', 'constructor', 'x'.repeat(1e6)]) {
      const shown = op.length > 60 ? `${op.slice(0, 60)}…` : op;
      const message = `inferShape: unknown operator '${shown}'. Known: ${names}`;
      expectError(() => inferShape(op, { input }), TypeError, message);
    }
    for (const [op, shown] of [
      [['Flatten'], "['Flatten']"],
      [Symbol('s'), 'Symbol(s)'],
    ]) {
      const rule = `inferShape: op must be the name of an operator, got ${shown}`;
      expectError(() => inferShape(op, { input }), TypeError, rule);
    }
  });

  test('a symbol in a message is cut', () => {
    const data = { type: 'float32', dims: ['N'.repeat(1e6), 5] };
    expectError(
      () => inferShape('Reshape', { data, shape: { type: 'int64', dims: [3], value: [0, -1, 3] } }),
      RangeError,
      `Reshape-25: shape [0, -1, 3] does not divide ${'N'.repeat(60)}… elements`,
    );
  });

  test('takes shapes and splits as typed arrays of every make, by what they are', () => {
    for (const make of Object.values(goodViews)) {
      const value = make(BigInt64Array, 2);
      BigInt64Array.prototype.set.call(value, [3n, -1n]);
      expect(
        inferShape('Reshape', { data: { type: 'float32', dims: [2, 6] }, shape: { type: 'int64', dims: [2], value } })
          .dims,
      ).toEqual([3, 4]);
      const perm = make(Int32Array, 2);
      Int32Array.prototype.set.call(perm, [1, 0]);
      expect(transpose({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] }, { perm }).dims).toEqual([3, 2]);
    }
  });
});
