/** What the tests say about results and errors. Each names the case it was about, because one test holds thousands. */
import { expect } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { types } from './reference.js';

const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

function sameData(a, b) {
  if (Array.isArray(a) || Array.isArray(b)) return a.length === b.length && a.every((entry, i) => entry === b[i]);
  return a.constructor.name === b.constructor.name && bytesOf(a).equals(bytesOf(b));
}

/** `actual` is a Tensor of exactly this type, these dims and these bytes in this class of array. */
export function expectTensor(actual, type, dims, data, what = '') {
  const fine =
    actual instanceof Tensor &&
    actual.type === type &&
    Array.isArray(actual.dims) &&
    actual.dims.length === dims.length &&
    actual.dims.every((extent, i) => Object.is(extent, dims[i])) &&
    sameData(actual.data, data);
  if (fine) return;
  // Only a failing case gets here: Jest's own comparison is far too slow for all of them, but shows the difference.
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

/** Puts the case's name in front of what went wrong. */
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

/** A sequence: an array of Tensors that knows its element type. `pieces` are [dims, data]. */
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

/** `call` throws exactly this: the class itself, not one derived from it, and the whole message. */
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
