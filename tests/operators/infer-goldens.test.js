/** inferShape of tensor surgery against what ONNX's own inference gives; and the oracle, where all is known. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { inferShape } from 'onnx-layout';
import { root } from '../support/packed.js';
import { byteCount, elementCount, types } from '../support/reference.js';
import { sinceOf, surgery } from './surgery.reference.js';

const { rows } = JSON.parse(readFileSync(join(root, 'tests/operators/infer-goldens.json'), 'utf8'));

/** The result of inference, or its refusal. */
function outcome(infer) {
  try {
    return infer();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return `refused, ${error.message}`;
    throw error;
  }
}

const fits = (actual, golden) =>
  golden === 'refused'
    ? typeof actual === 'string'
    : JSON.stringify(actual, Object.keys(golden[0] ?? golden)) === JSON.stringify(golden);

const differences = (operators, infer) =>
  rows.flatMap(([op, options, inputs, golden]) => {
    if (!operators.includes(op)) return [];
    const actual = outcome(() => infer(op, inputs, options));
    return actual === undefined || fits(actual, golden) ? [] : [{ op, options, inputs, golden, actual }];
  });

test(`there are ${rows.length} cases, of every operator`, () => {
  expect(rows.length).toBeGreaterThan(300);
  // Identity infers what it is told: see identity.test.js.
  expect(new Set([...rows.map(([op]) => op), 'Identity'])).toEqual(new Set(Object.keys(surgery)));
});

test('inferShape gives what ONNX does', () =>
  expect(differences(Object.keys(surgery), (op, inputs, options) => inferShape(op, inputs, options))).toEqual([]));

const isKnown = ({ dims, value }) => dims !== null && [dims, value ?? []].flat().every(Number.isInteger);

/** A tensor of what is known; indices that are not known are 0. */
function tensorOf({ type, dims, value }) {
  const { array } = types[type];
  if (value !== undefined) return { type, dims, data: array.from([value].flat(), type === 'int64' ? BigInt : Number) };
  return { type, dims, data: new array(byteCount(type, elementCount(dims)) / array.BYTES_PER_ELEMENT) };
}

/** The names of an operator's inputs, in ONNX's order, where one may be left out between others. */
const order = { Slice: ['data', 'starts', 'ends', 'axes', 'steps'], Pad: ['data', 'pads', 'constant_value', 'axes'] };

/** The oracle's dims where all is known; undefined where something is not. */
function byOracle(op, inputs, { opset, ...attributes }) {
  const given = inputs.inputs ?? (order[op] ?? Object.keys(inputs)).map((name) => inputs[name]);
  const indices = given.slice(1).filter((input) => input?.type === 'int64' && input.value === undefined);
  const isUnknown = given.some((input) => input && (input.sequence || !isKnown(input)));
  if (isUnknown || (indices.length > 0 && !/^(Gather|ReverseSequence)/.test(op)) || op === 'SequenceEmpty')
    return undefined;
  const since = sinceOf(op).findLast((first) => first <= opset);
  const tensors = given.map((input) => input && tensorOf(input));
  const result = surgery[op](inputs.inputs ? [tensors] : tensors, attributes, since);
  if (!Array.isArray(result) || op === 'Split') return result;
  // A sequence has the dims that its tensors share.
  const [{ type, dims }, ...others] = result;
  if (others.some((other) => other.dims.length !== dims.length)) return { type, dims: null, sequence: true };
  const shared = dims.map((n, d) => (others.every((other) => other.dims[d] === n) ? n : null));
  return { type, dims: shared, sequence: true };
}

test('the oracle gives the same where all is known', () => {
  const known = rows.filter(([op, options, inputs]) => outcome(() => byOracle(op, inputs, options)) !== undefined);
  expect(known.length).toBeGreaterThan(100);
  expect(differences(Object.keys(surgery), byOracle)).toEqual([]);
});
