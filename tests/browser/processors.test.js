/** Image and video processors in browsers: transformers' own outputs, and the documents' programs of videos. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writePage } from '../engines/app.js';
import { serve } from '../engines/serve.js';
import { example } from '../support/examples.js';
import { hashOf, readClip, readGoldens, readPicture } from '../support/processor-goldens.js';
import { chooseSample } from '../support/sample.js';
import { inBrowsers } from './in-browsers.js';

const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
const configs = readGoldens('configs.json');

/** The first golden of each class with numbers of at most 4 MB, and all folders. */
const chosen = new Map();
for (const golden of readGoldens('index.json')) {
  const { kind, type, backend, outputs, tolerance, options, trimaps } = golden;
  if (!outputs || tolerance || trimaps || options?.prompt_images) continue;
  const size = Object.values(outputs)
    .flatMap((output) => output.list ?? output)
    .reduce((sum, { dims = [] }) => sum + dims.reduce((product, extent) => product * extent, 1), 0);
  const key = kind === 'load' ? golden.id : `${kind} ${type} ${backend}`;
  if (size < 1e6 && !chosen.has(key)) chosen.set(key, golden);
}

/** Writes an input's bytes, and says what they are. */
function inputOf(file) {
  if (Array.isArray(file)) return file.map(inputOf);
  const { data, ...shape } = file.endsWith('.gz') ? readClip(file) : readPicture(file);
  const url = `${hashOf(data)}.bin`;
  writeFileSync(join(folder, url), data);
  return { ...shape, url };
}

/** timm's file has another name. */
const nameOf = (config) => (config.pretrained_cfg ? 'config.json' : 'preprocessor_config.json');

/** An odd part, because the hash chooses the browser by halves, and each is to get all. */
const some = chooseSample([...chosen.values()], 5);
const cases = some.map(({ kind, of = kind, files, config, backend, images, videos, options }) => ({
  ...{ of, options, files: files ?? { [nameOf(configs[config])]: configs[config] } },
  backend: backend === 'default' ? undefined : backend,
  inputs: inputOf(images ?? (videos.length > 1 ? videos : videos[0])),
}));
/** A golden's record, without what helps to see where it differs. */
const plain = ({ list, dtype, dims, sha256, values }) =>
  list ? { list: list.map(plain) } : dtype ? { dtype, dims, sha256 } : { values };
const wanted = some.map(({ outputs }) =>
  Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, plain(output)])),
);
let server;

beforeAll(async () => {
  writePage(folder, 'tests/browser/processors-page.js');
  writeFileSync(join(folder, 'chunks.js'), example('// Some frames of encoded chunks'));
  writeFileSync(join(folder, 'element.js'), example('// The frames of a video element'));
  server = await serve(folder, { headers: {} });
});

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

inBrowsers((openPage) => {
  test('every class gives the bytes of transformers', async () => {
    const { page, complaints } = await openPage(server.url);
    await page.waitForFunction(() => globalThis.processorRecords);
    const records = await page.evaluate((all) => globalThis.processorRecords(all), cases);
    records.forEach((record, i) => expect([cases[i], record]).toEqual([cases[i], wanted[i]]));
    expect(chosen.size).toBe(314);
    expect(records.length).toBe(some.length);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('frames of WebCodecs and of an element that seeks', async () => {
    const { page } = await openPage(server.url);
    await page.waitForFunction(() => globalThis.levelsOfChunks);
    const frames = (levels) => levels.map((level) => Math.round((level + 30) / 40) - 1);
    expect(frames(await page.evaluate(() => globalThis.levelsOfChunks('./chunks.js')))).toEqual([0, 2, 4]);
    const levels = await page.evaluate(() => globalThis.levelsOfElement('./element.js', [0.4, 0.1, 0.2]));
    expect([levels, frames(levels)]).toEqual([levels, [4, 1, 2]]);
    await page.context().close();
  });
});
