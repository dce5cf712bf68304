/** Memory of processors: the result's comes before any work, and what they use beside it is bounded. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageProcessor, init } from 'onnx-layout/processors';
import { expectError } from '../support/assertions.js';

beforeAll(() => init());

describe('a result that no engine can hold is refused before a pixel is read', () => {
  const image = { data: new Uint8Array(3 * 64 * 64), width: 64, height: 64, channels: 3 };
  const side = 65536;
  const maxBytes = Infinity;

  test.each(['DINOv3ViT', 'DepthPro', 'Owlv2', 'RfDetr', 'ZoeDepth'])('%s', (type) => {
    const processor = imageProcessor({ size: { height: side, width: side } }, { className: type, maxBytes });
    const start = performance.now();
    const rule = `result must fit in memory, got ${3 * side * side} entries of Float32Array`;
    expectError(() => processor(image), RangeError, `imageProcessor: ${rule}`);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  const grid = { size: { height: 32768, width: 32768 }, max_image_size: { longest_edge: 512 } };

  test.each([
    ['Perceiver', { size: { height: side, width: side }, crop_size: 64 }, [image], 3 * side ** 2],
    ['Idefics3', grid, [image, image, image], 3 * 4097 * 3 * 512 ** 2],
  ])('%s, which makes pictures between', (type, settings, images, entries) => {
    const processor = imageProcessor(settings, { className: type, maxBytes });
    const start = performance.now();
    const rule = `result must fit in memory, got ${entries} entries of Float32Array`;
    expectError(() => processor(images), RangeError, `imageProcessor: ${rule}`);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test('a crop of DINOv3', () => {
    const settings = { size: 32, do_center_crop: true, crop_size: { height: 2, width: 2 ** 40 } };
    const rule = `result must fit in memory, got ${6 * 2 ** 40} entries of Float32Array`;
    const processor = imageProcessor(settings, { className: 'DINOv3ViT', maxBytes });
    expectError(() => processor(image), RangeError, `imageProcessor: ${rule}`);
  });
});

/** Measures a call in a process of its own. */
function measure(call, program = 'memory.process.js') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, program), JSON.stringify(call)],
    { encoding: 'utf8' },
  );
  expect([call[0], status, stderr]).toEqual([call[0], 0, '']);
  return JSON.parse(stdout);
}

test('a stream of 1.1 GB takes less than 300 MB, which wait to be collected', () => {
  const { used, dims } = measure(['stream'], 'videos/memory.process.js');
  expect(dims).toEqual([1, 400, 3, 8, 8]);
  expect(used).toBeLessThan(300);
});

test('pictures that are resized as floats take less than 64 MiB beside the input and the result', () => {
  // With whole pictures between the passes each took 98 MB or more.
  const calls = [
    ['DepthPro', {}, 8000, 6000],
    ['DINOv3ViT', { size: 1500 }, 6000, 6000],
    ['RfDetr', { size: 1500, do_pad: false }, 6000, 6000],
    ['ZoeDepth', { do_pad: false }, 8000, 12000],
    ['Owlv2', { do_pad: false }, 5000, 4000],
    // All rows of the source for each of the result.
    ['DINOv3ViT', { size: { height: 2, width: 400 } }, 30, 60000],
  ];
  for (const call of calls) {
    const { used, off } = measure(call);
    expect(used).toBeLessThan(64 * 2 ** 20);
    // Two rows are far from straight: what would lie beyond the edges is left out.
    expect(off).toBeLessThan(call[1].size?.height === 2 ? 13 : 2);
  }
});

test('results of which a part is made anew are not held twice', () => {
  const grid = [500, 1000, 5000];
  const calls = [
    // A gray picture, which its weights would change.
    ['SuperPoint', { do_grayscale: true, do_resize: false }, 3000, 4000, { backend: 'pil' }],
    // Four stacks of 11 tiles and one of 3.
    [
      'LlavaNext',
      { size: 500, crop_size: 500, image_grid_pinpoints: grid.map((width) => [500, width]) },
      5000,
      500,
      {
        more: [
          [5000, 500],
          [5000, 500],
          [5000, 500],
          [1000, 500],
        ],
      },
    ],
  ];
  for (const call of calls) {
    const { used, off } = measure(call);
    expect([call[0], used < 40 * 2 ** 20 || used]).toEqual([call[0], true]);
    expect(off).toBeLessThan(2);
  }
});
