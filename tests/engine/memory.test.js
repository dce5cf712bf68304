/**
 * The size of the wasm memory does not depend on the tensors'. Whichever allocation fails, the call is refused and
 * changes nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import * as pixels from 'onnx-layout/image';
import { readNpy, readTensorProto, writeNpy, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { arrayClasses } from '../../js/arguments/typed-arrays.js';
import { memoriesOf } from '../support/wasm-memory.js';

/** @type {WebAssembly.Memory[]} */
let memories;
beforeAll(async () => {
  memories = await memoriesOf(() => pixels.init());
});
const size = () => memories[0].buffer.byteLength;

test('a tensor of 96 MB moves through the memory that one of 1 MB needs', () => {
  expect(memories.length).toBe(1);
  const move = (type, array, dims, perm) => {
    const length = dims.reduce((a, b) => a * b) / (type === 'int4' ? 2 : 1);
    layout.transpose({ type, data: new array(length), dims }, { perm });
    layout.splitToSequence({ type, data: new array(length), dims }, [dims[1] - 1, 1], { axis: 1, strict: false });
  };
  const all = (factor) => {
    move('uint8', Uint8Array, [1024 * factor, 1024], [1, 0]);
    move('int4', Uint8Array, [1024, 2048 * factor], [1, 0]);
    move('float32', Float32Array, [512, 512 * factor], [1, 0]);
    move('float32', Float32Array, [16, 16, 16 * factor, 64], [3, 2, 1, 0]);
    move('float64', Float64Array, [4, 32 * 1024 * factor], [1, 0]);
    pixels.imageToTensor(
      { data: new Uint8Array(1024 * 1024 * factor), width: 1024, height: 256 * factor, channels: 4 },
      { dtype: 'float16' },
    );
    layout.unpack('int4', layout.pack('int4', new Int8Array(1024 * 1024 * factor)), 1024 * 1024 * factor);
  };
  all(1);
  const afterSmall = size();
  all(96);
  expect(size()).toBe(afterSmall);
  expect(size()).toBeLessThan(24 * 1024 * 1024);
});

test('the memory has its full size from the start, and cannot grow', () => {
  const before = size();
  expect(before).toBe(14 * 2 ** 20);
  expect(() => memories[0].grow(1)).toThrow(RangeError);
  expect(size()).toBe(before);
});

test("embind's registry in layout.wasm ends far before the 144 KiB of image.wasm", () => {
  const before = new Uint8Array(memories[0].buffer, 0, size() - 144 * 1024);
  let end = before.length;
  while (before[end - 1] === 0) end--;
  expect(before.length - end).toBeGreaterThan(256 * 1024);
});

/**
 * Runs a call, and awaits it, while the n-th allocation fails, or that one and all after it.
 * @returns what the first allocation that failed was to hold, if one failed, and what was thrown
 */
async function callWithoutMemory(call, n, persistently) {
  const originals = { ...arrayClasses };
  let count = 0;
  let failed;
  for (const [name, Class] of Object.entries(originals)) {
    if (!Class) continue;
    arrayClasses[name] = new Proxy(Class, {
      construct(target, args) {
        // Given a buffer, the constructor makes a view, which takes no memory.
        if (typeof args[0] === 'number') {
          count++;
          if (persistently ? count >= n : count === n) {
            failed ??= `${args[0]} entries of ${name}`;
            throw new RangeError('Array buffer allocation failed');
          }
        }
        return Reflect.construct(target, args);
      },
    });
  }
  try {
    await call();
    return { failed };
  } catch (error) {
    return { failed, error };
  } finally {
    Object.assign(arrayClasses, originals);
  }
}

describe('no memory for a result', () => {
  const bytes = Uint8Array.from({ length: 48 }, (_, i) => i);
  const x = { type: 'float32', data: Float32Array.from(bytes.subarray(0, 24)), dims: [2, 3, 4] };
  const wide = { type: 'float32', data: new Float32Array(2 ** 18), dims: [512, 512] };
  const strings = { type: 'string', data: ['a', 'b', 'c', 'd', 'e', 'f'], dims: [2, 3] };
  const image = { data: bytes, width: 4, height: 4 };
  const odd = { type: 'int4', data: Uint8Array.of(0x21, 0xf3), dims: [3] };
  /** A file of int16, whose bytes and axes are in the other order. */
  const bigEndianNpy = () =>
    Buffer.from(
      Buffer.from(writeNpy({ type: 'int16', data: new Int16Array(6), dims: [2, 3] }))
        .toString('latin1')
        .replace('<i2', '>i2')
        .replace('False', 'True '),
      'latin1',
    );
  const unaligned = new Uint8Array(103).subarray(1);
  unaligned.set(writeTensorProto({ ...x, dims: [24] }));
  const npy = bigEndianNpy();

  /** The calls, the beginning of their messages, and how many allocations each makes. */
  const calls = {
    transpose: ['Transpose-25', 1, () => layout.transpose(x)],
    'transpose of a large tensor': ['Transpose-25', 1, () => layout.transpose(wide)],
    'transpose of strings': ['Transpose-25', 1, () => layout.transpose(strings)],
    'splitToSequence, each piece': ['SplitToSequence-24', 12, () => layout.splitToSequence({ ...x, dims: [12, 2] })],
    'splitToSequence of strings': ['SplitToSequence-24', 3, () => layout.splitToSequence(strings, 1, { axis: 1 })],
    slice: ['Slice-13', 1, () => layout.slice(x, [1], [9])],
    'slice of strings': ['Slice-13', 1, () => layout.slice(strings, [1], [0], [1], [-1])],
    concat: ['Concat-13', 1, () => layout.concat([x, x], { axis: 1 })],
    'concat of strings': ['Concat-13', 1, () => layout.concat([strings, strings], { axis: 1 })],
    'split, each piece': ['Split-18', 3, () => layout.split(x, [1, 1, 1], { axis: 1 })],
    pad: ['Pad-25', 1, () => layout.pad(x, [0, 0, 1, 0, 0, 1])],
    'pad by a number': ['Pad-25', 2, () => layout.pad(x, [0, 0, 1, 0, 0, 1], 7)],
    'pad at the edge': ['Pad-25', 1, () => layout.pad(x, [0, 1, 1, 0, 0, 1], null, null, { mode: 'edge' })],
    'pad of strings': ['Pad-25', 1, () => layout.pad(strings, [0, 1, 0, 1])],
    expand: ['Expand-13', 1, () => layout.expand(x, [2, 1, 1, 1])],
    tile: ['Tile-13', 1, () => layout.tile(x, [2, 1, 3])],
    depthToSpace: ['DepthToSpace-28', 1, () => layout.depthToSpace({ ...x, dims: [1, 4, 2, 3] }, { blocksize: 2 })],
    spaceToDepth: ['SpaceToDepth-28', 1, () => layout.spaceToDepth({ ...x, dims: [1, 3, 2, 4] }, { blocksize: 2 })],
    centerCropPad: ['CenterCropPad-18', 1, () => layout.centerCropPad(x, [3, 2, 4])],
    rearrange: ['rearrange', 1, () => layout.rearrange(x, 'a b c -> c (a b)')],
    'rearrange that moves nothing': ['rearrange', 0, () => layout.rearrange(x, 'a b c -> (a b) c')],
    repeat: ['repeat', 1, () => layout.repeat(x, 'a b c -> a b 2 c')],
    stack: ['stack', 1, () => layout.stack([x, x, x], { axis: 2 })],
    'unstack, each piece': ['unstack', 3, () => layout.unstack(x, { axis: 1 })],
    'cast in the module': ['Cast-28', 1, () => layout.cast(x, 'float8e5m2')],
    'cast in the engine': ['Cast-28', 1, () => layout.cast(x, 'float64')],
    'cast to text': ['Cast-28', 1, () => layout.cast(x, 'string')],
    'cast of text': ['Cast-28', 2, () => layout.cast({ ...strings, data: ['1', '2', '3', '4', '5', '6'] }, 'int32')],
    pack: ['pack', 1, () => layout.pack('int4', Int8Array.of(1, 2, 3))],
    unpack: ['unpack', 1, () => layout.unpack('int4', Uint8Array.of(1, 2), 3)],
    imageToTensor: ['imageToTensor', 1, () => pixels.imageToTensor(image)],
    'imageToTensor, resized': [
      'imageToTensor',
      1,
      () => pixels.imageToTensor({ data: bytes, width: 4, height: 4 }, { width: 2 }),
    ],
    'imageToTensor, resized by the canvas': [
      'imageToTensor',
      2,
      () => pixels.imageToTensor({ data: bytes, width: 4, height: 4 }, { width: 2, filter: 'canvas' }),
    ],
    resize: ['resize', 1, () => pixels.resize({ data: bytes, width: 4, height: 4 }, { width: 2, height: 3 })],
    letterbox: ['letterbox', 1, () => pixels.letterbox(image, { width: 7, height: 5 })],
    copyMakeBorder: ['copyMakeBorder', 1, () => pixels.copyMakeBorder(image, { top: 2 })],
    crop: ['crop', 1, () => pixels.crop(image, { box: [1, 0, 3, 5] })],
    warpAffine: ['warpAffine', 1, () => pixels.warpAffine(image, [1, 0, 1, 0, 1, 0])],
    toGray: ['toGray', 1, () => pixels.toGray(image)],
    blobFromImage: ['blobFromImage', 1, () => pixels.blobFromImage([image, image], { width: 3, height: 2, mean: 3 })],
    'imageToTensor, in a letterbox': [
      'imageToTensor',
      1,
      () => pixels.imageToTensor(image, { preset: 'rapidocr-text', letterbox: { width: 7, height: 5 } }),
    ],
    thumbnail: ['thumbnail', 1, () => pixels.thumbnail({ data: bytes, width: 4, height: 4 }, { width: 2, height: 3 })],
    imageToTensorAsync: ['imageToTensorAsync', 1, () => pixels.imageToTensorAsync(image)],
    'imageToTensorAsync of a Blob': [
      'imageToTensorAsync',
      1,
      () => pixels.imageToTensorAsync([new Blob([]), image], { width: 2 }),
    ],
    'imageToTensor of a batch': ['imageToTensor', 1, () => pixels.imageToTensor([image, image], { dtype: 'uint8' })],
    tensorToImage: ['tensorToImage', 1, () => pixels.tensorToImage({ ...x, dims: [3, 2, 4] })],
    'tensorToImage of bytes': [
      'tensorToImage',
      1,
      () => pixels.tensorToImage({ type: 'uint8', data: bytes, dims: [3, 4, 4] }),
    ],
    'Tensor.from': ['Tensor', 1, () => layout.Tensor.from('int4', [1, 2, 3])],
    writeNpy: ['writeNpy', 1, () => writeNpy(x)],
    'writeNpy of a packed type': ['writeNpy', 3, () => writeNpy(odd)],
    'readNpy of the other byte order': ['readNpy', 2, () => readNpy(npy)],
    writeSafetensors: ['writeSafetensors', 1, () => writeSafetensors(new Map([['x', x]]))],
    writeTensorProto: ['writeTensorProto', 2, () => writeTensorProto(x)],
    'readTensorProto, unaligned': ['readTensorProto', 1, () => readTensorProto(unaligned)],
  };

  /** Bitmaps that were decoded and not closed. */
  let open = 0;
  beforeAll(() => {
    globalThis.createImageBitmap = async () => {
      open++;
      return {
        [Symbol.toStringTag]: 'ImageBitmap',
        width: 4,
        height: 4,
        close: () => {
          open--;
        },
      };
    };
    globalThis.OffscreenCanvas = class {
      getContext(kind) {
        if (kind !== '2d') return null;
        return {
          canvas: this,
          drawImage() {},
          putImageData() {},
          createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
          getImageData: (_, __, width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
        };
      }
    };
  });
  afterAll(() => {
    delete globalThis.createImageBitmap;
    delete globalThis.OffscreenCanvas;
  });

  test.each(Object.entries(calls))('%s', async (_, [prefix, allocations, call, others = {}]) => {
    const inputs = () => JSON.stringify([x, strings, odd, [...bytes], [...npy]]);
    const [before, good, memory] = [inputs(), JSON.stringify(await call()), size()];
    for (const persistently of [false, true]) {
      const messages = [];
      for (let n = 1; ; n++) {
        const { failed, error } = await callWithoutMemory(call, n, persistently);
        if (failed === undefined) {
          expect(error).toBe(undefined);
          break;
        }
        expect([error?.constructor, error?.message]).toEqual([
          RangeError,
          `${others[n] ?? prefix}: result must fit in memory, got ${failed}`,
        ]);
        messages.push(error.message);
        expect([open, inputs(), JSON.stringify(await call()), size()]).toEqual([0, before, good, memory]);
      }
      expect(messages.length).toBe(allocations);
    }
  });

  test('after 40 refusals of every call, each gives what it gave before', async () => {
    const [before, memory] = [[], size()];
    for (const [, , call] of Object.values(calls)) before.push(JSON.stringify(await call()));
    for (const [, allocations, call] of Object.values(calls))
      for (let k = 0; k < 40 && allocations > 0; k++)
        expect((await callWithoutMemory(call, 1 + (k % allocations), true)).error).toBeInstanceOf(RangeError);
    for (const [i, [, , call]] of Object.values(calls).entries()) expect(JSON.stringify(await call())).toBe(before[i]);
    expect([open, size()]).toEqual([0, memory]);
  });

  test('the JavaScript engine has no memory for the result', () => {
    // 2^31 bytes of uint2 are 2^33 elements, which as float64 need 64 GB: beyond any engine's arrays.
    expect(() => layout.unpack('int2', new Uint8Array(0), 2 ** 40)).toThrow(
      new RangeError('unpack: int2 bytes of 1099511627776 elements are 274877906944, got 0'),
    );
    const large = new Uint8Array(2 ** 31);
    expect(() => layout.cast({ type: 'uint2', data: large, dims: [2 ** 33] }, 'float64')).toThrow(
      new RangeError('Cast-28: result must fit in memory, got 8589934592 entries of Float64Array'),
    );
  });
});
