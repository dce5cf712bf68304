/** tensorToImage: compared bit by bit, as the inverse of imageToTensor, and every message in full. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, init, tensorToImage } from 'onnx-layout/image';
import { refuses } from '../support/assertions.js';
import { bytesOf, presets } from './image.reference.js';
import { elementCount } from '../support/reference.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const types = ['uint8', 'int8', 'float32', 'float16', 'bfloat16'];
const orders = { 1: ['L'], 3: ['RGB', 'BGR'], 4: ['RGBA'] };

const noise = (type, dims, seed = 1) => ({ type, dims, data: randomData(type, elementCount(dims), seed) });

function check(tensor, options, named) {
  const { data, width, height, ...rest } = tensorToImage(tensor, options);
  const [H, W] = [named.layout.indexOf('H'), named.layout.indexOf('W')].map((axis) => tensor.dims[axis]);
  expect({ class: data.constructor.name, width, height, rest }).toEqual({
    class: 'Uint8ClampedArray',
    width: W,
    height: H,
    rest: {},
  });
  const expected = bytesOf(tensor, { ...options, ...named });
  // Jest's own comparison is too slow to run each time, but it shows the difference.
  if (!Buffer.from(data.buffer).equals(Buffer.from(expected.buffer)))
    expect({ tensor, options, data }).toEqual({ tensor, options, data: expected });
}

describe.each(types)('%s', (type) => {
  test('every layout, number of channels and order, bits at random', () => {
    for (const [C, names] of Object.entries(orders))
      for (const channels of names)
        for (const [layout, dims] of [
          ['NCHW', [1, +C, 5, 7]],
          ['NHWC', [1, 5, 7, +C]],
          ['CHW', [+C, 5, 7]],
          ['HWC', [5, 7, +C]],
          ['CHW', [+C, 1, 1]],
          ['HWC', [1, 1, +C]],
        ])
          for (const parameters of [
            {},
            { scale: 1 / 255 },
            {
              scale: [0.5, -2, 3, 1e-3].slice(0, C),
              mean: [7, -1, 0.1, 0].slice(0, C),
              std: [1, 0, -3, 1e5].slice(0, C),
            },
          ])
            check(noise(type, dims), { layout, channels, ...parameters }, { layout, channels });
  });

  test('every code of at most 16 bits, and every tie', () => {
    if (type !== 'float32') {
      const codes = type.endsWith('int8') ? 256 : 65536;
      const data =
        codes === 256
          ? (type === 'int8' ? Int8Array : Uint8Array).from({ length: 256 }, (_, i) => i)
          : Uint16Array.from({ length: codes }, (_, i) => i);
      for (const scale of [1, 1 / 255, 1 / 127.5])
        check({ type, dims: [codes / 256, 256], data }, { scale }, { layout: 'HW', channels: 'L' });
    } else {
      const ties = Float32Array.from({ length: 600 }, (_, i) => i / 2 - 20);
      check(
        { type, dims: [1, 606], data: Float32Array.of(...ties, NaN, Infinity, -Infinity, -0, 254.49999, 1e-40) },
        {},
        { layout: 'HW', channels: 'L' },
      );
    }
  });

  test.each(Object.keys(presets))('undoes %s of imageToTensor', (preset) => {
    // bfloat16 has 8 bits of significance, and int8 cannot hold all bytes.
    if (type === 'int8' || type === 'uint8' || type === 'bfloat16') return;
    const image = { data: randomData('uint8', 64 * 48 * 3, 9), width: 64, height: 48 };
    for (const layout of ['NCHW', 'NHWC', 'CHW', 'HWC'])
      for (const channels of ['RGB', 'BGR']) {
        const back = tensorToImage(imageToTensor(image, { layout, channels, dtype: type, preset }), {
          channels,
          preset,
        });
        for (let i = 0; i < 64 * 48; i++)
          for (let c = 0; c < 3; c++)
            if (back.data[4 * i + c] !== image.data[3 * i + c]) throw new Error(`${layout} ${channels}: pixel ${i}`);
      }
  });
});

test('pictures that pass through the module in pieces', () => {
  for (const type of ['float32', 'float16'])
    for (const [layout, dims] of [
      ['CHW', [3, 250, 251]],
      ['HWC', [250, 251, 4]],
    ])
      check(noise(type, dims), { layout }, { layout, channels: layout === 'CHW' ? 'RGB' : 'RGBA' });
});

test('undoes imageToTensor of RGBA and L without options', () => {
  const image = { data: randomData('uint8', 9 * 5 * 4, 2), width: 9, height: 5 };
  for (const type of ['uint8', 'float32', 'float16', 'bfloat16'])
    expect([...tensorToImage(imageToTensor(image, { channels: 'RGBA', dtype: type })).data]).toEqual([...image.data]);
  const gray = { data: Uint8Array.of(0, 100, 255), width: 3, height: 1 };
  expect([...tensorToImage(imageToTensor(gray, { channels: 'L' })).data]).toEqual([
    0, 0, 0, 255, 100, 100, 100, 255, 255, 255, 255, 255,
  ]);
});

test.each([
  [[3, 4, 5], 'CHW'],
  [[4, 5, 3], 'CHW'],
  [[6, 5, 3], 'HWC'],
  [[3, 5, 3], 'CHW'],
  [[1, 3, 5, 4], 'NCHW'],
  [[1, 5, 2, 4], 'NHWC'],
  [[1, 1, 2, 1], 'NCHW'],
  [[4, 4, 4], 'CHW'],
  [[2, 3, 1], 'HWC'],
])('takes dims %j as %s', (dims, layout) => {
  const C = dims[layout.indexOf('C')];
  check(noise('uint8', dims), {}, { layout, channels: { 1: 'L', 3: 'RGB', 4: 'RGBA' }[C] });
});

refuses('tensorToImage', tensorToImage, {
  'TypeError: tensor must be a tensor { type, dims, data }, got 5': [5, {}],
  'TypeError: tensor type must be uint8, int8, float32, float16 or bfloat16 (cast gives them), got int32': () =>
    tensorToImage(noise('int32', [3, 2, 2]), {}),
  'RangeError: uint8 data of dims [3, 2, 2] has 12 bytes, got 11': () =>
    tensorToImage({ type: 'uint8', dims: [3, 2, 2], data: new Uint8Array(11) }, {}),
  'RangeError: tensor must have 2, 3 or 4 dims, got [3]': [noise('uint8', [3]), {}],
  'RangeError: tensor must have 2, 3 or 4 dims, got [1, 1, 3, 2, 2]': [noise('uint8', [1, 1, 3, 2, 2]), {}],
  'RangeError: tensor must have 1, 3 or 4 channels, got dims [2, 2, 2] as CHW': [noise('uint8', [2, 2, 2]), {}],
  'RangeError: tensor must have 1, 3 or 4 channels, got dims [2, 2, 3] as CHW': () =>
    tensorToImage(noise('uint8', [2, 2, 3]), { layout: 'CHW' }),
  'RangeError: tensor must hold one image, got dims [2, 3, 2, 2] as NCHW': [noise('uint8', [2, 3, 2, 2]), {}],
  'RangeError: tensor must hold one image, got dims [0, 3, 2, 2] as NCHW': [noise('uint8', [0, 3, 2, 2]), {}],
  'RangeError: tensor must hold one image, got dims [3, 0, 2] as CHW': [noise('uint8', [3, 0, 2]), {}],
  "RangeError: layout must have a letter for each of dims [3, 2, 2], got 'NCHW'": () =>
    tensorToImage(noise('uint8', [3, 2, 2]), { layout: 'NCHW' }),
  "RangeError: layout must be 'NCHW', 'NHWC', 'CHW', 'HWC' or 'HW', got 'WHC'": () =>
    tensorToImage(noise('uint8', [3, 2, 2]), { layout: 'WHC' }),
  "RangeError: channels of dims [3, 2, 2] must be 3, got 'L'": [noise('uint8', [3, 2, 2]), { channels: 'L' }],
  "TypeError: channels must be 'RGB', 'BGR', 'RGBA' or 'L', got 3": [noise('uint8', [3, 2, 2]), { channels: 3 }],
  'RangeError: scale must not be 0, got 0': [noise('uint8', [3, 2, 2]), { scale: 0 }],
  "RangeError: preset 'clip' is for RGB or BGR, got channels 'L'": [noise('uint8', [1, 2, 2]), { preset: 'clip' }],
  'TypeError: mean cannot stand beside preset, got 1': [noise('uint8', [3, 2, 2]), { preset: 'unit', mean: 1 }],
  "TypeError: unknown option 'out'. Known: layout, channels, preset, scale, mean, std": () =>
    tensorToImage(noise('uint8', [3, 2, 2]), { out: {} }),
  'TypeError: options must be an object, got null': [noise('uint8', [3, 2, 2]), null],
});

test('each step is rounded to float32: the product too, next to a tie the sum decides', () => {
  const data = new Float32Array(3).fill(-2.075092077);
  const scale = Math.fround(1 / 255);
  const image = tensorToImage({ type: 'float32', data, dims: [3, 1, 1] }, { mean: 0.485, std: 0.229, scale });
  expect([...image.data]).toEqual([2, 2, 2, 255]);
});
