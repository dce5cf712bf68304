/** Weights of models of any size, packed: the bytes are those of the same model in memory. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { packMatMulNBits, quantizeWeights, quantizeWeightsAsync } from 'onnx-layout/convert';
import { openModel, readModel, saveModel } from 'onnx-layout/io';
import { expectRejection, refuses, rejects } from '../../support/assertions.js';
import { modelOf, weightsModel } from '../../support/models.js';
import { modelFile, packingGoldens } from '../../support/quantize-goldens.js';
import { chooseSample } from '../../support/sample.js';
import { bytesOf, spiedSource } from '../../weights/files.js';

beforeAll(() => init());

/** The bytes of a file in the making, by the places of its parts. */
async function placedBytes(saved) {
  const bytes = new Uint8Array(saved.byteLength);
  for await (const write of saved.writes()) bytes.set(write.bytes, write.at);
  return bytes;
}

const sameBytes = (a, b) => Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b);
const dataOf = ({ type, dims, data }) => [type, dims, Buffer.from(data.buffer, data.byteOffset, data.byteLength)];

/** A matrix of numbers that are no multiples of one another. */
const matrix = (rows, columns, type = 'float32') => {
  const numbers = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i * 1.7) * (1 + (i % 7)));
  return type === 'float32' ? new Tensor(type, numbers, [rows, columns]) : Tensor.from(type, numbers, [rows, columns]);
};

describe("models that went through onnxruntime's quantizer", () => {
  const optionsOf = ({ op, form, bits, block: blockSize, symmetric }) => ({
    ...{ bits, blockSize, symmetric, ops: [op], ...(op === 'MatMul' && { form }) },
  });

  test('the bytes and the report of a third of 144 models', async () => {
    expect(packingGoldens.length).toBe(144);
    for (const row of chooseSample(packingGoldens, 3)) {
      const file = modelFile(row.before);
      const wanted = quantizeWeights(file, optionsOf(row));
      const { model, externalFile, report } = await quantizeWeightsAsync(spiedSource(file).source, optionsOf(row));
      expect([row.after, externalFile, report]).toEqual([row.after, undefined, wanted.report]);
      expect([row.after, sameBytes(await bytesOf(model), wanted.model)]).toEqual([row.after, true]);
    }
  });

  test('the same with data in another file, before and after', async () => {
    for (const row of packingGoldens.filter(({ block }) => block === 32)) {
      const { bytes, initializers } = await openModel(modelFile(row.before));
      const saved = await saveModel(bytes, initializers, { externalName: 'a.data' });
      const [file, data] = [await bytesOf(saved.model), await bytesOf(saved.externalFile)];
      expect(data.length).toBeGreaterThan(1000);
      const options = optionsOf(row);
      const inMemory = ({ location, offset, length }) => {
        expect(location).toBe('a.data');
        return data.subarray(offset, offset + length);
      };
      const wanted = quantizeWeights(file, { ...options, external: inMemory });
      const inside = await quantizeWeightsAsync(new Blob([file]), {
        ...options,
        external: async () => new Blob([data]),
      });
      expect(inside.report).toEqual(wanted.report);
      expect(sameBytes(await bytesOf(inside.model), wanted.model)).toBe(true);
      const outside = await quantizeWeightsAsync(new Blob([file]), {
        ...options,
        external: () => spiedSource(data).source,
        externalName: 'b.data',
      });
      const newData = await bytesOf(outside.externalFile);
      const model = readModel(await bytesOf(outside.model), {
        external({ location, offset, length }) {
          expect(location).toBe('b.data');
          return newData.subarray(offset, offset + length);
        },
      });
      const known = readModel(wanted.model);
      expect([model.nodes, model.opsets, model.irVersion]).toEqual([known.nodes, known.opsets, known.irVersion]);
      expect([...model.initializers.keys()].sort()).toEqual([...known.initializers.keys()].sort());
      for (const [name, tensor] of known.initializers)
        expect([name, dataOf(model.initializers.get(name))]).toEqual([name, dataOf(tensor)]);
    }
  });

  test('of what openModel gives, with other entries', async () => {
    const file = modelFile('before/matmul-float32.onnx');
    const { bytes, initializers } = await openModel(file);
    const half = new Map([...initializers].map(([name, entry]) => [name, entry.cast('bfloat16')]));
    const { model, report } = await quantizeWeightsAsync({ bytes, initializers: half }, { blockSize: 16 });
    const saved = await bytesOf((await saveModel(bytes, half)).model);
    const wanted = quantizeWeights(saved, { blockSize: 16 });
    expect(report).toEqual(wanted.report);
    expect(sameBytes(await bytesOf(model), wanted.model)).toBe(true);
  });
});

describe('matrices of several tiles', () => {
  // Tiles have 2 ** 20 elements at most, in whole blocks; 1031 is odd, and so is the last block.
  const packings = [
    [4, 32, 2311, 1031, 'float32', false],
    [4, 16, 1031, 1031, 'float16', true],
    [2, 256, 1031, 1031, 'bfloat16', false],
    [8, 64, 1, 1060001, 'float32', false],
    [2, 16, 1060001, 1, 'float32', false],
  ];
  test.each(chooseSample(packings, 3))(
    '%i bits, blocks of %i, [%i, %i] of %s',
    async (bits, blockSize, K, N, type, symmetric) => {
      const weights = matrix(K, N, type);
      const file = weightsModel('MatMul', weights);
      const options = { bits, blockSize, symmetric };
      const packed = packMatMulNBits(weights, options);
      const { model, report } = quantizeWeights(file, options);
      const { initializers } = readModel(model);
      const parts = { B: `W_Q${bits}`, scales: 'W_scales', ...(!symmetric && { zero_points: 'W_zero_points' }) };
      for (const [part, name] of Object.entries(parts))
        expect([name, sameBytes(dataOf(initializers.get(name))[2], dataOf(packed[part])[2])]).toEqual([name, true]);
      const files = await quantizeWeightsAsync(spiedSource(file).source, options);
      expect(files.report).toEqual(report);
      expect(sameBytes(await bytesOf(files.model), model)).toBe(true);
      expect(sameBytes(await placedBytes(files.model), model)).toBe(true);
    },
  );

  const pairs = [
    ['MatMul', { form: 'qdq', bits: 4, blockSize: 32 }, [1231, 1031]],
    ['MatMul', { form: 'qdq', bits: 4, blockSize: 64, symmetric: true }, [1031, 1031]],
    ['MatMul', { form: 'qdq', bits: 8, blockSize: 256, symmetric: true }, [19, 70001]],
    ['MatMul', { form: 'qdq', bits: 2, blockSize: 16 }, [19, 70001]],
    ['Gather', { blockSize: 32 }, [1031, 1031]],
    ['Gather', { blockSize: 16, symmetric: true }, [1, 1060001]],
  ];
  test.each(chooseSample(pairs, 3))('%s %j %j', async (operator, options, [rows, columns]) => {
    const file = weightsModel(operator, matrix(rows, columns), 25);
    const given = { ...options, ops: [operator] };
    const { model, report } = quantizeWeights(file, given);
    const files = await quantizeWeightsAsync(spiedSource(file).source, given);
    expect([files.report, report[0].packed]).toEqual([report, true]);
    expect(sameBytes(await bytesOf(files.model), model)).toBe(true);
    expect(sameBytes(await placedBytes(files.model), model)).toBe(true);
  });
});

describe('what is refused, before anything is written', () => {
  const good = () => weightsModel('MatMul', matrix(40, 5));

  test.each([NaN, Infinity, -Infinity])('weights that hold %s', async (value) => {
    const weights = matrix(40, 5);
    weights.data[199] = value;
    const file = weightsModel('MatMul', weights);
    const message = "quantizeWeightsAsync: weights 'W' must hold finite numbers, got NaN or an infinity";
    for (const form of ['matmulnbits', 'qdq'])
      await expectRejection(() => quantizeWeightsAsync(spiedSource(file).source, { form }), RangeError, message);
    const embeddings = weightsModel('Gather', weights);
    const call = () => quantizeWeightsAsync(new Blob([embeddings]), { ops: ['Gather'] });
    await expectRejection(call, RangeError, message);
  });

  const short = (bytes) => ({ byteLength: bytes.length, slice: (start, end) => bytes.slice(start, end - 1) });
  const sourceRule = 'a Uint8Array, an ArrayBuffer, a Blob, a FileHandle or { byteLength, slice }';
  const known = 'Known: bits, blockSize, symmetric, form, ops, include, exclude, external';
  rejects('quantizeWeightsAsync', quantizeWeightsAsync, {
    'TypeError: bytes must be a Uint8Array, got 5': [{ bytes: 5, initializers: new Map() }],
    'TypeError: entries must be a Map, got 5': [{ bytes: good(), initializers: 5 }],
    'RangeError: bits must be 2, 4 or 8, got 3': [new Blob([good()]), { bits: 3 }],
    'TypeError: onProgress must be a function, got 5': [new Blob([good()]), { onProgress: 5 }],
    'TypeError: signal must be an AbortSignal, got 5': [new Blob([good()]), { signal: 5 }],
    'TypeError: externalName must be a string, got 5': [new Blob([good()]), { externalName: 5 }],
    "RangeError: externalName must be a path inside the model's folder, got '../../a'": () =>
      quantizeWeightsAsync(new Blob([good()]), { externalName: '../../a' }),
    'RangeError: model must give 300 bytes from 0, got 299': [short(good())],
    'RangeError: model must import opset 21 or a newer one for qdq, got opset 20': () =>
      quantizeWeightsAsync(new Blob([weightsModel('MatMul', matrix(40, 5), 20)]), { form: 'qdq' }),
    "TypeError: tensor 'W' needs the option external for 'a.data', got undefined": () =>
      quantizeWeightsAsync(new Blob([weightsModel('MatMul', { ...outside, length: 800 })])),
    "RangeError: external 'a.data' must have 808 bytes, got 800": () =>
      quantizeWeightsAsync(new Blob([weightsModel('MatMul', outside)]), { external: () => new Uint8Array(800) }),
  });

  rejects('', {
    [`TypeError: quantizeWeightsAsync: model must be ${sourceRule}, got 5`]: () => quantizeWeightsAsync(5),
    [`TypeError: quantizeWeightsAsync: model must be ${sourceRule}, got null`]: () => quantizeWeightsAsync(null),
    [`TypeError: quantizeWeightsAsync: unknown option 'bit', did you mean 'bits'? ${known}, …`]: () =>
      quantizeWeightsAsync(new Blob([]), { bit: 4 }),
  });

  refuses('quantizeWeights', {
    'TypeError: model must be a Uint8Array, got an object': () => quantizeWeights(new Blob([good()])),
    [`TypeError: unknown option 'signal'. ${known}`]: () => quantizeWeights(good(), { signal: undefined }),
  });

  const outside = { type: 'float32', dims: [40, 5], location: 'a.data', offset: 8, length: 800 };

  test('a source that throws, and a signal', async () => {
    const bytes = good();
    const wrong = new Error('unplugged');
    const source = { byteLength: bytes.length, slice: () => Promise.reject(wrong) };
    await expect(quantizeWeightsAsync(source)).rejects.toBe(wrong);
    const end = new AbortController();
    const onProgress = ({ done, total }) => done === total && end.abort(wrong);
    const { model } = await quantizeWeightsAsync(new Blob([bytes]), { onProgress, signal: end.signal });
    await expect(bytesOf(model)).rejects.toBe(wrong);
    await expect(quantizeWeightsAsync(new Blob([bytes]), { signal: AbortSignal.abort(wrong) })).rejects.toBe(wrong);
  });

  test('a source that changes after it was checked', async () => {
    const bytes = good();
    const { model } = await quantizeWeightsAsync(spiedSource(bytes).source);
    const at = Buffer.from(bytes).indexOf(Buffer.from(matrix(40, 5).data.buffer));
    bytes.set([0, 0, 0xc0, 0x7f], at);
    const message = "quantizeWeightsAsync: weights 'W' must hold finite numbers, got NaN or an infinity";
    await expectRejection(() => bytesOf(model), RangeError, message);
    const cut = { byteLength: bytes.length, slice: (from, to) => good().slice(from, to - isShort) };
    let isShort = 0;
    const files = await quantizeWeightsAsync(cut);
    isShort = 1;
    const short = `quantizeWeightsAsync: model must give 800 bytes from ${at}, got 799`;
    await expectRejection(() => bytesOf(files.model), RangeError, short);
  });

  test('a signal ends the work on tensors in memory too', async () => {
    const wrong = new Error('enough');
    const { bytes } = await openModel(good());
    const opened = { bytes, initializers: new Map([['W', matrix(40, 5)]]) };
    await expect(quantizeWeightsAsync(opened, { signal: AbortSignal.abort(wrong) })).rejects.toBe(wrong);
  });

  test('progress over the weights, and then over the file', async () => {
    const steps = [];
    const onProgress = ({ done, total }) => steps.push([done, total]);
    const product = (weights) => ({ operator: 'MatMul', inputs: ['x', weights], outputs: [`${weights}y`] });
    const initializers = { W: matrix(40, 5), V: matrix(40, 5) };
    const file = modelOf({ nodes: [product('W'), product('V')], initializers });
    const { model } = await quantizeWeightsAsync(new Blob([file]), { onProgress });
    expect(steps.splice(0)).toEqual([
      [800, 1600],
      [1600, 1600],
    ]);
    await bytesOf(model);
    expect(steps.at(-1)).toEqual([model.byteLength, model.byteLength]);
  });
});
