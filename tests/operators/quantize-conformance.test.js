/**
 * Quantization against ONNX's own node tests and against cases of which half also ran on onnxruntime: byte for byte, by
 * the call, by `runModel` of the model, and by the oracle.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dequantizeLinear, dynamicQuantizeLinear, init, quantizeLinear } from 'onnx-layout';
import { readModel, readTensorProto, runModel } from 'onnx-layout/io';
import { expectTensor } from '../support/assertions.js';
import { nodeTestFiles, nodeTestNames } from '../support/onnx-data.js';
import { operatorGoldens } from '../support/quantize-goldens.js';
import { dequantize, dynamicQuantize, quantize } from './quantize.reference.js';

beforeAll(() => init());

const calls = {
  QuantizeLinear: ([x, scale, zero], options) => [quantizeLinear(x, scale, zero, options)],
  DequantizeLinear: ([x, scale, zero], options) => [dequantizeLinear(x, scale, zero, options)],
  DynamicQuantizeLinear: ([x], options) => dynamicQuantizeLinear(x, options),
};
const oracle = {
  QuantizeLinear: ([x, scale, zero], { opset, ...options }) => [quantize(x, scale, zero, options, opset)],
  DequantizeLinear: ([x, scale, zero], options) => [dequantize(x, scale, zero, options)],
  DynamicQuantizeLinear: ([x]) => dynamicQuantize(x),
};

/** The names of the types that attributes have by their codes. */
const typeOf = { 1: 'float32', 2: 'uint8', 3: 'int8', 4: 'uint16', 5: 'int16', 10: 'float16', 16: 'bfloat16' };
Object.assign(typeOf, { 17: 'float8e4m3fn', 18: 'float8e4m3fnuz', 19: 'float8e5m2', 20: 'float8e5m2fnuz' });
Object.assign(typeOf, { 21: 'uint4', 22: 'int4', 23: 'float4e2m1', 25: 'uint2', 26: 'int2' });

function nodeOf(model) {
  const [{ operator, attributes }] = model.nodes;
  const options = Object.fromEntries(attributes);
  for (const name of ['output_dtype', 'precision'])
    if (options[name] !== undefined) options[name] = typeOf[options[name]];
  return { operator, options: { ...options, opset: model.opsets.get('') } };
}

const compare = (results, outputs, what) => {
  expect([what, results.length]).toEqual([what, outputs.length]);
  outputs.forEach(({ type, dims, data }, i) => expectTensor(results[i], type, dims, data, `${what} ${i}`));
};

const run = (model, inputs) => [
  ...runModel(model, new Map(model.inputs.map(({ name }, i) => [name, inputs[i]]))).values(),
];

function checkAll(model, inputs, outputs, what) {
  const { operator, options } = nodeOf(model);
  compare(calls[operator](inputs, options), outputs, what);
  compare(run(model, inputs), outputs, `${what}, runModel`);
  oracle[operator](inputs, options).forEach((wanted, i) =>
    expect([what, wanted.type, wanted.data]).toEqual([what, outputs[i].type, outputs[i].data]),
  );
}

describe('the rules and onnxruntime', () => {
  const { cases, rejects } = operatorGoldens();
  const read = (bytes) => readTensorProto(bytes);
  // NumPy wrote the scalars of DynamicQuantizeLinear with one axis; ONNX's own node tests have none.
  const dimsOf = (beginning, [x], tensor, i) => (beginning === 'dynamic-' ? (i === 0 ? x.dims : []) : tensor.dims);

  test('there are 1340 cases and 28 that are refused', () =>
    expect([cases.length, rejects.length]).toEqual([1340, 28]));

  describe.each(['quantize-', 'dequantize-', 'dynamic-'])('%s', (beginning) => {
    const own = cases.filter(({ name }) => name.startsWith(beginning));
    test(`${own.length} cases`, () => {
      for (const { name, model, inputs, outputs } of own) {
        const given = inputs.map(read);
        const wanted = outputs
          .map(read)
          .map((tensor, i) => ({ type: tensor.type, data: tensor.data, dims: dimsOf(beginning, given, tensor, i) }));
        checkAll(readModel(model), given, wanted, name);
      }
    });
  });

  test.each(rejects)('refuses $name', ({ model: bytes, inputs }) => {
    const model = readModel(bytes);
    const { operator, options } = nodeOf(model);
    const thrown = (call) => {
      try {
        call();
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const error = thrown(() => calls[operator](inputs.map(read), options));
    expect([TypeError, RangeError]).toContain(error?.constructor);
    expect(thrown(() => run(model, inputs.map(read)))?.message).toBe(error.message);
  });
});

describe('ONNX', () => {
  const names = nodeTestNames(/^test_(de|dynamic)?quantizelinear/);
  test('there are 30 node tests', () => expect(names.length).toBe(30));

  test.each(names)('%s', (name) => {
    const { model, inputs, outputs } = nodeTestFiles(name);
    const read = (bytes) => readTensorProto(bytes);
    checkAll(readModel(model), inputs.map(read), outputs.map(read), name);
  });
});
