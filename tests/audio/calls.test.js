/** Calls: what counts as audio, configurations by name, options, rates, whole messages, and results' memory. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as audio from 'onnx-layout/audio';
import { refuses } from '../support/assertions.js';
import { bytesOf } from './golden-cases.js';

const {
  chunkAudio,
  featureExtractor,
  init,
  istft,
  melFilterBank,
  powerToDb,
  resampleAudio,
  spectrogram,
  toMono,
  windowFunction,
} = audio;

const named = (name, more) => ({ feature_extractor_type: `${name}FeatureExtractor`, ...more });
const plain = named('Wav2Vec2', { do_normalize: false });

test('init refuses what is no module', async () => {
  await expect(init({ wasm: 7 })).rejects.toThrow(
    new TypeError('init: wasm must be a WebAssembly.Module, bytes or a URL, got 7'),
  );
});

describe('after init,', () => {
  beforeAll(() => init());

  const values = (given, options) => featureExtractor(plain)(given, options).input_values;
  const samples = Float32Array.of(0.5, -1, 0.25);

  test.each([
    ['a Float32Array', samples],
    ['a Float64Array', new Float64Array(samples)],
    ['an Int16Array, scaled', Int16Array.of(16384, -32768, 8192)],
    ['numbers', [0.5, -1, 0.25]],
    ['channelData', { channelData: [samples] }],
    ['channelData with a rate', { channelData: [[...samples]], sampleRate: 16000 }],
    ['an AudioBuffer', { numberOfChannels: 1, sampleRate: 16000, getChannelData: () => samples }],
    [
      'an AudioData',
      {
        numberOfChannels: 1,
        numberOfFrames: 3,
        sampleRate: 16000,
        copyTo: (to, { planeIndex, format }) => format === 'f32-planar' && planeIndex === 0 && to.set(samples),
      },
    ],
  ])('audio is %s', (_, given) => {
    const tensor = values(given);
    expect([tensor.type, tensor.dims]).toEqual(['float32', [1, 3]]);
    expect(tensor.data).toEqual(samples);
  });

  test('a list is a batch', () => {
    expect(values([samples, samples]).dims).toEqual([2, 3]);
    expect(values([samples, [1]]).map(({ dims }) => dims)).toEqual([[3], [1]]);
    expect(values([samples, [1]], { padding: true }).dims).toEqual([2, 3]);
  });

  test('results have memory of their own', () => {
    const { data } = values(samples);
    expect(data.buffer).not.toBe(samples.buffer);
    expect(data.buffer.byteLength).toBe(data.byteLength);
  });

  test('float outputs come in other types', () => {
    expect(values([0.1, 0.2, 0.3], { dtype: 'float16' }).data).toEqual(Uint16Array.of(0x2e66, 0x3266, 0x34cd));
    expect(values([0.1], { dtype: 'bfloat16' }).data).toEqual(Uint16Array.of(0x3dcd));
  });

  test('NaN and infinite samples go through', () => {
    expect([...values([NaN, Infinity]).data]).toEqual([NaN, Infinity]);
    const { data } = featureExtractor(named('Lasr'))(new Float32Array(800).fill(1).fill(NaN, 100, 101)).input_features;
    expect(data.slice(0, 128).every(Number.isNaN)).toBe(true);
    expect(data.slice(-128).some(Number.isNaN)).toBe(false);
  });

  refuses('Wav2Vec2FeatureExtractor', values, {
    'TypeError: audio must be samples, { channelData, sampleRate }, an AudioBuffer or an AudioData, got null': [null],
    'TypeError: audio must be samples, { channelData, sampleRate }, an AudioBuffer or an AudioData, got an object':
      () => values({}),
    "TypeError: audio[0] must be samples, { channelData, sampleRate }, an AudioBuffer or an AudioData, got 'a'": () =>
      values(['a']),
    "TypeError: audio must hold numbers, got 'a'": [[1, 'a']],
    'TypeError: audio must be a Float32Array, a Float64Array, an Int16Array or numbers, got Uint8Array': () =>
      values(new Uint8Array(2)),
    'RangeError: audio channelData must have a channel, got []': [{ channelData: [] }],
    'TypeError: audio channelData must be a list, got 1': [{ channelData: 1 }],
    'RangeError: audio channels must have one length, got 1 and 2 samples': [{ channelData: [[1], [1, 2]] }],
    'RangeError: audio must have 1 channel, got 2: toMono gives their mean': [{ channelData: [[1], [2]] }],
    'RangeError: audio sampleRate must be positive, got -1': [{ channelData: [[1]], sampleRate: -1 }],
    'RangeError: sampling_rate must be 16000, got 8000: resampleAudio changes it': () =>
      values({ channelData: [[1]], sampleRate: 8000 }),
    'RangeError: sampling_rate must be that of audio, 8000, got 16000': () =>
      values({ channelData: [[1]], sampleRate: 8000 }, { sampling_rate: 16000 }),
    ["TypeError: unknown option 'paddin', did you mean 'padding'? Known: padding, max_length, truncation, " +
    'pad_to_multiple_of, return_attention_mask, sampling_rate, dtype']: () => values([1], { paddin: true }),
    "RangeError: padding must be 'longest', 'max_length' or 'do_not_pad', got 'all'": () =>
      values([1], { padding: 'all' }),
    'RangeError: max_length must be a whole number from 1 on, got 0': [[1], { max_length: 0 }],
    'TypeError: truncation must be true or false, got 1': [[1], { truncation: 1 }],
    "TypeError: dtype must be float32, float16 or bfloat16, got 'int8'": [[1], { dtype: 'int8' }],
  });

  refuses('', {
    [`RangeError: Wav2Vec2FeatureExtractor: padded audio has ${2 ** 40} numbers, more than there is memory for`]: () =>
      featureExtractor({}, { className: 'Wav2Vec2', maxBytes: Infinity })([1], {
        padding: 'max_length',
        max_length: 2 ** 40,
      }),
  });

  test('memory that the engine refuses is refused in words', () => {
    const { Float32Array: own } = globalThis;
    const full = () => {
      globalThis.Float32Array = new Proxy(own, { construct: () => JSON.parse('') });
      try {
        return values(own.of(1), { padding: 'max_length', max_length: 5 });
      } finally {
        globalThis.Float32Array = own;
      }
    };
    const rule = 'padded audio has 5 numbers, more than there is memory for';
    expect(full).toThrow(new RangeError(`Wav2Vec2FeatureExtractor: ${rule}`));
  });

  test.each([
    [7, TypeError, 'config must be an object or its JSON, got 7'],
    ['{', RangeError, "config must be JSON, got '{'"],
    [{}, TypeError, 'config must have the key feature_extractor_type, or config.json a model_type, or pass className'],
    [
      { 'preprocessor_config.json': {}, 'config.json': { model_type: 'pop2piano' } },
      RangeError,
      'Pop2PianoFeatureExtractor needs a beat tracker, which this package lacks',
    ],
    [
      { 'preprocessor_config.json': {}, 'config.json': { model_type: 'bert' } },
      TypeError,
      'config must have the key feature_extractor_type, or config.json a model_type, or pass className',
    ],
    [named('Whisper', { n_fft: 0 }), RangeError, 'n_fft must be a whole number from 1 on, got 0'],
    [named('Whisper', { n_fft: 1.5 }), RangeError, 'n_fft must be a whole number from 1 on, got 1.5'],
    [named('Dac', { hop_length: 2 ** 21 }), RangeError, 'hop_length must be at most 1048576, got 2097152'],
    [named('Whisper', { n_fft: null }), RangeError, 'n_fft must be given, got null'],
    [named('Whisper', { n_fft: '400' }), TypeError, "n_fft must be a number, got '400'"],
    [named('Wav2Vec2', { do_normalize: 1 }), TypeError, 'do_normalize must be true or false, got 1'],
    [named('Clvp', { mel_norms: [1] }), RangeError, 'mel_norms must have 80 numbers, got 1'],
    [named('Clvp', { mel_norms: 'x' }), TypeError, "mel_norms must be a list of numbers, got 'x'"],
    [named('Wav2Vec2', { padding_side: 'up' }), RangeError, "padding_side must be 'left' or 'right', got 'up'"],
    [
      { 'config.json': {} },
      RangeError,
      'config must have the file processor_config.json with feature_extractor, or preprocessor_config.json, ' +
        'got config.json',
    ],
  ])('a configuration is refused #%#', (config, Class, message) => {
    expect(() => featureExtractor(config)).toThrow(new Class(`featureExtractor: ${message}`));
  });

  test('unknown classes are listed, with the nearest', () => {
    const message =
      /^featureExtractor: unknown class 'WisperFeatureExtractor', did you mean 'WhisperFeatureExtractor'\?/;
    expect(() => featureExtractor(named('Wisper'))).toThrow(message);
  });

  test('an FFT that the module has no room for is refused', () => {
    const huge = featureExtractor(named('Whisper', { n_fft: 10 ** 6 }));
    expect(() => huge(samples)).toThrow(
      new RangeError('WhisperFeatureExtractor: fft_length must be at most 54613, got 1000000'),
    );
  });

  describe('a configuration', () => {
    const file = named('Whisper', { chunk_length: 2 });
    const other = named('Whisper', { chunk_length: 1 });
    const framesOf = (config, options) => featureExtractor(config, options)(samples).input_features.dims[2];

    test.each([
      ['a parsed file', file],
      ['its text', JSON.stringify(file)],
      ['nested', { feature_extractor: file, image_processor: {} }],
      ['by name', { 'preprocessor_config.json': file }],
      ['by name, as text', { 'preprocessor_config.json': JSON.stringify(file), 'config.json': {} }],
      [
        'by name, where processor_config.json wins',
        { 'processor_config.json': { feature_extractor: file }, 'preprocessor_config.json': other },
      ],
      [
        'by name, where processor_config.json has none',
        { 'processor_config.json': { image_processor: {} }, 'preprocessor_config.json': file },
      ],
    ])('is %s', (_, config) => {
      expect(framesOf(config)).toBe(200);
    });

    test('is overridden by className', () => {
      expect(framesOf({ chunk_length: 1 }, { className: 'WhisperFeatureExtractor' })).toBe(100);
      expect(framesOf(named('Clap', { chunk_length: 1 }), { className: 'Whisper' })).toBe(100);
    });

    test('lists the keys that have no effect', () => {
      expect(featureExtractor({ ...file, mel_filters: [[0]], processor_class: 'X' }).ignored).toEqual([
        'mel_filters',
        'processor_class',
      ]);
    });
  });

  /** Python reads such settings where a step takes them. */
  describe('a setting of a step that is off is not checked', () => {
    const short = Float32Array.from({ length: 2000 }, (_, i) => Math.sin(i * i * 1e-3));
    const outputs = (config, options) => featureExtractor(config)(short, options);

    test.each([
      ['AST', { do_normalize: false, max_length: 12 }, { mean: 'x', std: null }],
      ['UnivNet', { do_normalize: false }, { normalize_min: [1], normalize_max: null }],
      ['Speech2Text', { do_ceptral_normalize: false }, { normalize_means: 'x', normalize_vars: null }],
      ['VibeVoiceAcousticTokenizer', { normalize_audio: false }, { target_dB_FS: 'x', eps: -1 }],
      ['WavTokenizer', { normalize_audio: false }, { target_peak_dB_FS: null }],
      [
        'PocketTTS',
        { end_on_pause: false },
        { pause_duration: -1, fade_out_duration: 'x', silence_floor_db: null, analysis_frame_duration: 0 },
      ],
      ['Encodec', { chunk_length_s: null }, { overlap: -1 }],
      ['Gemma3nAudio', { preemphasis: 0 }, { preemphasis_htk_flavor: 'x' }],
    ])('of %s', (name, off, odd) => {
      expect(outputs(named(name, { ...odd, ...off }))).toEqual(outputs(named(name, off)));
    });

    test('until the file or a call turns the step on', () => {
      const odd = { normalize_min: 'x', do_normalize: true };
      const rule = "normalize_min must be a number, got 'x'";
      expect(() => featureExtractor(named('UnivNet', odd))).toThrow(new TypeError(`featureExtractor: ${rule}`));
      const extract = featureExtractor(named('UnivNet', { ...odd, do_normalize: false }));
      const refusal = new TypeError(`UnivNetFeatureExtractor: ${rule}`);
      for (let i = 0; i < 2; i++) expect(() => extract(short, { do_normalize: true })).toThrow(refusal);
    });
  });

  test('PocketTTS keeps the last sample of a voice where one alone fades out', () => {
    const voice = Float32Array.from({ length: 960 }, (_, i) => Math.sin(i));
    const outputsOf = (fade_out_duration) =>
      featureExtractor(named('PocketTTS', { fade_out_duration, pause_duration: 0 }))(voice).input_values.data;
    // torch.linspace(1, 0, 1) is [1], and torch.linspace(1, 0, 2) is [1, 0].
    expect(outputsOf(1 / 24000)).toEqual(outputsOf(0));
    const two = outputsOf(0).slice();
    two[959] *= 0;
    expect(outputsOf(2 / 24000)).toEqual(two);
  });

  test('EnCodec keeps the channels of audio without samples', () => {
    const extract = featureExtractor(named('Encodec', { feature_size: 2 }));
    const channelData = [new Float32Array(0), new Float32Array(0)];
    expect(extract({ channelData, sampleRate: 24000 }).input_values.dims).toEqual([1, 2, 0]);
  });

  // The last frame is dropped. With hops longer than half a frame a push could give it.
  test.each([200, 201, 300])('VoxtralRealtime streams the frames of the whole call with hops of %i', (hop_length) => {
    const extract = featureExtractor(named('VoxtralRealtime', { hop_length }));
    const samples = Float32Array.from({ length: 2910 }, (_, i) => Math.sin(i * i * 1e-5));
    const stream = extract.stream();
    const pieces = [stream.push(samples.subarray(0, 1500)), stream.push(samples.subarray(1500)), stream.end()];
    const frames = pieces.map((piece) => piece?.input_features.dims[2] ?? 0);
    expect(frames[0] + frames[1] + frames[2]).toBe(extract(samples).input_features.dims[2]);
    expect(frames[0] > 0).toBe(hop_length === 200);
  });

  test.each([false, 'do_not_pad'])('GraniteSpeech5 refuses audio of two lengths with padding %p', (padding) => {
    const extract = featureExtractor(named('GraniteSpeech5'));
    const message =
      'GraniteSpeech5FeatureExtractor: the audio of a batch must have one length, got 4000 and 3000: pass padding';
    const batch = [4000, 3000].map((length) => new Float32Array(length));
    expect(() => extract(batch, { padding })).toThrow(new RangeError(message));
  });

  describe('CLAP', () => {
    const clap = featureExtractor(named('Clap', { max_length_s: 1, truncation: 'rand_trunc' }));
    const long = Float32Array.from({ length: 60000 }, (_, i) => Math.sin(i * i * 1e-6));

    test('takes offsets, and draws one without', () => {
      const [a, b] = [0, 12000].map((at) => clap(long, { offsets: [at] }).input_features.data);
      expect(a).not.toEqual(b);
      expect(a).toEqual(clap(long.subarray(0, 48000)).input_features.data);
      expect(clap(long).input_features.dims).toEqual([1, 1, 101, 64]);
      const message = 'ClapFeatureExtractor: offsets[0] must be from 0 to 12000, got 12001';
      expect(() => clap(long, { offsets: [12001] })).toThrow(new RangeError(message));
    });

    test('fuses a part of each third, also where offsets name the first part alone', () => {
      const fuses = featureExtractor(named('Clap', { max_length_s: 1, truncation: 'fusion' }));
      // 126 frames, of which parts of 101 begin at 0 to 25; the last third is 18 to 25.
      const { data } = fuses(long, { offsets: [0] }).input_features;
      const part = 101 * 64;
      const lasts = Array.from({ length: 8 }, (_, i) => fuses(long, { offsets: [0, 0, 18 + i] }).input_features.data);
      const isLast = lasts.some((each) => each.subarray(3 * part).every((x, i) => x === data[3 * part + i]));
      expect(isLast).toBe(true);
    });

    test('fuses maps of 64 mels alone, as Python does', () => {
      const fuses = featureExtractor(named('Clap', { max_length_s: 1, truncation: 'fusion', feature_size: 80 }));
      expect(fuses(long.subarray(0, 2000)).input_features.dims).toEqual([1, 4, 101, 80]);
      const message = 'ClapFeatureExtractor: feature_size must be 64 where audio is fused, got 80';
      expect(() => fuses(long)).toThrow(new RangeError(message));
    });

    test.each([
      ['padding must be a string, got an object', { padding: {} }],
      [
        'padding must be a string, got [undefined, undefined, undefined, undefined, undefined, undefined, undefined, ' +
          'undefined, …]',
        { padding: new Array(2 ** 32 - 1) },
      ],
      ['truncation must be a string, got 5', { truncation: 5 }],
      ["offsets must be an array, got 'x'", { offsets: 'x' }],
    ])('%s', (rule, options) =>
      expect(() => clap(long, options)).toThrow(new TypeError(`ClapFeatureExtractor: ${rule}`)),
    );
  });

  // As NumPy's: float64 samples beyond complex64 are infinite there.
  test.each([
    [-0.5, [0, Infinity]],
    [0.5, [Infinity, 0]],
  ])('magnitudes of infinity and 0 to the power %p', (power, magnitudes) => {
    const samples = Float64Array.of(1e300, 0, 0, 0, 0, 0, 0, 0);
    const options = { window: [1, 1, 1, 1], frame_length: 4, hop_length: 4, center: false, power };
    const { data } = spectrogram(samples, options);
    expect([...data]).toEqual([...magnitudes, ...magnitudes, ...magnitudes]);
  });

  const bank = {
    num_frequency_bins: 9,
    num_mel_filters: 20,
    min_frequency: 0,
    max_frequency: 4000,
    sampling_rate: 8000,
  };

  const filters = (...dims) => ({ type: 'float64', data: new Float64Array(4), dims });

  test('empty mel bands warn as Python does, where a callback is given', () => {
    const warnings = [];
    const onWarning = (message) => warnings.push(message);
    melFilterBank({ ...bank, onWarning });
    melFilterBank({ ...bank, num_mel_filters: 2, onWarning });
    expect(warnings).toEqual([
      'At least one mel filter has all zero values. The value for `num_mel_filters` (20) may be set too high. ' +
        'Or, the value for `num_frequency_bins` (9) may be set too low.',
    ]);
  });

  test.each([
    [() => windowFunction(0), RangeError, 'windowFunction: window_length must be a whole number from 1 on, got 0'],
    [
      () => windowFunction(4, { frame_length: 3 }),
      RangeError,
      'windowFunction: window_length must be at most frame_length 3, got 4',
    ],
    [
      () => melFilterBank({ num_frequency_bins: 1 }),
      RangeError,
      'melFilterBank: num_frequency_bins must be a whole number from 2 on, got 1',
    ],
    [
      () => melFilterBank({ ...bank, num_frequency_bins: 2 ** 30 }),
      RangeError,
      'melFilterBank: a filter bank must have at most 0 numbers, got 1073741824 bins times 20 filters',
    ],
    [
      () => spectrogram([1], { window: [1], frame_length: 1, hop_length: 1, hop: 1 }),
      TypeError,
      /^spectrogram: unknown option 'hop'/,
    ],
    ...[
      ['TypeError', 'spectrogram: mel_filters must be a tensor [bins, filters], got 5', { mel_filters: 5 }],
      ['RangeError', 'spectrogram: mel_filters must have 3 bins, got 2', { mel_filters: filters(2, 2) }],
      ['RangeError', 'spectrogram: mel_filters must have 6 numbers, got 4', { mel_filters: filters(3, 2) }],
    ].map(([name, message, options]) => [
      () => spectrogram([1, 2, 3, 4], { window: [1, 1, 1, 1], frame_length: 4, hop_length: 2, ...options }),
      { TypeError, RangeError }[name],
      message,
    ]),
    [
      () => melFilterBank({ ...bank, min_frequency: 9000, max_frequency: 8000 }),
      RangeError,
      'melFilterBank: min_frequency must be at most max_frequency 8000, got 9000',
    ],
    [() => istft(), TypeError, 'istft: spectrum must be complex64 [bins, frames]'],
    [
      () => istft({ type: 'complex64', dims: [3, 2], data: new Float32Array(4) }),
      RangeError,
      'istft: spectrum must have 12 numbers, got 4',
    ],
    [
      () => powerToDb({ data: [1], dims: [1] }, { reference: 0 }),
      RangeError,
      'powerToDb: reference must be above 0, got 0',
    ],
    [
      () => resampleAudio([1], { new_freq: 8000 }),
      TypeError,
      'resampleAudio: orig_freq must be a number, got undefined',
    ],
    [
      () => resampleAudio([1], { orig_freq: 2, new_freq: 1, mono: 2 }),
      RangeError,
      'resampleAudio: mono must be 0 or 1, got 2',
    ],
    [
      () => resampleAudio([1], { orig_freq: 0, new_freq: 1 }),
      RangeError,
      'resampleAudio: orig_freq must be a whole number from 1 on, got 0',
    ],
    [
      () => resampleAudio({ channelData: [[1]], sampleRate: 8000 }, { orig_freq: 16000, new_freq: 1 }),
      RangeError,
      'resampleAudio: orig_freq must be that of audio, 8000, got 16000',
    ],
    [
      () => chunkAudio([1], { chunk_length_s: 1, stride_length_s: 0.5, sampling_rate: 10 }),
      RangeError,
      'chunkAudio: chunk_length_s must be above its two strides, got 10 samples and 5 + 5',
    ],
  ])('a part is refused #%#', (call, Class, message) => {
    expect(call).toThrow(message instanceof RegExp ? message : new Class(message));
  });

  test('weights that are made for each output are those of the formula', () => {
    // 4999 / 5000 has too many phases for a table.
    const random = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i * i * 0.1));
    const result = resampleAudio(random, { orig_freq: 5000, new_freq: 4999 });
    // torchaudio's float32 steps lose some 1e-4 of a sample at such rates.
    const base = 4999 * 0.99;
    const weight = (t) => {
      const x = Math.min(Math.max(t * base, -6), 6);
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      return (sinc * Math.cos((Math.PI * x) / 12) ** 2 * base) / 5000;
    };
    const expected = Float32Array.from({ length: 3000 }, (_, j) =>
      random.reduce((sum, x, i) => (Math.abs(i - j) > 9 ? sum : sum + x * weight(i / 5000 - j / 4999)), 0),
    );
    expect(result).toHaveLength(3000);
    expect(Math.max(...result.map((x, i) => Math.abs(x - expected[i])))).toBeLessThan(1e-3);
  });

  test('channels are resampled each by itself, and carry the new rate', () => {
    const channelData = [new Float32Array(48).fill(1), new Float32Array(48)];
    const result = resampleAudio({ channelData, sampleRate: 48000 }, { new_freq: 16000 });
    expect(result.sampleRate).toBe(16000);
    expect(result.channelData.map(({ length }) => length)).toEqual([16, 16]);
    expect(result.channelData[0]).toEqual(resampleAudio(channelData[0], { orig_freq: 48000, new_freq: 16000 }));
  });

  test.each([{}, { backend: 'scipy' }, { backend: 'soxr' }, { new_freq: 48000 }, { new_freq: 44100, backend: 'soxr' }])(
    'mono with %j is the mean of the channels, resampled',
    (more) => {
      const channelData = [1, 2, 3].map((c) => Float32Array.from({ length: 70000 }, (_, i) => Math.sin(i * c) / 3));
      const audio = { channelData, sampleRate: 48000 };
      const options = { new_freq: 16000, ...more };
      const expected = resampleAudio(toMono(audio), options);
      expect(resampleAudio(audio, { ...options, mono: true })).toEqual(expected);
      expect(resampleAudio(channelData[0], { ...options, orig_freq: 48000, mono: true })).toEqual(
        resampleAudio(channelData[0], { ...options, orig_freq: 48000 }),
      );
    },
  );

  test("chunks are those of transformers' pipeline, whose lengths are rounded to even", () => {
    for (const { length, options, chunks } of JSON.parse(Buffer.from(bytesOf('chunks.json')).toString())) {
      const made = chunkAudio(new Float32Array(length), options);
      expect([options, made.map(({ stride, is_last }) => [...stride, is_last])]).toEqual([options, chunks]);
    }
  });

  test('neighbors overlap by a sixth of a chunk where no stride is given', () => {
    const chunks = chunkAudio(new Float32Array(100), { chunk_length_s: 6, sampling_rate: 10 });
    expect(chunks.map(({ stride, is_last }) => [...stride, is_last])).toEqual([
      [60, 0, 10, false],
      [60, 10, 0, true],
    ]);
  });
});
