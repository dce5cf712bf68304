/** The documents' table of what each door costs, with the wasm's text in a bundle and without. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root, run } from '../support/packed.js';

const condition = 'onnx-layout-external-wasm';
const page = readFileSync(join(root, 'web/docs/pages/guides/vite.md'), 'utf8');
const rows = Array.from(
  page.matchAll(/^\| (?:`(\{.*\})` of )?`(onnx-layout\S*)` \| (\d+) \| (\d+) \| ([\w, ]+) \|$/gm),
  ([, names, door, ...cells]) => ({ lines: `export ${names ?? '*'} from '${door}';\n`, cells }),
);
/** Inside of the repository, so that the package finds itself by its name. */
const folder = mkdtempSync(join(root, 'build/sizes-'));
const kilobytes = (bytes) => gzipSync(bytes, { level: 9 }).length / 1000;
const bundles = (kind) => rows.map((row, i) => readFileSync(join(folder, kind, `${i}.js`)));

beforeAll(() => {
  const entries = rows.map(({ lines }, i) => {
    writeFileSync(join(folder, `${i}.mjs`), lines);
    return join(folder, `${i}.mjs`);
  });
  const options = ['--bundle', '--minify', '--format=esm', '--log-level=warning'];
  const bundle = (kind, ...more) =>
    run(join(root, 'node_modules/.bin/esbuild'), [...entries, ...options, `--outdir=${join(folder, kind)}`, ...more]);
  bundle('whole');
  bundle('bare', `--conditions=${condition}`);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('the table has all doors for browsers', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isForPages = (door) => exports[door].default && !['./node', './transformers'].includes(door);
  const doors = Object.keys(exports).filter(isForPages);
  const lines = doors.map((door) => `export * from '${door.replace('.', 'onnx-layout')}';\n`);
  expect(rows.map((row) => row.lines)).toEqual(expect.arrayContaining(lines));
});

test("the table's figures are a tenth or 1 kB away from the bundles at most", () => {
  const real = bundles('whole').map((bytes, i) => [bytes, bundles('bare')[i]].map(kilobytes));
  const isNear = (stated, size) => Math.abs(stated - size) <= Math.max(1, size / 10);
  const far = rows.filter(({ cells }, i) => !real[i].every((size, k) => isNear(Number(cells[k]), size)));
  expect([far, far.map((row) => real[rows.indexOf(row)])]).toEqual([[], []]);
});

test('the page states what the entry point of transformers.js loads at first, and what it loads later', () => {
  const entry = join(folder, 'transformers.mjs');
  writeFileSync(entry, "export * from 'onnx-layout/transformers';\n");
  const metafile = join(folder, 'split.json');
  const options = ['--bundle', '--minify', '--format=esm', '--splitting', '--log-level=warning'];
  const outputOptions = [`--outdir=${join(folder, 'split')}`, `--metafile=${metafile}`];
  run(join(root, 'node_modules/.bin/esbuild'), [entry, ...options, ...outputOptions]);
  const { outputs } = JSON.parse(readFileSync(metafile, 'utf8'));
  /** A file and all that it imports. */
  const loadedWith = (file) => [
    file,
    ...outputs[file].imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? loadedWith(path) : [])),
  ];
  const fileOf = (source) => Object.keys(outputs).find((file) => outputs[file].entryPoint?.endsWith(source));
  const atFirst = new Set(loadedWith(fileOf('transformers.mjs')));
  const later = ['results', 'sounds', 'videos'].map((name) =>
    loadedWith(fileOf(`js/transformers/${name}.js`)).filter((file) => !atFirst.has(file)),
  );
  const sizes = [[...atFirst], ...later].map((files) =>
    files.reduce((sum, file) => sum + kilobytes(readFileSync(join(root, file))), 0),
  );
  const sentence =
    /starts with (\d+) kB.* loads (\d+) kB more for boxes.* (\d+) kB for sounds and (\d+) kB for videos/s;
  const stated = sentence.exec(page).slice(1).map(Number);
  expect([stated, stated.filter((size, i) => Math.abs(size - sizes[i]) > Math.max(1, size / 50)), sizes]).toEqual([
    stated,
    [],
    sizes,
  ]);
});

test('a bundle has the texts of the wasm that it runs, and none under the condition', () => {
  const texts = { layout: 'wasm', image: 'image-wasm', audio: 'audio-wasm', postprocess: 'postprocess-wasm' };
  const starts = Object.entries(texts).map(([name, file]) => [
    name,
    /'(.{512})/.exec(readFileSync(join(root, `dist/${file}.js`), 'utf8'))[1],
  ]);
  const found = (bytes) => starts.flatMap(([name, start]) => (bytes.includes(start) ? [name] : []));
  expect(bundles('whole').map((bytes) => found(bytes).join(', ') || 'none')).toEqual(rows.map(({ cells }) => cells[2]));
  expect(bundles('bare').flatMap(found)).toEqual([]);
});

test('the page of files without a bundler states their sizes', () => {
  const guide = readFileSync(join(root, 'web/docs/pages/guides/no-bundler.md'), 'utf8');
  const files = Array.from(guide.matchAll(/^\| `(\S+\.min\.js)` \| .* \| (\d+) \|$/gm), ([, file, size]) => [
    file,
    size,
  ]);
  expect(files.map(([file]) => file)).toEqual(
    readdirSync(join(root, 'dist'))
      .filter((name) => name.endsWith('.min.js'))
      .reverse(),
  );
  const far = files.filter(
    ([file, size]) => Math.abs(kilobytes(readFileSync(join(root, 'dist', file))) - size) > size / 50,
  );
  expect(far).toEqual([]);
});

test('the page states the sizes of the files', () => {
  const sentence = ['layout', 'image', 'audio', 'postprocess'].map((name) =>
    Math.round(kilobytes(readFileSync(join(root, `dist/${name}.wasm`)))),
  );
  const stated = /`layout.wasm` has (\d+) kB, `image.wasm` (\d+), `audio.wasm` (\d+) and `postprocess.wasm` (\d+)/
    .exec(page)
    .slice(1);
  expect(stated.map(Number).map((size, i) => Math.abs(size - sentence[i]) <= 1)).toEqual([true, true, true, true]);
});
