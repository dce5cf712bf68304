/**
 * The wrappers of the audio module's kernels with extents that do not fit: a RangeError before anything is written, and
 * the next call works. Extents are products in float64, so those that an int32 would wrap are among them.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { chooseSample } from '../support/sample.js';
import * as engine from '../../js/engines/audio/index.js';

const large = [2 ** 20 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 8, 2 ** 40, 2 ** 53, 1e300, Infinity, NaN];

const wave = Float32Array.from({ length: 100 }, (_, i) => Math.sin(i));
const numbers = (length) => new Float32Array(length).fill(7);
const signal = { data: wave, start: 0, total: 100, left: 0, mode: 'constant' };
const settings = { frameLength: 8, hop: 4, window: 'hann' };
const filter = { sinc: 0, up: 3, down: 2, width: 6, cutoff: 0.99 };
/** Rates without a common divisor. */
const coprime = { ...filter, up: 5000, down: 4999 };

/** More channels than a piece has numbers. */
const many = new Array(700_000).fill(wave.subarray(0, 1));

/** Each call gets an extent that does not fit, and memory that it may write to.
 * @type {Record<string, [length: number, call: (n: number, to: Float32Array) => unknown]>} */
const calls = {
  'decodeSamples, the bytes': [10, (_, to) => engine.decodeSamples(1, false, new Uint8Array(19), [to])],
  'decodeSamples, the count': [10, (n, to) => engine.decodeSamples(1, false, new Uint8Array(20), [to], 0, n)],
  'decodeSamples, the first': [10, (n, to) => engine.decodeSamples(1, false, new Uint8Array(20), [to], n, 10)],
  'decodeSamples, a channel': [10, (_, to) => engine.decodeSamples(1, false, new Uint8Array(44), [numbers(11), to])],
  'encodeSamples, the offset': [10, (n, to) => engine.encodeSamples(1, [wave], new Uint8Array(to.buffer), n)],
  'encodeSamples, a channel': [100, (_, to) => engine.encodeSamples(1, [wave, wave.subarray(1)], to, 0)],
  deltasOf: [0, (n) => engine.deltasOf(wave, n)],
  'flipNumbers, the rows': [100, (n, to) => engine.flipNumbers(wave, n, 10, to)],
  'flipNumbers, the columns': [100, (n, to) => engine.flipNumbers(wave, 10, n, to)],
  'flipNumbers, the place': [100, (n, to) => engine.flipNumbers(wave, 10, 10, to, n)],
  'flipNumbers, the stride': [100, (n, to) => engine.flipNumbers(wave, 10, 10, to, 0, n)],
  'resizeRows, the rows': [0, (n) => engine.resizeRows(wave, [n, 10], [5, 5])],
  'resizeRows, the columns': [0, (n) => engine.resizeRows(wave, [10, n], [5, 5])],
  'resizeRows, no columns': [0, () => engine.resizeRows(wave, [10, 0], [5, 5])],
  'resizeRows, the width': [0, (n) => engine.resizeRows(wave, [10, 10], [1, n])],
  'meanOfChannels, a channel': [100, (_, to) => engine.meanOfChannels([wave, wave.subarray(1)], to)],
  'meanOfChannels, the result': [99, (_, to) => engine.meanOfChannels([wave, wave], to)],
  'meanOfChannels, their number': [1, (_, to) => engine.meanOfChannels(many, to)],
  'cepstraOf, the rows': [100, (n, to) => engine.cepstraOf(wave, n, 10, 10, to)],
  'cepstraOf, the size': [100, (n, to) => engine.cepstraOf(wave, 10, n, 10, to)],
  'cepstraOf, the count': [100, (n, to) => engine.cepstraOf(wave, 10, 10, n, to)],
  makeWindow: [0, (n) => engine.makeWindow({ kind: 'hann', length: n })],
  'makeBank, the bins': [0, (n) => engine.makeBank({ bins: n, filters: 8, rate: 8000 })],
  'makeBank, the filters': [0, (n) => engine.makeBank({ bins: 9, filters: n, rate: 8000 })],
  'makeSpectrum, the frame': [0, (n) => engine.makeSpectrum({ ...settings, frameLength: n })],
  'makeSpectrum, the FFT': [0, (n) => engine.makeSpectrum({ ...settings, fftLength: n })],
  'makeSpectrum, the filters': [0, (n) => engine.makeSpectrum({ ...settings, filters: n, rate: 8000 })],
  'makeSpectrum, weights': [
    0,
    (n) => engine.makeSpectrum({ ...settings, filters: n, weights: Float64Array.from(wave) }),
  ],
  'makeSpectrum, the window': [0, () => engine.makeSpectrum({ ...settings, window: new Float64Array(7) })],
  'makeSpectrum, means': [0, () => engine.makeSpectrum({ ...settings, means: [1, 2, 3, 4] })],
  'writeFrames, the count': [
    50,
    (n, to) => engine.writeFrames(engine.makeSpectrum(settings), signal, 0, n, { to, stride: 0 }),
  ],
  'writeFrames, the stride': [
    50,
    (n, to) => engine.writeFrames(engine.makeSpectrum(settings), signal, 0, 10, { to, stride: n }),
  ],
  'writeFrames, samples that were dropped': [
    50,
    (n, to) =>
      engine.writeFrames(engine.makeSpectrum(settings), { ...signal, total: n + 200 }, 20, 10, { to, stride: 0 }),
  ],
  'overlapFrames, the frames': [
    0,
    (n) => engine.overlapFrames(engine.makeSpectrum(settings), numbers(50), n, () => undefined),
  ],
  'makeFilter, up': [0, (n) => engine.makeFilter({ ...filter, up: 2 ** 6 * n, width: 2 ** 15 })],
  'makeFilter, down': [0, (n) => engine.makeFilter({ ...filter, down: 2 ** 5 * n })],
  'makeFilter, the width': [0, (n) => engine.makeFilter({ ...filter, width: n })],
  "makeFilter, scipy's width": [0, (n) => engine.makeFilter({ ...filter, sinc: 2, width: 10 * n })],
  'makeFilter, the scale': [0, (n) => engine.makeFilter({ ...filter, sinc: 3, scale: n })],
  'resampleRows, the rows': [90, (n, to) => engine.resampleRows(engine.makeFilter(filter), [signal], 0, n, to)],
  'resampleWide, the taps': [
    90,
    (n, to) => engine.resampleWide({ ...engine.makeFilter(filter), taps: n }, Float64Array.from(wave), to),
  ],
  'resampleRows, the rows of many phases': [
    90,
    (n, to) => engine.resampleRows(engine.makeFilter(coprime), [signal], 0, n, to),
  ],
};

const valid = () => {
  const spectrum = engine.makeSpectrum({ ...settings, energy: 'complex' });
  const bins = new Float32Array(5 * 24 * 2);
  engine.writeFrames(spectrum, signal, 0, 24, { to: bins, stride: 24 });
  const samples = [];
  engine.overlapFrames(spectrum, bins, 24, (piece) => samples.push(...piece));
  const to = numbers(60);
  engine.resampleRows(engine.makeFilter(filter), [signal], 0, 20, to);
  return [...bins, ...samples, ...to, ...engine.deltasOf(wave, 2)];
};

let expected;
beforeAll(async () => {
  await engine.init();
  expected = valid();
});

test.each(Object.entries(calls))('%s: a RangeError, nothing is written, and the module works on', (_, call) => {
  const [length, work] = call;
  for (const n of chooseSample(large, 3)) {
    const to = numbers(length);
    expect(() => work(n, to)).toThrow(RangeError);
    expect(to).toEqual(numbers(length));
  }
  expect(valid()).toEqual(expected);
});

test.each([263, 4078, 8191, 17989])('a transform of %i samples, whose prime factor is large', (length) => {
  const [bin, amplitude] = [length >> 3, 0.75];
  const data = Float64Array.from(
    { length },
    (_, i) => amplitude * Math.cos((2 * Math.PI * ((i * bin) % length)) / length),
  );
  const plain = { frameLength: length, hop: 1, window: new Float64Array(length).fill(1), wide: true };
  const spectrum = engine.makeSpectrum({ ...plain, energy: 'magnitude' });
  const to = new Float64Array((length >> 1) + 1);
  engine.writeFrames(spectrum, { data, start: 0, total: length, left: 0, mode: 'constant' }, 0, 1, { to, stride: 1 });
  const greatest = (amplitude * length) / 2;
  const off = to.map((x, k) => Math.abs(x - (k === bin ? greatest : 0)) / greatest);
  expect(Math.max(...off)).toBeLessThan(2e-15);
});

test('a transform with a large prime factor has at most 18,000 samples', () => {
  const make = (fftLength) => engine.makeSpectrum({ ...settings, fftLength });
  expect(() => make(18_013)).toThrow('fft_length must be at most 18000 with a large prime factor, got 18013');
  expect(make(54_600).width).toBe(27_301);
  // The tables leave room for filters.
  expect(engine.makeSpectrum({ ...settings, fftLength: 17_989, filters: 30, rate: 48_000 }).width).toBe(30);
});

test('frames far apart have silence between them', () => {
  const spectrum = engine.makeSpectrum({ ...settings, hop: 200_000, energy: 'complex' });
  const pieces = [];
  engine.overlapFrames(spectrum, numbers(5 * 2 * 3), 3, (piece, at) => pieces.push([at, piece.length]));
  expect(pieces).toEqual([
    [0, 8],
    [200_000, 8],
    [400_000, 8],
  ]);
});
