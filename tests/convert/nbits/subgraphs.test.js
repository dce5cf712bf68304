/** Weights in branches of If and bodies of Loop and Scan, against onnxruntime's quantizer; names and listed inputs. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { init, Tensor } from 'onnx-layout';
import * as convert from 'onnx-layout/convert';
import { readModel } from 'onnx-layout/io';
import { expectBytes } from '../../support/assertions.js';
import { modelOf } from '../../support/models.js';
import { subgraphGoldens } from '../../support/quantize-goldens.js';
import { bytesOf } from '../../weights/files.js';

beforeAll(() => init());

/** The fields of a message by their numbers. */
function fieldsOf(bytes) {
  const reader = new BinaryReader(bytes);
  const fields = new Map();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const value = wireType === 2 ? reader.bytes() : reader.skip(wireType, number);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const text = (bytes) => Buffer.from(bytes ?? []).toString();
const textIn = (message, number) => text(fieldsOf(message).get(number)?.[0]);

/** The nodes of a graph and of all inside, each with the initializers that its inputs are, by lexical scope. */
function nodesIn(graph, scopes = []) {
  const fields = fieldsOf(graph);
  const values = new Map((fields.get(5) ?? []).map((tensor) => [textIn(tensor, 8), tensor]));
  const names = [...values.keys(), ...(fields.get(11) ?? []).map((info) => textIn(info, 1))];
  const inner = [...scopes, values];
  return (fields.get(1) ?? []).flatMap((message) => {
    const node = fieldsOf(message);
    const graphs = (node.get(5) ?? []).flatMap((attribute) => fieldsOf(attribute).get(6) ?? []);
    const inputs = (node.get(1) ?? []).map(text);
    const tensors = inputs.map((name) => inner.findLast((scope) => scope.has(name))?.get(name)).filter(Boolean);
    const [operator, name] = [text(node.get(4)?.[0]), text(node.get(3)?.[0])];
    const outputs = (node.get(2) ?? []).map(text);
    return [...graphs.flatMap((g) => nodesIn(g, inner)), { name, operator, inputs, outputs, tensors, names }];
  });
}

const graphOf = (model) => fieldsOf(model).get(7)[0];
const hash = (tensor) => createHash('sha256').update(fieldsOf(tensor).get(9)[0]).digest('hex').slice(0, 16);
const packedOperators = ['MatMulNBits', 'GatherBlockQuantized', 'DequantizeLinear'];
const packedNodes = (model) => nodesIn(graphOf(model)).filter(({ operator }) => packedOperators.includes(operator));

describe("graphs inside of nodes, as onnxruntime's quantizer packs them", () => {
  test.each(subgraphGoldens.map((row, i) => [i, row]))('model %i', async (_, { model, nodes, form, ...options }) => {
    const file = new Uint8Array(Buffer.from(model, 'base64'));
    const all = { ...options, form, blockSize: 16 };
    const { model: packed, report } = convert.quantizeWeights(file, all);
    const ours = packedNodes(packed);
    // Nodes that share weights in one graph share DequantizeLinear; onnxruntime's have one each.
    for (const { name, operator, tensors } of ours)
      expect([name, operator, ...tensors.map(hash)]).toEqual([name, ...nodes[name]]);
    const hashes = (list) => new Set(list.map(([, codes]) => codes));
    expect(hashes(ours.map(({ operator, tensors }) => [operator, hash(tensors[0])]))).toEqual(
      hashes(Object.values(nodes)),
    );
    expect(report.filter((row) => row.packed)).toHaveLength(Object.keys(nodes).length);

    const names = nodesIn(graphOf(packed)).flatMap(({ outputs }) => outputs);
    expect(new Set(names).size).toBe(names.length);

    const files = await convert.quantizeWeightsAsync(new Blob([file]), all);
    expect(files.report).toEqual(report);
    const again = packedNodes(await bytesOf(files.model));
    expect(again.map(({ name, tensors }) => [name, ...tensors.map(hash)])).toEqual(
      ours.map(({ name, tensors }) => [name, ...tensors.map(hash)]),
    );

    const back = convert.dequantizeWeights(packed);
    expect(packedNodes(back.model)).toEqual([]);
    expect(back.report.map(({ unpacked }) => unpacked)).toEqual(ours.map(() => true));
    const filesBack = await convert.dequantizeWeightsAsync(new Blob([packed]));
    expectBytes(await bytesOf(filesBack.model), back.model);
    const plain = (bytes) => nodesIn(graphOf(bytes)).map(({ name, operator, outputs }) => [name, operator, outputs]);
    expect(plain(back.model)).toEqual(plain(file));
  });
});

/** A GraphProto with its name, outputs without types. */
const graphWith = (graph) => graphOf(modelOf(graph));
const matrix = (rows, columns, value = 0.5) =>
  new Tensor('float32', new Float32Array(rows * columns).fill(value), [rows, columns]);
const product = (x, weights, y, name = '') => ({ operator: 'MatMul', inputs: [x, weights], outputs: [y], name });
const branches = (then_branch, else_branch) => ({
  ...{ name: 'choice', operator: 'If', inputs: ['c'], outputs: ['y'], attributes: { then_branch, else_branch } },
});

describe('names and scopes', () => {
  const [one, other] = [graphWith, graphWith].map((graph, i) =>
    graph({ nodes: [product('x', 'w', 'z', 'inside')], initializers: { w: matrix(16, 16, i + 1) } }),
  );

  test('branches with a name of their own for each its weights, beside the same name outside', () => {
    const nodes = [product('x', 'w', 'o', 'outside'), branches(one, other)];
    const { model, report } = convert.quantizeWeights(modelOf({ nodes, initializers: { w: matrix(16, 16, 3) } }));
    expect(report.map(({ node, weights, packed }) => [node, weights, packed])).toEqual([
      ['outside', 'w', true],
      ['choice/then_branch/inside', 'choice/then_branch/w', true],
      ['choice/else_branch/inside', 'choice/else_branch/w', true],
    ]);
    const packed = packedNodes(model);
    expect(packed.map(({ inputs }) => inputs[1])).toEqual(['w_Q4', 'w_1_Q4', 'w_2_Q4']);
    const { initializers } = readModel(model);
    expect(packed.map(({ inputs }) => initializers.get(inputs[2]).data[0])).toEqual(
      [3, 1, 2].map((w) => Math.fround(w / 15)),
    );
    const back = convert.dequantizeWeights(model);
    expect([...readModel(back.model).initializers.keys()]).toEqual(['w', 'w_1', 'w_2']);
  });

  test('include and exclude take names and paths', () => {
    const file = modelOf({ nodes: [branches(one, other)] });
    const packed = (options) => convert.quantizeWeights(file, options).report.map((row) => row.packed);
    expect([
      packed({ include: ['choice/then_branch/w'] }),
      packed({ include: ['choice/else_branch/inside'] }),
      packed({ include: ['w'] }),
      packed({ exclude: ['inside'] }),
    ]).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  test('weights outside that only a branch uses give way, and stay where a branch uses them otherwise', () => {
    const use = graphWith({ nodes: [product('x', 'w', 'z')] });
    const copy = graphWith({ nodes: [{ operator: 'Identity', inputs: ['w'], outputs: ['z'] }] });
    const shadow = graphWith({
      nodes: [{ operator: 'Identity', inputs: ['x'], outputs: ['w'] }],
      outputs: { w: ['float32', []] },
    });
    const left = (graph) => {
      const file = modelOf({ nodes: [branches(use, graph)], initializers: { w: matrix(16, 16) } });
      return readModel(convert.quantizeWeights(file).model).initializers.has('w');
    };
    expect([left(use), left(copy), left(shadow)]).toEqual([false, true, false]);
  });

  test('what a branch computes under the name of weights outside is no initializer', () => {
    const computed = [{ operator: 'Identity', inputs: ['x'], outputs: ['w'] }, product('x', 'w', 'z')];
    const body = graphWith({ nodes: [product('x', 'w', 'z')], inputs: { w: ['float32', [16, 16]] } });
    const file = modelOf({
      nodes: [branches(graphWith({ nodes: computed }), body)],
      initializers: { w: matrix(16, 16) },
    });
    const { model, report } = convert.quantizeWeights(file);
    expect(report.map(({ why }) => why)).toEqual(new Array(2).fill('the weights are no initializer'));
    expectBytes(model, file);
  });

  test('DequantizeLinear outside, and MatMul in both branches; or something else there', () => {
    const use = graphWith({ nodes: [product('x', 'd', 'z')] });
    const other = graphWith({ nodes: [{ operator: 'Identity', inputs: ['d'], outputs: ['z'] }] });
    const attributes = { axis: 0, block_size: 16 };
    const dequantize = { operator: 'DequantizeLinear', inputs: ['q', 's'], outputs: ['d'], attributes };
    const initializers = { q: new Tensor('int4', new Uint8Array(128), [16, 16]), s: matrix(1, 16) };
    const run = (graph) =>
      convert.dequantizeWeights(modelOf({ nodes: [dequantize, branches(use, graph)], initializers }));
    const { model, report } = run(use);
    expect([report.map(({ unpacked }) => unpacked), packedNodes(model)]).toEqual([[true], []]);
    expect(nodesIn(graphOf(model)).map(({ inputs }) => inputs)).toEqual([
      ['x', 'q_weights'],
      ['x', 'q_weights'],
      ['c'],
    ]);
    expect(run(other).report.map(({ why }) => why)).toEqual(['something other than MatMul uses them']);
  });
});

describe('initializers that are inputs', () => {
  const graph = {
    nodes: [product('x', 'w', 'y', 'mm'), { operator: 'Add', inputs: ['y', 'b'], outputs: ['z'] }],
    initializers: { w: matrix(16, 16), b: matrix(1, 16) },
    inputs: { x: ['float32', ['n', 16]], w: ['float32', [16, 16]], b: ['float32', [1, 16]] },
  };
  const facts = (model) => {
    const { irVersion, inputs, initializers } = readModel(model);
    return [irVersion, inputs.map(({ name }) => name), [...initializers.keys()]];
  };

  test.each([1, 3])('IR version %i becomes 4, in which they are none, and is packed', async (ir) => {
    const file = modelOf({ ...graph, ir });
    const { model } = convert.quantizeWeights(file);
    expect(facts(model)).toEqual([4, ['x'], ['b', 'w_Q4', 'w_scales', 'w_zero_points']]);
    const files = await convert.quantizeWeightsAsync(new Blob([file]));
    expectBytes(await bytesOf(files.model), model);
    const packed = Buffer.from(model);
    packed[packed.indexOf(Uint8Array.of(8, 4)) + 1] = 3;
    expect(facts(convert.dequantizeWeights(packed).model)).toEqual([4, ['x'], ['b', 'w']]);
  });

  test('from IR version 4 on a caller may give others', () => {
    const file = modelOf({ ...graph, ir: 4 });
    const { model, report } = convert.quantizeWeights(file);
    expect(report.map(({ why }) => why)).toEqual(['the weights are an input of the graph']);
    expectBytes(model, file);
  });

  test('an IR version that no number holds stays as it is', () => {
    const rest = modelOf({ ...graph, inputs: {}, ir: 4 }).subarray(2);
    const file = new Uint8Array(Buffer.concat([Uint8Array.of(8, ...new Array(8).fill(0xff), 0x7f), rest]));
    const { model } = convert.quantizeWeights(file, { form: 'qdq' });
    expectBytes(model.subarray(0, 10), file.subarray(0, 10));
    expect(packedNodes(model)).toHaveLength(1);
  });
});
