/**
 * The caller's memory to write to: every kind of view gets the right bytes, a refused call leaves it untouched, and
 * none of its methods is called.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  blobFromImage,
  cast,
  concat,
  expand,
  imageToTensor,
  init,
  pad,
  rearrange,
  slice,
  split,
  splitToSequence,
  stack,
  transpose,
  unstack,
} from 'onnx-layout';
import { expectError } from '../support/assertions.js';
import {
  badDims,
  badLengths,
  calling,
  changing,
  detach,
  goodViews,
  lyingLength,
  unknownOption,
} from './adversarial.js';
import { spied } from '../support/watched.js';

beforeAll(() => init());

const six = () => ({ type: 'float32', data: Float32Array.of(1, -2, 3, 4.5, 5, 6), dims: [2, 3] });
const large = () => ({ type: 'float32', data: Float32Array.from({ length: 2 ** 17 }, (_, i) => i), dims: [256, 512] });
const texts = () => ({ type: 'string', data: ['1', '2', '3', '4', '5', '6'], dims: [2, 3] });
const piece = () => ({ type: 'float32', data: new Float32Array(2), dims: [2, 1] });
const image = () => ({ data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i), width: 2, height: 2 });

/**
 * Every function with `out`: the prefix of its messages, what it writes, its input, and a call. `argument` is the name
 * of the tensor in messages, `out` if omitted.
 */
const writers = {
  transpose: {
    prefix: 'Transpose-25',
    type: 'float32',
    Class: Float32Array,
    dims: [3, 2],
    input: six,
    call: (x, options) => transpose(x, options),
  },
  'transpose of a large tensor': {
    prefix: 'Transpose-25',
    type: 'float32',
    Class: Float32Array,
    dims: [512, 256],
    input: large,
    call: (x, options) => transpose(x, options),
  },
  splitToSequence: {
    prefix: 'SplitToSequence-24',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 1],
    argument: 'out[1]',
    input: six,
    call: (x, { out, ...options }) =>
      splitToSequence(x, 1, { ...options, axis: 1, ...(out && { out: [piece(), out, piece()] }) })[1],
  },
  slice: {
    prefix: 'Slice-13',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 2],
    input: six,
    call: (x, options) => slice(x, [2], [-9], [1], [-2], options),
  },
  concat: {
    prefix: 'Concat-13',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 4],
    input: six,
    call: (x, options) => concat([x, piece()], { axis: 1, ...options }),
  },
  split: {
    prefix: 'Split-18',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 1],
    argument: 'out[1]',
    input: six,
    call: (x, { out, ...options }) =>
      split(x, [1, 1, 1], { ...options, axis: 1, ...(out && { out: [piece(), out, piece()] }) })[1],
  },
  'pad by a number': {
    prefix: 'Pad-25',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 4],
    input: six,
    call: (x, options) => pad(x, [0, 2, 0, -1], 7, null, options),
  },
  'pad of a large tensor': {
    prefix: 'Pad-25',
    type: 'float32',
    Class: Float32Array,
    dims: [258, 514],
    input: large,
    call: (x, options) => pad(x, [1, 1, 1, 1], null, null, { mode: 'wrap', ...options }),
  },
  expand: {
    prefix: 'Expand-13',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 2, 3],
    input: six,
    call: (x, options) => expand(x, [2, 1, 1], options),
  },
  rearrange: {
    prefix: 'rearrange',
    type: 'float32',
    Class: Float32Array,
    dims: [3, 2],
    input: six,
    call: (x, options) => rearrange(x, 'a b -> b a', undefined, options),
  },
  stack: {
    prefix: 'stack',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 2, 3],
    input: six,
    call: (x, options) => stack([x, x], options),
  },
  unstack: {
    prefix: 'unstack',
    type: 'float32',
    Class: Float32Array,
    dims: [2, 1],
    argument: 'out[1]',
    input: six,
    call: (x, { out, ...options }) =>
      unstack({ ...x, dims: [2, 3, 1] }, { ...options, axis: 1, ...(out && { out: [piece(), out, piece()] }) })[1],
  },
  'cast in the engine': {
    prefix: 'Cast-28',
    type: 'float64',
    Class: Float64Array,
    dims: [2, 3],
    input: six,
    call: (x, options) => cast(x, 'float64', options),
  },
  'cast in the module': {
    prefix: 'Cast-28',
    type: 'float16',
    Class: Uint16Array,
    dims: [2, 3],
    input: six,
    call: (x, options) => cast(x, 'float16', options),
  },
  'cast of text': {
    prefix: 'Cast-28',
    type: 'int64',
    Class: BigInt64Array,
    dims: [2, 3],
    input: texts,
    call: (x, options) => cast(x, 'int64', options),
  },
  imageToTensor: {
    prefix: 'imageToTensor',
    type: 'int8',
    Class: Int8Array,
    dims: [1, 3, 2, 2],
    input: image,
    call: (x, options) => imageToTensor(x, { ...options, type: 'int8', scale: 0.5 }),
  },
  blobFromImage: {
    prefix: 'blobFromImage',
    type: 'float32',
    Class: Float32Array,
    dims: [1, 3, 3, 4],
    input: image,
    call: (x, options) => blobFromImage(x, { ...options, width: 4, height: 3, mean: 3, scalefactor: 0.1 }),
  },
};

const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
/** Compares two data arrays. Jest's own comparison takes seconds for a large tensor. */
const same = (a, b) => (Array.isArray(a) ? a.join() === b.join() : bytesOf(a).equals(bytesOf(b)));

describe.each(Object.entries(writers))('%s', (name, { prefix, type, Class, dims, argument = 'out', input, call }) => {
  const length = dims.reduce((a, b) => a * b);
  const fresh = () => new Class(length);
  const out = (data, extents = dims) => ({ type, data, dims: extents });
  const wrongLength = (got) => `${prefix}: ${type} data of dims [${dims.join(', ')}] has ${length} entries, got ${got}`;
  const good = () => bytesOf(call(input(), {}).data);
  const expectGood = () => expect(good().equals(bytesOf(call(input(), { out: out(fresh()) }).data))).toBe(true);

  test.each(Object.entries(goodViews))('writes to memory %s', (_, make) => {
    const data = make(Class, length);
    const x = input();
    const result = call(x, { out: out(data) });
    expect(result.data).toBe(data);
    // Read by its elements: all else that the view says may be wrong.
    expect(Buffer.from(Class.from({ length }, (_, i) => data[i]).buffer).equals(good())).toBe(true);
    expect(same(x.data, input().data)).toBe(true);
  });

  test('asks it for nothing by name', () => {
    const reads = [];
    call(input(), { out: out(spied(fresh(), reads, 'data')) });
    expect(reads).toEqual([]);
  });

  test.each(changing)('refuses memory that was %s between two calls', (_, make, change, left) => {
    const data = make(Class, length);
    call(input(), { out: out(data) });
    change(data);
    expectError(() => call(input(), { out: out(data) }), RangeError, wrongLength(left(length)));
    expectGood();
  });

  test.each(changing)('refuses memory that is %s by a getter during the call', (_, make, change, left) => {
    const [data, x] = [make(Class, length), input()];
    expectError(
      () =>
        call(x, {
          out: out(
            data,
            calling(dims, () => change(data)),
          ),
        }),
      RangeError,
      wrongLength(left(length)),
    );
    expect(same(x.data, input().data)).toBe(true);
    expectGood();
  });

  test('leaves it as it was where the call is refused', () => {
    const sentinel = Class.from({ length }, (_, i) => (Class === BigInt64Array ? BigInt(i) : i % 100));
    const data = sentinel.slice();
    const whole = out(data);
    const noStrings = 'string data must hold strings, got 5 at 0';
    const article = /^I/.test(Class.name) ? 'an' : 'a';
    const classes = type === 'float16' ? `${Class.name} or Float16Array` : Class.name;
    const refused = [
      [() => call(input(), { out: whole, flavour: 1 }), TypeError, unknownOption(prefix, 'flavour')],
      [
        () => call({ ...input(), data: [5, 5, 5, 5, 5, 5] }, { out: whole }),
        TypeError,
        ['imageToTensor', 'blobFromImage'].includes(prefix)
          ? `${prefix}: image data must be a Uint8Array or Uint8ClampedArray, got Array`
          : `${prefix}: ${input().type === 'string' ? noStrings : 'float32 data must be a Float32Array, got Array'}`,
      ],
      [
        () => call(input(), { out: { ...whole, type: 'uint32' } }),
        TypeError,
        `${prefix}: ${argument} type must be ${type}, got uint32`,
      ],
      [
        () => call(input(), { out: { ...whole, dims: [...dims, 1] } }),
        RangeError,
        `${prefix}: ${argument} dims must be [${dims.join(', ')}], got [${dims.join(', ')}, 1]`,
      ],
      [
        () => call(input(), { out: { ...whole, data: [] } }),
        TypeError,
        `${prefix}: ${type} data must be ${article} ${classes}, got Array`,
      ],
      [
        () => call(input(), { out: 'out' }),
        TypeError,
        `${prefix}: ${argument} must be a tensor { type, dims, data }, got 'out'`,
      ],
      ...badDims.map(([Error, extents, rule]) => [
        () => call(input(), { out: out(data, extents) }),
        Error,
        `${prefix}: ${rule}`,
      ]),
      ...badLengths.map(([extent, shown]) => [
        () => call(input(), { out: out(data, lyingLength([...dims], extent)) }),
        RangeError,
        `${prefix}: dims must have 0 to 1000000 entries, got ${shown}`,
      ]),
    ];
    for (const [run, Class, message] of refused) {
      expectError(run, Class, message);
      expect(same(data, sentinel)).toBe(true);
    }
    expectGood();
  });
});

test('a view that lies about where it stands is seen to overlap', () => {
  const memory = new Float32Array(9);
  const at = (offset, claimed) =>
    Object.defineProperty(memory.subarray(offset, offset + 3), 'byteOffset', { get: () => claimed });
  const piece = (data) => ({ type: 'float32', data, dims: [1, 3] });
  const x = { type: 'float32', data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), dims: [3, 3] };
  // In the order of the claimed offsets, the two that overlap are not neighbors.
  expectError(
    () => splitToSequence(x, 1, { out: [piece(at(0, 0)), piece(at(6, 4)), piece(at(2, 100))] }),
    RangeError,
    'SplitToSequence-24: out[2] must not overlap out[0]',
  );
  const own = x.data.subarray(2, 5);
  Object.defineProperty(own, 'buffer', { get: () => new ArrayBuffer(12) });
  expectError(
    () => splitToSequence(x, 1, { out: [piece(new Float32Array(3)), piece(own), piece(new Float32Array(3))] }),
    RangeError,
    'SplitToSequence-24: out[1] must not overlap input',
  );
  expect([...memory, ...x.data]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("no method of the caller's is handed the module's memory", () => {
  const handed = [];
  class Curious extends Float32Array {
    set(source) {
      handed.push(source);
    }
  }
  for (const [dims, length] of [
    [[2, 3], 6],
    [[40, 30], 1200],
    [[512, 512], 2 ** 18],
  ]) {
    const data = Float32Array.from({ length }, (_, i) => i);
    const out = { type: 'float32', data: new Curious(length), dims: dims.toReversed() };
    transpose({ type: 'float32', data, dims }, { out });
    expect(Array.from(out.data.slice())).toEqual(Array.from(transpose({ type: 'float32', data, dims }).data));
  }
  expect(handed).toEqual([]);
});

/** An array of strings is an object of the caller's: a trap of its may run wherever an entry is read or written. */
describe('strings to write to', () => {
  test('their entries are written once, and nothing else is', () => {
    const writes = [];
    const watched = () =>
      new Proxy(['', '', '', '', '', ''], {
        set(list, key, value) {
          writes.push(`${key} ${value}`);
          list[key] = value;
          return true;
        },
      });
    const out = { type: 'string', data: watched(), dims: [3, 2] };
    expect(transpose(texts(), { out }).data).toBe(out.data);
    expect(writes).toEqual(['0 1', '1 4', '2 2', '3 5', '4 3', '5 6']);
    cast(six(), 'string', { out: { type: 'string', data: watched(), dims: [2, 3] } });
    expect(writes.slice(6)).toEqual(['0 1', '1 -2', '2 3', '3 4.5', '4 5', '5 6']);
  });

  test('take what was read before, whatever their traps do', () => {
    const x = six();
    const meddling = (key) =>
      new Proxy(['', '', '', '', '', ''], {
        get(list, asked) {
          if (asked === key && x.data.length) detach(x.data);
          return list[asked];
        },
        set(list, asked, value) {
          if (x.data.length) detach(x.data);
          list[asked] = value;
          return true;
        },
      });
    expectError(
      () => cast(x, 'string', { out: { type: 'string', data: meddling('length'), dims: [2, 3] } }),
      RangeError,
      'Cast-28: float32 data of dims [2, 3] has 6 entries, got 0',
    );
    x.data = six().data;
    expect([...cast(x, 'string', { out: { type: 'string', data: meddling(), dims: [2, 3] } }).data]).toEqual([
      '1',
      '-2',
      '3',
      '4.5',
      '5',
      '6',
    ]);
  });

  test('are refused where they cannot be written', () => {
    const data = Object.freeze(['', '', '', '', '', '']);
    expectError(
      () => transpose(texts(), { out: { type: 'string', data, dims: [3, 2] } }),
      TypeError,
      'Transpose-25: out data must be writable, got a frozen Array',
    );
    expectError(
      () => cast(six(), 'string', { out: { type: 'string', data, dims: [2, 3] } }),
      TypeError,
      'Cast-28: out data must be writable, got a frozen Array',
    );
    const rows = ['', '', ''];
    expectError(
      () =>
        splitToSequence(texts(), 1, {
          out: [
            { type: 'string', data: rows, dims: [1, 3] },
            { type: 'string', data: Object.freeze(['', '', '']), dims: [1, 3] },
          ],
        }),
      TypeError,
      'SplitToSequence-24: out[1] data must be writable, got a frozen Array',
    );
    expect(rows).toEqual(['', '', '']);
  });

  test.each(badLengths)('of length %p are refused', (length, shown) => {
    const data = lyingLength(['', '', '', '', '', ''], length);
    expectError(
      () => transpose(texts(), { out: { type: 'string', data, dims: [3, 2] } }),
      RangeError,
      `Transpose-25: string data of dims [3, 2] has 6 entries, got ${shown}`,
    );
    expectError(
      () => transpose({ ...texts(), data }),
      RangeError,
      `Transpose-25: string data of dims [2, 3] has 6 entries, got ${shown}`,
    );
  });
});
