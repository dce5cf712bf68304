/** Entries: chains of transforms at random beside the operators on whole tensors, and what is read of them. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, concat, dtypes, init, slice, Tensor, transpose } from 'onnx-layout';
import { Entry, openModel, openNpy, saveModel, saveNpy, writeNpy } from 'onnx-layout/io';
import { expectTensor, expectRejection, rejects } from '../support/assertions.js';
import { generator, randomData } from '../support/samples.js';
import { bytesOf, spiedSource } from './files.js';
import { lists } from '../support/tables.js';

beforeAll(() => init());

const types = Object.keys(dtypes);
const strict = false;
const emptyModel = Uint8Array.of(8, 8, 0x3a, 0);

/** Ways to an entry of a tensor: in memory, in a .npy file, in a model. */
const ways = [
  async (tensor) => new Entry(tensor),
  (tensor) => openNpy(writeNpy(tensor), { dtype: tensor.type }),
  async (tensor) => {
    const { model } = await saveModel(emptyModel, new Map([['x', tensor]]));
    return (await openModel(await bytesOf(model))).initializers.get('x');
  },
];

/** One step for a tensor and its entry. */
const steps = [
  ({ tensor, entry }, pick) => {
    const perm = tensor.dims.map((_, i) => i).sort(() => pick(3) - 1);
    return { tensor: transpose(tensor, { perm, strict }), entry: entry.transpose({ perm }) };
  },
  ({ tensor, entry }, pick) => {
    const axes = tensor.dims.map((_, i) => i);
    const strides = axes.map(() => [1, 1, 2, -1, -2, 3][pick(6)]);
    // Most ends leave some elements. From a low index down to below it, -1 - extent stands for what is before 0.
    const edges = tensor.dims.map((extent) =>
      pick(9) === 0 ? [pick(9) - 4, pick(15) - 6] : [pick(3), extent - pick(3)],
    );
    const starts = edges.map(([low, high], i) => (strides[i] > 0 ? low : high));
    const ends = edges.map(([low, high], i) => (strides[i] > 0 ? high : low - 1 - tensor.dims[i]));
    return {
      tensor: slice(tensor, starts, ends, axes, strides, { strict }),
      entry: entry.slice(starts, ends, axes, strides),
    };
  },
  ({ tensor, entry }, pick) => {
    if (tensor.dims.length === 0) return { tensor, entry };
    const axis = pick(tensor.dims.length);
    const other = pick(2) ? entry : tensor;
    return { tensor: concat([tensor, tensor], { axis, strict }), entry: Entry.concat([entry, other], { axis }) };
  },
  ({ tensor, entry }, pick) => {
    if (tensor.type.startsWith('complex') || tensor.type === 'string') return { tensor, entry };
    const to = ['float16', 'int4', 'float6e2m3', 'uint8', 'float32'][pick(5)];
    return { tensor: cast(tensor, to), entry: entry.cast(to) };
  },
];

test.each(types)('%s: chains of transforms give what the operators give', async (type) => {
  const next = generator(types.indexOf(type) + 1);
  const pick = (count) => next() % count;
  for (let round = 0; round < 20; round++) {
    const dims = Array.from({ length: pick(5) }, () => (pick(9) === 0 ? 0 : 1 + pick(7)));
    const size = dims.reduce((product, extent) => product * extent, 1);
    const tensor = cleaned(new Tensor(type, randomData(type, size, round), dims));
    const way = ways[type === 'string' ? [0, 2][pick(2)] : pick(3)];
    let both = { tensor, entry: await way(tensor) };
    for (let count = pick(4); count > 0; count--) both = steps[pick(steps.length)](both, pick);
    await expectEntry(both.entry, both.tensor, pick, `${type} ${round}`);
  }
});

/** Without tail bits, which mean nothing and are zero in results. */
const cleaned = (tensor) => slice(tensor, [], [], [], [], { strict });

async function expectEntry(entry, tensor, pick, what) {
  const { type, dims, data } = tensor;
  expect([what, entry.type, entry.dims]).toEqual([what, type, dims]);
  expectTensor(await entry.read(), type, dims, data, what);
  const pieces = [];
  // Pieces share a buffer.
  for await (const piece of entry.pieces()) pieces.push(cleaned(piece));
  if (pieces.length > 0 && dims.length > 0) {
    const joined = concat(pieces, { axis: 0, strict });
    expectTensor(joined, type, dims, data, `${what} pieces`);
  }
  if (dims.length > 0) {
    const from = pick(dims[0] + 1);
    const to = from + pick(dims[0] - from + 1);
    const part = slice(tensor, [from], [to], [0], null, { strict });
    expectTensor(await entry.read({ rows: [from, to] }), type, part.dims, part.data, `${what} rows`);
  }
  if (type !== 'string') expect(await bytesOf(saveNpy(entry))).toEqual(new Uint8Array(writeNpy(tensor)));
}

test('transposes and slices of three axes become one of each', async () => {
  const tensor = new Tensor('uint16', randomData('uint16', 60, 1), [3, 4, 5]);
  const entry = new Entry(tensor);
  const perms = lists('[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]');
  const part = lists('[2, 0, -1], [0, 3, -9], [0, 1, 2], [-1, 1, -2]');
  for (const perm of perms)
    for (const next of perms) {
      const expected = transpose(transpose(tensor, { perm }), { perm: next });
      const { dims, data } = await entry.transpose({ perm }).transpose({ perm: next }).read();
      expect([perm, next, dims, data]).toEqual([perm, next, expected.dims, expected.data]);
      const sliced = slice(transpose(slice(expected, ...part), { perm }), [1], [9]);
      const chained = entry
        .transpose({ perm })
        .transpose({ perm: next })
        .slice(...part)
        .transpose({ perm });
      expectTensor(await chained.slice([1], [9]).read(), 'uint16', sliced.dims, sliced.data, `${perm} ${next}`);
    }
});

describe('long chains', () => {
  const entry = () => new Entry(Tensor.from('int16', [1, 2, 3, 4, 5, 6], [2, 3]));
  test.each([
    [1_000_000, 'transposes', (before) => before.transpose()],
    [100_000, 'slices', (before) => before.slice([-1], [-9], [1], [-1])],
    // The rows in reverse, then the columns: after four of them all is as it was.
    [100_000, 'slices and transposes', (before) => before.slice([-1], [-9], [0], [-1]).transpose()],
  ])('%i %s', async (count, _, step) => {
    let chained = entry();
    for (let i = 0; i < count; i++) chained = step(chained);
    expectTensor(await chained.read(), 'int16', [2, 3], Int16Array.of(1, 2, 3, 4, 5, 6));
    expect((await bytesOf(saveNpy(chained))).length).toBe(140);
  });

  test.each([
    ['casts', (before, i) => before.cast(i % 2 ? 'int16' : 'float32')],
    ['joins', (before) => Entry.concat([before], { axis: 0 })],
    [
      'casts, joins, slices and transposes',
      (before, i) =>
        i % 2
          ? Entry.concat([before.cast('int16')], { axis: 1 }).slice([0], [2], [1])
          : before.transpose().cast('float32').transpose(),
    ],
  ])('%s, of which none goes away: 20,000', async (what, step) => {
    let chained = entry();
    for (let i = 0; i < 20_000; i++) chained = step(chained, i);
    const [dims, values] = what.includes(',') ? lists('[2, 2], [1, 2, 4, 5]') : lists('[2, 3], [1, 2, 3, 4, 5, 6]');
    expectTensor(await chained.read(), 'int16', dims, Int16Array.from(values));
  });
});

describe('what is read', () => {
  const matrix = Tensor.from(
    'float32',
    Array.from({ length: 600_000 }, (_, i) => i),
    [600, 1000],
  );
  const file = writeNpy(matrix);
  const start = file.length - 2_400_000;
  const opened = async () => {
    const spied = spiedSource(file);
    const entry = await openNpy(spied.source);
    expect(spied.ranges).toEqual([[0, 10_012]]);
    spied.ranges.length = 0;
    return { ...spied, entry };
  };

  test('rows: their bytes, at once', async () => {
    const { entry, ranges } = await opened();
    const { data } = await entry.read({ rows: [3, 5] });
    expect([data[0], data.length]).toEqual([3000, 2000]);
    expect(ranges).toEqual([[start + 12_000, start + 20_000]]);
  });

  test('runs that are near: with what lies between; runs that are far: each by itself', async () => {
    const { entry, ranges } = await opened();
    await entry.slice([0], [3], [1]).slice([0], [4]).read();
    expect(ranges).toEqual([[start, start + 3 * 4000 + 12]]);
    ranges.length = 0;
    await entry.slice([0], [2], [1]).slice([0], [11], [0], [5]).read();
    expect(ranges).toEqual([0, 5, 10].map((row) => [start + row * 4000, start + row * 4000 + 8]));
  });

  test('nothing before an entry is read, and nothing of what is empty', async () => {
    const { entry, ranges } = await opened();
    const made = entry.cast('float16').transpose().slice([5], [5]);
    expect([made.type, made.dims, made.byteLength, ranges]).toEqual(['float16', [0, 600], 0, []]);
    expect((await made.read()).data.length).toBe(0);
    expect(ranges).toEqual([]);
  });

  test('pieces are rows of 4 MiB at most, or parts of a row, in one buffer', async () => {
    const long = new Entry(new Tensor('uint8', new Uint8Array(9 * 2 ** 20), [3, 3 * 2 ** 20]));
    const shapes = [];
    const buffers = new Set();
    const wide = new Entry(new Tensor('int8', new Int8Array(2 ** 23), [1, 2 ** 23]));
    for (const entry of [long, long.slice([0], [1]), wide])
      for await (const { dims, data } of entry.pieces()) {
        shapes.push(dims);
        buffers.add(data.buffer);
      }
    expect(shapes).toEqual([3, 3, 3, 3, 4, 4].map((mebibytes) => [1, mebibytes * 2 ** 20]));
    expect(buffers.size).toBe(3);
  });

  test('rows of strings are one piece', async () => {
    const entry = new Entry(Tensor.from('string', ['a', 'b', 'c', 'd', 'e', 'f'], [3, 2]));
    const piecesIn = async (rows) => {
      const pieces = [];
      for await (const { dims, data } of entry.pieces({ rows })) pieces.push([dims, data]);
      return pieces;
    };
    expect(await piecesIn([1, 2])).toEqual([
      [
        [1, 2],
        ['c', 'd'],
      ],
    ]);
    expect(await piecesIn([3, 3])).toEqual([[[0, 2], []]]);
    expect(await piecesIn(undefined)).toEqual([
      [
        [3, 2],
        ['a', 'b', 'c', 'd', 'e', 'f'],
      ],
    ]);
  });

  test('packed elements whose rows end within a byte', async () => {
    const size = 3 * (2 ** 23 + 1);
    const tensor = cleaned(new Tensor('int4', randomData('int4', size, 5), [3, 2 ** 23 + 1]));
    const entry = await openNpy(writeNpy(tensor), { dtype: 'int4' });
    expectTensor(await entry.read(), 'int4', tensor.dims, tensor.data);
    const { model } = await saveModel(emptyModel, new Map([['x', entry]]));
    const again = (await openModel(await bytesOf(model))).initializers.get('x');
    expectTensor(await again.read(), 'int4', tensor.dims, tensor.data);
    const part = slice(tensor, [1], [3], [0], null, { strict });
    expectTensor(await again.read({ rows: [1, 3] }), 'int4', part.dims, part.data);
  });
});

describe('elements that do not lie as they are given', () => {
  /** A .npy file by hand. */
  function npyOf(descr, fortran, shape, data) {
    const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape}), }`;
    const text = `\x93NUMPY\x01\0\x76\0${header.padEnd(117)}\n`;
    return Buffer.concat([Buffer.from(text, 'latin1'), data]);
  }

  test('columns first, and the other byte order', async () => {
    const data = Buffer.from([0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6]);
    const entry = await openNpy(npyOf('>i2', true, '2, 3', data));
    expectTensor(await entry.read(), 'int16', [2, 3], Int16Array.of(1, 2, 3, 4, 5, 6));
    expectTensor(await entry.read({ rows: [1, 2] }), 'int16', [1, 3], Int16Array.of(4, 5, 6));
    expectTensor(await entry.slice([2], [-4], [1], [-2]).read(), 'int16', [2, 2], Int16Array.of(3, 1, 6, 4));
  });

  test('steps through more bytes than are read at a time', async () => {
    const long = Uint8Array.from({ length: 9 * 2 ** 20 }, (_, i) => i % 251);
    const entry = await openNpy(writeNpy({ type: 'uint8', data: long, dims: [long.length] }));
    for (const step of [2, -2]) {
      const [start, end] = step > 0 ? [1, long.length] : [long.length - 1, -long.length - 1];
      const { data } = await entry.slice([start], [end], [0], [step]).read();
      const expected = Uint8Array.from({ length: long.length / 2 }, (_, i) => (start + i * step) % 251);
      expect(Buffer.compare(data, expected)).toBe(0);
    }
  });
});

describe('out', () => {
  const entry = () => new Entry(Tensor.from('int16', [1, 2, 3, 4], [2, 2]));

  test('takes the result', async () => {
    const out = { type: 'int16', data: new Int16Array(2), dims: [1, 2] };
    const { data } = await entry().read({ rows: [1, 2], out });
    expect([data, [...out.data]]).toEqual([out.data, [3, 4]]);
  });

  test.each([
    [{ type: 'int8', data: new Int8Array(4), dims: [2, 2] }, TypeError, 'Entry.read: out type must be int16, got int8'],
    [{ type: 'int16', data: new Int16Array(4), dims: [4] }, RangeError, 'Entry.read: out dims must be [2, 2], got [4]'],
    [
      { type: 'int16', data: new Int16Array(3), dims: [2, 2] },
      RangeError,
      'Entry.read: int16 data of dims [2, 2] has 4 entries, got 3',
    ],
  ])('of another kind is refused %#', (out, Class, message) =>
    expectRejection(() => entry().read({ out }), Class, message),
  );
});

describe('errors', () => {
  const entry = () => new Entry(Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]));
  rejects('Entry.read', {
    "TypeError: unknown option 'row', did you mean 'rows'? Known: rows, out, signal": () =>
      entry().read({ row: [0, 1] }),
    'TypeError: rows must be [from, to], got 1': () => entry().read({ rows: 1 }),
    'RangeError: rows must be [from, to] within [0, 2], got [0, 3]': () => entry().read({ rows: [0, 3] }),
    'RangeError: rows must be [from, to] within [0, 2], got [1, 0]': () => entry().read({ rows: [1, 0] }),
    'RangeError: rows must be [from, to] within [0, 2], got [0, 1, 2]': () => entry().read({ rows: [0, 1, 2] }),
    'RangeError: rows must not be given for a scalar, got [0, 1]': () =>
      new Entry(Tensor.from('int8', [1], [])).read({ rows: [0, 1] }),
    'TypeError: signal must be an AbortSignal, got 1': () => entry().read({ signal: 1 }),
    'TypeError: this must be an Entry, got an object': () => Entry.prototype.read.call({}),
  });

  rejects('', {
    'TypeError: Entry: tensor must be a tensor { type, dims, data }, got 1': () => new Entry(1),
    'RangeError: Entry.pieces: rows must be [from, to] within [0, 2], got [0, 3]': () =>
      entry().pieces({ rows: [0, 3] }),
    ["TypeError: Cast-28: unknown type 'int5', did you mean 'int8'? Known: float32, uint8, int8, uint16, " +
    'int16, int32, int64, string, …']: () => entry().cast('int5'),
    ["TypeError: Cast-28: unknown option 'saturat', did you mean 'saturate'? Known: saturate, round_mode, " +
    'to, opset, strict']: () => entry().cast('int8', { saturat: 1 }),
    'RangeError: Transpose-25: perm must be a permutation of [0, 2), got [0, 0]': () =>
      entry().transpose({ perm: [0, 0] }),
    'TypeError: Transpose-25: perm must be a list of whole numbers, got 1': () => entry().transpose({ perm: 1 }),
    'RangeError: Slice-13: axes must be in [-2, 1], got [2]': () => entry().slice([0], [1], [2]),
    'RangeError: Slice-13: steps must not be 0, got [0]': () => entry().slice([0], [1], [0], [0]),
    'TypeError: Entry.concat: entries must be an array, got an object': () => Entry.concat(entry(), { axis: 0 }),
    'RangeError: Entry.concat: entries must have 0 to 1000000 entries, got 4294967295': () =>
      Entry.concat(new Array(2 ** 32 - 1), { axis: 0 }),
    'TypeError: Entry.concat: entries[1] must be a tensor { type, dims, data }, got 1': () =>
      Entry.concat([entry(), 1], { axis: 0 }),
    'TypeError: Concat-13: inputs[1] type must be float32, as that of inputs[0], got int8': () =>
      Entry.concat([entry(), entry().cast('int8')], { axis: 0 }),
    'TypeError: Concat-13: axis must be a number or a bigint, got undefined': () => Entry.concat([entry()], {}),
    'RangeError: Concat-13: inputs must hold at least one tensor, got []': () => Entry.concat([], { axis: 0 }),
  });

  test('text that spells no number: when it is read', () =>
    expectRejection(
      () => new Entry(Tensor.from('string', ['1', 'x'])).cast('int8').read(),
      RangeError,
      "Cast-28: data must hold numbers, got 'x' at 1",
    ));
});
