/** runModel: ONNX's own models, and graphs of several nodes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { readModel, runModel } from 'onnx-layout/io';
import { expectSequence, expectTensor, refuses, expectErrors } from '../support/assertions.js';
import { codeOf, isNaNCode } from '../operators/cast.reference.js';
import { nodeTestFiles, nodeTestNames, readNodeTest } from '../support/onnx-data.js';
import { elementCount, fromCodes, toCodes } from '../support/reference.js';

const known =
  ' Known: Cast, CenterCropPad, Compress, Concat, ConcatFromSequence, DepthToSpace, ' +
  'DequantizeLinear, DynamicQuantizeLinear, …';

beforeAll(() => init());

/** Cast's NaNs may have any bits: the data with one code in place of every NaN. */
function withOneNaN({ type, dims, data }) {
  return fromCodes(
    type,
    toCodes(type, data, elementCount(dims)).map((code) => (isNaNCode(type, code) ? codeOf(type, NaN) : code)),
  );
}

describe.each([
  ['at its opset', /^(test_(cast|flatten|identity|reshape|split_to_sequence|transpose)|made_cast_)/, 185],
  ['at opset 25', /^test_cast_/, 60],
])('a node test %s', (opset, pattern, count) => {
  const names = nodeTestNames(pattern);

  test(`there are ${count} of them`, () => expect(names.length).toBe(count));

  test.each(names)('%s', (name) => {
    const model = readModel(nodeTestFiles(name).model);
    if (opset === 'at opset 25') model.opsets.set('', 25);
    const { inputs, outputs } = readNodeTest(name);
    const results = runModel(model, new Map(model.inputs.map((info, i) => [info.name, inputs[i]])));
    expect([...results.keys()]).toEqual(model.outputs.map((info) => info.name));
    [...results.values()].forEach((result, i) => {
      const expected = outputs[i];
      if (Array.isArray(expected))
        return expectSequence(
          result,
          model.outputs[i].type,
          expected.map(({ dims, data }) => [dims, data]),
        );
      const clean = name.includes('_cast_') ? withOneNaN : ({ data }) => data;
      return expectTensor(
        new Tensor(result.type, clean(result), result.dims),
        expected.type,
        expected.dims,
        clean(expected),
      );
    });
  });
});

const node = (operator, inputs, outputs, attributes = {}, more = {}) => ({
  name: '',
  operator,
  domain: '',
  inputs,
  outputs,
  attributes: new Map(Object.entries(attributes)),
  ...more,
});
const graph = (opset, nodes, initializers = {}) => ({
  irVersion: 8,
  name: 'g',
  opsets: new Map([['', opset]]),
  nodes,
  initializers: new Map(Object.entries(initializers)),
  inputs: [{ name: 'x', type: 'float32', dims: ['N', 3], sequence: false }],
  outputs: [{ name: 'y', type: undefined, dims: null, sequence: false }],
});
const x = { type: 'float', data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };

describe('graphs', () => {
  test('a chain of every operator', () => {
    const model = graph(19, [
      node('Constant', [], ['shape'], { value_ints: [3, -1] }),
      node('Transpose', ['x'], ['a'], { perm: [1, 0] }),
      node('Cast', ['a'], ['b'], { to: 6 }),
      node('Flatten', ['b'], ['c'], { axis: 0 }),
      node('Reshape', ['c', 'shape'], ['d']),
      node('Identity', ['d'], ['e']),
      node('SplitToSequence', ['e', ''], ['y'], { keepdims: 0, axis: 1 }),
    ]);
    for (const inputs of [{ x }, new Map([['x', x]])])
      expectSequence(runModel(model, inputs).get('y'), 'int32', [
        [[3], Int32Array.of(1, 2, 3)],
        [[3], Int32Array.of(4, 5, 6)],
      ]);
  });

  test('attributes of the first versions: Reshape-1 and Cast-1', () => {
    const model = graph(1, [
      node('Reshape', ['x'], ['a'], { shape: [3, 2] }),
      node('Cast', ['a'], ['y'], { to: 'INT32' }),
    ]);
    expectTensor(runModel(model, { x }).get('y'), 'int32', [3, 2], Int32Array.of(1, 2, 3, 4, 5, 6));
  });

  test.each([
    [{ value: new Tensor('int8', Int8Array.of(1), []) }, 'int8', [], Int8Array.of(1)],
    [{ value_float: 1.5 }, 'float32', [], Float32Array.of(1.5)],
    [{ value_floats: [1, 2] }, 'float32', [2], Float32Array.of(1, 2)],
    [{ value_int: 7 }, 'int64', [], BigInt64Array.of(7n)],
    [{ value_ints: [] }, 'int64', [0], new BigInt64Array(0)],
    [{ value_string: 'a' }, 'string', [], ['a']],
    [{ value_strings: ['a', 'b'] }, 'string', [2], ['a', 'b']],
  ])('Constant of %j', (attributes, type, dims, data) => {
    expectTensor(runModel(graph(13, [node('Constant', [], ['y'], attributes)]), { x }).get('y'), type, dims, data);
  });

  test('an initializer stands for an input that is left out, and gives way to one that is not', () => {
    const model = graph(13, [node('Identity', ['x'], ['y'])], {
      x: new Tensor('float32', new Float32Array(3), [1, 3]),
    });
    expectTensor(runModel(model, {}).get('y'), 'float32', [1, 3], new Float32Array(3));
    expectTensor(runModel(model, { x }).get('y'), 'float32', [2, 3], x.data);
  });

  test("a sequence goes in and out, its type the graph's, or that of its tensors", () => {
    const passed = (type, value) =>
      runModel(
        {
          ...graph(14, [node('Identity', ['x'], ['y'])]),
          inputs: [{ name: 'x', type, dims: [null, 3], sequence: true }],
        },
        { x: value },
      ).get('y');
    expectSequence(passed('float32', []), 'float32', []);
    expectSequence(passed(undefined, [x, { ...x, dims: [2, 3] }]), 'float32', [
      [[2, 3], x.data],
      [[2, 3], x.data],
    ]);
    expect([...passed(undefined, [])]).toEqual([]);
    expect(passed(undefined, []).type).toBe(undefined);
    expectErrors({
      "TypeError: runModel: input 'x' must be an array of tensors, got an object": () => passed('float32', x),
      "RangeError: runModel: input 'x'[1] dims must be [?, 3], got [6]": () =>
        passed('float32', [x, { ...x, dims: [6] }]),
    });
  });

  test('of many declared dims a message shows eight', () => {
    const model = {
      ...graph(13, [node('Identity', ['x'], ['y'])]),
      inputs: [
        { name: 'x', type: 'float32', dims: [1, 'abcdefghijklmnopqrstuvwxyz', 3, 4, 5, 6, 7, 8, 9], sequence: false },
      ],
    };
    expectErrors({
      "RangeError: runModel: input 'x' dims must be [1, abcdefghijklmnopqrst, 3, 4, 5, 6, 7, 8, …], got [2, 3]": () =>
        runModel(model, { x }),
    });
  });

  const run =
    (nodes, inputs = { x }, opset = 13) =>
    () =>
      runModel(graph(opset, nodes), inputs);
  const identity = node('Identity', ['x'], ['y']);
  refuses('runModel', {
    "RangeError: Identity node 'y' input must be computed before it is used, got 'z'": run([
      node('Identity', ['z'], ['y']),
    ]),
    "RangeError: output must be computed before it is used, got 'y'": run([node('Identity', ['x'], ['z'])]),
    "RangeError: Transpose node 'y' must have 1 input, got 2": run([node('Transpose', ['x', 'x'], ['y'])]),
    "RangeError: Reshape node 'y' must have 1 or 2 inputs, got 0": run([node('Reshape', [], ['y'])]),
    "RangeError: Identity node 'y' must have 1 output, got 2": run([node('Identity', ['x'], ['y', 'z'])]),
    "TypeError: Transpose node 'y' has no attribute out": run([node('Transpose', ['x'], ['y'], { out: x })]),
    "TypeError: Transpose node 'y' has no attribute strict": run([node('Transpose', ['x'], ['y'], { strict: 0 })]),
    "RangeError: Cast node 'y' to must be a type, got none": run([node('Cast', ['x'], ['y'])]),
    "RangeError: Cast node 'y' to must be the code of a type, 1 to 28, got 99": run([
      node('Cast', ['x'], ['y'], { to: 99 }),
    ]),
    "RangeError: Constant node 'y' must have one value of a kind other than sparse, got 'sparse_value'": run([
      node('Constant', [], ['y'], { sparse_value: undefined }),
    ]),
    "RangeError: Constant node 'y' must have one value of a kind other than sparse, got 'value_int, value_float'": run([
      node('Constant', [], ['y'], { value_int: 1, value_float: 2 }),
    ]),
    'TypeError: model must be what readModel gives, got null': () => runModel(null, { x }),
    'TypeError: model must be what readModel gives, got an object': () =>
      runModel({ ...graph(13, []), nodes: new Map() }, { x }),
    'TypeError: inputs must be an object or a Map, got null': run([identity], null),
    "TypeError: input 'x' must be given, got undefined": run([identity], {}),
    "TypeError: inputs must be the graph's, got 'z'": run([identity], { x, z: x }),
    "TypeError: input 'x' must be a tensor { type, dims, data }, got Array": run([identity], { x: [x] }),
    "TypeError: input 'x' must be float32, got int8": run([identity], {
      x: { type: 'int8', data: new Int8Array(3), dims: [1, 3] },
    }),
    "RangeError: input 'x' dims must be [N, 3], got [2, 3, 1]": run([identity], { x: { ...x, dims: [2, 3, 1] } }),
    "RangeError: input 'x' dims must be [N, 3], got [3, 2]": run([identity], { x: { ...x, dims: [3, 2] } }),
    "RangeError: model must import an opset of ONNX's own domain, got ['a']": () =>
      runModel({ ...graph(1, []), opsets: new Map([['a', 1]]) }, { x }),
  });

  refuses('', {
    [`RangeError: runModel: node 'act' has unknown operator 'Relu'.${known}`]: run([
      node('Relu', ['x'], ['y'], {}, { name: 'act' }),
    ]),
    [`RangeError: runModel: node 'y' has unknown operator 'com.example.Cast'.${known}`]: run([
      node('Cast', ['x'], ['y'], {}, { domain: 'com.example' }),
    ]),
    [`RangeError: runModel: node 'z' has unknown operator 'toString'.${known}`]: run([
      identity,
      node('toString', ['x'], ['z']),
    ]),
    [`RangeError: runModel: node 'n' has unknown operator 'Transpos', did you mean 'Transpose'?${known}`]: run([
      node('Transpos', ['x'], ['y'], {}, { name: 'n' }),
    ]),
    "TypeError: Transpose-13: unknown option 'prem', did you mean 'perm'? Known: perm, out, opset, strict": run([
      node('Transpose', ['x'], ['y'], { prem: [1, 0] }),
    ]),
    'RangeError: Transpose: opset must be in [1, 28], got 29': run([node('Transpose', ['x'], ['y'])], { x }, 29),
  });
});
