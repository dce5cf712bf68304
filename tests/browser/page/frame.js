/** The frame of the page: tabs, the footer, licenses, the service worker, and what all panels together take from the
 * network. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { transpose } from 'onnx-layout';
import { launch } from '../../engines/browsers.js';
import { root } from '../../support/packed.js';
import { shows } from './controls.js';
import { count, result } from './lens.js';
import { startServer } from './server.js';

const hasReference = existsSync(join(root, 'build/api/index.html'));

/**
 * @param {(...args: any[]) => void} some declares a test of which a run takes every fifth
 * @param {import('./controls.js').OnPage} onPage
 * @param {(url: string) => Promise<{ page: any }>} openPage
 */
export function testFrame(some, onPage, openPage) {
  some(
    'tabs are walked through by the keyboard, and back',
    onPage('', async (page) => {
      const shown = async () => new URL(page.url()).searchParams.get('panel');
      await page.locator('#tab-image').focus();
      for (const panel of ['processor', 'audio', 'weights', 'throughput', 'lens', 'dtype']) {
        await page.keyboard.press('ArrowRight');
        await page.locator(`#panel-${panel} .card`).first().waitFor();
        expect(await shown()).toBe(panel);
      }
      await page.goBack();
      await page.locator('#panel-lens .card').first().waitFor();
      expect(await shown()).toBe('lens');
    }),
  );

  some(
    'the footer links the API reference if that was built',
    onPage('', async (page) => {
      const links = page.getByRole('link', { name: 'API reference' });
      expect(await links.count()).toBe(hasReference ? 1 : 0);
      if (!hasReference) return;
      const file = new URL(await links.getAttribute('href'), page.url());
      expect((await fetch(file)).status).toBe(200);
    }),
  );

  some('the page works when its server is gone', async () => {
    const own = await startServer();
    const { page } = await openPage(own.url);
    try {
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await shows(page, '#image-dims', 'float32 [1, 3, 224, 224]');
      await own.stop();
      await page.goto(`${own.url}?panel=lens&perm=0,2,1`);
      await result(page)
        .getByText(String(transpose(count, { perm: [0, 2, 1] })), { exact: true })
        .waitFor();
      await page.locator('#tab-dtype').click();
      await page.locator('#dtype-value').waitFor();
      if (!hasReference) return;
      await page.getByRole('link', { name: 'API reference' }).click();
      await page.getByRole('heading', { name: 'onnx-layout' }).first().waitFor();
    } finally {
      await page.context().close();
    }
  });
}

/** @param {() => string} urlOf the page, which is served only once tests run */
export function testNetwork(urlOf) {
  test('all seven panels together take less than 385 kB from the network', async () => {
    const browser = await launch.Chromium();
    try {
      const context = await browser.newContext({ serviceWorkers: 'block' });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const finished = [];
      page.on('requestfinished', (request) => finished.push(request));
      await page.goto(urlOf());
      await shows(page, '#image-dims', 'float32 [1, 3, 224, 224]');
      for (const panel of ['processor', 'audio', 'weights', 'throughput', 'lens', 'dtype']) {
        await page.locator(`#tab-${panel}`).click();
        await page.locator(`#panel-${panel} .card`).first().waitFor();
        if (panel === 'audio') await shows(page, '#audio-dims', 'float32 [1, 80, 3000]');
        if (panel === 'weights') await shows(page, '#weights-read', 'All 128,000 values');
      }
      const sizes = await Promise.all(finished.map((request) => request.sizes()));
      const bytes = sizes.reduce(
        (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
        0,
      );
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThan(396_000);
    } finally {
      await browser.close();
    }
  });
}

/** @param {() => string} urlOf the page, which is served only once tests run */
export function testLicenses(urlOf) {
  test('the licenses of all packages are beside the page, and the notices of protobuf in its bundle', async () => {
    const licenses = await (await fetch(new URL('licenses.txt', urlOf()))).text();
    const d3 = ['d3-color', 'd3-interpolate', 'd3-scale-chromatic'];
    const packages = ['@fontsource-variable/geist', '@huggingface/transformers', 'comlink', ...d3, 'uplot'];
    expect(licenses.match(/^# [@a-z].*/gm)).toEqual(packages.map((name) => `# ${name}`));
    for (const words of ['SIL OPEN FONT LICENSE', 'Apache License', 'Mike Bostock', 'Leon Sorokin'])
      expect(licenses).toContain(words);
    const assets = join(root, 'web/dist/assets');
    const bundles = readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8'));
    const [bundle, ...others] = bundles.filter((text) => text.includes('illegal tag: field no'));
    expect(others).toEqual([]);
    expect(bundle).toContain('Copyright 2008 Google Inc.');
    expect(bundle).toContain('Copyright 2021-2026 Buf Technologies, Inc.');
  });
}
