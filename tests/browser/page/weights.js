/** The weights panel. */
import { expect } from '@jest/globals';
import { convertModel, dequantizeWeights } from 'onnx-layout/convert';
import * as io from 'onnx-layout/io';
import {
  Entry,
  openSafetensors,
  readModel,
  saveModel,
  saveSafetensors,
  writeNpy,
  writeSafetensors,
} from 'onnx-layout/io';
import { sampleFile } from '../../../web/weights/samples.js';
import { showBytes } from '../../../web/shared/number-text.js';
import { choose, drop, dropAll, expectTexts, shows } from './controls.js';

const values = Float32Array.from({ length: 24 }, (_, i) => [0, NaN, -2, 0.5, 1, Infinity][i % 6]);
const upperHalves = Uint16Array.from(new Uint32Array(values.buffer), (word) => word >>> 16);
const tensors = new Map([
  ['layers.10.weight', { type: 'float32', data: values, dims: [4, 6] }],
  ['layers.2.weight', { type: 'bfloat16', data: upperHalves, dims: [24] }],
  ['layers.2.bias', { type: 'int64', data: BigInt64Array.of(3n, -1n), dims: [2] }],
  ['head', { type: 'complex64', data: Float32Array.of(1, 2), dims: [1] }],
]);
const term = (page, title) =>
  page.locator('#weights-values div', { has: page.getByText(title, { exact: true }) }).locator('dd');
const openTensor = (page, name) => page.locator(`#weights-tree [data-name="${name}"]`).click();

/**
 * Saves, and gives the bytes of the files. Where the browser has a picker, it gives files of the page's own file
 * system; otherwise the files are downloaded, of which Playwright's Firefox says nothing.
 */
async function saved(page, ...files) {
  await page.evaluate(() => {
    globalThis.showSaveFilePicker &&= async ({ suggestedName }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
    globalThis.showDirectoryPicker &&= () => navigator.storage.getDirectory();
    const made = new Map();
    URL.createObjectURL = (blob) => {
      const address = `blob:${made.size}`;
      made.set(address, blob);
      return address;
    };
    globalThis.downloaded = new Map();
    HTMLAnchorElement.prototype.click = function () {
      globalThis.downloaded.set(this.download, made.get(this.href));
    };
  });
  await page.locator('#weights-save').click();
  await shows(page, '#weights-saved', `${files.join(' and ')}: `);
  const read = (file) =>
    page.evaluate(async (file) => {
      const inside = async () => (await (await navigator.storage.getDirectory()).getFileHandle(file)).getFile();
      const blob = globalThis.downloaded.get(file) ?? (await inside());
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    }, file);
  const all = [];
  for (const file of files) all.push(Buffer.from(await read(file), 'base64'));
  return all;
}
async function bytesOf(file) {
  const parts = [];
  for await (const bytes of file) parts.push(bytes);
  return Buffer.concat(parts);
}

/** @type {import('./controls.js').PanelTests} */
export function testWeightsPanel(some, onPage) {
  some(
    'files of weights become a tree, and one of its tensors a histogram',
    onPage('?panel=weights', async (page) => {
      await shows(page, '#weights-read', 'All 128,000 values, 512 kB');
      const real = new Map([...tensors].filter(([name]) => name !== 'head'));
      await drop(page, writeSafetensors(real), 'small.safetensors', '');
      await shows(page, '#weights-about', 'small.safetensors');
      const labels = () => page.locator('#weights-tree .tree-label').allTextContents();
      expect(await labels()).toEqual(['layers.', '2.', 'bias', 'weight', '10.weight']);
      await expectTexts(page.locator('#weights-totals tbody tr'), ['float3212496 B', 'bfloat1612448 B', 'int641216 B']);
      await openTensor(page, 'layers.2.weight');
      await shows(page, '#weights-dims', 'bfloat16 [24]');
      await shows(page, '#weights-read', 'All 24 values, 48 B');
      for (const [title, text] of Object.entries({
        Least: '−2',
        Greatest: '1',
        Mean: '−0.125',
        Zero: '4 (16.7 %)',
        NaN: '4 (16.7 %)',
        Infinite: '4 (16.7 %)',
      }))
        expect([title, await term(page, title).textContent()]).toEqual([title, text]);
      const label = () => page.locator('#weights-histogram svg').getAttribute('aria-label');
      expect(await label()).toBe('Histogram of 49 bars from −2 to 1.0625, the highest of 4 values');
      await page.getByLabel('Logarithmic heights').check();
      expect(new URL(page.url()).search).toBe('?panel=weights&tensor=layers.2.weight&log=1');
      // The keyboard folds and chooses.
      await page.locator('#weights-tree summary', { hasText: '2.' }).press('Enter');
      expect(await page.locator('[data-name="layers.2.bias"]').isVisible()).toBe(false);
      await page.locator('[data-name="layers.10.weight"]').press('Enter');
      await shows(page, '#weights-dims', 'float32 [4, 6]');

      const ones = { type: 'uint8', data: Uint8Array.of(1, 1), dims: [2] };
      await drop(page, writeNpy(ones), 'ones.npy', '');
      await shows(page, '#weights-histogram', 'All finite numbers are 1.');
      await drop(page, writeNpy(tensors.get('head')), 'head.npy', '');
      await shows(page, '#weights-read', 'There is no histogram of complex64');
      await drop(page, Buffer.from('{"weight_map": 1}'), 'model.safetensors.index.json', '');
      await shows(page, '#weights-problem', 'openSafetensors: index must have a weight_map of strings');
      await drop(page, Buffer.from('x'), 'notes.txt', '');
      await shows(page, '#weights-problem', 'Choose a .safetensors, .onnx or .npy file, got notes.txt.');
    }),
  );

  some(
    'shards come with their index, and a model’s data may come later',
    onPage('?panel=weights&sample=wave.npy', async (page) => {
      await shows(page, '#weights-dims', 'float32 [256, 256]');
      const index = { weight_map: { 'layers.2.bias': 'a.safetensors', 'layers.10.weight': 'b.safetensors' } };
      const shards = Object.entries(index.weight_map).map(([name, file]) => {
        return [file, writeSafetensors(new Map([[name, tensors.get(name)]])), ''];
      });
      const indexFile = ['model.safetensors.index.json', Buffer.from(JSON.stringify(index)), ''];
      await dropAll(page, [indexFile, shards[0]]);
      await shows(page, '#weights-problem', 'b.safetensors is missing: choose or drop it too.');
      await dropAll(page, [shards[1]]);
      await shows(page, '#weights-about', 'in 3 files');
      await openTensor(page, 'layers.10.weight');
      await shows(page, '#weights-read', 'All 24 values, 96 B');
      await shows(page, '#weights-code', 'shard: (name) => files.get(name),');

      // Without an index, they are one model all the same.
      await dropAll(page, shards);
      await shows(page, '#weights-about', 'in 2 files');
      await shows(page, '#weights-code', 'for (const shard of shards)');
      await dropAll(page, [shards[0], ['copy.safetensors', shards[0][1], '']]);
      await shows(page, '#weights-problem', 'Two of the files have a tensor layers.2.bias.');

      // An empty graph.
      const model = Uint8Array.of(0x3a, 0);
      const weight = { type: 'float32', data: new Float32Array(1536), dims: [1536] };
      const made = await saveModel(model, new Map([['weight', weight]]), { externalName: 'weights.bin' });
      await drop(page, await bytesOf(made.model), 'model.onnx', '');
      await shows(page, '#weights-tensor-problem', 'weights.bin is missing: choose or drop it too.');
      await drop(page, await bytesOf(made.externalFile), 'weights.bin', '');
      await shows(page, '#weights-about', 'in 2 files');
      await shows(page, '#weights-read', 'All 1,536 values');
      const names = ['model.float16.onnx.data', 'model.float16.onnx'];
      await shows(page, '#weights-result', `${names[0]}, 3.07 kB; ${names[1]}`);
      const half = await saveModel(model, new Map([['weight', new Entry(weight).cast('float16')]]), {
        externalName: names[0],
      });
      expect(await saved(page, ...names)).toEqual([await bytesOf(half.externalFile), await bytesOf(half.model)]);
    }),
  );

  some(
    'weights are converted and saved as the package does',
    onPage('?panel=weights', async (page) => {
      await shows(page, '#weights-read', 'All 128,000 values');
      const real = new Map([...tensors].filter(([name]) => name !== 'head'));
      const file = writeSafetensors(real);
      await drop(page, file, 'small.safetensors', '');
      await page.locator('#weights-to').selectOption('float8e5m2');
      await shows(page, '#weights-result', 'small.float8e5m2.safetensors, ');
      const entries = await openSafetensors(file);
      const asked = new Map(
        [...entries].map(([name, entry]) => [name, entry.type === 'int64' ? entry : entry.cast('float8e5m2')]),
      );
      expect(await saved(page, 'small.float8e5m2.safetensors')).toEqual([await bytesOf(saveSafetensors(asked))]);
      await choose(page, 'File', 'npy');
      await openTensor(page, 'layers.2.bias');
      await shows(page, '#weights-result', 'layers.2.bias.npy');
      expect(await saved(page, 'layers.2.bias.npy')).toEqual([Buffer.from(writeNpy(tensors.get('layers.2.bias')))]);
      expect(new URL(page.url()).search).toBe('?panel=weights&tensor=layers.2.bias&to=float8e5m2&format=npy');
    }),
  );

  some(
    'a whole model is converted, with a report',
    onPage('?panel=weights&action=model&dtype=q4f16', async (page) => {
      await shows(page, '#weights-result', 'encoder_q4f16.onnx');
      const [bytes] = await saved(page, 'encoder_q4f16.onnx');
      const { nodes, initializers, inputs, outputs } = readModel(bytes);
      expect(nodes.filter(({ operator }) => operator === 'MatMulNBits').length).toBe(12);
      expect(new Set(Array.from(initializers.values(), ({ type }) => type))).toEqual(new Set(['uint8', 'float16']));
      expect([...inputs, ...outputs].map(({ type }) => type)).toEqual(['int64', 'float32']);
      await shows(page, '#weights-report', 'layers.1.mlp.down.weight');
      await shows(page, '#weights-code', "dtype: 'q4f16'");
      await page.locator('#weights-dtype').selectOption('fp16');
      await shows(page, '#weights-result', 'encoder_fp16.onnx');
      const [half] = await saved(page, 'encoder_fp16.onnx');
      const sample = await sampleFile('encoder.onnx', io);
      const { model } = convertModel(new Uint8Array(await sample.arrayBuffer()), { dtype: 'fp16' });
      expect(half.equals(model)).toBe(true);
    }),
  );

  some(
    'a model is quantized and dequantized, with reports',
    onPage('?panel=weights&action=quantize&bits=8&block=64&symmetric=1', async (page) => {
      await shows(page, '#weights-result', 'encoder.int8.onnx');
      const [bytes] = await saved(page, 'encoder.int8.onnx');
      const model = readModel(bytes);
      const packed = model.nodes.filter(({ operator }) => operator === 'MatMulNBits');
      expect(packed.length).toBe(12);
      expect(packed[0].attributes.get('bits')).toBe(8);
      await shows(page, '#weights-report', 'layers.1.mlp.down.weight');
      await shows(page, '#weights-code', 'quantizeWeightsAsync');
      await choose(page, 'Do', 'dequantize');
      await shows(page, '#weights-result', 'encoder.plain.onnx');
      await saved(page, 'encoder.plain.onnx');
      await shows(page, '#weights-report', 'No node of the model has such weights.');
      const plain = Buffer.from(dequantizeWeights(bytes).model);
      await drop(page, bytes, 'encoder.int8.onnx', '');
      await shows(page, '#weights-result', `encoder.int8.plain.onnx, ${showBytes(plain.length)}`);
      expect(await saved(page, 'encoder.int8.plain.onnx')).toEqual([plain]);
      await shows(page, '#weights-report', 'layers.1.mlp.down.weight_Q8');
      await shows(page, '#weights-code', 'dequantizeWeightsAsync(file);');
    }),
  );
}
