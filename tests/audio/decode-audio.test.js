/** Rates in headers of compressed files, made by hand after the formats' specifications, and who decodes. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeAudio, encodeWav, init } from 'onnx-layout/audio';

beforeAll(() => init());

const ascii = (text) => [...Buffer.from(text, 'latin1')];
const big = (value, bytes = 4) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) & 255);
const little = (value) => big(value).reverse();
const zeros = (count) => new Array(count).fill(0);

/** FLAC's marker and stream information. */
const flac = (rate) => [...ascii('fLaC'), 0, 0, 0, 34, ...zeros(10), ...big(rate * 4096 + 0xf0f), ...zeros(16)];
const ogg = (packet) => [...ascii('OggS'), ...zeros(22), 1, 30, ...packet];
const box = (name, ...content) => [...big(8 + content.flat().length), ...ascii(name), ...content.flat()];
const entry = (codec, rate) => box(codec, zeros(24), big(rate * 65536 + 7), zeros(4));
const mp4 = (codec, rate) => [
  ...box('ftyp', ascii('M4A '), zeros(4)),
  ...box('free', zeros(5)),
  ...box('moov', box('trak', box('mdia', box('minf', box('stbl', box('stsd', zeros(8), entry(codec, rate))))))),
];
const element = (name, ...content) => {
  const id = name > 0xffffff ? big(name) : [name];
  return [...id, 0x40, content.flat().length, ...content.flat()];
};
const float64 = (value) => [...new Uint8Array(new Float64Array([value]).buffer)].reverse();
const webm = (codec, rate) => [
  ...element(0x1a45dfa3, zeros(4)),
  // A segment of unknown length, as recorders write it.
  ...[...big(0x18538067), 0x01, ...new Array(7).fill(255)],
  ...element(0x1654ae6b, element(0xae, element(0x86, ascii(codec)), element(0xe1, element(0xb5, float64(rate))))),
];
/** The codec's name behind the rate, and the track of another codec behind it. */
const webmLateCodec = (codec, rate) => {
  const track = (name) => element(0xae, element(0xe1, element(0xb5, float64(rate))), element(0x86, ascii(name)));
  return [...element(0x1a45dfa3, zeros(4)), ...element(0x18538067, element(0x1654ae6b, track(codec), track('A_OPUS')))];
};
const id3 = [...ascii('ID3'), 4, 0, 0, 0, 0, 1, 2, ...zeros(130), 0, 0];

/** The rate that a decoder is told. */
async function statedRate(file) {
  let stated;
  const decode = (_, rate) => {
    stated = rate;
    return { channelData: [[0.5]], sampleRate: rate };
  };
  const result = await decodeAudio(Uint8Array.from(file), { decode });
  expect(result).toEqual({ channelData: [Float32Array.of(0.5)], sampleRate: stated });
  return stated;
}

test.each([
  ['FLAC', flac(44100), 44100],
  ['FLAC at 96 kHz', flac(96000), 96000],
  ['Vorbis', ogg([...ascii('\x01vorbis'), ...zeros(4), 2, ...little(22050), ...zeros(4)]), 22050],
  ['Opus', ogg([...ascii('OpusHead'), 1, 2, 0, 0, ...little(16000)]), 48000],
  ['FLAC in Ogg', ogg([...ascii('\x7fFLAC'), 1, 0, 0, 1, ...flac(32000)]), 32000],
  ['MP3', [0xff, 0xfb, 0x90, 0], 44100],
  ['MP3 of MPEG-2 behind a tag', [...id3, 0xff, 0xf3, 0x94, 0], 24000],
  ['MP3 of MPEG-2.5', [0xff, 0xe3, 0x98, 0], 8000],
  ['AAC', [0xff, 0xf1, 0x60, 0], 16000],
  ['AAC in MP4', mp4('mp4a', 44100), 44100],
  ['ALAC in MP4', mp4('alac', 48000), 48000],
  ['Vorbis in WebM', webm('A_VORBIS', 44100), 44100],
  ['Opus in WebM', webm('A_OPUS', 24000), 48000],
  ['Opus in WebM, named behind the rate', webmLateCodec('A_OPUS', 24000), 48000],
  ['Vorbis in WebM, named behind the rate', webmLateCodec('A_VORBIS', 44100), 44100],
])('%s', async (_, file, rate) => {
  expect(await statedRate(file)).toBe(rate);
});

describe('the decoder', () => {
  afterEach(() => delete globalThis.OfflineAudioContext);

  test('is the browser, in a context of the file’s rate', async () => {
    globalThis.OfflineAudioContext = class {
      constructor(channels, length, rate) {
        this.rate = rate;
      }

      async decodeAudioData(buffer) {
        const samples = Float32Array.of(buffer.byteLength);
        return { numberOfChannels: 1, sampleRate: this.rate, getChannelData: () => samples };
      }
    };
    const file = new Blob([Uint8Array.from(flac(44100))]);
    expect(await decodeAudio(file)).toEqual({ channelData: [Float32Array.of(38)], sampleRate: 44100 });
  });

  test('of WAV is our own', async () => {
    const wav = encodeWav({ channelData: [[0.5]], sampleRate: 11025 });
    expect(await decodeAudio(wav.buffer)).toEqual({ channelData: [Float32Array.of(0.5)], sampleRate: 11025 });
  });

  const kinds = 'a WAV file, an MP3 file, an Ogg file, a FLAC file, an MP4 or WebM file';
  test.each([
    [Uint8Array.from(flac(1)), TypeError, 'decode must be given where there is no OfflineAudioContext'],
    [Uint8Array.from([]), RangeError, `file must be ${kinds}, got an empty file of 0 bytes`],
    [Uint8Array.from(ascii('text')), RangeError, `file must be ${kinds}, got text of 4 bytes: 'text'`],
    [7, TypeError, 'file must be a Blob or bytes, got 7'],
    ...[ogg(ascii('Speex')), [0xff, 0xfb, 0x9c], ascii('ID3'), ascii('\0\0\0\x08ftyp'), flac(0)].map((bytes) => [
      Uint8Array.from(bytes),
      RangeError,
      /^decodeAudio: the file must be WAV, MP3, AAC, Ogg, FLAC, MP4 or WebM with a rate in its header, got '/,
    ]),
  ])('refuses %p', async (file, Class, message) => {
    const error = await decodeAudio(file).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Class);
    if (message instanceof RegExp) expect(error.message).toMatch(message);
    else expect(error.message).toBe(`decodeAudio: ${message}`);
  });

  test('is not asked for boxes that are nested without end', async () => {
    const nested = [...ascii('\0\0\0\x08ftyp'), ...Array.from({ length: 50000 }, () => [...big(0), ...ascii('moov')])];
    const message = /^decodeAudio: the file must be WAV/;
    await expect(decodeAudio(Uint8Array.from(nested.flat()))).rejects.toThrow(message);
  });

  test('ends on every beginning of a file', async () => {
    const decode = () => ({ channelData: [[0]] });
    for (const whole of [flac(44100), mp4('mp4a', 44100), webm('A_VORBIS', 44100), ogg(ascii('OpusHead')), id3]) {
      for (let length = 0; length < whole.length; length++) {
        const decoded = decodeAudio(Uint8Array.from(whole.slice(0, length)), { decode });
        await decoded.catch((error) => expect(error).toBeInstanceOf(RangeError));
      }
    }
  });
});
