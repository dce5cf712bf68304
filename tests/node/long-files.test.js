/** Files of 3 GiB, made sparse: Node aborts at one read of 2 GiB, so every reader has a limit, or reads in pieces. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { encodeWav, init } from 'onnx-layout/audio';
import {
  fileSource,
  openWeights,
  preprocessFiles,
  readConfigurationFolder,
  readImage,
  readWav,
} from 'onnx-layout/node';
import { temporaryFolder } from '../support/programs.js';
import { hasHoles } from '../support/sparse-files.js';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const length = 3 * 2 ** 30;
const shown = (path) => (path.length > 60 ? `'${path.slice(0, 60)}…'` : `'${path}'`);

function sparse(name, beginning) {
  writeFileSync(at(name), beginning);
  truncateSync(at(name), length);
  return at(name);
}

beforeAll(() => init());

if (!hasHoles(folder)) test.skip('NOT RUN: no disk with sparse files', () => {});
else {
  test('readImage, and preprocessFiles, which skips them', async () => {
    const path = sparse('a.jpg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0));
    const message = `readImage: ${shown(path)} must have at most 2147483647 bytes, got ${length}`;
    await expect(readImage(path)).rejects.toThrow(new RangeError(message));
    const config = { image_processor_type: 'ViTImageProcessor' };
    for await (const { failed } of preprocessFiles([path], config, { onError: 'skip', jobs: 2 }))
      expect(failed.map(({ error }) => error.message)).toEqual([message]);
  });

  test('readWav opens it, and reads it in parts', async () => {
    const file = encodeWav({ channelData: [[0, 0.5]], sampleRate: 8000 });
    new DataView(file.buffer).setUint32(40, 0xffffffff, true);
    const wav = await readWav(sparse('a.wav', file));
    expect(wav.length).toBe((length - 44) / 2);
    await expect(wav.read()).rejects.toThrow(
      new RangeError(`readWav: from and to must hold at most 2147483647 bytes, got ${length - 44}: read pieces()`),
    );
    expect((await wav.read(1.5e9, 1.5e9 + 2)).channelData).toEqual([new Float32Array(2)]);
    await wav.close();
    await expect(readWav(sparse('zeros', ''))).rejects.toThrow('bytes must be a WAV file');
  });

  test('fileSource reads 8 MiB at once', async () => {
    const source = await fileSource(sparse('source', ''));
    expect(await source.read(new Uint8Array(2 ** 31), 0)).toBe(8 * 2 ** 20);
    expect((await source.slice(length - 20e6, length + 5)).length).toBe(20e6);
    await expect(source.slice(2, 1)).rejects.toThrow(
      new RangeError('fileSource: start and end must be whole numbers with 0 <= start <= end, got 2 and 1'),
    );
    expect(() => source.read(new Uint8Array(4), { at: 1 })).toThrow(
      new RangeError('fileSource: start must be a whole number from 0, got an object'),
    );
    expect(() => source.read([], 1)).toThrow(new TypeError('fileSource: target must be a Uint8Array, got Array'));
    await source.close();
  });

  test('openWeights and readConfigurationFolder', async () => {
    const message = 'openModel: bytes must be protobuf, got illegal tag: field no 0 wire type 0';
    await expect(openWeights(sparse('weights', ''))).rejects.toThrow(new RangeError(message));
    sparse('config.json', '{');
    await expect(readConfigurationFolder(folder)).rejects.toThrow(
      `must have at most ${64 * 2 ** 20} bytes, got ${length}`,
    );
  });
}
