/** The door of answers in browsers: the bytes of Node for a sample of the goldens. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writePage } from '../engines/app.js';
import { serve } from '../engines/serve.js';
import { answerTo } from '../postprocess/golden-calls.js';
import { readCases } from '../postprocess/goldens.js';
import { inBrowsers } from './in-browsers.js';

const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));

/** A case each of what is called, without what only its golden knows. */
const cases = Object.keys(answerTo).flatMap((file) => {
  const byCall = new Map(readCases(file).map((one) => [[one.class, one.method, one.options.task].join(), one]));
  return [...byCall.values()].map(({ expect: _, ...one }) => [file, one]);
});
let server;
let wanted;

beforeAll(async () => {
  writePage(folder, 'tests/browser/answers-page.js');
  server = await serve(folder);
  await import('./answers-page.js');
  wanted = await globalThis.answerRecords(cases);
});

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

inBrowsers((openPage) => {
  test('answers as Node does, to every kind of call', async () => {
    const { page, complaints } = await openPage(server.url);
    await page.waitForFunction(() => globalThis.answerRecords);
    const records = await page.evaluate((all) => globalThis.answerRecords(all), cases);
    records.forEach((record, i) => expect([cases[i][1].id, record]).toEqual([cases[i][1].id, wanted[i]]));
    expect(records.length).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
