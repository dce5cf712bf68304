/** Saves of the weights panel, without a browser: files that are written whole, and saves that are cancelled. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { Tensor } from 'onnx-layout';
import { readNpy, readSafetensors, writeSafetensors } from 'onnx-layout/io';
import { root } from '../../support/packed.js';

const length = 3_000_000;
let folder;
/** The panel's modules as Vite joins them: in web/ the package has no name of its own. */
let panel;

beforeAll(async () => {
  mkdirSync(join(root, 'build'), { recursive: true });
  folder = mkdtempSync(join(root, 'build/weights-'));
  const doors = { '': 'js/index.js', '/convert': 'js/convert/index.js', '/io': 'js/io/index.js' };
  const exports = [
    "export { init } from 'onnx-layout';",
    "export { save, stopSaving } from './web/weights/save.js';",
    "export { open } from './web/weights/work.js';",
  ];
  await build({
    stdin: { contents: exports.join('\n'), resolveDir: root },
    alias: Object.fromEntries(Object.entries(doors).map(([door, file]) => [`onnx-layout${door}`, join(root, file)])),
    outfile: join(folder, 'panel.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  panel = await import(join(folder, 'panel.mjs'));
  await panel.init();
  const weights = new Tensor('float32', new Float32Array(length).fill(1.5), [length]);
  const file = Object.assign(new Blob([writeSafetensors(new Map([['a/b', weights]]))]), { name: 'w.safetensors' });
  await panel.open('safetensors', [file], [file]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file as a picker makes it: empty until its stream is closed. */
function fakeHandle(onWrite = () => {}) {
  const file = { size: 0, bytes: undefined, isThere: true, isAborted: false };
  const written = [];
  const createWritable = async () => ({
    async write({ position, data }) {
      written.push([position, data.slice()]);
      onWrite();
    },
    async close() {
      file.bytes = new Uint8Array(Math.max(...written.map(([at, data]) => at + data.length)));
      for (const [at, data] of written) file.bytes.set(data, at);
      file.size = file.bytes.length;
    },
    abort: async () => void (file.isAborted = true),
  });
  return { file, createWritable, getFile: async () => file, remove: async () => void (file.isThere = false) };
}

const wanted = (format) => ({ action: 'convert', to: 'float16', format, tensor: 'a/b', quantize: {} });
const readers = { npy: readNpy, safetensors: (bytes) => readSafetensors(bytes).get('a/b') };

test.each(Object.keys(readers))('%s is written whole', async (format) => {
  const handle = fakeHandle();
  const { files } = await panel.save(wanted(format), [handle], () => {});
  expect(files[0].byteLength).toBe(handle.file.size);
  const { type, dims, data } = readers[format](handle.file.bytes);
  expect([type, dims, data.every((code) => code === 0x3e00)]).toEqual(['float16', [length], true]);
});

test.each(Object.keys(readers))('%s that is cancelled leaves nothing', async (format) => {
  const handle = fakeHandle(() => panel.stopSaving());
  await expect(panel.save(wanted(format), [handle], () => {})).rejects.toMatchObject({ name: 'AbortError' });
  expect(handle.file).toEqual({ size: 0, bytes: undefined, isThere: false, isAborted: true });
});
