/** The caller's memory to write to: every kind of view gets the right bytes, and a refused call leaves it untouched. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import { blobFromImage, imageToTensor, init } from 'onnx-layout/image';
import { expectBytes, expectError, expectErrors } from '../support/assertions.js';
import { elementCount, types } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { badDims, changingViews, goodViews, unknownOption } from './adversarial.js';

beforeAll(() => init());

const six = () => ({ type: 'float32', data: Float32Array.of(1, -2, 3, 4.5, 5, 6), dims: [2, 3] });
const large = () => ({ type: 'float32', data: Float32Array.from({ length: 2 ** 17 }, (_, i) => i), dims: [256, 512] });
const texts = () => ({ type: 'string', data: ['1', '2', '3', '4', '5', '6'], dims: [2, 3] });
const piece = () => ({ type: 'float32', data: new Float32Array(2), dims: [2, 1] });
const image = () => ({ data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i), width: 2, height: 2 });

/** A function with `out`: the prefix of its messages, the dims that it writes, a call, and the name in messages. */
const writer = (prefix, dims, call, more) => ({
  ...{ prefix, dims, call, type: 'float32', Class: Float32Array, input: six, argument: 'out' },
  ...more,
});
/** Pieces of which the second is the caller's. */
const pieces = (out) => out && { out: [piece(), out, piece()] };

const writers = {
  transpose: writer('Transpose-25', [3, 2], (x, options) => layout.transpose(x, options)),
  'transpose of a large tensor': writer('Transpose-25', [512, 256], (x, options) => layout.transpose(x, options), {
    input: large,
  }),
  splitToSequence: writer(
    'SplitToSequence-24',
    [2, 1],
    (x, { out, ...options }) => layout.splitToSequence(x, 1, { ...options, axis: 1, ...pieces(out) })[1],
    { argument: 'out[1]' },
  ),
  slice: writer('Slice-13', [2, 2], (x, options) => layout.slice(x, [2], [-9], [1], [-2], options)),
  concat: writer('Concat-13', [2, 4], (x, options) => layout.concat([x, piece()], { axis: 1, ...options })),
  split: writer(
    'Split-18',
    [2, 1],
    (x, { out, ...options }) => layout.split(x, [1, 1, 1], { ...options, axis: 1, ...pieces(out) })[1],
    { argument: 'out[1]' },
  ),
  'pad by a number': writer('Pad-25', [2, 4], (x, options) => layout.pad(x, [0, 2, 0, -1], 7, null, options)),
  'pad of a large tensor': writer(
    'Pad-25',
    [258, 514],
    (x, options) => layout.pad(x, [1, 1, 1, 1], null, null, { mode: 'wrap', ...options }),
    { input: large },
  ),
  expand: writer('Expand-13', [2, 2, 3], (x, options) => layout.expand(x, [2, 1, 1], options)),
  rearrange: writer('rearrange', [3, 2], (x, options) => layout.rearrange(x, 'a b -> b a', undefined, options)),
  stack: writer('stack', [2, 2, 3], (x, options) => layout.stack([x, x], options)),
  unstack: writer(
    'unstack',
    [2, 1],
    (x, { out, ...options }) => layout.unstack({ ...x, dims: [2, 3, 1] }, { ...options, axis: 1, ...pieces(out) })[1],
    { argument: 'out[1]' },
  ),
  'cast in the engine': writer('Cast-28', [2, 3], (x, options) => layout.cast(x, 'float64', options), {
    type: 'float64',
    Class: Float64Array,
  }),
  'cast in the module': writer('Cast-28', [2, 3], (x, options) => layout.cast(x, 'float16', options), {
    type: 'float16',
    Class: Uint16Array,
  }),
  'cast of text': writer('Cast-28', [2, 3], (x, options) => layout.cast(x, 'int64', options), {
    type: 'int64',
    Class: BigInt64Array,
    input: texts,
  }),
  imageToTensor: writer(
    'imageToTensor',
    [1, 3, 2, 2],
    (x, options) => imageToTensor(x, { ...options, dtype: 'int8', scale: 0.5 }),
    { type: 'int8', Class: Int8Array, input: image },
  ),
  blobFromImage: writer(
    'blobFromImage',
    [1, 3, 3, 4],
    (x, options) => blobFromImage(x, { ...options, width: 4, height: 3, mean: 3, scalefactor: 0.1 }),
    { input: image },
  ),
};

const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
/** Compares two data arrays. Jest's own comparison takes seconds for a large tensor. */
const same = (a, b) => (Array.isArray(a) ? a.join() === b.join() : bytesOf(a).equals(bytesOf(b)));

describe.each(Object.entries(writers))('%s', (name, { prefix, type, Class, dims, argument, input, call }) => {
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
    expectBytes(
      Class.from({ length }, (_, i) => data[i]),
      good(),
    );
    expect(same(x.data, input().data)).toBe(true);
  });

  test.each(changingViews)('refuses memory that was %s between two calls', (_, make, change, left) => {
    const data = make(Class, length);
    call(input(), { out: out(data) });
    change(data);
    expectError(() => call(input(), { out: out(data) }), RangeError, wrongLength(left(length)));
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
    ];
    for (const [run, Class, message] of refused) {
      expectError(run, Class, message);
      expect(same(data, sentinel)).toBe(true);
    }
    expectGood();
  });
});

describe('strings to write to', () => {
  test('are refused where they cannot be written', () => {
    const data = Object.freeze(['', '', '', '', '', '']);
    expectErrors({
      'TypeError: Transpose-25: out data must be writable, got a frozen Array': () =>
        layout.transpose(texts(), { out: { type: 'string', data, dims: [3, 2] } }),
      'TypeError: Cast-28: out data must be writable, got a frozen Array': () =>
        layout.cast(six(), 'string', { out: { type: 'string', data, dims: [2, 3] } }),
    });
    const rows = ['', '', ''];
    expectError(
      () =>
        layout.splitToSequence(texts(), 1, {
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
});

describe('what only the values refuse leaves out as it was, the bits behind the last element too', () => {
  const int64 = (values, dims = [values.length]) => ({ type: 'int64', data: BigInt64Array.from(values, BigInt), dims });
  const numeric = Object.keys(types).filter((type) => type !== 'string');
  const updates = ({ type }) => ({ type, data: randomData(type, 2, 9), dims: [2] });
  const refusals = (x, out) => [
    () => layout.gather(x, int64([0, 2, 4, 5, 1]), { out: out([5]) }),
    () => layout.gather(x, int64([0, -6, 1]), { out: out([3]) }),
    () => layout.gatherElements(x, int64([0, 1, 2, 3, -6]), { out: out([5]) }),
    () => layout.gatherND(x, int64([0, 1, 9], [3, 1]), { out: out([3]) }),
    () => layout.scatterElements(x, int64([0, 5]), updates(x), { out: out([5]) }),
    () => layout.scatterND(x, int64([0, 5], [2, 1]), updates(x), { out: out([5]) }),
    () => layout.concat([x, { ...x, dims: [1, 5] }], { axis: 0, out: out([10]) }),
    () => layout.pad(x, [-3, -3], { out: out([0]) }),
    () => layout.slice(x, [0], [3], [1, 2], null, { out: out([3]) }),
    () => layout.reverseSequence({ ...x, dims: [5, 1] }, [6], { time_axis: 0, batch_axis: 1, out: out([5, 1]) }),
  ];

  test.each(numeric)('%s', (type) => {
    const x = { type, data: randomData(type, 5, 1), dims: [5] };
    const outs = [];
    const out = (dims) => {
      const data = randomData(type, elementCount(dims), 2 + outs.length);
      outs.push([data, data.slice()]);
      return { type, data, dims };
    };
    for (const [i, call] of refusals(x, out).entries()) {
      let thrown;
      try {
        call();
      } catch (error) {
        thrown = error;
      }
      // Operators whose versions lack the type refuse it first.
      expect([i, thrown?.message]).toEqual([i, expect.stringMatching(/^\w+-\d+: /)]);
      expect([i, [RangeError, TypeError].includes(thrown?.constructor)]).toEqual([i, true]);
      for (const [data, before] of outs) expect([i, same(data, before)]).toEqual([i, true]);
    }
  });
});
