/** Compares what resize and thumbnail return with the oracle. */
import { expect } from '@jest/globals';
import { resize, thumbnail } from 'onnx-layout/image';
import * as reference from './resizing/resize.reference.js';

const { floor } = Math;
const { is } = Object;

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

/** @returns {number[]} the indices at which values differ; a NaN is any NaN, because its bits are the machine's */
function differences(actual, expected) {
  // The usual case, at the speed of memcmp.
  if (bytesOf(actual).equals(bytesOf(expected))) return [];
  const indices = [];
  for (let i = 0; i < expected.length; i++) if (!is(actual[i], expected[i])) indices.push(i);
  return indices;
}

const seen = ({ data, ...rest }) => ({ ...rest, class: data.constructor.name, length: data.length });

/**
 * Expects an image of exactly these properties and values.
 * @param {object} actual
 * @param {object} expected
 * @param {string} what the case
 */
export function expectImage(actual, expected, what) {
  expect({ what, ...seen(actual) }).toEqual({ what, ...seen(expected) });
  const indices = differences(actual.data, expected.data);
  if (indices.length === 0) return;
  const [at] = indices;
  const { width, height, channels } = expected;
  const place = `row ${floor(at / channels / width)} column ${floor(at / channels) % width}`;
  throw new Error(
    `${what}: ${indices.length} of ${width * height * channels} values differ, first at ${place} channel ` +
      `${at % channels}: ${actual.data[at]} instead of ${expected.data[at]}`,
  );
}

const calls = { resize, thumbnail };

/** One line that says what a call is. */
function nameOf(call, { data, ...rest }, options) {
  return `${call}(${data.constructor.name} ${JSON.stringify(rest)}, ${JSON.stringify(options)})`;
}

/** Bytes around the memory of a result, to see that nothing is written there. */
const guard = 64;

/**
 * Expects a call to return what the oracle does, in memory of its own; and again in memory that the caller gives, if
 * `isInto`.
 * @param {{ call?: 'resize' | 'thumbnail', image: object, options: object }} call
 * @param {object} [more]
 * @param {string} [more.what] the case; the call itself if omitted
 * @param {boolean} [more.isInto]
 */
export function expectAsOracle({ call = 'resize', image, options }, { what, isInto = false } = {}) {
  const name = what ?? nameOf(call, image, options);
  const expected = reference[call](image, options);
  const before = Buffer.from(bytesOf(image.data));
  const actual = calls[call](image, options);
  expectImage(actual, expected, name);
  if (actual.data.byteLength !== actual.data.buffer.byteLength || actual.data.buffer === image.data.buffer)
    throw new Error(`${name}: the result is not in memory of its own`);
  if (isInto) {
    const { data, width, height, channels } = expected;
    const memory = new data.constructor(data.length + 2 * guard).fill(99);
    const room = memory.subarray(guard, guard + data.length);
    const into = calls[call](image, { ...options, out: { data: room, width, height, channels } });
    expectImage(into, expected, `${name} into out`);
    if (into.data.buffer !== memory.buffer || into.data.byteOffset !== room.byteOffset)
      throw new Error(`${name}: the result is not in out`);
    for (let i = 0; i < guard; i++)
      if (memory[i] !== 99 || memory[guard + data.length + i] !== 99)
        throw new Error(`${name}: something was written outside of out`);
  }
  if (!bytesOf(image.data).equals(before)) throw new Error(`${name}: the image has changed`);
}
