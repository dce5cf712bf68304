/** Each door, and its twin, exports `init`, which loads all that its functions need and may be called again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { root } from '../support/packed.js';

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
  '/convert': ({ convertModel }) => convertModel(new Uint8Array([8, 8, 58, 0]), { dtype: 'fp16' }),
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

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Twins of the doors, which bundles take that serve the wasm as a file. */
test.each(Object.entries(calls))('onnx-layout%s without the text of its wasm', async (door, call) => {
  const { 'onnx-layout-external-wasm': twin, default: whole } = exports[`.${door}`];
  const { init, ...module } = await import(join(root, twin));
  expect(Object.keys(module)).toEqual(Object.keys(await import(join(root, whole))).filter((name) => name !== 'init'));
  const message = 'init: wasm must be a WebAssembly.Module, bytes or a URL, got undefined';
  await expect(init()).rejects.toThrow(new TypeError(message));
  const [, room = 'layout'] = /^\/(image|processors|audio|postprocess)$/.exec(door) ?? [];
  const file = room.replace('processors', 'image');
  await init({ wasm: readFileSync(join(root, `dist/${file}.wasm`)) });
  await init();
  expect(call(module)).toBeDefined();
});

test('onnx-layout/node loads what onnx-layout does', async () => {
  const { init } = await import('onnx-layout/node');
  await init();
  const { transpose } = await import('onnx-layout');
  expect(calls['']({ transpose }).dims).toEqual([1]);
});
