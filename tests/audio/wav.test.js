/** WAV files: the way back, and files that lie. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeWav, encodeWav, init, readWavHeader, toMono } from 'onnx-layout/audio';
import { refuses } from '../support/assertions.js';
import { root } from '../support/packed.js';
import { commitHash } from '../support/sample.js';
import { below, generator } from '../support/samples.js';
import { wrongWavOf } from './replay-wav.mjs';

await init();

const channelData = [Float32Array.of(0, 0.5, -1, 0.25), Float32Array.of(-0.5, 0.125, 0.75, 0)];
const stereo = { channelData, sampleRate: 16000 };

describe('encodeWav', () => {
  test.each(['pcm8', 'pcm16', 'pcm24', 'pcm32', 'float32', 'float64'])('%s comes back', (format) => {
    expect(decodeWav(encodeWav(stereo, { format }))).toEqual({ channelData, sampleRate: 16000 });
  });

  test('PCM is rounded to nearest even and saturated, and NaN is 0', () => {
    const samples = [0.5 / 128, 1.5 / 128, 2, -2, NaN, Infinity];
    const [decoded] = decodeWav(encodeWav(samples, { format: 'pcm8', sampling_rate: 8000 })).channelData;
    expect([...decoded]).toEqual([0, 2 / 128, 127 / 128, -1, 0, 127 / 128]);
  });

  test('the bytes of 16 bits', () => {
    const bytes = encodeWav([0.5, -1], { sampling_rate: 8000 });
    const head = 'RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x04\0\0\0';
    expect(Buffer.from(bytes).toString('latin1')).toBe(`${head}\x00\x40\x00\x80`);
  });

  refuses('', {
    'TypeError: encodeWav: sampling_rate must be given, as the audio carries no rate': () => encodeWav([0]),
    'RangeError: encodeWav: sampling_rate must be a whole number below 2^32, got 0.5': () =>
      encodeWav([0], { sampling_rate: 0.5 }),
    "RangeError: encodeWav: format must be 'pcm8', 'pcm16', 'pcm24', 'pcm32', 'float32' or 'float64', got 'mp3'": () =>
      encodeWav([0], { sampling_rate: 1, format: 'mp3' }),
  });
});

/** A file with some of its bytes replaced. */
function damaged(changes, source = encodeWav(stereo)) {
  const bytes = source.slice();
  for (const [at, ...values] of changes) bytes.set(values, at);
  return bytes;
}

/** An extensible file of 16 bits. `end`: the end of the subformat's name, in hexadecimal digits. */
function extensible(tag, end) {
  const bytes = Buffer.from(damaged([[16, 40], [20, 0xfe, 0xff]])); // prettier-ignore
  const extension = Buffer.from(`16001000000000000${tag}00${end}`, 'hex');
  return new Uint8Array(Buffer.concat([bytes.subarray(0, 36), extension, bytes.subarray(36)]));
}

describe('a file that lies', () => {
  test.each([
    ['an empty file', new Uint8Array(0), 'bytes must be a WAV file, got an empty file of 0 bytes'],
    ['no header', Uint8Array.of(1, 2), 'bytes must be a WAV file: RIFF, RIFX or RF64 with WAVE'],
    ['no channels', damaged([[22, 0, 0]]), 'the file must have channels, got 0'],
    ['no rate', damaged([[24, 0, 0, 0, 0]]), 'the sample rate must be from 1 to 2147483647, got 0'],
    ['a rate of 2^31', damaged([[24, 0, 0, 0, 128]]), 'the sample rate must be from 1 to 2147483647, got 2147483648'],
    ['65535 channels', damaged([[22, 255, 255]]), 'the file must have at most 40960 channels, got 65535'],
    ['a short fmt chunk', damaged([[16, 14, 0, 0, 0]]), 'the fmt chunk must have at least 16 bytes, got 14'],
    [
      'a short extensible chunk',
      damaged([[20, 0xfe, 0xff]]),
      'the fmt chunk of an extensible file must have at least 40 bytes, got 16',
    ],
    [
      'a subformat of its own',
      extensible(1, '000000001000800000aa00389b72'),
      "the subformat must be PCM, float, A-law or mu-law, got 1 with the name's end 000000001000800000aa00389b72",
    ],
    [
      'A-law of Ambisonics',
      extensible(6, '00002107d3118644c8c1ca000000'),
      "the subformat must be PCM, float, A-law or mu-law, got 6 with the name's end 00002107d3118644c8c1ca000000",
    ],
    ['a chunk of 4 GB', damaged([[16, 255, 255, 255, 255]]), 'the data chunk is missing'],
    [
      'an odd width',
      damaged([[34, 33, 0]]),
      'the format must be PCM, float, A-law or mu-law, got format 1 with 33 bits a sample',
    ],
  ])('%s', (_, bytes, message) => {
    expect(() => decodeWav(bytes)).toThrow(new RangeError(`decodeWav: ${message}`));
  });

  test('that claims 4 GB of data has what is there', () => {
    expect(decodeWav(damaged([[40, 255, 255, 255, 255]]))).toEqual({ channelData, sampleRate: 16000 });
  });

  test.each([
    [7, 'bytes must be a Uint8Array or an ArrayBuffer, got 7'],
    [[1, 2], 'bytes must be a Uint8Array or an ArrayBuffer, got Array'],
  ])('%p is no file', (bytes, message) => {
    expect(() => decodeWav(bytes)).toThrow(new TypeError(`decodeWav: ${message}`));
  });

  test('every beginning of a file decodes or is refused as a WAV file', () => {
    const bytes = encodeWav(stereo, { format: 'float32' });
    for (let length = 0; length < bytes.length; length++) {
      try {
        expect(decodeWav(bytes.subarray(0, length)).channelData).toHaveLength(2);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect(error.message).toMatch(/^decodeWav: (bytes must be a WAV|the (fmt|data))/);
      }
    }
  });
});

/** The refusals of damaged files. */
const refusal = new RegExp(
  '^decodeWav: (bytes must be a WAV file(: RIFF, RIFX or RF64 with WAVE|, got .* of \\d+ bytes(: .*)?)' +
    '|(the (fmt|data) chunk is|the fmt and the data chunk are) missing' +
    '|the fmt chunk must stand before the data chunk' +
    '|the fmt chunk (of an extensible file )?must have at least (16|40) bytes, got \\d+' +
    '|the format must be PCM, float, A-law or mu-law, got format \\d+ with \\d+ bits a sample' +
    "|the subformat must be PCM, float, A-law or mu-law, got \\d+ with the name's end [\\da-f]{28}" +
    '|the file must have channels, got 0|the sample rate must be from 1 to 2147483647, got \\d+' +
    '|the file must have at most 40960 channels, got \\d+)$',
);

/** Damages one to four places of the first 80 bytes: by a bit, a byte, or a size of 32 bits that lies. */
function damage(bytes, random) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let left = 1 + below(random, 4); left > 0; left--) {
    const at = below(random, Math.min(80, bytes.length - 4));
    const kind = below(random, 3);
    if (kind === 0) bytes[at] ^= 1 << below(random, 8);
    else if (kind === 1) bytes[at] = random();
    else view.setUint32(at, [0, 1, 0xffffffff, 0x7fffffff, 0xff, random()][below(random, 6)], below(random, 2) === 1);
  }
  return below(random, 4) === 0 ? bytes.subarray(0, below(random, bytes.length)) : bytes;
}

test('20,000 damaged files, which the commit chooses: refused in words, or no more samples than bytes', () => {
  const folder = join(root, 'tests/goldens/audio/wav');
  const files = readdirSync(folder).filter((name) => name.endsWith('.wav'));
  const sources = files
    .map((name) => new Uint8Array(readFileSync(join(folder, name))))
    .filter(({ length }) => length > 48);
  const random = generator(Number.parseInt(commitHash().slice(0, 7), 16));
  const seen = { decoded: 0, refused: 0 };
  for (let i = 0; i < 20_000; i++) {
    const bytes = damage(sources[below(random, sources.length)].slice(), random);
    try {
      const { channelData: channels } = decodeWav(bytes);
      seen.decoded++;
      const count = channels.reduce((sum, { length }) => sum + length, 0);
      if (count > bytes.length) throw new Error(`${count} samples of ${bytes.length} bytes`);
    } catch (error) {
      seen.refused++;
      if (!(error instanceof RangeError && refusal.test(error.message)))
        throw new Error(`file ${i}, ${Buffer.from(bytes).toString('base64')}`, { cause: error });
    }
  }
  expect(Math.min(seen.decoded, seen.refused)).toBeGreaterThan(1000);
});

describe('readWavHeader', () => {
  const bytes = encodeWav(stereo, { format: 'float32' });

  test('tells where samples are, and decodes them in pieces', () => {
    const header = readWavHeader(bytes.subarray(0, 60), { byteLength: bytes.length });
    const { dataStart, frameBytes, length, numberOfChannels, sampleRate } = header;
    expect([dataStart, frameBytes, length, numberOfChannels, sampleRate]).toEqual([58, 8, 4, 2, 16000]);
    const piece = bytes.subarray(dataStart + 1 * frameBytes, dataStart + 3 * frameBytes);
    expect(decodeWav(piece, { header })).toEqual({
      channelData: channelData.map((channel) => channel.slice(1, 3)),
      sampleRate: 16000,
    });
  });

  test('of RF64 has a size of 64 bits', () => {
    const file = Buffer.from(bytes);
    const end = Buffer.alloc(36);
    end.write('ds64');
    end.writeUInt32LE(28, 4);
    end.writeBigUInt64LE(2n ** 32n + 8n, 16);
    file.write('RF64');
    file.writeUInt32LE(0xffffffff, 54);
    const long = Buffer.concat([file.subarray(0, 12), end, file.subarray(12)]);
    const { length, dataStart } = readWavHeader(long, { byteLength: 2 ** 33 });
    expect([length, dataStart]).toEqual([2 ** 29 + 1, 94]);
  });

  test.each([
    [16, 0xffffffff, 8],
    [8, 0xffffffff, 4],
    [0, 0xffffffff, 0],
    [16, 16, 8],
    [8, 16, 4],
    [16, 8, 8],
    [0, 16, 0],
  ])('of RF64 whose sizes are %i and %i has %i samples, as soundfile has it', (longSize, size, count) => {
    const file = encodeWav(Int16Array.of(1, 2, 3, 4, 5, 6, 7, 8), { sampling_rate: 8000 });
    const chunk = Buffer.alloc(36);
    chunk.write('ds64');
    chunk.writeUInt32LE(28, 4);
    chunk.writeBigUInt64LE(BigInt(longSize), 16);
    const rest = Buffer.from('LIST\x04\0\0\0abcd', 'latin1');
    const long = Buffer.concat([file.subarray(0, 12), chunk, file.subarray(12), rest]);
    long.write('RF64');
    long.writeUInt32LE(size, 76);
    const codes = decodeWav(long).channelData[0].map((x) => x * 32768);
    expect([...codes]).toEqual([1, 2, 3, 4, 5, 6, 7, 8].slice(0, count));
  });

  test('of a header that was changed, frames stay as wide as their codes', () => {
    const header = readWavHeader(bytes.subarray(0, 60));
    for (const frameBytes of [1, 0, 9, NaN])
      expect(decodeWav(bytes.subarray(58), { header: { ...header, frameBytes } })).toEqual(stereo);
    for (const [code, count, shown] of [
      [99, 2, 'code 99 and 2'],
      [4, 0, 'code 4 and 0'],
      [4, 1.5, 'code 4 and 1.5'],
      [undefined, undefined, 'code undefined and undefined'],
    ])
      expect(() => decodeWav(bytes, { header: { code, numberOfChannels: count } })).toThrow(
        new RangeError(`decodeWav: header must be what readWavHeader gives, got ${shown} channels`),
      );
  });

  test.each([
    [-5, new RangeError('readWavHeader: byteLength must be at least that of bytes, 60, got -5')],
    [59, new RangeError('readWavHeader: byteLength must be at least that of bytes, 60, got 59')],
    [NaN, new RangeError('readWavHeader: byteLength must be at least that of bytes, 60, got NaN')],
    ['99', new TypeError("readWavHeader: byteLength must be a number, got '99'")],
    [null, new TypeError('readWavHeader: byteLength must be a number, got null')],
  ])('refuses a byteLength of %p', (byteLength, error) => {
    expect(() => readWavHeader(bytes.subarray(0, 60), { byteLength })).toThrow(error);
  });

  test('counts samples up to the end of the bytes', () => {
    expect(readWavHeader(bytes.subarray(0, 75)).length).toBe(2);
    expect(() => readWavHeader(bytes.subarray(0, 40))).toThrow(
      new RangeError('readWavHeader: the data chunk is missing'),
    );
  });
});

describe('headers that soundfile repairs', () => {
  test('a block align and a byte rate of any size have no effect', () => {
    for (const bytes of [
      [0, 0],
      [5, 0],
      [255, 255],
    ])
      expect(decodeWav(damaged([[28, 9, 9, 9, 9], [32, ...bytes]]))).toEqual(stereo); // prettier-ignore
  });

  test('400 headers at random: the samples of soundfile, and refusals only where soundfile refuses', () => {
    const headers = JSON.parse(readFileSync(join(root, 'tests/goldens/audio/wav_headers.json'), 'utf8'));
    expect(headers).toHaveLength(400);
    expect(headers.filter(({ channels }) => channels).length).toBeGreaterThan(250);
    expect(headers.map(wrongWavOf).filter(Boolean)).toEqual([]);
  });

  test('24 bits in 32 are found by their zeros, 4 kB from byte 600 on, where the block align says so', () => {
    const samples = Float32Array.from({ length: 1200 }, (_, i) => ((i * 77_777) % 8_388_593) / 2 ** 23);
    const bytes = damaged([[34, 24]], encodeWav(samples, { format: 'pcm32', sampling_rate: 8000 }));
    expect(decodeWav(bytes).channelData[0]).toEqual(samples);
    const inThree = decodeWav(damaged([[32, 3]], bytes)).channelData[0];
    expect(inThree).toHaveLength(1600);
    // Less than a block tells nothing.
    expect(decodeWav(bytes.subarray(0, 4695)).channelData[0]).toEqual(inThree.subarray(0, 1550));
    expect(decodeWav(bytes.subarray(0, 4696)).channelData[0]).toEqual(samples.subarray(0, 1163));
  });
});

describe('toMono', () => {
  test('is a float32 sum, then a division', () => {
    const channels = [1, 2 ** -24, 2 ** -24].map((x) => Float32Array.of(x));
    expect(toMono({ channelData: channels }).channelData[0]).toEqual(Float32Array.of(1 / 3));
    expect(toMono(stereo)).toEqual({ channelData: [Float32Array.of(-0.25, 0.3125, -0.125, 0.125)], sampleRate: 16000 });
  });

  test('refuses channels of several lengths, of an AudioBuffer too', () => {
    const channels = [50, 3].map((length) => new Float32Array(length));
    const buffer = { numberOfChannels: 2, sampleRate: 8000, getChannelData: (i) => channels[i] };
    for (const audio of [{ channelData: channels }, buffer])
      expect(() => toMono(audio)).toThrow(
        new RangeError('toMono: audio channels must have one length, got 50 and 3 samples'),
      );
  });

  test('leaves one channel as it is', () => {
    const [first] = channelData;
    expect(toMono(first).channelData[0]).toBe(first);
  });
});
