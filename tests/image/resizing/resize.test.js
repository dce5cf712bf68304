/** resize and thumbnail against the oracle: the sizes and values where kernels end or round, and extreme pictures. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, resize, thumbnail } from 'onnx-layout/image';
import { chooseSample } from '../../support/sample.js';
import { randomData } from '../../support/samples.js';
import { expectAsOracle } from '../expect-image.js';
import { backends } from './resize-cases.js';
import { lists } from '../../support/tables.js';

beforeAll(() => init());

/** Pictures that were made before, because the large ones take long and every method gets them. */
const made = new Map();

function noise(width, height, channels) {
  const key = `${width} ${height} ${channels}`;
  const data = made.get(key) ?? randomData('uint8', width * height * channels, width + height).slice();
  made.set(key, data);
  return { data, width, height, channels };
}

/** Mode F: numbers from -300 to 300. */
const floatNoise = (width, height) => {
  const { data, ...rest } = noise(width, height, 1);
  return { data: Float32Array.from(data, (byte, i) => (byte - 128) * (1 + (i % 8) / 6)), ...rest };
};

const modes = {
  L: (width, height) => noise(width, height, 1),
  LA: (width, height) => noise(width, height, 2),
  RGB: (width, height) => noise(width, height, 3),
  RGBA: (width, height) => noise(width, height, 4),
  F: floatNoise,
};

/** Every backend with each of its filters, with antialiasing and without. */
const methods = Object.entries(backends).flatMap(([backend, filters]) =>
  filters.flatMap((filter) => [
    { backend, filter },
    ...(backend === 'torchvision' && /^bi/.test(filter) ? [{ backend, filter, antialias: false }] : []),
  ]),
);
const methodsOf = (mode) => methods.filter(({ backend }) => mode !== 'F' || backend === 'pil');

describe.each(Object.entries(modes))('%s', (mode, pictureOf) => {
  test.each(chooseSample(methodsOf(mode), 6))('%j: widths and heights 1 to 36, to where vectors end', (method) => {
    const targets = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 65];
    for (let side = 1; side <= 36; side++) {
      const target = targets[(side * 5) % 16];
      const [next, other] = [targets[side % 16], targets[(side * 7 + 3) % 16]];
      expectAsOracle({ image: pictureOf(side, 3), options: { ...method, width: next, height: 5 } });
      expectAsOracle({ image: pictureOf(3, side), options: { ...method, width: 2, height: other } });
      expectAsOracle({ image: pictureOf(side, target), options: { ...method, width: other, height: target } });
      expectAsOracle({ image: pictureOf(target, side), options: { ...method, width: target, height: next } });
    }
  });

  test('reduces by cells of every size up to 17, with cells cut at the edges', () => {
    for (let i = 0; i < 17 * 17; i++) {
      const [fx, fy] = [1 + (i % 17), 1 + ((i / 17) | 0)];
      const image = pictureOf(4 * fx + (i % 3), 3 * fy + (i % 4));
      const options = { width: 4, height: 3, filter: ['box', 'bilinear', 'bicubic'][i % 3], reducingGap: 1 };
      expectAsOracle({ image, options });
      if (mode !== 'F') expectAsOracle({ image: { ...image, data: image.data.map(() => 255) }, options });
    }
    // These two plans differ only in how many rows the last cells have.
    const options = { width: 4, height: 3, box: [0, 0, 8, 14], reducingGap: 1 };
    for (const height of [15, 16]) expectAsOracle({ image: pictureOf(8, height), options });
  });

  test('a box that the picture has exactly, between pixels, and without an extent', () => {
    for (const filter of backends.pil) {
      for (const box of [
        [5, 3, 22, 20],
        [5.5, 3, 22.5, 20],
        [5, 3.25, 22, 20.25],
        [0, 0, 17, 40],
        [0, 7, 40, 24],
        [23, 23, 40, 40],
        [39.5, 0, 40, 0.5],
        [12.5, 3, 12.5, 30],
        [0, 0, 40, 39.999999999],
      ])
        expectAsOracle({ image: pictureOf(40, 40), options: { filter, box, width: 17, height: 17 } });
      expectAsOracle({ image: pictureOf(40, 40), options: { filter, box: [0, 0, 40, 40], width: 40, height: 40 } });
      expectAsOracle({ image: pictureOf(40, 40), options: { filter, box: [0, 0.5, 40, 39.5], width: 40, height: 40 } });
    }
  });

  test('both sides of the rule that decides which axis goes first', () => {
    for (const width of [39, 40, 41])
      for (const height of [99, 100, 101, 102, 103])
        for (const filter of ['bilinear', 'lanczos'])
          expectAsOracle({ image: pictureOf(width, height), options: { filter, width: 20, height: 60 } });
    // A box plays no part in the rule, but the cells of a gap do.
    expectAsOracle({ image: pictureOf(60, 150), options: { width: 20, height: 60, box: [0, 0, 60, 70] } });
    expectAsOracle({ image: pictureOf(60, 150), options: { width: 20, height: 60, reducingGap: 1.2 } });
  });

  test('from one pixel and to one pixel', () => {
    for (const method of methodsOf(mode)) {
      expectAsOracle({ image: pictureOf(1, 1), options: { ...method, width: 1, height: 1 } }, { isInto: true });
      expectAsOracle({ image: pictureOf(1, 1), options: { ...method, width: 35, height: 18 } });
      expectAsOracle({ image: pictureOf(35, 18), options: { ...method, width: 1, height: 1 } });
      expectAsOracle({ image: pictureOf(1, 300), options: { ...method, width: 50, height: 1 } });
      expectAsOracle({ image: pictureOf(300, 1), options: { ...method, width: 1, height: 50 } });
    }
  });
});

describe.each(chooseSample(methods, 6))('%j', (method) => {
  test.each([
    ['30000 x 200 RGB to one pixel', [30000, 200, 3], [1, 1]],
    ['200 x 30000 RGB to one pixel', [200, 30000, 3], [1, 1]],
    ['65536 x 3 RGBA', [65536, 3, 4], [5, 2]],
    ['65536 x 5 RGB', [65536, 5, 3], [7, 9]],
    ['2 x 65536 RGBA', [2, 65536, 4], [3, 5]],
    ['65536 x 5 L to 16384 columns', [65536, 5, 1], [16384, 2]],
    ['5 x 4 RGBA to 16384 columns', [5, 4, 4], [16384, 2]],
    ['1000 x 3 RGB to 16384 columns', [1000, 3, 3], [16384, 4]],
    ['3 x 4 RGB to 16384 rows', [3, 4, 3], [5, 16384]],
    ['700 x 1500 RGB to a tall thumbnail', [700, 1500, 3], [224, 224]],
    ['1000 x 700 LA', [1000, 700, 2], [224, 224]],
  ])('%s', (_, size, [width, height]) => {
    // Twice, because large plans are not kept.
    expectAsOracle({ image: noise(...size), options: { ...method, width, height } }, { isInto: true });
  });

  test('all pairs of bytes, whose means are ties', () => {
    const data = new Uint8Array(512 * 256);
    for (let i = 0; i < 256 * 256; i++) data.set([i >> 8, i & 255], 2 * i);
    const image = { data, width: 512, height: 256 };
    expectAsOracle({ image, options: { ...method, width: 256, height: 256 } });
    expectAsOracle({ image, options: { ...method, width: 512, height: 128 } });
    expectAsOracle({ image, options: { ...method, width: 1024, height: 256 } });
  });

  test('extremes beside each other, which negative weights overshoot', () => {
    for (const period of [1, 2, 3, 4, 7]) {
      const { data, ...size } = noise(90, 70, 3);
      const image = { data: data.map((_, i) => (((i / 3 / period) | 0) % 2) * 255), ...size };
      for (const [width, height] of lists('[45, 35], [44, 36], [91, 71], [200, 170], [30, 14], [11, 9]'))
        expectAsOracle({ image, options: { ...method, width, height } });
    }
  });
});

test.each(['nearest', 'nearest_exact'])('torchvision %s: 1 to 64 pixels to 1 to 200, ties among them', (filter) => {
  for (let width = 1; width <= 64; width++) {
    const image = noise(width, 2, 1);
    for (let target = 1; target <= 200; target += width % 8 === 4 ? 1 : 7)
      expectAsOracle({ image, options: { backend: 'torchvision', filter, width: target, height: 2 } });
    // The sum of both sides decides how nearest_exact rounds.
    for (const target of [82, 126, 127, 164])
      expectAsOracle({ image, options: { backend: 'torchvision', filter, width: target, height: 1 } });
  }
});

test('pil nearest: 1 to 64 pixels to 1 to 200, and parts of a pixel', () => {
  for (let width = 1; width <= 64; width++) {
    const image = noise(width, 2, 1);
    for (let target = 1; target <= 200; target += 5) {
      const options = { filter: 'nearest', width: target, height: 2 };
      expectAsOracle({ image, options });
      expectAsOracle({ image, options: { ...options, box: [width / 7, 0, width - 1 / 3, 1.7] } });
    }
  }
});

test('pil nearest: a sum of steps that ends behind the picture leaves 0 there', () => {
  const [from, count] = [2 - 2 ** -23, 23284];
  for (const channels of [1, 3]) {
    const tall = { data: new Uint8Array(2 * channels).fill(7), width: 1, height: 2, channels };
    const size = { filter: 'nearest', width: 1, height: count };
    // Rows that all are there, so that memory is not 0 before.
    expectAsOracle({ image: tall, options: size });
    const { data } = resize(tall, { ...size, box: [0, from, 1, 2] });
    expect(data).toEqual(Uint8Array.from({ length: count * channels }, (_, i) => (i < (count - 1) * channels ? 7 : 0)));
    const wide = { ...tall, width: 2, height: 1 };
    const across = resize(wide, { filter: 'nearest', width: count, height: 1, box: [from, 0, 2, 1] });
    expect(across.data).toEqual(data);
  }
});

test('every color and alpha: weighted and back, by a crop, by a pass, and by cells', () => {
  for (const channels of [2, 4]) {
    const data = new Uint8Array(257 * 256 * channels);
    for (let i = 0; i < data.length; i++) {
      const pixel = (i / channels) | 0;
      const [color, alpha] = [(pixel % 257) & 255, (pixel / 257) | 0];
      data[i] = i % channels === channels - 1 ? alpha : color ^ (i % channels);
    }
    const image = { data, width: 257, height: 256, channels };
    expectAsOracle({ image, options: { width: 256, height: 256, box: [0, 0, 256, 256] } });
    expectAsOracle({ image, options: { width: 257, height: 256, box: [0, 0, 257, 255.5] } });
    expectAsOracle({ image, options: { width: 100, height: 256, filter: 'box' } });
    expectAsOracle({ image, options: { width: 100, height: 100, filter: 'box', reducingGap: 1 } });
  }
});

test('alpha as one more channel, by every filter', () => {
  for (const [width, height, channels] of lists('[300, 200, 2], [61, 400, 4]'))
    for (const filter of backends.pil)
      for (const size of [20, 77, 450])
        expectAsOracle({
          image: noise(width, height, channels),
          options: { filter, premultiply: false, width: size, height: size },
        });
});

test('a picture of the size asked for is copied', () => {
  for (const [mode, pictureOf] of Object.entries(modes)) {
    const image = pictureOf(19, 13);
    for (const method of methodsOf(mode)) {
      const { data } = resize(image, { ...method, width: 19, height: 13 });
      expect([...data]).toEqual([...image.data]);
      expect(data.buffer).not.toBe(image.data.buffer);
    }
    expect([...thumbnail(image, { width: 19, height: 50 }).data]).toEqual([...image.data]);
  }
});

test('thumbnails of every aspect ratio', () => {
  for (let width = 1; width <= 40; width++)
    for (const height of [1, 2, 3, 7, 10, 16, 31, 40])
      for (const [most, mostHigh] of lists('[16, 16], [5, 30], [40, 3], [1, 1]'))
        expectAsOracle({
          call: 'thumbnail',
          image: noise(width, height, 1),
          options: { width: most, height: mostHigh },
        });
});
