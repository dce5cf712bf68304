/** Images that take time to decode: failures and memory that goes away meanwhile. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { imageToTensorAsync, init } from 'onnx-layout/image';

beforeAll(() => init());
afterEach(() => {
  delete globalThis.createImageBitmap;
});

test('a bitmap that arrives after another image failed is closed', async () => {
  let closed = 0;
  const decoded = async (blob) => {
    if (blob.size === 1) throw new Error('no picture');
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { close: () => closed++ };
  };
  globalThis.createImageBitmap = decoded;
  await expect(imageToTensorAsync([new Blob(['1']), new Blob(['22'])])).rejects.toThrow(new Error('no picture'));
  expect(closed).toBe(1);
});

test('out that is detached while a Blob is decoded', async () => {
  const out = { type: 'float32', dims: [1, 3, 1, 1], data: new Float32Array(3) };
  globalThis.createImageBitmap = async () => {
    structuredClone(out.data, { transfer: [out.data.buffer] });
    return { [Symbol.toStringTag]: 'ImageBitmap', width: 1, height: 1, close() {} };
  };
  const rule = 'imageToTensorAsync: float32 data of dims [1, 3, 1, 1] has 3 entries, got 0';
  globalThis.OffscreenCanvas = class {};
  try {
    await expect(imageToTensorAsync(new Blob(['1']), { out })).rejects.toThrow(new RangeError(rule));
  } finally {
    delete globalThis.OffscreenCanvas;
  }
});
