/**
 * Cast as a caller sees it: what it takes and refuses, results and `out`, sizes and places of data. All pairs of types,
 * code by code: cast-exhaustive.test.js.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor, cast, init } from 'onnx-layout';
import { expectError, expectTensor, expectErrors, refuses } from '../support/assertions.js';
import { codeOf, isNaNCode, numberOf, numberTypes } from './cast.reference.js';
import { byteCount, elementCount, fromCodes, toCodes, typeNames, types } from '../support/reference.js';
import { generator, offsetsOf, randomData } from '../support/samples.js';
import { pairs } from '../support/tables.js';

const firstTypes = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';

beforeAll(() => init());

const tensor = (type, values, dims = [values.length]) => ({ type, data: types[type].array.from(values), dims });
const floats = () => tensor('float32', [1, -2.5, 1e6, NaN, -Infinity, -0], [2, 3]);

/** The data that the definition gives; NaN as the target's NaN with the sign that `actual` has. */
function expectCast(actual, from, data, to, dims, what, options = {}) {
  const size = elementCount(dims);
  const codes = toCodes(from, data, size);
  const given = toCodes(to, actual.data, size);
  const expected = fromCodes(
    to,
    Array.from(codes, (code, i) => {
      if (from === to) return from === 'bool' && code ? 1 : code;
      const wanted = codeOf(to, numberOf(from, code), options.saturate, options.round_mode);
      return isNaNCode(to, wanted) && isNaNCode(to, given[i]) ? given[i] : wanted;
    }),
  );
  expectTensor(actual, to, dims, expected, what);
}

test('examples', () => {
  const actual = cast(tensor('float32', [1, -2.5, 1e6]), 'float8e4m3fn');
  expectTensor(actual, 'float8e4m3fn', [3], Uint8Array.of(0x38, 0xc2, 0x7e));
  const result = cast(tensor('float32', [1, -2.5, 1e6]), 'float8e4m3fn', { saturate: 0 });
  expectTensor(result, 'float8e4m3fn', [3], Uint8Array.of(0x38, 0xc2, 0x7f));
  expectTensor(cast(tensor('int4', [0x21, 0xf3], [4]), 'int8'), 'int8', [4], Int8Array.of(1, 2, 3, -1));
  expectTensor(cast(tensor('float32', [3, 4.5, 6]), 'float8e8m0'), 'float8e8m0', [3], Uint8Array.of(129, 130, 130));
  const made = cast(tensor('float32', [3, 4.5, 6]), 'float8e8m0', { round_mode: 'down' });
  expectTensor(made, 'float8e8m0', [3], Uint8Array.of(128, 129, 129));
  expectTensor(
    cast(tensor('float32', [3, 4.5, 6]), 'float8e8m0', { round_mode: 'nearest' }),
    'float8e8m0',
    [3],
    Uint8Array.of(129, 129, 130),
  );
});

describe('one rounding', () => {
  // Each number lies beside a tie by less than float32 (or float64) holds: by way of that it would become the tie, and
  // round to the even side.
  test.each([
    ['float64', 1 + 2 ** -11 + 2 ** -40, 'float16', 0x3c01],
    ['float64', 1 + 3 * 2 ** -11 - 2 ** -40, 'float16', 0x3c01],
    ['float64', 1 + 2 ** -8 + 2 ** -40, 'bfloat16', 0x3f81],
    ['float64', 2 ** -25 * (1 + 2 ** -40), 'float16', 1],
    ['float64', 2 ** -134 * (1 + 2 ** -40), 'bfloat16', 1],
    ['float64', 1 + 2 ** -4 + 2 ** -40, 'float8e4m3fn', 0x39],
    ['float64', 1.25 + 2 ** -40, 'float4e2m1', 3],
    ['float64', 0.0625 + 2 ** -56, 'float6e2m3', 1],
    ['float64', 9 + 2 ** -40, 'float6e3m2', 0x19],
    ['float64', 1 + 2 ** -40, 'float8e8m0', 128],
    ['float64', 2 ** -150 * (1 + 2 ** -40), 'float32', 2 ** -149],
    ['int64', (1n << 60n) + (1n << 36n) + 1n, 'float32', 2 ** 60 + 2 ** 37],
    ['int64', (1n << 60n) + (3n << 36n) - 1n, 'float32', 2 ** 60 + 2 ** 37],
    ['int64', -(1n << 60n) - (1n << 36n) - 1n, 'float32', -(2 ** 60) - 2 ** 37],
    ['uint64', (1n << 63n) + (1n << 55n) + 1n, 'bfloat16', 0x5f01],
    ['uint64', (1n << 63n) + (1n << 55n), 'bfloat16', 0x5f00],
    ['int64', (1n << 53n) + 1n, 'float64', 2 ** 53],
    ['int64', (1n << 53n) + 3n, 'float64', 2 ** 53 + 4],
    ['uint64', (1n << 62n) + 1n, 'float8e8m0', 190],
    ['int32', (1 << 30) + (1 << 22) + 1, 'bfloat16', 0x4e81],
    ['uint32', 2 ** 31 + 2 ** 7 + 1, 'float32', 2 ** 31 + 2 ** 8],
  ])('%s %p to %s', (from, value, to, code) => {
    const size = 37;
    const { data } = cast(tensor(from, Array(size).fill(value)), to);
    expect(data).toEqual(
      types[to].bits < 8 ? fromCodes(to, Array(size).fill(code)) : types[to].array.from(Array(size).fill(code)),
    );
  });
});

test('one type after another, each way, at every size to 70 and at every place in memory', () => {
  let turn = 0;
  for (const from of numberTypes)
    for (const to of numberTypes)
      for (let size = turn % 7; size <= 70; size += 7) {
        turn++;
        const [places, outPlaces] = [offsetsOf(from), offsetsOf(to)];
        const Memory = turn % 5 === 0 ? SharedArrayBuffer : ArrayBuffer;
        const data = randomData(from, size, turn, places[turn % places.length], Memory);
        const before = Buffer.from(data.buffer).toString('latin1');
        const dims = [size];
        const what = `${from} to ${to}, ${size} elements`;
        const fresh = cast({ type: from, data, dims }, to);
        expectCast(fresh, from, data, to, dims, what);
        if (fresh.data.buffer.byteLength !== byteCount(to, size)) throw new Error(`${what}: memory beside its own`);
        const target = randomData(to, size, turn + 1, outPlaces[(turn >> 1) % outPlaces.length], Memory);
        const beside = new Uint8Array(target.buffer.slice(0));
        const result = cast({ type: from, data, dims }, to, { out: { type: to, data: target, dims } });
        if (result.data !== target) throw new Error(`${what}: not over out.data`);
        beside.set(new Uint8Array(fresh.data.buffer), target.byteOffset);
        if (Buffer.compare(Buffer.from(target.buffer), beside) !== 0)
          throw new Error(`${what}: out differs, or what is beside it`);
        if (Buffer.from(data.buffer).toString('latin1') !== before) throw new Error(`${what}: changed its input`);
      }
});

describe('tensors that go through the staging area in pieces', () => {
  const casts = pairs(`
    uint2:int2 uint2:float32 int2:int64 int4:int8 int8:int4 uint4:int2 uint8:uint2 float4e2m1:float64
    float32:float4e2m1 float32:int2 float64:uint4 float32:float6e2m3 float6e3m2:float32 float6e2m3:float6e3m2
    float6e2m3:int4 uint2:float6e3m2 int8:float6e2m3 float6e2m3:float6e2m3 float32:float16 bfloat16:float32
    uint64:float8e5m2 float8e8m0:float16 bool:uint8 float64:bool int64:int64 int4:int4
  `);
  test.each(casts.map((pair, i) => [...pair, i]))('%s to %s, beside whole pieces', (from, to, i) => {
    // 480 KiB on the wider side are a piece. All five sizes of every pair take half a minute.
    const piece = (8 * 480 * 2 ** 10) / Math.max(types[from].bits, types[to].bits);
    const sizes = [piece - 1, piece, piece + 1, piece + 3, 2 * piece + 5];
    for (const size of [sizes[i % 5], sizes[(i + 2) % 5]]) {
      const data = randomData(from, size, size, offsetsOf(from)[1] ?? 0);
      expectCast(cast({ type: from, data, dims: [size] }, to), from, data, to, [size], `${size} elements`);
    }
  });

  test('many pieces', () => {
    const size = 3_000_003;
    const bytes = randomData('int8', size, 1, 3);
    const packed = cast({ type: 'int8', data: bytes, dims: [size] }, 'int4');
    expectTensor(packed, 'int4', [size], fromCodes('int4', toCodes('int8', bytes, size)));
    const values = cast(packed, 'float32').data;
    const expected = new Float32Array(size);
    for (let i = 0; i < size; i++) expected[i] = (bytes[i] << 28) >> 28;
    expect(Buffer.compare(Buffer.from(values.buffer), Buffer.from(expected.buffer))).toBe(0);
  });
});

test('empty tensors and scalars', () => {
  for (const from of numberTypes)
    for (const to of numberTypes)
      for (const dims of [[0], [2, 0, 3], []]) {
        const data = randomData(from, elementCount(dims), 1);
        expectCast(cast({ type: from, data, dims }, to), from, data, to, dims, `${from} to ${to} [${dims}]`);
      }
});

test('saturate and round_mode change nothing where they do not apply', () => {
  const random = generator(1);
  for (const to of numberTypes.filter((type) => !type.startsWith('float8'))) {
    const input = tensor(
      'float64',
      Array.from({ length: 99 }, () => (random() - 2 ** 31) * 2 ** ((random() % 600) - 300)),
    );
    const usual = cast(input, to).data;
    for (const options of [{ saturate: 0 }, { saturate: false, round_mode: 'down' }, { round_mode: 'nearest' }])
      expectTensor(cast(input, to, options), to, [99], usual);
  }
  for (const to of ['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz'])
    expectTensor(cast(floats(), to, { round_mode: 'down' }), to, [2, 3], cast(floats(), to).data);
});

test('bits after the last element mean nothing in, and are zero out', () => {
  const packed = numberTypes.filter((type) => types[type].bits < 8);
  for (const from of packed)
    for (const to of packed) {
      const result = (byte) =>
        cast({ type: from, data: Uint8Array.of(byte), dims: [1] }, to, {
          out: { type: to, data: Uint8Array.of(0xff), dims: [1] },
        }).data[0];
      expect(result((0xff & ~(2 ** types[from].bits - 1)) | 1)).toBe(result(1));
      expect(result(0xff) >> types[to].bits).toBe(0);
    }
});

test('a bool is any byte that is not zero', () => {
  expect(cast({ type: 'bool', data: Uint8Array.of(0, 1, 2, 255), dims: [4] }, 'float16').data).toEqual(
    Uint16Array.of(0, 0x3c00, 0x3c00, 0x3c00),
  );
  expect(cast({ type: 'bool', data: Uint8Array.of(0, 1, 2, 255), dims: [4] }, 'bool').data).toEqual(
    Uint8Array.of(0, 1, 1, 1),
  );
  expect(cast(tensor('float32', [0, -0, 1e-45, NaN, -Infinity]), 'bool').data).toEqual(Uint8Array.of(0, 0, 1, 1, 1));
});

test('the names of ONNX, and the classes of data', () => {
  expect(cast(floats(), 'double').type).toBe('float64');
  expect(cast({ ...floats(), type: 'float' }, 'float').type).toBe('float32');
  const clamped = { type: 'uint8', data: Uint8ClampedArray.of(1, 2), dims: [2] };
  expectTensor(cast(clamped, 'uint8'), 'uint8', [2], Uint8Array.of(1, 2));
  expectTensor(cast(clamped, 'int16'), 'int16', [2], Int16Array.of(1, 2));
  const out = new Uint8ClampedArray(2);
  const actual = cast(tensor('int16', [-1, 300]), 'uint8', { out: { type: 'uint8', data: out, dims: [2] } });
  expectTensor(actual, 'uint8', [2], Uint8Array.of(255, 44));
  expect([...out]).toEqual([255, 44]);
  for (const type of typeNames.filter((name) => !name.startsWith('complex') && name !== 'string'))
    expect(cast(tensor('uint8', [1]), type).data.constructor.name).toBe(types[type].array.name);
});

const hasFloat16Array = 'Float16Array' in globalThis;
(hasFloat16Array ? test : test.skip)('float16 in the class that the caller brought', () => {
  const { Float16Array } = globalThis;
  const input = { type: 'float16', data: Float16Array.of(1.5, -2), dims: [2] };
  expect(cast(input, 'float16').data).toEqual(Float16Array.of(1.5, -2));
  expect(cast(input, 'float32').data).toEqual(Float32Array.of(1.5, -2));
  expect(cast(input, 'bfloat16').data.constructor.name).toBe('Uint16Array');
  expect(cast(tensor('float32', [1.5]), 'float16').data.constructor.name).toBe('Uint16Array');
  expect(
    cast(tensor('float32', [1.5]), 'float16', { out: { type: 'float16', data: new Float16Array(1), dims: [1] } }).data,
  ).toEqual(Float16Array.of(1.5));
});

test.each([
  [TypeError, 'float33', `unknown type 'float33', did you mean 'float32'? ${firstTypes}`],
  [TypeError, undefined, 'to must be one of the 28 types of ONNX, got undefined'],
  [TypeError, 10, 'to must be one of the 28 types of ONNX, got 10'],
  [TypeError, 'complex64', 'to complex64 is in no version, got opset 28'],
])('%p for to = %p', (Class, to, rule) => expectError(() => cast(floats(), to), Class, `Cast-28: ${rule}`));

test.each([
  [TypeError, { to: 'float16' }, 'to is given twice'],
  [
    TypeError,
    { roundMode: 'up' },
    "unknown option 'roundMode', did you mean 'round_mode'? Known: saturate, round_mode, to, out, opset, strict",
  ],
  [TypeError, { axis: 0 }, "unknown option 'axis'. Known: saturate, round_mode, to, out, opset, strict"],
  [RangeError, { saturate: 2 }, 'saturate must be 0 or 1, got 2'],
  [TypeError, { saturate: 'yes' }, "saturate must be 0 or 1, got 'yes'"],
  [TypeError, { saturate: null }, 'saturate must be 0 or 1, got null'],
  [RangeError, { round_mode: 'even' }, "round_mode must be 'up', 'down' or 'nearest', got 'even'"],
  [RangeError, { round_mode: 'Up' }, "round_mode must be 'up', 'down' or 'nearest', got 'Up'"],
  [RangeError, { round_mode: '' }, "round_mode must be 'up', 'down' or 'nearest', got ''"],
  [TypeError, { round_mode: 1 }, "round_mode must be 'up', 'down' or 'nearest', got 1"],
  [TypeError, { round_mode: null }, "round_mode must be 'up', 'down' or 'nearest', got null"],
  [TypeError, { round_mode: ['up'] }, "round_mode must be 'up', 'down' or 'nearest', got ['up']"],
])('%p for the options %p', (Class, options, rule) =>
  expectError(() => cast(floats(), 'float8e8m0', options), Class, `Cast-28: ${rule}`),
);

test('what goes for every operator', () => {
  expectErrors({
    'TypeError: Cast-28: input must be a tensor { type, dims, data }, got Array': () => cast([1], 'float16'),
    [`TypeError: Cast-28: unknown type 'float33', did you mean 'float32'? ${firstTypes}`]: () =>
      cast({ ...floats(), type: 'float33' }, 'float16'),
    'RangeError: Cast-28: float32 data of dims [7] has 7 entries, got 6': () =>
      cast({ ...floats(), dims: [7] }, 'float16'),
    'TypeError: Cast: options must be an object, got 5': () => cast(floats(), 'float16', 5),
    'RangeError: Cast: opset must be in [1, 28], got 29': () => cast(floats(), 'float16', { opset: 29 }),
    'TypeError: Cast-28: strict must be true or false, got 0': () => cast(floats(), 'float16', { strict: 0 }),
    'TypeError: Cast-28: type complex64 is in no version, got opset 28': () =>
      cast({ type: 'complex64', data: new Float32Array(2), dims: [1] }, 'float32'),
    'TypeError: Cast-28: string data must hold strings, got 2 at 1': () =>
      cast({ type: 'string', data: ['1', 2], dims: [2] }, 'float32'),
  });
  for (const options of [
    undefined,
    {},
    { saturate: undefined, round_mode: undefined, out: undefined },
    { saturate: 1n, round_mode: 'up', opset: 25n },
  ])
    expect(cast(floats(), 'float8e4m3fn', options).data).toEqual(
      cast(floats(), 'float8e4m3fn', { opset: 28, strict: true }).data,
    );
});

describe('out', () => {
  const out = (type, data, dims = [2, 3]) => ({ type, data, dims });
  refuses('Cast-28', (target) => cast(floats(), 'float16', { out: target }), {
    'TypeError: out type must be float16, got float32': [out('float32', new Float32Array(6))],
    'RangeError: out dims must be [2, 3], got [6]': [out('float16', new Uint16Array(6), [6])],
    'RangeError: float16 data of dims [2, 3] has 6 entries, got 5': [out('float16', new Uint16Array(5))],
    'TypeError: float16 data must be a Uint16Array or Float16Array, got Uint8Array': () =>
      cast(floats(), 'float16', { out: out('float16', new Uint8Array(6)) }),
    'TypeError: out must be a tensor { type, dims, data }, got null': [null],
  });

  test('must not overlap the input, but may stand right beside it', () => {
    const memory = new ArrayBuffer(48);
    const input = { type: 'float32', data: new Float32Array(memory, 0, 6), dims: [2, 3] };
    input.data.set([1, 2, 3, 4, 5, 6]);
    for (const at of [0, 12, 22])
      expectErrors({
        'RangeError: Cast-28: out must not overlap input': () =>
          cast(input, 'float16', { out: out('float16', new Uint16Array(memory, at, 6)) }),
      });
    expect([...input.data]).toEqual([1, 2, 3, 4, 5, 6]);
    const beside = new Uint16Array(memory, 24, 6);
    const actual = cast(input, 'float16', { out: out('float16', beside) });
    expectTensor(actual, 'float16', [2, 3], Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600));
    const strings = ['1', '2'];
    expectErrors({
      'RangeError: Cast-28: out must not overlap input': () =>
        cast({ type: 'string', data: strings, dims: [2] }, 'string', { out: out('string', strings, [2]) }),
    });
  });

  test('strings, too, go where the caller says', () => {
    const target = ['', '', ''];
    const result = cast(tensor('int8', [1, -2, 3]), 'string', { out: out('string', target, [3]) });
    expect(result.data).toBe(target);
    expect(target).toEqual(['1', '-2', '3']);
    const numbers = new Float32Array(3);
    expect(cast(result, 'float32', { out: out('float32', numbers, [3]) }).data).toBe(numbers);
    expect([...numbers]).toEqual([1, -2, 3]);
    const packed = Uint8Array.of(0xff, 0xff);
    cast(result, 'int4', { out: out('int4', packed, [3]) });
    expect([...packed]).toEqual([0xe1, 0x03]);
  });

  test('is left alone by a call that fails', () => {
    const target = new Float32Array(3).fill(7);
    expectErrors({
      "RangeError: Cast-28: data must hold numbers, got 'three' at 2": () =>
        cast(tensor('string', ['1', '2', 'three']), 'float32', { out: out('float32', target, [3]) }),
    });
    expect([...target]).toEqual([7, 7, 7]);
  });
});

test('a copy to the same type has memory of its own', () => {
  for (const type of typeNames.filter((name) => !name.startsWith('complex'))) {
    const data = type === 'string' ? ['any', 'text'] : randomData(type, 6, 1, 8);
    const dims = type === 'string' ? [2] : [6];
    const result = cast({ type, data, dims }, type);
    expect(result).toBeInstanceOf(Tensor);
    expect(result.data === data || (type !== 'string' && result.data.buffer === data.buffer)).toBe(false);
  }
});
