/** WAV files by their paths: parts, pieces, headers of any length, and files that lie. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
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
  const message = "readWavHeader: bytes must be a WAV file, got text of 8 bytes: 'no audio'";
  await expect(readWav(bad)).rejects.toThrow(new RangeError(message));
  const wav = await readWav(path);
  const rule = 'from and to must be whole numbers with 0 <= from <= to <= 1000';
  await expect(wav.read(5, 1001)).rejects.toThrow(new RangeError(`readWav: ${rule}, got 5 and 1001`));
  await expect(wav.pieces(0).next()).rejects.toThrow(
    new RangeError('readWav: length must be a whole number from 1 on, got 0'),
  );
  await wav.close();
});

describe('chunks in front of the samples are jumped over', () => {
  const chunk = (name, size, body = Buffer.alloc(size)) => {
    const head = Buffer.alloc(8);
    head.write(name);
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const write = (name, ...chunks) => {
    const file = Buffer.concat([bytes.subarray(0, 12), ...chunks, bytes.subarray(12)]);
    writeFileSync(join(folder, name), file);
    return file;
  };

  test.each([
    ['one of an odd length', () => [chunk('LIST', 7)]],
    ['one of 200,000 bytes, and one around the end of a window', () => [chunk('JUNK', 65_500), chunk('id3 ', 200_000)]],
    ['65,000 without bytes', () => Array.from({ length: 65_000 }, () => chunk('null', 0))],
  ])('%s', async (name, chunks) => {
    const file = write('jumped.wav', ...chunks());
    const wav = await readWav(join(folder, 'jumped.wav'));
    expect(await wav.read()).toEqual(decodeWav(file));
    await wav.close();
  });

  test('a format chunk of 100,000 bytes, big-endian and RF64 files are read as decodeWav does', async () => {
    const format = Buffer.concat([bytes.subarray(20, 36), Buffer.alloc(99_984)]);
    const long = Buffer.concat([bytes.subarray(0, 12), chunk('fmt ', 100_000, format), bytes.subarray(36)]);
    const rf64 = Buffer.from(bytes);
    rf64.write('RF64');
    const sizes = Buffer.alloc(28);
    sizes.writeUInt32LE(bytes.length - 44, 8);
    const wide = Buffer.concat([rf64.subarray(0, 12), chunk('ds64', 28, sizes), rf64.subarray(12)]);
    wide.writeUInt32LE(0xffffffff, 36 + 40);
    const big = Buffer.from(bytes);
    big.write('RIFX');
    for (const at of [4, 16, 24, 28, 40]) big.subarray(at, at + 4).reverse();
    for (const at of [20, 22, 32, 34]) big.subarray(at, at + 2).reverse();
    for (const [i, file] of [long, wide, big].entries()) {
      writeFileSync(join(folder, `${i}.wav`), file);
      const wav = await readWav(join(folder, `${i}.wav`));
      expect(await wav.read()).toEqual(decodeWav(file));
      await wav.close();
    }
  });

  test('more than 65,536 of them are refused', async () => {
    write('many.wav', ...Array.from({ length: 65_536 }, () => chunk('null', 0)));
    await expect(readWav(join(folder, 'many.wav'))).rejects.toThrow(
      new RangeError('readWav: the data chunk must be one of the first 65536, got none'),
    );
  });
});
