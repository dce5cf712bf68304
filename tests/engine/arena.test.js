/** Arrays in the memory of a module: what does not fit is refused before anything is written. */
import { beforeEach, expect, test } from '@jest/globals';
import { Arena } from '../../js/engines/memory/index.js';

const bytes = (...numbers) => Uint8Array.from(numbers);

let memory;
let arena;
beforeEach(() => {
  memory = { buffer: new ArrayBuffer(128) };
  arena = new Arena();
  // 80 bytes from 16 on.
  arena.setBounds(memory, 9, 96);
});

const writtenBytes = () => [...new Uint8Array(memory.buffer)].flatMap((byte, at) => (byte ? [[at, byte]] : []));

test('arrays lie one behind the other, each at a multiple of 16', () => {
  expect(arena.copyIn(bytes(1, 2), 2)).toBe(16);
  expect(arena.allocate(17)).toBe(32);
  expect(arena.copyIn(bytes(0, 3, 4, 0).subarray(1, 3), 1)).toBe(64);
  expect([arena.allocate(0), arena.allocate(16)]).toEqual([80, 80]);
  expect(writtenBytes()).toEqual([
    [16, 1],
    [17, 2],
    [64, 3],
    [65, 4],
  ]);
});

test('`clear` frees the arrays behind the first ones', () => {
  const places = [40, 1, 1].map((size) => arena.allocate(size));
  arena.clear(3);
  expect([places, arena.next]).toEqual([[16, 64, 80], 96]);
  arena.clear(1);
  expect(() => arena.view(Uint8Array, 64, 1)).toThrow(RangeError);
  expect(arena.allocate(32)).toBe(64);
  arena.clear();
  expect([arena.allocate(80), arena.count, arena.ends[0]]).toEqual([16, 1, 96]);
});

test.each([
  ["the work must fit in the module's 80 bytes, got 96", () => arena.allocate(81)],
  ["the work must fit in the module's 80 bytes, got NaN", () => arena.allocate(NaN)],
  ["the work must fit in the module's 80 bytes, got 0", () => arena.allocate(-1)],
  ["the work must fit in the module's 80 bytes, got 96", () => arena.copyIn(new Uint8Array(81).fill(1), 81)],
  ['data must hold the 3 bytes of its extents, got 2', () => arena.copyIn(bytes(1, 2), 3)],
  ['data must hold the NaN bytes of its extents, got 2', () => arena.copyIn(bytes(1, 2), NaN)],
])('%s', (message, call) => {
  expect(call).toThrow(new RangeError(message));
  expect([writtenBytes(), arena.next, arena.count]).toEqual([[], 16, 0]);
});

test.each([
  [Float32Array, 16, 3, 'memory must hold 3 numbers at 16, which no array of the call does'],
  [Float32Array, 20, 2, 'memory must hold 2 numbers at 20, which no array of the call does'],
  [Uint8Array, 15, 1, 'memory must hold 1 numbers at 15, which no array of the call does'],
  // Between two arrays.
  [Uint8Array, 24, 1, 'memory must hold 1 numbers at 24, which no array of the call does'],
  [Uint8Array, 16, -1, 'memory must hold -1 numbers at 16, which no array of the call does'],
  [Uint8Array, 16, NaN, 'memory must hold NaN numbers at 16, which no array of the call does'],
])('%p at %i of length %d is in no array', (ArrayClass, at, length, message) => {
  arena.allocate(8);
  arena.allocate(8);
  expect(() => arena.view(ArrayClass, at, length)).toThrow(new RangeError(message));
  expect(() => arena.copyOut(ArrayClass, at, length)).toThrow(new RangeError(message));
});

test('`view` shares memory, `copyOut` copies it to where it is asked to', () => {
  const at = arena.copyIn(Float32Array.of(1, 2, 3), 12);
  const to = new Float32Array(2);
  const copy = arena.copyOut(Float32Array, at + 4, 2);
  expect(arena.copyOut(Float32Array, at + 4, 2, to)).toBe(to);
  arena.view(Float32Array, at, 3).fill(7);
  expect([copy, to, arena.copyOut(Float32Array, at, 3)]).toEqual([
    Float32Array.of(2, 3),
    Float32Array.of(2, 3),
    Float32Array.of(7, 7, 7),
  ]);
  expect(() => arena.copyOut(Float32Array, at, 3, to)).toThrow(new RangeError('out data must have 3 entries, got 2'));
  expect(to).toEqual(Float32Array.of(2, 3));
});
