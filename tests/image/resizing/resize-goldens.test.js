/** resize, thumbnail and crop against the results of Pillow and torchvision themselves, byte for byte. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { crop, init, resize, thumbnail } from 'onnx-layout/image';
import { compareHash } from '../../support/golden-samples.js';
import { hashOf, recordOf } from '../../support/goldens.js';
import { optionsOf, readPicture, resizeGoldens } from '../../support/image-goldens.js';
import { pictureOf, pillowGoldens } from './pillow-goldens.js';

beforeAll(() => init());

/** Expects a result of this size and class in an array of its own. */
function expectPicture(result, source, width, height) {
  const { data, ...rest } = result;
  expect(rest).toEqual({ width, height, channels: source.channels });
  expect(data.constructor).toBe(source.data.constructor);
  expect(data.byteLength).toBe(data.buffer.byteLength);
  expect(data.buffer).not.toBe(source.data.buffer);
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
    const result = { resize, thumbnail, crop }[golden.call](source, golden.options);
    expectPicture(result, source, ...golden.size);
    expect(compareHash(result.data, golden.sha256)).toEqual({ sha256: golden.sha256 });
    expect(hashOf(source.data)).toBe(before);
  });
});

test.each(resizeGoldens.map((golden) => [`${golden.id}: ${golden.image_mode} ${JSON.stringify(golden.op)}`, golden]))(
  '%s',
  (_, { input, output, ...golden }) => {
    const source = readPicture(input);
    const [height, width] = output.dims;
    const result = resize(source, optionsOf(golden));
    expectPicture(result, source, width, height);
    expect(recordOf(output.dtype, output.dims, result.data, output)).toEqual(output);
  },
);
