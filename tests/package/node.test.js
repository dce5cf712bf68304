/** Node's console and other realms, which browsers lack, and the classes of browsers that Node lacks. */
import { inspect } from 'node:util';
import vm from 'node:vm';
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor, flatten, reshape, transpose } from 'onnx-layout';
import { imageToTensor, init, tensorToImage } from 'onnx-layout/image';
import { expectErrors } from '../support/assertions.js';

beforeAll(() => init());

test('Node prints it as toString does', () => {
  const tensor = new Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
  expect(tensor.toString()).toBe('[[1. 2. 3.]\n [4. 5. 6.]]');
  expect(inspect(tensor)).toBe('Tensor float32 [2, 3]\n[[1. 2. 3.]\n [4. 5. 6.]]');
});

test('arrays of another realm are arrays', () => {
  const foreign = vm.runInNewContext(
    `({ data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3], perm: [1, 0], shape: BigInt64Array.of(3n, -1n),
       strings: ["a", "b"], options: { axis: 0 } })`,
  );
  const { data, dims, perm, shape, strings, options } = foreign;
  const result = transpose({ type: 'float32', data, dims }, { perm });
  expect([result.dims, Array.from(result.data)]).toEqual([
    [3, 2],
    [1, 4, 2, 5, 3, 6],
  ]);
  expect(reshape({ type: 'float32', data, dims }, shape).dims).toEqual([3, 2]);
  expect(flatten({ type: 'float32', data, dims }, options).dims).toEqual([1, 6]);
  expect(Array.from(transpose({ type: 'string', data: strings, dims: [2] }).data)).toEqual(['a', 'b']);
});

test(`filter 'canvas' takes a canvas`, () => {
  const image = { data: Uint8Array.of(1, 2, 3, 4), width: 2, height: 2 };
  expectErrors({
    "Error: imageToTensor: filter 'canvas' needs OffscreenCanvas, which is not there": () =>
      imageToTensor(image, { width: 4, filter: 'canvas' }),
  });
  expect(imageToTensor(image, { width: 2, layout: 'CHW', channels: 'L' }).data).toEqual(Float32Array.of(1, 2, 3, 4));
});

test('a picture is an ImageData where there is one', () => {
  class ImageData {
    constructor(...args) {
      this.args = args;
    }
  }
  globalThis.ImageData = ImageData;
  try {
    const picture = tensorToImage({ type: 'uint8', data: new Uint8Array(6), dims: [2, 3] });
    expect(picture).toBeInstanceOf(ImageData);
    expect(picture.args.slice(1)).toEqual([3, 2]);
    expect(picture.args[0]).toBeInstanceOf(Uint8ClampedArray);
  } finally {
    delete globalThis.ImageData;
  }
});
