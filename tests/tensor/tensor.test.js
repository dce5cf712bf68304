/** The Tensor class: what it takes, what it holds, values in and out. Needs no init(). */
import { test, expect, describe } from '@jest/globals';
import { Tensor, dtypes, flatten, schemas } from 'onnx-layout';
import { byteCount, elementCount, fromCodes, smallIntegers, toCodes, types, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor, refuses } from '../support/assertions.js';
import { lists } from '../support/tables.js';

describe('the constructor', () => {
  test.each(typeNames)('%s of many sizes: type, data, dims and size', (type) => {
    for (const dims of [[], [0], [1], [7], [2, 0, 3], [3, 5], [2, 3, 4, 5], Array(64).fill(1)]) {
      const data = randomData(type, elementCount(dims), 1);
      const tensor = new Tensor(type, data, dims);
      expect([tensor.type, tensor.size, tensor.dims]).toEqual([type, elementCount(dims), dims]);
      expect(tensor.data).toBe(data);
    }
  });

  test('keeps dims of its own', () => {
    const dims = [2, 3];
    const tensor = new Tensor('uint8', new Uint8Array(6), dims);
    dims[0] = 99;
    expect(tensor.dims).toEqual([2, 3]);
  });

  test('without dims it is 1-D', () => {
    expect(new Tensor('float32', new Float32Array(6)).dims).toEqual([6]);
    expect(new Tensor('int64', new BigInt64Array(0)).dims).toEqual([0]);
    expect(new Tensor('string', ['a', 'b']).dims).toEqual([2]);
    expect(new Tensor('complex64', new Float32Array(6)).dims).toEqual([3]);
    expect(new Tensor('int4', new Uint8Array(3)).dims).toEqual([6]);
    expect(new Tensor('uint2', new Uint8Array(3)).dims).toEqual([12]);
  });

  test("takes ONNX's names of float32 and float64", () => {
    expect(new Tensor('float', new Float32Array(1), [1]).type).toBe('float32');
    expect(new Tensor('double', new Float64Array(1), [1]).type).toBe('float64');
  });

  test('takes a Buffer and shared memory as they are, Uint8ClampedArray as a Uint8Array over the same bytes', () => {
    const buffer = Buffer.from([1, 2, 3]);
    expect(new Tensor('uint8', buffer, [3]).data).toBe(buffer);
    const shared = new Float32Array(new SharedArrayBuffer(8));
    expect(new Tensor('float32', shared, [2]).data).toBe(shared);
    const clamped = Uint8ClampedArray.of(9, 1, 2, 3).subarray(1);
    const { data } = new Tensor('uint8', clamped, [3]);
    expect([data.constructor, data.buffer === clamped.buffer, data.byteOffset, data.length]).toEqual([
      Uint8Array,
      true,
      1,
      3,
    ]);
  });

  test('an operator that shares memory gives a Uint8Array over clamped bytes', () => {
    const clamped = Uint8ClampedArray.of(9, 1, 2, 3).subarray(1);
    const { data } = flatten({ type: 'uint8', data: clamped, dims: [3] });
    expect([data.constructor, data.buffer === clamped.buffer, data.byteOffset]).toEqual([Uint8Array, true, 1]);
  });

  test('a list of a name is no name', () => {
    const message = "Tensor: type must be one of the 28 of ONNX, got ['float32']";
    expectError(() => new Tensor(['float32'], new Float32Array(1)), TypeError, message);
  });

  refuses('Tensor', {
    'RangeError: int4 data of dims [3, 5] has 8 bytes, got 15': () => new Tensor('int4', new Uint8Array(15), [3, 5]),
    'RangeError: uint2 data of dims [5] has 2 bytes, got 5': () => new Tensor('uint2', new Uint8Array(5), [5]),
    'RangeError: int4 data of dims [3, 5] has 8 bytes, got 7': () => new Tensor('int4', new Uint8Array(7), [3, 5]),
    'RangeError: int4 data of dims [] has 1 bytes, got 0': () => new Tensor('int4', new Uint8Array(0), []),
    'RangeError: float32 data of dims [2, 3] has 6 entries, got 5': () =>
      new Tensor('float32', new Float32Array(5), [2, 3]),
    'RangeError: float32 data of dims [2, 3] has 6 entries, got 7': () =>
      new Tensor('float32', new Float32Array(7), [2, 3]),
    'RangeError: float32 data of dims [] has 1 entries, got 0': () => new Tensor('float32', new Float32Array(0), []),
    'RangeError: complex64 data of dims [3] has 6 entries, got 3': () =>
      new Tensor('complex64', new Float32Array(3), [3]),
    'RangeError: uint8 data of dims [1, 1, 1, 1, 1, 1, 1, 2] has 2 bytes, got 1': () =>
      new Tensor('uint8', new Uint8Array(1), [1, 1, 1, 1, 1, 1, 1, 2]),
    'RangeError: uint8 data of dims [1, 1, 1, 1, 1, 1, 1, 2, …] has 2 bytes, got 1': () =>
      new Tensor('uint8', new Uint8Array(1), [1, 1, 1, 1, 1, 1, 1, 2, 1]),
    'RangeError: int4 data of dims [3, 9007199254740991] has 13510798882111487 bytes, got 1': () =>
      new Tensor('int4', new Uint8Array(1), [3, 2 ** 53 - 1]),
    'RangeError: uint8 data of dims [0, 5] has 0 bytes, got 5': () => new Tensor('uint8', new Uint8Array(5), [0, 5]),
    'RangeError: uint8 data of dims [4294967296, 4294967296] has 18446744073709551616 bytes, got 0': () =>
      new Tensor('uint8', new Uint8Array(0), [2 ** 32, 2 ** 32]),
  });

  test.each([
    [[2, -1], 'dims must hold whole numbers from 0 to 9007199254740991, got [2, -1]'],
    [[1.5], 'dims must hold whole numbers, got [1.5]'],
    [[NaN], 'dims must hold whole numbers, got [NaN]'],
    [[2 ** 53], 'dims must hold whole numbers from 0 to 9007199254740991, got [9007199254740992]'],
  ])('dims %p', (dims, message) =>
    expectError(() => new Tensor('uint8', new Uint8Array(0), dims), RangeError, `Tensor: ${message}`),
  );

  test('-0 in dims is 0', () => expect(Object.is(new Tensor('uint8', new Uint8Array(0), [-0]).dims[0], 0)).toBe(true));

  refuses('Tensor', {
    ["TypeError: unknown type 'int3', did you mean 'int8'? Known: float32, uint8, int8, uint16, int16, " +
    'int32, int64, string, …']: () => new Tensor('int3', new Uint8Array(1), [1]),
    "TypeError: unknown type '__proto__'. Known: float32, uint8, int8, uint16, int16, int32, int64, string, …": () =>
      new Tensor('__proto__', new Uint8Array(1), [1]),
    'TypeError: type must be one of the 28 of ONNX, got undefined': () => new Tensor(undefined, new Uint8Array(1), [1]),
    'TypeError: float32 data must be a Float32Array, got Uint8Array': () =>
      new Tensor('float32', new Uint8Array(4), [1]),
    'TypeError: float32 data must be a Float32Array, got Array': () => new Tensor('float32', [1], [1]),
    'TypeError: float32 data must be a Float32Array, got undefined': () => new Tensor('float32', undefined, [1]),
    'TypeError: int4 data must be a Uint8Array, got Int8Array': () => new Tensor('int4', new Int8Array(1), [1]),
    'TypeError: uint8 data must be a Uint8Array or Uint8ClampedArray, got DataView': () =>
      new Tensor('uint8', new DataView(new ArrayBuffer(1)), [1]),
    'TypeError: int8 data must be an Int8Array, got Uint8ClampedArray': () =>
      new Tensor('int8', new Uint8ClampedArray(1), [1]),
    'TypeError: int64 data must be a BigInt64Array, got Float64Array': () =>
      new Tensor('int64', new Float64Array(1), [1]),
    "TypeError: string data must be an Array, got 'a'": () => new Tensor('string', 'a', [1]),
    'TypeError: string data must hold strings, got 1 at 1': () => new Tensor('string', ['a', 1], [2]),
    // eslint-disable-next-line no-sparse-arrays
    'TypeError: string data must hold strings, got undefined at 1': () => new Tensor('string', ['a', ,], [2]),
    'TypeError: dims must be an array, got 1': () => new Tensor('float32', new Float32Array(1), 1),
    'TypeError: dims must be an array, got null': () => new Tensor('float32', new Float32Array(1), null),
    "TypeError: dims must hold whole numbers, got ['1']": () => new Tensor('float32', new Float32Array(1), ['1']),
    // eslint-disable-next-line no-sparse-arrays
    'TypeError: dims must hold whole numbers, got [undefined]': () => new Tensor('float32', new Float32Array(1), [,]),
  });
});

describe('values', () => {
  test.each([
    ['float32', Float32Array.of(1.5, -0, NaN, Infinity), [1.5, -0, NaN, Infinity]],
    ['float64', Float64Array.of(0.1, -1e300), [0.1, -1e300]],
    ['float16', Uint16Array.of(0x3c00, 0x8000, 0x7c00, 0x0001), [1, -0, Infinity, 2 ** -24]],
    ['bfloat16', Uint16Array.of(0x3f80, 0xc040, 0x0001), [1, -3, 2 ** -133]],
    ['float8e4m3fn', Uint8Array.of(0x38, 0x7e, 0x7f, 0x01), [1, 448, NaN, 2 ** -9]],
    ['float8e4m3fnuz', Uint8Array.of(0x40, 0x7f, 0x80, 0x01), [1, 240, NaN, 2 ** -10]],
    ['float8e5m2', Uint8Array.of(0x3c, 0x7b, 0x80, 0x01), [1, 57344, -0, 2 ** -16]],
    ['float8e5m2fnuz', Uint8Array.of(0x40, 0x7f, 0x80, 0x01), [1, 57344, NaN, 2 ** -17]],
    ['float8e8m0', Uint8Array.of(0, 127, 128, 254, 255), [2 ** -127, 1, 2, 2 ** 127, NaN]],
    [
      'float4e2m1',
      Uint8Array.of(0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe),
      [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6],
    ],
    ['int4', Uint8Array.of(0x10, 0x87, 0x0f), [0, 1, 7, -8, -1], [5]],
    ['uint4', Uint8Array.of(0x10, 0x87, 0x0f), [0, 1, 7, 8, 15], [5]],
    ['int2', Uint8Array.of(0b11100100, 0b01), [0, 1, -2, -1, 1], [5]],
    ['uint2', Uint8Array.of(0b11100100, 0b11), [0, 1, 2, 3, 3], [5]],
    ['bool', Uint8Array.of(0, 1), [0, 1]],
    ['int8', Int8Array.of(-128, 127), [-128, 127]],
    ['uint8', Uint8Array.of(0, 255), [0, 255]],
    ['int16', Int16Array.of(-32768, 32767), [-32768, 32767]],
    ['uint16', Uint16Array.of(65535), [65535]],
    ['int32', Int32Array.of(-(2 ** 31)), [-(2 ** 31)]],
    ['uint32', Uint32Array.of(2 ** 32 - 1), [2 ** 32 - 1]],
    ['int64', BigInt64Array.of(-(2n ** 63n), 1n), [-(2n ** 63n), 1n]],
    ['uint64', BigUint64Array.of(2n ** 64n - 1n), [2n ** 64n - 1n]],
    ['complex64', Float32Array.of(1, -2, 3, -0), lists('[1, -2], [3, -0]')],
    ['complex128', Float64Array.of(0.1, NaN), [[0.1, NaN]]],
    ['string', ['é', ''], ['é', '']],
  ])('%s: toArray decodes, from encodes', (type, data, values, dims = [values.length]) => {
    const tensor = new Tensor(type, data, dims);
    expect(tensor.toArray()).toEqual(values);
    expectTensor(Tensor.from(type, values, dims), type, dims, data);
    expectTensor(Tensor.from(type, values), type, [values.length], data);
  });

  test('toArray is flat, of an array of its own', () => {
    const tensor = new Tensor('string', ['a', 'b', 'c', 'd'], [2, 2]);
    const values = tensor.toArray();
    values[0] = 'z';
    expect([tensor.data[0], values.length]).toEqual(['a', 4]);
    expect(new Tensor('float32', new Float32Array(0), [2, 0]).toArray()).toEqual([]);
    expect(new Tensor('float32', Float32Array.of(2), []).toArray()).toEqual([2]);
  });

  test.each(typeNames.filter((type) => types[type].bits > 0 && types[type].bits <= 16))(
    '%s: every code comes back from its value',
    (type) => {
      const { bits } = types[type];
      const codes = Array.from({ length: type === 'bool' ? 2 : 2 ** bits }, (_, i) => i);
      const tensor = new Tensor(type, fromCodes(type, codes), [codes.length]);
      const values = tensor.toArray();
      if (type.includes('int') && bits < 8) expect(values).toEqual(smallIntegers(type, codes));
      const back = Tensor.from(type, values, tensor.dims);
      const again = toCodes(type, back.data, codes.length);
      const decoded = back.toArray();
      // Cast saturates into this one format with infinities: they become the largest values, codes 7b and fb.
      const saturated = (code) => (type === 'float8e5m2' && (code & 0x7f) === 0x7c ? code - 1 : code);
      values.forEach((value, i) => {
        if (Number.isNaN(value) ? !Number.isNaN(decoded[i]) : again[i] !== saturated(codes[i]))
          throw new Error(`${type} code ${codes[i]} decodes to ${value}, which encodes to ${again[i]}`);
      });
    },
  );

  test.each(typeNames.filter((type) => types[type].bits > 16 && !type.startsWith('complex')))(
    '%s: seeded codes come back from their values',
    (type) => {
      const data = randomData(type, 1000, 12);
      const values = new Tensor(type, data, [1000]).toArray();
      const back = Tensor.from(type, values);
      expect(back.toArray()).toEqual(values);
      if (!type.startsWith('float')) expectTensor(back, type, [1000], fromCodes(type, toCodes(type, data, 1000)));
    },
  );

  refuses('Tensor.from', {
    'RangeError: int4 value 0 must be in [-8, 8), got 8': () => Tensor.from('int4', [8]),
    'RangeError: uint2 value 1 must be in [0, 4), got -1': () => Tensor.from('uint2', [0, -1]),
    'RangeError: uint8 value 0 must be in [0, 256), got 256': () => Tensor.from('uint8', [256]),
    'RangeError: int64 value 0 must be in [-9223372036854775808, 9223372036854775808), got 9223372036854775808': () =>
      Tensor.from('int64', [2n ** 63n]),
  });

  test('as many values as dims say', () => {
    expectError(() => Tensor.from('int4', [1, 2, 3], [2, 2]), RangeError, 'Tensor: dims [2, 2] have 4 elements, got 3');
    expectError(() => Tensor.from('int4', 3), TypeError, 'Tensor: values must be an array, got 3');
    const message = 'Tensor: values must be an array, got an object of length 1.5';
    expectError(() => Tensor.from('int4', { length: 1.5 }), TypeError, message);
  });
});

test('dtypes and schemas cannot be written to, at any depth', () => {
  const frozen = (value, path) => {
    if (typeof value !== 'object' || value === null) return;
    expect([path, Object.isFrozen(value)]).toEqual([path, true]);
    for (const [key, entry] of Object.entries(value)) frozen(entry, `${path}.${key}`);
  };
  frozen(dtypes, 'dtypes');
  frozen(schemas, 'schemas');
  expect(Object.keys(dtypes).sort()).toEqual([...typeNames].sort());
  for (const type of typeNames) expect(byteCount(type, 8) * 8).toBe(8 * dtypes[type].bits);
});

test('float16 is read from codes, whatever they call themselves', () => {
  const data = Object.defineProperty(Uint16Array.of(0x3c00), Symbol.toStringTag, { value: 'Float16Array' });
  expect(new Tensor('float16', data).toArray()).toEqual([1]);
});

const { Float16Array } = globalThis;
(Float16Array ? test : test.skip)('float16 is read from a Float16Array too', () => {
  expect(new Tensor('float16', Float16Array.of(1.5, -0, 65504, NaN)).toArray()).toEqual([1.5, -0, 65504, NaN]);
});
