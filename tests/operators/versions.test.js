/** Every version of the operators with every dtype: the type lists, as ONNX has them. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { init, cast, flatten, reshape, transpose, splitToSequence, schemas } from 'onnx-layout';
import { elementCount, types, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectErrors } from '../support/assertions.js';
import { givesType, legal, run, typeOption } from './calls.js';
import { committed, typesOf } from './onnx-extract.js';

beforeAll(() => init());

/** Each version: the opset that brought it, the last opset that still has it, its type list. */
const versions = Object.fromEntries(
  Object.entries(committed.operators).map(([operator, rows]) => [
    operator,
    rows.map((row, i) => [row.since, (rows[i + 1]?.since ?? 29) - 1, typesOf(operator, row)]),
  ]),
);
const isComplex = (type) => type.startsWith('complex');

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
});

test('schemas has a row for each version, by its since_version', () =>
  expect(
    Object.fromEntries(Object.entries(schemas).map(([operator, rows]) => [operator, rows.map(({ since }) => since)])),
  ).toEqual(
    Object.fromEntries(Object.entries(versions).map(([operator, rows]) => [operator, rows.map(([since]) => since)])),
  ));

/** The types for which an operator has no rule, strict or not. */
const undefinedFor = (operator, type) =>
  (isComplex(type) && operator === 'Cast') ||
  ((isComplex(type) || type === 'string') && operator.endsWith('QuantizeLinear')) ||
  ((isComplex(type) || type === 'string') && ['DequantizeLinear', 'EyeLike', 'Range'].includes(operator)) ||
  (type === 'bool' && operator === 'Range');

for (const [operator, rows] of Object.entries(versions)) {
  // Tile-1 is for nodes of models alone: pad/expand.test.js.
  const called = operator === 'Tile' ? rows.slice(1) : rows;
  describe.each(called)(`${operator}-%i`, (since, last, list) => {
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
  for (const [operator, rows] of Object.entries(versions))
    test(operator, () => {
      for (let opset = 1; opset <= 28; opset++) {
        const row = rows.find(([since, last]) => since <= opset && opset <= last);
        if (!row) {
          const message = `${operator}: first appears in opset ${rows[0][0]}, got opset ${opset}`;
          expectError(() => refused(operator, opset), RangeError, message);
        } else {
          expect(() => refused(operator, opset)).toThrow(new RegExp(`^${operator}-${row[0]}: `));
        }
      }
      const newest = rows.at(-1)[0];
      expect(() => refused(operator, undefined)).toThrow(new RegExp(`^${operator}-${newest}: `));
    });
});

test('the type is reported before anything else that is wrong', () => {
  const int4 = { type: 'int4', data: new Uint8Array(3), dims: [2, 3] };
  expectErrors({
    'TypeError: Flatten-13: type int4 needs opset 21, got opset 20': () => flatten(int4, { axis: 9, opset: 20 }),
    'TypeError: Reshape-19: type int4 needs opset 21, got opset 20': () => reshape(int4, [5], { opset: 20 }),
    'TypeError: Transpose-13: type int4 needs opset 21, got opset 20': () =>
      transpose(int4, { perm: [0, 0], opset: 20 }),
    'TypeError: SplitToSequence-11: type int4 is in no version, got opset 20': () =>
      splitToSequence(int4, 0, { axis: 7, opset: 20 }),
    'TypeError: Cast-19: type int4 needs opset 21, got opset 20': () =>
      cast(int4, 'float33', { saturate: 7, opset: 20 }),
  });
  const bool = { type: 'bool', data: new Uint8Array(5), dims: [2, 3] };
  expectErrors({
    'TypeError: Cast-19: to int4 needs opset 21, got opset 20': () => cast(bool, 'int4', { saturate: 7, opset: 20 }),
  });
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
