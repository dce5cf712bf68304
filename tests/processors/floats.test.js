/**
 * Processors that resize numbers, by filters that are not their classes' own: against what transformers made of
 * the same picture.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { imageProcessor, init } from 'onnx-layout/processors';
import { formulaPicture } from '../support/formula-picture.js';
import { pairs } from '../support/tables.js';

beforeAll(() => init());

/** How far numbers may be off that were resized in float32: CPUs differ by 1.5e-5 in Python. */
const tolerance = 2e-5;

const picture = formulaPicture({ mode: 'RGB', width: 5, height: 4, formula: [411, 677, 211, 9] });
const settings = { size: [2, 3], do_normalize: false };
const whole = { do_pad: false, keep_aspect_ratio: false, ensure_multiple_of: 1 };

// OWLv2 takes any filter, and resizes by its own.
/** By classes and filters, the numbers that transformers made. */
const made = {
  'DINOv3ViT:0 DepthPro:0': [
    0.662745, 0.462745, 0.266667, 0.984314, 0.788235, 0.588235, 0.870588, 0.670588, 0.47451, 0.188235, 0.996078,
    0.796079, 0.070588, 0.878431, 0.678431, 0.396078, 0.196078, 0,
  ],
  'DINOv3ViT:1': [
    0.271615, 0.503116, 0.535883, 0.623461, 0.415747, 0.593088, 0.549106, 0.313804, 0.44394, 0.559172, 0.687859,
    0.452203, 0.408843, 0.582623, 0.418627, 0.458776, 0.529825, 0.457451,
  ],
  'DINOv3ViT:3': [
    0.289119, 0.504926, 0.522114, 0.607396, 0.435135, 0.585997, 0.531099, 0.334078, 0.453251, 0.54967, 0.667681,
    0.470261, 0.41486, 0.56651, 0.415582, 0.480656, 0.513095, 0.444744,
  ],
  'DepthPro:3 RfDetr:3': [
    0.274707, 0.664951, 0.43019, 0.630376, 0.425245, 0.659207, 0.508211, 0.371201, 0.508274, 0.494549, 0.63076,
    0.492887, 0.341029, 0.579044, 0.36986, 0.573496, 0.334681, 0.385042,
  ],
  'Owlv2:0 Owlv2:1 Owlv2:3': [
    0.337849, 0.489439, 0.534968, 0.504754, 0.423102, 0.313057, 0.516309, 0.399132, 0.363551, 0.342838, 0.566369,
    0.463455, 0.401784, 0.589743, 0.461138, 0.424783, 0.312381, 0.232079,
  ],
  'ZoeDepth:3': [
    0, 0.803922, 0.607843, 0.984314, 0.788235, 0.588235, 0.203922, 0.007843, 0.811765, 0.188235, 0.996078, 0.796079,
    0.411765, 0.215686, 0.015686, 0.396078, 0.196078, 0,
  ],
};
test.each(Object.entries(made))('%s', (classes, numbers) => {
  for (const [type, filter] of pairs(classes)) {
    const config = { ...settings, resample: Number(filter), ...(type === 'ZoeDepth' && whole) };
    const { pixel_values: values } = imageProcessor(config, { className: type })(picture);
    expect([values.type, values.dims]).toEqual(['float32', [1, 3, 2, 3]]);
    const most = numbers.reduce((worst, number, i) => Math.max(worst, Math.abs(number - values.data[i])), 0);
    expect(most).toBeLessThan(tolerance);
  }
});

test('OWLv2 tells the filter that it has', () => {
  const steps = [];
  const processor = imageProcessor({ ...settings, resample: 3 }, { className: 'Owlv2' });
  processor(picture, { onStep: (step) => steps.push(step) });
  expect(processor.ignored).toEqual([]);
  expect(steps.find(({ name }) => name === 'resize')).toMatchObject({ filter: 'bilinear', width: 3, height: 2 });
});

test.each([
  ['the middle', [2, 3], 2, 2],
  ['more than there is', [9, 12], -2, -1],
])('DINOv3 crops what it has resized to %s', (_, crop, left, top) => {
  const [mean, std] = [
    [0.5, 0.25, 0.75],
    [0.5, 2, 0.25],
  ];
  const own = { size: [6, 8], image_mean: mean, image_std: std };
  const make = (config) => imageProcessor({ ...own, ...config }, { className: 'DINOv3ViT' })(picture).pixel_values.data;
  const [whole, cropped] = [make({}), make({ do_center_crop: true, crop_size: crop })];
  const expected = mean.flatMap((one, c) =>
    Array.from({ length: crop[0] * crop[1] }, (__, i) => {
      const [x, y] = [(i % crop[1]) + left, Math.floor(i / crop[1]) + top];
      return x >= 0 && y >= 0 && x < 8 && y < 6 ? whole[(c * 6 + y) * 8 + x] : Math.fround(-one / std[c]);
    }),
  );
  expect(cropped).toEqual(Float32Array.from(expected));
});

test('OWLv2 leaves bytes as they are without do_rescale', () => {
  const make = (config) =>
    imageProcessor({ ...settings, ...config }, { className: 'Owlv2' })(picture).pixel_values.data;
  const [bytes, numbers] = [make({ do_rescale: false }), make({})];
  expect(Math.max(...bytes.map((byte, i) => Math.abs(byte - numbers[i] * 255)))).toBeLessThan(tolerance * 255);
});
