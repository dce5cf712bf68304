/**
 * Memory that is shorter than a move needs: each move refuses it, whoever calls, before a byte of an earlier call can
 * get into the result. The plans of boxes: boxes.test.js.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { dtypes } from 'onnx-layout';
import { init } from 'onnx-layout/image';
import * as engine from '../../js/engines/tensors/index.js';
import { pixelBytes } from '../../js/engines/images/index.js';

beforeAll(() => init());

const { float32, uint8 } = dtypes;
const bytes = (length) => new Uint8Array(length);
const floats = (length) => new Float32Array(length);
const texts = (length) => new Array(length).fill('x');
const rows = Int32Array.of(2, 0, 1);
const selection = {
  extents: [2, 3],
  strides: [
    [0, 1],
    [3, 1],
    [1, 0],
  ],
};
const scales = {
  sharing: { width: 1, rows: Infinity, block: Infinity },
  scales: floats(1).fill(1),
  zeros: undefined,
  defaultZeroPoint: 0,
};
const quantization = (source, destination) => ({ from: float32, to: uint8, size: 6, source, destination });
const dequantization = (source, destination) => ({ from: uint8, to: float32, size: 6, source, destination });
const rounding = { precision: float32, saturate: true };
const rule = { bits: 4, block: 16, symmetric: true, after: false, joined: true, measured: false, lowest: 0, zero: 8 };
const channels = { sources: [0], scale: [1], mean: [0], std: [1] };
const picture = (data) => ({ data, width: 3, height: 2, channels: 1, rowstride: 3 });
const numbers = (destination) => ({ dtype: uint8, channels, isPlanar: true, destination, size: 6 });
const strings = [{ extents: [2, 3], from: [1, 2], to: [3, 1] }];
const rowsBy = (step) => ({ run: 2, rows, size: 12, blocks: 2, step });

/** Each move: how its arrays are made, their shortest lengths, which of them it writes, and the call. */
const moves = {
  moveStrings: [texts, [6, 6], [1], (from, to) => engine.moveStrings(strings, [from], [to])],
  'copyRows of words': [floats, [6, 6], [1], (from, to) => engine.copyRows(32, { run: 2, rows, size: 6 }, from, to)],
  'copyRows of blocks': [floats, [12, 12], [1], (from, to) => engine.copyRows(32, rowsBy(3), from, to)],
  'copyRows of long rows': [
    floats,
    [90, 90],
    [1],
    (from, to) => engine.copyRows(32, { run: 30, rows, size: 90 }, from, to),
  ],
  'copyRows of bits': [bytes, [5, 5], [1], (from, to) => engine.copyRows(4, { run: 3, rows, size: 9 }, from, to)],
  'copyRows of strings': [texts, [6, 6], [1], (from, to) => engine.copyRows(0, { run: 2, rows, size: 6 }, from, to)],
  'scatterRows of words': [
    floats,
    [6, 6],
    [1],
    (from, to) => engine.scatterRows(32, { run: 2, rows, size: 6 }, from, to),
  ],
  'scatterRows of bits': [bytes, [5, 5], [1], (from, to) => engine.scatterRows(4, { run: 3, rows, size: 9 }, from, to)],
  'scatterRows of strings': [
    texts,
    [6, 6],
    [1],
    (from, to) => engine.scatterRows(0, { run: 2, rows, size: 6 }, from, to),
  ],
  'select of words': [bytes, [3, 6, 2, 6], [3], (...four) => engine.select(8, selection, ...four)],
  'select of bits': [bytes, [3, 3, 1, 3], [3], (...four) => engine.select(4, selection, ...four)],
  convertBytes: [bytes, [24, 6], [1], (from, to) => engine.convertBytes(float32, uint8, 6, from, to)],
  'convertBytes of much more': [bytes, [6], [0], (to) => engine.convertBytes(float32, uint8, 6, bytes(2 ** 24), to)],
  numbersAs: [bytes, [24], [], (from) => engine.numbersAs(float32, float32, 6, from)],
  quantizeBytes: [bytes, [24, 6], [1], (from, to) => engine.quantizeBytes(quantization(from, to), scales, rounding)],
  dequantizeBytes: [bytes, [6, 24], [1], (from, to) => engine.dequantizeBytes(dequantization(from, to), scales)],
  fillRange: [floats, [6], [0], (to) => engine.fillRange(float32, float32, [0, 1], 6, to)],
  rangeOf: [bytes, [24], [], (from) => engine.rangeOf(float32, 6, from)],
  columnBytes: [floats, [32], [], (from) => engine.columnBytes(float32, from, 16, 2, rule)],
  pixelBytes: [bytes, [6, 6], [1], (from, to) => pixelBytes(picture(from), numbers(to))],
};

/** The length of an array as a message shows it. */
const showLength = (array) => (Array.isArray(array) ? `${array.length} strings` : `${array.byteLength} bytes`);

test.each(Object.entries(moves))('%s', (_, [make, lengths, written, run]) => {
  expect(() => run(...lengths.map(make))).not.toThrow();
  lengths.forEach((length, k) => {
    const memories = lengths.map(make).with(k, make(length - 1));
    const use = written.includes(k) ? 'written' : 'read';
    const got = showLength(memories[k]).split(' ')[0];
    const message = `memory that is ${use} must hold ${showLength(make(length))}, got ${got}`;
    expect(() => run(...memories)).toThrow(new RangeError(message));
  });
});

test('a mask of strings, and what it selects', () => {
  const call = (mask, first, second, result) => engine.select(0, selection, mask, first, second, result);
  expect(() => call(bytes(3), texts(6), texts(2), texts(6))).not.toThrow();
  for (const [memories, rule] of [
    [[bytes(2), texts(6), texts(2), texts(6)], 'read must hold 3 bytes, got 2'],
    [[bytes(3), texts(5), texts(2), texts(6)], 'read must hold 6 strings, got 5'],
    [[bytes(3), texts(6), texts(1), texts(6)], 'read must hold 2 strings, got 1'],
    [[bytes(3), texts(6), texts(2), texts(5)], 'written must hold 6 strings, got 5'],
  ])
    expect(() => call(...memories)).toThrow(new RangeError(`memory that is ${rule}`));
});

test('memory that was detached or shrunk since has none of the bytes', () => {
  const detached = floats(6);
  structuredClone(detached, { transfer: [detached.buffer] });
  const shrunk = new Float32Array(new ArrayBuffer(24, { maxByteLength: 24 }), 0, 6);
  shrunk.buffer.resize(20);
  for (const data of [detached, shrunk]) {
    const error = new RangeError('memory that is read must hold 24 bytes, got 0');
    expect(() => engine.copyRows(32, { run: 2, rows, size: 6 }, data, floats(6))).toThrow(error);
    expect(() => engine.select(32, selection, bytes(3), data, floats(2), floats(6))).toThrow(error);
  }
});

test('memory that is longer keeps what lies behind', () => {
  const result = floats(8).fill(7);
  engine.copyRows(32, { run: 2, rows, size: 6 }, Float32Array.of(1, 2, 3, 4, 5, 6), result);
  expect(result).toEqual(Float32Array.of(5, 6, 1, 2, 3, 4, 7, 7));
  const converted = bytes(4).fill(9);
  engine.convertBytes(float32, uint8, 3, Float32Array.of(1, 2, 3), converted);
  expect(converted).toEqual(Uint8Array.of(1, 2, 3, 9));
  // Memory before what is read, and a source much longer than that.
  const long = floats(100).fill(5);
  engine.convertBytes(float32, uint8, 4, long.subarray(3), converted);
  expect(converted).toEqual(Uint8Array.of(5, 5, 5, 5));
});
