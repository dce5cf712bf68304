/** safetensors files, checked against headers that were written by hand, and against the format's own library. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, init } from 'onnx-layout';
import { openSafetensors, readSafetensors, saveSafetensors, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { expectError, expectTensor, refuses } from '../../support/assertions.js';
import { atOddOffset } from '../../support/programs.js';
import { randomData } from '../../support/samples.js';
import { pairs } from '../../support/tables.js';

beforeAll(() => init());

const formatNames = Object.fromEntries(
  pairs(`
    bool:BOOL uint8:U8 int8:I8 uint16:U16 int16:I16 uint32:U32 int32:I32 uint64:U64 int64:I64 float16:F16
    bfloat16:BF16 float32:F32 float64:F64 complex64:C64 float4e2m1:F4 float6e2m3:F6_E2M3 float6e3m2:F6_E3M2
    float8e8m0:F8_E8M0 float8e4m3fn:F8_E4M3 float8e5m2:F8_E5M2 float8e4m3fnuz:F8_E4M3FNUZ
    float8e5m2fnuz:F8_E5M2FNUZ
  `),
);
const absentTypes = ['string', 'complex128', 'uint4', 'int4', 'uint2', 'int2'];

/** A file without padding: the header's length, its text, the bytes of the data. */
function file(header, data = []) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return new Uint8Array(Buffer.concat([length, text, Uint8Array.from(data)]));
}

const entry = (dtype, shape, ...data_offsets) => ({ dtype, shape, data_offsets });

test('every type: a file by hand is read, what is written is read', () => {
  for (const [type, name] of Object.entries(formatNames))
    for (const dims of [[], [2], [0, 3], [3, 4]]) {
      const size = dims.reduce((product, extent) => product * extent, 1);
      if ((size * dtypes[type].bits) % 8 !== 0) continue;
      const data = randomData(type, size, 3);
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      const byHand = file({ x: entry(name, dims, 0, bytes.length) }, bytes);
      expectTensor(readSafetensors(byHand).get('x'), type, dims, data, `${type} by hand`);
      const written = writeSafetensors(new Map([['x', { type, dims, data }]]));
      expectTensor(readSafetensors(written).get('x'), type, dims, data, `${type} written`);
      expectTensor(readSafetensors(atOddOffset(written)).get('x'), type, dims, data, `${type} at an odd offset`);
    }
});

test('many tensors: order, names, metadata, alignment, shared bytes', () => {
  const tensors = new Map(
    Object.keys(formatNames).map((type, i) => [`${i}`, { type, dims: [4], data: randomData(type, 4, i) }]),
  );
  tensors.set('__proto__', { type: 'int8', dims: [1], data: Int8Array.of(7) });
  tensors.set('naïve \n 漢', { type: 'float64', dims: [1], data: Float64Array.of(7) });
  const metadata = new Map([
    ['format', 'pt'],
    ['__proto__', 'x'],
  ]);
  const bytes = writeSafetensors(tensors, { metadata });
  const read = readSafetensors(bytes);
  expect(new Set(read.keys())).toEqual(new Set(tensors.keys()));
  for (const [name, { type, dims, data }] of tensors) {
    expectTensor(read.get(name), type, dims, data, name);
    expect(read.get(name).data.buffer).toBe(bytes.buffer);
  }
  expect(read.metadata).toEqual(metadata);
  expect(Object.prototype.x).toBe(undefined);
  expect(writeSafetensors(read)).toEqual(bytes);
  expect([...readSafetensors(file({ b: entry('U8', [1], 1, 2), a: entry('U8', [1], 0, 1) }, [5, 6])).keys()]).toEqual([
    'a',
    'b',
  ]);
});

describe("odd headers are read or refused as the format's own library does it", () => {
  const goldens = JSON.parse(readFileSync(new URL('safetensors-goldens.json', import.meta.url), 'utf8'));
  const rows = goldens.map(({ header, length, read }) => [
    header,
    file(
      header,
      Array.from({ length }, (_, i) => i + 1),
    ),
    read,
  ]);
  const shown = (entries) =>
    Array.from(entries, ([name, { type, dims, data }]) => [name, [formatNames[type], dims, [...data]]]).sort(
      ([a], [b]) => (a < b ? -1 : 1),
    );

  test.each(rows)('%j', async (_, bytes, read) => {
    if (read === null) {
      await expect(openSafetensors(bytes)).rejects.toThrow(/^openSafetensors: /);
      expect(() => readSafetensors(bytes)).toThrow(/^readSafetensors: /);
      expect(() => readSafetensors(bytes)).toThrow(RangeError);
      return;
    }
    const tensors = readSafetensors(bytes);
    const entries = await openSafetensors(bytes);
    const opened = [];
    for (const [name, entry] of entries) opened.push([name, await entry.read()]);
    for (const given of [tensors, opened]) expect(shown(given)).toEqual(Object.entries(read.tensors));
    for (const { metadata } of [tensors, entries]) expect([...metadata]).toEqual(Object.entries(read.metadata));
  });

  test('are some of both', () =>
    expect([rows.length, rows.filter(([, , read]) => read === null).length]).toEqual([110, 71]));
});

describe('lone surrogates, which UTF-8 cannot hold', () => {
  const one = { type: 'uint8', data: Uint8Array.of(1), dims: [1] };
  const tensors = (name) => new Map([[name, one]]);
  const metadata = (key, value) => ({ metadata: new Map([[key, value]]) });
  const rule = (argument, text) => `${argument} must have no lone surrogate, got '${text}'`;

  refuses('', {
    [`RangeError: writeSafetensors: ${rule('names', 'a\ud800')}`]: () => writeSafetensors(tensors('a\ud800')),
    [`RangeError: saveSafetensors: ${rule('names', '\udfffa')}`]: () => saveSafetensors(tensors('\udfffa')),
    [`RangeError: writeSafetensors: ${rule('metadata', '\ud800')}`]: () =>
      writeSafetensors(tensors('a'), metadata('\ud800', '')),
    [`RangeError: saveSafetensors: ${rule('metadata', '\udc00')}`]: () =>
      saveSafetensors(tensors('a'), metadata('', '\udc00')),
    [`RangeError: writeTensorProto: ${rule('text', '\ud800')}`]: () => writeTensorProto(one, { name: '\ud800' }),
    [`RangeError: writeTensorProto: ${rule('text', '\ude00\ud83d')}`]: () =>
      writeTensorProto({ type: 'string', data: ['\u{1f600}', '\ude00\ud83d'], dims: [2] }),
  });

  test('a pair is one character, and is written', () => {
    const written = writeSafetensors(tensors('\u{1f600}'), metadata('\u{10ffff}', '\u{10000}'));
    expect([...readSafetensors(written)].map(([name]) => name)).toEqual(['\u{1f600}']);
    expect([...readSafetensors(written).metadata]).toEqual([['\u{10ffff}', '\u{10000}']]);
  });
});

test('the exact bytes of a small file', () => {
  const bytes = writeSafetensors(new Map([['one', { type: 'float32', data: Float32Array.of(1), dims: [] }]]));
  const header = '{"one":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}';
  expect(Buffer.from(bytes).toString('latin1')).toBe(`\x38\0\0\0\0\0\0\0${header.padEnd(56)}\0\0\x80\x3f`);
});

describe('errors', () => {
  const offsets = (from, to, end, got) =>
    `readSafetensors: tensor ${got} data_offsets must begin at ${from} and end by ${to}, got [${end}]`;
  const length = (value) => {
    const bytes = new Uint8Array(16);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    return bytes;
  };
  refuses('readSafetensors', readSafetensors, {
    'TypeError: bytes must be a Uint8Array, got Array': [[1]],
    'RangeError: bytes must have a header length of 8 bytes, got 7 bytes': [new Uint8Array(7)],
    'RangeError: header must have at most 100000000 bytes, got 9223372036854775808': [length(2n ** 63n)],
    'RangeError: header must have at most 100000000 bytes, got 100000001': [length(100_000_001n)],
    'RangeError: header must have 100000000 bytes, got 8': [length(100_000_000n)],
    'RangeError: header must have 9 bytes, got 8': [length(9n)],
    "RangeError: header must be JSON, got '{'": [file('{')],
    "RangeError: header must be an object, got '[]'": [file('[]')],
    'RangeError: __metadata__ must be an object of strings, got other values': [file({ __metadata__: { a: 1 } })],
    'RangeError: __metadata__ must be there once, got it again': [file('{"__metadata__":{},"__metadata__":{}}')],
    "RangeError: tensor 'x' must have one shape, got it again": () =>
      readSafetensors(file('{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"shape":[1]}}', [1])),
    "RangeError: names must have no lone surrogate, got '\ud800'": [file('{"\\ud800":1}')],
    "RangeError: tensor 'x' must have dtype, shape and data_offsets, got no object": [
      () => readSafetensors(file({ x: 1 })),
      () => readSafetensors(file(`{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)),
    ],
    "RangeError: tensor 'x' must have dtype, shape and data_offsets, got 'dtype'": [file({ x: { dtype: 'U8' } })],
    "RangeError: tensor 'x' must have dtype, shape and data_offsets, got 'dtype, shape, data_offsets'": [
      () => readSafetensors(file({ x: entry('U8', [-1], 0, 1) })),
      () => readSafetensors(file({ x: entry('U8', [1], 0) }, [1])),
      () => readSafetensors(file({ x: entry('U8', [1], 0, 1, 1) }, [1])),
    ],
    "RangeError: tensor 'x' dtype must be one that ONNX has, got 'F6_E1M4'": () =>
      readSafetensors(file({ x: entry('F6_E1M4', [4], 0, 3) }, [1, 2, 3])),
    "RangeError: tensors must fill the file's 2 bytes of data, got 1": [file({ x: entry('U8', [1], 0, 1) }, [1, 2])],
    "RangeError: tensor 'x' must have 4 bytes for uint16 [2], got 2": [file({ x: entry('U16', [2], 0, 2) }, [1, 2])],
    "RangeError: tensor 'x' must fill whole bytes, got 3 elements of 6 bits": () =>
      readSafetensors(file({ x: entry('F6_E3M2', [3], 0, 3) }, [1, 2, 3])),
    "RangeError: tensor 'x' must fill whole bytes, got 3 elements of 4 bits": () =>
      readSafetensors(file({ x: entry('F4', [3], 0, 2) }, [1, 2])),
  });

  refuses('writeSafetensors', {
    'RangeError: header must have at most 100000000 bytes, got 100000032': () =>
      writeSafetensors(new Map(), { metadata: new Map([['a', 'a'.repeat(1e8)]]) }),
    'TypeError: tensors must be a Map, got an object': () => writeSafetensors({}),
    'TypeError: metadata must be a Map, got an object': () => writeSafetensors(new Map(), { metadata: {} }),
    "TypeError: metadata must hold strings, got ['a', 1]": () =>
      writeSafetensors(new Map(), { metadata: new Map([['a', 1]]) }),
    'TypeError: names must be strings, got 1': () => writeSafetensors(new Map([[1, {}]])),
    'RangeError: names must not be __metadata__, got __metadata__': () =>
      writeSafetensors(new Map([['__metadata__', { type: 'uint8', data: Uint8Array.of(1), dims: [] }]])),
    "TypeError: tensor 'x' type must be one that the format has, got int4": () =>
      writeSafetensors(new Map([['x', { type: 'int4', data: new Uint8Array(1), dims: [2] }]])),
    "RangeError: tensor 'x' must fill whole bytes, got 1 elements of 4 bits": () =>
      writeSafetensors(new Map([['x', { type: 'float4e2m1', data: new Uint8Array(1), dims: [1] }]])),
    "RangeError: tensor 'x' must fill whole bytes, got 6 elements of 6 bits": () =>
      writeSafetensors(new Map([['x', { type: 'float6e2m3', data: new Uint8Array(5), dims: [2, 3] }]])),
  });

  test.each([
    [() => readSafetensors(file({ x: entry('U8', [1], 1, 2) }, [1, 2])), RangeError, offsets(0, 2, '1, 2', "'x'")],
    [() => readSafetensors(file({ x: entry('U8', [3], 0, 3) }, [1, 2])), RangeError, offsets(0, 2, '0, 3', "'x'")],
    [
      () => readSafetensors(file({ x: entry('U8', [2], 0, 2), y: entry('U8', [1], 1, 2) }, [1, 2])),
      RangeError,
      offsets(2, 2, '1, 2', "'y'"),
    ],
  ])('%#', (call, Class, message) => expectError(call, Class, message));
});

test('every dtype has its name in the format, or none', () => {
  expect([...Object.keys(formatNames), ...absentTypes].sort()).toEqual(Object.keys(dtypes).sort());
  for (const type of absentTypes) {
    const tensor = { type, data: randomData(type, 8, 1), dims: [8] };
    const message = `writeSafetensors: tensor 'x' type must be one that the format has, got ${type}`;
    expectError(() => writeSafetensors(new Map([['x', tensor]])), TypeError, message);
  }
});
