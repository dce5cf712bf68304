/** The operators' own tests in real browsers, from the packed package, under a strict policy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeApp } from './engines/app.js';
import { launch, open } from './engines/browsers.js';
import { serve } from './engines/serve.js';
import { installPacked } from './packed.js';

const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
let servers;

beforeAll(async () => {
  const { app } = installPacked(temporary);
  writeApp(app, '/node_modules/onnx-layout/js/index.js');
  servers = { isolated: await serve(app, { isolated: true }), plain: await serve(app) };
}, 60_000);

afterAll(() => {
  for (const server of Object.values(servers ?? {})) server.close();
  rmSync(temporary, { recursive: true });
});

describe.each(Object.keys(launch))('%s', (name) => {
  let browser;
  beforeAll(async () => { browser = await launch[name](); }, 60_000);
  afterAll(() => browser?.close());

  test.each([
    ['a module worker of a cross-origin isolated page', 'isolated', '?worker', 2500],
    ['a page that is not isolated', 'plain', '', 2500],
    ['a page with pictures', 'isolated', '?drawables', 20],
  ])('tests pass in %s', async (_, server, query, least) => {
    const { page, complaints } = await open(browser, servers[server].url + query);
    const { passed, failures } = await page.evaluate(() => globalThis.report);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(least);
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(server === 'isolated');
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 300_000);
});
