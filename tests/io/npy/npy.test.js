/** .npy files, checked against NumPy: it reads what we write, and we read what it writes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, init } from 'onnx-layout';
import { readNpy, writeNpy } from 'onnx-layout/io';
import { expectError, expectTensor, refuses } from '../../support/assertions.js';
import { atOddOffset, python, run, temporaryFolder, where } from '../../support/programs.js';
import { elementCount, fromCodes, toCodes, transposeData, typeNames, types } from '../../support/reference.js';
import { randomData } from '../../support/samples.js';
import { pairs } from '../../support/tables.js';

beforeAll(() => init());

const folder = temporaryFolder();
const shapes = [[], [0], [1], [7], [2, 0, 3], [3, 5], [2, 3, 4]];
/** NumPy's name of each type; null for types that no file holds. */
const descrs = {
  string: null,
  ...Object.fromEntries(
    pairs(`
      bool:|b1 int8:|i1 uint8:|u1 int16:<i2 uint16:<u2 int32:<i4 uint32:<u4 int64:<i8 uint64:<u8 float16:<f2
      float32:<f4 float64:<f8 complex64:<c8 complex128:<c16 bfloat16:|V2 float8e4m3fn:|V1 float8e4m3fnuz:|V1
      float8e5m2:|V1 float8e5m2fnuz:|V1 float8e8m0:|V1 float6e2m3:|V1 float6e3m2:|V1 float4e2m1:|V1 int4:|V1
      uint4:|V1 int2:|V1 uint2:|V1
    `),
  ),
};
const storedTypes = typeNames.filter((type) => descrs[type] !== null);
const isVoid = (type) => descrs[type].startsWith('|V');

/** Random data; the tail bits are zero, as they are in results. */
function sample(type, dims, seed = 1) {
  const size = elementCount(dims);
  const data = randomData(type, size, seed);
  return { type, dims, data: types[type].bits < 8 ? fromCodes(type, toCodes(type, data, size)) : data };
}

/** The elements as a file holds them: packed types take a byte each, and the signed ones keep their sign. */
function fileBytes({ type, dims, data }) {
  if (types[type].bits >= 8) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const { bits } = types[type];
  return Buffer.from(
    Array.from(toCodes(type, data, elementCount(dims)), (code) =>
      type.startsWith('int') && code >> (bits - 1) ? code - 2 ** bits : code,
    ),
  );
}

const option = (type) => (isVoid(type) ? { dtype: type } : {});

function file(header, data = [], [major, minor] = [1, 0]) {
  const length =
    major === 1 ? [header.length & 0xff, header.length >> 8] : [header.length & 0xff, header.length >> 8, 0, 0];
  return Uint8Array.from([
    ...Buffer.from('\x93NUMPY', 'latin1'),
    major,
    minor,
    ...length,
    ...Buffer.from(header),
    ...data,
  ]);
}

test('every dtype has its descr, or none', () => {
  expect(Object.keys(descrs).sort()).toEqual(Object.keys(dtypes).sort());
  for (const type of storedTypes) {
    const header = Buffer.from(writeNpy(sample(type, [2]))).toString('latin1', 10, 64);
    expect(header).toContain(`'descr': '${descrs[type]}',`);
  }
});

test.each(storedTypes)('%s: what is written is read', (type) => {
  for (const dims of shapes) {
    const tensor = sample(type, dims);
    const bytes = writeNpy(tensor);
    expectTensor(readNpy(bytes, option(type)), type, dims, tensor.data, `${type} [${dims}]`);
    const actual = readNpy(atOddOffset(bytes), option(type));
    expectTensor(actual, type, dims, tensor.data, `${type} [${dims}] at an odd offset`);
    expect((bytes.length - fileBytes(tensor).length) % 64).toBe(0);
  }
});

test('headers of every length are whole lines that end at a multiple of 64', () => {
  const lengths = new Set();
  for (let ones = 0; ones < 22; ones++)
    for (const extent of [1, 10, 100]) {
      const dims = [...Array(ones).fill(1), extent, 0];
      const bytes = writeNpy({ type: 'float32', data: new Float32Array(0), dims });
      const text = Buffer.from(bytes).toString('latin1', 10);
      lengths.add(text.trimEnd().length % 64);
      expect([bytes.length % 64, text.at(-1), readNpy(bytes).dims]).toEqual([0, '\n', dims]);
      // The line and its end need no more, so there is no multiple of 64 between.
      expect(bytes.length - 10 - text.trimEnd().length).toBeLessThanOrEqual(64);
    }
  expect(lengths.size).toBe(64);
});

test('data begins wherever a header of another program ends', () => {
  const values = Float64Array.of(0.5, -2);
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  for (let spaces = 0; spaces < 64; spaces++) {
    const bytes = file(`${header}${' '.repeat(spaces)}\n`, new Uint8Array(values.buffer));
    expect(readNpy(bytes)).toMatchObject({ type: 'float64', dims: [2], data: values });
    expect(readNpy(atOddOffset(bytes)).data).toEqual(values);
  }
});

test.each(storedTypes)('%s of Fortran order', (type) => {
  const { data } = sample(type, [5, 3]);
  const header = `{'descr': '${descrs[type]}', 'fortran_order': True, 'shape': (3, 5), }`;
  const bytes = file(header, fileBytes({ type, dims: [5, 3], data }));
  const expected = transposeData(type, data, [5, 3], [1, 0]);
  expectTensor(readNpy(bytes, option(type)), type, [3, 5], expected);
});

test('shares the bytes of a file where they are aligned', () => {
  const bytes = writeNpy({ type: 'float32', data: Float32Array.of(1, 2), dims: [2] });
  expect(readNpy(bytes).data.buffer).toBe(bytes.buffer);
  expect(readNpy(atOddOffset(bytes)).data.buffer).not.toBe(bytes.buffer);
});

test('takes headers of other writers', () => {
  for (const header of [
    '{"descr":"<i2","fortran_order":False,"shape":(2,)}',
    " { 'shape' : ( 2L , ) , 'descr' : '<i2' , 'fortran_order' : False } \n",
    "{'descr':'<i2','fortran_order':False,'shape':(2,)}".padEnd(10000),
  ])
    expectTensor(readNpy(file(header, [1, 0, 2, 0])), 'int16', [2], Int16Array.of(1, 2), header);
});

describe('errors', () => {
  const header = (descr, order = 'False', shape = '(2,)') =>
    `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const dict = (text) => `readNpy: header must be a dict of descr, fortran_order and shape, got '${text}'`;
  refuses('readNpy', {
    "TypeError: bytes must be a Uint8Array, got 'x'": () => readNpy('x'),
    'TypeError: bytes must be a Uint8Array, got Int8Array': () => readNpy(new Int8Array(10)),
    "TypeError: unknown option 'kind'. Known: dtype": () => readNpy(file(header('|u1'), [1, 2]), { kind: 1 }),
    'RangeError: bytes must begin with \\x93NUMPY, got other bytes': () => readNpy(Uint8Array.of(1, 2)),
    'RangeError: version must be 1.0, 2.0 or 3.0, got 4.0': () => readNpy(file('', [], [4, 0])),
    'RangeError: version must be 1.0, 2.0 or 3.0, got 1.1': () => readNpy(file('', [], [1, 1])),
    'RangeError: header must have 57 bytes, got 20': () => readNpy(file(header('|u1')).subarray(0, 30)),
    'RangeError: header must have 57 bytes, got 56': () => readNpy(file(header('|u1')).subarray(0, 66)),
    'RangeError: header must have at most 10000 bytes, got 10001': () => readNpy(file(' '.repeat(10001), [], [2, 0])),
    "RangeError: descr must be of a type that ONNX has, got '<M8'": () => readNpy(file(header('<M8'))),
    'TypeError: dtype must be uint8, as in the file, got int8': () =>
      readNpy(file(header('|u1'), [1, 2]), { dtype: 'int8' }),
    ["TypeError: unknown type 'int', did you mean 'int8'? Known: float32, uint8, int8, uint16, int16, " +
    'int32, int64, string, …']: () => readNpy(file(header('|u1'), [1, 2]), { dtype: 'int' }),
    'TypeError: dtype must say what |V2 elements are, got undefined': () => readNpy(file(header('|V2'), [1, 2, 3, 4])),
    'TypeError: dtype must be one that NumPy stores as |V2, got int4': () =>
      readNpy(file(header('|V2'), [1, 2, 3, 4]), { dtype: 'int4' }),
    'RangeError: uint8 data of dims [2] has 2 bytes, got 1': [
      () => readNpy(file(header('|u1'), [1])),
      () => readNpy(file(header('|V1'), [1]), { dtype: 'int4' }),
    ],
    'RangeError: float32 data must be a multiple of 4 bytes, got 3': () => readNpy(file(header('<f4'), [1, 2, 3])),
    ['RangeError: uint8 data of dims [9007199254740991, 9007199254740991] has ' +
    '81129638414606663681390495662081 bytes, got 0']: () =>
      readNpy(file(header('|u1', 'False', '(9007199254740991, 9007199254740991)'))),
  });

  refuses('', {
    'RangeError: writeNpy: int8 data of dims [3] has 3 entries, got 2': () =>
      writeNpy({ type: 'int8', data: new Int8Array(2), dims: [3] }),
  });

  test.each([
    [() => readNpy(file('[]')), RangeError, dict('[]')],
    [() => readNpy(file("{'descr': '|u1'}")), RangeError, dict("{'descr': '|u1'}")],
    [
      () => readNpy(file("{'descr':'|u1','fortran_order':True,'shape':(),'a':''}", [1])),
      RangeError,
      dict("{'descr':'|u1','fortran_order':True,'shape':(),'a':''}"),
    ],
    [() => readNpy(file(header('|u1', '0'))), RangeError, dict(header('|u1', '0'))],
  ])('%#', (call, Class, message) => expectError(call, Class, message));
});

where(python, 'NumPy', () => {
  test('NumPy reads what is written', () => {
    const written = storedTypes.flatMap((type) =>
      shapes.map((dims, i) => {
        const tensor = sample(type, dims, i);
        const path = join(folder, `${type}.${i}.npy`);
        writeFileSync(path, writeNpy(tensor));
        return { path, expected: [descrs[type], dims, fileBytes(tensor).toString('hex')] };
      }),
    );
    const program = `
import json, sys, numpy
files = [numpy.load(p) for p in json.load(sys.stdin)]
print(json.dumps([[a.dtype.str, a.shape, a.tobytes().hex()] for a in files]))`;
    const seen = JSON.parse(run(python, ['-c', program], { input: JSON.stringify(written.map(({ path }) => path)) }));
    expect(seen).toEqual(written.map(({ expected }) => expected));
  });

  test('what NumPy writes is read: versions, orders, byte orders, types', () => {
    const program = `
import io, json, numpy
from numpy.lib import format
rng = numpy.random.default_rng(1)
cases = []
for name in 'b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16 V1 V2'.split():
    for shape in [(), (0,), (1,), (7,), (2, 0, 3), (3, 5), (2, 3, 4), (2, 1, 3, 2)]:
        for order in 'CF':
            for end in '<>':
                for version in [(1, 0), (2, 0), (3, 0)]:
                    size = int(numpy.prod(shape, dtype=int)) * numpy.dtype(name).itemsize
                    raw = rng.integers(0, 2 if name == 'b1' else 256, size, numpy.uint8).tobytes()
                    a = numpy.frombuffer(raw, end + name).reshape(shape)
                    f = io.BytesIO()
                    format.write_array(f, numpy.asarray(a, order=order), version)
                    little = a.astype('<' + name) if name[0] != 'V' else a
                    cases.append([name, shape, f.getvalue().hex(), numpy.ascontiguousarray(little).tobytes().hex()])
print(json.dumps(cases))`;
    const cases = JSON.parse(run(python, ['-W', 'ignore', '-c', program]));
    expect(cases.length).toBe(16 * 8 * 2 * 2 * 3);
    const typeOf = {
      ...Object.fromEntries(storedTypes.map((type) => [descrs[type].slice(1), type])),
      V1: 'float8e5m2',
      V2: 'bfloat16',
    };
    for (const [name, shape, hex, expected] of cases) {
      const type = typeOf[name];
      const data = new types[type].array(new Uint8Array(Buffer.from(expected, 'hex')).buffer);
      const actual = readNpy(new Uint8Array(Buffer.from(hex, 'hex')), name[0] === 'V' ? { dtype: type } : {});
      expectTensor(actual, type, shape, data, `${name} [${shape}]`);
    }
  });

  test('packed types in Fortran order are read', () => {
    const program = `
import sys, numpy
codes = numpy.arange(15, dtype="u1").view("V1").reshape(3, 5)
numpy.save(sys.stdout.buffer, numpy.asarray(codes, order="F"))`;

    const tensor = readNpy(new Uint8Array(run(python, ['-c', program])), { dtype: 'uint4' });
    expect([tensor.dims, tensor.toArray()]).toEqual([[3, 5], Array.from({ length: 15 }, (_, i) => i)]);
  });
});
