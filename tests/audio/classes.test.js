/** Every feature extractor class of transformers, and the names that JavaScript files alone use. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { featureExtractor, init } from 'onnx-layout/audio';
import { expectBytes } from '../support/assertions.js';
import { rowOf } from '../../js/audio/rows.js';
import { settingReaders } from '../../js/audio/settings.js';
import { table } from '../../js/audio/table.js';
import { audioOf, bytesOf, casesOf, classes, expectRecord } from './golden-cases.js';
import { streamed } from './stream-parts.js';

beforeAll(() => init());

/** Settings that Python derives of others and writes to files. */
const derived = [
  ...['n_samples', 'nb_max_frames', 'nb_frequency_bins', 'nb_max_samples', 'frame_length', 'fft_length', 'hop_length'],
  ...['n_fft', 'n_freqs', 'sample_size', 'sample_stride', 'num_max_samples', 'window_size', 'melspec_kwargs'],
  ...['stem_indices', 'frame_shift', 'num_mel_bins', 'stride'],
];

test.each(Object.entries(table))('the settings of %s have readers', (_, own) =>
  expect(Object.keys(rowOf(own).defaults).filter((name) => !settingReaders[name])).toEqual([]),
);

/** Null is what Python fills in of others: the frame's length, and half of the rate. */
const filledIn = { InklingFeatureExtractor: { n_fft: null }, UnivNetFeatureExtractor: { fmax: null } };

describe.each(Object.entries(classes.audio))('%s', (feature_extractor_type, { status, settings, model_types }) => {
  if (!status.startsWith('goldens')) {
    test('is refused with a reason', () => {
      const message = {
        Pop2PianoFeatureExtractor: 'needs a beat tracker, which this package lacks',
        MarkupLMFeatureExtractor: 'reads HTML and no audio',
      }[feature_extractor_type];
      const make = () => featureExtractor({ feature_extractor_type });
      expect(make).toThrow(new RangeError(`featureExtractor: ${feature_extractor_type} ${message}`));
    });
    return;
  }

  test('is told by the model types of config.json', () => {
    const named = model_types.map(
      (model_type) => featureExtractor({ 'preprocessor_config.json': {}, 'config.json': { model_type } }).className,
    );
    expect(named).toEqual(model_types.map(() => feature_extractor_type));
  });

  test('has its name and rate, and reads the settings of its own file', () => {
    const extract = featureExtractor({ feature_extractor_type, ...settings });
    expect(extract.className).toBe(feature_extractor_type);
    expect(extract.sampling_rate).toBe(settings.sampling_rate);
    expect(extract.ignored.filter((name) => !derived.includes(name))).toEqual([]);
  });

  test('has the defaults of its class in Python', () => {
    const { defaults } = rowOf(table[feature_extractor_type.replace('FeatureExtractor', '')]);
    const theirs = Object.keys(defaults).map((name) => [name, settings[name]]);
    expect(defaults).toEqual({ ...Object.fromEntries(theirs), ...filledIn[feature_extractor_type] });
  });

  const samples = new Float32Array(settings.sampling_rate).map((_, i) => Math.sin(i * i * 1e-5) / 2);

  test('takes its defaults where a file has none', () => {
    const [bare, full] = [{}, settings].map((file) => featureExtractor({ feature_extractor_type, ...file })(samples));
    expect(Object.keys(bare)).toEqual(Object.keys(full));
    for (const [name, { type, dims, data }] of Object.entries(bare)) {
      expect([type, dims]).toEqual([full[name].type, full[name].dims]);
      if (data) expectBytes(data, full[name].data);
    }
  });

  test('gives in chunks what it gives of the whole', () => {
    const extract = featureExtractor({ feature_extractor_type, ...settings });
    const whole = extract(samples);
    const joined = streamed(extract.stream(), samples, [1, 1600, 77, 4001]);
    expect(Object.keys(joined).sort()).toEqual(Object.keys(whole).sort());
    for (const [name, { type, dims, data }] of Object.entries(whole)) {
      expect([name, joined[name].type, joined[name].dims]).toEqual([name, type, dims]);
      if (data)
        expect([name, Buffer.from(joined[name].data.buffer).equals(Buffer.from(data.buffer))]).toEqual([name, true]);
    }
  });
});

const empty = JSON.parse(Buffer.from(bytesOf('empty.json')).toString());
test.each(Object.entries(empty))('%s makes of empty audio what Python makes', (feature_extractor_type, records) => {
  const extract = () => featureExtractor({ feature_extractor_type })(new Float32Array(0));
  if (records.error) expect(extract).toThrow(RangeError);
  else {
    const outputs = extract();
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(records).sort());
    for (const [name, record] of Object.entries(records)) expectRecord(outputs[name], record, name);
  }
});

/** The goldens of one waveform of one channel: what a stream takes. */
const single = casesOf('extract').filter(({ audio }) => typeof audio === 'string');
test.each(single.map((one) => [one.id, one]))('%s in chunks', (_, { config, audio, options, outputs }) => {
  const joined = streamed(featureExtractor(config).stream(options), audioOf(audio), [1600, 7, 30000]);
  for (const [name, record] of Object.entries(outputs)) expectRecord(joined[name], record, name);
});

describe('not Python:', () => {
  const samples = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i / 9) / 2);
  const outputsOf = (name) => featureExtractor({ feature_extractor_type: `${name}FeatureExtractor` })(samples);

  test.each([
    ['Moonshine', [1, 16000]],
    ['Chatterbox', [1, 16000]],
    ['PyAnnote', [1, 1, 16000]],
  ])('%s gives the waveform', (name, dims) => {
    const { input_values: values } = outputsOf(name);
    expect([values.type, values.dims]).toEqual(['float32', dims]);
    expect(values.data).toEqual(samples);
  });

  test('Snac is Dac', () => {
    const { input_values: values, padding_mask: mask } = outputsOf('Snac');
    expect([values.dims, mask.dims]).toEqual([
      [1, 1, 16384],
      [1, 16384],
    ]);
  });

  test("WeSpeaker's mels have the mean 0 over time", () => {
    const { input_features: features } = outputsOf('WeSpeaker');
    expect(features.dims).toEqual([1, 98, 80]);
    for (let k = 0; k < 80; k++) {
      const mean = features.data.reduce((sum, x, i) => (i % 80 === k ? sum + x : sum), 0) / 98;
      expect(Math.abs(mean)).toBeLessThan(1e-5);
    }
  });

  test('every such name is there', () => {
    for (const name of Object.keys(classes.javascript_only))
      expect(featureExtractor({ feature_extractor_type: name }).className).toBe(name);
  });
});
