/**
 * Properties of any tensor, whatever its bytes: fast-check seeks a tensor that breaks one, and shrinks it.
 * Seeded.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cast, flatten, init, pack, reshape, splitToSequence, transpose, unpack } from 'onnx-layout';
import {
  readNpy,
  readSafetensors,
  readTensorProto,
  writeNpy,
  writeSafetensors,
  writeTensorProto,
} from 'onnx-layout/io';
import { elementCount, fromCodes, toCodes, typeNames, types } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectTensor } from '../support/assertions.js';
import { pairs } from '../support/tables.js';

beforeAll(() => init());

const settings = { seed: 20, numRuns: 1500 };
const holds = (arbitrary, property) => fc.assert(fc.property(arbitrary, property), settings);

const extent = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 70 }) },
);
const shape = fc.array(extent, { maxLength: 6 }).filter((dims) => elementCount(dims) <= 20_000);

/** Data whose bits after the last element are zero, as results have them. */
function whole(type, size, seed) {
  return fromCodes(type, toCodes(type, randomData(type, size, seed), size));
}

const tensorOf = (type, dims) =>
  fc.integer().map((seed) => ({ type, dims, data: whole(type, elementCount(dims), seed) }));
const tensor = fc.tuple(fc.constantFrom(...typeNames), shape).chain(([type, dims]) => tensorOf(type, dims));
const permOf = (rank) =>
  fc.shuffledSubarray(
    Array.from({ length: rank }, (_, i) => i),
    { minLength: rank, maxLength: rank },
  );
const same = (actual, { type, dims, data }) => expectTensor(actual, type, dims, data);

/** Types that no version takes move as well. */
const turn = (x, options) => transpose(x, { ...options, strict: false });

describe('Transpose', () => {
  test('by perm and by its inverse gives the input', () =>
    holds(
      tensor.chain((x) => fc.tuple(fc.constant(x), permOf(x.dims.length))),
      ([x, perm]) => {
        const inverse = perm.map((_, axis) => perm.indexOf(axis));
        same(turn(turn(x, { perm }), { perm: inverse }), x);
      },
    ));

  test('by one perm and then another is that by their composition', () =>
    holds(
      tensor.chain((x) => fc.tuple(fc.constant(x), permOf(x.dims.length), permOf(x.dims.length))),
      ([x, first, second]) => {
        same(turn(turn(x, { perm: first }), { perm: second }), turn(x, { perm: second.map((axis) => first[axis]) }));
      },
    ));

  test('without perm, twice, gives the input', () => holds(tensor, (x) => same(turn(turn(x)), x)));
});

describe('Reshape and Flatten', () => {
  test('keep the bytes, and the way back gives the input', () =>
    holds(
      tensor.chain((x) => fc.tuple(fc.constant(x), fc.integer({ min: -x.dims.length, max: x.dims.length }))),
      ([x, axis]) => {
        const matrix = flatten(x, { axis, strict: false });
        expect(matrix.data).toBe(x.data);
        expect(elementCount(matrix.dims)).toBe(elementCount(x.dims));
        const back = reshape(matrix, x.dims, { allowzero: 1, strict: false });
        expect(back.data).toBe(x.data);
        same(back, x);
      },
    ));

  test('-1 is the extent that is missing', () =>
    holds(
      tensor
        .filter(({ dims }) => dims.length > 0 && !dims.includes(0))
        .chain((x) => fc.tuple(fc.constant(x), fc.nat(x.dims.length - 1))),
      ([x, axis]) => {
        same(reshape(x, x.dims.with(axis, -1), { strict: false }), x);
      },
    ));
});

describe('SplitToSequence', () => {
  const parts = (total) =>
    fc.array(fc.integer({ min: 0, max: total }), { maxLength: 5 }).map((cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), total];
      return at.slice(1).map((end, i) => end - at[i]);
    });

  test('and concatenation give the input', () => {
    const splits = tensor
      .filter(({ dims }) => dims.length > 0)
      .chain((x) =>
        fc.nat(x.dims.length - 1).chain((axis) => fc.tuple(fc.constant(x), fc.constant(axis), parts(x.dims[axis]))),
      );
    holds(splits, ([x, axis, sizes]) => {
      const pieces = splitToSequence(x, sizes, { axis, strict: false });
      expect([pieces.type, pieces.length]).toEqual([x.type, sizes.length]);
      // Concatenated by hand: rows of the axes before, each piece's run in turn.
      const codes = pieces.map(({ type, data, dims }) => Array.from(toCodes(type, data, elementCount(dims))));
      const [outer, inner] = [elementCount(x.dims.slice(0, axis)), elementCount(x.dims.slice(axis + 1))];
      const joined = [];
      for (let row = 0; row < outer; row++)
        codes.forEach((list, i) => joined.push(...list.slice(row * sizes[i] * inner, (row + 1) * sizes[i] * inner)));
      same({ __proto__: Object.getPrototypeOf(turn(x)), ...x, data: fromCodes(x.type, joined) }, x);
    });
  });

  test('by a number is that by the list it stands for', () =>
    holds(
      tensor
        .filter(({ dims }) => dims[0] > 0)
        .chain((x) => fc.tuple(fc.constant(x), fc.integer({ min: 1, max: x.dims[0] + 3 }))),
      ([x, step]) => {
        const sizes = [];
        for (let left = x.dims[0]; left > 0; left -= step) sizes.push(Math.min(step, left));
        const [byNumber, byList] = [step, sizes].map((split) => splitToSequence(x, split, { strict: false }));
        expect(byNumber.length).toBe(byList.length);
        byNumber.forEach((piece, i) => same(piece, byList[i]));
      },
    ));
});

/**
 * Types whose every number the wider one has. NaNs keep being NaNs; formats without them, or with signs of zero to
 * lose, are left out.
 */
const widenings = pairs(`
  uint2:uint4 uint2:int4 int2:int4 uint4:uint8 int4:int8 uint8:uint16 uint8:int16 int8:int16 uint16:int32
  int16:float32 uint32:int64 int32:float64 uint32:uint64 bool:int2 bool:string int64:string uint64:string
  float4e2m1:float8e4m3fn float4e2m1:float16 float4e2m1:float6e2m3 float4e2m1:float6e3m2 float6e2m3:float8e4m3fn
  float6e3m2:float8e5m2 float6e2m3:string int2:float6e3m2 int8:float16 int4:float8e4m3fn int2:float4e2m1
`);
test.each(widenings)('Cast from %s to %s and back is the identity', (from, to) => {
  const sized = shape.filter((dims) => elementCount(dims) <= 500).chain((dims) => tensorOf(from, dims));
  fc.assert(
    fc.property(sized, (x) => {
      // A bool's bytes other than 0 are 1.
      const input = from === 'bool' ? { ...x, data: x.data.map((byte) => byte & 1) } : x;
      same(cast(cast(input, to), from), input);
    }),
    { ...settings, numRuns: 150 },
  );
});

test('pack and unpack are inverses', () =>
  holds(
    fc
      .constantFrom(...typeNames.filter((type) => types[type].bits > 0 && types[type].bits < 8))
      .chain((type) => shape.chain((dims) => tensorOf(type, dims))),
    (x) => {
      expect(Buffer.compare(pack(x.type, unpack(x.type, x.data, elementCount(x.dims))), x.data)).toBe(0);
    },
  ));

describe('files', () => {
  const numpy = tensor.filter(({ type }) => type !== 'string');
  test('.npy gives back what it was given', () => {
    const stored = new Set(['bfloat16', 'uint4', 'int4', 'float4e2m1', 'uint2', 'int2']);
    const typeOf = ({ type }) => (stored.has(type) || /^float[68]/.test(type) ? { dtype: type } : {});
    holds(numpy, (x) => same(readNpy(writeNpy(x), typeOf(x)), x));
  });

  test('TensorProto gives back what it was given', () =>
    holds(tensor, (x) => same(readTensorProto(writeTensorProto(x)), x)));

  test('safetensors give back what they were given', () => {
    const storable = ({ type, dims }) =>
      !['string', 'complex128', 'uint4', 'int4', 'uint2', 'int2'].includes(type) &&
      (types[type].bits * elementCount(dims)) % 8 === 0;
    holds(fc.array(fc.tuple(fc.string(), tensor.filter(storable)), { maxLength: 4 }), (entries) => {
      const tensors = new Map(entries.filter(([name]) => name !== '__metadata__' && name.isWellFormed()));
      const read = readSafetensors(writeSafetensors(tensors));
      expect([...read.keys()].sort()).toEqual([...tensors.keys()].sort());
      for (const [name, x] of tensors) same(read.get(name), x);
    });
  });
});
