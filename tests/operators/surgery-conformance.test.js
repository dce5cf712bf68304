/**
 * ONNX's own node tests of tensor surgery, byte for byte, each at the opset of its model: by the call, by `runModel` of
 * the file, and by the oracle.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { readModel, runModel } from 'onnx-layout/io';
import { expectTensor } from '../support/assertions.js';
import { nodeTestFiles, nodeTestNames, readNodeTest } from '../support/onnx-data.js';
import { callOf, calls } from './surgery-names.js';
import { sinceOf, surgery } from './surgery.reference.js';
import { words } from '../support/tables.js';

beforeAll(() => init());

/** Each operator's node tests. */
const counts = {
  ...{ Concat: 12, Split: 16, Slice: 8, Pad: 6, Gather: 4, GatherElements: 3, GatherND: 3, Squeeze: 2, Unsqueeze: 7 },
  ...{ Expand: 2, Tile: 2, DepthToSpace: 2, SpaceToDepth: 4, Shape: 11, Size: 2, Where: 2, CenterCropPad: 6 },
  ...{ ReverseSequence: 3, SequenceInsert: 2, Identity: 2 },
};

/** How the names of the node tests begin. SplitToSequence is none of these operators. */
const beginnings = [
  ...['center_crop_pad', 'concat', '(constant|edge|reflect|wrap)_pad', 'depthtospace', 'expand', 'gather'],
  ...words(`
    identity reversesequence sequence_ shape size slice spacetodepth split_(?!to_sequence) squeeze
  `),
  ...['tile', 'unsqueeze', 'where'],
];

/** The operators whose inputs are one list. */
const variadic = ['Concat', 'SequenceConstruct'];

/** A test's inputs as the oracle has them, and a sequence's type, which its file leaves to the model. */
function inputsOf({ operator, inputs }) {
  const typed = inputs.map((value) => (Array.isArray(value) ? Object.assign(value, { type: value[0].type }) : value));
  return variadic.includes(operator) ? [typed] : typed;
}

/** A node knows how many outputs it has; a call is told the sizes. */
function explicit({ operator, outputs }, inputs, attributes) {
  if (operator !== 'Split' || inputs.length > 1 || attributes.num_outputs !== undefined) return inputs;
  const axis = attributes.axis ?? 0;
  return [...inputs, outputs.map(({ dims }) => dims.at(axis))];
}

/** How many inputs a call takes before its options, where that is not how many there are. */
const places = { Split: 2, Slice: 5, Pad: 4, Squeeze: 2, Unsqueeze: 2, SequenceInsert: 3, SequenceErase: 2 };

function callAs(given) {
  const { operator, attributes, opset } = given;
  const inputs = explicit(given, inputsOf(given), attributes);
  while (inputs.length < (places[operator] ?? 0)) inputs.push(undefined);
  return calls[callOf[operator]](...inputs, { ...attributes, opset });
}

function oracleAs(given) {
  const { operator, attributes, opset, outputs } = given;
  const since = sinceOf(operator).findLast((first) => first <= opset);
  const more = operator === 'Split' ? { outputs: outputs.length } : {};
  return surgery[operator](inputsOf(given), { ...attributes, ...more }, since);
}

/** Compares bytes; an oracle's results are no Tensors. */
function expectSame(actual, wanted, what) {
  const { type, dims, data } = wanted;
  expect([what, actual.type, actual.dims, actual.data]).toEqual([what, type, dims, data]);
}

/** The results of a node: its outputs, of which one may be a sequence. */
const listed = (operator, result) => (operator === 'Split' ? result : [result]);

/** @type {(results: any[], outputs: any[], compare: Function, what: string) => void} */
function expectOutputs(results, outputs, compare, what) {
  expect(results.length).toBe(outputs.length);
  outputs.forEach((wanted, i) => {
    if (!Array.isArray(wanted)) return compare(results[i], wanted, what);
    expect([results[i].type, results[i].length]).toEqual([wanted[0].type, wanted.length]);
    return wanted.forEach((tensor, k) => compare(results[i][k], tensor, `${what} [${k}]`));
  });
}

const asTensor = (actual, { type, dims, data }, what) => expectTensor(actual, type, dims, data, what);

describe('ONNX node tests of tensor surgery', () => {
  const pattern = new RegExp(`^test_(${beginnings.join('|')})`);
  const tests = nodeTestNames(pattern).map((name) => [name, readNodeTest(name)]);

  test(`there are ${tests.length} of them, of the operators of the list`, () => {
    for (const operator of Object.keys(surgery))
      expect([operator, tests.filter(([, given]) => given.operator === operator).length]).toEqual([
        operator,
        counts[operator] ?? 0,
      ]);
    expect(tests.length).toBe(99);
  });

  describe.each(tests)('%s', (name, given) => {
    const { operator, outputs } = given;

    test('by the oracle', () =>
      expectOutputs(listed(operator, oracleAs(given)), outputs, expectSame, `${name}, oracle`));

    // The call takes a tensor, and a node a sequence too.
    if (operator !== 'Identity' || !Array.isArray(given.inputs[0]))
      test('by the call', () => expectOutputs(listed(operator, callAs(given)), outputs, asTensor, name));

    test('by runModel', () => {
      const model = readModel(nodeTestFiles(name).model);
      const results = runModel(model, new Map(model.inputs.map((info, i) => [info.name, given.inputs[i]])));
      expect([...results.keys()]).toEqual(model.outputs.map((info) => info.name));
      expectOutputs([...results.values()], outputs, asTensor, `${name}, runModel`);
    });
  });
});
