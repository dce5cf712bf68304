/** The modules of the page that need no DOM. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, Tensor } from 'onnx-layout';
import { init, resize } from 'onnx-layout/image';
import { featureExtractor, init as initAudio } from 'onnx-layout/audio';
import * as io from 'onnx-layout/io';
import { imageProcessor } from 'onnx-layout/processors';
import {
  bytesOfCodes,
  codeField,
  codesOfBytes,
  dataOfCodes,
  fieldsOf,
  formulaOf,
  groupOf,
  hex,
  kindOf,
  packingOf,
  readValue,
  rolesOf,
} from '../../web/dtype/bits.js';
import { outlineOf, pictureOf } from '../../web/audio/drawing.js';
import * as audioFiles from '../../web/audio/files.js';
import { codeFor } from '../../web/image/code.js';
import { differenceOf } from '../../web/image/difference.js';
import { latestOnly } from '../../web/image/latest.js';
import { channelIndices, grayPlane, thinned } from '../../web/image/planes.js';
import { allFilters, backends, libraries, pythonOf, resizingOf } from '../../web/image/resizing.js';
import { indexOf, moved, permFor, readLengths, readNumbers } from '../../web/lens/layout.js';
import { codeFor as codeForProcessor, configs, textOf } from '../../web/processor/files.js';
import { flag, oneOf, readState, text, whole, wholes, writeState } from '../../web/state.js';
import { engineOf } from '../../web/throughput/engine.js';
import { loopsFor } from '../../web/throughput/loops.js';
import { pictureLoops } from '../../web/throughput/picture-loops.js';
import { resizeLoops } from '../../web/throughput/resize-loops.js';
import { quantile, short, showBytes, summarize } from '../../web/throughput/statistics.js';
import { bytesMoved, describe as describeWorkload, sizeOf, workloads } from '../../web/throughput/workloads.js';
import { asStored, formatsOf, isFloat, targetTypes } from '../../web/weights/cast.js';
import { codeFor as codeForWeights } from '../../web/weights/code.js';
import { fileBeside, mainOf, resultName, sampleNames, mergedFiles } from '../../web/weights/files.js';
import { Histogram, numbersOf } from '../../web/weights/histogram.js';
import { duration, percent, progressText, shortValue } from '../../web/weights/rate.js';
import { sampleFile } from '../../web/weights/samples.js';
import { branchesOf, openAtFirst, totalsOf } from '../../web/weights/tree.js';
import { presets, tensorOf } from '../image/image.reference.js';
import { pillowResize } from '../image/resizing/pillow-resize.reference.js';
import { transposed } from '../support/reference.js';
import { lists, rows, words } from '../support/tables.js';

describe('the state in the address', () => {
  const fields = {
    layout: oneOf('NCHW', ['NCHW', 'NHWC']),
    width: whole(224, 1, 4096),
    keepdims: flag(true),
    shape: text('0, -1', 10),
    dims: wholes([2, 3], 3, 0, 9),
    code: codeField,
  };
  const initial = { layout: 'NCHW', width: 224, keepdims: true, shape: '0, -1', dims: [2, 3], code: undefined };

  test('is as at first where the address says nothing', () => {
    const state = readState(fields, new URLSearchParams(''));
    expect(state).toEqual(initial);
    expect(state.dims).not.toBe(fields.dims.initial);
    expect(writeState(fields, state, 'lens')).toBe('?panel=lens');
  });

  test('comes back from the address that it wrote', () => {
    const state = { layout: 'NHWC', width: 1, keepdims: false, shape: 'a b&c=d,e', dims: [], code: 0x3fn };
    const query = writeState(fields, state, 'lens');
    expect(query).toBe('?panel=lens&layout=NHWC&width=1&keepdims=0&shape=a+b%26c%3Dd,e&dims=&code=3f');
    expect(readState(fields, new URLSearchParams(query))).toEqual(state);
  });

  test.each(
    words(`
    layout=HWC width=0 width=4097 width=1.5 width=1e2 width= keepdims=2 shape=01234567890 dims=1,2,3,4 dims=1,,2
    dims=10 code=g code=-1
  `),
  )('ignores %s', (query) => expect(readState(fields, new URLSearchParams(query))).toEqual(initial));
});

describe('image processors', () => {
  beforeAll(() => init());
  const image = { data: new Uint8Array(640 * 480 * 3), width: 640, height: 480, channels: 3 };

  test.each(Object.keys(configs))('the sample %s is a configuration, of which all keys are read', (name) => {
    const processor = imageProcessor(textOf(name));
    expect(processor.ignored).toEqual([]);
    expect(processor(image).pixel_values.type).toBe('float32');
  });

  test('the code names all outputs', () =>
    expect(
      codeForProcessor('pil', {
        pixel_values: { type: 'float32', dims: [1, 3, 2, 2] },
        pixel_mask: { type: 'int64', dims: [1, 2, 2] },
      }).split('\n'),
    ).toEqual(
      expect.arrayContaining([
        "const processor = imageProcessorAsync(config, { backend: 'pil' });",
        'const { pixel_values, pixel_mask } = await processor(file);',
        '// pixel_values: float32 [1, 3, 2, 2]',
        '// pixel_mask: int64 [1, 2, 2]',
      ]),
    ));
});

describe('files of weights', () => {
  const files = (...names) => names.map((name) => ({ name }));
  const chosen = (...names) => {
    const found = mainOf(files(...names));
    return found && [found.format, ...found.main.map(({ name }) => name)];
  };

  test('are told by their names, and an index comes before its shards', () => {
    expect(chosen('a.NPY')).toEqual(['npy', 'a.NPY']);
    expect(chosen('model.onnx.data', 'model.onnx')).toEqual(['onnx', 'model.onnx']);
    expect(chosen('1.safetensors', 'model.safetensors.index.json', '2.safetensors')).toEqual([
      'safetensors',
      'model.safetensors.index.json',
    ]);
    expect(chosen('2.safetensors', '1.safetensors')).toEqual(['safetensors', '2.safetensors', '1.safetensors']);
    expect(chosen('config.json', 'model.onnx')).toEqual(['onnx', 'model.onnx']);
    expect(chosen('config.json', 'model.safetensors')).toEqual(['safetensors', 'model.safetensors']);
    expect(chosen('config.json', 'my.index.json')).toEqual(['safetensors', 'my.index.json']);
    expect(chosen('renamed.json')).toEqual(['safetensors', 'renamed.json']);
    expect(chosen('model.onnx.data', 'readme.txt')).toBe(undefined);
    expect(() => chosen('a.onnx', 'b.onnx')).toThrow('Choose one model at a time, got a.onnx and b.onnx.');
    expect(() => chosen('a.onnx', 'b.npy')).toThrow('Choose one model at a time, got a.onnx and b.npy.');
  });

  test('are found by the last part of a path', () => {
    expect(fileBeside(files('a', 'b.data'), 'parts/b.data')).toEqual({ name: 'b.data' });
    expect(() => fileBeside(files('a'), 'parts/b.data')).toThrow('b.data is missing: choose or drop it too.');
  });

  test('belong to those before if they hold no weights, or were missing', () => {
    const joined = (before, given, isWaiting = false) =>
      mergedFiles(files(...before), files(...given), isWaiting).map(({ name }) => name);
    expect(joined(['a.onnx', 'a.data'], ['a.data'])).toEqual(['a.onnx', 'a.data']);
    expect(joined(['a.onnx'], ['b.onnx'])).toEqual(['b.onnx']);
    expect(joined(['a.onnx'], ['b.onnx'], true)).toEqual(['b.onnx']);
    const index = 'model.safetensors.index.json';
    expect(joined([index, '1.safetensors'], ['2.safetensors'])).toEqual(['2.safetensors']);
    expect(joined([index, '1.safetensors'], ['2.safetensors'], true)).toEqual([
      index,
      '1.safetensors',
      '2.safetensors',
    ]);
    expect(joined([], ['a.txt'])).toEqual(['a.txt']);
  });

  test('give their results names', () => {
    expect(resultName('model.onnx', 'float16', 'onnx')).toBe('model.float16.onnx');
    expect(resultName('model.safetensors.index.json', 'float16', 'safetensors')).toBe('model.float16.safetensors');
    expect(resultName('model-00001-of-00002.safetensors', '', 'safetensors')).toBe('model.safetensors');
    expect(resultName('a.b.weight.npy', 'bfloat16', 'npy')).toBe('a.b.weight.bfloat16.npy');
  });
});

describe('the tree of tensors', () => {
  const rowsOf = (...names) => names.map((name) => ({ name, type: 'float32', dims: [2, 3], bytes: 24 }));
  const shown = (rows, start) => branchesOf(rows, start).map(({ label, row }) => (row ? label : `${label}*`));

  test('has branches at dots, in the order of numbers, and folds what stands alone', () => {
    const rows = rowsOf('layers.10.a', 'layers.2.a', 'layers.2.b', 'head', 'head.bias', 'x.y.z');
    expect(shown(rows)).toEqual(['head', 'head.bias', 'layers.*', 'x.y.z']);
    const layers = branchesOf(rows)[2];
    expect(layers.rows.length).toBe(3);
    expect(shown(layers.rows, layers.path.length)).toEqual(['2.*', '10.a']);
    expect(shown(rowsOf('a.b.c', 'a.b.d'))).toEqual(['a.b.*']);
    expect(shown(rowsOf('a.b', 'a.b.c'))).toEqual(['a.*']);
    expect(shown(rowsOf('a.b', 'a.b.c'), 2)).toEqual(['b', 'b.c']);
    expect(shown(rowsOf('', '.', '..'))).toEqual(['', '.*']);
    expect(branchesOf([])).toEqual([]);
  });

  test('every tensor has one place, whatever the names are', () => {
    const names = ['a', 'a.', 'a..', 'a.b', 'b..c', 'b..d', '.', 'a.b.c.d', '1.2', '1.10', 'a b.c', '\0.x', 'é.é'];
    const leaves = (branches) =>
      branches.flatMap(({ row, rows, path }) => (row ? [row.name] : leaves(branchesOf(rows, path.length))));
    expect(leaves(branchesOf(rowsOf(...names))).sort()).toEqual([...names].sort());
    const deep = '.'.repeat(100_000);
    expect(shown(rowsOf(`${deep}a`, `${deep}b`))).toEqual([`${deep}*`]);
  });

  test('is open from the top as far as there is room, and where the chosen tensor is', () => {
    const rows = rowsOf(...Array.from({ length: 60 }, (_, i) => `l.${Math.floor(i / 20)}.${i}.${'w'}`), 'z.a', 'z.b');
    expect([...openAtFirst(rows, 5)]).toEqual(['l.']);
    expect([...openAtFirst(rows, 7)]).toEqual(['l.', 'z.']);
    expect([...openAtFirst(rows, 5, 'l.2.41.w')]).toEqual(['l.', 'l.2.']);
    expect([...openAtFirst(rows, 5, 'l.2.')]).toEqual(['l.']);
  });

  test('adds up each type', () => {
    const rows = [...rowsOf('a', 'b'), { name: 'c', type: 'int8', dims: [], bytes: 1 }];
    expect(totalsOf(rows)).toEqual([
      { type: 'float32', tensors: 2, elements: 12, bytes: 48 },
      { type: 'int8', tensors: 1, elements: 1, bytes: 1 },
    ]);
  });
});

describe('a histogram', () => {
  /** Counts into the bars that a result says. */
  function counted(values, { from, width, bars }) {
    const expected = bars.map(() => 0);
    for (const value of values) if (Number.isFinite(value)) expected[Math.floor((value - from) / width)]++;
    return expected;
  }
  const histogramOf = (...pieces) => {
    const histogram = new Histogram();
    for (const piece of pieces) histogram.add(Float64Array.from(piece));
    return histogram.result();
  };
  const isPowerOfTwo = (value) => Number.isInteger(Math.log2(value));

  test.each([
    ['small numbers', [0.1, -0.2, 0.3, 0.05]],
    ['whole numbers', [0, 1, 2, 3, 100]],
    ['negative numbers', [-5, -5.25, -7]],
    ['one number', [3.5, 3.5, 3.5]],
    ['zeros', [0, -0, 0]],
    ['far apart', [1e-300, 1e300, -1e300]],
    ['the smallest', [5e-324, 0, -5e-324]],
    ['the greatest', [Number.MAX_VALUE, -Number.MAX_VALUE, 1]],
    ['near together', [1, 1 + Number.EPSILON, 1 + 2 * Number.EPSILON]],
  ])('counts %s, whatever comes first', (_, values) => {
    const whole = histogramOf(values);
    expect([whole.least + 0, whole.most + 0]).toEqual([Math.min(...values) + 0, Math.max(...values) + 0]);
    expect(whole.bars.length).toBeLessThanOrEqual(64);
    expect(whole.bars.reduce((sum, bar) => sum + bar)).toBe(values.length);
    expect(isPowerOfTwo(whole.width)).toBe(true);
    expect(whole.bars[0]).toBeGreaterThan(0);
    expect(whole.bars.at(-1)).toBeGreaterThan(0);
    const single = values.map((value) => [value]);
    // A sum of floats depends on their order.
    for (const pieces of [single, single.toReversed()])
      expect({ ...histogramOf(...pieces), mean: whole.mean }).toEqual(whole);
  });

  test('counts thousands of numbers as a loop over its bars does', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => Math.sin(i) * 2 ** (i % 9));
    const result = histogramOf(values.slice(0, 10), values.slice(10, 500), values.slice(500));
    expect(result.bars).toEqual(counted(values, result));
    expect(result.bars.length).toBeGreaterThan(31);
    expect(result.mean).toBeCloseTo(values.reduce((sum, value) => sum + value) / values.length, 12);
  });

  test('counts zeros, NaN and infinities apart', () => {
    const result = histogramOf([NaN, 1, -0, Infinity], [0, -Infinity, NaN, 3]);
    expect(result).toMatchObject({ count: 8, zeros: 2, nans: 2, infinities: 2, least: -0, most: 3, mean: 1 });
    expect(result.bars.reduce((sum, bar) => sum + bar)).toBe(4);
  });

  test('of no finite number is empty', () => {
    expect(histogramOf([NaN])).toMatchObject({ count: 1, nans: 1, bars: [] });
    expect(histogramOf()).toMatchObject({ count: 0, bars: [] });
  });

  test('reads each type as numbers that hold all its values', () => {
    const by = (type) => Object.keys(dtypes).filter((name) => numbersOf(dtypes[name]) === type);
    expect(by(undefined).sort()).toEqual(['complex128', 'complex64', 'string']);
    expect(by('float64').sort()).toEqual(['float64', 'int32', 'int64', 'uint32', 'uint64']);
  });
});

describe('long work in words', () => {
  test('has a rate and the time that is left, once they mean something', () => {
    expect(progressText(1e9, 5e9, 100)).toBe('1 GB of 5 GB');
    expect(progressText(0, 5e9, 1000)).toBe('0 B of 5 GB');
    expect(progressText(1e9, 5e9, 2000)).toBe('1 GB of 5 GB, 500 MB a second, 8 s left');
    expect(progressText(1e9, 401e9, 1000)).toBe('1 GB of 401 GB, 1 GB a second, 7 min left');
  });

  test('has durations, parts and values', () => {
    expect([0, 1234, 59_001, 61_000, 3_600_001].map(duration)).toEqual(['0 s', '1.23 s', '60 s', '2 min', '1 h 1 min']);
    expect([percent(0, 0), percent(1, 3), percent(2, 2)]).toEqual(['0 %', '33.3 %', '100 %']);
    expect(percent(99_999, 100_000)).toBe('almost 100 %');
    expect([0, -0.5, 123456, 1234567, 0.000012345, -1e-300].map((value) => shortValue(value, 3))).toEqual([
      '0',
      '−0.5',
      '123000',
      '1.23e6',
      '1.23e−5',
      '−1e−300',
    ]);
  });
});

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
    const { report } = io.quantizeWeights(new Uint8Array(await files['encoder.onnx'].arrayBuffer()), {});
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
    const names = /import \{ (.*) \} from 'onnx-layout\/io'/.exec(source)[1].split(', ');
    await new AsyncFunction('init', 'file', 'files', 'shards', 'showSaveFilePicker', 'console', ...names, body)(
      init,
      file,
      others,
      shards,
      picker,
      { table: (report) => written.set('report', report) },
      ...names.map((name) => io[name]),
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
    const { model, externalFile, report } = await io.quantizeWeightsAsync(files['encoder.onnx'], options);
    expect([...written]).toEqual([
      ['report', report],
      ['a.onnx.data', await hashOf(externalFile)],
      ['a.onnx', await hashOf(model)],
    ]);
  });

  test('the program that dequantizes writes the model, and its data where it has some', async () => {
    const quantized = io.quantizeWeights(new Uint8Array(await files['encoder.onnx'].arrayBuffer()), {}).model;
    const asked = { action: 'dequantize', quantize: { bits: 4 } };
    const one = await run(
      codeForWeights({ format: 'onnx', isSplit: false }, asked, [{ name: 'a.onnx' }]),
      new Blob([quantized]),
    );
    const { model, report } = io.dequantizeWeights(quantized);
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
    const apart = await io.dequantizeWeightsAsync(new Blob([quantized]), { externalName: 'a.onnx.data' });
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

describe('the code for an image', () => {
  // The program's own words, run with stand-ins for the package and the file.
  async function run(source) {
    const calls = [];
    const body = source.replace(/^import .*\n/, '').replace('const tensor =', 'return');
    const AsyncFunction = (async () => {}).constructor;
    await new AsyncFunction('imageToTensorAsync', 'init', 'file', body)(
      async (...given) => calls.push(given),
      async () => calls.push('init'),
      'the file',
    );
    return calls;
  }

  test('makes the call that is shown', async () => {
    const options = {
      width: 224,
      height: 128,
      fit: 'cover',
      backend: 'torchvision',
      filter: 'bicubic',
      layout: 'NCHW',
      channels: 'BGR',
      dtype: 'float16',
      preset: 'imagenet',
    };
    expect(await run(codeFor(options, [1, 3, 128, 224]))).toEqual(['init', ['the file', options]]);
  });

  test('writes a letterbox', async () => {
    const letterbox = { width: 640, height: 480, filter: 'linear' };
    const options = { letterbox, layout: 'NCHW', channels: 'RGB', dtype: 'float32', preset: 'yolo' };
    const source = codeFor(options, [1, 3, 480, 640]);
    expect(source).toContain("\n  letterbox: { width: 640, height: 480, filter: 'linear' },\n");
    expect(await run(source)).toEqual(['init', ['the file', options]]);
  });

  test('leaves out what is not asked for', async () => {
    const options = {
      width: 1,
      height: 1,
      fit: 'fill',
      filter: 'canvas',
      layout: 'HWC',
      channels: 'L',
      dtype: 'uint8',
      preset: undefined,
    };
    const source = codeFor(options, [1, 1, 1]);
    expect(source).toBe(`import { imageToTensorAsync, init } from 'onnx-layout/image';

await init();
// file: a File or Blob, an <img>, <canvas> or <video>
const tensor = await imageToTensorAsync(file, {
  width: 1, height: 1, fit: 'fill',
  filter: 'canvas',
  layout: 'HWC', channels: 'L', dtype: 'uint8',
});
// uint8 [1, 1, 1], for a session:
// toOrt(ort, tensor) of onnx-layout
`);
    expect(await run(source)).toEqual([
      'init',
      [
        'the file',
        { width: 1, height: 1, fit: 'fill', filter: 'canvas', layout: 'HWC', channels: 'L', dtype: 'uint8' },
      ],
    ]);
  });
});

test('pictures and channel planes are thinned out evenly', () => {
  const image = { data: Uint8ClampedArray.from({ length: 5 * 3 * 4 }, (_, i) => i), width: 5, height: 3 };
  expect(thinned(image, 5)).toEqual(image);
  expect(thinned(image, 3)).toEqual({
    width: 3,
    height: 2,
    data: Uint8ClampedArray.from([0, 8, 16, 40, 48, 56].flatMap((first) => [0, 1, 2, 3].map((i) => first + i))),
  });
  expect(grayPlane(image, 1, 5).data.filter((_, i) => i % 4 === 0)).toEqual(image.data.filter((_, i) => i % 4 === 1));
  expect(grayPlane(image, 2, 3)).toEqual({
    width: 3,
    height: 2,
    data: Uint8ClampedArray.from([2, 10, 18, 42, 50, 58].flatMap((gray) => [gray, gray, gray, 255])),
  });
  expect(['RGB', 'BGR', 'RGBA', 'L'].map(channelIndices)).toEqual([[0, 1, 2], [2, 1, 0], [0, 1, 2, 3], [0]]);
});

describe('resizing', () => {
  beforeAll(() => init());

  test.each(Object.entries(libraries))(
    'like %s has the filters that the package has',
    (backend, { filters, usual }) => {
      const image = { data: Uint8Array.from({ length: 48 }, (_, i) => (i * 83) % 256), width: 4, height: 4 };
      const call = (filter) => resize(image, { width: 2, height: 3, backend, filter });
      for (const filter of filters) expect(call(filter).data.length).toBe(18);
      expect(() => call(allFilters.find((filter) => !filters.includes(filter)))).toThrow(
        `filter of backend '${backend}' must be one of ${filters.join(', ')}, got`,
      );
      expect(call(usual)).toEqual(call(undefined));
    },
  );

  test('takes the usual filter where the library lacks the one that was chosen', () => {
    expect(
      backends.flatMap((backend) =>
        ['box', 'bicubic', 'nearest_exact'].map((filter) => pythonOf({ backend, filter, fit: 'fill' })),
      ),
    ).toEqual([
      { backend: 'pil', filter: 'box' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'torchvision', filter: 'bilinear' },
      { backend: 'torchvision', filter: 'bicubic' },
      { backend: 'torchvision', filter: 'nearest_exact' },
      { backend: 'opencv', filter: 'linear' },
      { backend: 'opencv', filter: 'linear' },
      { backend: 'opencv', filter: 'nearest_exact' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
      { backend: 'pil', filter: 'bicubic' },
    ]);
    const size = { width: 5, height: 3 };
    const fill = { ...size, fit: 'fill' };
    expect(resizingOf({ ...fill, backend: 'canvas', filter: 'box' })).toEqual({ ...fill, filter: 'canvas' });
    expect(resizingOf({ ...fill, backend: 'pil', filter: 'box' })).toEqual({ ...fill, backend: 'pil', filter: 'box' });
  });

  test.each(backends)('a letterbox has the filters of OpenCV, whatever the backend: %s', (backend) => {
    const state = { width: 5, height: 3, fit: 'letterbox', backend };
    expect(pythonOf({ ...state, filter: 'area' })).toEqual({ backend: 'opencv', filter: 'area' });
    expect(resizingOf({ ...state, filter: 'bicubic' })).toEqual({
      letterbox: { width: 5, height: 3, filter: 'linear' },
    });
  });

  describe('in two ways gives pictures that are apart', () => {
    const picture = (...bytes) => ({ data: Uint8ClampedArray.from(bytes), width: bytes.length / 4, height: 1 });
    const [a, b] = [picture(10, 20, 30, 255, 0, 0, 0, 100), picture(7, 20, 50, 255, 1, 0, 0, 90)];

    test('by their colors', () =>
      expect(differenceOf(a, b, 3)).toEqual({
        greatest: 20,
        mean: 24 / 6,
        factor: 8,
        picture: picture(24, 0, 160, 255, 8, 0, 0, 255),
      }));

    test('by their alpha, which is gray', () =>
      expect(differenceOf(a, b, 4)).toEqual({
        greatest: 20,
        mean: 34 / 8,
        factor: 8,
        picture: picture(24, 0, 160, 255, 80, 80, 80, 255),
      }));

    test('not at all', () =>
      expect(differenceOf(a, a, 4)).toEqual({
        greatest: 0,
        mean: 0,
        factor: 128,
        picture: picture(0, 0, 0, 255, 0, 0, 0, 255),
      }));

    test('and a hundredth of the distances is cut off', () => {
      const apart = (distance) => picture(...Array(100).fill([1, 1, 1, 255]).flat(), ...distance, 255);
      const zero = picture(...Array(101).fill([0, 0, 0, 255]).flat());
      const few = differenceOf(apart([200, 200, 200]), zero, 3);
      expect([few.greatest, few.mean, few.factor]).toEqual([200, 900 / 303, 128]);
      expect(few.picture.data.slice(-8)).toEqual(Uint8ClampedArray.of(128, 128, 128, 255, 255, 255, 255, 255));
    });
  });
});

test('of requests that come during work, the last one is done', async () => {
  const done = [];
  let wanted = 'first';
  const work = latestOnly(async () => {
    const mine = wanted;
    await null;
    done.push(mine);
  });
  const first = work();
  for (wanted of ['second', 'third']) work();
  await first;
  expect(done).toEqual(['first', 'third']);
  wanted = 'fourth';
  await work();
  expect(done).toEqual(['first', 'third', 'fourth']);
});

describe('the loops that ours is measured against', () => {
  test.each(
    rows(`
    [6, 5, 3], [2, 0, 1]
    [2, 4, 5, 3], [0, 3, 1, 2]
    [1, 7, 3, 5], [0, 2, 3, 1]
    [1, 5, 3, 4], [0, 2, 1, 3]
    [37, 18], [1, 0]
    [3, 4, 5, 6], [3, 2, 1, 0]
  `),
  )('all give the transpose of %j by %j', (dims, perm) => {
    const source = Float32Array.from({ length: sizeOf(dims) }, (_, i) => i);
    const target = new Float32Array(source.length);
    const loops = loopsFor({ type: 'float32', dims, perm }, source, target);
    expect(loops.length).toBe(dims.at(-1) === 3 && dims.length > 2 ? 3 : 2);
    for (const loop of loops) {
      target.fill(-1);
      loop();
      expect([...target]).toEqual(transposed([...source], dims, perm));
    }
  });

  test('all make the tensor of a picture', () => {
    const data = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i >> 2) * (2 * (i & 3) + 1));
    const expected = tensorOf([{ data, width: 64, height: 4, channels: 4 }], presets.imagenet);
    const target = new Float32Array(3 * 256);
    const loops = pictureLoops(data, target);
    expect(loops.length).toBe(2);
    for (const loop of loops) {
      target.fill(-1);
      loop();
      expect(target).toEqual(expected.data);
    }
  });

  test.each(
    rows(`
    [9, 11], [4, 5]
    [7, 5], [13, 6]
    [6, 40], [2, 3]
  `),
  )('all resize pixels of %j to %j as Pillow does', (dims, size) => {
    const [height, width] = dims;
    const data = Uint8Array.from({ length: 3 * height * width }, (_, i) => (i % 7 ? (i * i * 83) % 256 : 255));
    const expected = pillowResize({ data, width, height, channels: 3 }, size[1], size[0], {
      filter: 'bicubic',
      premultiply: false,
    });
    const target = new Uint8Array(3 * sizeOf(size));
    const loops = resizeLoops({ type: 'uint8', dims: [...dims, 3], size }, data, target);
    expect(loops.length).toBe(2);
    for (const loop of loops) {
      target.fill(1);
      loop();
      expect(target).toEqual(expected.data);
    }
  });

  test('know the bytes that a workload moves', () => {
    expect(bytesMoved(workloads.resize)).toBe(3 * 1080 * 1920 + 3 * 224 * 224);
    expect(describeWorkload(workloads.resize)).toBe(
      'Photograph resized: 1920 × 1080 to 224 × 224, RGB, Pillow’s bicubic',
    );
    expect(bytesMoved(workloads.picture)).toBe(1080 * 1920 * (4 + 3 * 4));
    expect(describeWorkload(workloads.picture)).toBe('Picture to tensor: 1920 × 1080, RGBA to float32, ImageNet');
    expect(bytesMoved(workloads.photo)).toBe(2 * 1080 * 1920 * 3);
    expect(bytesMoved(workloads.matrix)).toBe(2 * 4 * 2048 ** 2);
    expect(describeWorkload(workloads.photo)).toBe('Photograph, HWC to CHW: uint8 [1080, 1920, 3], perm 2, 0, 1');
  });
});

test('samples are summed up by their median and 95th percentile', () => {
  const samples = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect([quantile(samples, 0.5), quantile(samples, 0.95), quantile(samples, 1), quantile([3], 0.5)]).toEqual([
    10, 19, 20, 3,
  ]);
  expect(summarize(samples, 5e6)).toEqual({ median: 10, p95: 19, gigabytes: 0.5, count: 20 });
  expect([0.012345, 1, 123456].map(short)).toEqual(['0.0123', '1', '123,000']);
  expect([0, 999, 1000, 14239897, 3.2e12].map(showBytes)).toEqual(['0 B', '999 B', '1 kB', '14.2 MB', '3,200 GB']);
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chromium 140 (V8)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge 140 (V8)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 (SpiderMonkey)'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Safari/605.1.15',
    'Safari 18.5 (JavaScriptCore)',
  ],
  ['something else', 'something else'],
])('engine of %s', (userAgent, engine) => expect(engineOf(userAgent)).toBe(engine));

test('elements, axes and what is written of them', () => {
  expect(Array.from({ length: 6 }, (_, i) => indexOf(i, [2, 3]))).toEqual(
    lists('[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]'),
  );
  expect([moved([0, 1, 2], 0, 2), moved([0, 1, 2], 2, 0), moved([0, 1, 2], 1, 1)]).toEqual(
    lists('[1, 2, 0], [2, 0, 1], [0, 1, 2]'),
  );
  expect([permFor([1, 0], 2), permFor([1, 0], 3), permFor([0, 0], 2), permFor([0, 2], 2)]).toEqual(
    lists('[1, 0], [2, 1, 0], [1, 0], [1, 0]'),
  );
  expect(
    ['', ' 2, -1', '[2 3]', '2', '1.5', 'x', '9223372036854775808'].map((written) => readNumbers(written)),
  ).toEqual([[], [2, -1], [2, 3], [2], [1.5], [NaN], [2n ** 63n]]);
  expect(['', '3', '[3]', '3,', '1, 2'].map((written) => readNumbers(written, true))).toEqual([
    undefined,
    3,
    [3],
    [3],
    [1, 2],
  ]);
});

test('lengths are read by their names', () =>
  expect(['', ' h=2', 'h=2, w=-3', 'h', 'h=x'].map((written) => readLengths(written))).toEqual([
    {},
    { h: 2 },
    { h: 2, w: -3 },
    { h: NaN },
    { h: NaN },
  ]));

describe('bits', () => {
  const numeric = Object.values(dtypes).filter(({ bits }) => bits > 0);

  test.each(numeric.map((dtype) => [dtype.name, dtype]))(
    'of %s each have a role, and codes come back from bytes',
    (name, dtype) => {
      const roles = rolesOf(dtype, dtypes);
      expect(roles.length).toBe(dtype.bits);
      const codes = [
        1n,
        BigInt.asUintN(dtype.bits, 0x123456789abcdef0fedcba9876543211n),
        BigInt.asUintN(dtype.bits, -1n),
      ];
      const bytes = bytesOfCodes(codes, dtype.bits);
      expect(bytes.length).toBe(Math.ceil((3 * dtype.bits) / 8));
      expect(codesOfBytes(bytes, dtype.bits, 3)).toEqual(codes);
      expect(new Tensor(name, dataOfCodes(dtype, codes), [3]).size).toBe(3);
    },
  );

  test('have the roles of their format', () => {
    const show = (name) =>
      rolesOf(dtypes[name], dtypes)
        .map(([letter]) => letter)
        .join('');
    expect(
      Object.fromEntries(
        ['float8e4m3fn', 'bfloat16', 'float8e8m0', 'float6e2m3', 'float6e3m2', 'int4', 'uint2', 'bool'].map((name) => [
          name,
          show(name),
        ]),
      ),
    ).toEqual({
      float8e4m3fn: 'seeeemmm',
      bfloat16: 'seeeeeeeemmmmmmm',
      float8e8m0: 'eeeeeeee',
      float6e2m3: 'seemmm',
      float6e3m2: 'seeemm',
      int4: 'svvv',
      uint2: 'vv',
      bool: 'vvvvvvvv',
    });
    expect(show('complex64')).toBe(show('float32').repeat(2));
  });

  test('fill bytes together in packed types', () =>
    expect([2, 4, 6].map(packingOf)).toEqual(['4 elements a byte', '2 elements a byte', '4 elements in 3 bytes']));

  test('put each type into one of five groups', () => {
    const names = (title) =>
      Object.values(dtypes)
        .filter((dtype) => groupOf(dtype) === title)
        .map(({ name }) => name);
    expect(names('Packed')).toEqual(['uint4', 'int4', 'float4e2m1', 'uint2', 'int2', 'float6e2m3', 'float6e3m2']);
    expect(names('8-bit floats').length).toBe(5);
    expect(names('Others')).toEqual(['string', 'bool', 'complex64', 'complex128']);
    expect(['Floats', '8-bit floats', 'Packed', 'Integers', 'Others'].flatMap(names).sort()).toEqual(
      Object.keys(dtypes).sort(),
    );
  });

  test('pack as ONNX has it, the tail zero', () => {
    expect(bytesOfCodes([1n, 2n, 3n], 4)).toEqual(Uint8Array.of(0x21, 0x03));
    expect(bytesOfCodes([1n, 2n, 3n, 0n, 1n], 2)).toEqual(Uint8Array.of(0b00111001, 0b01));
    expect(bytesOfCodes([1n, 0x22n, 0x1fn, 0x3fn, 1n], 6)).toEqual(Uint8Array.of(0x81, 0xf8, 0xfd, 0x01));
    expect(bytesOfCodes([0x1234n], 16)).toEqual(Uint8Array.of(0x34, 0x12));
    expect([hex(0xan, 4), hex(1n, 2), hex(0x3c00n, 16)]).toEqual(['0xa', '0x1', '0x3c00']);
  });

  test.each(
    numeric.filter(({ format, bits }) => format.kind === 'float' && bits <= 16).map((dtype) => [dtype.name, dtype]),
  )('of every code of %s make the value that is said', (name, dtype) => {
    const size = 2 ** dtype.bits;
    const data = dataOfCodes(dtype, dtype.bits < 8 ? Array.from({ length: size }, (_, i) => BigInt(i)) : []);
    const all = dtype.bits < 8 ? data : new globalThis[dtype.array](Array.from({ length: size }, (_, i) => i));
    const values = new Tensor(name, all, [size]).toArray();
    const wrong = values.filter((value, i) => {
      const kind = kindOf(dtype, BigInt(i), value);
      const formula = formulaOf(dtype, BigInt(i), kind);
      if (formula === undefined) return Number.isFinite(value);
      const [, sign, field, bias, hidden, mantissa, width] =
        /^(−?)2\^\((\d+) − (\d+)\)(?: × \((\d) \+ (\d+) \/ 2\^(\d+)\))?$/.exec(formula);
      const made = 2 ** (field - bias) * (hidden === undefined ? 1 : Number(hidden) + mantissa / 2 ** width);
      const isSubnormal = kind === 'subnormal' || kind === 'zero';
      return !Object.is(sign ? -made : made, value) || (hidden !== undefined && isSubnormal !== (hidden === '0'));
    });
    expect(wrong).toEqual([]);
  });

  test('come apart into sign, exponent and mantissa', () =>
    expect(fieldsOf(dtypes.float32.format, 0xc0490fdbn)).toEqual({
      negative: true,
      exponent: 128,
      mantissa: 0x490fdbn,
    }));

  test('come of what is written', () => {
    const read = (type, ...written) => written.map((entry) => readValue(dtypes[type], entry));
    expect(read('float32', '0.1', ' -3e2 ', 'inf', '-Infinity', 'nan', '', '+1', '−2')).toEqual([
      0.1,
      -300,
      Infinity,
      -Infinity,
      NaN,
      NaN,
      1,
      -2,
    ]);
    expect(read('int64', '9223372036854775807', '-5', '+5', '0xff')).toEqual([9223372036854775807n, -5n, 5n, 255n]);
    expect(read('int4', '1.5', 'x')).toEqual([1.5, NaN]);
    expect(read('bool', 'true', 'False', '2')).toEqual([true, false, 2]);
    expect(read('complex64', '1+2j', '1 - 2j', '-1.5e-3', '-inf+infj', '2j', '1 2')).toEqual([
      [1, 2],
      [1, -2],
      [-0.0015, 0],
      [-Infinity, Infinity],
      [0, 2],
      [1, 2],
    ]);
  });
});

describe('sounds', () => {
  test('are outlined by their least and greatest samples', () =>
    expect([...outlineOf(Float32Array.of(0.5, -0.25, 0.75, 0.25, -1, 0), 3)]).toEqual([-0.25, 0.5, 0, 0.75, -1, 0]));

  const gray = Uint32Array.from({ length: 256 }, (_, i) => i);
  test.each([
    ['time to the right', true, [1, 2, 4], [0, 1, 9, 9, 2, 3, 9, 9]],
    ['time of the last axis but one', false, [1, 4, 2], [0, 2, 1, 3, 9, 9, 9, 9]],
  ])('are drawn upwards and without padding, %s', (_, isTimeLast, dims, numbers) => {
    const { data, ...size } = pictureOf({ dims, data: Float32Array.from(numbers) }, isTimeLast, gray);
    expect(size).toEqual({ width: 2, height: 2, frames: 4 });
    expect([...new Uint32Array(data.buffer)]).toEqual([2, 3, 0, 1].map((value) => Math.round((value * 255) / 9)));
  });

  test('are drawn whole in a range that is given', () => {
    const { data, width } = pictureOf({ dims: [1, 3], data: Float32Array.of(-9, 0, 9) }, true, gray, [-1, 1]);
    expect([width, ...new Uint32Array(data.buffer)]).toEqual([3, 0, 128, 255]);
  });

  test.each(Object.keys(audioFiles.configs))('%s: every setting is one of the class', async (name) => {
    await initAudio();
    const extract = featureExtractor(audioFiles.textOf(name));
    expect(extract.ignored).toEqual([]);
    const outputs = extract(new Float32Array(extract.sampling_rate));
    const [first] = Object.keys(outputs);
    const code = audioFiles.codeFor(extract.sampling_rate, outputs);
    expect(code).toContain(`new_freq: ${extract.sampling_rate} }`);
    expect(code).toContain(`// ${first}: float32 [${outputs[first].dims.join(', ')}]`);
  });
});
