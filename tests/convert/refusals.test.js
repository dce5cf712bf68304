/** Models and options that a conversion refuses, before anything is written. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel, convertModelAsync } from 'onnx-layout/convert';
import { refusals } from '../support/convert-goldens.js';
import { expectError, expectRejection } from '../support/assertions.js';
import { modelOf } from '../support/models.js';

beforeAll(() => init());

const valid = modelOf({
  nodes: [{ operator: 'Relu', inputs: ['x'], outputs: ['y'] }],
  inputs: { x: ['float32', [2]] },
  outputs: { y: ['float32', [2]] },
});

describe.each(refusals)('$name', ({ model, options }) => {
  const file = new Uint8Array(Buffer.from(model, 'base64'));
  test('in memory', () => expect(() => convertModel(file, options)).toThrow(/^convertModel: /));
  test('from a source', () => expect(convertModelAsync(file, options)).rejects.toThrow(/^convertModelAsync: /));
});

const known = "'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'q2', 'q2f16' or 'bnb4'";
test.each([
  [undefined, TypeError, `dtype must be ${known}, got undefined`],
  [{}, TypeError, `dtype must be ${known}, got undefined`],
  [{ dtype: 'fp8' }, RangeError, `dtype must be ${known}, got 'fp8'`],
  [{ dtype: 'fp16', keepIo: 'yes' }, TypeError, "keepIo must be 0 or 1, got 'yes'"],
  [{ dtype: 'fp16', keepIo: {} }, TypeError, 'keepIo must be true, false or an array of names, got an object'],
  [{ dtype: 'fp16', keepIo: ['z'] }, RangeError, "keepIo must name inputs and outputs of the model, got 'z'"],
  [{ dtype: 'fp16', float32: 'Relu' }, TypeError, "float32 must be an array of names, got 'Relu'"],
  [{ dtype: 'fp16', float32: ['Gelu'] }, RangeError, "float32 must name operators or nodes of the model, got 'Gelu'"],
  [{ dtype: 'bnb4', blockSize: 20 }, RangeError, 'blockSize must be 16, 32, 64, 128 or 256, got 20'],
  [{ dtype: 'bnb4', bnb4: 'int4' }, RangeError, "bnb4 must be 'nf4' or 'fp4', got 'int4'"],
  [{ dtype: 'q8', perChannel: 'no' }, TypeError, "perChannel must be 0 or 1, got 'no'"],
  [{ dtype: 'q8', float32: ['Gelu'] }, RangeError, "float32 must name operators or nodes of the model, got 'Gelu'"],
  [{ dtype: 'fp16', externalBytes: 9 }, RangeError, 'externalBytes must come with externalName, got 9'],
  [
    { dtype: 'fp16', externalName: '../x' },
    RangeError,
    "externalName must be a path inside the model's folder, got '../x'",
  ],
])('options %j', async (options, Class, message) => {
  expectError(() => convertModel(valid, options), Class, `convertModel: ${message}`);
  await expectRejection(() => convertModelAsync(valid, options), Class, `convertModelAsync: ${message}`);
});

const relu = (input, output) => ({ operator: 'Relu', inputs: [input], outputs: [output] });
const ends = { inputs: { x: ['float32', [2]] }, outputs: { y: ['float32', [2]] } };
test.each([
  [[relu('h', 'y'), relu('x', 'h')], "Relu node 'y' input must be computed before it is used, got 'h'"],
  [[relu('x', 'y'), relu('x', 'y')], "Relu node 'y' output must have a new name, got 'y'"],
  [[relu('x', 'z')], "output of the graph must be computed, got 'y'"],
  [
    [{ operator: 'Odd', domain: 'a', inputs: ['x'], outputs: ['h'] }, relu('h', 'y')],
    "model must state the types of the outputs of Odd node 'h'",
  ],
])('nodes %j', (nodes, message) => {
  expectError(
    () => convertModel(modelOf({ nodes, ...ends }), { dtype: 'fp16' }),
    RangeError,
    `convertModel: ${message}`,
  );
});

test('bytes that are no model', () => {
  const message = 'convertModel: model must be a Uint8Array, got an object';
  expectError(() => convertModel({}, { dtype: 'fp16' }), TypeError, message);
  const file = new Uint8Array([8, 8, 58, 40, 1]);
  expectError(
    () => convertModel(file, { dtype: 'fp16' }),
    RangeError,
    'convertModel: bytes must be protobuf, got premature EOF',
  );
});
