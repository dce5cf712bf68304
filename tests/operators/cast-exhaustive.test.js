/**
 * Number formats to others: all codes of at most 16 bits, stratified ones above, against the definitions and
 * against js/tensor/codec.js.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, dtypes, init } from 'onnx-layout';
import { decode, encode, store } from '../../js/tensor/codec.js';
import { codeOf, floats8, isNaNCode, middlesOf, numberOf, numberTypes } from './cast.reference.js';
import { floats } from '../tensor/codec.reference.js';
import { fromCodes, toCodes, types } from '../support/reference.js';
import { chooseSample } from '../support/sample.js';
import { generator } from '../support/samples.js';

beforeAll(() => init());

const random = generator(4);
const random64 = () => (BigInt(random()) << 32n) | BigInt(random());

/**
 * Every code of a type of at most 16 bits; packed ones drawn, so that each stands in every place of a byte beside every
 * other.
 */
function allCodes(bits) {
  return bits < 8
    ? Array.from({ length: 4001 }, () => random() % 2 ** bits)
    : Array.from({ length: 2 ** bits }, (_, code) => code);
}

// Where the formats have their last place and one bit more: 1.5 units of it are a tie.
const precisions = [1, 2, 3, 4, 8, 11, 24, 53];

/** Integers of every length: the ends, random ones, and the ties of every format with both neighbors; as codes. */
function integerCodes(bits) {
  const codes = [0n, 1n, 2n ** BigInt(bits) - 1n];
  for (let length = 1; length <= bits; length++) {
    const top = 1n << BigInt(length - 1);
    codes.push(
      top,
      top - 1n,
      top + 1n,
      ...Array.from({ length: 8 }, () => top | BigInt.asUintN(length - 1, random64())),
    );
    for (const precision of precisions.filter((p) => p < length - 1)) {
      const unit = 1n << BigInt(length - precision);
      for (const drawn of [0n, unit, random64() & (top - 1n), random64() & (top - 1n)]) {
        const tie = ((top | (drawn & (top - 1n))) / unit) * unit + unit / 2n;
        codes.push(tie - 1n, tie, tie + 1n);
      }
    }
  }
  const both = codes.flatMap((code) => [code, -code]).map((code) => BigInt.asUintN(bits, code));
  return bits === 64 ? both : both.map(Number);
}

/**
 * Float codes: each exponent with round, nearly round and random fractions, NaNs, and the middles of the target's
 * numbers with both neighbors.
 */
function floatCodes(type, target) {
  const { bits } = types[type];
  const [exponents, mantissa] = bits === 64 ? [2048n, 52n] : [256n, 23n];
  const codes = [];
  for (let field = 0n; field < exponents; field++) {
    const drawn = Array.from({ length: bits === 64 ? 2 : 32 }, () => BigInt.asUintN(Number(mantissa), random64()));
    const half = 1n << (mantissa - 1n);
    for (const fraction of [
      0n,
      1n,
      half,
      half - 1n,
      half + 1n,
      2n * half - 1n,
      ...drawn,
      ...drawn.map((bitsOf) => ((bitsOf >> 20n) << 20n) | (random64() & 1n)),
    ])
      codes.push((field << mantissa) | fraction);
  }
  // The ties of float32, of which there are too many to take all.
  if (bits === 64) {
    for (let field = 1023n - 150n; field < 1023n + 129n; field++) {
      const tie = (field << 52n) | (BigInt.asUintN(23, random64()) << 29n) | (1n << 28n);
      codes.push(tie - 1n, tie, tie + 1n);
    }
  }
  if (floats[target] || target === 'float8e8m0') {
    for (const middle of middlesOf(target)) {
      const code = BigInt(codeOf(type, middle));
      codes.push(code - 1n, code, code + 1n);
    }
  }
  const both = codes.flatMap((code) => [code, code | (1n << BigInt(bits - 1))]);
  return bits === 64 ? both : both.map(Number);
}

function codesFor(type, target) {
  const { bits } = types[type];
  if (bits <= 16) return allCodes(bits);
  return type.startsWith('float') ? floatCodes(type, target) : integerCodes(bits);
}

const variants = (target) =>
  floats8.includes(target)
    ? [true, false].flatMap((saturate) =>
        (target === 'float8e8m0' ? ['up', 'down', 'nearest'] : ['up']).map((round_mode) => ({ saturate, round_mode })),
      )
    : [{ saturate: true, round_mode: 'up' }];

/** The first cases in which two lists of codes differ, a NaN being a NaN. */
function differences(type, from, codes, actual, expected) {
  const found = [];
  if (actual.length !== expected.length) return [['length', actual.length, expected.length]];
  for (let i = 0; i < actual.length && found.length < 4; i++) {
    if (actual[i] !== expected[i] && !(isNaNCode(type, actual[i]) && isNaNCode(type, expected[i])))
      found.push([numberOf(from, codes[i]), actual[i].toString(16), expected[i].toString(16)]);
  }
  return found;
}

test('there are 25 number types', () => expect(numberTypes.length).toBe(25));

const pairs = numberTypes.flatMap((from) => numberTypes.filter((to) => to !== from).map((to) => [from, to]));
describe('a third of the pairs, which the commit chooses', () => {
  test.each(chooseSample(pairs, 3))('%s to %s', (from, to) => {
    const codes = codesFor(from, to);
    const size = codes.length;
    const data = fromCodes(from, codes);
    const input = { type: from, data, dims: [size] };
    const values = Array.from(codes, (code) => numberOf(from, code));
    for (const options of variants(to)) {
      const { saturate, round_mode } = options;
      const actual = toCodes(to, cast(input, to, options).data, size);
      const expected = Array.from(values, (value) => codeOf(to, value, saturate, round_mode));
      expect([options, differences(to, from, codes, actual, expected)]).toEqual([options, []]);

      const scalar = new types[to].array(fromCodes(to, actual).length);
      for (let i = 0; i < size; i++)
        store(dtypes[to], scalar, i, encode(dtypes[to], decode(dtypes[from], data, i), options));
      expect([options, differences(to, from, codes, actual, toCodes(to, scalar, size))]).toEqual([options, []]);
    }
  });
});

test.each(numberTypes)('%s to itself is a copy, bit for bit, but that a bool becomes 0 or 1', (type) => {
  const codes = codesFor(type, type);
  const data = fromCodes(type, codes);
  for (const saturate of [true, false]) {
    const result = cast({ type, data, dims: [codes.length] }, type, { saturate, round_mode: 'down' });
    expect(
      differences(
        type,
        type,
        codes,
        toCodes(type, result.data, codes.length),
        type === 'bool' ? codes.map(Math.sign) : codes,
      ),
    ).toEqual([]);
    if (type !== 'bool') expect(Buffer.compare(Buffer.from(result.data.buffer), Buffer.from(data.buffer))).toBe(0);
  }
});
