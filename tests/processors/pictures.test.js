/**
 * Where pictures come from: what browsers draw, Blobs, gray and alpha. The canvas is a fake; tests/browser has real
 * ones.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { imageProcessor, imageProcessorAsync, init, videoProcessor } from 'onnx-layout/processors';
import { expectTensor } from '../support/assertions.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const [width, height] = [13, 9];
const opaque = randomData('uint8', width * height * 4, 1).map((byte, i) => (i % 4 === 3 ? 255 : byte));

class FakeCanvas {
  get [Symbol.toStringTag]() {
    return 'OffscreenCanvas';
  }

  getContext(kind) {
    if (kind !== '2d') return null;
    return { canvas: this, drawImage() {}, getImageData: () => ({ data: new Uint8ClampedArray(opaque) }) };
  }
}

beforeEach(() => {
  globalThis.OffscreenCanvas = FakeCanvas;
});
afterEach(() => {
  delete globalThis.OffscreenCanvas;
  delete globalThis.createImageBitmap;
});

const fakeObject = (tag, properties) => ({ ...properties, [Symbol.toStringTag]: tag });
const drawables = {
  ImageBitmap: { width, height },
  OffscreenCanvas: { width, height },
  VideoFrame: { displayWidth: width, displayHeight: height },
  HTMLVideoElement: { videoWidth: width, videoHeight: height },
};
const config = { image_processor_type: 'CLIPImageProcessor', size: 7, crop_size: 6 };
const pixels = { data: opaque, width, height, channels: 4 };
const rgb = { data: opaque.filter((_, i) => i % 4 < 3), width, height, channels: 3 };

const expectSame = (outputs, { pixel_values: { type, dims, data } }) =>
  expectTensor(outputs.pixel_values, type, dims, data);

test.each(Object.entries(drawables))('%s', async (tag, properties) => {
  for (const convert of [true, false]) {
    const settings = { ...config, do_convert_rgb: convert };
    expectSame(imageProcessor(settings)(fakeObject(tag, properties)), imageProcessor(settings)(pixels));
    expectSame(imageProcessor(settings)(fakeObject(tag, properties)), imageProcessor(settings)(rgb));
    expectSame(await imageProcessorAsync(settings)([fakeObject(tag, properties)]), imageProcessor(settings)(rgb));
  }
});

test('a canvas where there is none', () => {
  delete globalThis.OffscreenCanvas;
  expect(() => imageProcessor(config)([pixels, fakeObject('ImageBitmap', { width, height })])).toThrow(
    new Error('imageProcessor: images[1] needs OffscreenCanvas, which is not there'),
  );
});

test('a Blob, and the trimap of another', async () => {
  let closed = 0;
  globalThis.createImageBitmap = async () => fakeObject('ImageBitmap', { width, height, close: () => closed++ });
  expectSame(await imageProcessorAsync(config)(new Blob(['image'])), imageProcessor(config)(rgb));
  expect(closed).toBe(1);
  const matte = { image_processor_type: 'VitMatteImageProcessor' };
  const outputs = await imageProcessorAsync(matte)(new Blob(['image']), { trimaps: [new Blob(['trimap'])] });
  expectSame(outputs, imageProcessor(matte)(rgb, { trimaps: rgb }));
  expect(closed).toBe(3);
});

test('gray is the same in each channel', () => {
  const gray = { data: randomData('uint8', width * height, 2), width, height, channels: 1 };
  const spread = { ...rgb, data: Uint8Array.from(rgb.data, (_, i) => gray.data[Math.floor(i / 3)]) };
  for (const backend of ['torchvision', 'pil'])
    expectSame(imageProcessor(config, { backend })(gray), imageProcessor(config, { backend })(spread));
});

test('alpha is laid on white where the file converts, and dropped where it does not', () => {
  const clear = { ...pixels, data: opaque.map((byte, i) => (i % 4 === 3 ? 0 : byte)) };
  const white = { ...rgb, data: new Uint8Array(rgb.data.length).fill(255) };
  expectSame(imageProcessor(config)(clear), imageProcessor(config)(white));
  expectSame(imageProcessor(config)(clear, { do_convert_rgb: false }), imageProcessor(config)(rgb));
  const video = videoProcessor({ video_processor_type: 'VideoMAEVideoProcessor', size: 7, crop_size: 6 });
  expectSame(video([clear, clear]), video([white, white]));
});

test('the images of a video processor are its frames', () => {
  const processor = imageProcessor({ image_processor_type: 'VideoMAEImageProcessor', size: 8, crop_size: 6 });
  const { dims, data } = processor([rgb, pixels]).pixel_values;
  expect(dims).toEqual([1, 2, 3, 6, 6]);
  expect([...data.subarray(0, 108)]).toEqual([...processor(rgb).pixel_values.data]);
});

test('RF-DETR pads each picture on the right and at the bottom', () => {
  const processor = imageProcessor({ image_processor_type: 'RfDetrImageProcessor', do_resize: false, pad_size: 15 });
  const images = [rgb, { data: rgb.data.subarray(0, 8 * 5 * 3), width: 8, height: 5, channels: 3 }];
  const { pixel_values: values, pixel_mask: mask } = processor(images);
  expect([values.dims, mask.dims]).toEqual([
    [2, 3, 15, 15],
    [2, 15, 15],
  ]);
  images.forEach((image, i) => {
    const own = processor(image, { do_pad: false }).pixel_values.data;
    for (let c = 0; c < 3; c++)
      for (let y = 0; y < 15; y++)
        for (let x = 0; x < 15; x++) {
          const isInside = x < image.width && y < image.height;
          const expected = isInside ? own[(c * image.height + y) * image.width + x] : 0;
          expect(values.data[((3 * i + c) * 15 + y) * 15 + x]).toBe(expected);
          expect(mask.data[(15 * i + y) * 15 + x]).toBe(isInside ? 1n : 0n);
        }
  });
});

test('the pixels of the caller stay as they are', () => {
  const before = opaque.slice();
  for (const type of ['CLIP', 'Donut', 'Nougat', 'Llava', 'DINOv3ViT', 'SuperPoint'])
    imageProcessor(
      { size: { height: 5, width: 8 }, crop_size: 5, do_align_long_axis: true },
      { className: type },
    )(pixels);
  expect(opaque).toEqual(before);
});
