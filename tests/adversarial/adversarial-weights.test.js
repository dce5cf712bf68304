/**
 * Packed weights: models, tensors and options that lie, change or ask for too much, for the functions that pack and
 * unpack, and for the operators of quantization. `CORRUPTIONS=100000` makes as many of each model.
 */
import { describe, expect, test } from '@jest/globals';
import { dequantizeLinear, init, quantizeLinear, Tensor } from 'onnx-layout';
import {
  dequantizeWeights,
  dequantizeWeightsAsync,
  packMatMulNBits,
  quantizeWeights,
  quantizeWeightsAsync,
  unpackMatMulNBits,
} from 'onnx-layout/convert';
import { expectError, expectRejection } from '../support/assertions.js';
import { modelOf, weightsModel } from '../support/models.js';
import { generator } from '../support/samples.js';
import { bytesOf } from '../weights/files.js';
import { changingViews, otherRealm, goodViews } from './adversarial.js';
import { corruptions } from './corrupt.js';

// Tables of tests have packed weights.
await init();

const count = Number(process.env.CORRUPTIONS ?? 700);
const matrix = (rows, columns) =>
  new Tensor(
    'float32',
    Float32Array.from({ length: rows * columns }, (_, i) => i % 7),
    [rows, columns],
  );
const plain = weightsModel('MatMul', matrix(20, 3), 25);
const embeddings = weightsModel('Gather', matrix(5, 20), 25);
const small = { blockSize: 16 };
const models = {
  quantize: [plain, embeddings],
  dequantize: [
    quantizeWeights(plain, small).model,
    quantizeWeights(plain, { ...small, form: 'qdq' }).model,
    quantizeWeights(embeddings, { ...small, ops: ['Gather'] }).model,
  ],
};
const quantizeCall = (quantize) => (model, which, more) =>
  quantize(model, { ...small, ops: [['MatMul'], ['Gather']][which], ...more });
const dequantizeCall = (dequantize) => (model, _, more) => dequantize(model, more);
const calls = { quantize: quantizeCall(quantizeWeights), dequantize: dequantizeCall(dequantizeWeights) };
const asyncCalls = { quantize: quantizeCall(quantizeWeightsAsync), dequantize: dequantizeCall(dequantizeWeightsAsync) };
const source = (bytes) => ({ byteLength: bytes.length, slice: (from, to) => bytes.slice(from, to) });

describe.each(Object.keys(calls))('%s', (name) => {
  const [file] = models[name];
  const call = (bytes) => calls[name](bytes, 0).model;
  const expected = call(file);

  test.each(Object.entries(goodViews).filter(([kind]) => !kind.includes('follows')))(
    'takes bytes %s',
    async (_, make) => {
      const bytes = make(Uint8Array, file.length);
      Uint8Array.prototype.set.call(bytes, file);
      expect(call(bytes)).toEqual(expected);
      expect(file.every((byte, i) => bytes[i] === byte)).toBe(true);
    },
  );

  test.each(changingViews.filter(([, , , left]) => left(2) === 0))('refuses bytes that were %s', (_, make, change) => {
    const bytes = make(Uint8Array, file.length);
    change(bytes);
    const message = `${name}Weights: model must be an ONNX model, got an empty file of 0 bytes`;
    expect(() => call(bytes)).toThrow(new RangeError(message));
    expect(call(file)).toEqual(expected);
  });

  test.each([
    [5, '5'],
    [null, 'null'],
    ['model.onnx', "'model.onnx'"],
    [[], 'Array'],
    [new Float32Array(4), 'Float32Array'],
    [{ byteLength: 5 }, 'an object'],
    [{ bytes: file }, 'an object'],
  ])('refuses %p', async (model, shown) => {
    const kinds = 'a Uint8Array, an ArrayBuffer, a Blob, a FileHandle or { byteLength, slice }';
    const message = `${name}WeightsAsync: model must be ${kinds}, got ${shown}`;
    await expectRejection(() => asyncCalls[name](model, 0), TypeError, message);
  });

  test.each([
    [TypeError, { bytes: file, initializers: {} }, 'entries must be a Map, got an object'],
    [TypeError, { bytes: file, initializers: new Map([[5, matrix(1, 1)]]) }, 'names must be strings, got 5'],
    [
      TypeError,
      { bytes: file, initializers: new Map([['W', 5]]) },
      "entry 'W' must be a tensor { type, dims, data }, got 5",
    ],
    [TypeError, { bytes: [...file], initializers: new Map() }, 'bytes must be a Uint8Array, got Array'],
    [RangeError, { byteLength: -1, slice() {} }, 'model.byteLength must be a whole number from 0, got -1'],
    [RangeError, { byteLength: 2 ** 50, slice: () => new Uint8Array(0) }, 'model must give 300 bytes from 0, got 0'],
  ])('refuses %p', (Class, model, message) =>
    expectRejection(() => asyncCalls[name](model, 0), Class, `${name}WeightsAsync: ${message}`),
  );

  test('a model whose initializers are in a Map of another realm', async () => {
    const { model } = await asyncCalls[name]({ bytes: modelOf({ nodes: [] }), initializers: new otherRealm.Map() }, 0);
    expect((await bytesOf(model)).length).toBeGreaterThan(0);
  });

  const ours = new RegExp(`^${name}Weights(Async)?: `);
  /** Errors of the package, and nothing else, in reasonable time. */
  async function tryOne(bytes, which, tally) {
    for (const [give, given] of [
      [calls[name], bytes],
      [asyncCalls[name], source(bytes)],
    ])
      try {
        const { model } = await give(given, which, { external: () => new Uint8Array(16) });
        if (given !== bytes) await bytesOf(model);
        tally.results++;
      } catch (error) {
        const isOurs = error.constructor === RangeError || error.constructor === TypeError;
        if (!isOurs || !ours.test(error.message) || error.message.length > 1000)
          throw new Error(`on ${Buffer.from(bytes).toString('hex')}: ${error.stack}`, { cause: error });
        tally.errors++;
      }
  }

  test('truncated at every byte', async () => {
    const tally = { results: 0, errors: 0 };
    for (const [i, bytes] of models[name].entries())
      for (let length = 0; length < bytes.length; length++) await tryOne(bytes.slice(0, length), i, tally);
    expect(tally.errors).toBeGreaterThan(tally.results);
  });

  test(`${count} seeded corruptions`, async () => {
    const random = generator(5);
    const tally = { results: 0, errors: 0 };
    for (const [bytes, which] of corruptions(models[name], count, random)) await tryOne(bytes, which, tally);
    expect(tally.results + tally.errors).toBe(2 * count);
    expect(Math.min(tally.results, tally.errors)).toBeGreaterThan(count / 100);
  }, 3_600_000);
});

describe('unpackMatMulNBits', () => {
  const packed = packMatMulNBits(matrix(20, 3), small);
  const call = (more) => unpackMatMulNBits({ ...packed, ...more });
  const good = call();

  test.each([
    [TypeError, { K: '20' }, "K must be a number or a bigint, got '20'"],
    [RangeError, { K: 1.5 }, 'K must be a whole number, got 1.5'],
    [RangeError, { N: NaN }, 'N must be a whole number, got NaN'],
    [RangeError, { N: -0.5 }, 'N must be a whole number, got -0.5'],
    [RangeError, { K: 2n ** 60n }, 'K must be a whole number from 0, got 1152921504606846976'],
    [RangeError, { K: 2 ** 53 - 1 }, 'B dims must be [3, 562949953421312, 8], got [3, 2, 8]'],
    [RangeError, { bits: 1 }, 'bits must be 2, 4 or 8, got 1'],
    [RangeError, { bits: 2 }, 'B dims must be [3, 2, 4], got [3, 2, 8]'],
    [RangeError, { block_size: 0 }, 'block_size must be 16, 32, 64, 128 or 256, got 0'],
    [TypeError, { B: null }, 'B must be a tensor { type, dims, data }, got null'],
    [TypeError, { B: { ...packed.B, type: 'int8', data: new Int8Array(48) } }, 'B must be uint8, got int8'],
    [
      RangeError,
      { scales: { ...packed.scales, data: new Float32Array(5) } },
      'float32 data of dims [3, 2] has 6 entries, got 5',
    ],
    [
      RangeError,
      { zero_points: { ...packed.zero_points, dims: [1, 3] } },
      'zero_points dims must be [3, 1], got [1, 3]',
    ],
  ])('refuses %p %j', (Class, more, rule) => {
    if (rule === undefined) expect(() => call(more)).toThrow(TypeError);
    else expectError(() => call(more), Class, `unpackMatMulNBits: ${rule}`);
    expect(call()).toEqual(good);
  });

  test.each(changingViews)('refuses a B that was %s', (_, make, change, left) => {
    const data = make(Uint8Array, 48);
    change(data);
    const dims = [3, 2, 8];
    const rule = `uint8 data of dims [3, 2, 8] has 48 bytes, got ${left(48)}`;
    expectError(() => call({ B: { type: 'uint8', data, dims } }), RangeError, `unpackMatMulNBits: ${rule}`);
  });

  test('takes tensors in any memory', () => {
    for (const make of Object.values(goodViews)) {
      const data = make(Uint8Array, 48);
      Uint8Array.prototype.set.call(data, packed.B.data);
      expect(call({ B: { type: 'uint8', data, dims: [3, 2, 8] } })).toEqual(good);
    }
  });
});

describe('parameters of quantization', () => {
  const x = matrix(2, 4);
  const codes = new Tensor('uint8', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), [2, 4]);
  const scale = (dims) => new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(0.5), dims);
  const operators = [
    ['QuantizeLinear-28', 'y', (own, zero, options) => quantizeLinear(x, own, zero, options)],
    ['DequantizeLinear-28', 'x', (own, zero, options) => dequantizeLinear(codes, own, zero, options)],
  ];

  test.each(operators)('of %s', (prefix, of, call) => {
    const good = call(scale([2, 2]), undefined, { axis: 1, block_size: 2 });
    for (const [Class, own, zero, options, rule] of [
      [RangeError, scale([4]), undefined, { axis: 2 }, 'axis must be in [-2, 1], got 2'],
      [RangeError, scale([4]), undefined, { axis: 2n ** 40n }, 'axis must be in [-2, 1], got 1099511627776'],
      [TypeError, scale([4]), undefined, { axis: '1' }, "axis must be a number or a bigint, got '1'"],
      [RangeError, scale([2, 2]), undefined, { axis: 1, block_size: -1 }, undefined],
      [RangeError, scale([2, 2]), undefined, { axis: 1, block_size: 2n ** 63n - 1n }, undefined],
      [RangeError, scale([2, 2]), undefined, { axis: 1, block_size: 0 }, undefined],
      [RangeError, scale([5]), undefined, { axis: 1 }, undefined],
      [RangeError, scale([0]), undefined, { axis: 1 }, undefined],
      [RangeError, scale([2 ** 20]), undefined, { axis: 1 }, undefined],
      [TypeError, null, undefined, {}, `${of}_scale must be a tensor { type, dims, data }, got null`],
      [TypeError, scale([]), 5, {}, `${of}_zero_point must be a tensor { type, dims, data }, got 5`],
      [RangeError, scale([4]), new Tensor('uint8', new Uint8Array(5), [5]), { axis: 1 }, undefined],
    ]) {
      let thrown;
      try {
        call(own, zero, options);
      } catch (error) {
        thrown = error;
      }
      expect([options, thrown?.constructor, thrown?.message.startsWith(`${prefix}: `)]).toEqual([options, Class, true]);
      if (rule) expect(thrown.message).toBe(`${prefix}: ${rule}`);
      expect(call(scale([2, 2]), undefined, { axis: 1, block_size: 2 })).toEqual(good);
    }
  });

  test.each(operators)('scales of %s whose memory goes', (prefix, of, call) => {
    const callWith = (data, dims) => () => call({ type: 'float32', data, dims }, undefined, { axis: 1, block_size: 2 });
    for (const [, make, change, left] of changingViews) {
      const data = make(Float32Array, 4);
      change(data);
      const rule = `float32 data of dims [2, 2] has 4 entries, got ${left(4)}`;
      expectError(callWith(data, [2, 2]), RangeError, `${prefix}: ${rule}`);
    }
  });
});
