/** Calls that pass through the module in pieces give what they give in one: lengths of a piece, one less, one more. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { NumberMap } from '../../dist/bridge/audio.js';
import * as engine from '../../js/engines/audio/index.js';
import { pieceLength } from '../../js/engines/audio/numbers.js';

beforeAll(() => engine.init());

const { fround } = Math;
const wave = (length, Class = Float32Array) => Class.from({ length }, (_, i) => Math.sin(i * 0.7) + 1.5);
const around = (length) => [length - 1, length, length + 1];

/** The first place where two lists differ, and what they have there. */
function difference(got, expected) {
  if (got.length !== expected.length) return [got.length, expected.length];
  const at = got.findIndex((x, i) => !Object.is(x, expected[i]));
  return at < 0 ? undefined : [at, got[at], expected[at]];
}

/** A function that changes numbers in place, over the whole and over parts that pieces do not end at. */
const changed = (change, length, Class) => {
  const [whole, parts] = [wave(length, Class), wave(length, Class)];
  change(whole);
  for (let at = 0; at < length; at += 9973) change(parts.subarray(at, at + 9973));
  return [whole, parts];
};

describe.each([...around(pieceLength), 2 * pieceLength + 1])('%i numbers', (length) => {
  const row = wave(length);
  const halves = [row.subarray(0, 5000), row.subarray(5000)];

  test.each(['multiply', 'standardize', 'standardizeWide', 'raise', 'raiseAfter', 'range', 'logarithm'])(
    '%s',
    (map) => {
      const [whole, parts] = changed((data) => engine.mapNumbers(data, map, [1.25, 0.75, 2]), length);
      expect(difference(whole, parts)).toBeUndefined();
    },
  );

  test('decibels', () => {
    const [whole, parts] = changed((data) => engine.decibelsOf(data, 10, 1e-10, 0), length, Float64Array);
    expect(difference(whole, parts)).toBeUndefined();
  });

  test('the range below the largest, which is in the last piece', () => {
    const data = wave(length, Float64Array);
    data[length - 1] = 100;
    engine.limitRange(data, 98);
    expect(
      difference(
        data,
        wave(length, Float64Array).map((x, i) => (i === length - 1 ? 100 : Math.max(x, 2))),
      ),
    ).toBe(undefined);
  });

  test('pre-emphasis', () => {
    const data = wave(length);
    engine.emphasizeNumbers(data, 0.75);
    const before = (i) => (i === 0 ? 0 : row[i - 1]);
    expect(
      difference(
        data,
        row.map((x, i) => fround(x - fround(0.75 * before(i)))),
      ),
    ).toBeUndefined();
  });

  test('a fade', () => {
    const data = wave(length);
    engine.fadeOut(data);
    expect([data[0], data[length - 1]]).toEqual([row[0], 0]);
    const shares = data.map((x, i) => x / row[i]);
    expect(shares.every((share, i) => Math.abs(share - (1 - i / (length - 1))) < 1e-6)).toBe(true);
  });

  test.each([
    ['inOrder', (sum, x) => fround(sum + x)],
    ['inOrderSquares', (sum, x) => fround(sum + fround(fround(x - 1) ** 2))],
    ['wide', (sum, x) => sum + x],
  ])('the sum %s', (how, add) => {
    expect(engine.reduceNumbers(row, how, how === 'inOrderSquares' ? 1 : 0)).toBe(row.reduce(add, 0));
  });

  test('the maximum, wherever it is', () => {
    for (const at of [0, pieceLength - 2, length - 1]) {
      const data = wave(length);
      data[at] = 9;
      expect([engine.reduceNumbers(data, 'maximum'), engine.reduceNumbers(data, 'largest')]).toEqual([9, 9]);
    }
  });

  test.each([1, 2, 7])('deltas over %i frames on both sides', (half) => {
    const data = engine.deltasOf(row, half);
    const near = Array.from({ length: 40 }, (_, i) => [i, pieceLength - 2 * half - 20 + i, length - 1 - i]).flat();
    for (const at of near.filter((i) => i >= 0 && i < length)) {
      const first = Math.max(0, at - half);
      const alone = engine.deltasOf(row.slice(first, at + half + 1), half);
      expect([at, data[at]]).toEqual([at, alone[at - first]]);
    }
  });

  test('codes of samples', () => {
    for (const code of Object.values(engine.codes)) {
      const bytes = (data) => {
        const to = new Uint8Array(engine.codeBytes(code) * data.length);
        engine.encodeSamples(code, [data], to, 0);
        return to;
      };
      const whole = bytes(row);
      expect([code, difference(whole, Uint8Array.from(halves.flatMap((half) => [...bytes(half)])))]).toEqual([
        code,
        undefined,
      ]);
      const [decoded, second] = [new Float32Array(length), new Float32Array(length)];
      engine.decodeSamples(code, false, whole, [decoded]);
      engine.decodeSamples(code, false, whole, [second], 0, 5000);
      engine.decodeSamples(code, false, whole.subarray(5000 * engine.codeBytes(code)), [second], 5000);
      expect([code, difference(decoded, second)]).toEqual([code, undefined]);
    }
  });
});

/** A block of 16 bits and one channel, and of two float32 channels. */
test.each(around(Math.floor(2 ** 18 / 6)))('%i samples of 16 bits', (length) => {
  const row = wave(length).map((x) => x / 4);
  const bytes = new Uint8Array(2 * length);
  engine.encodeSamples(engine.codes.pcm16, [row], bytes, 0);
  const codes = new Int16Array(bytes.buffer);
  expect(codes.findIndex((code, i) => Math.abs(code - row[i] * 32768) > 1)).toBe(-1);
  const back = new Float32Array(length);
  engine.decodeSamples(engine.codes.pcm16, false, bytes, [back]);
  expect(
    difference(
      back,
      Float32Array.from(codes, (code) => code / 32768),
    ),
  ).toBeUndefined();
});

test.each(around(Math.floor((16 * pieceLength) / 4 / 3)))('the mean of two channels of %i samples', (length) => {
  const channels = [wave(length), wave(length).map((x) => x * x)];
  const expected = channels[0].map((x, i) => fround(fround(x + channels[1][i]) / 2));
  expect(difference(engine.meanOfChannels(channels), expected)).toBeUndefined();
});

test.each([
  ...around(pieceLength / 128).flatMap((rows) => around(128).map((columns) => [rows, columns])),
  ...around(pieceLength).map((rows) => [rows, 1]),
])('a matrix of %i x %i, flipped', (rows, columns) => {
  const data = wave(rows * columns);
  const to = engine.flipNumbers(data, rows, columns, new Float32Array(rows * columns));
  const expected = to.map((_, i) => data[(i % rows) * columns + Math.floor(i / rows)]);
  expect(difference(to, expected)).toBeUndefined();
});

test.each(around(pieceLength / 64))('cepstra of %i rows of 64', (rows) => {
  const data = wave(rows * 64);
  const whole = engine.cepstraOf(data, rows, 64, 5, new Float32Array(rows * 5));
  const apart = new Float32Array(rows * 5);
  for (const at of [0, 1, rows - 2, rows - 1]) {
    const row = data.subarray(at * 64, (at + 1) * 64);
    engine.cepstraOf(row, 1, 64, 5, apart.subarray(at * 5, (at + 1) * 5));
    expect([at, difference(whole.slice(at * 5, at * 5 + 5), apart.slice(at * 5, at * 5 + 5))]).toEqual([at, undefined]);
  }
});

/** 512 frames go through at once. */
test.each(around(512))('%i frames of a spectrum', (count) => {
  const data = wave(4 * count + 4);
  const spectrum = engine.makeSpectrum({ frameLength: 8, hop: 4, window: 'hann' });
  const signal = { data, start: 0, total: data.length, left: 0, mode: 'constant' };
  const whole = new Float32Array(count * spectrum.width);
  engine.writeFrames(spectrum, signal, 0, count, { to: whole, stride: 0 });
  for (const at of [0, 510, 511, 512].filter((i) => i < count)) {
    const alone = new Float32Array(spectrum.width);
    engine.writeFrames(spectrum, signal, at, 1, { to: alone, stride: 0 });
    expect([at, [...whole.slice(at * spectrum.width, (at + 1) * spectrum.width)]]).toEqual([at, [...alone]]);
  }
});

/** NaN at each place of 1 to 40 numbers: kernels of several lanes make of it what they make of one number alone. */
describe('NaN in each lane of 1 to 40 numbers', () => {
  const calls = {
    ...Object.fromEntries(
      NumberMap.map((map) => [map, [Float32Array, (data) => engine.mapNumbers(data, map, [1.25, 0.75, 2])]]),
    ),
    decibels: [Float64Array, (data) => engine.decibelsOf(data, 10, 1e-10, 0)],
  };

  test.each(Object.entries(calls))('%s', (_, [Class, change]) => {
    const made = (data) => (change(data), data);
    const [alone] = made(Class.of(NaN));
    const wrong = [];
    for (let length = 1; length <= 40; length++) {
      const plain = made(wave(length, Class));
      for (let lane = 0; lane < length; lane++)
        if (difference(made(wave(length, Class).with(lane, NaN)), plain.with(lane, alone))) wrong.push([length, lane]);
    }
    expect([Number.isNaN(alone), wrong]).toEqual([true, []]);
  });
});
