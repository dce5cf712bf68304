/** The pages that the documents show, in browsers, with the packed package and onnxruntime in the place of a CDN. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { programFolder } from '../docs/program-folder.js';
import { serve } from '../engines/serve.js';
import { installPacked, root } from '../support/packed.js';
import { inBrowsers } from './in-browsers.js';

const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-documents-'));
let server;

/** The page that a document shows. */
function pageOf(path) {
  const [, page] = /^```html\n(<!doctype html>.*?)^```$/ms.exec(readFileSync(join(root, path), 'utf8'));
  return page
    .replace(/https:\/\/cdn\S*\/onnx-layout@[\d.]+/, '/node_modules/onnx-layout/dist/onnx-layout.min.js')
    .replace(/https:\/\/cdn\S*\/onnxruntime-web@[\d.]+/, '/node_modules/onnxruntime-web');
}

const documents = ['README.md', 'web/docs/pages/guides/tutorial.md', 'web/docs/pages/guides/no-bundler.md'];

beforeAll(async () => {
  const { app } = installPacked(temporary);
  const runtime = join(app, 'node_modules/onnxruntime-web/dist');
  mkdirSync(runtime, { recursive: true });
  for (const file of ['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'])
    cpSync(join(root, 'node_modules/onnxruntime-web/dist', file), join(runtime, file));
  const files = await programFolder();
  cpSync(files, app, { recursive: true });
  rmSync(files, { recursive: true });
  for (const [i, path] of documents.entries()) writeFileSync(join(app, `${i}.html`), pageOf(path));
  server = await serve(app, { headers: {} });
}, 60_000);

afterAll(() => {
  server?.close();
  rmSync(temporary, { recursive: true });
});

inBrowsers((openPage) => {
  /** The text of a page's answer, once it has one. */
  async function answerOf(page) {
    const answer = page.locator('#answer:not(:empty)');
    await answer.waitFor({ timeout: 50_000 });
    return answer.textContent();
  }

  test.each([
    ['README.md', 0],
    ['the tutorial', 1],
  ])(
    '%s: a photograph becomes an answer',
    async (_, i) => {
      const { page, complaints } = await openPage(`${server.url}${i}.html`);
      // The page listens once the model is there.
      await page.waitForFunction(() => document.querySelector('#file').onchange !== null, undefined, {
        timeout: 50_000,
      });
      await page.setInputFiles('#file', join(root, 'tests/demo/photo.jpg'));
      expect(await answerOf(page)).toBe('class 2');
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    120_000,
  );

  test('without a bundler: one file', async () => {
    const { page, complaints } = await openPage(`${server.url}2.html`);
    expect(await answerOf(page)).toBe('[[1 4]\n [2 5]\n [3 6]]');
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 120_000);
});
