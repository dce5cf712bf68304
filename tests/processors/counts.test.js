/** How many patches an image or a video will give, against transformers' own counts: a prompt has as many places. */
import { describe, expect, test } from '@jest/globals';
import { imageProcessor, imageProcessorAsync, init, processorNames, videoProcessor } from 'onnx-layout/processors';
import { refuseUndeclared } from '../support/declared-settings.js';
import { goldenJson } from '../support/goldens.js';

await init();
refuseUndeclared();

const tables = goldenJson('prompts/index.json').filter(({ kind }) => kind.endsWith('_patches'));
const makers = { image_patches: imageProcessor, video_patches: videoProcessor };

describe.each(Object.keys(makers))('%s', (kind) => {
  test.each(tables.filter((table) => table.kind === kind).map((table) => [table.id, table]))('%s', (_, table) => {
    const processor = makers[kind](table.config);
    table.calls.forEach((sides, i) => {
      const count = () => processor[table.method](...sides, table.options);
      const { error } = table.results[i];
      if (error) expect(count).toThrow(/^(image|video)Processor get_num/);
      else expect([sides, count()]).toEqual([sides, table.results[i]]);
    });
  });
});

/** Classes whose outputs have a row for each patch, or a picture for each tile of a sample. */
const counted = processorNames.filter((name) => {
  if (!imageProcessor({}, { className: name }).get_number_of_image_patches) return false;
  const { image_grid_thw: rows, image_grid_hw: grids, pixel_values: values } = outputsOf(name, 60, 60);
  return rows ?? grids ?? values.dims.length === 5;
});

function outputsOf(name, height, width) {
  const picture = { data: new Uint8Array(3 * width * height), width, height };
  return imageProcessor({}, { className: name })(picture);
}

test.each(counted)('%s: the count of a picture is that of its outputs', (name) => {
  const processor = imageProcessor({}, { className: name });
  for (const [height, width] of [
    [150, 200],
    [233, 61],
    [28, 110],
  ]) {
    const { dims } = outputsOf(name, height, width).pixel_values;
    const count = [processor.get_number_of_image_patches(height, width)].flat();
    const made = dims.length === 5 ? count[0] : count.reduce((product, extent) => product * extent, 1);
    expect([height, width, made]).toEqual([height, width, dims.length === 5 ? dims[1] : dims[0]]);
  }
});

test("MuseGlimmer takes that of equally near grids which Python's set has first", () => {
  const muse = imageProcessor({ max_image_tokens: 17 }, { className: 'MuseGlimmerImageProcessor' });
  expect([muse.get_number_of_image_patches(76, 83), muse.get_number_of_image_patches(103, 102)]).toEqual([36, 64]);
});

test('there are 21 such classes', () => expect(counted.length).toBe(21));

test('a class that has no counts in Python has none, and both doors have those that it has', () => {
  expect(imageProcessor({ image_processor_type: 'Ovis2ImageProcessor' }).get_number_of_image_patches).toBeUndefined();
  const qwen = imageProcessorAsync({ image_processor_type: 'Qwen2VLImageProcessor' });
  expect(qwen.get_number_of_image_patches(584, 31)).toBe(84);
});

test('the PIL class of DeepSeek-OCR 2 takes the size of the whole for a tile', () => {
  const config = { image_processor_type: 'DeepseekOcr2ImageProcessor', size: { height: 400, width: 400 } };
  const [torch, pil] = ['torchvision', 'pil'].map((backend) => imageProcessor(config, { backend }));
  expect(torch.get_number_of_image_patches(600, 500)).toBe(1);
  expect(pil.get_number_of_image_patches(600, 500)).toBe(5);
});

test.each([
  [[300, 600], {}, 1, 3],
  [[300, 300], {}, 1, 5],
  [[300, 300], { min_patches: 1 }, 1, 1],
  [[2000, 1500], {}, 7, 7],
  [[2000, 1500], { min_patches: 1, max_patches: 1 }, 2, 1],
  [[2000, 1500], { crop_to_patches: false }, 1, 1],
])("DeepSeek-OCR 2 counts %j with %j by its backend's rules", (sides, settings, torch, pil) => {
  const config = { image_processor_type: 'DeepseekOcr2ImageProcessor', ...settings };
  const count = (backend) => imageProcessor(config, { backend }).get_number_of_image_patches(...sides);
  expect([count('torchvision'), count('pil')]).toEqual([torch, pil]);
});

test('Step3 shrinks a picture once, to max_image_size, whether that is below or above its default of 3024', () => {
  const counts = (config, ...sides) =>
    imageProcessor({ image_processor_type: 'Step3p7ImageProcessor', ...config }).get_number_of_image_patches(...sides);
  const small = { max_image_size: 1000, size: { height: 64, width: 64 }, patch_size: 40 };
  expect(counts(small, 273, 3062)).toBe(75); // 1000 x 89
  expect(counts(small, 518, 3062)).toBe(125); // 1000 x 169
  expect(counts({ max_image_size: 4000 }, 3300, 3300)).toBe(49); // 3528 x 3528
  expect(counts({ max_image_size: 64 }, 32, 3000)).toBe(0); // 0 x 64, where Python divides by zero
});

test('sides that are no whole numbers are refused', () => {
  const qwen = imageProcessor({ image_processor_type: 'Qwen2VLImageProcessor' });
  const message = 'imageProcessor get_number_of_image_patches: width must be a whole number from 1 on, got 1.5';
  expect(() => qwen.get_number_of_image_patches(5, 1.5)).toThrow(new RangeError(message));
  const other = 'imageProcessor get_number_of_image_patches: options must be an object, got 5';
  expect(() => qwen.get_number_of_image_patches(5, 5, 5)).toThrow(new TypeError(other));
});

test.each([
  ['NeoMME', { patch_size: 4, size: { min_pixels: 1, max_pixels: 100 } }, [1, 1000], [25, 48]],
  ['NeoMME', { patch_size: 4, size: { min_pixels: 1, max_pixels: 100 } }, [1000, 1], [25, 48]],
  ['GlmImage', { size: { shortest_edge: 64, longest_edge: 400 } }, [60, 60], [4, 1176]],
])('%s %j: a picture of %j keeps a side of one pixel or patch', (name, settings, [height, width], dims) => {
  const picture = { data: new Uint8Array(3 * width * height), width, height };
  const config = { ...settings, image_processor_type: `${name}ImageProcessor` };
  expect(imageProcessor(config)(picture).pixel_values.dims).toEqual(dims);
});
