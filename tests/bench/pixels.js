/** Times the pixels of bitmaps, files and cameras in Chromium and Firefox: see tests/engines/pixels-page.js. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePage } from '../engines/app.js';
import { launch, open } from '../engines/browsers.js';
import { serve } from '../engines/serve.js';
import { resultOf, ratioOf } from './contest.js';
import { median } from './measure.js';

/** Bars of Chromium. A graphics processor changes all of them: these are for browsers without one. */
const rows = {
  bitmap: { title: 'pixels of a bitmap of 1920x1080', against: 'canvas', must: 0.4, aim: 0.2 },
  blob: { title: 'JPEG of 1920x1080 to pixel_values of ViT', against: 'createImageBitmap', must: 1.45, aim: 1.3 },
  camera: { title: 'I420 frame of 1280x720 to 224x224', against: 'canvas', must: 0.4 },
};

/** Medians in milliseconds of a row in a browser. */
async function measureIn(start, url, row, rounds) {
  const browser = await start();
  try {
    const { page } = await open(browser, url);
    await page.waitForFunction(() => globalThis.measure);
    const { ours, base } = await page.evaluate(([name, count]) => globalThis.measure(name, count), [row, rounds]);
    return { ours: median(ours), base: median(base) };
  } finally {
    await browser.close();
  }
}

async function measure(row, { quick }) {
  const { title, against, must, aim } = rows[row];
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
  writePage(folder, 'tests/engines/pixels-page.js');
  const server = await serve(folder);
  const [times, ratios] = [{}, []];
  try {
    for (const [name, start] of Object.entries(launch)) {
      const { ours, base } = await measureIn(start, server.url, row, quick ? 10 : 50);
      Object.assign(times, { [`${name} onnx-layout`]: ours, [`${name} ${against}`]: base });
      ratios.push(ratioOf(name, against, ours / base, ...(name === 'Chromium' ? [must, aim] : [])));
    }
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
  return resultOf(title, times, ratios);
}

export const pixelChecks = Object.fromEntries(
  Object.keys(rows).map((row) => [`pixels-${row}`, (options) => measure(row, options)]),
);
