/** Every golden of audio: what Python's packages give, to the bit where that is possible. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as audio from 'onnx-layout/audio';
import { expectBytes } from '../support/assertions.js';
import { audioOf, bytesOf, caseOf, casesOf, expectRecord, optionsOf } from './golden-cases.js';
import { streamed } from './stream-parts.js';

const { featureExtractor, init, melFilterBank, resampleAudio, spectrogram, windowFunction } = audio;

beforeAll(() => init());

const titled = (list) => list.map((one) => [`${one.id} ${one.extractor ?? ''} ${one.file ?? ''}`.trim(), one]);
const vector = (data) => ({ type: data instanceof Float64Array ? 'float64' : 'float32', dims: [data.length], data });

/** The options of a spectrogram's case. */
function spectrogramOptions({ options, window: { window_length: length, ...window }, mel }) {
  const filters = mel ? { mel_filters: melFilterBank(mel) } : {};
  return { ...options, ...filters, window: windowFunction(length, window) };
}

describe('feature extractors', () => {
  test.each(titled(casesOf('extract')))('%s', (_, one) => {
    const outputs = featureExtractor(one.config)(audioOf(one.audio), optionsOf(one));
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(one.outputs).sort());
    for (const [name, record] of Object.entries(one.outputs)) expectRecord(outputs[name], record, name);
    for (const [name, record] of Object.entries(one.torch ?? {}))
      expectRecord(outputs[name], record, `${name} by torch`);
  });

  test.each(titled(casesOf('error')))('%s is refused', (_, one) => {
    const messages = {
      error_026: 'WhisperFeatureExtractor: sampling_rate must be 16000, got 8000: resampleAudio changes it',
      error_027:
        'WhisperFeatureExtractor: the audio of a batch must have one length, got 20801 and 33120: pass padding',
      error_028: 'WhisperFeatureExtractor: audio must give at least 1 frame, got 0',
      error_032:
        'Qwen3ASRFeatureExtractor: the audio of a batch must have one length, ' +
        'got [128, 200] and [128, 300]: pass padding',
      error_049: 'SeamlessM4TFeatureExtractor: audio must have at least 240 samples with its padding, got 200',
      error_064: 'FunAsrNanoFeatureExtractor: audio must have at least 400 samples, got 399',
      error_082: 'SpeechT5FeatureExtractor: audio or audio_target must be given',
      error_110: 'Wav2Vec2FeatureExtractor: max_length must be given with truncation',
      error_111: "Wav2Vec2FeatureExtractor: max_length must be given with padding 'max_length'",
      error_112: 'Wav2Vec2FeatureExtractor: sampling_rate must be 16000, got 44100: resampleAudio changes it',
      error_118: 'EncodecFeatureExtractor: padding and truncation must not both be on',
      error_119: 'EncodecFeatureExtractor: audio must have 1 channel, got 2: toMono gives their mean',
      error_158:
        'GraniteSpeech5FeatureExtractor: the audio of a batch must have one length, ' +
        'got 20801 and 33120: pass padding',
      error_339:
        'OmniASRFeatureExtractor: the audio of a batch must have one length, got 20801 and 33120: pass padding',
      error_340: 'OmniASRFeatureExtractor: sampling_rate must be 16000, got 24000: resampleAudio changes it',
      error_347: 'WavTokenizerFeatureExtractor: audio must have 1 channel, got 2: toMono gives their mean',
      error_348: 'WavTokenizerFeatureExtractor: sampling_rate must be 24000, got 16000: resampleAudio changes it',
    };
    const refused = expect(() => featureExtractor(one.config)(audioOf(one.audio), optionsOf(one)));
    refused.toThrow(new RangeError(messages[one.id]));
  });

  test.each(titled(casesOf('stream')))('%s in chunks', (_, { case: id, chunks }) => {
    const { config, audio: name, options, outputs } = caseOf(id);
    const [samples] = [audioOf(name)].flat();
    const joined = streamed(featureExtractor(config).stream(options), samples, chunks);
    expect(Object.keys(joined).sort()).toEqual(Object.keys(outputs).sort());
    for (const [output, record] of Object.entries(outputs)) expectRecord(joined[output], record, output);
  });
});

describe('parts', () => {
  test.each(titled(casesOf('window')))('%s', (_, { window_length: length, options, output }) => {
    expectRecord(vector(windowFunction(length, options)), output);
  });

  test.each(titled(casesOf('mel')))('%s', (_, { options, outputs }) => {
    for (const [dtype, record] of Object.entries(outputs)) expectRecord(melFilterBank({ ...options, dtype }), record);
  });

  test.each(titled(casesOf('spectrogram')))('%s', (_, one) => {
    expectRecord(spectrogram(audioOf(one.audio), spectrogramOptions(one)), one.output);
  });

  test.each(titled(casesOf('spectrogram_error')))('%s is refused', (_, one) => {
    const messages = {
      spectrogram_error_219: 'spectrogram: window must have frame_length 512 numbers, got 400',
      spectrogram_error_220: 'spectrogram: hop_length must be a whole number from 1 on, got 0',
      spectrogram_error_221: 'spectrogram: frame_length must be at most fft_length 256, got 400',
      spectrogram_error_222: "spectrogram: power must be 1 or 2 with log_mel 'dB', got 3",
      spectrogram_error_223: "spectrogram: log_mel must be 'log', 'log10' or 'dB', got 'bel'",
      spectrogram_error_224: 'spectrogram: power must be a number with mel_filters, got null',
    };
    const refused = expect(() => spectrogram(audioOf(one.audio), spectrogramOptions(one)));
    refused.toThrow(new RangeError(messages[one.id]));
  });

  test.each(titled(casesOf('spectrogram_stream')))('%s', (_, { case: id, chunks }) => {
    const one = caseOf(id);
    const stream = audio.spectrogramStream(spectrogramOptions(one));
    expectRecord(streamed(stream, audioOf(one.audio), chunks).spectrogram, one.output);
  });
});

describe('resampling', () => {
  test.each(titled(casesOf('resample')))('%s', (_, { audio: name, options, output }) => {
    expectRecord(vector(resampleAudio(audioOf(name), options)), output);
  });

  test.each(titled(casesOf('resample')))('%s in chunks gives the same bytes', (_, { audio: name, options }) => {
    const samples = audioOf(name);
    const stream = audio.resampleStream(options);
    const parts = [];
    for (let at = 0, i = 0; at < samples.length; i++) {
      const end = at + [1, 777, 3, 5000][i % 4];
      parts.push(stream.push(samples.subarray(at, end)));
      at = end;
    }
    const joined = Float32Array.from([...parts, stream.end()].flatMap((part) => [...part]));
    expectBytes(joined, resampleAudio(samples, options));
  });
});

describe('WAV', () => {
  test.each(titled(casesOf('wav')))('%s', (_, { file, sampling_rate: rate, output, mono }) => {
    const decoded = audio.decodeWav(bytesOf(file));
    const { channelData, sampleRate } = decoded;
    const [{ length }] = channelData;
    const data = Float32Array.from(channelData.flatMap((channel) => [...channel]));
    expect(sampleRate).toBe(rate);
    expectRecord({ type: 'float32', dims: [channelData.length, length], data }, output);
    expectRecord(vector(audio.toMono(decoded).channelData[0]), mono, 'mono');
  });

  test.each(titled(casesOf('wav_error')))('%s is refused', (_, { file }) => {
    const messages = {
      'wav/bad_fmt_after_data.wav': 'the fmt chunk must stand before the data chunk',
      'wav/bad_riff.wav': 'bytes must be a WAV file: RIFF, RIFX or RF64 with WAVE',
      'wav/bad_no_data.wav': 'the data chunk is missing',
      'wav/bad_no_fmt.wav': 'the fmt chunk must stand before the data chunk',
      'wav/bad_adpcm.wav': 'the format must be PCM, float, A-law or mu-law, got format 2 with 4 bits a sample',
      'wav/bad_short.wav': 'the fmt chunk must have at least 16 bytes, got 0',
    };
    expect(() => audio.decodeWav(bytesOf(file))).toThrow(new RangeError(`decodeWav: ${messages[file]}`));
  });
});

test('all 348 cases are run', () => {
  const kinds = ['extract', 'error', 'stream', 'window', 'mel', 'spectrogram', 'spectrogram_error'];
  const all = [...kinds, 'spectrogram_stream', 'resample', 'wav', 'wav_error'].flatMap(casesOf);
  expect(all).toHaveLength(348);
});
