/** Streams that write to the caller's memory: equal bytes, and no arrays after the first calls. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import {
  featureExtractor,
  init,
  resampleStream,
  spectrogram,
  spectrogramStream,
  windowFunction,
} from 'onnx-layout/audio';
import { joinParts } from './stream-parts.js';

beforeAll(() => init());

const samples = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i * i * 1e-5) / 2);
const named = (name, more) => ({ feature_extractor_type: `${name}FeatureExtractor`, ...more });

/** All parts of a stream that is fed in pieces of 400 samples, each copied before the next call. */
function parts(stream, out) {
  const given = {};
  const take = (outputs) => {
    for (const [name, { type, dims, data }] of Object.entries(outputs ?? {})) {
      if (out) expect(data.buffer).toBe((out[name].data ?? out[name]).buffer);
      (given[name] ??= []).push({ type, dims, data: data.slice() });
    }
  };
  for (let at = 0; at < samples.length; at += 400) take(stream.push(samples.subarray(at, at + 400), { out }));
  take(stream.end({ out }));
  return Object.fromEntries(Object.entries(given).map(([name, list]) => [name, joinParts(list, stream.axes[name])]));
}

describe.each([
  ['Lasr', { return_attention_mask: true }, { input_features: new Float32Array(2000), attention_mask: 'uint8' }],
  ['Gemma3nAudio', {}, { input_features: new Float32Array(2000), input_features_mask: 'uint8' }],
  ['Dac', {}, { input_values: Tensor.from('float32', new Float32Array(700), [700]), padding_mask: 'int32' }],
  ['MuseSpark', {}, { input_values: new Float32Array(2000), input_values_mask: 'int32' }],
])('%s', (name, options, out) => {
  const memory = Object.fromEntries(
    Object.entries(out).map(([key, value]) => [
      key,
      value === 'uint8' ? new Uint8Array(2000) : value === 'int32' ? new Int32Array(2000) : value,
    ]),
  );

  test('gives the same bytes in memory of the caller', () => {
    const extract = featureExtractor(named(name));
    expect(parts(extract.stream(options), memory)).toEqual(parts(extract.stream(options)));
  });
});

test('a spectrogram and a resampling take out', () => {
  const options = { window: windowFunction(400), frame_length: 400, hop_length: 160 };
  const spectrogram = new Float64Array(1000);
  expect(parts(spectrogramStream(options), { spectrogram })).toEqual(parts(spectrogramStream(options)));
  const out = new Float32Array(300);
  const [a, b] = [0, 1].map(() => resampleStream({ orig_freq: 16000, new_freq: 8000 }));
  expect(b.push(samples.subarray(0, 500), { out })).toEqual(a.push(samples.subarray(0, 500)));
  expect(b.end({ out }).buffer).toBe(out.buffer);
});

test('a stream keeps what float64 samples have beyond float32, also behind float32 ones', () => {
  const options = { window: windowFunction(400), frame_length: 400, hop_length: 160 };
  const wide = Float64Array.from(samples, (x, i) => (i < 400 ? x : x / 3));
  const stream = spectrogramStream(options);
  const pieces = [samples.subarray(0, 200), samples.subarray(200, 400), wide.subarray(400)];
  const outputs = [...pieces.map((piece) => stream.push(piece)), stream.end()];
  const made = outputs.filter(Boolean).map((output) => output.spectrogram);
  expect(joinParts(made, 1)).toEqual(spectrogram(wide, options));
});

test.each([
  [new Float32Array(1), RangeError, 'out must have room for 128 numbers, got 1'],
  [new Float64Array(9999), TypeError, 'out must be a Float32Array, got Float64Array'],
])('memory that does not fit is refused', (input_features, Class, message) => {
  const stream = featureExtractor(named('Lasr')).stream();
  const push = () => stream.push(samples.subarray(0, 500), { out: { input_features } });
  expect(push).toThrow(new Class(`LasrFeatureExtractor: ${message}`));
});

test('a stream with out allocates no arrays after its first calls', () => {
  const stream = featureExtractor(named('Lasr')).stream();
  const out = { input_features: new Float32Array(3 * 128) };
  const made = [];
  const classes = [Float32Array, Float64Array, Uint8Array, Int32Array];
  const piece = samples.subarray(0, 400);
  for (let i = 0; i < 4; i++) stream.push(piece, { out });
  // The module's own calls see these classes: a subclass stands for each while the stream runs.
  const before = classes.map(({ name }) => globalThis[name]);
  for (const Class of classes)
    globalThis[Class.name] = new Proxy(Class, {
      construct(target, given, newTarget) {
        if (typeof given[0] === 'number' || Array.isArray(given[0])) made.push([target.name, given[0]]);
        return Reflect.construct(target, given, newTarget);
      },
    });
  try {
    for (let i = 0; i < 40; i++) stream.push(piece, { out });
    expect(made).toEqual([]);
    stream.push(piece);
  } finally {
    classes.forEach(({ name }, i) => {
      globalThis[name] = before[i];
    });
  }
  // Without out there is one.
  expect(made.map(([name]) => name)).toEqual(['Float32Array']);
});
