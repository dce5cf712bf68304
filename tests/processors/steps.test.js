/** `onStep`: what a processor says it does to each image, and the pictures between. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, resize } from 'onnx-layout/image';
import { imageProcessor, videoProcessor, videoProcessorAsync } from 'onnx-layout/processors';
import { expectError, expectRejection } from '../support/assertions.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const picture = (width, height, seed = 1) => ({
  data: randomData('uint8', 3 * width * height, seed),
  width,
  height,
  channels: 3,
});

/** The steps of a call, without the functions that compute pictures. */
function stepsOf(config, images, options = {}, backend = 'torchvision') {
  const steps = [];
  const onStep = ({ pixels, ...step }) => steps.push(step);
  imageProcessor(config, { backend })(images, { ...options, onStep });
  return steps;
}

const numbers = (mean, std) => [
  { image: 0, name: 'rescale', factor: 1 / 255 },
  { image: 0, name: 'normalize', mean, std },
];
const imagenet = numbers([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);

const resizeStep = (filter, width, height) => ({ image: 0, name: 'resize', filter, width, height });
const cropStep = (x, y, width, height) => ({ image: 0, name: 'crop', x, y, width, height });
const padStep = (x, y, width, height, fill) => ({ image: 0, name: 'pad', x, y, width, height, ...fill });
const [rescaled] = numbers();
const second = (step) => ({ ...step, image: 1 });
const plain = { do_rescale: false, do_normalize: false };
const clip = numbers([0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]);

/** By the class, the sizes of the pictures, and what is special: the settings, and the steps. */
const stepsByCall = {
  'MobileNetV1 20x10: a crop inside, and the filter': [
    { size: 8, crop_size: 6 },
    [resizeStep('bilinear', 16, 8), cropStep(5, 1, 6, 6), ...numbers(0.5, 0.5)],
  ],
  'MobileNetV1 4x8: a crop beyond is a border, of bytes': [
    { do_resize: false, crop_size: 6, do_normalize: false },
    [padStep(1, -1, 6, 6, { fill: [0, 0, 0] }), rescaled],
  ],
  'MobileNetV1 6x6: a crop of all of it is no step': [{ do_resize: false, crop_size: 6, ...plain }, []],
  'Detr 4x8 5x6: a border of numbers comes last': [
    { do_resize: false },
    [...imagenet, padStep(0, 0, 5, 8, { fill: 0 }), ...imagenet.map(second), second(padStep(0, 0, 5, 8, { fill: 0 }))],
  ],
  'ViT 4x4: nothing is done': [{ size: 4, ...plain }, []],
  'EfficientNet 4x4': [
    { size: 4, rescale_offset: true, rescale_factor: 0.5 },
    [{ image: 0, name: 'rescale', factor: 0.5, offset: -1 }, numbers(0.5, 0.5)[1], numbers(0, 0.5)[1]],
  ],
  'Qwen2VL 60x50: patches, without the strips': [
    { size: { shortest_edge: 56 * 56, longest_edge: 56 * 56 } },
    [resizeStep('bicubic', 56, 56), ...clip],
  ],
  'Idefics3 16x8: tiles, whose numbers are one step': [
    { size: { longest_edge: 8 }, max_image_size: { longest_edge: 4 } },
    [
      resizeStep('lanczos', 8, 4),
      cropStep(0, 0, 4, 4),
      cropStep(4, 0, 4, 4),
      resizeStep('lanczos', 4, 4),
      ...numbers(0.5, 0.5),
    ],
  ],
  'DINOv3ViT 9x9: float pictures': [
    { size: 8, do_center_crop: true, crop_size: 6 },
    [rescaled, resizeStep('bilinear', 8, 8), cropStep(1, 1, 6, 6), imagenet[1]],
  ],
  // 47 / 48 of 17 rounds to 17, the width that it has. The height is computed all the same: 47, and cut to 32.
  'Yolos 17x48: YOLOS computes the height of a tall picture whose width stays': [
    { size: { shortest_edge: 17, longest_edge: 47 }, do_pad: false, do_normalize: false },
    [resizeStep('bilinear', 16, 32), rescaled],
  ],
  'ZoeDepth 18x18: a mirrored border': [
    { size: { height: 32, width: 32 }, keep_aspect_ratio: false, do_rescale: false },
    [padStep(9, 9, 36, 36), resizeStep('bilinear', 32, 32), numbers(0.5, 0.5)[1]],
  ],
  'Swin2SR 9x10: a mirrored border of numbers': [{}, [rescaled, padStep(0, 0, 16, 16)]],
  'RfDetr 9x10: RF-DETR': [
    { do_resize: false, pad_size: 12, do_normalize: false },
    [rescaled, padStep(0, 0, 12, 12, { fill: 0 })],
  ],
  'SuperPoint 6x4: gray': [
    { do_grayscale: true, do_resize: false },
    [{ image: 0, name: 'gray', width: 6, height: 4 }, rescaled],
  ],
  'Donut 4x8: turned': [
    {
      size: [4, 8],
      do_align_long_axis: true,
      do_resize: false,
      do_thumbnail: false,
      do_pad: false,
      do_normalize: false,
    },
    [rescaled],
  ],
};

test.each(Object.entries(stepsByCall))('%s', (name, [settings, expected]) => {
  const [, type, sizes] = /^(\w+) ([\dx ]+)/.exec(name);
  const images = sizes
    .trim()
    .split(' ')
    .map((size) => picture(...size.split('x').map(Number)));
  expect(stepsOf({ image_processor_type: `${type}ImageProcessor`, ...settings }, images)).toStrictEqual(expected);
});

describe('memory that onStep takes away is missed when it is read', () => {
  const donut = { image_processor_type: 'DonutImageProcessor', size: [4, 8], do_align_long_axis: true };
  test.each([
    ['ViT', { image_processor_type: 'ViTImageProcessor', size: 3 }, picture(8, 4), picture(4, 8)],
    ['a picture that is turned', donut, picture(9, 4), picture(4, 9)],
    ['a crop', { image_processor_type: 'Perceiver', size: 4, crop_size: 4 }, picture(8, 4), picture(4, 8)],
    ['patches', { image_processor_type: 'Siglip2ImageProcessor', max_num_patches: 4 }, picture(8, 4), picture(4, 8)],
    ['floats', { image_processor_type: 'DepthProImageProcessor', size: 4 }, picture(8, 4), picture(4, 8)],
    ['Nougat', { image_processor_type: 'NougatImageProcessor', size: [8, 4] }, picture(8, 4), picture(4, 8)],
  ])('%s', (_, config, first, second) => {
    for (const [i, image] of [first, second].entries()) {
      const images = [structuredClone(first), structuredClone(second)];
      const onStep = () => {
        if (images[i].data.length > 0) structuredClone(images[i].data, { transfer: [images[i].data.buffer] });
      };
      const { width, height } = image;
      const rule = `images[${i}] data of ${width} x ${height} pixels has ${3 * width * height} bytes, got 0`;
      expectError(() => imageProcessor(config)(images, { onStep }), RangeError, `imageProcessor: ${rule}`);
    }
  });

  test.each(['VideoMAE', 'Qwen2VL', 'InternVL', 'VideoLlama3', 'MiniCPMV4_6'])('a video of %s', async (type) => {
    const [settings, options] = [{ do_normalize: false }, { className: `${type}VideoProcessor` }];
    const metadata = { total_num_frames: 4, fps: 2, duration: 2 };
    for (const [name, make] of Object.entries({ videoProcessor, videoProcessorAsync }))
      for (const left of [9000, 0]) {
        const data = new Uint8Array(new ArrayBuffer(37632, { maxByteLength: 37632 }));
        const onStep = () => data.buffer.resize(left);
        const video = { type: 'uint8', dims: [4, 56, 56, 3], data };
        const call = async () =>
          make(settings, options)(video, { onStep, do_sample_frames: false, video_metadata: metadata });
        const rule = `uint8 data of dims [4, 56, 56, 3] has 37632 bytes, got ${left}`;
        await expectRejection(call, RangeError, `${name}: ${rule}`);
      }
  });

  test('memory that shrinks to fewer channels', () => {
    const data = new Uint8Array(new ArrayBuffer(12, { maxByteLength: 12 }));
    const onStep = () => data.buffer.resize(4);
    const processor = imageProcessor({ image_processor_type: 'ViTImageProcessor', size: 3 });
    const rule = 'images data of 2 x 2 pixels has 12 bytes, got 4';
    expectError(() => processor({ data, width: 2, height: 2 }, { onStep }), RangeError, `imageProcessor: ${rule}`);
  });
});

test('Donut turns, and the border has its place', () => {
  const config = {
    image_processor_type: 'DonutImageProcessor',
    size: { height: 4, width: 9 },
    do_align_long_axis: true,
    do_resize: false,
    do_thumbnail: false,
    do_normalize: false,
  };
  const turn = { image: 0, name: 'turn', width: 8, height: 4 };
  expect(stepsOf(config, picture(4, 8))).toEqual([turn, padStep(0, 0, 9, 4, { fill: [0, 0, 0] }), rescaled]);
});

test('Nougat makes a thumbnail of a large picture as Pillow does, from pixels that are averages', () => {
  const image = picture(300, 200);
  const config = {
    image_processor_type: 'NougatImageProcessor',
    size: { height: 20, width: 30 },
    do_crop_margin: false,
    do_resize: false,
    do_pad: false,
  };
  for (const [backend, gap] of Object.entries({ pil: { reducingGap: 2 }, torchvision: {} })) {
    const pictures = [];
    imageProcessor(config, { backend })(image, { onStep: ({ pixels }) => pictures.push(pixels?.()) });
    expect(pictures[0]).toEqual(resize(image, { width: 30, height: 20, filter: 'bicubic', backend, ...gap }));
  }
});

test.each([
  [picture(40, 20), { width: 4096, height: 2048 }],
  [picture(20, 40), { width: 2048, height: 4096 }],
])('Idefics3 has no side beyond 4096', (image, size) => {
  const config = { image_processor_type: 'Idefics3ImageProcessor', size: { longest_edge: 5000 } };
  const [first] = stepsOf({ ...config, max_image_size: { longest_edge: 8 }, do_image_splitting: false }, image);
  expect(first).toEqual({ image: 0, name: 'resize', filter: 'lanczos', ...size });
});

test('LFM2-VL leaves a large picture whole where there is one tile at most', () => {
  const config = {
    image_processor_type: 'Lfm2VlImageProcessor',
    encoder_patch_size: 2,
    tile_size: 16,
    min_image_tokens: 1,
    max_image_tokens: 4,
    max_pixels_tolerance: 1,
  };
  const image = picture(40, 24);
  const tiles = stepsOf({ ...config, min_tiles: 2, max_tiles: 4 }, image);
  expect(tiles.filter(({ name }) => name === 'crop').length).toBeGreaterThan(1);
  expect(stepsOf({ ...config, min_tiles: 1, max_tiles: 1 }, image)).toEqual(
    stepsOf({ ...config, do_image_splitting: false }, image),
  );
});

test('VitMatte pads image and trimap by zeros', () => {
  const trimaps = { data: new Uint8Array(20), width: 5, height: 4, channels: 1 };
  const config = { image_processor_type: 'VitMatteImageProcessor', size_divisor: 8 };
  const expected = [...numbers(0.5, 0.5), padStep(0, 0, 8, 8, { fill: 0 })];
  expect(stepsOf(config, picture(5, 4), { trimaps })).toEqual(expected);
});

test('pixels() has each picture in memory of its own', () => {
  const image = picture(20, 10);
  const pictures = [];
  const onStep = ({ pixels }) => pictures.push(pixels?.());
  const config = { image_processor_type: 'MobileNetV1ImageProcessor', size: 8, crop_size: 6 };
  const { pixel_values: values } = imageProcessor(config, { backend: 'pil' })(image, { onStep });
  const resized = resize(image, { width: 16, height: 8, filter: 'bilinear' });
  const rows = Array.from({ length: 6 }, (_, y) => resized.data.subarray(3 * (16 * (y + 1) + 5)).subarray(0, 18));
  expect(pictures).toEqual([
    { data: resized.data, width: 16, height: 8, channels: 3 },
    { data: Uint8Array.from(rows.flatMap((row) => [...row])), width: 6, height: 6, channels: 3 },
    undefined,
    undefined,
  ]);
  // The tensor is as without onStep.
  expect(values).toEqual(imageProcessor(config, { backend: 'pil' })(image).pixel_values);
  expect(pictures[1].data.buffer).not.toBe(image.data.buffer);
});

test.each([
  [null, 'null'],
  [{}, 'an object'],
  ['log', "'log'"],
])('onStep %j', (onStep, shown) => {
  const processor = imageProcessor({ image_processor_type: 'ViTImageProcessor' });
  const message = `imageProcessor: onStep must be a function, got ${shown}`;
  expectError(() => processor(picture(2, 2), { onStep }), TypeError, message);
});

test("Nougat keeps a picture of one gray whole, and DPT's odd pixel of a border is behind the picture", () => {
  const image = { data: new Uint8Array(75).fill(255), width: 5, height: 5, channels: 3 };
  const off = { do_resize: false, do_normalize: false, do_rescale: false };
  const nougat = { ...off, do_thumbnail: false, do_align_long_axis: false, do_pad: false };
  for (const backend of ['pil', 'torchvision'])
    expect(imageProcessor(nougat, { className: 'Nougat', backend })(image).pixel_values.dims).toEqual([1, 3, 5, 5]);
  const dpt = imageProcessor({ ...off, do_pad: true, size_divisor: 8 }, { className: 'DPT' });
  const { dims, data } = dpt(image).pixel_values;
  const shown = [...data.subarray(0, 64).keys()].filter((i) => data[i] > 0);
  expect(dims).toEqual([1, 3, 8, 8]);
  expect(shown).toEqual(Array.from({ length: 25 }, (_, i) => 9 + 8 * Math.floor(i / 5) + (i % 5)));
});

test('Nougat finds the margin of a picture with alpha, whose colors are made when their gray is', () => {
  const image = { ...picture(24, 16), data: randomData('uint8', 3 * 24 * 16, 3).fill(250, 0, 3 * 24 * 5) };
  const rgba = { data: new Uint8Array(4 * 24 * 16).fill(255), width: 24, height: 16, channels: 4 };
  for (let i = 0; i < 24 * 16; i++) rgba.data.set(image.data.subarray(3 * i, 3 * i + 3), 4 * i);
  const off = { do_resize: false, do_thumbnail: false, do_align_long_axis: false, do_pad: false };
  for (const backend of ['pil', 'torchvision']) {
    const nougat = imageProcessor(off, { className: 'Nougat', backend });
    const expected = nougat(image).pixel_values;
    expect(expected.dims).toEqual([1, 3, 11, 24]);
    // Another gray takes the place of this picture's in the memory of the module.
    expect(nougat(picture(24, 16)).pixel_values.dims).toEqual([1, 3, 16, 24]);
    expect(nougat(rgba).pixel_values).toEqual(expected);
  }
});
