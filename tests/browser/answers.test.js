/** The door of answers in browsers: the bytes of Node for a sample of the goldens. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { esbuild } from '../engines/app.js';
import { launch, open } from '../engines/browsers.js';
import { serve } from '../engines/serve.js';
import { answerTo } from '../postprocess/golden-calls.js';
import { readCases } from '../postprocess/goldens.js';
import { root, run } from '../support/packed.js';

const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));

/** A case each of what is called, without what only its golden knows. */
const cases = Object.keys(answerTo).flatMap((file) => {
  const byCall = new Map(readCases(file).map((one) => [[one.class, one.method, one.options.task].join(), one]));
  return [...byCall.values()].map(({ expect: _, ...one }) => [file, one]);
});
let server;
let wanted;

beforeAll(async () => {
  const out = `--outfile=${join(folder, 'page.js')}`;
  run(esbuild, ['tests/browser/answers-page.js', '--bundle', '--format=esm', out], root);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>\n<script type="module" src="page.js"></script>\n');
  server = await serve(folder);
  await import('./answers-page.js');
  wanted = await globalThis.answerRecords(cases);
}, 60_000);

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

describe.each(Object.keys(launch))('%s', (name) => {
  let browser;
  beforeAll(async () => {
    browser = await launch[name]();
  }, 60_000);
  afterAll(() => browser?.close());

  test('answers as Node does, to every kind of call', async () => {
    const { page, complaints } = await open(browser, server.url);
    await page.waitForFunction(() => globalThis.answerRecords);
    const records = await page.evaluate((all) => globalThis.answerRecords(all), cases);
    records.forEach((record, i) => expect([cases[i][1].id, record]).toEqual([cases[i][1].id, wanted[i]]));
    expect(records.length).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 120_000);
});
