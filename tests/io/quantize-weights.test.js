/** Weights of models and matrices, packed with onnxruntime's bytes; and what is left, refused, and told. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dequantizeLinear, init, Tensor } from 'onnx-layout';
import { packMatMulNBits, quantizeWeights, readModel, unpackMatMulNBits, writeInitializers } from 'onnx-layout/io';
import { expectError } from '../support/assertions.js';
import { where } from '../support/programs.js';
import { goldenFile, hasQuantizeGoldens, packingGoldens } from '../support/quantize-goldens.js';

beforeAll(() => init());

const bytesOf = ({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** The bytes of B with the fields of no element as 0: onnxruntime leaves there what it had. */
function elementsOf(tensor, { K, bits }) {
  const bytes = bytesOf(tensor).slice();
  const [columns, blocks, blob] = tensor.dims;
  const perByte = 8 / bits;
  for (let column = 0; column < columns; column++)
    for (let k = K; k < blocks * blob * perByte; k++) {
      const at = column * blocks * blob + Math.floor(k / perByte);
      bytes[at] &= ~((2 ** bits - 1) << (bits * (k % perByte)));
    }
  return bytes;
}

const nodeFacts = ({ name, operator, domain, inputs, outputs, attributes }) => ({
  ...{ name, operator, domain, count: inputs.length, outputs, attributes: Object.fromEntries(attributes) },
});

function expectSameModel(actual, wanted, form) {
  expect([actual.irVersion, [...actual.opsets]]).toEqual([wanted.irVersion, [...wanted.opsets]]);
  expect(actual.nodes.map(nodeFacts)).toEqual(wanted.nodes.map(nodeFacts));
  expect(actual.initializers.size).toBe(wanted.initializers.size);
  wanted.nodes.forEach((node, i) => {
    node.inputs.forEach((name, k) => {
      const theirs = wanted.initializers.get(name);
      const ours = actual.initializers.get(actual.nodes[i].inputs[k]);
      expect([name, ours?.type, ours?.dims]).toEqual([name, theirs?.type, theirs?.dims]);
      if (!theirs) return;
      const isB = form === 'matmulnbits' && k === 1;
      const facts = Object.fromEntries(node.attributes);
      const same = isB
        ? Buffer.from(elementsOf(ours, facts)).equals(elementsOf(theirs, facts))
        : Buffer.from(bytesOf(ours)).equals(bytesOf(theirs));
      expect([name, same]).toEqual([name, true]);
    });
  });
}

where(hasQuantizeGoldens, '../shared/quantize-goldens', () => {
  const rows = hasQuantizeGoldens ? packingGoldens() : [];

  test('there are 144 models', () => expect(rows.length).toBe(144));

  describe.each([...new Set(rows.map(({ before, form }) => `${before} ${form}`))])('%s', (group) => {
    for (const { before, after, op, form, bits, block, symmetric } of rows.filter(
      (row) => `${row.before} ${row.form}` === group,
    ))
      test(`${bits} bits, blocks of ${block}, ${symmetric ? 'symmetric' : 'with zero points'}`, () => {
        const file = goldenFile(before);
        const options = { bits, block, symmetric, ops: [op], ...(op === 'MatMul' && { form }) };
        const { model, report } = quantizeWeights(file, options);
        expectSameModel(readModel(model), readModel(goldenFile(after)), form);
        expect(report.every(({ packed }) => packed)).toBe(true);
      });
  });

  test('the report, what is left, and what else the names choose', () => {
    const file = goldenFile('before/matmul-float32.onnx');
    const options = { block: 16, include: ['matmul0', 'W1', 'matmul2'], exclude: ['W2'] };
    const { model, report } = quantizeWeights(file, options);
    expect(report.slice(0, 4).map(({ rms, ...row }) => ({ ...row, isClose: rms < 0.01 }))).toEqual([
      {
        ...{ node: 'matmul0', operator: 'MatMul', weights: 'W0', packed: true, before: 1400 },
        ...{ after: 200 + 100 + 15, isClose: true },
      },
      {
        ...{ node: 'matmul1', operator: 'MatMul', weights: 'W1', packed: true, before: 2048 },
        ...{ after: 256 + 128 + 16, isClose: false },
      },
      { node: 'matmul2', operator: 'MatMul', weights: 'W2', packed: false, why: 'excluded', isClose: false },
      { node: 'matmul3', operator: 'MatMul', weights: 'W3', packed: false, why: 'not included', isClose: false },
    ]);
    const { initializers, nodes } = readModel(model);
    expect([initializers.has('W0'), initializers.has('W2')]).toEqual([false, true]);
    expect(nodes.slice(0, 3).map(({ operator }) => operator)).toEqual(['MatMulNBits', 'MatMulNBits', 'MatMul']);
  });

  test('a model of float64 weights is left as it is', () => {
    const file = goldenFile('before/matmul-float32-batched.onnx');
    const w = new Tensor('float64', new Float64Array(70 * 5), [1, 70, 5]);
    const changed = writeInitializers(file, new Map([['W0', w]]));
    const { model, report } = quantizeWeights(changed);
    expect(report.map(({ why }) => why)).toEqual(['the weights are float64']);
    expect(Buffer.from(model).equals(changed)).toBe(true);
  });

  test('weights that are not finite are named', () => {
    const file = goldenFile('before/matmul-float32.onnx');
    const { data, dims } = readModel(file).initializers.get('W1');
    for (const value of [NaN, Infinity, -Infinity]) {
      const own = Float32Array.from(data);
      own[own.length - 1] = value;
      const changed = writeInitializers(file, new Map([['W1', new Tensor('float32', own, dims)]]));
      for (const form of ['matmulnbits', 'qdq'])
        expectError(
          () => quantizeWeights(changed, { form }),
          RangeError,
          "quantizeWeights: weights 'W1' must hold finite numbers, got NaN or an infinity",
        );
    }
  });

  test.each([
    [
      TypeError,
      { bit: 4 },
      "unknown option 'bit', did you mean 'bits'? Known: bits, block, symmetric, form, ops, include, exclude, external",
    ],
    [RangeError, { bits: 3 }, 'bits must be 2, 4 or 8, got 3'],
    [RangeError, { block: 48 }, 'block must be 16, 32, 64, 128 or 256, got 48'],
    [RangeError, { form: 'qlinear' }, "form must be 'matmulnbits' or 'qdq', got 'qlinear'"],
    [RangeError, { ops: ['Gemm'] }, "ops must hold 'MatMul' or 'Gather', got 'Gemm'"],
    [RangeError, { ops: ['Gather'], bits: 8 }, 'bits must be 4 where ops has Gather, got 8'],
    [TypeError, { include: 'matmul0' }, "include must be an array of names, got 'matmul0'"],
    [TypeError, { exclude: [1] }, 'exclude must be an array of names, got [1]'],
    [RangeError, { form: 'qdq', bits: 2 }, 'model must import opset 25 or a newer one for qdq, got opset 21'],
  ])('refuses %#', (Class, options, message) => {
    const call = () => quantizeWeights(goldenFile('before/matmul-float32.onnx'), options);
    expectError(call, Class, `quantizeWeights: ${message}`);
  });
});

describe('one matrix', () => {
  const weights = (K, N, type = 'float32') =>
    Tensor.from(
      type,
      Array.from({ length: K * N }, (_, i) => Math.sin(i * 1.7)),
      [K, N],
    );

  test.each([
    [2, 16, 40, 3, 'float32'],
    [4, 32, 33, 5, 'float16'],
    [8, 64, 130, 9, 'bfloat16'],
    [4, 256, 300, 4000, 'float32'],
  ])('%i bits, blocks of %i, [%i, %i] of %s', (bits, block, K, N, type) => {
    const w = weights(K, N, type);
    for (const symmetric of [true, false]) {
      const packed = packMatMulNBits(w, { bits, block, symmetric });
      const back = unpackMatMulNBits(packed);
      expect([back.type, back.dims, 'zero_points' in packed]).toEqual([type, [K, N], !symmetric]);
      const scales = packed.scales.toArray();
      const most = Math.max(...scales.slice(0, 1000).map(Math.abs));
      const values = w.toArray();
      const worst = Math.max(
        ...back
          .toArray()
          .slice(0, 5000)
          .map((value, i) => Math.abs(value - values[i])),
      );
      // A scale of bfloat16 is rounded after it was used.
      const rounded = type === 'bfloat16' ? 2 ** (bits - 8) : 0;
      expect(worst).toBeLessThanOrEqual(most * ((symmetric ? 1.02 : 0.52) + rounded));
    }
  });

  test('a code of 4 bits is what DequantizeLinear gives', () => {
    const { B, scales } = packMatMulNBits(weights(16, 1), { block: 16, symmetric: true });
    const codes = new Tensor('uint4', B.data, [16]);
    const eight = new Tensor('uint4', Uint8Array.of(8), []);
    const back = dequantizeLinear(codes, new Tensor('float32', scales.data, []), eight);
    expect(back.data).toEqual(unpackMatMulNBits({ B, scales, K: 16, N: 1, bits: 4, block_size: 16 }).data);
  });

  test('a half goes up after the zero point is added, and a zero point of no block is the middle', () => {
    const own = Tensor.from('float32', [-8, -2.5, ...new Array(14).fill(0)], [16, 1]);
    const { B, scales } = packMatMulNBits(own, { block: 16, symmetric: true });
    expect([[...B.data], [...scales.data]]).toEqual([[0x60, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88], [1]]);
    const positive = Tensor.from(
      'float32',
      Array.from({ length: 16 }, (_, i) => i),
      [16, 1],
    );
    expect([...packMatMulNBits(positive, { block: 16 }).zero_points.data]).toEqual([0x80]);
  });

  test('an empty matrix', () => {
    expect(unpackMatMulNBits(packMatMulNBits(weights(0, 3))).dims).toEqual([0, 3]);
    expect(unpackMatMulNBits(packMatMulNBits(weights(3, 0))).dims).toEqual([3, 0]);
  });

  const good = () => packMatMulNBits(weights(20, 2), { block: 16 });
  test.each([
    [
      TypeError,
      () => packMatMulNBits(weights(2, 2, 'float64')),
      'packMatMulNBits: weights must be float32, float16 or bfloat16, got float64',
    ],
    [
      RangeError,
      () => packMatMulNBits(new Tensor('float32', new Float32Array(2))),
      'packMatMulNBits: weights must have two axes, got dims [2]',
    ],
    [
      RangeError,
      () => packMatMulNBits(Tensor.from('float32', [1, NaN], [2, 1])),
      'packMatMulNBits: weights must hold finite numbers, got NaN or an infinity',
    ],
    [RangeError, () => packMatMulNBits(weights(2, 2), { bits: 5 }), 'packMatMulNBits: bits must be 2, 4 or 8, got 5'],
    [TypeError, () => unpackMatMulNBits(5), 'unpackMatMulNBits: packedWeights must be an object, got 5'],
    [
      RangeError,
      () => unpackMatMulNBits({ ...good(), K: 40 }),
      'unpackMatMulNBits: B dims must be [2, 3, 8], got [2, 2, 8]',
    ],
    [
      RangeError,
      () => unpackMatMulNBits({ ...good(), N: -1 }),
      'unpackMatMulNBits: N must be a whole number from 0, got -1',
    ],
    [
      TypeError,
      () => unpackMatMulNBits({ ...good(), scales: weights(2, 2, 'float64') }),
      'unpackMatMulNBits: scales must be float32 or float16 or bfloat16, got float64',
    ],
  ])('refuses %#', (Class, call, message) => expectError(call, Class, message));
});
