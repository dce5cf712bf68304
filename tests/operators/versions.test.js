/** Every version of the operators with every dtype: the type lists, as ONNX's operator changelog has them. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { init, cast, flatten, reshape, transpose, splitToSequence, schemas } from 'onnx-layout';
import { elementCount, types, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError } from '../support/assertions.js';
import { givesType, legal, run, typeOption } from './calls.js';

beforeAll(() => init());

const FLOATS = ['float16', 'float32', 'float64'];
const ALL = [
  ...FLOATS,
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'int8',
  'int16',
  'int32',
  'int64',
  'string',
  'bool',
  'complex64',
  'complex128',
];
const IR4 = [...ALL, 'bfloat16'];
const IR9 = [...IR4, 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz'];
const IR10 = [...IR9, 'uint4', 'int4'];
const IR11 = [...IR10, 'float4e2m1'];
const IR12 = [...IR11, 'float8e8m0'];
const IR13 = [...IR12, 'uint2', 'int2'];
const IR14 = [...IR13, 'float6e2m3', 'float6e3m2'];
const QUANTIZED = ['float32', 'int32'];
const QUANTIZED_19 = [...QUANTIZED, 'float16', 'bfloat16'];
const DEQUANTIZED = ['int8', 'uint8', 'int32'];
const DEQUANTIZED_19 = [...DEQUANTIZED, 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz'];
const DEQUANTIZED_21 = [...DEQUANTIZED_19, 'int16', 'uint16', 'int4', 'uint4'];
const RANGED = ['float32', 'float64', 'int16', 'int32', 'int64'];
const SCATTERED = [
  [11, 12, ALL],
  [13, 15, IR4],
  [16, 17, IR4],
  [18, 28, IR4],
];
const isComplex = (type) => type.startsWith('complex');
const real = (list) => list.filter((type) => !isComplex(type));
const PLAIN = real(ALL).filter((type) => type !== 'string');

// Each version: the opset that brought it, the last opset that still has it, its type list.
const versions = {
  Flatten: [
    [1, 8, FLOATS],
    [9, 10, ALL],
    [11, 12, ALL],
    [13, 20, IR4],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Reshape: [
    [1, 4, FLOATS],
    [5, 12, ALL],
    [13, 13, IR4],
    [14, 18, IR4],
    [19, 20, IR9],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Transpose: [
    [1, 12, ALL],
    [13, 20, IR4],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  SplitToSequence: [
    [11, 23, ALL],
    [24, 28, IR4],
  ],
  Cast: [
    [1, 5, real(ALL).filter((type) => type !== 'string')],
    [6, 8, real(ALL).filter((type) => type !== 'string')],
    [9, 12, real(ALL)],
    [13, 18, real(IR4)],
    [19, 20, real(IR9)],
    [21, 22, real(IR10)],
    [23, 23, real(IR11)],
    [24, 24, real(IR12)],
    [25, 27, real(IR13)],
    [28, 28, real(IR14)],
  ],
  Identity: [
    [1, 12, ALL],
    [13, 13, IR4],
    [14, 15, IR4],
    [16, 18, IR4],
    [19, 20, IR9],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Slice: [
    [1, 9, ALL],
    [10, 10, ALL],
    [11, 12, ALL],
    [13, 28, IR4],
  ],
  Concat: [
    [1, 3, FLOATS],
    [4, 10, ALL],
    [11, 12, ALL],
    [13, 28, IR4],
  ],
  Split: [
    [1, 1, FLOATS],
    [2, 10, ALL],
    [11, 12, ALL],
    [13, 17, IR4],
    [18, 28, IR4],
  ],
  Pad: [
    [1, 1, FLOATS],
    [2, 10, FLOATS],
    [11, 12, real(ALL).filter((type) => type !== 'string' && type !== 'bool')],
    [13, 17, IR4],
    [18, 18, IR4],
    [19, 20, IR4],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Squeeze: [
    [1, 10, ALL],
    [11, 12, ALL],
    [13, 20, IR4],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Unsqueeze: [
    [1, 10, ALL],
    [11, 12, ALL],
    [13, 20, IR4],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Expand: [
    [8, 12, ALL],
    [13, 28, IR4],
  ],
  Tile: [
    [1, 5, FLOATS],
    [6, 12, ALL],
    [13, 28, IR4],
  ],
  DepthToSpace: [
    [1, 10, ALL],
    [11, 12, ALL],
    [13, 27, IR4],
    [28, 28, IR4],
  ],
  SpaceToDepth: [
    [1, 12, ALL],
    [13, 27, IR4],
    [28, 28, IR4],
  ],
  CenterCropPad: [[18, 28, IR4]],
  Gather: [
    [1, 10, ALL],
    [11, 12, ALL],
    [13, 28, IR4],
  ],
  GatherElements: [
    [11, 12, ALL],
    [13, 28, IR4],
  ],
  GatherND: [
    [11, 11, ALL],
    [12, 12, ALL],
    [13, 28, IR4],
  ],
  Where: [
    [9, 15, ALL],
    [16, 28, IR4],
  ],
  ReverseSequence: [
    [10, 27, ALL],
    [28, 28, IR4],
  ],
  Shape: [
    [1, 12, ALL],
    [13, 14, IR4],
    [15, 18, IR4],
    [19, 20, IR9],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  Size: [
    [1, 12, ALL],
    [13, 18, IR4],
    [19, 20, IR9],
    [21, 22, IR10],
    [23, 23, IR11],
    [24, 24, IR12],
    [25, 28, IR13],
  ],
  SequenceConstruct: [[11, 28, ALL]],
  SequenceEmpty: [[11, 28, ALL]],
  SequenceAt: [[11, 28, ALL]],
  SequenceInsert: [[11, 28, ALL]],
  SequenceErase: [[11, 28, ALL]],
  SequenceLength: [[11, 28, ALL]],
  ConcatFromSequence: [[11, 28, ALL]],
  QuantizeLinear: [
    [10, 12, QUANTIZED],
    [13, 18, QUANTIZED],
    [19, 20, QUANTIZED_19],
    [21, 22, QUANTIZED_19],
    [23, 23, QUANTIZED_19],
    [24, 24, QUANTIZED_19],
    [25, 27, QUANTIZED_19],
    [28, 28, QUANTIZED_19],
  ],
  DequantizeLinear: [
    [10, 12, DEQUANTIZED],
    [13, 18, DEQUANTIZED],
    [19, 20, DEQUANTIZED_19],
    [21, 22, DEQUANTIZED_21],
    [23, 23, [...DEQUANTIZED_21, 'float4e2m1']],
    [24, 24, [...DEQUANTIZED_21, 'float4e2m1']],
    [25, 27, [...DEQUANTIZED_21, 'float4e2m1', 'uint2', 'int2']],
    [28, 28, [...DEQUANTIZED_21, 'float4e2m1', 'uint2', 'int2', 'float6e2m3', 'float6e3m2']],
  ],
  DynamicQuantizeLinear: [[11, 28, ['float32']]],
  Compress: [
    [9, 10, ALL],
    [11, 27, ALL],
    [28, 28, IR4],
  ],
  EyeLike: [
    [9, 21, PLAIN],
    [22, 28, [...PLAIN, 'bfloat16']],
  ],
  OneHot: [
    [9, 10, ALL],
    [11, 27, ALL],
    [28, 28, IR4],
  ],
  Range: [
    [11, 26, RANGED],
    [27, 28, [...RANGED, 'float16', 'bfloat16']],
  ],
  ScatterElements: SCATTERED,
  ScatterND: SCATTERED,
  Trilu: [[14, 28, IR4]],
};

/** The opset from which a type is taken: the first version that lists it. */
const firstOpset = (operator, type) => versions[operator].find(([, , list]) => list.includes(type))?.[0];

/** A legal call with a tensor of a type, and the dims of its (first) result. */
function calls(operator, type, options = {}) {
  const { dims, inputs, others, attributes, result } = legal(operator, options.opset);
  const x = { type, data: randomData(type, elementCount(dims), 1), dims };
  const named = { ...attributes, ...typeOption(operator, type), ...options };
  return { call: () => run[operator]({ ...inputs(x), ...others }, named), result };
}

test('there are 28 types and 164 versions', () => {
  expect(typeNames.length).toBe(28);
  expect(Object.values(versions).flat().length).toBe(164);
  expect([FLOATS, ALL, IR4, IR9, IR10, IR11, IR12, IR13, IR14].map((list) => new Set(list).size)).toEqual([
    3, 15, 16, 20, 22, 23, 24, 26, 28,
  ]);
});

test('schemas has a row for each version, by its since_version', () => {
  expect(
    Object.fromEntries(Object.entries(schemas).map(([operator, rows]) => [operator, rows.map(({ since }) => since)])),
  ).toEqual(
    Object.fromEntries(Object.entries(versions).map(([operator, rows]) => [operator, rows.map(([since]) => since)])),
  );
});

/** The types for which an operator has no rule, strict or not. */
const undefinedFor = (operator, type) =>
  (isComplex(type) && operator === 'Cast') ||
  ((isComplex(type) || type === 'string') && operator.endsWith('QuantizeLinear')) ||
  ((isComplex(type) || type === 'string') && ['DequantizeLinear', 'EyeLike', 'Range'].includes(operator)) ||
  (type === 'bool' && operator === 'Range');

for (const [operator, rows] of Object.entries(versions)) {
  describe.each(rows)(`${operator}-%i`, (since, last, list) => {
    test.each(typeNames)('%s', (type) => {
      for (const opset of new Set([since, last])) {
        const expectTaken = (strict) => {
          const { call, result } = calls(operator, type, { opset, ...strict });
          const given = [call()].flat();
          expect([given[0].type, given[0].dims]).toEqual([givesType[operator] ?? type, result]);
        };
        const subject = operator === 'SequenceEmpty' ? 'dtype' : 'type';
        const expectRefused = (rule, strict) =>
          expectError(
            calls(operator, type, { opset, ...strict }).call,
            TypeError,
            `${operator}-${since}: ${subject} ${type} ${rule}, got opset ${opset}`,
          );
        if (list.includes(type)) expectTaken();
        else {
          const needs = firstOpset(operator, type);
          const rule = needs === undefined ? 'is in no version' : `needs opset ${needs}`;
          expectRefused(rule);
          expectRefused(rule, { strict: true });
        }
        if (undefinedFor(operator, type)) expectRefused('is in no version', { strict: false });
        else expectTaken({ strict: false });
      }
    });
  });
}

describe.each(versions.Cast)('Cast-%i from float32', (since, last, list) => {
  test.each(typeNames)('to %s', (type) => {
    const ones = { type: 'float32', data: new Float32Array(6).fill(1), dims: [2, 3] };
    for (const opset of new Set([since, last])) {
      const call = (strict) => () => cast(ones, type, { opset, ...strict });
      const message = isComplex(type)
        ? `Cast-${since}: to ${type} is in no version, got opset ${opset}`
        : `Cast-${since}: to ${type} needs opset ${firstOpset('Cast', type)}, got opset ${opset}`;
      const expectOnes = (result) =>
        expect([result.type, result.dims, result.toArray().map(Number)]).toEqual([type, [2, 3], [1, 1, 1, 1, 1, 1]]);
      if (list.includes(type)) expectOnes(call()());
      else {
        expectError(call(), TypeError, message);
        expectError(call({ strict: true }), TypeError, message);
      }
      if (isComplex(type)) expectError(call({ strict: false }), TypeError, message);
      else expectOnes(call({ strict: false })());
    }
  });
});

test('saturate needs opset 19, round_mode 24', () => {
  for (let opset = 1; opset <= 28; opset++) {
    const { since } = schemas.Cast.findLast((row) => row.since <= opset);
    for (const [attribute, value, needs] of [
      ['saturate', 0, 19],
      ['round_mode', 'down', 24],
    ]) {
      const call = () =>
        cast({ type: 'float32', data: Float32Array.of(1), dims: [] }, 'float16', { opset, [attribute]: value });
      if (opset >= needs) expect(call().type).toBe('float16');
      else expectError(call, TypeError, `Cast-${since}: ${attribute} needs opset ${needs}, got opset ${opset}`);
    }
  }
});

describe('an opset selects the last version that is not newer', () => {
  // An option that no version has: the message names the version.
  const refused = (operator, opset) => calls(operator, 'float32', { bogus: 1, opset }).call();
  for (const [operator, rows] of Object.entries(versions)) {
    test(operator, () => {
      for (let opset = 1; opset <= 28; opset++) {
        const row = rows.find(([since, last]) => since <= opset && opset <= last);
        if (!row) {
          expectError(
            () => refused(operator, opset),
            RangeError,
            `${operator}: first appears in opset ${rows[0][0]}, got opset ${opset}`,
          );
        } else {
          expect(() => refused(operator, opset)).toThrow(new RegExp(`^${operator}-${row[0]}: `));
        }
      }
      const newest = rows.at(-1)[0];
      expect(() => refused(operator, undefined)).toThrow(new RegExp(`^${operator}-${newest}: `));
    });
  }
});

test('the type is reported before anything else that is wrong', () => {
  const int4 = { type: 'int4', data: new Uint8Array(3), dims: [2, 3] };
  expectError(
    () => flatten(int4, { axis: 9, opset: 20 }),
    TypeError,
    'Flatten-13: type int4 needs opset 21, got opset 20',
  );
  expectError(() => reshape(int4, [5], { opset: 20 }), TypeError, 'Reshape-19: type int4 needs opset 21, got opset 20');
  expectError(
    () => transpose(int4, { perm: [0, 0], opset: 20 }),
    TypeError,
    'Transpose-13: type int4 needs opset 21, got opset 20',
  );
  expectError(
    () => splitToSequence(int4, 0, { axis: 7, opset: 20 }),
    TypeError,
    'SplitToSequence-11: type int4 is in no version, got opset 20',
  );
  expectError(
    () => cast(int4, 'float33', { saturate: 7, opset: 20 }),
    TypeError,
    'Cast-19: type int4 needs opset 21, got opset 20',
  );
  const bool = { type: 'bool', data: new Uint8Array(5), dims: [2, 3] };
  expectError(
    () => cast(bool, 'int4', { saturate: 7, opset: 20 }),
    TypeError,
    'Cast-19: to int4 needs opset 21, got opset 20',
  );
});

test('the type tables agree with ONNX on codes, widths and array classes', async () => {
  const { dtypes } = await import('onnx-layout');
  const shape = (code, bits, array) => ({ code, bits, array });
  expect(
    Object.fromEntries(Object.values(dtypes).map(({ name, code, bits, array }) => [name, shape(code, bits, array)])),
  ).toEqual(
    Object.fromEntries(
      typeNames.map((name) => [name, shape(types[name].code, types[name].bits, types[name].array.name)]),
    ),
  );
});
