/** The oracle of resizing against the results of Pillow and torchvision themselves, byte for byte. */
import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { readPng } from '../../support/png.js';
import { hashOf, recordOf } from '../../support/goldens.js';
import { inputHashes, optionsOf, readPicture, resizeGoldens } from '../../support/image-goldens.js';
import { chooseSample } from '../../support/sample.js';
import { pictureOf, pillowGoldens } from './pillow-goldens.js';
import { cropped, resize, thumbnail } from './resize.reference.js';

test('the goldens have their number, and their pictures are read as Python reads them', () => {
  expect(resizeGoldens.filter(({ mode }) => mode === 'pillow').length).toBe(351);
  expect(resizeGoldens.filter(({ mode }) => mode === 'torch').length).toBe(224);
  const hashes = inputHashes();
  for (const path of new Set(resizeGoldens.map(({ input }) => input)))
    expect([path, hashOf(readPicture(path).data)]).toEqual([path, hashes[path]]);
});

const named = resizeGoldens.map((golden) => [golden.id, golden]);

test.each(chooseSample(named, 4))('reproduces %s', (_, golden) => {
  const { data, width, height, channels } = resize(readPicture(golden.input), optionsOf(golden));
  expect(recordOf(golden.output.dtype, [height, width, channels], data, golden.output)).toEqual(golden.output);
});

test('reproduces what Pillow made of seeded pictures, thumbnails and crops among them', () => {
  expect(pillowGoldens.filter(({ call }) => call === 'thumbnail').length).toBe(40);
  expect(pillowGoldens.filter(({ call }) => call === 'crop').length).toBe(55);
  for (const golden of chooseSample(pillowGoldens, 4)) {
    const { data, width, height } = { resize, thumbnail, crop: cropped }[golden.call](
      pictureOf(golden),
      golden.options,
    );
    expect({ ...golden, size: [width, height], sha256: hashOf(data) }).toEqual(golden);
  }
});

/** A PNG file of some rows, each with the number of its filter; the checksums are not read. */
function pngOf(width, colorType, rows) {
  const chunk = (kind, data) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(kind, 4);
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, colorType], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  const parts = [chunk('IHDR', header), chunk('IDAT', data.subarray(0, 3)), chunk('IDAT', data.subarray(3))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts, chunk('IEND', Buffer.alloc(0))]);
}

test('every filter of a PNG file is undone', () => {
  const rows = [
    [0, 1, 2, 3, 250, 5, 6],
    [1, 10, 20, 30, 1, 1, 1],
    [2, 5, 5, 5, 5, 5, 255],
    [3, 100, 0, 1, 2, 3, 4],
    [4, 0, 7, 9, 200, 1, 0],
  ];
  expect(readPng(pngOf(2, 2, rows))).toEqual({
    data: Uint8Array.from([
      ...[1, 2, 3, 250, 5, 6],
      ...[10, 20, 30, 11, 21, 31],
      ...[15, 25, 35, 16, 26, 30],
      ...[107, 12, 18, 63, 22, 28],
      ...[107, 19, 27, 7, 23, 28],
    ]),
    width: 2,
    height: 5,
    channels: 3,
  });
  expect(() => readPng(pngOf(2, 3, rows))).toThrow('PNG of depth 8, color type 3, interlacing 0 is not read here');
});
