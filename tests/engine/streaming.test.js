/**
 * Tensors that go through the scratch area in pieces: seeded shapes just beyond one piece, of every width, in any order
 * of axes.
 */
import { test, describe, beforeAll, expect } from '@jest/globals';
import { init, splitToSequence, transpose } from 'onnx-layout';
import { elementCount, splitData, transposeData, transposedDims, types } from '../support/reference.js';
import { chooseSample } from '../support/sample.js';
import { below, generator, offsetsOf, randomData, randomPermutation } from '../support/samples.js';
import { expectSequence, expectTensor } from '../support/assertions.js';
import { rows } from '../support/tables.js';

beforeAll(() => init());

const widths = ['uint2', 'int4', 'float6e2m3', 'uint8', 'float16', 'float32', 'float64', 'complex128'];

function check(type, dims, perm, turn) {
  const size = elementCount(dims);
  const offsets = offsetsOf(type);
  const data = randomData(type, size, turn, offsets[turn % offsets.length]);
  const expected = transposeData(type, data, dims, perm);
  const outDims = transposedDims(dims, perm);
  const out =
    turn % 2
      ? { type, data: randomData(type, size, turn + 1, offsets[(turn >> 1) % offsets.length]), dims: outDims }
      : undefined;
  expectTensor(
    transpose({ type, data, dims }, { perm, out, strict: false }),
    type,
    outDims,
    expected,
    `${type} [${dims}] perm [${perm}]`,
  );
}

/** Cuts one matrix's columns in several ways. */
function checkSplit(type, rows, steps, seed, cuts) {
  const data = randomData(type, rows * steps, seed);
  for (const sizes of cuts) {
    const pieces = splitData(type, data, [rows, steps], 1, sizes).map((piece, i) => [[rows, sizes[i]], piece]);
    expectSequence(
      splitToSequence({ type, data, dims: [rows, steps] }, sizes, { axis: 1, strict: false }),
      type,
      pieces,
      `${type} [${sizes.slice(0, 4)}]`,
    );
  }
}

/**
 * Draws extents of a rank, whose product is about `size`. All but one are near a power of two, and that one takes what
 * is left.
 */
function dimsOf(random, rank, size) {
  const dims = [];
  let left = size;
  for (let i = 1; i < rank; i++) {
    const most = Math.max(1, Math.floor(Math.log2(left)) - 1);
    dims.push(Math.max(1, 2 ** below(random, Math.min(most, 12)) + below(random, 5) - 2));
    left = Math.max(1, Math.floor(left / dims.at(-1)));
  }
  dims.splice(below(random, rank), 0, left);
  return dims;
}

test('every width of a type is here', () => {
  const all = Object.values(types).map(({ bits }) => bits);
  expect(widths.map((type) => types[type].bits)).toEqual([...new Set(all)].filter(Boolean).sort((a, b) => a - b));
});

// The oracle takes seconds a case, so a commit tests a part of them.
describe.each(chooseSample(widths, 4))('%s', (type) => {
  const { bits, code } = types[type];

  test.each([2, 3, 4, 5, 7])('rank %i', (rank) => {
    const random = generator(100 * code + rank);
    for (let i = 0; i < 4; i++) {
      const bytes = 2 ** (18 + i) + below(random, 5000);
      const dims = dimsOf(random, rank, Math.floor((8 * bytes) / bits));
      check(type, dims, randomPermutation(random, rank), i);
      check(
        type,
        dims,
        dims.map((_, axis) => rank - 1 - axis),
        i + 1,
      );
    }
  });

  test('an axis of every small extent, inside and outside', () => {
    for (let extent = 1; extent <= 33; extent++) {
      const other = Math.ceil((8 * 300_000) / bits / extent) + (extent % 3);
      check(type, [other, extent], [1, 0], extent);
      check(type, [extent, other], [1, 0], extent);
    }
  });

  test('sizes around which a call changes its way, and inner runs of about 2 KiB', () => {
    for (const size of [48, 96, 192].flatMap((most) => [most - 2, most - 1, most, most + 1, most + 2]))
      check(type, [size, 1, 1], [2, 0, 1], size);
    for (const rows of [24, 48, 96].flatMap((most) => [most - 1, most, most + 1])) check(type, [rows, 2], [1, 0], rows);
    for (const more of [-1, 0, 1]) check(type, [16, Math.floor(2 ** 17 / bits) + more], [1, 0], more + 1);
    for (const bytes of [496, 512, 528, 2032, 2048, 2064])
      for (const odd of [0, 1]) check(type, [33, 13, Math.floor((8 * bytes) / bits) + odd], [1, 0, 2], bytes);
  });

  test('split', () => {
    const random = generator(code);
    for (const steps of [7, 64, 1001, 5000]) {
      const rows = Math.ceil((8 * 600_000) / bits / steps);
      const first = below(random, steps);
      checkSplit(type, rows, steps, steps, [[first, 0, 1, steps - first - 1]]);
    }
  });
});

test.each(
  chooseSample(
    [
      ['int4', 3, 600_001],
      ['int4', 10, 600_001],
      ['uint2', 3, 1_200_003],
      ['uint2', 3, 12_000_001],
      ['uint8', 3, 300_001],
    ],
    3,
  ),
)('split of long rows: %s [%i, %i]', (type, rows, steps) =>
  checkSplit(type, rows, steps, rows, [
    [1, 0, 2, steps - 3],
    [steps - 100_001, 100_001],
    [...Array(1000).fill(97), steps - 97_000],
  ]),
);

test.each(
  chooseSample(
    [
      ['uint2', 2200, 4003],
      ['int4', 1100, 4003],
      ['uint8', 1500, 1801],
    ],
    3,
  ),
)('split of many rows: %s [%i, %i]', (type, rows, steps) =>
  checkSplit(type, rows, steps, rows, [
    [1, 0, 3, 1000, steps - 1004],
    [...Array(Math.floor(steps / 101)).fill(101), steps % 101],
  ]),
);

// Planes so large that a slab holds few of them, and of so odd a size that slabs and strips begin within a byte.
test.each(
  chooseSample(
    [
      ['int4', [11, 1001, 1301], [1, 0, 2]],
      ['int4', [7, 1001, 1301], [1, 2, 0]],
      ['int4', [5, 3, 1001, 333], [2, 1, 0, 3]],
      ['int4', [7, 2201, 2203], [1, 0, 2]],
      ['uint2', [7, 2001, 1301], [1, 0, 2]],
      ['uint2', [5, 2001, 1301], [2, 0, 1]],
      ['uint2', [3, 5, 1001, 999], [3, 1, 0, 2]],
      ['uint2', [5, 3111, 3113], [1, 0, 2]],
      ['uint8', [1501, 3, 1999], [2, 1, 0]],
      ['float16', [2003, 1201], [1, 0]],
      ['float32', [1031, 1201], [1, 0]],
      ['float32', [19, 256, 256], [2, 1, 0]],
      ['complex128', [601, 512], [1, 0]],
    ],
    3,
  ),
)('%s %j by %j', (type, dims, perm) => check(type, dims, perm, 1));

describe('what one call leaves to the next', () => {
  test.each(
    rows(`
    [3, 100003], [1, 0]
    [100003, 3], [1, 0]
    [601, 503], [1, 0]
  `),
  )('%j by %j at every place in a line', (dims, perm) => {
    const size = elementCount(dims);
    const codes = randomData('uint8', size, 1);
    const expected = transposeData('uint8', codes, dims, perm);
    const outDims = transposedDims(dims, perm);
    const [from, to] = [new ArrayBuffer(size + 64), new ArrayBuffer(size + 64)];
    for (let place = 0; place <= 32; place++) {
      const data = new Uint8Array(from, (7 * place) % 33, size);
      data.set(codes);
      new Uint8Array(to).fill(0xa5);
      const out = { type: 'uint8', data: new Uint8Array(to, place, size), dims: outDims };
      expectTensor(transpose({ type: 'uint8', data, dims }, { perm, out }), 'uint8', outDims, expected, `at ${place}`);
      expect([...new Uint8Array(to, 0, place), ...new Uint8Array(to, place + size)]).toEqual(Array(64).fill(0xa5));
    }
  });

  test('more shapes than are kept, which differ in one extent, one stride, the width, or the number of axes', () => {
    for (let round = 0; round < 2; round++) {
      check('uint8', [701, 503], [1, 0], round);
      check('float16', [701, 503], [1, 0], round);
      check('uint8', [703, 503], [1, 0], round);
      check('uint8', [701, 505], [1, 0], round);
      check('uint8', [3, 701, 503], [0, 2, 1], round);
      check('uint8', [3, 701, 503], [2, 1, 0], round);
      check('uint8', [3, 503, 701], [1, 0, 2], round);
      check('uint8', [3, 701, 503], [1, 2, 0], round);
      check('int4', [3, 701, 503], [1, 2, 0], round);
      check('int4', [1501, 703], [1, 0], round);
      // Canonical axes of one width: none, and two.
      check('uint8', [300_001], [0], round);
      check('uint8', [3, 2, 300_001], [1, 0, 2], round);
    }
  });

  test('slabs that are cut along either axis', () => check('uint8', [1100, 9001], [1, 0], 0));
});
