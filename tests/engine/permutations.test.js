/** Transpose's bytes against the oracle's: all permutations, awkward extents, every width, every inner length. */
import { test, describe, beforeAll } from '@jest/globals';
import { init, transpose } from 'onnx-layout';
import { elementCount, fromCodes, toCodes, transposeCodes, transposedDims, typeNames } from '../support/reference.js';
import { below, generator, offsetsOf, permutations, randomData, randomPermutation } from '../support/samples.js';
import { expectTensor } from '../support/assertions.js';

beforeAll(() => init());

// Around the widths of vectors and tiles, and where packed types end within a byte.
const awkward = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33];

// The order of elements depends on dims and perm alone, so that all types share it.
const orderOf = (dims, perm) =>
  transposeCodes(
    Array.from({ length: elementCount(dims) }, (_, i) => i),
    dims,
    perm,
  );

let turn = 0;

/** One case, at the next of the offsets that the type allows; every second one into memory that is full of ones. */
function check(type, dims, perm, order) {
  turn += 1;
  const offsets = type === 'string' ? [0] : offsetsOf(type);
  const data = randomData(type, order.length, turn, offsets[turn % offsets.length]);
  compare(type, data, dims, perm, order, turn % 2 ? offsets[(turn >> 1) % offsets.length] : undefined);
}

function compare(type, data, dims, perm, order, outOffset) {
  const codes = toCodes(type, data, order.length);
  const expected = fromCodes(
    type,
    order.map((from) => codes[from]),
  );
  const what = `${type} [${dims}] perm [${perm}] at ${data.byteOffset}, out ${outOffset}`;
  const outDims = transposedDims(dims, perm);
  const options = { perm, strict: false };
  if (outOffset !== undefined)
    options.out = { type, data: randomData(type, order.length, 1, outOffset).fill(ones(type)), dims: outDims };
  expectTensor(transpose({ type, data, dims }, options), type, outDims, expected, what);
}

function ones(type) {
  if (type === 'string') return 'old';
  return type === 'int64' ? -1n : type === 'uint64' ? 2n ** 64n - 1n : 255;
}

describe('all permutations of awkward extents, every type', () => {
  test('rank 0', () => {
    for (const type of typeNames) for (let i = 0; i < 4; i++) check(type, [], [], [0]);
  });

  test('rank 1', () => {
    for (const extent of awkward) for (const type of typeNames) check(type, [extent], [0], orderOf([extent], [0]));
  });

  test('rank 2: every pair', () => {
    for (const rows of awkward)
      for (const columns of awkward)
        for (const perm of permutations(2)) {
          const order = orderOf([rows, columns], perm);
          for (const type of typeNames) check(type, [rows, columns], perm, order);
        }
  });

  test.each([
    [3, 24, 3000],
    [4, 12, 1500],
    [5, 5, 800],
  ])('rank %i: %i seeded shapes', (rank, shapes, largest) => {
    const random = generator(rank);
    for (let i = 0; i < shapes; i++) {
      const dims = awkwardDims(random, rank, largest, i % 6 === 5);
      for (const perm of permutations(rank)) {
        const order = orderOf(dims, perm);
        for (const type of typeNames) check(type, dims, perm, order);
      }
    }
  });

  test.each([6, 7, 8])('rank %i: seeded permutations', (rank) => {
    const random = generator(rank);
    for (let i = 0; i < 60; i++) {
      const dims = awkwardDims(random, rank, 1200, i % 12 === 11);
      const perm = randomPermutation(random, rank);
      const order = orderOf(dims, perm);
      for (const type of typeNames) check(type, dims, perm, order);
    }
  });
});

/** Random awkward extents of at most `largest` elements; with a zero among them only where asked for. */
function awkwardDims(random, rank, largest, zero) {
  for (;;) {
    const dims = Array.from({ length: rank }, () => awkward[below(random, awkward.length)]);
    if (dims.includes(0) === zero && elementCount(dims) <= largest) return dims;
  }
}

describe('inner lengths 0 to 300 at every byte offset', () => {
  const forms = [
    (n) => [
      [3, n],
      [1, 0],
    ],
    (n) => [
      [n, 3],
      [1, 0],
    ],
    (n) => [
      [2, 3, n],
      [1, 0, 2],
    ],
  ];
  test.each(['uint2', 'uint4', 'uint8', 'float16', 'float32', 'float64', 'complex128', 'string'])('%s', (type) => {
    const offsets = type === 'string' ? [0] : offsetsOf(type);
    for (let n = 0; n <= 300; n++)
      for (const form of forms) {
        const [dims, perm] = form(n);
        const order = orderOf(dims, perm);
        for (const offset of offsets) {
          const outOffset = offset % 3 === 2 ? offsets[(offset + n) % offsets.length] : undefined;
          compare(type, randomData(type, order.length, n, offset), dims, perm, order, outOffset);
        }
      }
  });

  test.each(['uint2', 'uint4', 'uint8', 'float16', 'float32', 'float64', 'complex128'])(
    '%s, both axes beyond a tile',
    (type) => {
      for (let n = 30; n <= 300; n += 27)
        for (const m of [63, 64, 65, 127, 129]) {
          const order = orderOf([m, n], [1, 0]);
          compare(type, randomData(type, order.length, n), [m, n], [1, 0], order);
          const batched = orderOf([3, m, 4, n >> 2], [2, 0, 3, 1]);
          compare(type, randomData(type, batched.length, m), [3, m, 4, n >> 2], [2, 0, 3, 1], batched);
        }
    },
  );
});
