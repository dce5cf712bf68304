/** Assertions about results and errors. Each takes the name of its case, because one test may hold thousands. */
import { expect } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { types } from './reference.js';

const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

function sameData(a, b) {
  if (Array.isArray(a) || Array.isArray(b)) return a.length === b.length && a.every((entry, i) => entry === b[i]);
  return a.constructor.name === b.constructor.name && bytesOf(a).equals(bytesOf(b));
}

/**
 * Expects a Tensor of exactly this type, these dims, and these bytes in this class of array.
 * @param {Tensor} actual
 * @param {string} type
 * @param {number[]} dims
 * @param {any} data
 * @param {string} [what] the name of the case
 */
export function expectTensor(actual, type, dims, data, what = '') {
  const fine =
    actual instanceof Tensor &&
    actual.type === type &&
    Array.isArray(actual.dims) &&
    actual.dims.length === dims.length &&
    actual.dims.every((extent, i) => Object.is(extent, dims[i])) &&
    sameData(actual.data, data);
  if (fine) return;
  // Jest's own comparison shows the difference. It is far too slow for the cases that do not fail.
  const [from, to] = differing(actual.data, data);
  const seen = (tensor) => ({
    type: tensor.type,
    dims: tensor.dims,
    class: tensor.data?.constructor?.name,
    length: tensor.data?.length,
    firstDifference: from,
    data: tensor.data?.slice?.(from, to),
  });
  named(what, () => {
    expect({ ...seen(actual), isTensor: actual instanceof Tensor }).toEqual({
      ...seen({ type, dims, data }),
      isTensor: true,
    });
    throw new Error('differs in bytes that print alike');
  });
}

/** Puts the name of the case before the message of what `check` throws. */
function named(what, check) {
  try {
    check();
  } catch (error) {
    error.message = `${what}\n${error.message}`;
    throw error;
  }
}

function differing(a, b) {
  let i = 0;
  while (i < Math.min(a?.length ?? 0, b.length) && Object.is(a[i], b[i])) i++;
  return [i, i + 16];
}

/**
 * Expects a sequence: an array of Tensors with a `type`, each in memory of its own length.
 * @param {any} actual
 * @param {string} type
 * @param {[dims: number[], data: any][]} pieces
 * @param {string} [what] the name of the case
 */
export function expectSequence(actual, type, pieces, what = '') {
  named(what, () =>
    expect({ isArray: Array.isArray(actual), type: actual.type, length: actual.length }).toEqual({
      isArray: true,
      type,
      length: pieces.length,
    }),
  );
  pieces.forEach(([dims, data], i) => {
    expectTensor(actual[i], type, dims, data, `${what} piece ${i}`);
    if (types[type].bits !== 0) expect(actual[i].data.byteLength).toBe(actual[i].data.buffer.byteLength);
  });
}

/**
 * Expects an error of exactly this class, not of one derived from it, with exactly this message.
 * @param {() => unknown} call
 * @param {Function} Class
 * @param {string} message
 * @param {string} [what] the name of the case
 */
export function expectError(call, Class, message, what = '') {
  let thrown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  named(what, () =>
    expect({ class: thrown?.constructor, message: thrown?.message }).toEqual({ class: Class, message }),
  );
}
