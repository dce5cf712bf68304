/** The samples of the weights panel, without a DOM. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes } from 'onnx-layout';
import { init } from 'onnx-layout/image';
import * as convert from 'onnx-layout/convert';
import * as io from 'onnx-layout/io';
import { asStored, formatsOf, isFloat, targetTypes } from '../../../web/weights/cast.js';
import { codeFor as codeForWeights } from '../../../web/weights/code.js';
import { sampleNames } from '../../../web/weights/files.js';
import { sampleFile } from '../../../web/weights/samples.js';

describe('the samples of weights', () => {
  beforeAll(() => init());
  const files = {};
  beforeAll(async () => {
    for (const name of sampleNames) files[name] = await sampleFile(name, io);
  });

  test('are files of their formats, the same ones each time', async () => {
    const again = await sampleFile('encoder.onnx', io);
    expect(hash(await again.arrayBuffer())).toBe(hash(await files['encoder.onnx'].arrayBuffer()));
    const { nodes, initializers, opsets, inputs, outputs } = await io.openModel(files['encoder.onnx']);
    expect([nodes.length, initializers.size, opsets.get('')]).toEqual([27, 13, 21]);
    expect([...inputs, ...outputs].map(({ type, dims }) => [type, ...dims])).toEqual([
      ['int64', 'batch', 'tokens'],
      ['float32', 'batch', 'tokens', 128],
    ]);
    // Each input of a node is an output of one before it, an initializer or the model's input.
    const known = new Set(['ids', ...initializers.keys()]);
    for (const { name, inputs: given, outputs: made } of nodes) {
      expect([name, given.filter((input) => !known.has(input))]).toEqual([name, []]);
      made.forEach((output) => known.add(output));
    }
    const entries = await io.openSafetensors(files['mixed.safetensors']);
    expect(new Set([...entries.values()].map(({ type }) => type)).size).toBe(5);
    expect((await io.openNpy(files['wave.npy'])).dims).toEqual([256, 256]);
  });

  test('the model’s weights can be quantized', async () => {
    const { report } = convert.quantizeWeights(new Uint8Array(await files['encoder.onnx'].arrayBuffer()), {});
    expect(report.filter(({ packed }) => packed).length).toBe(12);
    expect(report.filter(({ packed }) => !packed).length).toBe(4);
  });

  /** Jest takes 20 s to compare 2 MB. */
  const hash = (bytes) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex');

  /** Runs the program that is shown, with the package and a picker that keeps what is written. */
  async function run(source, file, others, isHashed = true, shards = []) {
    const written = new Map();
    const picker = async ({ suggestedName }) => {
      const parts = [];
      const write = async ({ type, position, data }) => parts.push([type, position, Uint8Array.from(data)]);
      const close = async () => {
        const bytes = new Uint8Array(Math.max(0, ...parts.map(([, at, { length }]) => at + length)));
        for (const [type, at, data] of parts) {
          expect(type).toBe('write');
          bytes.set(data, at);
        }
        written.set(suggestedName, isHashed ? hash(bytes) : bytes);
      };
      return { createWritable: async () => ({ write, close }) };
    };
    const AsyncFunction = (async () => {}).constructor;
    const body = source.replaceAll(/^import .*\n/gm, '');
    const names = /import \{ (.*) \} from 'onnx-layout\/(?:io|convert)'/.exec(source)[1].split(', ');
    await new AsyncFunction('init', 'file', 'files', 'shards', 'showSaveFilePicker', 'console', ...names, body)(
      init,
      file,
      others,
      shards,
      picker,
      { table: (report) => written.set('report', report) },
      ...names.map((name) => io[name] ?? convert[name]),
    );
    return written;
  }
  const wanted = (format, to, tensor = '') => ({ action: 'convert', format, to, tensor });
  async function hashOf(saved) {
    const parts = [];
    for await (const bytes of saved) parts.push(bytes);
    return hash(await new Blob(parts).arrayBuffer());
  }
  const castAll = (entries) =>
    new Map([...entries].map(([name, entry]) => [name, isFloat.test(entry.type) ? entry.cast('bfloat16') : entry]));

  test('the program for a safetensors file writes it', async () => {
    const file = files['mixed.safetensors'];
    const code = codeForWeights({ format: 'safetensors', isSplit: false }, wanted('safetensors', 'bfloat16'), [
      { name: "it's.safetensors" },
    ]);
    const written = await run(code, file);
    const expected = await hashOf(io.saveSafetensors(castAll(await io.openSafetensors(file))));
    expect(written).toEqual(new Map([["it's.safetensors", expected]]));
    expect(code.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('the program for a model writes it and its data', async () => {
    const file = files['encoder.onnx'];
    const { bytes, initializers } = await io.openModel(file);
    const one = await run(
      codeForWeights({ format: 'onnx', isSplit: false }, wanted('onnx', asStored), [{ name: 'a.onnx' }]),
      file,
    );
    expect(one).toEqual(new Map([['a.onnx', await hashOf((await io.saveModel(bytes, initializers)).model)]]));
    const two = await run(
      codeForWeights({ format: 'onnx', isSplit: true }, wanted('onnx', 'bfloat16'), [
        { name: 'a.onnx.data' },
        { name: 'a.onnx' },
      ]),
      file,
      new Map(),
    );
    const { model, externalFile } = await io.saveModel(bytes, castAll(initializers), { externalName: 'a.onnx.data' });
    expect([...two]).toEqual([
      ['a.onnx.data', await hashOf(externalFile)],
      ['a.onnx', await hashOf(model)],
    ]);
  });

  test('the program that quantizes writes the model, and says what became of its weights', async () => {
    const quantize = { bits: 8, blockSize: 64, symmetric: true, form: 'qdq' };
    const written = await run(
      codeForWeights({ format: 'onnx', isSplit: true }, { action: 'quantize', quantize }, [
        { name: 'a.onnx.data' },
        { name: 'a.onnx' },
      ]),
      files['encoder.onnx'],
      new Map(),
    );
    const options = { ...quantize, externalName: 'a.onnx.data' };
    const { model, externalFile, report } = await convert.quantizeWeightsAsync(files['encoder.onnx'], options);
    expect([...written]).toEqual([
      ['report', report],
      ['a.onnx.data', await hashOf(externalFile)],
      ['a.onnx', await hashOf(model)],
    ]);
  });

  test('the program that converts a whole model writes it, and its data where it has some', async () => {
    const asked = { action: 'model', dtype: 'q4f16' };
    const encoder = new Uint8Array(await files['encoder.onnx'].arrayBuffer());
    const options = { dtype: 'q4f16', externalName: 'a.onnx_data' };
    const { model, externalFiles, report } = convert.convertModel(encoder, options);
    const plain = convert.convertModel(encoder, { dtype: 'q4f16' });
    const source = { format: 'onnx', isSplit: false };
    const one = await run(codeForWeights(source, asked, [{ name: 'a.onnx' }]), files['encoder.onnx']);
    expect([...one]).toEqual([
      ['report', report],
      ['a.onnx', hash(plain.model)],
    ]);
    const names = [{ name: 'a.onnx_data' }, { name: 'a.onnx' }];
    const two = await run(codeForWeights({ ...source, isSplit: true }, asked, names), files['encoder.onnx'], new Map());
    expect([...two]).toEqual([
      ['report', report],
      ['a.onnx_data', hash(externalFiles.get('a.onnx_data'))],
      ['a.onnx', hash(model)],
    ]);
  });

  test('the program that dequantizes writes the model, and its data where it has some', async () => {
    const quantized = convert.quantizeWeights(new Uint8Array(await files['encoder.onnx'].arrayBuffer()), {}).model;
    const asked = { action: 'dequantize', quantize: { bits: 4 } };
    const one = await run(
      codeForWeights({ format: 'onnx', isSplit: false }, asked, [{ name: 'a.onnx' }]),
      new Blob([quantized]),
    );
    const { model, report } = convert.dequantizeWeights(quantized);
    expect(report.filter(({ unpacked }) => unpacked).length).toBe(12);
    expect([...one]).toEqual([
      ['report', report],
      ['a.onnx', hash(model)],
    ]);
    const two = await run(
      codeForWeights({ format: 'onnx', isSplit: true }, asked, [{ name: 'a.onnx.data' }, { name: 'a.onnx' }]),
      new Blob([quantized]),
      new Map(),
    );
    const apart = await convert.dequantizeWeightsAsync(new Blob([quantized]), { externalName: 'a.onnx.data' });
    expect([...two]).toEqual([
      ['report', report],
      ['a.onnx.data', await hashOf(apart.externalFile)],
      ['a.onnx', await hashOf(apart.model)],
    ]);
  });

  test('the program for one tensor writes it, from shards too', async () => {
    const index = new Blob([JSON.stringify({ weight_map: { steps: 'one.safetensors' } })]);
    const others = new Map([['one.safetensors', files['mixed.safetensors']]]);
    const split = { format: 'safetensors', isSplit: true };
    const steps = await run(
      codeForWeights(split, wanted('npy', asStored, 'steps'), [{ name: 'steps.npy' }]),
      index,
      others,
      false,
    );
    expect(io.readNpy(steps.get('steps.npy')).data).toEqual(BigInt64Array.of(20_000n));
    const joined = await run(
      codeForWeights({ ...split, isJoined: true }, wanted('npy', asStored, 'steps'), [{ name: 's.npy' }]),
      undefined,
      undefined,
      false,
      [files['mixed.safetensors']],
    );
    expect(joined.get('s.npy')).toEqual(steps.get('steps.npy'));
    const wave = await run(
      codeForWeights({ format: 'npy', isSplit: false }, wanted('npy', 'float16', 'wave'), [{ name: 'w.npy' }]),
      files['wave.npy'],
      undefined,
      false,
    );
    expect(io.readNpy(wave.get('w.npy')).type).toBe('float16');
  });

  test('the types and formats are those that can be written', async () => {
    const entry = await io.openNpy(files['wave.npy']);
    for (const type of targetTypes.filter((name) => name !== asStored)) expect(entry.cast(type).type).toBe(type);
    expect(Object.keys(dtypes).filter((name) => isFloat.test(name))).toEqual(
      Object.keys(dtypes).filter((name) => dtypes[name].format.kind === 'float' && name !== 'float8e8m0'),
    );
    for (const format of ['onnx', 'safetensors', 'npy']) expect(formatsOf(format)[0]).toBe(format);
  });
});
