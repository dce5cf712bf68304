/** Weights of models and matrices, packed with onnxruntime's bytes; and what is left, refused, and told. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dequantizeLinear, init, Tensor } from 'onnx-layout';
import { packMatMulNBits, quantizeWeights, unpackMatMulNBits } from 'onnx-layout/convert';
import { readModel, writeInitializers } from 'onnx-layout/io';
import { expectBytes, expectError, refuses } from '../../support/assertions.js';
import { modelOf } from '../../support/models.js';
import { modelFile, packingGoldens } from '../../support/quantize-goldens.js';

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

describe("models that went through onnxruntime's quantizer", () => {
  test('there are 144 models', () => expect(packingGoldens.length).toBe(144));

  describe.each([...new Set(packingGoldens.map(({ before, form }) => `${before} ${form}`))])('%s', (group) => {
    for (const { before, after, op, form, bits, block, symmetric } of packingGoldens.filter(
      (row) => `${row.before} ${row.form}` === group,
    ))
      test(`${bits} bits, blocks of ${block}, ${symmetric ? 'symmetric' : 'with zero points'}`, () => {
        const file = modelFile(before);
        const options = { bits, blockSize: block, symmetric, ops: [op], ...(op === 'MatMul' && { form }) };
        const { model, report } = quantizeWeights(file, options);
        expectSameModel(readModel(model), readModel(modelFile(after)), form);
        expect(report.every(({ packed }) => packed)).toBe(true);
      });
  });

  test('the report, what is left, and what else the names choose', () => {
    const file = modelFile('before/matmul-float32.onnx');
    const options = { blockSize: 16, include: ['matmul0', 'W1', 'matmul2'], exclude: ['W2'] };
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
    const file = modelFile('before/matmul-float32-batched.onnx');
    const w = new Tensor('float64', new Float64Array(70 * 5), [1, 70, 5]);
    const changed = writeInitializers(file, new Map([['W0', w]]));
    const { model, report } = quantizeWeights(changed);
    expect(report.map(({ why }) => why)).toEqual(['the weights are float64']);
    expectBytes(model, changed);
  });

  test('weights that are not finite are named', () => {
    const file = modelFile('before/matmul-float32.onnx');
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
      "unknown option 'bit', did you mean 'bits'? " +
        'Known: bits, blockSize, symmetric, form, ops, include, exclude, external',
    ],
    [RangeError, { bits: 3 }, 'bits must be 2, 4 or 8, got 3'],
    [RangeError, { blockSize: 48 }, 'blockSize must be 16, 32, 64, 128 or 256, got 48'],
    [RangeError, { form: 'qlinear' }, "form must be 'matmulnbits' or 'qdq', got 'qlinear'"],
    [RangeError, { ops: ['Gemm'] }, "ops must hold 'MatMul' or 'Gather', got 'Gemm'"],
    [RangeError, { ops: ['Gather'], bits: 8 }, 'bits must be 4 where ops has Gather, got 8'],
    [TypeError, { include: 'matmul0' }, "include must be an array of names, got 'matmul0'"],
    [TypeError, { exclude: [1] }, 'exclude must be an array of names, got [1]'],
    [RangeError, { form: 'qdq', bits: 2 }, 'model must import opset 25 or a newer one for qdq, got opset 21'],
  ])('refuses %#', (Class, options, message) => {
    const call = () => quantizeWeights(modelFile('before/matmul-float32.onnx'), options);
    expectError(call, Class, `quantizeWeights: ${message}`);
  });
});

describe('what is replaced', () => {
  const matrix = (...dims) => new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(0.5), dims);
  const product = (more) => ({ name: 'n', operator: 'MatMul', inputs: ['x', 'W'], outputs: ['y'], ...more });
  const lookup = (more) => ({ name: 'g', operator: 'Gather', inputs: ['W', 'i'], outputs: ['z'], ...more });
  const modelWith = (nodes, W = matrix(16, 3), more = {}) => modelOf({ nodes, initializers: { W }, ...more });
  const ops = ['MatMul', 'Gather'];

  test.each([
    ['the weights are no initializer', modelWith([product({ inputs: ['x', 'V'] })])],
    ['the weights are no initializer', modelWith([product({ inputs: ['x'] })])],
    [
      'the weights are an input of the graph',
      modelWith([product()], undefined, { inputs: { W: ['float32', [16, 3]] } }),
    ],
    ['the weights have dims [16]', modelWith([product()], matrix(16))],
    ['the weights have dims [2, 16, 3]', modelWith([product()], matrix(2, 16, 3))],
    ['the weights are empty', modelWith([product()], matrix(0, 3))],
    ['the weights are float64', modelWith([product()], new Tensor('float64', new Float64Array(16), [16, 1]))],
    ['the weights have 3 axes, and the first input may have fewer', modelWith([product()], matrix(1, 16, 3))],
    [
      'the weights have 3 axes, and the first input may have fewer',
      modelWith([product()], matrix(1, 16, 3), { inputs: { x: ['float32', ['n', 16]] } }),
    ],
    ['the axis is not 0', modelWith([lookup({ attributes: { axis: 1 } })])],
    ['the weights have 3 axes', modelWith([lookup()], matrix(1, 16, 3))],
    ['the weights are bfloat16', modelWith([lookup()], new Tensor('bfloat16', new Uint16Array(16), [16, 1]))],
  ])('not where %s', (why, file) => {
    const { model, report } = quantizeWeights(file, { ops });
    expect(report.map((row) => [row.packed, row.why])).toEqual([[false, why]]);
    expectBytes(model, file);
  });

  test('a first input of enough axes, an axis that is said, and empty embeddings', () => {
    const inputs = { x: ['float32', [1, 'n', 16]] };
    expect(quantizeWeights(modelWith([product()], matrix(1, 16, 3), { inputs })).report[0].packed).toBe(true);
    const [row] = quantizeWeights(modelWith([lookup({ attributes: { axis: 0 } })], matrix(0, 3)), { ops }).report;
    expect([row.packed, row.rms, row.after]).toEqual([true, 0, 0]);
  });

  test.each(['matmulnbits', 'qdq'])('the error of %s', (form) => {
    // The scale is 1: all but a quarter are whole.
    const weights = Tensor.from('float32', [-8, 0.25, ...new Array(14).fill(3)], [16, 1]);
    const { report } = quantizeWeights(modelWith([product()], weights), { blockSize: 16, symmetric: true, form });
    expect(report.map(({ rms }) => rms)).toEqual([Math.sqrt(0.25 ** 2 / 16)]);
  });

  test('not where the data has another length', async () => {
    const file = Buffer.from(modelWith([product()], matrix(16, 1)));
    const dims = file.indexOf(Uint8Array.of(0x08, 16, 0x08, 1));
    file[dims + 1] = 17;
    const message = "quantizeWeights: tensor 'W' must have 68 bytes for float32 [17, 1], got 64";
    expectError(() => quantizeWeights(file), RangeError, message);
  });

  test('weights that nodes share, of nodes without names', () => {
    const second = product({ name: '', inputs: ['y', 'W'], outputs: ['z'] });
    const facts = (form) => {
      const { nodes, initializers } = readModel(quantizeWeights(modelWith([product(), second]), { form }).model);
      return [nodes.map(({ name, operator, inputs }) => [name, operator, ...inputs]), [...initializers.keys()]];
    };
    expect(facts('matmulnbits')).toEqual([
      [
        ['n_Q4', 'MatMulNBits', 'x', 'W_Q4', 'W_scales', 'W_zero_points'],
        ['', 'MatMulNBits', 'y', 'W_Q4', 'W_scales', 'W_zero_points'],
      ],
      ['W_Q4', 'W_scales', 'W_zero_points'],
    ]);
    expect(facts('qdq')[0]).toEqual([
      ['n_DQ_Q4', 'DequantizeLinear', 'W_DQ_Q4', 'W_DQ_scales', 'W_DQ_zero_points'],
      ['n_matmul_Q4', 'MatMul', 'x', 'W_DQ_Q4_output'],
      ['', 'MatMul', 'y', 'W_DQ_Q4_output'],
    ]);
  });

  test('weights that something else uses stay', () => {
    const kept = (...nodes) =>
      [...readModel(quantizeWeights(modelWith(nodes)).model).initializers.keys()].includes('W');
    const other = { operator: 'Identity', inputs: ['W'], outputs: ['z'] };
    expect([kept(product()), kept(product(), other)]).toEqual([false, true]);
    const outputs = { W: ['float32', [16, 3]] };
    const shown = readModel(quantizeWeights(modelWith([product()], undefined, { outputs })).model);
    expect(shown.initializers.has('W')).toBe(true);
  });

  test('names that are there already', () => {
    const namesOf = (nodes, options, more) => {
      const file = modelOf({ nodes, initializers: { W: matrix(16, 3) }, ...more });
      return readModel(quantizeWeights(file, options).model).nodes.flatMap(({ inputs }) => inputs.slice(1));
    };
    const second = ['W_1_Q4', 'W_1_scales', 'W_1_zero_points'];
    expect(namesOf([product()], {}, { initializers: { W: matrix(16, 3), W_scales: matrix(1) } })).toEqual(second);
    expect(namesOf([product({ outputs: ['W_Q4'] })])).toEqual(second);
    expect(namesOf([product()], {}, { inputs: { W_Q4: ['float32', []] } })).toEqual(second);
    expect(namesOf([product(), lookup()], { ops })).toEqual([
      ...['W_Q4', 'W_scales', 'W_zero_points'],
      ...['i', 'W_1_scales', 'W_1_zero_points'],
    ]);
    expect(namesOf([product({ outputs: ['W_DQ_Q4_output'] })], { form: 'qdq' })).toEqual([
      ...['W_DQ_scales', 'W_DQ_zero_points'],
      'W_DQ_Q4_output_1',
    ]);
  });

  test('one import, a new enough IR version, and a graph in two messages', () => {
    const imported = modelWith([product()], undefined, { microsoft: true, ir: 8 });
    const facts = ({ model }) => [
      readModel(model).irVersion,
      Buffer.from(model).toString('latin1').split('com.microsoft').length,
    ];
    // A node and an import.
    expect([facts(quantizeWeights(imported)), facts(quantizeWeights(imported, { form: 'qdq' }))]).toEqual([
      [8, 3],
      [10, 2],
    ]);
    const more = modelOf({ nodes: [product({ name: 'm', outputs: ['q'] })] });
    const twice = new Uint8Array(Buffer.concat([modelWith([product()]), more]));
    const { nodes, initializers } = readModel(quantizeWeights(twice).model);
    expect(nodes.map(({ name, operator }) => [name, operator])).toEqual([
      ['n_Q4', 'MatMulNBits'],
      ['m_Q4', 'MatMulNBits'],
    ]);
    expect([...initializers.keys()]).toEqual(['W_Q4', 'W_scales', 'W_zero_points']);
    expect(Buffer.from(quantizeWeights(twice).model).toString('latin1').split('W_scales').length).toBe(4);
  });

  test('Gather where it is asked for alone', () => expect(quantizeWeights(modelWith([lookup()])).report).toEqual([]));
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
      const packed = packMatMulNBits(w, { bits, blockSize: block, symmetric });
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

  test.each(['float32', 'float16'])('more columns of %s than fit side by side', (type) => {
    const [K, N, times] = [256, 100, 120];
    const w = weights(K, N, type);
    const wide = new w.data.constructor(K * N * times);
    for (let row = 0; row < K; row++)
      for (let i = 0; i < times; i++) wide.set(w.data.subarray(row * N, (row + 1) * N), (row * times + i) * N);
    const options = { bits: 8, blockSize: 256 };
    const [part, all] = [w, new Tensor(type, wide, [K, N * times])].map((matrix) => packMatMulNBits(matrix, options));
    for (const name of ['B', 'scales', 'zero_points']) {
      const repeated = Buffer.concat(new Array(times).fill(bytesOf(part[name])));
      expect([name, repeated.equals(bytesOf(all[name]))]).toEqual([name, true]);
    }
  });

  test('a code of 4 bits is what DequantizeLinear gives', () => {
    const { B, scales } = packMatMulNBits(weights(16, 1), { blockSize: 16, symmetric: true });
    const codes = new Tensor('uint4', B.data, [16]);
    const eight = new Tensor('uint4', Uint8Array.of(8), []);
    const back = dequantizeLinear(codes, new Tensor('float32', scales.data, []), eight);
    expect(back.data).toEqual(unpackMatMulNBits({ B, scales, K: 16, N: 1, bits: 4, block_size: 16 }).data);
  });

  test('a half goes up after the zero point is added, and a zero point of no block is the middle', () => {
    const own = Tensor.from('float32', [-8, -2.5, ...new Array(14).fill(0)], [16, 1]);
    const { B, scales } = packMatMulNBits(own, { blockSize: 16, symmetric: true });
    expect([[...B.data], [...scales.data]]).toEqual([[0x60, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88], [1]]);
    const positive = Tensor.from(
      'float32',
      Array.from({ length: 16 }, (_, i) => i),
      [16, 1],
    );
    expect([...packMatMulNBits(positive, { blockSize: 16 }).zero_points.data]).toEqual([0x80]);
  });

  test('an empty matrix', () => {
    expect(unpackMatMulNBits(packMatMulNBits(weights(0, 3))).dims).toEqual([0, 3]);
    expect(unpackMatMulNBits(packMatMulNBits(weights(3, 0))).dims).toEqual([3, 0]);
  });

  const good = () => packMatMulNBits(weights(20, 2), { blockSize: 16 });
  refuses('packMatMulNBits', packMatMulNBits, {
    'TypeError: weights must be float32, float16 or bfloat16, got float64': [weights(2, 2, 'float64')],
    'RangeError: weights must have two axes, got dims [2]': [new Tensor('float32', new Float32Array(2))],
    'RangeError: weights must hold finite numbers, got NaN or an infinity': [Tensor.from('float32', [1, NaN], [2, 1])],
    'RangeError: bits must be 2, 4 or 8, got 5': [weights(2, 2), { bits: 5 }],
  });

  refuses('unpackMatMulNBits', {
    'TypeError: packedWeights must be an object, got 5': () => unpackMatMulNBits(5),
    'RangeError: B dims must be [2, 3, 8], got [2, 2, 8]': () => unpackMatMulNBits({ ...good(), K: 40 }),
    'RangeError: N must be a whole number from 0, got -1': () => unpackMatMulNBits({ ...good(), N: -1 }),
    'TypeError: scales must be float32 or float16 or bfloat16, got float64': () =>
      unpackMatMulNBits({ ...good(), scales: weights(2, 2, 'float64') }),
  });
});
