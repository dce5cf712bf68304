/** ONNX's own node tests of the operators, byte for byte, each at the opset of its model. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { init, Tensor, cast, flatten, reshape, transpose, splitToSequence } from 'onnx-layout';
import { hasNodeTests, nodeTestNames, readNodeTest } from '../support/onnx-data.js';
import { expectSequence, expectTensor } from '../support/assertions.js';
import { codeOf, isNaNCode } from './cast.reference.js';
import { elementCount, fromCodes, toCodes, typeNames, types } from '../support/reference.js';

beforeAll(() => init());

const operators = {
  Flatten: ([input], attributes) => flatten(input, attributes),
  Reshape: ([data, shape], attributes) => reshape(data, shape, attributes),
  Transpose: ([data], attributes) => transpose(data, attributes),
  SplitToSequence: ([input, split], attributes) => splitToSequence(input, split, attributes),
  Cast: ([input], { to, ...attributes }) =>
    withOneNaN(
      cast(
        input,
        typeNames.find((type) => types[type].code === to),
        attributes,
      ),
    ),
};

/** ONNX asks that a NaN be one, not for its bits: the same tensor with one code in place of every NaN. */
function withOneNaN({ type, dims, data }) {
  const codes = toCodes(type, data, elementCount(dims));
  return new Tensor(
    type,
    fromCodes(
      type,
      codes.map((code) => (isNaNCode(type, code) ? codeOf(type, NaN) : code)),
    ),
    dims,
  );
}

function run() {
  const names = nodeTestNames(/^test_(flatten|reshape|transpose|split_to_sequence|cast)_/);

  test('there are 89 of them', () => expect(names.length).toBe(89));

  test.each(names)('%s', (name) => {
    const {
      opset,
      operator,
      attributes,
      inputs,
      outputs: [expected],
    } = readNodeTest(name);
    const result = operators[operator](inputs, { ...attributes, opset });
    if (Array.isArray(expected)) {
      expectSequence(
        result,
        inputs[0].type,
        expected.map(({ dims, data }) => [dims, data]),
        name,
      );
    } else {
      expectTensor(
        result,
        expected.type,
        expected.dims,
        (operator === 'Cast' ? withOneNaN(expected) : expected).data,
        name,
      );
    }
  });

  test('test_identity: a tensor read is the tensor written', () => {
    const {
      inputs: [input],
      outputs: [output],
    } = readNodeTest('test_identity');
    expect(input.dims).toEqual([1, 1, 2, 2]);
    expectTensor(new Tensor(input.type, input.data, input.dims), output.type, output.dims, output.data);
  });

  test('test_identity_sequence: a sequence read is the sequence written', () => {
    const {
      inputs: [input],
      outputs: [output],
    } = readNodeTest('test_identity_sequence');
    expect(input.length).toBe(2);
    expect(output.length).toBe(2);
    input.forEach(({ type, data, dims }, i) =>
      expectTensor(new Tensor(type, data, dims), output[i].type, output[i].dims, output[i].data),
    );
  });
}

describe('ONNX node tests', () => {
  if (hasNodeTests) run();
  else if (process.env.CI)
    test('the data is there', () => expect('../shared/onnx-node-tests').toBe('a folder beside the repository'));
  else test.skip('NOT RUN: ../shared/onnx-node-tests is not there', () => {});
});
