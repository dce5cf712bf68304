/** The areas of resizing: a single column of the result fits into the scratch area, whatever the sizes. */
import { beforeAll, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { filterCode, mostPixels, ruleCode } from '../../js/engine/index.js';
import { scratch } from '../../js/engine/module.js';
import { areasFor, emitBytes } from '../../js/engine/resize-areas.js';

beforeAll(() => init());

const sides = [1, 2, 16, 300, 3000, 16384, 30000, mostPixels];

test.each(['pillow', 'double'])('sums in %s, from any size to any', (sums) => {
  const filter = filterCode('Lanczos');
  const axis = (extent, size) => ({ filter, extent, from: 0, to: extent, size, first: 0, count: size });
  let most = 0;
  for (const width of sides) {
    for (const height of sides) {
      const image = { channels: 4, width, height };
      const reduction = { factorX: 2, factorY: 2, left: 0, top: 0, right: width, bottom: height };
      for (const toWidth of sides) {
        for (const toHeight of sides) {
          const [columns, rows] = [axis(width, toWidth), axis(height, toHeight)];
          most = Math.max(most, areasFor({ image, sums, columns, rows }, 1).end);
          const halves = { columns: axis(Math.ceil(width / 2), toWidth), rows: axis(Math.ceil(height / 2), toHeight) };
          most = Math.max(most, areasFor({ image, sums, ...halves, reduction }, 1).end);
        }
      }
    }
  }
  expect(most).toBeGreaterThan(11e6);
  expect(most).toBeLessThanOrEqual(scratch.length - emitBytes);
});

test.each(['Linear', 'Lanczos4', 'Area'])("OpenCV's %s, from any size to any", (rule) => {
  const filter = ruleCode(rule);
  const axis = (extent, size) => {
    return { filter, extent, from: 0, to: extent, size, first: 0, count: size, factor: size / extent };
  };
  let most = 0;
  for (const channels of [1, 3, 4])
    for (const width of sides)
      for (const height of sides)
        for (const toWidth of sides)
          for (const toHeight of sides) {
            if (rule === 'Area' && (toWidth > width || toHeight > height)) continue;
            const [columns, rows] = [axis(width, toWidth), axis(height, toHeight)];
            const image = { channels, width, height };
            const areas = areasFor({ image, sums: 'opencv', columns, rows }, 1);
            most = Math.max(most, areas.end);
          }
  expect(most).toBeGreaterThan(2e6);
  expect(most).toBeLessThanOrEqual(scratch.length - emitBytes);
});
