/** resize, thumbnail and cropPixels against the results of Pillow and torchvision themselves, byte for byte. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cropPixels, init, resize, thumbnail } from 'onnx-layout';
import { where } from '../../support/programs.js';
import { hasPythonGoldens, hashOf, optionsOf, readPicture, resizeGoldens } from '../../support/python-goldens.js';
import { pictureOf, pillowGoldens } from './pillow-goldens.js';

beforeAll(() => init());

/** Expects a result of this size and class in an array of its own, and of these bytes. */
function expectPicture(result, source, width, height, sha256) {
  const { data, ...rest } = result;
  expect(rest).toEqual({ width, height, channels: source.channels });
  expect(data.constructor).toBe(source.data.constructor);
  expect(data.byteLength).toBe(data.buffer.byteLength);
  expect(data.buffer).not.toBe(source.data.buffer);
  expect(hashOf(data)).toBe(sha256);
}

describe('Pillow', () => {
  test.each(
    pillowGoldens.map((golden) => {
      const { call, mode, from, options } = golden;
      return [`${call} ${mode} ${from.join(' x ')} ${JSON.stringify(options)}`, golden];
    }),
  )('%s', (_, golden) => {
    const source = pictureOf(golden);
    const before = hashOf(source.data);
    const result = { resize, thumbnail, cropPixels }[golden.call](source, golden.options);
    expectPicture(result, source, ...golden.size, golden.sha256);
    expect(hashOf(source.data)).toBe(before);
  });
});

where(hasPythonGoldens, '../shared/python-goldens', () => {
  test.each(
    resizeGoldens().map((golden) => [`${golden.id}: ${golden.image_mode} ${JSON.stringify(golden.op)}`, golden]),
  )('%s', (_, golden) => {
    const source = readPicture(golden.input);
    const [height, width] = golden.output.dims;
    expectPicture(resize(source, optionsOf(golden)), source, width, height, golden.output.sha256);
  });
});
