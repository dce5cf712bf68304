/** The operators' own tests in real browsers, from the packed package, under a strict policy. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { launch, open } from './engines/browsers.js';
import { bundleSuite } from './engines/bundle.js';
import { serve } from './engines/serve.js';
import { installPacked, root } from './packed.js';

const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
let servers;

beforeAll(async () => {
  const { app } = installPacked(temporary);
  bundleSuite('suite.js', join(app, 'suite.mjs'), '/node_modules/onnx-layout/js/index.js');
  for (const [from, to] of [['page.html', 'index.html'], ['page.js', 'page.js'], ['worker.js', 'worker.js']]) copyFileSync(join(root, 'tests/engines', from), join(app, to));
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
    ['a module worker of a cross-origin isolated page', 'isolated', '?worker'],
    ['a page that is not isolated', 'plain', ''],
  ])('the operators\' tests pass in %s', async (_, server, query) => {
    const { page, complaints } = await open(browser, servers[server].url + query);
    const { passed, failures } = await page.evaluate(() => globalThis.report);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(2500);
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(server === 'isolated');
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 300_000);
});
