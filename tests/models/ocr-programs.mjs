/** The documents' programs that read the text of a page, with the real models: in Node, and in Chromium by Vite. */
import { equal } from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open } from '../engines/browsers.js';
import { serve } from '../engines/serve.js';
import { example, fences } from '../support/examples.js';
import { installPacked, root, run } from '../support/packed.js';

const goldens = join(root, 'tests/goldens/models');
const picture = join(goldens, 'text.png');
const programs = {
  'index.html': fences(['html']).find(({ program }) => program.includes('text-reader.mjs')).program,
  'text-reader.mjs': example('// text-reader.mjs'),
  'ocr.mjs': example('// Prints the lines of text'),
};

/** @type {(models: string) => Promise<void>} `models` is the folder of RapidOCR's package */
export async function readByPrograms(models) {
  const expected = JSON.parse(readFileSync(join(goldens, 'ocr.json'), 'utf8')).texts.join('\n');
  const temporary = mkdtempSync(join(tmpdir(), 'onnx-layout-ocr-'));
  try {
    const { app } = installPacked(temporary);
    for (const name of ['onnxruntime-web', 'sharp'])
      symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
    for (const [name, program] of Object.entries(programs)) writeFileSync(join(app, name), program);
    copyModels(models, app);
    equal(run(process.execPath, ['ocr.mjs', picture], app), `${expected}\n`);
    run(process.execPath, [join(root, 'web/node_modules/vite/bin/vite.js'), 'build', '--target=es2022'], app);
    copyModels(models, join(app, 'dist'));
    equal(await readInChromium(join(app, 'dist')), expected);
    console.log('PP-OCR: the texts of ocr.mjs and of the page in Chromium are equal');
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** @type {(from: string, to: string) => void} */
function copyModels(from, to) {
  for (const name of ['PP-OCRv6_det_small.onnx', 'PP-OCRv6_rec_small.onnx'])
    copyFileSync(join(from, name), join(to, name));
}

/* global document -- the page's */
/** @type {(folder: string) => Promise<string | null>} the texts that the page shows */
async function readInChromium(folder) {
  const server = await serve(folder, { headers: {} });
  const browser = await launch.Chromium();
  try {
    const { page } = await open(browser, server.url);
    await page.waitForFunction(() => document.querySelector('input').onchange !== null);
    await page.setInputFiles('#file', picture);
    const result = page.locator('#result:not(:empty)');
    await result.waitFor();
    return await result.textContent();
  } finally {
    await browser.close();
    server.close();
  }
}
