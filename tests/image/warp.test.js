/** warpAffine and warpPerspective: against what OpenCV made, and against an oracle that makes the same. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { alignFace, init, warpAffine, warpPerspective } from 'onnx-layout/image';
import { expectBytes, expectError } from '../support/assertions.js';
import { recordOf } from '../support/goldens.js';
import { openCvGoldens, readInput } from '../support/opencv-goldens.js';
import { commitHash } from '../support/sample.js';
import { below, generator, randomData } from '../support/samples.js';
import { expectImage } from './expect-image.js';
import { callOf } from './resizing/opencv-calls.js';
import { warpedPixels } from './warp.reference.js';

beforeAll(() => init());

const warpOf = (matrix) => (matrix.length === 6 ? warpAffine : warpPerspective);

describe('OpenCV', () => {
  const goldens = openCvGoldens('warp');

  test('there are 96 goldens', () => {
    expect(goldens.length).toBe(96);
  });

  test.each(goldens.map((golden) => [`${golden.id}: ${JSON.stringify(golden.options)}`, golden]))('%s', (_, golden) => {
    const { input, matrix, options, output } = golden;
    const picture = readInput(input);
    const { data, ...rest } = callOf(picture, golden);
    expect(rest).toEqual({ width: options.width, height: options.height, channels: picture.channels });
    expect(recordOf('uint8', output.dims, data, output)).toEqual(output);
    expect(recordOf('uint8', output.dims, warpedPixels(picture, matrix, options).data, output)).toEqual(output);
  });
});

const picture = (width, height, channels, seed = 7) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

/** Expects the oracle's bytes, in memory of the call's own and in `out`. */
function expectAsOracle(image, matrix, options, what) {
  const expected = warpedPixels(image, matrix, options);
  const warp = warpOf(matrix);
  expectImage(warp(image, matrix, options), expected, what);
  const { width, height, channels } = expected;
  const rowstride = width * channels + 3;
  const out = { data: new Uint8Array(rowstride * height).fill(9), width, height, channels, rowstride };
  expect(warp(image, Float64Array.from(matrix), { ...options, out }).data).toBe(out.data);
  const padded = new Uint8Array(rowstride * height).fill(9);
  for (let y = 0; y < height; y++)
    padded.set(expected.data.subarray(y * width * channels, (y + 1) * width * channels), y * rowstride);
  expectBytes(out.data, padded);
}

/** @type {(seed: number) => { image: any, matrix: number[], options: any }} */
function randomCase(seed) {
  const random = generator(seed);
  const int = (least, most) => least + below(random, most - least + 1);
  const pick = (list) => list[below(random, list.length)];
  const side = () => int(1, int(1, 60));
  const channels = pick([1, 3, 4]);
  const image = picture(side(), side(), channels, seed);
  const number = (size) => (int(-1000, 1000) / 1000) * size;
  const scale = pick([0.3, 1, 3]);
  const matrix = [scale + number(1), number(1), number(40), number(1), scale + number(1), number(40)];
  if (int(0, 1)) matrix.push(number(0.02), number(0.02), pick([1, 1, 0.5, -2]));
  const options = {
    width: side(),
    height: side(),
    filter: pick(['nearest', 'linear', 'cubic']),
    border: pick(['constant', 'replicate']),
    background: Array.from({ length: channels }, () => int(0, 255)),
    inverse: int(0, 1) === 1,
  };
  return { image, matrix, options };
}

const firstSeed = Number.parseInt(commitHash().slice(0, 8), 16);

test('300 calls by the commit', () => {
  for (let seed = firstSeed; seed < firstSeed + 300; seed++) {
    const { image, matrix, options } = randomCase(seed);
    const { width, height } = image;
    expectAsOracle(image, matrix, options, `randomCase(${seed}): ${width} x ${height}, ${matrix}`);
  }
});

describe('a picture that is staged in parts', () => {
  // 8.4 MB, of which a tile needs all or little.
  const large = picture(2000, 1400, 3);
  const [cosine, sine] = [Math.cos(0.7), Math.sin(0.7)];
  test.each([
    ['turned and shrunk', [15 * cosine, 15 * sine, 300, -15 * sine, 15 * cosine, 900], 70, 90],
    ['beside the picture', [1, 0, 5000, 0, 1, 0], 33, 20],
    ['a strip of two rows', [25, 0, 0, 0, 1, 700], 81, 2],
    ['a perspective', [20, 2, 0, 1, 14, 0, 0.001, 0.0002, 1], 90, 80],
    ['a horizon in the picture', [20, 2, 0, 1, 14, 0, 0.02, -0.01, -0.3], 60, 50],
  ])('%s', (what, matrix, width, height) => {
    for (const filter of ['nearest', 'linear', 'cubic'])
      for (const border of ['constant', 'replicate']) {
        const options = { width, height, filter, border, background: [1, 2, 3], inverse: true };
        expectAsOracle(large, matrix, options, `${what}, ${filter}, ${border}`);
      }
  });

  test('a result of several tiles', () => {
    const sides = { width: 1500, height: 1000, background: [0, 0, 0] };
    const matrix = [0.9, 0.1, 7, -0.2, 0.8, 40];
    const options = { ...sides, filter: 'nearest', border: 'replicate', inverse: true };
    expectAsOracle(large, matrix, options, 'both sides in parts');
  });
});

test('sizes, filter, border and background if omitted', () => {
  const image = picture(23, 9, 3);
  const matrix = [0.8, 0.2, 3, -0.1, 1.1, 1];
  const usual = { width: 23, height: 9, filter: 'linear', border: 'constant', background: [0, 0, 0], inverse: false };
  expectImage(warpAffine(image, matrix), warpedPixels(image, matrix, usual), 'defaults');
  const white = { ...usual, background: [255, 255, 255] };
  expectImage(warpAffine(image, matrix, { background: 'white' }), warpedPixels(image, matrix, white), 'white');
});

test('a map that sends all to infinity gives the background, or an edge', () => {
  const image = picture(5, 4, 1);
  const matrix = [1, 0, 0, 0, 1, 0, 0, 0, 0];
  for (const filter of ['nearest', 'linear', 'cubic']) {
    const options = { filter, inverse: true, background: 99 };
    expect([...warpPerspective(image, matrix, options).data].every((byte) => byte === 99)).toBe(true);
    expect(warpPerspective(image, matrix, { ...options, border: 'replicate' }).data.length).toBe(20);
  }
});

describe('alignFace', () => {
  const goldens = openCvGoldens('norm_crop');

  test('there are 24 goldens', () => {
    expect(goldens.length).toBe(24);
  });

  test.each(goldens.map((golden) => [`${golden.id}: ${golden.options.size}`, golden]))('%s', (_, golden) => {
    const image = readInput(golden.input);
    const { data, width, height, channels } = callOf(image, golden);
    expect(recordOf('uint8', [height, width, channels], data, golden.output)).toEqual(golden.output);
    const flat = Float64Array.from(golden.options.landmarks.flat());
    expect(alignFace(image, flat, { size: width }).data).toEqual(data);
  });

  const image = picture(9, 9, 3);
  const landmarks = [1, 1, 7, 1, 4, 4, 2, 7, 6, 7];
  test.each([
    [undefined, {}, TypeError, 'landmarks must be a list of 5 points, got undefined'],
    [[1, 2], {}, RangeError, 'landmarks must have 10 numbers, got 2'],
    [landmarks.map(String), {}, TypeError, `landmarks must hold numbers, got '1'`],
    [
      landmarks.map(() => NaN),
      {},
      RangeError,
      'landmarks must be finite, got [NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, …]',
    ],
    [landmarks.map(() => 3), {}, RangeError, 'landmarks must not be one point, got [3, 3, 3, 3, 3, 3, 3, 3, …]'],
    [landmarks, { size: 100 }, RangeError, 'size must be a multiple of 112 or 128, got 100'],
    [landmarks, { out: image }, RangeError, 'out must have 112 x 112 pixels, got 9 x 9'],
  ])('refuses %j', (given, options, Class, rule) => {
    expectError(() => alignFace(image, given, options), Class, `alignFace: ${rule}`);
  });
});

describe('refuses', () => {
  const image = { data: new Uint8Array(12), width: 2, height: 2, channels: 3 };
  const affine = [1, 0, 0, 0, 1, 0];
  test.each([
    [[affine.slice(1)], RangeError, 'matrix must have 6 numbers, got 5'],
    [[[affine, affine]], RangeError, 'matrix must have 6 numbers, got 2'],
    [[undefined], TypeError, 'matrix must be a list of 6 numbers, got undefined'],
    [[new Uint8Array(6)], TypeError, 'matrix must be a list of 6 numbers, got Uint8Array'],
    [[[1, 0, 0, 0, 1, '0']], TypeError, `matrix must hold numbers, got '0'`],
    [[[1, 0, 0, 0, 1, NaN]], RangeError, 'matrix must be finite, got [1, 0, 0, 0, 1, NaN]'],
    [[[1, 2, 0, 2, 4, 0]], RangeError, 'matrix must have an inverse, got [1, 2, 0, 2, 4, 0]'],
    [[affine, { width: 0 }], RangeError, 'width must be at least 1, got 0'],
    [[affine, { height: 65537 }], RangeError, 'height must be at most 65536, got 65537'],
    [[affine, { filter: 'area' }], RangeError, `filter must be 'nearest', 'linear' or 'cubic', got 'area'`],
    [[affine, { border: 'wrap' }], RangeError, `border must be 'constant' or 'replicate', got 'wrap'`],
    [[affine, { background: [1] }], RangeError, 'background must hold 3 bytes, one for each channel, got [1]'],
    [[affine, { inverse: 2 }], RangeError, 'inverse must be 0 or 1, got 2'],
    [[affine, { out: { ...image, height: 1 } }], RangeError, 'out must have 2 x 2 pixels, got 2 x 1'],
    [[affine, { out: image }], RangeError, 'out must not overlap image'],
  ])('%j', ([matrix, options], Class, rule) => {
    expectError(() => warpAffine(image, matrix, options), Class, `warpAffine: ${rule}`);
  });

  test('a perspective without an inverse, and a picture of two channels', () => {
    const flat = [1, 0, 0, 0, 1, 0, 1, 1, 0];
    const rule = 'warpPerspective: matrix must have an inverse, got [1, 0, 0, 0, 1, 0, 0, 0, …]';
    expectError(() => warpPerspective(image, [1, 0, 0, 0, 1, 0, 0, 0, 0]), RangeError, rule);
    expect(() => warpPerspective(image, flat)).toThrow(RangeError);
    const two = { data: new Uint8Array(8), width: 2, height: 2, channels: 2 };
    const channels = 'warpAffine: image channels must be 1, 3 or 4, got 2';
    expectError(() => warpAffine(two, affine), RangeError, channels);
  });
});
