/** The tables of resizing that are kept: a call gets those of its own axes, whatever came before. */
import { beforeAll, expect, test } from '@jest/globals';
import { blobFromImage, imageToTensor, init, resize } from 'onnx-layout/image';
import { randomData } from '../../support/samples.js';
import { expectAsOracle } from '../expect-image.js';
import { blobOf } from '../letterbox.reference.js';

beforeAll(() => init());

const image = { data: randomData('uint8', 90 * 90 * 3, 5), width: 90, height: 90, channels: 3 };
const size = { width: 70, height: 70 };
const bilinear = { ...size, filter: 'bilinear' };

/** Calls whose axes differ in one thing from those of another. */
const different = {
  'the library': [bilinear, { ...bilinear, backend: 'torchvision' }],
  'the filter': [{ ...size, filter: 'bicubic' }, bilinear],
  'the begin': [bilinear, { ...bilinear, box: [3, 3, 90, 90] }],
  'the end': [bilinear, { ...bilinear, box: [0, 0, 87, 87] }],
  'the size': [bilinear, { ...bilinear, width: 71, height: 71 }],
};

test.each(Object.entries(different))('%s', (_, [one, other]) => {
  for (const options of [one, other, one, other]) expectAsOracle({ image, options });
});

test('the factor', () => {
  const tall = { ...image, data: image.data.slice(0, 6 * 10 * 3), width: 6, height: 10 };
  const crop = { width: 5, height: 6 };
  // Both make rows 1 to 6 of 8: by 8 / 10, and by the factor 5 / 6.
  for (let turn = 0; turn < 2; turn++) {
    imageToTensor(tall, { ...crop, fit: 'cover', backend: 'opencv' });
    expect([...blobFromImage(tall, { ...crop, crop: true }).data]).toEqual([...blobOf(tall, { ...crop, crop: true })]);
  }
});

test('more pictures than tables are kept', () => {
  const calls = Array.from({ length: 12 }, (_, i) => ({ width: 5 + i, height: 20 - i, backend: 'opencv' }));
  const first = calls.map((options) => resize(image, options).data);
  expect(calls.map((options) => resize(image, options).data)).toEqual(first);
  for (const options of calls) expectAsOracle({ image, options });
});
