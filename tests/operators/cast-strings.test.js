/** Cast to and from strings: the texts as they are written, and reading them back, exactly. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, init } from 'onnx-layout';
import { expectError, expectTensor, expectErrors } from '../support/assertions.js';
import { codeOf, isNaNCode, middlesOf, numberOf, numberTypes } from './cast.reference.js';
import { floats } from '../tensor/codec.reference.js';
import { fromCodes, toCodes, types } from '../support/reference.js';
import { generator } from '../support/samples.js';
import { pairs, words } from '../support/tables.js';

beforeAll(() => init());

const tensor = (type, values) => ({ type, data: types[type].array.from(values), dims: [values.length] });
const texts = (type, values) => cast(tensor(type, values), 'string').data;
const numbers = (type, strings, options) =>
  cast({ type: 'string', data: strings, dims: [strings.length] }, type, options).data;

test.each([
  [
    'float32',
    [1, -2.5, 0.1, 314.15926, 16777216, 2 ** -13, 123456.789],
    ['1', '-2.5', '0.1', '314.15927', '16777216', '0.00012207031', '123456.79'],
  ],
  [
    'float32',
    [9e-5, 1e-45, 1e16, 3.4028234663852886e38, 9999999198822400],
    ['9e-05', '1e-45', '1e+16', '3.4028235e+38', '9999999000000000'],
  ],
  ['float32', [0, -0, NaN, Infinity, -Infinity], ['0', '-0', 'NaN', 'INF', '-INF']],
  [
    'float64',
    [1 / 3, -1e300, 5e-324, 2 ** 53, 0.1 + 0.2],
    ['0.3333333333333333', '-1e+300', '5e-324', '9007199254740992', '0.30000000000000004'],
  ],
  [
    'float16',
    [0x3555, 0x7bff, 0x0001, 0x7c00, 0xfc00, 0x7e00, 0x8000],
    ['0.3333', '65500', '6e-08', 'INF', '-INF', 'NaN', '-0'],
  ],
  ['bfloat16', [0x3eab, 0x4049, 0x7f80], ['0.334', '3.14', 'INF']],
  ['float8e4m3fn', [0x7e, 0x01, 0x7f, 0xff], ['448', '0.001953125', 'NaN', 'NaN']],
  ['float8e5m2', [0x7b, 0x7c, 0xfc, 0x80], ['57344', 'INF', '-INF', '-0']],
  ['float8e8m0', [127, 0, 254, 255, 126], ['1', '5.877472e-39', '1.7014118e+38', 'NaN', '0.5']],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n, 0n], ['-9223372036854775808', '9223372036854775807', '0']],
  ['uint64', [2n ** 64n - 1n], ['18446744073709551615']],
  ['int8', [-128, 127], ['-128', '127']],
  ['uint32', [4294967295], ['4294967295']],
  ['bool', [0, 1, 2], ['False', 'True', 'True']],
])('%s %p is written %j', (type, values, expected) => expect(texts(type, values)).toEqual(expected));

test('packed elements are written one by one', () => {
  expect(cast({ type: 'int4', data: Uint8Array.of(0x81, 0xf7), dims: [3] }, 'string').data).toEqual(['1', '-8', '7']);
  expect(cast({ type: 'uint2', data: Uint8Array.of(0b00111001), dims: [2, 2] }, 'string')).toMatchObject({
    dims: [2, 2],
    data: ['1', '2', '3', '0'],
  });
  expect(cast({ type: 'float4e2m1', data: Uint8Array.of(0xf1, 0x0a), dims: [3] }, 'string').data).toEqual([
    '0.5',
    '-6',
    '-1',
  ]);
});

const digitsOf = (text) => text.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;

// By the definition of the fewest: a text with as few digits as toPrecision needs to name the number.
function expectShortest(type, value, text, back) {
  let precision = 1;
  while (back(Number(value.toPrecision(precision))) !== back(value)) precision++;
  if (back(Number(text)) !== back(value) || digitsOf(text) > precision)
    throw new Error(`${type} ${value} is written ${text}`);
}

describe('floats are written by the fewest digits that name them', () => {
  test.each(['float16', 'bfloat16'])('%s, every code', (type) => {
    const codes = Array.from({ length: 65536 }, (_, code) => code).filter(
      (code) => Number.isFinite(numberOf(type, code)) && numberOf(type, code) !== 0,
    );
    texts(type, codes).forEach((text, i) =>
      expectShortest(type, numberOf(type, codes[i]), text, (value) => codeOf(type, value)),
    );
  });

  test('float32 and float64, of every magnitude', () => {
    const random = generator(1);
    const codes = Array.from(
      { length: 255 * 16 },
      (_, i) => (((i >> 4) << 23) | (i % 4 === 0 ? 0 : random() >>> 9)) >>> 0,
    ).filter((code) => code !== 0);
    texts(
      'float32',
      codes.map((code) => numberOf('float32', code)),
    ).forEach((text, i) => expectShortest('float32', numberOf('float32', codes[i]), text, Math.fround));
    const values = Array.from({ length: 6000 }, () =>
      numberOf('float64', (BigInt(random()) << 32n) | BigInt(random())),
    ).filter(Number.isFinite);
    texts('float64', values).forEach((text, i) => {
      // The language's own text has the fewest digits too.
      if (Number(text) !== values[i] || digitsOf(text) !== digitsOf(String(values[i])))
        throw new Error(`${values[i]} is written ${text}`);
    });
  });
});

test.each(numberTypes)('%s is read back from its own text', (type) => {
  const { bits } = types[type];
  const random = generator(2);
  const random64 = () => (BigInt(random()) << 32n) | BigInt(random());
  const codes = Array.from({ length: bits <= 16 ? 2 ** bits : 4000 }, (_, i) =>
    bits <= 16 ? i : bits === 32 ? random() : random64(),
  );
  const data = fromCodes(type, codes);
  const strings = cast({ type, data, dims: [codes.length] }, 'string');
  for (const options of [{}, { saturate: 0, round_mode: 'nearest' }]) {
    // Saturation has no infinities left.
    const limit = (code) => (type === 'float8e5m2' && options.saturate !== 0 && code % 128 === 0x7c ? code - 1 : code);
    const expected = codes.map((code) => (type === 'bool' ? Math.sign(code) : limit(code)));
    const actual = toCodes(type, cast(strings, type, options).data, codes.length);
    const wrong = expected.filter(
      (code, i) => code !== actual[i] && !(isNaNCode(type, code) && isNaNCode(type, actual[i])),
    );
    expect(wrong).toEqual([]);
  }
});

/** All decimal digits of a float64 > 0: [digits, power of ten]. */
function decimalOf(value) {
  let [whole, twos] = [value, 0];
  for (; !Number.isInteger(whole); twos++) whole *= 2;
  return [BigInt(whole) * 5n ** BigInt(twos), -twos];
}

describe('a decimal number is rounded once', () => {
  test.each(Object.keys(floats))('to %s: the middles of neighbors, and less than any float beside them', (type) => {
    const all = middlesOf(type)
      .map((value, code) => [value, code])
      .slice(0, -1); // beyond the last one is overflow
    const cases = all.filter((_, i) => all.length < 300 || i % 37 === 0);
    const strings = [];
    const expected = [];
    for (const [value, code] of cases) {
      const [digits, power] = decimalOf(value);
      const spelt = (nearby) => `${digits * 10n ** 40n + nearby}e${power - 40}`;
      for (const [nearby, wanted] of [
        [-1n, code],
        [0n, code % 2 ? code + 1 : code],
        [1n, code + 1],
      ]) {
        strings.push(spelt(nearby), `-${spelt(nearby)}`);
        const signBit = 2 ** (types[type].bits - 1);
        expected.push(wanted, wanted === 0 && type.endsWith('fnuz') ? 0 : wanted + signBit);
      }
    }
    expect(strings.length).toBeGreaterThan(40);
    const actual = cast({ type: 'string', data: strings, dims: [strings.length] }, type);
    expectTensor(actual, type, [strings.length], fromCodes(type, expected));
  });

  test('to float32 and float64', () => {
    const random = generator(3);
    const strings = [];
    const expected = [];
    for (let field = 0; field < 254; field++) {
      const code = field * 2 ** 23 + (random() >>> 9);
      const middle = (numberOf('float32', code) + numberOf('float32', code + 1)) / 2;
      const [digits, power] = decimalOf(middle);
      for (const [nearby, wanted] of [
        [-1n, code],
        [0n, code % 2 ? code + 1 : code],
        [1n, code + 1],
      ]) {
        strings.push(`${digits * 10n ** 40n + nearby}e${power - 40}`);
        expected.push(wanted);
      }
    }
    expect(numbers('float32', strings)).toEqual(fromCodes('float32', expected));
    expect([
      ...numbers('float64', [
        '9007199254740993',
        '9007199254740993.00000000001',
        '0.1',
        '1.7976931348623159e308',
        '2e-324',
      ]),
    ]).toEqual([9007199254740992, 9007199254740994, 0.1, Infinity, 0]);
  });
});

/** A text, and the number that another spells plainly. */
const asNumber = ([text, plain]) => [text, Number(plain)];

test.each([
  ...pairs('1:1 +1:1 -1:-1 007:7 3.14:3.14 1.:1 .5:0.5 -.5:-0.5 1e-5:0.00001 1E8:100000000 1e+3:1000').map(asNumber),
  ...pairs('.5e1:5 5.E-1:0.5 -0:-0 0e999999999999:0 1e-999999999999:0 -1e-999999999999:-0').map(asNumber),
  ['1e999999999999', Infinity],
  [`1e${'9'.repeat(400)}`, Infinity],
  [`1e-${'9'.repeat(400)}`, 0],
  [`0.${'0'.repeat(5000)}1e5001`, 1],
  [`1${'0'.repeat(5000)}e-5000`, 1],
  ...words('NaN nan NAN -nan +NaN').map((text) => [text, NaN]),
  ...words('INF inf +INF +Inf Infinity +infinity').map((text) => [text, Infinity]),
  ...words('-INF -inf -INFINITY').map((text) => [text, -Infinity]),
])('%j is read as %p', (text, value) => {
  expect(numbers('float64', [text])).toEqual(Float64Array.of(value));
  expect(numbers('float32', [text])).toEqual(Float32Array.of(value));
  expect(numbers('float16', [text])).toEqual(fromCodes('float16', [codeOf('float16', value)]));
});

// Toward zero, then modulo 2^bits, from the exact number.
test.each([
  [
    'int64',
    ['9223372036854775807', '-9223372036854775808', '9007199254740993', '9007199254740993.9', '-1.99'],
    [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 2n ** 53n + 1n, -1n],
  ],
  [
    'int64',
    ['9223372036854775808', '18446744073709551617', '1e19', '1e63', '1e64', '1e999999999999'],
    [-(2n ** 63n), 1n, BigInt.asIntN(64, 10n ** 19n), -(2n ** 63n), 0n, 0n],
  ],
  [
    'uint64',
    ['18446744073709551615', '-1', '12345678901234567890.5e0', '1e-999999999999', `1${'0'.repeat(300)}e-300`],
    [2n ** 64n - 1n, 2n ** 64n - 1n, 12345678901234567890n, 0n, 1n],
  ],
  [
    'int32',
    ['100.5', '-100.5', '2147483648', '1e3', '0.000123e6', '123e-2', '99e-3'],
    [100, -100, -2147483648, 1000, 123, 1, 0],
  ],
  ['uint8', ['255', '256', '-1', '1e2', '300.9', 'NaN', 'INF', '-infinity'], [255, 0, 255, 100, 44, 0, 0, 0]],
  ['int8', ['200', '-129', '-0', '0.99', '-0.99'], [-56, 127, 0, 0, 0]],
])('integers: %s of %j is %p', (type, strings, values) =>
  expect(numbers(type, strings)).toEqual(types[type].array.from(values)),
);

test('packed integers and small floats from strings', () => {
  expect(numbers('int4', ['7', '-8', '9', '-1.5', '1e1'])).toEqual(Uint8Array.of(0x87, 0xf9, 0x0a));
  expect(numbers('uint2', ['1', '2', '3', '4', '5'])).toEqual(Uint8Array.of(0b00111001, 0b01));
  expect(numbers('float4e2m1', ['0.25', '0.26', '-7', 'nan', 'inf'])).toEqual(Uint8Array.of(0x10, 0x8f, 0x07));
  expect(numbers('float6e2m3', ['NaN', 'INF', '-INF', '0.125'])).toEqual(Uint8Array.of(0xe0, 0xf7, 0x07));
  expect(numbers('float8e4m3fn', ['448', '464', '464.0001', 'inf', '-1e9'])).toEqual(
    Uint8Array.of(0x7e, 0x7e, 0x7e, 0x7e, 0xfe),
  );
  expect(numbers('float8e4m3fn', ['448', '464', '464.0001', 'inf', '-1e9'], { saturate: 0 })).toEqual(
    Uint8Array.of(0x7e, 0x7e, 0x7f, 0x7f, 0xff),
  );
});

test('float8e8m0 from strings: rounded as asked, by way of float32', () => {
  const strings = ['1', '1.1', '1.5', '0', '-1', '1e39', 'NaN', '1.00000000001'];
  expect([...numbers('float8e8m0', strings)]).toEqual([127, 128, 128, 0, 0, 254, 255, 127]);
  expect([...numbers('float8e8m0', strings, { round_mode: 'down' })]).toEqual([127, 127, 127, 0, 0, 254, 255, 127]);
  expect([...numbers('float8e8m0', strings, { round_mode: 'nearest', saturate: 0 })]).toEqual([
    127, 127, 128, 255, 255, 255, 255, 127,
  ]);
});

test('bool from strings: true and false in any case, and numbers', () => {
  expect([
    ...numbers('bool', ['True', 'False', 'true', 'FALSE', '1', '0', '-0.0', '0.5', '1e-999', '0e5', 'NaN', '-INF']),
  ]).toEqual([1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1]);
  for (const type of numberTypes.filter((name) => name !== 'bool')) {
    const message = "Cast-28: data must hold numbers, got 'True' at 1";
    expectError(() => numbers(type, ['1', 'True']), RangeError, message, type);
  }
});

describe('what spells no number', () => {
  test.each([
    ...['', ' ', '1 ', ' 1', '1\n', '\t1', 'Hello World!', '\u0661', '\u221e', '1\0'],
    ...words(
      'abc 0x10 0b1 1_000 1,5 1e 1e+ e5 . + - --1 +-1 1.2.3 1e1.5 nano infinit INF1 1f 1n NaN(1) null undefined',
    ),
  ])('%j', (text) => {
    for (const type of numberTypes)
      expectError(
        () => numbers(type, ['1', '2', text, '4']),
        RangeError,
        `Cast-28: data must hold numbers, got '${text}' at 2`,
        type,
      );
  });

  test('is named with the version that was asked for', () =>
    expectErrors({
      "RangeError: Cast-9: data must hold numbers, got 'x' at 0": () => numbers('float32', ['x'], { opset: 9 }),
    }));
});

test('strings to strings: any text', () => {
  const strings = ['', ' a', 'NaN', '\ud83d\ude00', 'x'.repeat(1000)];
  expectTensor(cast({ type: 'string', data: strings, dims: [5] }, 'string'), 'string', [5], strings);
  expectTensor(cast({ type: 'string', data: [], dims: [0, 2] }, 'float32'), 'float32', [0, 2], new Float32Array(0));
  expectTensor(cast({ type: 'uint2', data: new Uint8Array(0), dims: [0, 2] }, 'string'), 'string', [0, 2], []);
  expectTensor(cast({ type: 'string', data: ['-1.5'], dims: [] }, 'float32'), 'float32', [], Float32Array.of(-1.5));
});
