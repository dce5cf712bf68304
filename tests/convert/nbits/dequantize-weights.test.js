/** Packed weights of models, unpacked again: against onnxruntime's packed models, and in files of any size. */
import { describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import * as convert from 'onnx-layout/convert';
import { readModel, runModel } from 'onnx-layout/io';
import { refuses, rejects } from '../../support/assertions.js';
import { modelOf, weightsModel } from '../../support/models.js';
import { modelFile, packingGoldens } from '../../support/quantize-goldens.js';
import { chooseSample } from '../../support/sample.js';
import { bytesOf, spiedSource } from '../../weights/files.js';

// Tables of tests have packed weights.
await init();

const sameBytes = (a, b) => Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(b);
const rawOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** The bytes of a file in the making, by the places of its parts. */
async function placedBytes(saved) {
  const bytes = new Uint8Array(saved.byteLength);
  for await (const write of saved.writes()) bytes.set(write.bytes, write.at);
  return bytes;
}

/** The code at an index of packed bytes, low bits first. */
const codeAt = (bytes, bits, index) =>
  (bytes[Math.floor((index * bits) / 8)] >> ((index * bits) % 8)) & (2 ** bits - 1);

/** The weights of a node of a packed model, element by element. */
function weightsOf(node, initializers) {
  const [codes, scales, zeros] = (
    node.operator === 'GatherBlockQuantized'
      ? [0, 2, 3]
      : [0, 1, 2].map((i) => (node.operator === 'MatMulNBits' ? i + 1 : i))
  ).map((i) => initializers.get(node.inputs[i]));
  const block = node.attributes.get('block_size');
  const factors = scales.toArray();
  const isNBits = node.operator === 'MatMulNBits';
  const dims = isNBits ? [node.attributes.get('K'), node.attributes.get('N')] : codes.dims;
  const [rows, columns] = dims;
  const bits = node.attributes.get('bits') ?? 4;
  const [count, bytes, blob] = isNBits ? [codes.dims[1], zeros?.dims[1], codes.dims[2]] : [];
  const plain = isNBits ? undefined : [codes.toArray(), zeros?.toArray()];
  const axis = node.operator === 'DequantizeLinear' ? 0 : 1;
  const numbers = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (isNBits) {
        const at = Math.floor(row / block);
        const code = codeAt(codes.data, bits, ((column * count + at) * blob * 8) / bits + (row % block));
        const zero = zeros ? codeAt(zeros.data, bits, (column * bytes * 8) / bits + at) : 2 ** (bits - 1);
        numbers.push(Math.fround((code - zero) * factors[column * count + at]));
      } else {
        const [down, across] = axis === 0 ? [Math.floor(row / block), column] : [row, Math.floor(column / block)];
        const at = down * scales.dims[1] + across;
        numbers.push(Math.fround((plain[0][row * columns + column] - (plain[1]?.[at] ?? 0)) * factors[at]));
      }
    }
  return Tensor.from(scales.type, numbers, dims);
}

const shapeOfNode = ({ name, operator, domain, inputs, outputs }) => ({ name, operator, domain, inputs, outputs });

describe("models that went through onnxruntime's quantizer", () => {
  const groups = [...new Set(packingGoldens.map(({ before, form }) => `${before} ${form}`))];

  test.each(chooseSample(groups, 6))('%s and back', async (group) => {
    for (const row of packingGoldens.filter(({ before, form }) => `${before} ${form}` === group)) {
      const file = modelFile(row.after);
      const [before, packed] = [readModel(modelFile(row.before)), readModel(file)];
      const { model, report } = convert.dequantizeWeights(file);
      const after = readModel(model);
      expect(after.nodes.map(shapeOfNode)).toEqual(before.nodes.map(shapeOfNode));
      expect([...after.opsets]).toEqual([...before.opsets]);
      expect(after.initializers.size).toBe(before.initializers.size);
      expect(report.every(({ unpacked }) => unpacked)).toBe(true);
      for (const node of packed.nodes.filter(({ operator }) => operator !== 'MatMul')) {
        const [codes] = node.inputs.filter((name) => packed.initializers.has(name));
        const own = codes.replace(row.form === 'qdq' ? '_DQ_Q4' : /_Q\d$/, '');
        const [wanted, actual] = [weightsOf(node, packed.initializers), after.initializers.get(own)];
        expect([own, actual.type, actual.dims]).toEqual([own, wanted.type, wanted.dims]);
        expect([own, rawOf(actual).equals(rawOf(wanted))]).toEqual([own, true]);
      }
      const files = await convert.dequantizeWeightsAsync(spiedSource(file).source);
      expect([files.report, files.externalFile]).toEqual([report, undefined]);
      expect(sameBytes(await bytesOf(files.model), model)).toBe(true);
    }
  });

  test('the report counts bytes', () => {
    const { report } = convert.dequantizeWeights(modelFile('after/matmul-float32-matmulnbits-4-16-asym.onnx'));
    expect(report[0]).toEqual({
      ...{ node: 'matmul0_Q4', operator: 'MatMulNBits', weights: 'W0_Q4', unpacked: true },
      ...{ before: 200 + 100 + 15, after: 1400 },
    });
  });

  test('data in other files, before and after', async () => {
    const file = modelFile('before/matmul-float16.onnx');
    const small = await convert.quantizeWeightsAsync(new Blob([file]), { externalName: 'small.data' });
    const [packed, data] = [await bytesOf(small.model), await bytesOf(small.externalFile)];
    const options = { external: () => data, externalName: 'large.data' };
    const large = await convert.dequantizeWeightsAsync(new Blob([packed]), options);
    const outside = await bytesOf(large.externalFile);
    const external = ({ offset, length }) => outside.subarray(offset, offset + length);
    const { initializers } = readModel(await bytesOf(large.model), { external });
    const known = readModel(convert.dequantizeWeights(convert.quantizeWeights(file).model).model);
    for (const [name, tensor] of known.initializers)
      expect([name, rawOf(initializers.get(name)).equals(rawOf(tensor))]).toEqual([name, true]);
  });
});

const matrix = (rows, columns) => {
  // A loop: `Float32Array.from` calls a function for each of 9 million numbers.
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < data.length; i++) data[i] = Math.sin(i * 1.7) * (1 + (i % 7));
  return new Tensor('float32', data, [rows, columns]);
};

describe('matrices of several tiles', () => {
  test.each([
    ['MatMul', { bits: 4, blockSize: 32 }, [1231, 1031]],
    ['MatMul', { bits: 2, blockSize: 256, symmetric: true }, [1031, 1031]],
    ['MatMul', { bits: 8, blockSize: 16 }, [1, 70001]],
    ['MatMul', { bits: 4, blockSize: 64, form: 'qdq' }, [1031, 1021]],
    ['MatMul', { bits: 8, blockSize: 32, symmetric: true, form: 'qdq' }, [70001, 19]],
    ['Gather', { blockSize: 32 }, [1031, 1031]],
  ])('%s %j %j', async (operator, options, [rows, columns]) => {
    const weights = matrix(rows, columns);
    const file = convert.quantizeWeights(weightsModel(operator, weights, 25), { ...options, ops: [operator] }).model;
    const { model } = convert.dequantizeWeights(file);
    const files = await convert.dequantizeWeightsAsync(spiedSource(file).source);
    expect(sameBytes(await bytesOf(files.model), model)).toBe(true);
    expect(sameBytes(await placedBytes(files.model), model)).toBe(true);
    const actual = readModel(model).initializers.get('W');
    if (operator === 'MatMul' && options.form !== 'qdq') {
      const whole = convert.unpackMatMulNBits(convert.packMatMulNBits(weights, options));
      expect([actual.dims, rawOf(actual).equals(rawOf(whole))]).toEqual([[rows, columns], true]);
    } else {
      const packed = readModel(file);
      expect(rawOf(actual).equals(rawOf(weightsOf(packed.nodes[0], packed.initializers)))).toBe(true);
    }
  });

  test('a matrix that is written in tiles', async () => {
    const file = convert.quantizeWeights(weightsModel('MatMul', matrix(4100, 2100))).model;
    const { model } = convert.dequantizeWeights(file);
    const files = await convert.dequantizeWeightsAsync(spiedSource(file).source);
    // More than 32 MiB: the writer takes tiles.
    expect(files.model.byteLength).toBeGreaterThan(2 ** 25);
    expect(sameBytes(await placedBytes(files.model), model)).toBe(true);
  });
});

test('a model that runModel runs gives the weights that were packed', () => {
  const weights = matrix(40, 32);
  const { model } = convert.quantizeWeights(weightsModel('Gather', weights), { ops: ['Gather'], blockSize: 16 });
  const plain = readModel(convert.dequantizeWeights(model).model);
  const x = new Tensor('int64', BigInt64Array.of(39n, 0n), [2]);
  const { data, dims } = runModel(plain, { x }).get('y');
  const table = plain.initializers.get('W').data;
  expect([dims, [...data]]).toEqual([
    [2, 32],
    [...table.subarray(39 * 32), ...table.subarray(0, 32)],
  ]);
  expect(
    Math.max(...data.map((value, i) => Math.abs(value - weights.data[i < 32 ? 39 * 32 + i : i - 32]))),
  ).toBeLessThan(0.5);
});

describe('names and what else uses a value', () => {
  const packed = convert.packMatMulNBits(matrix(40, 5));
  const tensors = { M_Q4: packed.B, M_scales: packed.scales, M_zero_points: packed.zero_points };
  const attributes = { K: 40, N: 5, bits: 4, block_size: 32 };
  const nBits = (more = {}) => ({
    ...{ name: 'node_Q4', operator: 'MatMulNBits', domain: 'com.microsoft', attributes, outputs: ['y'] },
    ...{ inputs: ['x', 'M_Q4', 'M_scales', 'M_zero_points'], ...more },
  });
  const modelWith = (nodes, initializers = tensors, more = {}) =>
    modelOf({
      ...{ nodes, initializers, microsoft: true },
      ...{ inputs: { x: ['float32', ['n', 40]] }, outputs: { y: ['float32', ['n', 5]] }, ...more },
    });
  const unpackedModel = (file) => {
    const { model, report } = convert.dequantizeWeights(file);
    return { ...readModel(model), report };
  };

  test('nodes that share weights share the plain ones', () => {
    const second = nBits({ name: '', inputs: ['y', ...nBits().inputs.slice(1)], outputs: ['z'] });
    const { nodes, initializers, opsets, report } = unpackedModel(modelWith([nBits(), second]));
    expect(nodes.map(shapeOfNode)).toEqual([
      { name: 'node', operator: 'MatMul', domain: '', inputs: ['x', 'M'], outputs: ['y'] },
      { name: '', operator: 'MatMul', domain: '', inputs: ['y', 'M'], outputs: ['z'] },
    ]);
    expect([[...initializers.keys()], [...opsets.keys()]]).toEqual([['M'], ['']]);
    expect(report.map(({ node, unpacked }) => [node, unpacked])).toEqual([
      ['node_Q4', true],
      ['z', true],
    ]);
  });

  test('a name that is taken, and tensors that something else uses', () => {
    const copy = { operator: 'Identity', inputs: ['M_scales'], outputs: ['M'] };
    const { nodes, initializers } = unpackedModel(modelWith([nBits(), copy]));
    expect(nodes[0].inputs).toEqual(['x', 'M_Q4_weights']);
    expect([...initializers.keys()]).toEqual(['M_scales', 'M_Q4_weights']);
  });

  test('two names that become one, and what an attribute is where it is left out', () => {
    const { bits, ...rest } = attributes;
    const initializers = { ...tensors, M_Q8: packed.B };
    const second = nBits({ inputs: ['x', 'M_Q8', 'M_scales'], outputs: ['z'], attributes: rest });
    const { nodes, report } = unpackedModel(modelWith([nBits(), second], initializers));
    expect(nodes.map(({ inputs }) => inputs[1])).toEqual(['M', 'M_Q8_weights']);
    expect([bits, report.map(({ unpacked }) => unpacked)]).toEqual([4, [true, true]]);
    const G = new Tensor('int4', new Uint8Array(130), [2, 130]);
    const table = {
      operator: 'GatherBlockQuantized',
      domain: 'com.microsoft',
      inputs: ['G', 'i', 's'],
      outputs: ['y'],
    };
    expect(unpackedModel(modelWith([table], { G, s: float([2, 2]) })).report[0].unpacked).toBe(true);
  });

  test('the import stays beside functions, which may need it', () => {
    const functions = Uint8Array.of(0xca, 0x01, 0);
    const file = new Uint8Array(Buffer.concat([modelWith([nBits()]), functions]));
    expect([...unpackedModel(file).opsets.keys()]).toEqual(['', 'com.microsoft']);
  });

  test('the import stays where a node needs it', () => {
    const other = { operator: 'Gelu', domain: 'com.microsoft', inputs: ['y'], outputs: ['z'] };
    expect([...unpackedModel(modelWith([nBits(), other])).opsets.keys()]).toEqual(['', 'com.microsoft']);
  });

  const float = (dims) => new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
  const bytes = (dims, type = 'uint8') => new Tensor(type, new Uint8Array(dims.reduce((a, b) => a * b, 1)), dims);
  const gather = (more, initializers) =>
    modelWith(
      [
        {
          ...{ operator: 'GatherBlockQuantized', domain: 'com.microsoft', inputs: ['G', 'i', 's'], outputs: ['y'] },
          ...{ attributes: { block_size: 16, ...more } },
        },
      ],
      { G: new Tensor('int4', new Uint8Array(32), [2, 32]), s: float([2, 2]), ...initializers },
    );
  const dequantize = (more, others = [], initializers = {}, graph = {}) =>
    modelWith(
      [
        {
          operator: 'DequantizeLinear',
          inputs: ['D', 's'],
          outputs: ['w'],
          attributes: { axis: 0, block_size: 16, ...more },
        },
        { operator: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] },
        ...others,
      ],
      { D: new Tensor('int4', new Uint8Array(40), [16, 5]), s: float([1, 5]), ...initializers },
      graph,
    );
  const five = (more) => ({ ...attributes, ...more });

  test.each([
    ['the weights are no initializer', modelWith([nBits({ inputs: ['x', 'q', 'M_scales'] })])],
    ['the scales are no initializer', modelWith([nBits({ inputs: ['x', 'M_Q4', 'q'] })])],
    ['the zero points are no initializer', modelWith([nBits({ inputs: ['x', 'M_Q4', 'M_scales', 'q'] })])],
    [
      'the weights are an input of the graph',
      modelWith([nBits()], tensors, { inputs: { M_Q4: ['uint8', [5, 2, 16]] } }),
    ],
    ['g_idx orders the rows', modelWith([nBits({ inputs: [...nBits().inputs, 'g'] })])],
    ['it has a bias', modelWith([nBits({ inputs: [...nBits().inputs, '', 'bias'] })])],
    ['the weights are prepacked', modelWith([nBits({ attributes: five({ weight_prepacked: 1 }) })])],
    [
      'the weights are int8',
      modelWith([nBits()], { ...tensors, M_Q4: new Tensor('int8', new Int8Array(160), [5, 2, 16]) }),
    ],
    [
      'the scales are float64',
      modelWith([nBits()], { ...tensors, M_scales: new Tensor('float64', new Float64Array(10), [5, 2]) }),
    ],
    ['the zero points are float32', modelWith([nBits()], { ...tensors, M_zero_points: float([5, 2]) })],
    ['the weights have 3 bits', modelWith([nBits({ attributes: five({ bits: 3 }) })])],
    ['the block size is 512', modelWith([nBits({ attributes: five({ block_size: 512 }) })])],
    ['the weights have dims [0, 5]', modelWith([nBits({ attributes: five({ K: 0 }) })])],
    ['[5, 2, 16] are not the dims of M_Q4, [5, 3, 16]', modelWith([nBits({ attributes: five({ K: 65 }) })])],
    ['[10] are not the dims of M_scales, [5, 2]', modelWith([nBits()], { ...tensors, M_scales: float([10]) })],
    ['the axis is not 0', gather({ gather_axis: 1 })],
    ['the blocks are not of the last axis', gather({ quantize_axis: 0 })],
    ['the weights are uint8', gather({}, { G: bytes([2, 32]) })],
    ['[2, 2] are not the dims of s, [2, 1]', gather({ block_size: 128 })],
    ['the blocks are not of axis 0', dequantize({ axis: 1 })],
    ['the block size is 0', dequantize({ block_size: 0 })],
    ['the output has a type of its own', dequantize({ output_dtype: 10 })],
    [
      'something other than MatMul uses them',
      dequantize({}, [{ operator: 'Identity', inputs: ['w'], outputs: ['z'] }]),
    ],
    [
      'something other than MatMul uses them',
      dequantize({}, [{ operator: 'MatMul', inputs: ['w', 'x'], outputs: ['z'] }]),
    ],
    ['something other than MatMul uses them', dequantize({}, [], {}, { outputs: { w: ['float32', [16, 5]] } })],
    [
      'something other than MatMul uses them',
      modelWith(
        [{ operator: 'DequantizeLinear', inputs: ['D', 's'], outputs: ['w'], attributes: { axis: 0, block_size: 16 } }],
        { D: new Tensor('int4', new Uint8Array(40), [16, 5]), s: float([1, 5]) },
      ),
    ],
    ['the weights have dims [80]', dequantize({}, [], { D: new Tensor('int4', new Uint8Array(40), [80]) })],
  ])('%s', (why, file) => {
    const { model, report } = convert.dequantizeWeights(file);
    expect(report.map((row) => [row.unpacked, row.why])).toEqual([[false, why]]);
    expect(sameBytes(model, file)).toBe(true);
  });

  test('what DequantizeLinear makes of other values, and other domains, are no rows', () => {
    const file = modelWith([
      { operator: 'DequantizeLinear', inputs: ['x', 's'], outputs: ['w'] },
      { operator: 'MatMulNBits', domain: 'elsewhere', inputs: ['w'], outputs: ['y'] },
    ]);
    expect(convert.dequantizeWeights(file).report).toEqual([]);
  });
});

refuses('dequantizeWeights', {
  "TypeError: unknown option 'bits'. Known: external": () => convert.dequantizeWeights(new Uint8Array(0), { bits: 4 }),
  'TypeError: model must be a Uint8Array, got an object': () => convert.dequantizeWeights(new Blob([])),
  'RangeError: bytes must be protobuf, got illegal tag: field no 0 wire type 1': () =>
    convert.dequantizeWeights(Uint8Array.of(1)),
});

rejects('dequantizeWeightsAsync', {
  "TypeError: unknown option 'bits'. Known: external, externalName, onProgress, signal": () =>
    convert.dequantizeWeightsAsync(new Blob([]), { bits: 4 }),
  'TypeError: signal must be an AbortSignal, got 5': () => convert.dequantizeWeightsAsync(new Blob([]), { signal: 5 }),
});
