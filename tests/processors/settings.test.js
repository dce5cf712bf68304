/** Settings, sizes and masks that a call returns; options of other programs; names of classes in transformers.js. */
import { beforeAll, expect, test } from '@jest/globals';
import { featureExtractor, init as initAudio } from 'onnx-layout/audio';
import { imageProcessor, init } from 'onnx-layout/processors';

beforeAll(() => Promise.all([init(), initAudio()]));

const picture = (width, height) => ({ data: new Uint8Array(width * height * 3).fill(9), width, height });

test('settings are those of the file and, where it lacks them, of the class', () => {
  const { settings } = imageProcessor({ image_processor_type: 'Qwen2VLImageProcessor', patch_size: 16 });
  expect([settings.patch_size, settings.merge_size, settings.resample]).toEqual([16, 2, 3]);
  expect(Object.isFrozen(settings)).toBe(true);
  const named = imageProcessor({ image_processor_type: 'ViTImageProcessor', resample: 'nearest-exact', size: 8 });
  expect([named.settings.resample, named.settings.size]).toEqual(['nearest-exact', { height: 8, width: 8 }]);
});

test('settings of a processor are its own', () => {
  const config = { image_processor_type: 'ViTImageProcessor' };
  imageProcessor(config).settings.size.height = 1;
  expect(imageProcessor(config).settings.size).toEqual({ height: 224, width: 224 });
});

test("sizes are each image's own, and that after resizing and cropping", () => {
  const clip = imageProcessor({ image_processor_type: 'CLIPImageProcessor', size: 8, crop_size: 6 });
  const { sizes } = clip([picture(20, 10), picture(10, 10)], { returnSizes: true });
  expect(sizes).toEqual([
    { original: [10, 20], resized: [6, 6] },
    { original: [10, 10], resized: [6, 6] },
  ]);
  expect(clip(picture(20, 10)).sizes).toBeUndefined();
  const sam = imageProcessor({ image_processor_type: 'SamImageProcessor', size: { longest_edge: 16 }, pad_size: 16 });
  expect(sam(picture(32, 16), { returnSizes: true }).sizes).toEqual([{ original: [16, 32], resized: [8, 16] }]);
});

test('sizes are told beside steps', () => {
  const names = [];
  const vit = imageProcessor({ image_processor_type: 'ViTImageProcessor', size: 2 });
  const { sizes } = vit(picture(4, 4), { returnSizes: true, onStep: ({ name }) => names.push(name) });
  expect([sizes[0].resized, names]).toEqual([
    [2, 2],
    ['resize', 'rescale', 'normalize'],
  ]);
});

test('maskDtype makes the same masks, an eighth as large', () => {
  const detr = imageProcessor({ image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 4 } });
  const pictures = [picture(9, 4), picture(4, 6)];
  const [usual, small] = ['int64', 'bool'].map((maskDtype) => detr(pictures, { maskDtype }).pixel_mask);
  expect([usual.type, small.type, small.dims]).toEqual(['int64', 'bool', [2, 6, 9]]);
  expect([...small.data]).toEqual([...usual.data].map(Number));
  const ones = [
    ...Array(4).fill('111111111'), // 9 x 4
    ...Array(2).fill('000000000'),
    ...Array(6).fill('111100000'), // 4 x 6
  ];
  expect(small.data.join('')).toBe(ones.join(''));
  expect(detr(pictures).pixel_mask).toEqual(usual);
  const message = 'imageProcessor: maskDtype must be int64 or bool, got float32';
  expect(() => detr(pictures, { maskDtype: 'int8' })).toThrow(TypeError);
  expect(() => detr(pictures, { maskDtype: 'float32' })).toThrow(new TypeError(message));
});

test("unknown: 'ignore' leaves options of others alone, and reads those of the class", () => {
  const vit = imageProcessor({ image_processor_type: 'ViTImageProcessor' }, { unknown: 'ignore' });
  const options = { padding: true, size: { height: 2, width: 2 } };
  expect(vit(picture(4, 4), options).pixel_values.dims).toEqual([1, 3, 2, 2]);
  expect(() => vit(picture(4, 4), { size: 'big' })).toThrow(TypeError);
  const extract = featureExtractor({ feature_extractor_type: 'Wav2Vec2FeatureExtractor' }, { unknown: 'ignore' });
  const made = extract(Float32Array.of(1, 2), { text_pair: 'a', return_attention_mask: true });
  expect(Object.keys(made)).toEqual(['input_values', 'attention_mask']);
  const message = "imageProcessor: unknown must be 'refuse' or 'ignore', got 'drop'";
  expect(() => imageProcessor({}, { unknown: 'drop' })).toThrow(new RangeError(message));
});

test('Lfm3VlImageProcessor is Qwen2VLImageProcessor', () =>
  expect(imageProcessor({ image_processor_type: 'Lfm3VlImageProcessor' }).className).toBe('Qwen2VLImageProcessor'));
