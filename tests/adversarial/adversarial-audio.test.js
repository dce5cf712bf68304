/**
 * Damaged files of feature extractors: whatever one setting holds, the answer is tensors or one of our errors, in
 * bounded time and memory. And WAV files in which bytes were changed.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeWav, encodeWav, featureExtractor, init } from 'onnx-layout/audio';
import { classes } from '../audio/golden-cases.js';
import { chooseSample } from '../support/sample.js';

beforeAll(() => init());

const values = [0, 1, 3, 0.5, -1, 1e9, 2 ** 53, 1e300, NaN, Infinity, null, '', 'x', [], [1], {}, true, false];

/** Settings that make the outputs short. Long ones only take longer. */
const short = { chunk_length: 1, chunk_seconds: 1, max_length_s: 1, default_audio_length: 1, max_length: 20 };

/** Expects an error of the package, which names the function, and none that the JavaScript engine throws. */
function expectOurError(error, title) {
  const isOfClass = error instanceof TypeError || error instanceof RangeError;
  const isNamed = /^(\w+FeatureExtractor|featureExtractor|decodeWav): \S/.test(error.message);
  expect([...title, isOfClass && isNamed ? 'ours' : error.stack]).toEqual([...title, 'ours']);
}

const samples = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i / 7));

const supported = Object.entries(classes.audio).filter(([, { status }]) => status.startsWith('goldens'));

describe.each(supported)('%s', (feature_extractor_type, { settings }) => {
  // Each setting is in several classes, which take the values in turn.
  const turn = Object.keys(classes.audio).indexOf(feature_extractor_type);
  const chooseValues = (at) =>
    chooseSample(
      values.filter((_, i) => i % 3 === (at + turn) % 3),
      3,
    );

  test.each(Object.keys(settings).map((name, at) => [name, at]))('with some values of %s', (name, at) => {
    for (const value of chooseValues(at)) {
      const title = [name, value];
      const begin = performance.now();
      try {
        const outputs = featureExtractor({ feature_extractor_type, ...short, [name]: value })(samples);
        for (const output of Object.values(outputs).flat())
          expect([...title, typeof output === 'object' || typeof output === 'number']).toEqual([...title, true]);
      } catch (error) {
        expectOurError(error, title);
      }
      expect([...title, performance.now() - begin < 120_000]).toEqual([...title, true]);
    }
  });
});

test('the module works on after all of these', () => {
  const { input_features: features } = featureExtractor({ feature_extractor_type: 'LasrFeatureExtractor' })(samples);
  expect(features.dims).toEqual([1, 17, 128]);
});

test('WAV files with changed bytes decode, or are refused', () => {
  const file = encodeWav({ channelData: [samples.subarray(0, 20), samples.subarray(20, 40)], sampleRate: 8000 });
  let state = 1;
  const random = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let i = 0; i < 5000; i++) {
    const bytes = file.slice(0, 1 + random(file.length));
    for (let changes = random(4); changes > 0; changes--) bytes[random(Math.min(bytes.length, 60))] = random(256);
    try {
      const { channelData } = decodeWav(bytes);
      expect(channelData.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(bytes.length);
    } catch (error) {
      expectOurError(error, [i]);
    }
  }
});
