/** SplitToSequence: how it is cut, and the bytes of the pieces, packed types at any bit included. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { Tensor, init, splitToSequence } from 'onnx-layout';
import { elementCount, splitData, types, typeNames } from '../support/reference.js';
import { below, generator, offsetsOf, randomData } from '../support/samples.js';
import { expectSequence, expectTensor, expectErrors, refuses } from '../support/assertions.js';

beforeAll(() => init());

const counted = (dims) =>
  new Tensor(
    'int32',
    Int32Array.from({ length: elementCount(dims) }, (_, i) => i),
    dims,
  );
const six = counted([6, 4]);
const int64 = (values, dims = [values.length]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);

/** Checks a call against the oracle, given the sizes that it must cut into. */
function check(tensor, splitArgument, options, sizes, what) {
  const { type, data, dims } = tensor;
  const axis = Number(options.axis ?? 0) + (Number(options.axis ?? 0) < 0 ? dims.length : 0);
  const dropped = options.keepdims === 0 || options.keepdims === false;
  const pieces = splitData(type, data, dims, axis, sizes).map((piece, i) => {
    const pieceDims = dims.flatMap((extent, d) =>
      d === axis ? (dropped && (splitArgument === undefined || splitArgument === null) ? [] : [sizes[i]]) : [extent],
    );
    return [pieceDims, piece];
  });
  expectSequence(splitToSequence(tensor, splitArgument, options), type, pieces, what);
}

describe('the cuts', () => {
  test.each([
    // split, options, sizes
    [undefined, {}, [1, 1, 1, 1, 1, 1]],
    [null, {}, [1, 1, 1, 1, 1, 1]],
    [undefined, { keepdims: 1 }, [1, 1, 1, 1, 1, 1]],
    [undefined, { keepdims: true }, [1, 1, 1, 1, 1, 1]],
    [undefined, { keepdims: 0 }, [1, 1, 1, 1, 1, 1]],
    [undefined, { keepdims: false }, [1, 1, 1, 1, 1, 1]],
    [null, { keepdims: 0, axis: 1 }, [1, 1, 1, 1]],
    [1, {}, [1, 1, 1, 1, 1, 1]],
    [2, {}, [2, 2, 2]],
    [4, {}, [4, 2]],
    [5, {}, [5, 1]],
    [6, {}, [6]],
    [7, {}, [6]],
    [2n ** 62n, {}, [6]],
    [4n, {}, [4, 2]],
    [3, { axis: 1 }, [3, 1]],
    [3, { axis: -1 }, [3, 1]],
    [4, { axis: -2 }, [4, 2]],
    [4, { axis: 0n }, [4, 2]],
    [4, { axis: -0 }, [4, 2]],
    [[6], {}, [6]],
    [[1, 2, 3], {}, [1, 2, 3]],
    [[1n, 5n], {}, [1, 5]],
    [[0, 6], {}, [0, 6]],
    [[-0, 6], {}, [0, 6]],
    [[3, 0, 0, 3], {}, [3, 0, 0, 3]],
    [[1, 3], { axis: 1 }, [1, 3]],
    [Int32Array.of(2, 4), {}, [2, 4]],
    [BigInt64Array.of(2n, 4n), {}, [2, 4]],
    [int64([2, 4]), {}, [2, 4]],
    [new Tensor('int32', Int32Array.of(2, 4), [2]), {}, [2, 4]],
    [int64([4], []), {}, [4, 2]],
    [new Tensor('int32', Int32Array.of(4), []), {}, [4, 2]],
    [{ type: 'int64', data: BigInt64Array.of(4n), dims: [] }, {}, [4, 2]],
    // keepdims counts only where split is omitted
    [1, { keepdims: 0 }, [1, 1, 1, 1, 1, 1]],
    [2, { keepdims: 0 }, [2, 2, 2]],
    [[2, 4], { keepdims: 0 }, [2, 4]],
    [[1, 1, 1, 1, 1, 1], { keepdims: false }, [1, 1, 1, 1, 1, 1]],
  ])('[6, 4] by %p %p', (splitArgument, options, sizes) => {
    check(six, splitArgument, options, sizes, '');
    check(six, splitArgument, { ...options, opset: 11 }, sizes, 'opset 11');
    check(six, splitArgument, { ...options, opset: 24 }, sizes, 'opset 24');
  });

  test('a zero-length axis gives no pieces, or those of the list', () => {
    for (const options of [{}, { keepdims: 0 }])
      expectSequence(splitToSequence(counted([0, 4]), undefined, options), 'int32', []);
    expectSequence(splitToSequence(counted([0, 4]), 1), 'int32', []);
    expectSequence(splitToSequence(counted([0, 4]), 5), 'int32', []);
    expectSequence(splitToSequence(counted([0, 4]), [0, 0]), 'int32', [
      [[0, 4], new Int32Array(0)],
      [[0, 4], new Int32Array(0)],
    ]);
    expectSequence(splitToSequence(counted([0, 4]), 3, { axis: 1 }), 'int32', [
      [[0, 3], new Int32Array(0)],
      [[0, 1], new Int32Array(0)],
    ]);
    expectSequence(splitToSequence({ type: 'string', data: [], dims: [0] }), 'string', []);
  });

  test("ONNX's names of the types are onnxruntime's in the sequence", () => {
    expect(splitToSequence({ type: 'double', data: new Float64Array(0), dims: [0] }).type).toBe('float64');
    expectSequence(splitToSequence({ type: 'float', data: Float32Array.of(5), dims: [1] }), 'float32', [
      [[1], Float32Array.of(5)],
    ]);
  });
});

describe('refuses', () => {
  test.each([
    [six, [2], {}, 'split must sum to dims[0] = 6, got [2], which sum to 2'],
    [six, [2, 2], {}, 'split must sum to dims[0] = 6, got [2, 2], which sum to 4'],
    [counted([4, 6]), [2, 3], { axis: 1 }, 'split must sum to dims[1] = 6, got [2, 3], which sum to 5'],
    [counted([4, 6]), [2, 3], { axis: -1 }, 'split must sum to dims[1] = 6, got [2, 3], which sum to 5'],
    [
      six,
      [2n ** 62n, 2n ** 62n, 2n ** 62n, 2n ** 62n, 6n],
      {},
      `split must sum to dims[0] = 6, got [${'4611686018427387904, '.repeat(4)}6], which sum to 18446744073709551622`,
    ],
    [six, 0, {}, 'split must be at least 1, got 0'],
    [six, -1, {}, 'split must be at least 1, got -1'],
    [six, int64([0], []), {}, 'split must be at least 1, got 0'],
    [counted([0, 4]), 0, {}, 'split must be at least 1, got 0'],
    [six, [-1, 7], {}, 'split entries must be at least 0, got [-1, 7]'],
    [six, [], {}, 'split must not be empty, got []'],
    [six, int64([]), {}, 'split must not be empty, got []'],
    [six, [1.5, 4.5], {}, 'split must hold whole numbers, got [1.5, 4.5]'],
    [six, 1.5, {}, 'split must be a whole number, got 1.5'],
    [six, NaN, {}, 'split must be a whole number, got NaN'],
    [six, 2n ** 63n, {}, 'split must fit int64, got 9223372036854775808'],
    [six, [2n ** 63n], {}, 'split must fit int64, got [9223372036854775808]'],
    [six, 1, { axis: 2 }, 'axis must be in [-2, 1], got 2'],
    [six, 1, { axis: -3 }, 'axis must be in [-2, 1], got -3'],
    [six, 1, { axis: 0.5 }, 'axis must be a whole number, got 0.5'],
    [counted([]), 1, {}, 'input must have at least one axis, got a scalar'],
    [counted([]), undefined, { axis: -1 }, 'input must have at least one axis, got a scalar'],
    [six, undefined, { keepdims: 2 }, 'keepdims must be 0 or 1, got 2'],
    [six, 2, { keepdims: -1 }, 'keepdims must be 0 or 1, got -1'],
  ])('%# %s by %p %p', (tensor, splitArgument, options, message) => {
    expectErrors({
      [`RangeError: SplitToSequence-24: ${message}`]: () => splitToSequence(tensor, splitArgument, options),
      [`RangeError: SplitToSequence-11: ${message}`]: () =>
        splitToSequence(tensor, splitArgument, { ...options, opset: 23 }),
    });
  });

  refuses('SplitToSequence-24', (splitArgument, options) => splitToSequence(six, splitArgument, options), {
    'TypeError: split must be a scalar or 1-D, got rank 2': [int64([3, 3], [1, 2]), {}],
    'TypeError: split must hold whole numbers, got [[3, 3]]': [[[3, 3]], {}],
    'TypeError: split must be int32 or int64, got uint8': [new Tensor('uint8', Uint8Array.of(3, 3), [2]), {}],
    'TypeError: split must be a number, a list of whole numbers or an int32 or int64 tensor, got Float32Array': () =>
      splitToSequence(six, Float32Array.of(3, 3), {}),
    "TypeError: split must be a number, a list of whole numbers or an int32 or int64 tensor, got '3'": ['3', {}],
    'TypeError: split must be a number, a list of whole numbers or an int32 or int64 tensor, got true': [true, {}],
    "TypeError: split must hold whole numbers, got ['3', '3']": [['3', '3'], {}],
    "TypeError: axis must be a number or a bigint, got '0'": [2, { axis: '0' }],
    "TypeError: keepdims must be 0 or 1, got '1'": [2, { keepdims: '1' }],
    'TypeError: keepdims must be 0 or 1, got null': [2, { keepdims: null }],
  });

  test('more than 1,000,000 pieces', () => {
    const bytes = new Uint8Array(1_000_001);
    const tensor = { type: 'uint8', data: bytes, dims: [1_000_001] };
    expectErrors({
      'RangeError: SplitToSequence-24: split must give at most 1000000 pieces, got 1000001': [
        () => splitToSequence(tensor),
        () => splitToSequence(tensor, 1),
      ],
      'RangeError: SplitToSequence-24: split must have 0 to 1000000 entries, got 1000001': () =>
        splitToSequence({ type: 'uint8', data: new Uint8Array(0), dims: [0] }, new Int32Array(1_000_001)),
    });
    expect(splitToSequence(tensor, 2).length).toBe(500_001);
    expect(splitToSequence({ ...tensor, data: bytes.subarray(1), dims: [1_000_000] }).length).toBe(1_000_000);
  });
});

describe('bytes', () => {
  test.each(typeNames)('%s: every axis of seeded shapes, cut at any element', (type) => {
    const random = generator(types[type].code);
    const offsets = type === 'string' ? [0] : offsetsOf(type);
    for (let i = 0; i < 150; i++) {
      const rank = 1 + below(random, 4);
      const dims = Array.from({ length: rank }, () => [1, 2, 3, 4, 5, 7, 9, 16, 17][below(random, 9)]);
      const tensor = { type, data: randomData(type, elementCount(dims), i, offsets[i % offsets.length]), dims };
      const axis = below(random, rank);
      const sizes = [];
      for (let left = dims[axis]; left > 0; left -= sizes.at(-1)) sizes.push(Math.min(left, below(random, 6)));
      const chunk = 1 + below(random, dims[axis] + 1);
      const chunks = Array.from({ length: Math.ceil(dims[axis] / chunk) }, (_, k) =>
        Math.min(chunk, dims[axis] - k * chunk),
      );
      const what = `${type} [${dims}] axis ${axis}`;
      const options = { axis: i % 2 ? axis : axis - rank, strict: false };
      check(tensor, sizes, options, sizes, `${what} by [${sizes}]`);
      check(tensor, chunk, options, chunks, `${what} by ${chunk}`);
      check(
        tensor,
        undefined,
        { ...options, keepdims: i % 2 },
        Array(dims[axis]).fill(1),
        `${what}, keepdims ${i % 2}`,
      );
    }
  });

  test.each(['uint2', 'int4', 'uint8', 'float16', 'float32', 'float64', 'complex128', 'string'])(
    '%s: runs of 0 to 300',
    (type) => {
      for (let n = 0; n <= 300; n += n < 70 ? 1 : 7) {
        const sizes = [n, 5, n >> 1];
        const extent = n + 5 + (n >> 1);
        const offsets = type === 'string' ? [0] : offsetsOf(type);
        const data = randomData(type, 3 * extent, n, offsets[n % offsets.length]);
        check({ type, data, dims: [3, extent] }, sizes, { axis: 1, strict: false }, sizes, `${type} ${n}`);
        check({ type, data, dims: [3, extent] }, sizes, { axis: -1, strict: false }, sizes, `${type} ${n}`);
      }
    },
  );

  test('pieces of some bits beside long ones', () => {
    for (const type of ['uint2', 'int4', 'uint8'])
      for (let rows = 2; rows <= 9; rows++)
        for (const steps of [8195, 16384, 20_000]) {
          const sizes = [1, 2, steps - 10, 3, 4];
          check(
            { type, data: randomData(type, rows * steps, rows), dims: [rows, steps] },
            sizes,
            { axis: 1, strict: false },
            sizes,
            `${type} ${rows} ${steps}`,
          );
        }
  });

  test('more pieces of one size than go through the kernel together', () => {
    for (const type of ['uint2', 'int4', 'uint8', 'float16', 'float64'])
      for (const rows of [2, 8, 17]) {
        const sizes = [...Array(257).fill(3), 0, 5, 5, ...Array(515).fill(1)];
        const steps = 257 * 3 + 10 + 515;
        check(
          { type, data: randomData(type, rows * steps, rows), dims: [rows, steps] },
          sizes,
          { axis: 1, strict: false },
          sizes,
          `${type} ${rows}`,
        );
      }
    // With what lies between them, all of these would not fit the scratch area.
    const many = { type: 'uint8', data: randomData('uint8', 320_000, 1), dims: [8, 40_000] };
    check(many, 1, { axis: 1 }, Array(40_000).fill(1), '40,000 pieces');
  });

  test('long rows of short runs, of which neither enough rows nor all pieces together fit the scratch area', () => {
    const [rows, count, run] = [32, 256, 2047];
    const data = randomData('uint8', rows * count * run, 2);
    const pieces = splitToSequence({ type: 'uint8', data, dims: [rows, count * run] }, run, { axis: 1 });
    expect(pieces.map(({ dims }) => dims)).toEqual(Array(count).fill([rows, run]));
    const wrong = [];
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < count; i++) {
        const want = data.subarray((row * count + i) * run, (row * count + i + 1) * run);
        if (Buffer.compare(pieces[i].data.subarray(row * run, (row + 1) * run), want) !== 0) wrong.push([row, i]);
      }
    expect(wrong).toEqual([]);
  });

  test('from shared memory, into pieces with a buffer of their own', () => {
    for (const type of typeNames.filter((name) => name !== 'string')) {
      const tensor = { type, data: randomData(type, 105, 4, 8, SharedArrayBuffer), dims: [5, 21] };
      check(tensor, [2, 3], { strict: false }, [2, 3], type);
      check(tensor, [10, 11], { axis: 1, strict: false }, [10, 11], type);
    }
  });
});

describe('out', () => {
  test.each(typeNames)('%s', (type) => {
    const tensor = { type, data: randomData(type, 105, 4), dims: [5, 21] };
    const offset = type === 'string' ? 0 : offsetsOf(type).at(-1);
    for (const [axis, sizes] of [
      [0, [1, 0, 4]],
      [1, [10, 3, 8]],
    ]) {
      const pieces = splitData(type, tensor.data, tensor.dims, axis, sizes);
      const out = sizes.map((size, i) => {
        const dims = axis === 0 ? [size, 21] : [5, size];
        return { type, data: randomData(type, elementCount(dims), i, offset), dims };
      });
      const result = splitToSequence(tensor, sizes, { axis, out, strict: false });
      expect([result.type, result.length]).toEqual([type, sizes.length]);
      result.forEach((piece, i) => {
        expectTensor(piece, type, out[i].dims, pieces[i], `${type} axis ${axis} piece ${i}`);
        expect(piece.data).toBe(out[i].data);
      });
    }
  });
});
