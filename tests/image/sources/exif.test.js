/**
 * `orientation: 'ignore'` decodes a file without its EXIF. These tests check which bytes the browser gets, in Node with
 * a fake of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import { expectErrors } from '../../support/assertions.js';
import { generator } from '../../support/samples.js';

beforeAll(() => init());

/** The bytes that the browser decoded. */
let decoded;

beforeEach(() => {
  globalThis.createImageBitmap = async (blob) => {
    decoded = { type: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) };
    throw new Error('not decoded');
  };
});

afterEach(() => delete globalThis.createImageBitmap);

/** The picture that the browser decodes from a file. */
async function decodedOf(bytes, options = { orientation: 'ignore' }) {
  const blob = new Blob([Uint8Array.from(bytes)], { type: 'image/x' });
  await expect(imageToTensorAsync(blob, options)).rejects.toThrow('not decoded');
  expect(decoded.type).toBe('image/x');
  return [...decoded.bytes];
}

const text = (string) => [...Buffer.from(string, 'latin1')];
const segment = (code, ...data) => [0xff, code, (data.length + 2) >> 8, (data.length + 2) & 255, ...data];
const soi = [0xff, 0xd8];
const exif = segment(0xe1, ...text('Exif\0\0'), 1, 2, 3);
const xmp = segment(0xe1, ...text('http://ns.adobe.com/xap/1.0/\0<x/>'));
const long = segment(0xe2, ...new Array(60_000).fill(7));
const scan = [...segment(0xda, 1, 2, 3), 5, 6, 7, 0xff, 0xd9];

const chunk = (type, ...data) => [0, 0, data.length >> 8, data.length & 255, ...text(type), ...data, 9, 9, 9, 9];
const signature = [0x89, ...text('PNG\r\n\x1a\n')];
const header = chunk('IHDR', ...new Array(13).fill(1));
const pixels = chunk('IDAT', ...new Array(300).fill(2));
const end = chunk('IEND');

describe('leaves out the EXIF, and nothing else, of', () => {
  test.each([
    ['a JPEG that begins with it', [...soi, ...exif, ...long, ...scan], [...soi, ...long, ...scan]],
    ['a JPEG that has it later', [...soi, ...long, ...xmp, ...exif, ...scan], [...soi, ...long, ...xmp, ...scan]],
    ['a JPEG that has it twice', [...soi, ...exif, ...xmp, ...exif, ...scan], [...soi, ...xmp, ...scan]],
    [
      'a JPEG with bytes before markers',
      [...soi, 0xff, ...exif, 0xff, 0xff, ...scan],
      [...soi, 255, 255, 255, ...scan],
    ],
    [
      'a PNG',
      [...signature, ...header, ...chunk('eXIf', 1), ...pixels, ...end],
      [...signature, ...header, ...pixels, ...end],
    ],
    [
      'a PNG that has it last',
      [...signature, ...header, ...pixels, ...chunk('eXIf', 1, 2)],
      [...signature, ...header, ...pixels],
    ],
  ])('%s', async (_, bytes, rest) => expect(await decodedOf(bytes)).toEqual(rest));
});

describe('leaves alone', () => {
  test.each([
    ['a JPEG without EXIF', [...soi, ...xmp, ...scan]],
    ['the name of EXIF in another segment', [...soi, ...segment(0xe2, ...text('Exif\0\0'), 1), ...scan]],
    ['EXIF behind the first scan', [...soi, ...segment(0xda, 1, 2, 3), ...exif]],
    ['a JPEG that ends in its EXIF', [...soi, ...exif.slice(0, 3)]],
    ['a JPEG whose segments do not follow each other', [...soi, 1, ...exif, ...scan]],
    ['a PNG without EXIF', [...signature, ...header, ...pixels, ...end]],
    ['a PNG that ends within a chunk', [...signature, ...header, ...chunk('eXIf').slice(0, 11)]],
    ['another format', [...text('RIFF'), ...exif, ...chunk('eXIf', 1)]],
    ['an empty file', []],
  ])('%s', async (_, bytes) => expect(await decodedOf(bytes)).toEqual(bytes));

  test.each([[undefined], [{}], [{ orientation: undefined }], [{ orientation: 'upright' }]])(
    'all files with the options %j',
    async (options) => {
      const bytes = [...soi, ...exif, ...scan];
      expect(await decodedOf(bytes, options ?? {})).toEqual(bytes);
    },
  );
});

test('is an option of imageToTensorAsync alone', () =>
  expectErrors({
    ["TypeError: imageToTensor: unknown option 'orientation'. Known: layout, channels, dtype, preset, " +
    'scale, mean, std, out, …']: () =>
      imageToTensor({ data: new Uint8Array(3), width: 1, height: 1 }, { orientation: 'ignore' }),
  }));

test('ends on whatever a file holds', async () => {
  const random = generator(3);
  const files = ['jpeg-orientation-6.jpg', 'png-orientation-5.png'].map((name) =>
    readFileSync(join(import.meta.dirname, 'pictures', name)),
  );
  for (const file of files) {
    const head = [...file.subarray(0, 200)];
    for (let turn = 0; turn < 200; turn++) {
      const bytes = head.slice(0, 2 + (random() % 198));
      for (let i = 0; i < 4; i++) bytes[2 + (random() % (bytes.length - 1))] = random() % 256;
      expect((await decodedOf(bytes)).length).toBeLessThanOrEqual(bytes.length);
    }
  }
});
