/** The names of files by dtype. */
import { expect, test } from '@jest/globals';
import { modelFileName } from 'onnx-layout/convert';
import { suffixes } from '../support/convert-goldens.js';
import { expectError } from '../support/assertions.js';

const known = "'fp32', 'fp16', 'q8', 'int8', 'uint8', 'bnb4', 'q4', 'q4f16', 'q2' or 'q2f16'";

test.each(Object.entries(suffixes))("%s has transformers.js' ending", (dtype, suffix) => {
  // onnxruntime refuses weights of one bit.
  if (dtype.startsWith('q1'))
    expectError(() => modelFileName('m', dtype), RangeError, `modelFileName: dtype must be ${known}, got '${dtype}'`);
  else expect(modelFileName('m', dtype)).toBe(`m${suffix}.onnx`);
});

test('other values are refused', () => {
  expectError(() => modelFileName(1, 'q8'), TypeError, 'modelFileName: name must be a string, got 1');
  expectError(() => modelFileName('m'), TypeError, `modelFileName: dtype must be ${known}, got undefined`);
});
