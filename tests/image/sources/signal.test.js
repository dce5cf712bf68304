/** `signal` of the functions that decode: an abort before, during and after, and what is closed. */
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import { imageProcessor, imageProcessorAsync, videoProcessor, videoProcessorAsync } from 'onnx-layout/processors';

beforeAll(() => init());
afterEach(() => {
  delete globalThis.createImageBitmap;
});

const pixels = { data: new Uint8Array(48).fill(9), width: 4, height: 4 };
const vit = { image_processor_type: 'ViTImageProcessor', size: { height: 2, width: 2 } };
const mae = { video_processor_type: 'VideoMAEVideoProcessor', size: { shortest_edge: 4 }, crop_size: 2 };
const reason = new Error('the user left');

/** `of(image, signal)` decodes by `decode`; `plain` is what it gives of `pixels`. */
const calls = [
  {
    name: 'imageToTensorAsync',
    of: (decode) => (image, signal) => imageToTensorAsync(image, { decode, signal }),
    plain: () => Object.assign(imageToTensor(pixels), { originalSizes: [[pixels.height, pixels.width]] }),
  },
  {
    name: 'imageProcessorAsync',
    of: (decode) => (image, signal) => imageProcessorAsync(vit, { decode })(image, { signal }),
    plain: () => imageProcessor(vit)(pixels),
  },
  {
    name: 'videoProcessorAsync',
    of: (decode) => (image, signal) => videoProcessorAsync(mae, { decode })([image, image], { signal }),
    plain: () => videoProcessor(mae)([pixels, pixels]),
  },
];

describe.each(calls)('$name', ({ name, of, plain }) => {
  test('an abort before the call decodes nothing', async () => {
    const decode = jest.fn(() => pixels);
    await expect(of(decode)('a.jpg', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(decode).not.toHaveBeenCalled();
  });

  test('an abort ends the wait for a decoder that never answers, and the next call works', async () => {
    const controller = new AbortController();
    const decode = jest.fn(() => {
      setTimeout(() => controller.abort(reason));
      return new Promise(() => {});
    });
    await expect(of(decode)('a.jpg', controller.signal)).rejects.toBe(reason);
    expect(decode).toHaveBeenCalledTimes(1);
    expect(await of(() => pixels)('a.jpg')).toEqual(plain());
  });

  test('an abort after the call changes nothing, and leaves no listener', async () => {
    const { signal } = new AbortController();
    const [added, removed] = ['addEventListener', 'removeEventListener'].map((method) => jest.spyOn(signal, method));
    expect(await of(() => pixels)('a.jpg', signal)).toEqual(plain());
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });

  test('a failure of the decoder after the abort is dropped', async () => {
    const controller = new AbortController();
    let fail;
    const decode = () => {
      setTimeout(() => controller.abort(reason));
      return new Promise((_, reject) => (fail = reject));
    };
    await expect(of(decode)('a.jpg', controller.signal)).rejects.toBe(reason);
    fail(new Error('no picture'));
    await new Promise(setImmediate);
  });

  test('refuses what is no signal', () =>
    expect(of(() => pixels)('a.jpg', 5)).rejects.toThrow(
      new TypeError(`${name}: signal must be an AbortSignal, got 5`),
    ));
});

test('bitmaps that arrive after the abort are closed', async () => {
  const controller = new AbortController();
  const closed = [];
  const arrive = [];
  globalThis.createImageBitmap = ({ size }) =>
    new Promise((resolve) => {
      arrive.push(() => resolve({ close: () => closed.push(size) }));
      if (arrive.length === 2) setTimeout(() => controller.abort(reason));
    });
  const { signal } = controller;
  await expect(imageToTensorAsync([new Blob(['1']), new Blob(['22'])], { signal })).rejects.toBe(reason);
  expect(closed).toEqual([]);
  for (const one of arrive) one();
  await new Promise(setImmediate);
  expect(closed).toEqual([1, 2]);
});

test('an abort ends the wait for a frame of a stream, which is returned when the frame is there', async () => {
  const controller = new AbortController();
  let arrive;
  let isReturned = false;
  async function* frames() {
    try {
      yield pixels;
      setTimeout(() => controller.abort(reason));
      await new Promise((resolve) => (arrive = resolve));
      yield pixels;
    } finally {
      isReturned = true;
    }
  }
  const { signal } = controller;
  await expect(videoProcessorAsync(mae)(frames(), { signal })).rejects.toBe(reason);
  expect(isReturned).toBe(false);
  arrive();
  await new Promise(setImmediate);
  expect(isReturned).toBe(true);
});
