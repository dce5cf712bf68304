/** Files as they are in the wild: older names and shapes of keys, defaults, what is ignored; and options of a call. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageProcessor, init, videoProcessor } from 'onnx-layout/processors';
import { expectTensor } from '../support/assertions.js';
import { exposeDeclared } from '../support/declared-settings.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const image = { data: randomData('uint8', 23 * 17 * 3, 1), width: 23, height: 17, channels: 3 };
const run = (config, options, call) => imageProcessor(config, options)(image, call);
/** Expects the same outputs. Jest's own comparison of large arrays takes seconds. */
function expectSame(outputs, expected) {
  expect(Object.keys(outputs)).toEqual(Object.keys(expected));
  for (const [name, { type, dims, data }] of Object.entries(expected))
    expectTensor(outputs[name], type, dims, data, name);
}

const configOf = (type, config) => ({ image_processor_type: `${type}ImageProcessor`, ...config });

describe('the processor', () => {
  const size = { height: 5, width: 6 };
  let expected;
  beforeAll(() => {
    expected = run(configOf('ViT', { size }));
  });

  test.each([
    ['its name', { image_processor_type: 'ViTImageProcessor', size }],
    ['the name of the fast one', { image_processor_type: 'ViTImageProcessorFast', size }],
    ['a feature extractor', { feature_extractor_type: 'ViTFeatureExtractor', size }],
    ['both names', { image_processor_type: 'ViTImageProcessor', feature_extractor_type: 'CLIPFeatureExtractor', size }],
    [
      'null beside a feature extractor',
      { image_processor_type: null, feature_extractor_type: 'ViTFeatureExtractor', size },
    ],
    ['its JSON', JSON.stringify({ image_processor_type: 'ViTImageProcessor', size })],
  ])('by %s', (_, config) => {
    expect(imageProcessor(config).className).toBe('ViTImageProcessor');
    expectSame(run(config), expected);
  });

  test('by className, which goes before the file', () => {
    for (const className of ['ViTImageProcessor', 'ViTFeatureExtractor', 'ViTImageProcessorFast', 'ViT']) {
      expectSame(run({ size }, { className }), expected);
      expectSame(run(configOf('CLIP', { size, do_center_crop: null }), { className }), expected);
    }
  });

  test('with the dtype of pixel_values, which a call goes before', () => {
    expect(run(configOf('ViT', { size }), { dtype: 'float16' })).toEqual(
      run(configOf('ViT', { size }), {}, { dtype: 'float16' }),
    );
    const call = run(configOf('ViT', { size }), { dtype: 'float16' }, { dtype: 'bfloat16' });
    expect(call.pixel_values.type).toBe('bfloat16');
  });

  test("torchvision's numbers by default", () => {
    expectSame(run(configOf('ViT')), run(configOf('ViT'), { backend: 'torchvision' }));
    expect(run(configOf('ViT'))).not.toEqual(run(configOf('ViT'), { backend: 'pil' }));
  });
});

/** Two configurations that mean the same. */
test.each([
  ['an int is a square', 'ViT', { size: 7 }, { size: { height: 7, width: 7 } }],
  [
    'an int is the shortest edge',
    'CLIP',
    { size: 7, crop_size: 5 },
    { size: { shortest_edge: 7 }, crop_size: { height: 5, width: 5 } },
  ],
  ['default_to_square in a file', 'ViT', { size: 7, default_to_square: false }, { size: { shortest_edge: 7 } }],
  ['a list is height and width', 'ViT', { size: [4, 9] }, { size: { height: 4, width: 9 } }],
  ["Donut's list is width and height", 'Donut', { size: [4, 9] }, { size: { height: 9, width: 4 } }],
  ['max_size', 'Detr', { size: 7, max_size: 8 }, { size: { shortest_edge: 7, longest_edge: 8 } }],
  ['max_size is 1333', 'Detr', { size: 7 }, { size: { shortest_edge: 7, longest_edge: 1333 } }],
  ['a size of null is that of DETR', 'Detr', { size: null, do_rescale: 1 }, {}],
  ["MaskFormer's max_size alone", 'MaskFormer', { max_size: 64 }, { size: { shortest_edge: 800, longest_edge: 64 } }],
  ['pad_and_return_pixel_mask', 'Yolos', { size: 32, pad_and_return_pixel_mask: false }, { size: 32, do_pad: false }],
  [
    'the new name behind the old one',
    'Yolos',
    { size: 32, pad_and_return_pixel_mask: false, do_pad: true },
    { size: 32 },
  ],
  [
    'the new name before the old one',
    'Yolos',
    { size: 32, do_pad: true, pad_and_return_pixel_mask: false },
    { size: 32 },
  ],
  ["PoolFormer's part", 'PoolFormer', { size: 9, crop_size: 5 }, { size: 9, crop_size: 5, crop_pct: 0.9 }],
  ["OWL-ViT's rescale", 'OwlViT', { size: 4, rescale: false }, { size: 4, do_rescale: false }],
  ["VitMatte's size_divisibility", 'Swin2SR', { pad_size: 16 }, { size_divisor: 16 }],
  [
    "Qwen's pixels",
    'Qwen2VL',
    { min_pixels: 784, max_pixels: 1568 },
    { size: { shortest_edge: 784, longest_edge: 1568 } },
  ],
  ['one of them', 'Qwen2VL', { max_pixels: 3136 }, { size: { shortest_edge: 3136, longest_edge: 3136 } }],
  ['a patch as a number', 'Pixtral', { patch_size: 8 }, { patch_size: { height: 8, width: 8 } }],
  ['use_square_size', 'CLIP', { use_square_size: true, size: 5 }, { size: { height: 224, width: 224 } }],
  [
    'a number for all channels',
    'ViT',
    { image_mean: 0.4, image_std: 0.3 },
    { image_mean: [0.4, 0.4, 0.4], image_std: [0.3, 0.3, 0.3] },
  ],
  ['flags as 0 and 1', 'ViT', { do_normalize: 0, do_resize: 1 }, { do_normalize: false }],
  ['a flag that is null is off', 'CLIP', { size: 9, do_center_crop: null }, { size: 9, do_center_crop: false }],
  [
    'VLM is Janus',
    'Janus',
    { image_processor_type: 'VLMImageProcessor', image_size: 9 },
    { size: 9, image_mean: 0.5, image_std: 0.5 },
  ],
])('%s', (_, type, older, newer) => {
  for (const backend of ['torchvision', 'pil'])
    expectSame(run(configOf(type, older), { backend }), run(configOf(type, newer), { backend }));
});

test('what no step reads is ignored, and listed', () => {
  const config = {
    _valid_processor_keys: ['images'],
    crop_size: null,
    data_format: 'channels_first',
    device: null,
    do_center_crop: null,
    feature_extractor_type: 'ViTFeatureExtractor',
    image_processor_type: 'ViTImageProcessor',
    processor_class: 'ViTProcessor',
    size: { height: 3, width: 4 },
    size_divisor: 'anything',
  };
  const { ignored } = imageProcessor(config);
  expect(ignored).toEqual(['_valid_processor_keys', 'data_format', 'device', 'processor_class', 'size_divisor']);
  expect(Object.isFrozen(ignored)).toBe(true);
  expect(run(config).pixel_values.dims).toEqual([1, 3, 3, 4]);
});

test('no key of the language is a setting', () => {
  const config = JSON.parse('{"image_processor_type": "ViT", "size": 3, "__proto__": {"size": 9}, "toString": 5}');
  const processor = imageProcessor(config);
  expect(processor.ignored).toEqual(['__proto__', 'toString']);
  expect(processor(image).pixel_values.dims).toEqual([1, 3, 3, 3]);
});

describe('options of a call', () => {
  const config = configOf('CLIP', { size: 9, crop_size: 7 });

  test.each([
    [{ do_resize: false }],
    [{ do_center_crop: false, do_normalize: null }],
    [{ size: { height: 11, width: 8 }, resample: 0 }],
    [{ size: 5, crop_size: [3, 4] }],
    [{ image_mean: 0, image_std: [1, 2, 3], rescale_factor: 1 }],
    [{ do_convert_rgb: false, do_pad: true, pad_size: 12 }],
  ])('%j count as if the file had them', (options) =>
    expectSame(run(config, {}, options), run({ ...config, ...options })),
  );

  test('count for this call alone', () => {
    const processor = imageProcessor(config);
    const before = processor(image);
    processor(image, { do_resize: false, do_rescale: false });
    expect(processor(image)).toEqual(before);
  });

  test('that are undefined, or that this processor does not read, change nothing', () =>
    expectSame(run(config, {}, { size: undefined, dtype: undefined, merge_size: 3 }), run(config)));
});

test('the configuration may change afterwards', () => {
  const config = configOf('ViT', { size: { height: 3, width: 3 }, image_mean: [0.1, 0.2, 0.3] });
  const processor = imageProcessor(config);
  const before = processor(image);
  config.size.height = 5;
  config.image_mean[0] = 7;
  expect(processor(image)).toEqual(before);
});

/** Settings of steps that are off, as files have them: Python reads them where a step takes them. */
describe('a setting of a step that is off is not checked', () => {
  const off = {
    do_resize: false,
    do_center_crop: false,
    do_normalize: false,
    do_rescale: false,
    ...{ size: -1, resample: 'no filter', crop_size: -1, image_mean: [0.5], image_std: 0, rescale_factor: null },
  };
  const flags = { do_resize: false, do_center_crop: false, do_normalize: false, do_rescale: false };
  const on = { ...flags, do_resize: true };

  test('in files', () => {
    expectSame(run(configOf('CLIP', off)), run(configOf('CLIP', flags)));
    expectSame(run(configOf('ViT', { ...off, size: { height: 0, width: -3 } })), run(configOf('ViT', flags)));
    const make = () => imageProcessor(configOf('CLIP', { ...off, do_resize: true }));
    expect(make).toThrow(new RangeError('imageProcessor: size must be a whole number from 1 on, got -1'));
  });

  test.each([
    ['Swin2SR', { pad_size: -1 }, 'pad_size must be a whole number from 1 on, got -1'],
    ['MaskFormer', { size_divisor: -1, do_pad: false }, 'size_divisor must be a whole number from 1 on, got -1'],
    ['DeepseekVLHybrid', { high_res_size: 0 }, 'high_res_size must be a whole number from 1 on, got 0'],
    ['Fuyu', { do_resize: false, size: -1 }, 'size must be a whole number from 1 on, got -1'],
    ['Nougat', { do_resize: false, do_pad: false, size: 0 }, 'size must be a whole number from 1 on, got 0'],
    ['Perceiver', { do_resize: false, size: 0 }, 'size must be a whole number from 1 on, got 0'],
    ['LlavaNext', { do_center_crop: false, crop_size: -1 }, 'crop_size must be a whole number from 1 on, got -1'],
    ['LlavaOnevision', { do_resize: false, size: -1 }, 'size must be a whole number from 1 on, got -1'],
    ['EfficientNet', { do_normalize: false, image_std: 0 }, 'image_std must not be 0, got 0'],
    [
      'Llava',
      { do_normalize: false, do_pad: true, image_mean: [Infinity, 0, 0] },
      'image_mean must be finite in float32, got [Infinity, 0, 0]',
    ],
  ])('unless it is on: %s', (name, settings, rule) =>
    expect(() => imageProcessor(configOf(name, settings))).toThrow(new RangeError(`imageProcessor: ${rule}`)),
  );

  test('deviations of a second set of settings too', () => {
    const hybrid = { do_normalize: false, high_res_image_std: 0 };
    expect(() => imageProcessor(configOf('DeepseekVLHybrid', hybrid))).not.toThrow();
    const flava = { codebook_do_normalize: false, codebook_image_std: 0 };
    expect(() => imageProcessor(configOf('Flava', flava))).not.toThrow();
  });

  test('in calls, whose settings win over those of the file', () => {
    const processor = imageProcessor(configOf('CLIP', off));
    const rule = 'imageProcessor: size must be a whole number from 1 on, got -1';
    for (let i = 0; i < 2; i++) expect(() => processor(image, { do_resize: true })).toThrow(new RangeError(rule));
    const resized = processor(image, { do_resize: true, size: { shortest_edge: 9 }, resample: 3 });
    expectSame(resized, run(configOf('CLIP', { ...on, size: { shortest_edge: 9 }, resample: 3 })));
    const wrong = 'imageProcessor: image_std must not be 0, got 0';
    expect(() => processor(image, { do_normalize: true, image_mean: 0.5 })).toThrow(new RangeError(wrong));
    expectSame(run(configOf('CLIP', flags), {}, { size: 0 }), run(configOf('CLIP', flags)));
  });

  test('of videos', () => {
    const frames = Array(4).fill(image);
    const options = { className: 'VideoMAEVideoProcessor' };
    const all = { ...flags, do_sample_frames: false };
    const { pixel_values: values } = videoProcessor({ ...off, ...all }, options)(frames);
    const { pixel_values: expected } = videoProcessor(all, options)(frames);
    expectSame({ values }, { values: expected });
  });
});

test('the goldens see code that reads a setting without declaring it, and let it copy all', () => {
  const settings = { size: 2, do_pad: true };
  const declared = exposeDeclared(settings, new Set(['size']), 'ViT');
  expect([declared.size, { ...declared }]).toEqual([2, settings]);
  expect(() => declared.do_pad).toThrow(new Error('ViT does not declare do_pad'));
  expect(() => declared.do_pda).toThrow(new Error('ViT does not declare do_pda'));
});
