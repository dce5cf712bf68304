/** The commands `features` and `resample`, against the functions that they call. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import { readNpy, readSafetensors, writeNpy } from 'onnx-layout/io';
import { run } from '../../js/cli/command.js';
import { cli, inFolder, quiet, words, written } from './streams.js';

const { decodeWav, encodeWav, featureExtractor, resampleAudio, toMono } = audio;

inFolder();
const samples = Float32Array.from({ length: 20000 }, (_, i) => Math.sin(i * i * 1e-5) / 2);
const lasr = { feature_extractor_type: 'LasrFeatureExtractor' };
const config = { feature_extractor_type: 'WhisperFeatureExtractor', chunk_length: 2 };

beforeAll(async () => {
  await audio.init();
  writeFileSync('config.json', JSON.stringify(config));
  writeFileSync('lasr.json', JSON.stringify(lasr));
  const stereo = { channelData: [samples, samples.map((x) => x / 2)], sampleRate: 16000 };
  writeFileSync('stereo.wav', encodeWav(stereo));
  writeFileSync('mono.wav', encodeWav(toMono(stereo), { format: 'float32' }));
  writeFileSync('mono.npy', writeNpy(new Tensor('float32', samples, [20000])));
  writeFileSync('words.npy', writeNpy(new Tensor('int16', new Int16Array(2), [2])));
});

const file = (path) => decodeWav(readFileSync(path));

async function isRefused(args, status, message) {
  const result = await cli(args);
  expect([result.status, result.stdout]).toEqual([status, '']);
  expect(result.stderr).toContain(message);
}

describe('features', () => {
  test('of one file are those of the extractor', async () => {
    await quiet('features mono.wav out.npy --config config.json');
    const { input_features: expected } = featureExtractor(config)(file('mono.wav'));
    expect(readNpy(readFileSync('out.npy'))).toEqual(expected);
  });

  test('of several files are a batch, with all outputs by name', async () => {
    const wav2vec2 = { feature_extractor_type: 'Wav2Vec2FeatureExtractor', return_attention_mask: true };
    writeFileSync('wav2vec2.json', JSON.stringify(wav2vec2));
    const options = '--config wav2vec2.json --padding longest --dtype float16 --json';
    const { status, stdout } = await cli(`features mono.wav mono.npy all.safetensors ${options}`);
    const tensors = readSafetensors(readFileSync('all.safetensors'));
    const batch = [file('mono.wav'), samples];
    const expected = featureExtractor(wav2vec2)(batch, { padding: 'longest', dtype: 'float16' });
    expect(status).toBe(0);
    expect(Object.fromEntries(tensors)).toEqual(expected);
    expect(JSON.parse(stdout)).toEqual({
      files: ['all.safetensors'],
      className: 'Wav2Vec2FeatureExtractor',
      ignored: [],
      outputs: [
        { name: 'input_values', type: 'float16', dims: [2, 20000] },
        { name: 'attention_mask', type: 'int32', dims: [2, 20000] },
      ],
    });
  });

  test('come of standard input as they come', async () => {
    const args = 'features - stream.npy --config lasr.json --stream --mono';
    const bytes = readFileSync('stereo.wav');
    const { input_features: expected } = featureExtractor(lasr)(toMono(file('stereo.wav')));
    const sink = { write: () => true };
    // A stream may not know its length, and its pieces end anywhere.
    for (const length of [bytes.readUInt32LE(40), 0xffffffff]) {
      bytes.writeUInt32LE(length, 40);
      const ends = [8, 20, ...Array.from({ length: 90 }, (_, i) => (i + 1) * 899)];
      const stdin = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
      expect(await run(words(args), { stdin, stdout: sink, stderr: sink })).toBe(0);
      expect(readNpy(readFileSync('stream.npy'))).toEqual(expected);
    }
  });

  /** The stereo file with a chunk before the format, one of `length` bytes before the samples, in pieces. */
  function piecesWith(length, piece) {
    const bytes = readFileSync('stereo.wav');
    const chunk = (name, size) =>
      Buffer.concat([Buffer.from(name), Buffer.of(size, size >> 8, size >> 16, size >> 24)]);
    const long = Buffer.alloc(length + (length % 2), 'data');
    const [head, format, samples] = [bytes.subarray(0, 12), bytes.subarray(12, 36), bytes.subarray(36)];
    const file = Buffer.concat([head, chunk('junk', 0), format, chunk('LIST', length), long, samples]);
    return Array.from({ length: Math.ceil(file.length / piece) }, (_, i) => file.subarray(i * piece, (i + 1) * piece));
  }

  test.each([
    [7, 1],
    [1001, 13],
    [40e6, 2 ** 16],
  ])('chunks before the samples are skipped: %i bytes in pieces of %i', async (length, piece) => {
    const args = words('features - stream.npy --config lasr.json --stream --mono');
    const sink = { write: () => true };
    const featuresOf = async (stdin) => {
      expect(await run(args, { stdin, stdout: sink, stderr: sink })).toBe(0);
      return readNpy(readFileSync('stream.npy'));
    };
    const expected = await featuresOf([readFileSync('stereo.wav')]);
    const pieces = piecesWith(length, piece);
    const start = process.cpuUsage();
    expect(await featuresOf(pieces)).toEqual(expected);
    // To join all pieces again with each one took 6.5 s of 40 MB. Pieces of a byte take 3 s for the samples alone.
    if (piece > 1) expect(process.cpuUsage(start).user).toBeLessThan(5e6);
  });

  test('a chunk of the format that is too long is refused', async () => {
    const bytes = Buffer.concat([readFileSync('stereo.wav').subarray(0, 16), Buffer.of(1, 0, 1, 0)]);
    const { status, stderr } = await written('features - stream.npy --config lasr.json --stream', bytes);
    expect([status, stderr]).toEqual([
      1,
      'onnx-layout: standard input: chunk fmt  must have at most 65536 bytes, got 65537\n',
    ]);
  });

  test('other outputs lie beside the features', async () => {
    const seamless = { feature_extractor_type: 'SeamlessM4TFeatureExtractor' };
    writeFileSync('seamless.json', JSON.stringify(seamless));
    await quiet('features stereo.wav two.npy --config seamless.json --mono');
    const expected = featureExtractor(seamless)(toMono(file('stereo.wav')));
    expect(readNpy(readFileSync('two.npy'))).toEqual(expected.input_features);
    expect(readNpy(readFileSync('two.attention_mask.npy'))).toEqual(expected.attention_mask);
  });

  test('need no configuration where a class is named', async () => {
    await quiet('features mono.npy class.npy --class-name ClapFeatureExtractor');
    const clap = featureExtractor({ feature_extractor_type: 'ClapFeatureExtractor' });
    expect(readNpy(readFileSync('class.npy'))).toEqual(clap(samples).input_features);
  });

  test('are of audio at any rate with --resample, from a file and as it comes', async () => {
    const slow = { channelData: [samples], sampleRate: 44100 };
    writeFileSync('slow.wav', encodeWav(slow, { format: 'float32' }));
    writeFileSync('fast.wav', encodeWav({ channelData: [samples, samples], sampleRate: 8000 }));
    const extract = featureExtractor(lasr);
    for (const [name, mono] of [
      ['slow.wav', ''],
      ['fast.wav', '--mono'],
    ]) {
      const decoded = mono ? toMono(file(name)) : file(name);
      const { input_features: expected } = extract(resampleAudio(decoded, { new_freq: 16000 }));
      await quiet(`features ${name} any.npy --config lasr.json --resample ${mono}`);
      expect(readNpy(readFileSync('any.npy'))).toEqual(expected);
      const args = `features - stream.npy --config lasr.json --resample --stream ${mono}`;
      const { status } = await written(args, readFileSync(name));
      expect([status, readNpy(readFileSync('stream.npy'))]).toEqual([0, expected]);
    }
    const { status, stderr } = await written(
      'features - stream.npy --config lasr.json --resample --stream',
      readFileSync('fast.wav'),
    );
    const rule = 'standard input: audio must have 1 channel, got 2: --mono takes their mean';
    expect([status, stderr]).toEqual([1, `onnx-layout: ${rule}\n`]);
  });

  test('go to standard output, of standard input', async () => {
    const args = 'features - - --config config.json';
    const { status, stdout } = await written(args, readFileSync('mono.wav'));
    expect([status, readNpy(stdout).dims]).toEqual([0, [1, 80, 200]]);
  });

  test.each([
    ['features a.npy --config c', 2, 'features takes AUDIO… OUT, got 1 file'],
    ['features a.wav b.npy --config c --stream', 2, '--stream takes - alone, got a.wav'],
    ['features a.wav b.npy', 2, 'features needs --config or --class-name'],
    ['features mono.npy b.npy --class-name Foo', 2, "unknown class 'Foo'"],
    [
      'features mono.wav b.npy --class-name ClapFeatureExtractor',
      1,
      'ClapFeatureExtractor: sampling_rate must be 48000, got 16000: --resample changes it',
    ],
    ['features a.wav b.txt --config c', 2, 'OUT must be .npy, .safetensors or -, got b.txt'],
    ['features a.wav a.wav --config c', 2, 'OUT must not be an input, got a.wav: --force replaces it'],
    ['features a.npy a.npy --config c', 2, 'OUT must not be an input, got a.npy: --force replaces it'],
    ['features a.wav - --config c --json', 2, '--json and OUT cannot both go to standard output'],
    [
      'features stereo.wav b.npy --config config.json',
      1,
      'WhisperFeatureExtractor: audio must have 1 channel, got 2: --mono takes their mean',
    ],
    [
      'features words.npy b.npy --config config.json',
      1,
      'words.npy: audio must be float32 [n] or [channels, n], got int16 [2]',
    ],
    [
      'features config.json b.npy --config config.json',
      1,
      'config.json: bytes must be a WAV file, got text of 69 bytes',
    ],
  ])('%p is refused', isRefused);
});

describe('resample', () => {
  test.each([
    ['', {}],
    ['--backend scipy --format float32', { backend: 'scipy' }],
  ])('%p is resampleAudio', async (options, call) => {
    await quiet(`resample stereo.wav out.wav --rate 8000 ${options}`);
    const expected = resampleAudio(file('stereo.wav'), { new_freq: 8000, ...call });
    const format = options.length > 0 ? 'float32' : 'pcm16';
    expect(readFileSync('out.wav').equals(Buffer.from(encodeWav(expected, { format })))).toBe(true);
  });

  test('takes the mean of the channels', async () => {
    await quiet('resample stereo.wav out.wav --rate 8000 --mono');
    expect(file('out.wav').channelData).toHaveLength(1);
  });

  test.each([
    ['resample a.wav --rate 1', 2, 'resample takes IN OUT, got 1 file'],
    ['resample a.wav b.wav', 2, 'resample needs --rate'],
    ['resample a.wav b.mp3 --rate 1', 2, 'OUT must be .wav or -, got b.mp3'],
    ['resample a.wav a.wav --rate 1', 2, 'OUT must not be an input, got a.wav: --force replaces it'],
    ['resample mono.wav b.wav --rate 0', 2, '--rate must be a whole number from 1 on, got 0'],
    [
      'resample mono.wav b.wav --rate 8000 --format pcm12',
      2,
      '--format must be pcm8, pcm16, pcm24, pcm32, float32 or ',
    ],
    ['resample mono.npy b.wav --rate 8000', 1, 'IN must be a WAV file, which states its rate, got mono.npy'],
  ])('%p is refused', isRefused);
});
