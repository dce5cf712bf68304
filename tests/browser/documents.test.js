/** The pages that the documents show, in browsers, with the packed package and onnxruntime in the place of a CDN. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { programFolder } from '../docs/program-folder.js';
import { serve } from '../engines/serve.js';
import { example, fences } from '../support/examples.js';
import { installPacked, root, run } from '../support/packed.js';
import { inBrowsers } from './in-browsers.js';

const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-documents-'));
let server;
let assets;
let app;

/** A page that a document shows: its path, and the page's place in it. */
function pageOf([path, place]) {
  const page = fences(['html']).filter((fence) => fence.path === path)[place].program;
  return page
    .replace(/https:\/\/cdn\S*\/onnx-layout@[\d.]+\//, '/node_modules/onnx-layout/')
    .replace(/https:\/\/cdn\S*\/onnx-layout@[\d.]+/, '/node_modules/onnx-layout/dist/onnx-layout.min.js')
    .replace(/https:\/\/cdn\S*\/onnxruntime-web@[\d.]+/, '/node_modules/onnxruntime-web');
}

/** A program of TypeScript. @type {(start: string) => string} */
const typed = (start) => fences(['ts']).find(({ program }) => program.startsWith(start)).program;

/** The guides' programs that Vite builds, each with a page that uses them. */
const viteApps = {
  yolo: { 'index.html': pageOf(['web/docs/pages/guides/jobs.md', 0]) },
  ocr: {
    'index.html': pageOf(['web/docs/pages/guides/jobs.md', 1]),
    'text-reader.mjs': example('// text-reader.mjs'),
  },
  condition: {
    'vite.config.ts': typed('// vite.config.ts'),
    'main.ts': `${typed('// main.ts')}
import { Tensor, transpose } from 'onnx-layout';
document.querySelector('#result').textContent = String(transpose(Tensor.from('int8', [1, 2, 3, 4, 5, 6], [2, 3])));`,
  },
  workers: {
    'batches.js': example('// batches.js'),
    'batch-worker.js': example('// batch-worker.js'),
    'main.ts': `import { imageProcessor, init } from 'onnx-layout/processors';
import { preprocess } from './batches.js';
await init();
const config = { image_processor_type: 'ViTImageProcessor', size: { height: 6, width: 8 } };
const images = Array.from({ length: 7 }, (_, i) => {
  const data = Uint8ClampedArray.from({ length: 4 * 20 * 10 }, (_, k) => (k % 4 === 3 ? 255 : (k * (i + 3)) % 251));
  return new ImageData(data, 20, 10);
});
const bitmap = await createImageBitmap(images[1]);
const made = new Float32Array(7 * 3 * 6 * 8);
const keep = (from, { pixel_values: { data } }) => made.set(data, from * 3 * 6 * 8);
await preprocess([images[0], bitmap, ...images.slice(2)], config, keep, { batch: 3, jobs: 2 });
const { data } = imageProcessor(config)(images).pixel_values;
const isEqual = data.every((value, i) => value === made[i]);
document.querySelector('#result').textContent = \`equal: \${isEqual}, moved: \${bitmap.width === 0}\`;`,
  },
};

/** Builds a folder beside the installed package. */
function buildByVite(app, [name, files]) {
  const page = '<!doctype html>\n<p id="result"></p>\n<script type="module" src="/main.ts"></script>\n';
  mkdirSync(join(app, name));
  for (const [file, text] of Object.entries({ 'index.html': page, ...files }))
    writeFileSync(join(app, name, file), text);
  const vite = join(root, 'web/node_modules/vite/bin/vite.js');
  const target = ['--base=./', '--target=es2022', '--logLevel=warn'];
  expect(run(process.execPath, [vite, 'build', ...target], join(app, name))).toBe('');
}

const documents = [
  ['README.md', 0],
  ['web/docs/pages/guides/tutorial.md', 0],
  ['web/docs/pages/guides/no-bundler.md', 0],
  ['web/docs/pages/guides/no-bundler.md', 1],
];

beforeAll(async () => {
  ({ app } = installPacked(temporary));
  symlinkSync(join(root, 'node_modules/onnxruntime-web'), join(app, 'node_modules/onnxruntime-web'));
  const files = await programFolder();
  cpSync(files, app, { recursive: true });
  rmSync(files, { recursive: true });
  for (const [i, place] of documents.entries()) writeFileSync(join(app, `${i}.html`), pageOf(place));
  symlinkSync(join(root, 'web/node_modules/vite'), join(app, 'node_modules/vite'));
  for (const viteApp of Object.entries(viteApps)) buildByVite(app, viteApp);
  for (const file of readdirSync(app).filter((name) => name.endsWith('.onnx')))
    for (const name of ['yolo', 'ocr']) cpSync(join(app, file), join(app, name, 'dist', file));
  assets = join(app, 'condition/dist/assets');
  server = await serve(app, { headers: {} });
});

afterAll(() => {
  server?.close();
  rmSync(temporary, { recursive: true });
});

inBrowsers((openPage) => {
  /** The text of a page's result, once it has one. */
  async function resultOf(page) {
    const result = page.locator('#result:not(:empty)');
    await result.waitFor();
    return result.textContent();
  }

  test.each([
    ['README.md', 0],
    ['the tutorial', 1],
  ])('%s: a photograph becomes its class', async (_, i) => {
    const { page, complaints } = await openPage(`${server.url}${i}.html`);
    // The page listens once the model is there.
    await page.waitForFunction(() => document.querySelector('#file').onchange !== null);
    await page.setInputFiles('#file', join(root, 'tests/demo/photo.jpg'));
    expect(await resultOf(page)).toBe('class 2');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['the condition of the wasm as a file', 'condition', '[[1 4]\n [2 5]\n [3 6]]'],
    ['batches in workers', 'workers', 'equal: true, moved: true'],
  ])('Vite: %s', async (_, name, result) => {
    const { page, complaints } = await openPage(`${server.url}${name}/dist/`);
    expect(await resultOf(page)).toBe(result);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  /** Opens a page of the guides' whole programs, and gives it a picture. Chromium warns where no GPU is. */
  async function openJob(name, picture) {
    const { page, complaints } = await openPage(`${server.url}${name}/dist/`);
    await page.waitForFunction(() => document.querySelector('#file').onchange !== null);
    await page.setInputFiles('#file', join(app, picture));
    const ended = async () => {
      expect(complaints.filter((line) => line !== 'warning: No available adapters.')).toEqual([]);
      await page.context().close();
    };
    return { page, ended };
  }

  test('Vite: YOLO draws its boxes', async () => {
    const { page, ended } = await openJob('yolo', 'scene.png');
    // The scene has three colors. Chromium warns where a canvas itself is read often.
    await page.waitForFunction(() => {
      const canvas = document.querySelector('canvas');
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return canvas.width === 320 && new Set(new Uint32Array(data.buffer)).size > 3;
    });
    await ended();
  });

  test('Vite: the text of a page', async () => {
    const { page, ended } = await openJob('ocr', 'text.png');
    expect(await resultOf(page)).toBe('a a');
    await ended();
  });

  test('without a bundler: YOLO of two files', async () => {
    const { page, complaints } = await openPage(`${server.url}3.html`);
    await page.waitForFunction(() => document.querySelector('#file').onchange !== null);
    await page.setInputFiles('#file', join(app, 'scene.png'));
    expect(await resultOf(page)).toBe('[2 0]');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('without a bundler: one file', async () => {
    const { page, complaints } = await openPage(`${server.url}2.html`);
    expect(await resultOf(page)).toBe('[[1 4]\n [2 5]\n [3 6]]');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test('Vite leaves the text of the wasm out under the condition', () => {
  const size = (extension) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(extension))
      .reduce((sum, name) => sum + readFileSync(join(assets, name)).length, 0);
  expect(size('.wasm')).toBe(readFileSync(join(root, 'dist/layout.wasm')).length);
  expect(size('.js')).toBeLessThan(size('.wasm'));
});
