/**
 * Transpose: perm's rules, and every kind of memory that data and out may live in. The bytes of all permutations:
 * permutations.test.js.
 */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { Tensor, init, transpose } from 'onnx-layout';
import { byteCount, elementCount, transposeData, transposedDims, types, typeNames } from '../support/reference.js';
import { offsetsOf, randomData } from '../support/samples.js';
import { expectError, expectTensor } from '../support/assertions.js';
import { lists } from '../support/tables.js';

beforeAll(() => init());

const counted = (dims) =>
  new Tensor(
    'int32',
    Int32Array.from({ length: elementCount(dims) }, (_, i) => i),
    dims,
  );
describe('perm', () => {
  test.each([
    // dims, perm, dims of the result, elements of the result
    [[], undefined, [], [0]],
    [[], [], [], [0]],
    [[3], undefined, [3], [0, 1, 2]],
    [[3], [0], [3], [0, 1, 2]],
    [[2, 3], undefined, [3, 2], [0, 3, 1, 4, 2, 5]],
    lists('[2, 3], [1, 0], [3, 2], [0, 3, 1, 4, 2, 5]'),
    lists('[2, 3], [0, 1], [2, 3], [0, 1, 2, 3, 4, 5]'),
    // Axis i of the result is axis perm[i] of the input; the other way round would give [3, 1, 2].
    lists('[1, 2, 3], [1, 2, 0], [2, 3, 1], [0, 1, 2, 3, 4, 5]'),
    lists('[2, 1, 3], [2, 0, 1], [3, 2, 1], [0, 3, 1, 4, 2, 5]'),
    [[2, 2, 2], undefined, [2, 2, 2], [0, 4, 2, 6, 1, 5, 3, 7]],
    [[0], undefined, [0], []],
    [[2, 0, 3], undefined, [3, 0, 2], []],
    [[2, 0, 3], [1, 2, 0], [0, 3, 2], []],
    [[2 ** 40, 0, 2 ** 41], [2, 0, 1], [2 ** 41, 2 ** 40, 0], []],
  ])('%j by %j gives %j', (dims, perm, resultDims, elements) => {
    for (const opset of [1, 13, 21, 23, 24, 25]) {
      const actual = transpose(counted(dims), { perm, opset });
      expectTensor(actual, 'int32', resultDims, Int32Array.from(elements), `opset ${opset}`);
    }
  });

  test('is a list of numbers or bigints, an Int32Array or a BigInt64Array; -0 is 0', () => {
    for (const perm of [[1, 0], [1n, 0n], [1, -0], [1n, 0], Int32Array.of(1, 0), BigInt64Array.of(1n, 0n)])
      expectTensor(transpose(counted([2, 2]), { perm }), 'int32', [2, 2], Int32Array.of(0, 2, 1, 3));
  });

  test.each([
    [[2, 3], [], 'perm must be a permutation of [0, 2), got []'],
    [[2, 3], [0], 'perm must be a permutation of [0, 2), got [0]'],
    [[2, 3], [0, 1, 2], 'perm must be a permutation of [0, 2), got [0, 1, 2]'],
    [[2, 3], [-1, 0], 'perm must be a permutation of [0, 2), got [-1, 0]'],
    [[2, 3], [1, 1], 'perm must be a permutation of [0, 2), got [1, 1]'],
    [[2, 3], [0, 2], 'perm must be a permutation of [0, 2), got [0, 2]'],
    [[2, 3], [0n, 2n ** 40n], 'perm must be a permutation of [0, 2), got [0, 1099511627776]'],
    [[2, 3, 4], [0, 0, 2], 'perm must be a permutation of [0, 3), got [0, 0, 2]'],
    [[], [0], 'perm must be a permutation of [0, 0), got [0]'],
    [[2, 0, 3], [0, 0, 1], 'perm must be a permutation of [0, 3), got [0, 0, 1]'],
    [[2, 3], [1.5, 0], 'perm must hold whole numbers, got [1.5, 0]'],
    [[2, 3], [NaN, 0], 'perm must hold whole numbers, got [NaN, 0]'],
    [[2, 3], [2n ** 63n, 0], 'perm must fit int64, got [9223372036854775808, 0]'],
    [[2, 3], [8, 7, 6, 5, 4, 3, 2, 1, 0], 'perm must be a permutation of [0, 2), got [8, 7, 6, 5, 4, 3, 2, 1, …]'],
    [[2, 3], [7, 6, 5, 4, 3, 2, 1, 0], 'perm must be a permutation of [0, 2), got [7, 6, 5, 4, 3, 2, 1, 0]'],
  ])('%j by %p is refused', (dims, perm, message) => {
    for (const [opset, since] of lists('[1, 1], [20, 13], [22, 21], [23, 23], [24, 24], [28, 25]'))
      expectError(() => transpose(counted(dims), { perm, opset }), RangeError, `Transpose-${since}: ${message}`);
  });

  test.each([
    ['10', "perm must be a list of whole numbers, got '10'"],
    [1, 'perm must be a list of whole numbers, got 1'],
    [null, 'perm must be a list of whole numbers, got null'],
    [Float32Array.of(1, 0), 'perm must be a list of whole numbers, got Float32Array'],
    [['1', '0'], "perm must hold whole numbers, got ['1', '0']"],
    [[1, null], 'perm must hold whole numbers, got [1, null]'],
    [[true, false], 'perm must hold whole numbers, got [true, false]'],
  ])('%p is no list', (perm, message) => {
    expectError(() => transpose(counted([2, 3]), { perm }), TypeError, `Transpose-25: ${message}`);
  });

  test('says that perm is an option', () => {
    const message = 'Transpose-25: options must be an object, as { perm }, got [1, 0]';
    expectError(() => transpose(counted([2, 3]), [1, 0]), TypeError, message);
  });
});

describe('memory', () => {
  const dims = [3, 5, 7];
  const perm = [2, 0, 1];
  const outDims = transposedDims(dims, perm);

  test.each(typeNames)('%s at every byte offset, plain and shared, with out and without', (type) => {
    const offsets = type === 'string' ? [0] : offsetsOf(type);
    for (const Memory of [ArrayBuffer, SharedArrayBuffer])
      for (const offset of offsets) {
        const data = randomData(type, 105, 100 + offset, offset, Memory);
        const before = type === 'string' ? [...data] : new Uint8Array(data.buffer).slice();
        const result = transposeData(type, data, dims, perm);
        const plain = transpose({ type, data, dims }, { perm, strict: false });
        expectTensor(plain, type, outDims, result, `${Memory.name} at ${offset}`);
        if (type !== 'string') expect(plain.data.buffer.byteLength).toBe(plain.data.byteLength);
        for (const at of [offsets[0], offsets.at(-1)]) {
          const target = randomData(type, 105, 200, at, Memory);
          const around = type === 'string' ? [] : new Uint8Array(target.buffer).slice();
          const out = { type, data: target, dims: outDims };
          const into = transpose({ type, data, dims }, { perm, out, strict: false });
          expectTensor(into, type, outDims, result, `${Memory.name} at ${offset} into ${at}`);
          expect(into.data).toBe(target);
          // Nothing beside the result was written.
          for (let i = 0; i < around.length; i++) {
            if (i >= at && i < at + target.byteLength) around[i] = new Uint8Array(result.buffer)[i - at];
          }
          if (type !== 'string') expect(Buffer.compare(new Uint8Array(target.buffer).slice(), around)).toBe(0);
        }
        const after = type === 'string' ? data : new Uint8Array(data.buffer);
        expect(after.every((entry, i) => entry === before[i])).toBe(true);
      }
  });

  test("a Buffer is a Uint8Array, from Node's pool at any offset; the result is a plain one", () => {
    for (const type of typeNames.filter((name) => types[name].array === Uint8Array)) {
      const data = randomData(type, 105, 5);
      const result = transpose({ type, data: Buffer.from(data), dims }, { perm, strict: false });
      expectTensor(result, type, outDims, transposeData(type, data, dims, perm), type);
      const out = { type, data: Buffer.alloc(byteCount(type, 105), 0xff), dims: outDims };
      expect(
        transpose({ type, data: Buffer.from(data), dims }, { perm, out, strict: false }).data.equals(
          Buffer.from(result.data),
        ),
      ).toBe(true);
    }
  });

  test('Uint8ClampedArray is read as uint8; the result is a Uint8Array', () => {
    const data = randomData('uint8', 105, 6);
    const result = transpose({ type: 'uint8', data: Uint8ClampedArray.from(data), dims }, { perm });
    expectTensor(result, 'uint8', outDims, transposeData('uint8', data, dims, perm));
  });

  const { Float16Array } = globalThis;
  (Float16Array ? test : test.skip)(
    'Float16Array in gives Float16Array out, Uint16Array in gives Uint16Array out',
    () => {
      const codes = randomData('float16', 105, 8);
      const { buffer } = transposeData('float16', codes, dims, perm);
      const actual = transpose({ type: 'float16', data: codes, dims }, { perm });
      expectTensor(actual, 'float16', outDims, new Uint16Array(buffer));
      const data = new Float16Array(codes.buffer, codes.byteOffset, codes.length);
      expectTensor(transpose({ type: 'float16', data, dims }, { perm }), 'float16', outDims, new Float16Array(buffer));
    },
  );

  test("onnxruntime's and ONNX's names of a type mean the same; the result has onnxruntime's", () => {
    const data = Float64Array.of(1, 2, 3, 4);
    expectTensor(transpose({ type: 'double', data, dims: [2, 2] }), 'float64', [2, 2], Float64Array.of(1, 3, 2, 4));
    const actual = transpose({ type: 'float', data: Float32Array.from(data), dims: [2, 2] });
    expectTensor(actual, 'float32', [2, 2], Float32Array.of(1, 3, 2, 4));
    const out = { type: 'double', data: new Float64Array(4), dims: [2, 2] };
    const result = transpose({ type: 'float64', data, dims: [2, 2] }, { out });
    expectTensor(result, 'float64', [2, 2], Float64Array.of(1, 3, 2, 4));
  });

  test('keeps NaN payloads, in numbers that a float array would rewrite', () => {
    const bits = BigUint64Array.of(0x7ff0000000000001n, 0xfff4000000000002n, 0x7ff8000000000003n, 0xffffffffffffffffn);
    const result = transpose({ type: 'float64', data: new Float64Array(bits.buffer), dims: [2, 2] });
    expect([...new BigUint64Array(result.data.buffer)]).toEqual([bits[0], bits[2], bits[1], bits[3]]);
  });

  test('the result is memory of its own that can be transferred', () => {
    for (const perm of lists('[0, 1], [1, 0]')) {
      const data = Float32Array.of(1, 2, 3, 4);
      const result = transpose({ type: 'float32', data, dims: [2, 2] }, { perm });
      expect(result.data.buffer).not.toBe(data.buffer);
      expect(Object.prototype.toString.call(result.data.buffer)).toBe('[object ArrayBuffer]');
      structuredClone(result.data, { transfer: [result.data.buffer] });
      expect([result.data.length, data.length]).toEqual([0, 4]);
    }
    expectTensor(transpose(counted([2, 3])), 'int32', [3, 2], Int32Array.of(0, 3, 1, 4, 2, 5), 'after the transfer');
  });
});

test('rank 64: every axis of extent 2 among ones', () => {
  const dims = Array.from({ length: 64 }, (_, i) => (i % 7 === 3 ? 2 : 1));
  const reverse = dims.map((_, i) => 63 - i);
  const rotate = dims.map((_, i) => (i + 23) % 64);
  for (const type of ['uint2', 'int4', 'uint8', 'float16', 'float32', 'float64', 'complex128', 'string']) {
    const size = elementCount(dims);
    const data = randomData(type, size, 64);
    const actual = transpose({ type, data, dims });
    expectTensor(actual, type, transposedDims(dims, reverse), transposeData(type, data, dims, reverse), type);
    const result = transpose({ type, data, dims }, { perm: rotate });
    expectTensor(result, type, transposedDims(dims, rotate), transposeData(type, data, dims, rotate), type);
  }
});
