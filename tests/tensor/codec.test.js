/** The codec: all codes of all formats of up to 16 bits, all rounding boundaries, and ONNX Cast's tables row by row. */
import { describe, expect, test } from '@jest/globals';
import * as float16 from '@petamoriken/float16';
import { Tensor } from 'onnx-layout';
import { decode, decodeValues, encode } from '../../js/tensor/codec.js';
import { dtypes } from '../../js/tensor/dtypes.js';
import { decodeByFormula, encodeByNearest, floats, grid } from './codec.reference.js';
import { generator } from '../support/samples.js';
import { rows } from '../support/tables.js';

const encoded = ({ name }, values) => Tensor.from(name, values).data;

const bits64 = new BigUint64Array(1);
const value64 = new Float64Array(bits64.buffer);
/** The float64 that lies `steps` float64 above a value > 0. */
function neighbor(value, steps) {
  value64[0] = value;
  bits64[0] += BigInt(steps);
  return value64[0];
}

/** Of each binade of float64, a few significands: round, nearly round and random ones, with both signs. */
function stratified(seed) {
  const random = generator(seed);
  const values = [0, Infinity, NaN];
  for (let field = 0n; field < 2047n; field++) {
    const drawn = (BigInt(random()) << 20n) | BigInt(random() & 0xfffff);
    for (const fraction of [
      0n,
      1n,
      1n << 51n,
      (1n << 52n) - 1n,
      drawn,
      (drawn >> 40n) << 40n,
      ((drawn >> 44n) << 44n) | 1n,
    ]) {
      bits64[0] = (field << 52n) | fraction;
      values.push(value64[0]);
    }
  }
  return values.flatMap((value) => [value, -value]);
}

/** The first five cases whose two numbers differ; -0 and NaN count as values. */
const differences = (cases) => cases.filter(([, actual, expected]) => !Object.is(actual, expected)).slice(0, 5);

describe('floats of 16 bits and fewer', () => {
  test.each(Object.keys(floats))('%s decodes every code', (type) => {
    const { bits } = floats[type];
    const cases = Array.from({ length: 2 ** bits }, (_, code) => {
      // The last of four elements ends a byte in packed formats too; all bits before it are set.
      const data =
        dtypes[type].array === 'Uint8Array' ? new Uint8Array(bits / 2).fill(0xff) : new Uint16Array(4).fill(0xffff);
      const index = 3;
      if (bits < 8) data[data.length - 1] = (code << (8 - bits)) | (0xff >> bits);
      else data[index] = code;
      return [code, decode(dtypes[type], data, index), decodeByFormula(type, code)];
    });
    expect(differences(cases)).toEqual([]);
  });

  test.each(Object.keys(floats))('%s encodes every value of its own back to its code, and NaN to one code', (type) => {
    const { bits, nan } = floats[type];
    const cases = Array.from({ length: 2 ** bits }, (_, code) => {
      const value = decodeByFormula(type, code);
      return [code, encode(dtypes[type], value, { saturate: false }), Number.isNaN(value) ? nan : code];
    });
    expect(differences(cases)).toEqual([]);
  });

  test.each(Object.keys(floats))(
    '%s rounds at the middle of every two neighbors, and one float64 beside it',
    (type) => {
      const { bits, noMinusZero } = floats[type];
      const { values } = grid(type);
      const signBit = 2 ** (bits - 1);
      const cases = [];
      const check = (value, code) => {
        cases.push([value, encode(dtypes[type], value), code]);
        cases.push([-value, encode(dtypes[type], -value), noMinusZero && code === 0 ? 0 : code + signBit]);
      };
      for (let code = 0; code < values.length - 2; code++) {
        const middle = (values[code] + values[code + 1]) / 2;
        check(middle, code % 2 === 0 ? code : code + 1);
        check(neighbor(middle, -1), code);
        check(neighbor(middle, 1), code + 1);
        check(neighbor(values[code + 1], -1), code + 1);
        check(neighbor(values[code + 1], 1), code + 1);
      }
      expect(cases.length).toBe(10 * (values.length - 2));
      expect(differences(cases)).toEqual([]);
    },
  );

  test.each(Object.keys(floats))('%s rounds float64 of every magnitude to the nearest', (type) => {
    for (const saturate of [true, false]) {
      const cases = stratified(1).map((value) => [
        value,
        encode(dtypes[type], value, { saturate }),
        encodeByNearest(type, value, saturate),
      ]);
      expect(cases.length).toBe(2 * (3 + 7 * 2047));
      expect(differences(cases)).toEqual([]);
    }
  });

  test('float16 agrees with @petamoriken/float16', () => {
    const view = new DataView(new ArrayBuffer(2));
    const decoded = Array.from({ length: 65536 }, (_, code) => {
      view.setUint16(0, code);
      return [code, decode(dtypes.float16, Uint16Array.of(code), 0), float16.getFloat16(view, 0)];
    });
    expect(differences(decoded)).toEqual([]);
    const encoded = stratified(2)
      .filter((value) => !Number.isNaN(value))
      .map((value) => {
        float16.setFloat16(view, 0, value);
        return [value, encode(dtypes.float16, value), view.getUint16(0)];
      });
    expect(differences(encoded)).toEqual([]);
  });
});

// The table of ONNX Cast for the 8-bit floats, with saturate 1 and 0: codes of the four types in hexadecimal.
const types8 = ['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz'];
test.each([
  ['0', 0, '00 00 00 00', '00 00 00 00'],
  ['-0', -0, '80 00 80 00', '80 00 80 00'],
  ['NaN', NaN, '7f 80 7e 80', '7f 80 7e 80'],
  ['Infinity', Infinity, '7e 7f 7b 7f', '7f 80 7c 80'],
  ['-Infinity', -Infinity, 'fe ff fb ff', 'ff 80 fc 80'],
  ['the largest float64', Number.MAX_VALUE, '7e 7f 7b 7f', '7f 80 7c 80'],
  ['minus the largest float64', -Number.MAX_VALUE, 'fe ff fb ff', 'ff 80 fc 80'],
  ['the smallest float64', Number.MIN_VALUE, '00 00 00 00', '00 00 00 00'],
  ['minus the smallest float64', -Number.MIN_VALUE, '80 00 80 00', '80 00 80 00'],
  ['1', 1, '38 40 3c 40', '38 40 3c 40'],
  ['480: at first 448, then too much', 480, '7e 7f 60 64', '7f 80 60 64'],
])('Cast to the 8-bit floats: %s', (_, value, saturated, not) => {
  const codes = (saturate) =>
    types8.map((type) => encode(dtypes[type], value, { saturate }).toString(16).padStart(2, '0')).join(' ');
  expect(codes(true)).toBe(saturated);
  expect(codes(false)).toBe(not);
});

test.each([
  ['float8e4m3fn', 464, 0x7e, 0x7f, 'exclusive'],
  ['float8e4m3fnuz', 248, 0x7f, 0x80, 'inclusive'],
  ['float8e5m2', 61440, 0x7b, 0x7c, 'inclusive'],
  ['float8e5m2fnuz', 61440, 0x7f, 0x80, 'inclusive'],
  ['float16', 65520, 0x7bff, 0x7c00, 'inclusive'],
  ['bfloat16', 255.5 * 2 ** 120, 0x7f7f, 0x7f80, 'inclusive'],
])('%s overflows from %d on: the largest is %d, beyond it %d (%s)', (type, threshold, largest, beyond, kind) => {
  const code = (value) => encode(dtypes[type], value, { saturate: false });
  expect(code(neighbor(threshold, -1))).toBe(largest);
  expect(code(threshold)).toBe(kind === 'inclusive' ? beyond : largest);
  expect(code(neighbor(threshold, 1))).toBe(beyond);
  // Only the 8-bit floats saturate.
  expect(encode(dtypes[type], 2 * threshold)).toBe(dtypes[type].bits === 8 ? largest : beyond);
});

test.each([
  [0.25, 0],
  [0.75, 2],
  [1.25, 2],
  [1.75, 4],
  [2.5, 4],
  [3.5, 6],
  [5, 6],
  [6, 7],
  [6.5, 7],
  [7, 7],
  [Infinity, 7],
  [-6, 0xf],
  [-7, 0xf],
  [-Infinity, 0xf],
  [0, 0],
  [-0, 8],
  [-0.25, 8],
  [NaN, 8],
])('Cast to float4e2m1: %d is code %d, whatever saturate says', (value, code) => {
  expect(encode(dtypes.float4e2m1, value)).toBe(code);
  expect(encode(dtypes.float4e2m1, value, { saturate: false })).toBe(code);
});

// OCP Microscaling 1.0: every tie, the largest number, what is beyond it, signs, NaN.
test.each([
  [
    'float6e2m3',
    [0.0625, 0, 0.1875, 2, 1.0625, 8, 7.25, 0x1e, 0.125, 1, 1, 8, 7.5, 0x1f, 7.75, 0x1f, 8, 0x1f, 1e30, 0x1f],
  ],
  [
    'float6e3m2',
    [0.03125, 0, 0.09375, 2, 9, 0x18, 26, 0x1e, 0.0625, 1, 0.25, 4, 28, 0x1f, 30, 0x1f, 32, 0x1f, 1e30, 0x1f],
  ],
])('Cast to %s, whatever saturate says', (type, pairs) => {
  const cases = [Infinity, 0x1f, NaN, 0x20, 0, 0, ...pairs];
  for (let i = 0; i < cases.length; i += 2)
    for (const saturate of [true, false]) {
      const [value, code] = [cases[i], cases[i + 1]];
      expect([value, encode(dtypes[type], value, { saturate })]).toEqual([value, code]);
      if (!Number.isNaN(value)) expect(encode(dtypes[type], -value, { saturate })).toBe(code | 0x20);
    }
});

describe('float8e8m0', () => {
  test('decodes every code', () => {
    const decoded = decodeValues(
      dtypes.float8e8m0,
      Uint8Array.from({ length: 256 }, (_, code) => code),
      256,
    );
    let value = 1;
    for (let i = 0; i < 127; i++) value /= 2;
    const expected = Array.from({ length: 255 }, () => {
      value *= 2;
      return value / 2;
    });
    expect(decoded).toEqual([...expected, NaN]);
  });

  test('encodes every power of two to its code in every mode, and rounds between them', () => {
    for (let code = 0; code < 254; code++) {
      const value = decode(dtypes.float8e8m0, Uint8Array.of(code), 0);
      const codes = (x) =>
        ['up', 'down', 'nearest'].map((round_mode) => encode(dtypes.float8e8m0, x, { round_mode }) - code);
      expect(codes(value)).toEqual([0, 0, 0]);
      expect(codes(neighbor(value, 1))).toEqual([1, 0, 0]);
      expect(codes(1.125 * value)).toEqual([1, 0, 0]);
      expect(codes(neighbor(1.5 * value, -1))).toEqual([1, 0, 0]);
      expect(codes(1.5 * value)).toEqual([1, 0, 1]);
      expect(codes(neighbor(2 * value, -1))).toEqual([1, 0, 1]);
    }
  });

  test.each([
    ['0', 0, 0, 255],
    ['-0', -0, 0, 255],
    ['NaN', NaN, 255, 255],
    ['Infinity', Infinity, 254, 255],
    ['-Infinity', -Infinity, 0, 255],
    ['-1', -1, 0, 255],
    ['2^127', 2 ** 127, 254, 254],
    ['just above 2^127', neighbor(2 ** 127, 1), 254, 255],
    ['2^128', 2 ** 128, 254, 255],
    ['2^-127', 2 ** -127, 0, 0],
    ['just below 2^-127', neighbor(2 ** -127, -1), 0, 255],
    ['the smallest float64', Number.MIN_VALUE, 0, 255],
  ])('%s', (_, value, saturated, not) => {
    for (const round_mode of ['up', 'down', 'nearest']) {
      expect(encode(dtypes.float8e8m0, value, { round_mode })).toBe(saturated);
      expect(encode(dtypes.float8e8m0, value, { round_mode, saturate: false })).toBe(not);
    }
  });
});

describe('one rounding', () => {
  // Each value lies so near a tie that float32 (or float64) cannot tell. Rounded to that first, it would go to the even
  // side.
  test.each([
    ['float16', 1 + 2 ** -11 + 2 ** -40, 0x3c01],
    ['float16', 1 + 3 * 2 ** -11 - 2 ** -40, 0x3c01],
    ['bfloat16', 1 + 2 ** -8 + 2 ** -40, 0x3f81],
    ['float8e4m3fn', 1 + 2 ** -4 + 2 ** -40, 0x39],
    ['float8e5m2', 1 + 2 ** -3 + 2 ** -40, 0x3d],
    ['float4e2m1', 1.25 + 2 ** -40, 3],
    ['float6e2m3', 0.0625 + 2 ** -56, 1],
    ['float6e3m2', 9 + 2 ** -40, 0x19],
    ['float16', 2 ** -25 * (1 + 2 ** -40), 1],
    ['bfloat16', 2 ** -134 * (1 + 2 ** -40), 1],
    ['float32', (1n << 60n) + (1n << 36n) + 1n, 2 ** 60 + 2 ** 37],
    ['float32', (1n << 60n) + (3n << 36n) - 1n, 2 ** 60 + 2 ** 37],
    ['float32', -((1n << 60n) + (1n << 36n) + 1n), -(2 ** 60 + 2 ** 37)],
    ['float32', (1n << 60n) + (1n << 36n), 2 ** 60],
    ['bfloat16', (1n << 63n) + (1n << 55n) + 1n, 0x5f01],
    ['bfloat16', (1n << 63n) + (1n << 55n), 0x5f00],
    ['float16', 2049n, 0x6800],
    ['float16', 2051n, 0x6802],
    ['float64', (1n << 53n) + 1n, 2 ** 53],
    ['float64', (1n << 53n) + 3n, 2 ** 53 + 4],
    ['float64', 1n << 2000n, Infinity],
    ['float32', -(1n << 2000n), -Infinity],
    ['float8e4m3fn', 0n, 0],
    ['float8e4m3fn', -448n, 0xfe],
  ])('%s of %p is %p', (type, value, code) => expect(encode(dtypes[type], value)).toBe(code));
});

describe('integers', () => {
  const integers = Object.values(dtypes).filter(({ format }) => format.kind === 'int');

  test.each(integers.filter(({ bits }) => bits < 8).map((dtype) => [dtype.name, dtype]))(
    '%s reads every byte, first element in the low bits',
    (_, dtype) => {
      for (let byte = 0; byte < 256; byte++) {
        const digits = byte.toString(2).padStart(8, '0');
        const expected = [];
        for (let end = 8; end > 0; end -= dtype.bits) {
          const unsigned = parseInt(digits.slice(end - dtype.bits, end), 2);
          expected.push(
            dtype.name.startsWith('int') && unsigned >= 2 ** (dtype.bits - 1) ? unsigned - 2 ** dtype.bits : unsigned,
          );
        }
        expect(decodeValues(dtype, Uint8Array.of(byte), 8 / dtype.bits)).toEqual(expected);
        expect(encoded(dtype, expected)).toEqual(Uint8Array.of(byte));
      }
    },
  );

  test.each(integers.map((dtype) => [dtype.name, dtype]))(
    '%s takes its whole range, as number and bigint, and nothing beyond',
    (name, dtype) => {
      const bits = BigInt(name.replace(/\D+/, ''));
      const low = name.startsWith('u') ? 0n : -(2n ** (bits - 1n));
      const end = low + 2n ** bits;
      const values = [low, low + 1n, 0n, 1n, end - 2n, end - 1n];
      const native = bits === 64n ? values : values.map(Number);
      expect(decodeValues(dtype, encoded(dtype, values), 6)).toEqual(native);
      if (bits < 64n) expect(decodeValues(dtype, encoded(dtype, native), 6)).toEqual(native);
      const rule = `must be in [${low}, ${end})`;
      for (const [value, text] of [
        [low - 1n, low - 1n],
        [end, end],
        [Number(end), Number(end)],
        [NaN, NaN],
        [Infinity, Infinity],
        [-Infinity, -Infinity],
      ]) {
        const act = () => encoded(dtype, [low, value]);
        expect(act).toThrow(RangeError);
        expect(act).toThrow(new RangeError(`Tensor.from: ${name} value 1 ${rule}, got ${text}`));
      }
    },
  );

  test('are cut toward zero, and only then held against the range', () => {
    expect(encoded(dtypes.int4, [7.9, -8.9, -0.9, 1.5])).toEqual(Uint8Array.of(0x87, 0x10));
    expect(encoded(dtypes.uint8, [255.9, -0.9, 2.5])).toEqual(Uint8Array.of(255, 0, 2));
    expect(encoded(dtypes.int64, [-1.9, 2 ** 62])).toEqual(BigInt64Array.of(-1n, 2n ** 62n));
    expect(() => encoded(dtypes.int4, [0, 1, 2, 9])).toThrow(
      new RangeError('Tensor.from: int4 value 3 must be in [-8, 8), got 9'),
    );
  });

  // Only `encode` follows Cast's rule: toward zero, then the low bits; NaN and infinities are 0.
  test.each([
    ['int8', 200, -56],
    ['int8', -129.9, 127],
    ['int8', 2 ** 40 + 5, 5],
    ['uint8', -1, 255],
    ['int16', 40000n, -25536],
    ['uint16', -1n, 65535],
    ['int32', 2 ** 31, -(2 ** 31)],
    ['uint32', -1, 4294967295],
    ['uint32', 2 ** 32 + 7, 7],
    ['uint32', (1n << 64n) + 9n, 9],
    ['int4', -9, 7],
    ['int4', 8n, 8],
    ['uint4', 17.9, 1],
    ['int2', 3, 3],
    ['uint2', -1, 3],
    ['int64', 2 ** 63, -(2n ** 63n)],
    ['uint64', -1, 2n ** 64n - 1n],
    ['int64', 1.9, 1n],
    ['uint64', 1n << 64n, 0n],
    ['int8', NaN, 0],
    ['int32', Infinity, 0],
    ['uint4', -Infinity, 0],
    ['int64', NaN, 0n],
    ['uint64', -Infinity, 0n],
  ])('encode(%s, %p) is %p', (type, value, code) => expect(encode(dtypes[type], value)).toBe(code));
});

test('bool: anything but zero is true', () => {
  expect(encoded(dtypes.bool, [true, false, 0, -0, 0n, 1, 2n, 0.5, NaN, -Infinity])).toEqual(
    Uint8Array.of(1, 0, 0, 0, 0, 1, 1, 1, 1, 1),
  );
  expect(decodeValues(dtypes.bool, Uint8Array.of(0, 1, 2, 255), 4)).toEqual([0, 1, 1, 1]);
});

test('complex: pairs, rounded part by part', () => {
  const values = [
    [1, -0],
    [0.1, NaN],
    [3n, (1n << 60n) + (1n << 36n) + 1n],
  ];
  expect(encoded(dtypes.complex64, values)).toEqual(Float32Array.of(1, -0, 0.1, NaN, 3, 2 ** 60 + 2 ** 37));
  expect(encoded(dtypes.complex128, values)).toEqual(Float64Array.of(1, -0, 0.1, NaN, 3, 2 ** 60 + 2 ** 36));
  expect(decodeValues(dtypes.complex128, Float64Array.of(1, -0, 0.1, NaN), 2)).toEqual([
    [1, -0],
    [0.1, NaN],
  ]);
});

test('strings and plain floats pass as they are', () => {
  expect(encoded(dtypes.string, ['', 'ä', '\0'])).toEqual(['', 'ä', '\0']);
  expect(decodeValues(dtypes.string, ['', 'ä', '\0'], 3)).toEqual(['', 'ä', '\0']);
  expect(encoded(dtypes.float32, [0.1, -0, 1e300])).toEqual(Float32Array.of(0.1, -0, Infinity));
  expect(encoded(dtypes.float64, [0.1, -0, NaN])).toEqual(Float64Array.of(0.1, -0, NaN));
});

test.each(Object.values(dtypes).map((dtype) => [dtype.name, dtype]))(
  '%s data has its class and its length, the tail zero',
  (_, dtype) => {
    const one =
      { string: 'x', complex: [1, 1], bool: true }[dtype.format.kind] ??
      (dtype.format.signed || dtype.format.special === 'finite' ? -1 : 1);
    for (let size = 0; size <= 9; size++) {
      const data = encoded(
        dtype,
        Array.from({ length: size }, () => one),
      );
      expect(data.constructor.name).toBe(dtype.array);
      expect(data.length).toBe(
        { 2: Math.ceil(size / 4), 4: Math.ceil(size / 2), 6: Math.ceil((3 * size) / 4) }[dtype.bits] ??
          (dtype.format.kind === 'complex' ? 2 * size : size),
      );
      if (dtype.bits > 0 && dtype.bits < 8 && size > 0) {
        const filled = ((size * dtype.bits - 1) % 8) + 1;
        expect(data[data.length - 1] >> filled).toBe(0);
        expect(data[data.length - 1]).not.toBe(0);
      }
      expect(encoded(dtype, decodeValues(dtype, data, size))).toEqual(data);
    }
  },
);

test.each([
  ...rows(`
  "float32", ["1"], "float32 value 0 must be a number or a bigint, got '1'"
  "float8e4m3fn", [1, true], "float8e4m3fn value 1 must be a number or a bigint, got true"
  "int4", [1, null], "int4 value 1 must be a number or a bigint, got null"
  "int64", [[1]], "int64 value 0 must be a number or a bigint, got [1]"
  "bool", ["true"], "bool value 0 must be a boolean, a number or a bigint, got 'true'"
  "string", [{}], "string value 0 must be a string, got an object"
  "string", [-0], "string value 0 must be a string, got 0"
  "complex64", [1], "complex64 value 0 must be a pair [re, im] of numbers, got 1"
  "complex64", [[1]], "complex64 value 0 must be a pair [re, im] of numbers, got [1]"
  "complex128", [[1, 2], [1, "2"]], "complex128 value 1 must be a pair [re, im] of numbers, got [1, '2']"
  "complex128", [[1, 2, 3, 4]], "complex128 value 0 must be a pair [re, im] of numbers, got [1, 2, 3, 4]"
`),
  ['uint8', new Array(1), 'uint8 value 0 must be a number or a bigint, got undefined'],
  ['string', ['a', 1n], 'string value 1 must be a string, got 1'],
  ['string', [Symbol('s')], 'string value 0 must be a string, got Symbol(s)'],
  ['string', [() => 1], 'string value 0 must be a string, got a function'],
  ['float64', ['x'.repeat(61)], `float64 value 0 must be a number or a bigint, got '${'x'.repeat(60)}…'`],
  ['float64', ['x'.repeat(60)], `float64 value 0 must be a number or a bigint, got '${'x'.repeat(60)}'`],
])('%s rejects %p', (type, values, message) => {
  expect(() => encoded(dtypes[type], values)).toThrow(TypeError);
  expect(() => encoded(dtypes[type], values)).toThrow(new TypeError(`Tensor.from: ${message}`));
});
