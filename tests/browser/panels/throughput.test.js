/** The loops, the sums and the names of engines of the throughput panel, without a DOM. */
import { describe, expect, test } from '@jest/globals';
import { engineOf } from '../../../web/throughput/engine.js';
import { loopsFor } from '../../../web/throughput/loops.js';
import { short, showBytes } from '../../../web/shared/number-text.js';
import { quantile, summarize } from '../../../web/throughput/statistics.js';
import { bytesMoved, describe as describeWorkload, sizeOf, workloads } from '../../../web/throughput/workloads.js';
import { loop, lookups } from '../../bench/image-loops.js';
import { loopResize } from '../../bench/resize-loops.js';
import { presets, tensorOf } from '../../image/image.reference.js';
import { pillowResize } from '../../image/resizing/pillow-resize.reference.js';
import { transposeCodes } from '../../support/reference.js';
import { rows } from '../../support/tables.js';

describe('the loops that ours is measured against', () => {
  test.each(
    rows(`
    [6, 5, 3], [2, 0, 1]
    [2, 4, 5, 3], [0, 3, 1, 2]
    [1, 7, 3, 5], [0, 2, 3, 1]
    [1, 5, 3, 4], [0, 2, 1, 3]
    [37, 18], [1, 0]
    [3, 4, 5, 6], [3, 2, 1, 0]
  `),
  )('all give the transpose of %j by %j', (dims, perm) => {
    const source = Float32Array.from({ length: sizeOf(dims) }, (_, i) => i);
    const target = new Float32Array(source.length);
    const loops = loopsFor({ type: 'float32', dims, perm }, source, target);
    expect(loops.length).toBe(dims.at(-1) === 3 && dims.length > 2 ? 3 : 2);
    for (const loop of loops) {
      target.fill(-1);
      loop();
      expect([...target]).toEqual(transposeCodes([...source], dims, perm));
    }
  });

  test('all make the tensor of a picture', () => {
    const data = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i >> 2) * (2 * (i & 3) + 1));
    const expected = tensorOf([{ data, width: 64, height: 4, channels: 4 }], presets.imagenet);
    const target = new Float32Array(3 * 256);
    for (const run of [loop, lookups]) {
      target.fill(-1);
      run({ data, width: 64, height: 4 }, target);
      expect(target).toEqual(expected.data);
    }
  });

  test.each(
    rows(`
    [9, 11], [4, 5]
    [7, 5], [13, 6]
    [6, 40], [2, 3]
  `),
  )('the loop of resizing makes of %j to %j what Pillow does', (dims, size) => {
    const [height, width] = dims;
    const data = Uint8Array.from({ length: 3 * height * width }, (_, i) => (i % 7 ? (i * i * 83) % 256 : 255));
    const expected = pillowResize({ data, width, height, channels: 3 }, size[1], size[0], {
      filter: 'bicubic',
      premultiply: false,
    });
    const target = new Uint8Array(3 * sizeOf(size));
    const result = loopResize({ data, width, height, channels: 3 }, size[1], size[0], 'bicubic', target.fill(1));
    expect([result === target, target]).toEqual([true, expected.data]);
  });

  test('know the bytes that a workload moves', () => {
    expect(bytesMoved(workloads.resize)).toBe(3 * 1080 * 1920 + 3 * 224 * 224);
    expect(describeWorkload(workloads.resize)).toBe(
      'Photograph resized: 1920 × 1080 to 224 × 224, RGB, Pillow’s bicubic',
    );
    expect(bytesMoved(workloads.picture)).toBe(1080 * 1920 * (4 + 3 * 4));
    expect(describeWorkload(workloads.picture)).toBe('Picture to tensor: 1920 × 1080, RGBA to float32, ImageNet');
    expect(bytesMoved(workloads.photo)).toBe(2 * 1080 * 1920 * 3);
    expect(bytesMoved(workloads.matrix)).toBe(2 * 4 * 2048 ** 2);
    expect(describeWorkload(workloads.photo)).toBe('Photograph, HWC to CHW: uint8 [1080, 1920, 3], perm 2, 0, 1');
  });
});

test('samples are summed up by their median and 95th percentile', () => {
  const samples = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect([quantile(samples, 0.5), quantile(samples, 0.95), quantile(samples, 1), quantile([3], 0.5)]).toEqual([
    10, 19, 20, 3,
  ]);
  expect(summarize(samples, 5e6)).toEqual({ median: 10, p95: 19, gigabytes: 0.5, count: 20 });
  expect([0.012345, 1, 123456].map(short)).toEqual(['0.0123', '1', '123,000']);
  expect([0, 999, 1000, 14239897, 3.2e12].map(showBytes)).toEqual(['0 B', '999 B', '1 kB', '14.2 MB', '3,200 GB']);
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chromium 140 (V8)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge 140 (V8)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 (SpiderMonkey)'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Safari/605.1.15',
    'Safari 18.5 (JavaScriptCore)',
  ],
  ['something else', 'something else'],
])('engine of %s', (userAgent, engine) => expect(engineOf(userAgent)).toBe(engine));
