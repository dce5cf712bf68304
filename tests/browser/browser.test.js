/**
 * The smoke suite, what needs a page, and the documented page, in browsers: from the packed package, under a strict
 * policy.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { bundlePackage, bundleTests, esbuild, servedPath, writeApp } from '../engines/app.js';
import { launch, launchFirefoxOnDisplay } from '../engines/browsers.js';
import { serve } from '../engines/serve.js';
import { example } from '../support/examples.js';
import { openCvGoldensForPages } from '../support/opencv-goldens.js';
import { installPacked, run } from '../support/packed.js';
import { inBrowsers } from './in-browsers.js';

const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
let servers;

beforeAll(async () => {
  const { app } = installPacked(temporary);
  bundlePackage(app);
  bundlePackage(app, 'copy');
  writeApp(app, 'smoke.js', servedPath);
  for (const entry of ['pages.js', 'parallel-worker.js']) bundleTests(entry, join(app, entry), servedPath);
  writeFileSync(join(app, 'pages.html'), '<!doctype html>\n<script type="module" src="pages.js"></script>\n');
  writeGoldens(app);
  writeApp(join(app, 'pictures'), 'pictures.js', servedPath);
  writeExample(app);
  writeServiceWorker(app);
  servers = { isolated: await serve(app, { isolated: true }), plain: await serve(app) };
});

/** Writes a page that makes what OpenCV made, and the file that brings it. */
function writeGoldens(app) {
  bundleTests('opencv.js', join(app, 'opencv.js'), servedPath);
  writeFileSync(join(app, 'goldens.js'), `globalThis.openCv = ${JSON.stringify(openCvGoldensForPages())};\n`);
  writeFileSync(
    join(app, 'opencv.html'),
    '<!doctype html>\n<script src="goldens.js"></script>\n<script type="module" src="opencv.js"></script>\n',
  );
}

/** Bundles the documented page and worker into a folder of their own. */
function writeExample(app) {
  const folder = join(app, 'example');
  mkdirSync(folder);
  writeFileSync(join(folder, 'page.source.js'), example('// page.js'));
  writeFileSync(join(folder, 'worker.source.js'), example('// worker.js'));
  for (const name of ['page', 'worker'])
    run(
      esbuild,
      [`example/${name}.source.js`, '--bundle', '--format=esm', `--outfile=example/${name}.js`, '--log-level=warning'],
      app,
    );
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html>
<input type="file" id="file"><canvas id="canvas" width="224" height="224"></canvas>
<script type="module" src="page.js"></script>`,
  );
}

/** Bundles the documented service worker, and the part of its page, whose console shows in the title. */
function writeServiceWorker(app) {
  const folder = join(app, 'offline');
  mkdirSync(folder);
  const shown = 'console.log = (data) => { document.title = String(data); };';
  writeFileSync(join(folder, 'worker.source.js'), example('// service-worker.js'));
  writeFileSync(join(folder, 'main.js'), `${shown}\n${example('// main.js')}`);
  const options = ['--bundle', '--format=esm', '--outfile=offline/service-worker.js', '--log-level=warning'];
  run(esbuild, ['offline/worker.source.js', ...options], app);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>\n<script type="module" src="main.js"></script>\n');
}

afterAll(() => {
  for (const server of Object.values(servers ?? {})) server.close();
  rmSync(temporary, { recursive: true });
});

inBrowsers((openPage) => {
  test.each([
    ['a module worker of a cross-origin isolated page', 'isolated', '?worker', 200],
    ['a page that is not isolated', 'plain', '', 200],
    ['a page with pictures, workers and two copies', 'isolated', 'pages.html', 25],
    ['a page that makes what OpenCV made', 'plain', 'opencv.html', 464],
  ])('tests pass in %s', async (_, server, path, least) => {
    const { page, complaints } = await openPage(servers[server].url + path);
    const { passed, failures } = await page.evaluate(() => globalThis.report);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(least);
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(server === 'isolated');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("the documents' service worker answers its page", async () => {
    const { page, complaints } = await openPage(`${servers.plain.url}offline/`);
    await page.waitForFunction(() => document.title === '11878');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("the documents' page shows the tensor that its worker made of a picture", async () => {
    const picture = new PNG({ width: 224, height: 224 });
    for (let i = 0; i < picture.data.length; i++) picture.data[i] = i % 4 === 3 ? 255 : (i * i) >> 5;
    const { page, complaints } = await openPage(`${servers.plain.url}example/`);
    await page.setInputFiles('#file', { name: 'a.png', mimeType: 'image/png', buffer: PNG.sync.write(picture) });
    // Read from another canvas: Chromium warns of reading one that is shown.
    const digest = await page.evaluate(async () => {
      const context = new OffscreenCanvas(224, 224).getContext('2d', { willReadFrequently: true });
      let data = [];
      while (!data[3]) {
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
        context.drawImage(document.querySelector('canvas'), 0, 0);
        ({ data } = context.getImageData(0, 0, 224, 224));
      }
      return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', data)));
    });
    expect(digest).toEqual([...createHash('sha256').update(picture.data).digest()]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** Firefox has WebGL2 only where there is a display. */
const starts = {
  Chromium: launch.Chromium,
  Firefox: launchFirefoxOnDisplay,
  'Firefox without a display': launch.Firefox,
};

inBrowsers((openPage, name) => {
  const hasWebGL2 = name !== 'Firefox without a display';
  test.each([
    ['a page', '', hasWebGL2 ? 50 : 30],
    ['a worker', '?worker', hasWebGL2 ? 30 : 20],
  ])(`decodes files to the pixels of Pillow in %s, WebGL2: ${hasWebGL2}`, async (__, query, least) => {
    const { page, complaints } = await openPage(`${servers.plain.url}pictures/${query}`);
    const { passed, failures } = await page.evaluate(() => globalThis.report);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(least);
    expect(await page.evaluate(() => new OffscreenCanvas(1, 1).getContext('webgl2') !== null)).toBe(hasWebGL2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
}, starts);
