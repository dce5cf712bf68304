/** WAV files by their paths: parts, pieces, headers of any length, and files that lie. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { decodeWav, encodeWav, init } from 'onnx-layout/audio';
import { readWav } from 'onnx-layout/node';
import { temporaryFolder } from '../support/programs.js';

const folder = temporaryFolder();
const path = join(folder, 'stereo.wav');
let bytes;
let whole;

beforeAll(async () => {
  await init();
  const channelData = [0, 1].map((c) => Float32Array.from({ length: 1000 }, (_, i) => (i - 500 * c) / 1024));
  bytes = encodeWav({ channelData, sampleRate: 48000 });
  whole = decodeWav(bytes);
  writeFileSync(path, bytes);
});

test('a file is read whole, in parts and in pieces', async () => {
  const wav = await readWav(path);
  expect([wav.sampleRate, wav.numberOfChannels, wav.length]).toEqual([48000, 2, 1000]);
  expect(await wav.read()).toEqual(whole);
  const parts = whole.channelData.map((channel) => channel.slice(10, 20));
  expect(await wav.read(10, 20)).toEqual({ channelData: parts, sampleRate: 48000 });
  const lengths = [];
  const joined = [[], []];
  for await (const { channelData } of wav.pieces(300)) {
    lengths.push(channelData[0].length);
    channelData.forEach((channel, c) => joined[c].push(...channel));
  }
  expect(lengths).toEqual([300, 300, 300, 100]);
  expect(joined.map((channel) => Float32Array.from(channel))).toEqual(whole.channelData);
  await wav.close();
});

test('samples may begin anywhere', async () => {
  const long = new Uint8Array(bytes.length + 8 + 200000);
  long.set(bytes.subarray(0, 12));
  long.set(Buffer.from('LIST'), 12);
  new DataView(long.buffer).setUint32(16, 200000, true);
  long.set(bytes.subarray(12), 20 + 200000);
  const other = join(folder, 'long.wav');
  writeFileSync(other, long);
  const wav = await readWav(other);
  expect(await wav.read()).toEqual(whole);
  await wav.close();
});

test('what is wrong is said', async () => {
  const bad = join(folder, 'bad.wav');
  writeFileSync(bad, 'no audio');
  const message = 'readWavHeader: bytes must be a WAV file: RIFF, RIFX or RF64 with WAVE';
  await expect(readWav(bad)).rejects.toThrow(new RangeError(message));
  const wav = await readWav(path);
  const rule = 'from and to must be whole numbers with 0 <= from <= to <= 1000';
  await expect(wav.read(5, 1001)).rejects.toThrow(new RangeError(`readWav: ${rule}, got 5 and 1001`));
  await expect(wav.pieces(0).next()).rejects.toThrow(
    new RangeError('readWav: length must be a whole number from 1 on, got 0'),
  );
  await wav.close();
});
