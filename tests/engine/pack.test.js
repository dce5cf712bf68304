/** pack and unpack: 2-, 4- and 6-bit elements between packed bytes and one byte an element. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { init, pack, unpack } from 'onnx-layout';
import { byteCount, fromCodes, smallIntegers, toCodes, typeNames, types } from '../support/reference.js';
import { generator, randomData } from '../support/samples.js';
import { expectError, expectErrors } from '../support/assertions.js';

beforeAll(() => init());

const packed = typeNames.filter((type) => types[type].bits > 0 && types[type].bits < 8);
const unpackedClass = (type) => (type.startsWith('int') ? Int8Array : Uint8Array);

const isSame = (a, b) =>
  a.constructor === b.constructor &&
  Buffer.compare(
    new Uint8Array(a.buffer, a.byteOffset, a.byteLength),
    new Uint8Array(b.buffer, b.byteOffset, b.byteLength),
  ) === 0;

test('the first element is in the low bits; what is left over is zero', () => {
  expect(pack('int4', Int8Array.of(1, -1, 7))).toEqual(Uint8Array.of(0xf1, 0x07));
  expect(pack('uint2', Uint8Array.of(1, 2, 3, 0, 1))).toEqual(Uint8Array.of(0b00111001, 0b01));
  expect(unpack('int4', Uint8Array.of(0xf1, 0x87), 3)).toEqual(Int8Array.of(1, -1, 7));
  expect(unpack('uint4', Uint8Array.of(0xf1, 0x87), 3)).toEqual(Uint8Array.of(1, 15, 7));
  expect(unpack('int2', Uint8Array.of(0b11100100), 4)).toEqual(Int8Array.of(0, 1, -2, -1));
  expect(unpack('float4e2m1', Uint8Array.of(0xf1), 2)).toEqual(Uint8Array.of(1, 15));
  // Four elements of 6 bits take three bytes; the middle ones end and begin in the second.
  expect(pack('float6e2m3', Uint8Array.of(1, 0x22, 0x1f, 0x3f))).toEqual(Uint8Array.of(0x81, 0xf8, 0xfd));
  expect(unpack('float6e3m2', Uint8Array.of(0x81, 0xf8, 0xfd), 3)).toEqual(Uint8Array.of(1, 0x22, 0x1f));
});

describe.each(packed)('%s', (type) => {
  test('sizes 0 to 300, at every byte offset', () => {
    for (let size = 0; size <= 300; size++) {
      // Beyond 70, each size at four offsets.
      const step = size <= 70 ? 1 : 4;
      for (let offset = size % step; offset < 16; offset += step) {
        const bytes = randomData(type, size, size, offset);
        const codes = toCodes(type, bytes, size);
        const what = `${type} ${size} at ${offset}`;
        if (!isSame(unpack(type, bytes, size), unpackedClass(type).from(smallIntegers(type, codes))))
          throw new Error(`unpack ${what}`);
        // Values with random bits above those that count.
        const values = randomData('uint8', size, size + 7, offset);
        for (const view of [
          values,
          new Int8Array(values.buffer, offset, size),
          Buffer.from(values.buffer, offset, size),
        ]) {
          if (!isSame(pack(type, view), fromCodes(type, values))) throw new Error(`pack ${what}`);
        }
      }
    }
  });

  test('sizes far beyond any staging area', () => {
    const size = 3_000_003;
    const bytes = randomData(type, size, 3, 1);
    const codes = toCodes(type, bytes, size);
    const unpacked = unpack(type, bytes, size);
    expect(isSame(unpacked, unpackedClass(type).from(smallIntegers(type, codes)))).toBe(true);
    expect(isSame(pack(type, unpacked), fromCodes(type, codes))).toBe(true);
  });

  test('shared memory in, memory of its own out', () => {
    const values = randomData('uint8', 99, 5, 3, SharedArrayBuffer);
    const bytes = pack(type, values);
    expect(isSame(bytes, fromCodes(type, toCodes('uint8', values, 99)))).toBe(true);
    expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, byteCount(type, 99)]);
    const unpacked = unpack(type, randomData(type, 99, 5, 3, SharedArrayBuffer), 99);
    expect([unpacked.length, unpacked.byteOffset, unpacked.buffer.byteLength]).toEqual([99, 0, 99]);
  });

  test('lengths', () => {
    const count = Math.floor(16 / types[type].bits); // that fit two bytes
    expectErrors({
      [`RangeError: unpack: ${type} bytes of ${count + 1} elements are 3, got 2`]: () =>
        unpack(type, new Uint8Array(2), count + 1),
      [`RangeError: unpack: ${type} bytes of 1 elements are 1, got 2`]: () => unpack(type, new Uint8Array(2), 1),
    });
    for (const size of [-1, 1.5, NaN, 2 ** 53]) {
      const message = `unpack: size must be a whole number from 0, got ${size}`;
      expectError(() => unpack(type, new Uint8Array(1), size), RangeError, message);
    }
    expectError(() => unpack(type, new Uint8Array(1), '2'), TypeError, "unpack: size must be a number, got '2'");
  });
});

test('only packed types, only bytes', () => {
  for (const type of ['uint8', 'float32', 'string', 'bool'])
    expectErrors({
      [`TypeError: pack: dtype must be a 6-, 4- or 2-bit type, got ${type}`]: () => pack(type, new Uint8Array(2)),
      [`TypeError: unpack: dtype must be a 6-, 4- or 2-bit type, got ${type}`]: () =>
        unpack(type, new Uint8Array(2), 2),
    });
  expectErrors({
    "TypeError: pack: dtype must be a 6-, 4- or 2-bit type, got 'int3'": () => pack('int3', new Uint8Array(2)),
    'TypeError: pack: values must be an Int8Array or Uint8Array, got Int16Array': () => pack('int4', new Int16Array(2)),
    'TypeError: unpack: bytes must be a Uint8Array, got Int8Array': () => unpack('int4', new Int8Array(1), 2),
    'TypeError: unpack: bytes must be a Uint8Array, got Array': () => unpack('int4', [1], 2),
  });
});

test('seeded values survive pack and unpack', () => {
  const random = generator(4);
  for (let i = 0; i < 50; i++) {
    const values = Int8Array.from({ length: random() % 500 }, () => (random() % 16) - 8);
    expect(isSame(unpack('int4', pack('int4', values), values.length), values)).toBe(true);
  }
});
