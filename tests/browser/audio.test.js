/** The audio door in browsers: the bytes of Node for every class, and a stream in an AudioWorklet. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { classes } from '../audio/golden-cases.js';
import { bundle, writePage } from '../engines/app.js';
import { serve } from '../engines/serve.js';
import { root } from '../support/packed.js';
import { inBrowsers } from './in-browsers.js';

const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self'",
};
const jobs = Object.entries(classes.audio)
  .filter(([, { status }]) => status.startsWith('goldens'))
  // CLAP's places are drawn at random only in longer audio.
  .map(([name, { settings }]) => [name, settings.sampling_rate]);
let server;
let wanted;

beforeAll(async () => {
  writePage(folder, 'tests/engines/audio-page.js');
  bundle('tests/engines/audio-worklet.js', join(folder, 'worklet.js'));
  copyFileSync(join(root, 'dist/audio.wasm'), join(folder, 'audio.wasm'));
  server = await serve(folder, { headers });
  await import('../engines/audio-page.js');
  wanted = await globalThis.digests(jobs);
});

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

inBrowsers((openPage) => {
  test('makes the bytes of Node, of every class and every filter', async () => {
    const { page, complaints } = await openPage(server.url);
    await page.waitForFunction(() => globalThis.digests);
    expect(await page.evaluate((all) => globalThis.digests(all), jobs)).toEqual(wanted);
    expect(Object.keys(wanted).length).toBeGreaterThan(60);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('runs a stream in an AudioWorklet from a compiled module', async () => {
    const { page, complaints } = await openPage(server.url);
    await page.waitForFunction(() => globalThis.runWorklet);
    const result = await page.evaluate(() => globalThis.runWorklet());
    expect(result).toEqual({ missing: expect.any(Array), dims: [1, 80, 100], isEqual: true });
    expect(result.missing).toEqual(expect.arrayContaining(['atob', 'fetch', 'performance']));
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
