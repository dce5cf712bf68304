/** resize with backend 'opencv': against what OpenCV made, and against an oracle that makes the same. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, init, resize } from 'onnx-layout/image';
import { recordOf } from '../../support/goldens.js';
import { openCvGoldens, readInput } from '../../support/opencv-goldens.js';
import { commitHash } from '../../support/sample.js';
import { randomData } from '../../support/samples.js';
import { expectAsOracle } from '../expect-image.js';
import { cvResize } from './opencv-resize.reference.js';
import { openCvFilters, randomOpenCvCase } from './resize-cases.js';

beforeAll(() => init());

describe('OpenCV', () => {
  const goldens = openCvGoldens('resize');

  test('there are 278 goldens', () => expect(goldens.length).toBe(278));

  test.each(goldens.map((golden) => [`${golden.id}: ${golden.image_mode} ${JSON.stringify(golden.op)}`, golden]))(
    '%s',
    (_, { input, op, output }) => {
      const picture = readInput(input);
      const [width, height] = op.size;
      expect(recordOf('uint8', output.dims, cvResize(picture, width, height, op.filter).data, output)).toEqual(output);
      const { data, ...rest } = resize(picture, { width, height, filter: op.filter, backend: 'opencv' });
      expect(rest).toEqual({ width, height, channels: picture.channels });
      expect(recordOf('uint8', output.dims, data, output)).toEqual(output);
    },
  );
});

const firstSeed = Number.parseInt(commitHash().slice(0, 8), 16);
const portions = process.env.WHOLE ? 4 : 1;
const usualCases = 490;
const largeCases = 10;

test.each(Array.from({ length: portions }, (_, i) => firstSeed + i * (usualCases + largeCases)))(
  '490 small calls and 10 large ones from seed %i',
  (first) => {
    for (let i = 0; i < usualCases + largeCases; i++) {
      const isLarge = i >= usualCases;
      const given = randomOpenCvCase(first + i, isLarge);
      const { width, height, data } = given.image;
      const size = `${data.constructor.name} ${width} x ${height}`;
      const what = `randomOpenCvCase(${first + i}, ${isLarge}): ${size}, ${JSON.stringify(given.options)}`;
      expectAsOracle(given, { what, isInto: i % 4 === 0 });
    }
  },
);

const picture = (width, height, channels, seed = 7) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

describe.each(openCvFilters)('%s', (filter) => {
  test.each([1, 3, 4])('of %i channels: every end of a vector and of four rows', (channels) => {
    for (let side = 1; side <= 20; side++) {
      const image = picture(side, 21 - side, channels, side);
      for (const [width, height] of [
        [21 - side, side],
        [3, 40],
        [40, 3],
      ])
        expectAsOracle({ image, options: { width, height, filter, backend: 'opencv' } }, { isInto: true });
    }
  });

  // Rows of the result that do not fit are made in blocks of columns; cubic counts its groups from the row's begin.
  test.each([
    [1, 65536, 3, 30000, 2],
    [3, 30000, 2, 65536, 3],
    [4, 3, 5, 65536, 7],
    [3, 65536, 9, 65535, 2],
    [3, 2, 30000, 3, 65536],
    [1, 9, 65536, 2, 5],
  ])('%i channels, %i x %i to %i x %i', (channels, fromWidth, fromHeight, width, height) =>
    expectAsOracle({
      image: picture(fromWidth, fromHeight, channels),
      options: { width, height, filter, backend: 'opencv' },
    }),
  );
});

test('cells whose sum passes 31 bits are black, as OpenCV has them', () => {
  const white = { data: new Uint8Array(3000 * 3000).fill(255), width: 3000, height: 3000 };
  expect(resize(white, { width: 1, height: 1, filter: 'area', backend: 'opencv' }).data).toEqual(Uint8Array.of(0));
});

test('cubic in blocks rounds the end of whole rows alone in its own way', () => {
  const options = { width: 65535, height: 61, filter: 'cubic', backend: 'opencv' };
  expectAsOracle({ image: picture(3, 20, 4, 78), options });
});

test('cubic of RGBA whose alpha is dropped rounds the end of rows as that of RGB', () => {
  const rgba = picture(7, 100, 4);
  const rgb = { ...rgba, data: rgba.data.filter((_, i) => i % 4 < 3), channels: 3 };
  const options = { width: 7, height: 200, filter: 'cubic', backend: 'opencv', channels: 'RGB' };
  expect(imageToTensor(rgba, options)).toEqual(imageToTensor(rgb, options));
});

// 1 / (2 / 196) is no whole number in float64, so OpenCV does not take the way of whole cells.
test.each([
  [1, 1],
  [2, 3],
  [4, 5],
  [5, 5],
  [6, 7],
])('a board of %i and one more is %i where OpenCV shrinks by 98', (least, mean) => {
  const data = Uint8Array.from({ length: 196 * 196 }, (_, i) => least + (((i % 196) + Math.floor(i / 196)) % 2));
  const image = { data, width: 196, height: 196 };
  const result = resize(image, { width: 2, height: 2, filter: 'area', backend: 'opencv' });
  expect([...result.data]).toEqual([mean, mean, mean, mean]);
});

test('linear is the filter if none is named', () => {
  const image = picture(9, 7, 3);
  const options = { width: 5, height: 5, backend: 'opencv' };
  expect(resize(image, options)).toEqual(resize(image, { ...options, filter: 'linear' }));
});
