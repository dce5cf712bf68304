/** Times the pixels of bitmaps, files and cameras in Chromium and Firefox: see tests/engines/pixels-page.js. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open } from '../engines/browsers.js';
import { serve } from '../engines/serve.js';

/** Bars of Chromium. A graphics processor changes all of them: these are for browsers without one. */
const rows = {
  bitmap: { title: 'pixels of a bitmap of 1920x1080', against: 'canvas', must: 0.4, aim: 0.2 },
  blob: { title: 'JPEG of 1920x1080 to pixel_values of ViT', against: 'createImageBitmap', must: 1.45, aim: 1.3 },
  camera: { title: 'I420 frame of 1280x720 to 224x224', against: 'canvas', must: 0.4 },
};

/** @returns {Promise<Record<string, { ours: number, base: number }>>} medians in milliseconds */
async function measureIn(start, url, rounds) {
  const browser = await start();
  try {
    const { page } = await open(browser, url);
    await page.waitForFunction(() => globalThis.measure);
    const results = {};
    for (const row of Object.keys(rows))
      results[row] = await page.evaluate(([name, count]) => globalThis.measure(name, count), [row, rounds]);
    return results;
  } finally {
    await browser.close();
  }
}

const bundle = ['tests/engines/pixels-page.js', '--bundle', '--format=esm', '--log-level=warning'];

async function measure({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
  const esbuild = join(import.meta.dirname, '../../node_modules/.bin/esbuild');
  const cwd = join(import.meta.dirname, '../..');
  spawnSync(esbuild, [...bundle, `--outfile=${join(folder, 'page.js')}`], { cwd, stdio: 'inherit' });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>\n<script type="module" src="page.js"></script>\n');
  const server = await serve(folder);
  try {
    const browsers = {};
    for (const [name, start] of Object.entries(launch))
      browsers[name] = await measureIn(start, server.url, quick ? 10 : 50);
    return browsers;
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

/** One run of both browsers serves all rows. */
let measured;
const checkOf = (row) => async (options) => {
  const { title, against, must, aim } = rows[row];
  measured ??= measure(options);
  const browsers = Object.entries(await measured);
  const times = Object.fromEntries(
    browsers.flatMap(
      ([
        name,
        {
          [row]: { ours, base },
        },
      ]) => [
        [`${name} onnx-layout`, ours],
        [`${name} ${against}`, base],
      ],
    ),
  );
  const ratios = browsers.map(
    ([
      name,
      {
        [row]: { ours, base },
      },
    ]) => {
      const bars = name === 'Chromium' ? { must, aim } : {};
      return { backend: name, against, ratio: ours / base, ...bars, pass: !bars.must || ours / base <= must };
    },
  );
  return { title, times, ratios, pass: ratios.every(({ pass }) => pass) };
};

export const pixelChecks = Object.fromEntries(Object.keys(rows).map((row) => [`pixels-${row}`, checkOf(row)]));
