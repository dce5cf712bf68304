/** Boxes of strided copies: any strides, any widths, one memory or several, against a loop over bits. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, init } from 'onnx-layout';
import { move, nextMemory, planCopies, planFor, stridesOf } from '../../js/engines/tensors/index.js';
import { chooseSample } from '../support/sample.js';
import { below, generator, randomPermutation } from '../support/samples.js';

beforeAll(() => init());

const classes = {
  2: Uint8Array,
  4: Uint8Array,
  6: Uint8Array,
  8: Int8Array,
  16: Uint16Array,
  32: Float32Array,
  64: BigInt64Array,
  128: Float64Array,
};

/** The oracle: copies every element bit by bit, or byte by byte. Knows nothing of how the engine moves. */
function moveBitByBit(
  bits,
  { extents, from, to, first = 0, start = 0, source = 0, destination = 0 },
  sources,
  destinations,
) {
  const results = destinations.map((memory) => memory.slice());
  const visit = (axis, input, at, output, place) => {
    if (axis < extents.length) {
      for (let i = 0; i < extents[axis]; i++) {
        const [reads, writes] = [from[axis] === nextMemory, to[axis] === nextMemory];
        visit(
          axis + 1,
          reads ? input + i : input,
          reads ? at : at + i * from[axis],
          writes ? output + i : output,
          writes ? place : place + i * to[axis],
        );
      }
      return;
    }
    const bytes = bits / 8;
    if (bits % 8 === 0)
      for (let b = 0; b < bytes; b++) results[output][place * bytes + b] = sources[input][at * bytes + b];
    else
      for (let b = 0; b < bits; b++) {
        const [read, write] = [at * bits + b, place * bits + b];
        const bit = (sources[input][read >> 3] >> (read & 7)) & 1;
        results[output][write >> 3] = (results[output][write >> 3] & ~(1 << (write & 7))) | (bit << (write & 7));
      }
  };
  visit(0, source, first, destination, start);
  return results;
}

/** Random bytes as the class of a width. */
function memoryOf(bits, elements, random) {
  const Class = classes[bits];
  const bytes = Math.ceil(Math.ceil((elements * bits) / 8) / Class.BYTES_PER_ELEMENT) * Class.BYTES_PER_ELEMENT;
  const offset = Class.BYTES_PER_ELEMENT * below(random, 3);
  const memory = new Uint8Array(offset + bytes + 8).map(() => random());
  return new Class(memory.buffer, offset, bytes / Class.BYTES_PER_ELEMENT);
}

const bytesOf = (memory) => new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);

/** Moves a box twice, the second time by the plan that is kept, in memories of exactly the size that it needs. */
function check(bits, box, random) {
  const memories = (strides) => Math.max(1, ...box.extents.filter((_, i) => strides[i] === nextMemory));
  const reach = (strides, first) =>
    box.extents.reduce((end, extent, i) => {
      const stride = strides[i] === nextMemory ? 0 : strides[i];
      return end + Math.max(0, (extent - 1) * stride);
    }, first + 1);
  const make = (strides, first) =>
    Array.from({ length: memories(strides) }, () => memoryOf(bits, reach(strides, first), random));
  const [sources, destinations] = [make(box.from, box.first), make(box.to, box.start)];
  const describeBox = () => [box];
  for (let turn = 0; turn < 2; turn++) {
    const expected = moveBitByBit(bits, box, sources.map(bytesOf), destinations.map(bytesOf));
    const around = destinations.map((memory) => new Uint8Array(memory.buffer).slice());
    move(planFor(describeBox, bits, [], []), sources, destinations);
    destinations.forEach((memory, i) => {
      around[i].set(expected[i], memory.byteOffset);
      if (Buffer.compare(new Uint8Array(memory.buffer), around[i]) === 0) return;
      expect({ bits, box, memory: i, bytes: [...bytesOf(memory).slice(0, 64)] }).toEqual([...expected[i].slice(0, 64)]);
      throw new Error('differs beyond the first bytes');
    });
    destinations.forEach((memory) => bytesOf(memory).fill(random()));
  }
}

/**
 * Strides of axes that lie in memory in this order, the innermost first, with gaps of up to `gap` elements between
 * rows. With `turns`, some axes run backwards.
 */
function randomStrides(extents, order, random, gap, turns) {
  const strides = extents.map(() => 0);
  let step = 1 + (below(random, 4) === 0 ? below(random, gap + 1) : 0);
  let first = 0;
  for (const axis of order) {
    strides[axis] = step;
    step = step * extents[axis] + (below(random, 3) === 0 ? below(random, gap + 1) : 0);
    if (turns && below(random, 3) === 0) {
      first += (extents[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
  }
  return { strides, first: first + below(random, 5) };
}

function randomBox(random, size) {
  const rank = 1 + below(random, 5);
  const extents = Array.from({ length: rank }, () => 1);
  let room = size;
  for (let i = 0; i < rank; i++) {
    const limit = Math.min(room, below(random, 3) === 0 ? 300 : 9);
    extents[i] = i === rank - 1 ? Math.max(1, Math.floor(room)) : 1 + below(random, limit);
    room /= extents[i];
  }
  extents.splice(below(random, rank), 0, ...extents.splice(rank - 1, 1));
  const gap = below(random, 2) === 0 ? 0 : 1 + below(random, 9);
  const turns = below(random, 2) === 0;
  const input = randomStrides(extents, randomPermutation(random, rank), random, gap, turns);
  const output = randomStrides(
    extents,
    randomPermutation(random, rank),
    random,
    below(random, 3) === 0 ? gap : 0,
    turns,
  );
  // An axis that reads the same elements again and again.
  const again = below(random, 4) === 0 ? below(random, rank) : -1;
  if (again >= 0) {
    if (input.strides[again] < 0) input.first += (extents[again] - 1) * input.strides[again];
    input.strides[again] = 0;
  }
  const box = { extents, from: input.strides, to: output.strides, first: input.first, start: output.first };
  const spread = below(random, 6);
  if (spread > 1) return box;
  // An axis from memory to memory, on one of the two sides.
  const count = 2 + below(random, 4);
  const [from, to] =
    spread === 0 ? [nextMemory, box.to.reduce((a, b) => Math.max(a, Math.abs(b)), 1)] : [3, nextMemory];
  const at = below(random, rank + 1);
  const outer = spread === 0 ? box.to.reduce((sum, step, i) => sum + (extents[i] - 1) * Math.abs(step), 1) : to;
  return {
    ...box,
    extents: extents.toSpliced(at, 0, count),
    from: box.from.toSpliced(at, 0, from),
    to: box.to.toSpliced(at, 0, outer),
  };
}

test('every width of a type is here', () => {
  const all = Object.values(dtypes).map(({ bits }) => bits);
  expect(Object.keys(classes).map(Number)).toEqual([...new Set(all)].filter(Boolean).sort((a, b) => a - b));
});

const widths = chooseSample(Object.keys(classes).map(Number), 3);
describe.each(widths)('%i bits', (bits) => {
  test.each([
    ['up to 200 elements', 300, 200],
    ['up to 6000 elements', 60, 6000],
    ['beyond one piece', 10, Math.ceil((8 * 300_000) / bits)],
  ])('%s', (_, boxes, elements) => {
    const random = generator(bits + elements);
    for (let i = 0; i < boxes; i++) check(bits, randomBox(random, 1 + below(random, elements)), random);
    // The largest, and one that is copied as it is, but backwards.
    check(bits, randomBox(random, elements), random);
    const rows = Math.ceil(elements / 7);
    check(bits, { extents: [rows, 7], from: [-7, 1], to: [7, 1], first: 7 * (rows - 1), start: 0 }, random);
    check(bits, { extents: [7, rows], from: [1, 0], to: [rows, 1], first: 2, start: 1 }, random);
  });
});

/** A box as Expand and Tile have it: rows of a run that repeats, with gaps between some of them. */
function randomRepeats(random, bits) {
  const run = below(random, 2) === 0 ? 1 : Math.ceil((8 * [40, 511, 512, 700, 2047, 2048][below(random, 6)]) / bits);
  const row = [8, 1023, 1024, 1025, 2100, 2600][below(random, 6)];
  const count = Math.max(1, Math.ceil((8 * row) / (run * bits)));
  const extents = [1 + below(random, 3), 1 + below(random, 3), count, run];
  const from = [0, 0, 0, 1].map((stride, i) => (i < 2 && below(random, 3) > 0 ? below(random, 40) - 20 : stride));
  const first = extents.reduce((low, extent, i) => low - Math.min(0, (extent - 1) * from[i]), below(random, 3));
  const rows = extents.with(2, count + below(random, 2));
  const to = stridesOf(rows).map((stride, i) => (i === 0 ? stride + 8 * below(random, 2) : stride));
  return { extents, from, to, first, start: below(random, 4), copies: planCopies };
}

test.each(widths)('boxes that repeat, of %i bits', (bits) => {
  const random = generator(bits);
  for (let i = 0; i < 60; i++) check(bits, randomRepeats(random, bits), random);
  // Rows with gaps between them.
  const to = [4000, 1030, 1];
  check(bits, { extents: [2, 3, 1024], from: [1, 0, 0], to, first: 1, start: 2, copies: planCopies }, random);
  check(bits, { extents: [2, 3, 1000], from: [2000, 0, 1], to, first: 1, start: 2, copies: planCopies }, random);
  // Runs that are dense in the source alone.
  const n = Math.ceil((8 * 600) / bits);
  const box = { extents: [2, 2, 2, n], from: [7, 0, n, 1], to: [9 * n, 2 * n, 4 * n, 1], first: 0, start: 0 };
  check(bits, { ...box, copies: planCopies }, random);
});

// One piece of each size and phase is laid out, and kept for the pieces like it.
test.each([
  ['slabs that end early along two axes', 2, [45, 30, 1854, 4], [3, 1, 0, 2]],
  ['strips that end early along two axes', 4, [5, 291, 24, 13, 7], [4, 3, 2, 1, 0]],
  ['slabs that begin at other bits of a byte', 2, [21, 19, 2605, 3], [3, 0, 2, 1]],
])('%s', (_, bits, dims, perm) => {
  const strides = stridesOf(dims);
  const extents = perm.map((axis) => dims[axis]);
  const from = perm.map((axis) => strides[axis]);
  check(bits, { extents, from, to: stridesOf(extents), first: 0, start: 0 }, generator(2));
});

test('rows that are far apart and begin at other bits of a byte', () => {
  const random = generator(3);
  check(4, { extents: [3001, 100], from: [1, 9001], to: [100, 1], first: 1, start: 0 }, random);
  check(2, { extents: [3001, 100], from: [1, 18_001], to: [100, 1], first: 3, start: 0 }, random);
  check(6, { extents: [3001, 100], from: [1, 6001], to: [100, 1], first: 1, start: 0 }, random);
  // Rows of whole bytes, which begin within a byte.
  check(4, { extents: [3000, 100], from: [1, 9000], to: [100, 1], first: 1, start: 0 }, random);
  // Rows of whole bytes, a quarter of a byte apart.
  check(2, { extents: [3000, 100], from: [1, 18_001], to: [100, 1], first: 0, start: 0 }, random);
  check(6, { extents: [3000, 100], from: [1, 6003], to: [100, 1], first: 0, start: 0 }, random);
});

test('elements so far apart that a piece of all of them would be too large', () =>
  check(8, { extents: [12_000], from: [1000], to: [1], first: 0, start: 0 }, generator(5)));

test.each([
  ['by itself', { extents: [3], from: [2], to: [2], source: 1, destination: 2 }],
  ['in runs', { extents: [2, 3], from: [3, 1], to: [nextMemory, 1], source: 2, destination: 1 }],
  ['from several memories', { extents: [2, 3], from: [nextMemory, 2], to: [6, 2], source: 1, destination: 3 }],
  ['to several memories', { extents: [2, 3], from: [1, 2], to: [nextMemory, 2], source: 3, destination: 1 }],
])('the memory that a box begins with is any of them, %s', (_, box) => {
  const random = generator(4);
  const make = () => Array.from({ length: 4 }, () => memoryOf(8, 12, random));
  const [sources, destinations] = [make(), make()];
  const expected = moveBitByBit(8, box, sources.map(bytesOf), destinations.map(bytesOf));
  move(
    planFor(() => [box], 8, [], []),
    sources,
    destinations,
  );
  expect(destinations.map((memory) => [...bytesOf(memory)])).toEqual(expected.map((bytes) => [...bytes]));
});

test('nothing moves where an extent is 0', () => {
  const memory = Uint8Array.of(1, 2, 3);
  const boxes = () => [{ extents: [2, 0], from: [1, 1], to: [1, 1] }];
  move(planFor(boxes, 8, [], []), [Uint8Array.of(7, 8)], [memory]);
  expect([...memory]).toEqual([1, 2, 3]);
});

test('more plans than the module has room for, in turn, each again', () => {
  const random = generator(9);
  const cases = Array.from({ length: 150 }, (_, i) => {
    const box = { extents: [20 + i, 30], from: [1, 20 + i], to: [30, 1] };
    const source = memoryOf(16, 30 * (20 + i), random);
    const destination = new Uint16Array(source.length);
    const [expected] = moveBitByBit(16, box, [bytesOf(source)], [bytesOf(destination)]);
    return { plan: planFor(() => [box], 16, [], []), source, destination, expected };
  });
  for (let turn = 0; turn < 2; turn++)
    for (const { plan, source, destination, expected } of cases) {
      destination.fill(0);
      move(plan, [source], [destination]);
      expect(Buffer.compare(bytesOf(destination), expected)).toBe(0);
    }
});

describe('memory that is too short', () => {
  /** Rows of several memories, one after the other, to rows of several memories. */
  const rows = ([count, length]) => [
    { extents: [count, length], from: [nextMemory, 1], to: [nextMemory, 1] },
    { extents: [length], from: [-1], to: [1], first: length - 1, source: count, destination: count },
  ];
  test.each([5, 5000])('of each of several, rows of %i bytes', (length) => {
    const plan = planFor(rows, 8, [3, length], []);
    const fresh = () => Array.from({ length: 4 }, () => new Uint8Array(length));
    for (let k = 0; k < 4; k++) {
      const short = fresh().with(k, new Uint8Array(length - 1));
      const message = (use) => `memory that is ${use} must hold ${length} bytes, got ${length - 1}`;
      expect(() => move(plan, short, fresh())).toThrow(new RangeError(message('read')));
      expect(() => move(plan, fresh(), short)).toThrow(new RangeError(message('written')));
    }
    move(plan, fresh(), fresh());
  });
});
