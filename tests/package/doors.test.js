/** Each public door exports `init`, which loads all that its functions need and may be called again. */
import { beforeEach, expect, jest, test } from '@jest/globals';

beforeEach(() => jest.resetModules());

const pixels = { data: Uint8Array.of(0, 255, 51), width: 1, height: 1 };
const samples = Float32Array.of(0, 1, 0, -1);

/** A call of each door that needs its wasm module. */
const calls = {
  '': ({ transpose }) => transpose({ type: 'uint8', data: Uint8Array.of(1), dims: [1] }),
  '/operators': ({ define, filled, run, tensor }) => {
    const shape = (call, attributes, { dims }) => ({ dims });
    const move = filled((plan, data, [source]) => data.set(source));
    const Copy = define({ name: 'Copy', versions: { 1: 1 }, inputs: [tensor('x')], shape, move });
    return run(Copy, [{ type: 'float32', data: samples, dims: [4] }]);
  },
  '/image': ({ imageToTensor }) => imageToTensor(pixels),
  '/io': ({ packMatMulNBits }) => packMatMulNBits({ type: 'float32', data: new Float32Array(16), dims: [16, 1] }),
  '/processors': ({ imageProcessor }) => imageProcessor({ image_processor_type: 'ViTImageProcessor' })(pixels),
  '/audio': ({ resampleAudio }) => resampleAudio(samples, { orig_freq: 2, new_freq: 1 }),
  '/postprocess': ({ softmax }) => softmax({ type: 'float32', data: samples, dims: [4] }),
};

test.each(Object.entries(calls))('onnx-layout%s', async (door, call) => {
  const module = await import(`onnx-layout${door}`);
  expect(() => call(module)).toThrow(/call await init\(\)/);
  await module.init();
  await module.init();
  expect(call(module)).toBeDefined();
});

test('onnx-layout/node loads what onnx-layout does', async () => {
  const { init } = await import('onnx-layout/node');
  await init();
  const { transpose } = await import('onnx-layout');
  expect(calls['']({ transpose }).dims).toEqual([1]);
});
