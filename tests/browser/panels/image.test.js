/** The code, the planes and the resizing of the image panel, without a DOM. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, resize } from 'onnx-layout/image';
import { codeFor } from '../../../web/image/code.js';
import { differenceOf } from '../../../web/shared/pictures/difference.js';
import { latestOnly } from '../../../web/shared/latest.js';
import { channelIndices, grayPlane } from '../../../web/image/planes.js';
import { thinOut } from '../../../web/shared/pictures/thin.js';
import { allFilters, backends, libraries, pythonOf, resizingOf } from '../../../web/image/resizing.js';

describe('the code for an image', () => {
  // The program's own words, run with stand-ins for the package and the file.
  async function run(source) {
    const calls = [];
    const body = source.replace(/^import .*\n/, '').replace('const tensor =', 'return');
    const AsyncFunction = (async () => {}).constructor;
    const imageToTensorAsync = async (...values) => calls.push(values);
    await new AsyncFunction('imageToTensorAsync', 'file', body)(imageToTensorAsync, 'the file');
    return calls;
  }

  test('makes the call that is shown', async () => {
    const options = {
      width: 224,
      height: 128,
      fit: 'cover',
      backend: 'torchvision',
      filter: 'bicubic',
      layout: 'NCHW',
      channels: 'BGR',
      dtype: 'float16',
      preset: 'imagenet',
    };
    expect(await run(codeFor(options, [1, 3, 128, 224]))).toEqual([['the file', options]]);
  });

  test('writes a letterbox', async () => {
    const letterbox = { width: 640, height: 480, filter: 'linear' };
    const options = { letterbox, layout: 'NCHW', channels: 'RGB', dtype: 'float32', preset: 'yolo' };
    const source = codeFor(options, [1, 3, 480, 640]);
    expect(source).toContain("\n  letterbox: { width: 640, height: 480, filter: 'linear' },\n");
    expect(await run(source)).toEqual([['the file', options]]);
  });

  test('leaves out what is not asked for', async () => {
    const options = {
      width: 1,
      height: 1,
      fit: 'fill',
      filter: 'canvas',
      layout: 'HWC',
      channels: 'L',
      dtype: 'uint8',
      preset: undefined,
    };
    const source = codeFor(options, [1, 1, 1]);
    expect(source).toBe(`import { imageToTensorAsync } from 'onnx-layout/image';

// file: a File or Blob, an <img>, <canvas> or <video>
const tensor = await imageToTensorAsync(file, {
  width: 1, height: 1, fit: 'fill',
  filter: 'canvas',
  layout: 'HWC', channels: 'L', dtype: 'uint8',
});
// uint8 [1, 1, 1], for a session:
// toOrt(ort, tensor) of onnx-layout
`);
    expect(await run(source)).toEqual([
      [
        'the file',
        { width: 1, height: 1, fit: 'fill', filter: 'canvas', layout: 'HWC', channels: 'L', dtype: 'uint8' },
      ],
    ]);
  });
});

test('pictures and channel planes are thinned out evenly', () => {
  const image = { data: Uint8ClampedArray.from({ length: 5 * 3 * 4 }, (_, i) => i), width: 5, height: 3 };
  expect(thinOut(image, 5)).toEqual(image);
  expect(thinOut(image, 3)).toEqual({
    width: 3,
    height: 2,
    data: Uint8ClampedArray.from([0, 8, 16, 40, 48, 56].flatMap((first) => [0, 1, 2, 3].map((i) => first + i))),
  });
  expect(grayPlane(image, 1, 5).data.filter((_, i) => i % 4 === 0)).toEqual(image.data.filter((_, i) => i % 4 === 1));
  expect(grayPlane(image, 2, 3)).toEqual({
    width: 3,
    height: 2,
    data: Uint8ClampedArray.from([2, 10, 18, 42, 50, 58].flatMap((gray) => [gray, gray, gray, 255])),
  });
  expect(['RGB', 'BGR', 'RGBA', 'L'].map(channelIndices)).toEqual([[0, 1, 2], [2, 1, 0], [0, 1, 2, 3], [0]]);
});

describe('resizing', () => {
  beforeAll(() => init());

  test.each(Object.entries(libraries))(
    'like %s has the filters that the package has',
    (backend, { filters, usual }) => {
      const image = { data: Uint8Array.from({ length: 48 }, (_, i) => (i * 83) % 256), width: 4, height: 4 };
      const call = (filter) => resize(image, { width: 2, height: 3, backend, filter });
      for (const filter of filters) expect(call(filter).data.length).toBe(18);
      expect(() => call(allFilters.find((filter) => !filters.includes(filter)))).toThrow(
        `filter of backend '${backend}' must be one of ${filters.join(', ')}, got`,
      );
      expect(call(usual)).toEqual(call(undefined));
    },
  );

  test('takes the usual filter where the library lacks the one that was chosen', () => {
    expect(
      backends.flatMap((backend) =>
        ['box', 'bicubic', 'nearest_exact'].map((filter) => pythonOf({ backend, filter, fit: 'fill' })),
      ),
    ).toEqual([
      { backend: 'pil', filter: 'box' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'torchvision', filter: 'bilinear' },
      { backend: 'torchvision', filter: 'bicubic' },
      { backend: 'torchvision', filter: 'nearest_exact' },
      { backend: 'opencv', filter: 'linear' },
      { backend: 'opencv', filter: 'linear' },
      { backend: 'opencv', filter: 'nearest_exact' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
    ]);
    const size = { width: 5, height: 3 };
    const fill = { ...size, fit: 'fill' };
    expect(resizingOf({ ...fill, backend: 'canvas', filter: 'box' })).toEqual({ ...fill, filter: 'canvas' });
    expect(resizingOf({ ...fill, backend: 'pil', filter: 'box' })).toEqual({ ...fill, backend: 'pil', filter: 'box' });
  });

  test.each(backends)('a letterbox has the filters of OpenCV, whatever the backend: %s', (backend) => {
    const state = { width: 5, height: 3, fit: 'letterbox', backend };
    expect(pythonOf({ ...state, filter: 'area' })).toEqual({ backend: 'opencv', filter: 'area' });
    expect(resizingOf({ ...state, filter: 'bicubic' })).toEqual({
      letterbox: { width: 5, height: 3, filter: 'linear' },
    });
  });

  describe('in two ways gives pictures that are apart', () => {
    const picture = (...bytes) => ({ data: Uint8ClampedArray.from(bytes), width: bytes.length / 4, height: 1 });
    const [a, b] = [picture(10, 20, 30, 255, 0, 0, 0, 100), picture(7, 20, 50, 255, 1, 0, 0, 90)];

    test('by their colors', () =>
      expect(differenceOf(a, b, 3)).toEqual({
        greatest: 20,
        mean: 24 / 6,
        factor: 8,
        picture: picture(24, 0, 160, 255, 8, 0, 0, 255),
      }));

    test('by their alpha, which is gray', () =>
      expect(differenceOf(a, b, 4)).toEqual({
        greatest: 20,
        mean: 34 / 8,
        factor: 8,
        picture: picture(24, 0, 160, 255, 80, 80, 80, 255),
      }));

    test('not at all', () =>
      expect(differenceOf(a, a, 4)).toEqual({
        greatest: 0,
        mean: 0,
        factor: 128,
        picture: picture(0, 0, 0, 255, 0, 0, 0, 255),
      }));

    test('and a hundredth of the distances is cut off', () => {
      const apart = (distance) => picture(...Array(100).fill([1, 1, 1, 255]).flat(), ...distance, 255);
      const zero = picture(...Array(101).fill([0, 0, 0, 255]).flat());
      const few = differenceOf(apart([200, 200, 200]), zero, 3);
      expect([few.greatest, few.mean, few.factor]).toEqual([200, 900 / 303, 128]);
      expect(few.picture.data.slice(-8)).toEqual(Uint8ClampedArray.of(128, 128, 128, 255, 255, 255, 255, 255));
    });
  });
});

test('of requests that come during work, the last one is done', async () => {
  const done = [];
  let wanted = 'first';
  const work = latestOnly(async () => {
    const mine = wanted;
    await null;
    done.push(mine);
  });
  const first = work();
  for (wanted of ['second', 'third']) work();
  await first;
  expect(done).toEqual(['first', 'third']);
  wanted = 'fourth';
  await work();
  expect(done).toEqual(['first', 'third', 'fourth']);
});
