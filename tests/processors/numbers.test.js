/** The numbers of processors: all 256 bytes, by each backend's own operations, in each type; and presets. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast } from 'onnx-layout';
import { imageToTensor, init } from 'onnx-layout/image';
import { imageProcessor } from 'onnx-layout/processors';

beforeAll(() => init());

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { fround } = Math;

/** All 256 grays as pixels of three channels. */
const bytes = Array.from({ length: 256 }, (_, i) => i);
const image = { data: Uint8Array.from({ length: 768 }, (_, i) => i / 3), width: 16, height: 16, channels: 3 };

const settings = {
  'the defaults of the class': {},
  'another factor': { rescale_factor: 1 / 127.5, image_mean: [1, 0.9, 0.8], image_std: 1 },
  'an odd factor': { rescale_factor: 0.00784314, image_mean: 0.1, image_std: [0.3, 0.2, 0.7] },
  'a factor that two float32 numbers do not hold': { rescale_factor: 14737 / 3e6, image_mean: [1, 0.9, 0.8] },
  'one mean and one deviation that float32 rounds': { image_mean: 0.007, image_std: 0.004 },
  'no rescaling': { do_rescale: false, image_mean: [127.5, 120, 110.25], image_std: [58.4, 57.1, 57.4] },
  'no normalization': { do_normalize: false },
  'the bytes': { do_rescale: false, do_normalize: false },
};
const defaults = { rescale_factor: 1 / 255, image_mean: 0.5, image_std: 0.5, do_rescale: true, do_normalize: true };

const entry = (value, channel) => fround(typeof value === 'number' ? value : value[channel]);

/** NumPy's arithmetic of a byte. */
function pil(byte, channel, { do_rescale, rescale_factor, do_normalize, image_mean, image_std }) {
  const value = do_rescale ? fround(byte * rescale_factor) : byte;
  return do_normalize ? fround(fround(value - entry(image_mean, channel)) / entry(image_std, channel)) : value;
}

/** torchvision's arithmetic of a byte, which fuses both steps. */
function torchvision(byte, channel, { do_rescale, rescale_factor, do_normalize, image_mean, image_std }) {
  if (!do_normalize) return do_rescale ? fround(byte * fround(rescale_factor)) : byte;
  const scale = do_rescale ? fround(1 / rescale_factor) : 1;
  const [mean, std] = [image_mean, image_std].map((value) => fround(entry(value, channel) * scale));
  return fround(fround(byte - mean) / std);
}

const formulas = { pil, torchvision };

describe.each(Object.keys(formulas))('%s', (backend) => {
  const formula = formulas[backend];

  test.each(Object.entries(settings))('%s', (_, changes) => {
    const config = { image_processor_type: 'ViTImageProcessor', do_resize: false, ...changes };
    const { pixel_values: values } = imageProcessor(config, { backend })(image);
    const expected = [0, 1, 2].flatMap((c) => bytes.map((byte) => formula(byte, c, { ...defaults, ...changes })));
    expect(values.dims).toEqual([1, 3, 16, 16]);
    expect(values.type).toBe(changes.do_rescale === false && changes.do_normalize === false ? 'uint8' : 'float32');
    expect([...values.data]).toEqual(expected);
  });

  test.each(['float16', 'bfloat16'])('%s is the float32, rounded once', (type) => {
    for (const changes of Object.values(settings)) {
      const processor = imageProcessor({ image_processor_type: 'ViT', do_resize: false, ...changes }, { backend });
      const { pixel_values: exact } = processor(image, { dtype: 'float32' });
      const { pixel_values: values } = processor(image, { dtype: type });
      expect(values).toEqual(cast(exact, type));
    }
  });

  test.each([
    ['imagenet', { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] }],
    ['clip', { image_mean: [0.48145466, 0.4578275, 0.40821073], image_std: [0.26862954, 0.26130258, 0.27577711] }],
    ['unit', { do_normalize: false }],
    ['signed', {}],
  ])("imageToTensor's preset %s", (preset, changes) => {
    const processor = imageProcessor(
      { image_processor_type: 'ViTImageProcessor', do_resize: false, ...changes },
      { backend },
    );
    for (const type of ['float32', 'float16', 'bfloat16']) {
      const { pixel_values: values } = processor(image, { dtype: type });
      expect(imageToTensor(image, { preset, backend, dtype: type })).toEqual(values);
      if (backend === 'pil') expect(imageToTensor(image, { preset, dtype: type })).toEqual(values);
    }
  });
});

test('a preset of one channel, and of four', () => {
  const gray = { data: Uint8Array.from(bytes), width: 16, height: 16, channels: 1 };
  const unit = bytes.map((byte) => pil(byte, 0, { ...defaults, do_normalize: false }));
  expect([...imageToTensor(gray, { preset: 'unit', channels: 'L' }).data]).toEqual(unit);
  expect([...imageToTensor(image, { preset: 'unit', channels: 'L' }).data]).toEqual(unit);
  const { data } = imageToTensor(image, { preset: 'unit', channels: 'RGBA', layout: 'NHWC' });
  expect([...data]).toEqual(unit.flatMap((value) => [value, value, value, 1]));
});

test('gray numbers of a picture of several strips, of which the last or the first has a color', () => {
  const [width, height] = [1000, 200];
  const data = new Uint8Array(3 * width * height).map((_, i) => Math.floor(i / 3) % 251);
  const weights = [0.2989, 0.587, 0.114].map(fround);
  const processor = imageProcessor(
    { do_grayscale: true, do_resize: false },
    { className: 'SuperPoint', backend: 'pil' },
  );
  for (const [first, last, type] of [
    [0, 0, 'float32'],
    [0, 9, 'float32'],
    [9, 0, 'float16'],
  ]) {
    data[0] = first;
    data[data.length - 1] = data[data.length - 2] + last;
    const numbers = Float32Array.from(data, (byte) => fround(byte * (1 / 255)));
    const gray = Float32Array.from({ length: width * height }, (_, i) => {
      const [red, green, blue] = weights.map((weight, c) => fround(numbers[3 * i + c] * weight));
      return first + last === 0 ? numbers[3 * i] : fround(fround(red + green) + blue);
    });
    const planes = {
      type: 'float32',
      data: Float32Array.from({ length: 3 * gray.length }, (_, i) => gray[i % gray.length]),
    };
    const expected = cast({ ...planes, dims: [1, 3, height, width] }, type);
    const { pixel_values: values } = processor({ data, width, height, channels: 3 }, { dtype: type });
    expect([values.type, values.dims]).toEqual([type, [1, 3, height, width]]);
    expect(Buffer.compare(Buffer.from(values.data.buffer), Buffer.from(expected.data.buffer))).toBe(0);
  }
});

test('VitMatte: a trimap that is not rescaled keeps its bytes', () => {
  const config = { image_processor_type: 'VitMatteImageProcessor', do_rescale: false, do_normalize: false };
  const trimap = { data: Uint8Array.from(bytes), width: 16, height: 16, channels: 1 };
  const { pixel_values: values } = imageProcessor({ ...config, do_pad: false })(image, { trimaps: trimap });
  expect([values.dims, [...values.data]]).toEqual([[1, 4, 16, 16], [0, 1, 2, 3].flatMap(() => bytes)]);
});
