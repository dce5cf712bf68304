/** How many patches an image or a video will give, against transformers' own counts: a prompt has as many places. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { imageProcessor, imageProcessorAsync, videoProcessor } from 'onnx-layout/processors';
import { goldenJson } from '../support/goldens.js';
import { notBuilt } from './not-built.js';

beforeAll(() => init());

const tables = goldenJson('prompts/index.json').filter(
  ({ kind, class: name }) => kind.endsWith('_patches') && !notBuilt.includes(name),
);
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

test('sides that are no whole numbers are refused', () => {
  const qwen = imageProcessor({ image_processor_type: 'Qwen2VLImageProcessor' });
  const message = 'imageProcessor get_number_of_image_patches: width must be a whole number from 1 on, got 1.5';
  expect(() => qwen.get_number_of_image_patches(5, 1.5)).toThrow(new RangeError(message));
  const other = 'imageProcessor get_number_of_image_patches: options must be an object, got 5';
  expect(() => qwen.get_number_of_image_patches(5, 5, 5)).toThrow(new TypeError(other));
});
