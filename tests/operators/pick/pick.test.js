/** Compress, Trilu, EyeLike, Range, OneHot, ScatterElements and ScatterND: node tests, random calls, refusals. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { refuses, expectErrors } from '../../support/assertions.js';
import { elementCount, fromCodes, toCodes, types, typeNames } from '../../support/reference.js';
import { below, generator, offsetsOf, randomData } from '../../support/samples.js';
import { bytes, int64 } from '../operands.js';
import { picks } from './pick.reference.js';

beforeAll(() => layout.init());

const { compress, eyeLike, inferShape, oneHot, range, scatterElements, scatterND, trilu } = layout;
const calls = {
  Compress: compress,
  Trilu: trilu,
  EyeLike: eyeLike,
  Range: range,
  OneHot: oneHot,
  ScatterElements: scatterElements,
  ScatterND: scatterND,
};
const oracleTensor = ({ type, dims, data }) => ({ type, dims, codes: toCodes(type, data, elementCount(dims)) });
const seen = ({ type, dims, data }) => [type, [...dims], Array.from(toCodes(type, data, elementCount(dims)))];

/** Compares a call with the oracle, with and without `out`, and its dims with those that are inferred. */
function check(operator, inputs, attributes, opset = 28) {
  const since = layout.schemas[operator].findLast((schema) => schema.since <= opset).since;
  const oracleAttributes = { ...attributes };
  if (attributes.stash_type) oracleAttributes.stash_type = attributes.stash_type === 'float32' ? 1 : 11;
  const wanted = picks[operator](inputs.map(oracleTensor), oracleAttributes, since);
  const options = { ...attributes, opset };
  const result = calls[operator](...inputs, options);
  const expected = [wanted.type, wanted.dims, Array.from(wanted.codes)];
  expect(seen(result)).toEqual(expected);
  const out = { type: wanted.type, dims: wanted.dims, data: randomData(wanted.type, elementCount(wanted.dims), 5) };
  expect(calls[operator](...inputs, { ...options, out }).data).toBe(out.data);
  expect(Array.from(out.data)).toEqual(Array.from(result.data));
  const names = { Compress: ['input', 'condition'], Trilu: ['input', 'k'], EyeLike: ['input'] };
  Object.assign(names, { Range: ['start', 'limit', 'delta'], OneHot: ['indices', 'depth', 'values'] });
  const known = (names[operator] ?? ['data', 'indices', 'updates']).map((name, i) => [
    name,
    inputs[i] && { type: inputs[i].type, dims: inputs[i].dims },
  ]);
  const inferred = inferShape(operator, Object.fromEntries(known), options);
  expect(inferred.type).toBe(wanted.type);
  inferred.dims.forEach((extent, i) => extent === null || expect(extent).toBe(wanted.dims[i]));
}

/** @type {any[]} */
const cases = JSON.parse(readFileSync(new URL('../onnx-node.json', import.meta.url), 'utf8'));

/** @param {[type: string, dims: number[], data: string]} tensor */
function decoded([type, dims, text]) {
  const codes = toCodes(type, Uint8Array.from(Buffer.from(text, 'base64')), elementCount(dims));
  return { type, dims, data: fromCodes(type, codes) };
}

test.each(cases.map((one) => [one.name, one]))('%s, as a call and as a model', (_, one) => {
  const { operator, opset, attributes, inputs, outputs } = one;
  const typed = { ...attributes };
  for (const name of ['dtype', 'stash_type'])
    if (name in typed) typed[name] = typeNames.find((type) => types[type].code === typed[name]);
  const given = inputs.map(decoded);
  const wanted = seen(decoded(outputs[0]));
  const place = operator === 'Trilu' && given.length === 1 ? [undefined] : [];
  expect(seen(calls[operator](...given, ...place, { ...typed, opset }))).toEqual(wanted);
  // A node names types by their codes.
  const names = given.map((__, i) => `x${i}`);
  const node = { name: '', operator, domain: '', inputs: names, outputs: ['y'] };
  const model = {
    opsets: new Map([['', opset]]),
    initializers: new Map(),
    nodes: [{ ...node, attributes: new Map(Object.entries(attributes)) }],
    inputs: names.map((name, i) => ({ name, type: given[i].type, dims: null, sequence: false })),
    outputs: [{ name: 'y' }],
  };
  const feeds = Object.fromEntries(names.map((name, i) => [name, given[i]]));
  expect(seen(runModel(model, feeds).get('y'))).toEqual(wanted);
});

const tensorOf = (random, type, dims) => ({
  type,
  dims,
  data: randomData(type, elementCount(dims), random(), type === 'string' ? 0 : offsetsOf(type).at(-1)),
});
const listed = (operator, type) =>
  layout.schemas[operator].filter(({ since, ir, lacks, types: list }) => {
    const { kind } = layout.dtypes[type].format;
    return since > 0 && (list ? list.includes(type) : layout.dtypes[type].ir <= ir && !lacks.includes(kind));
  });
const dimsOf = (random, least) =>
  Array.from({ length: least + below(random, 3) }, () => [0, 1, 1, 2, 3, 5][below(random, 6)]);
const indicesOf = (random, dims, most) =>
  int64(
    Array.from({ length: elementCount(dims) }, () => below(random, 2 * most) - most),
    dims,
  );
const bool = (random, length) => ({
  type: 'bool',
  dims: [length],
  data: Uint8Array.from({ length }, () => below(random, 2)),
});

describe.each(typeNames)('%s, random calls', (type) => {
  test('Compress', () => {
    const random = generator(1);
    for (const { since } of listed('Compress', type))
      for (let round = 0; round < 12; round++) {
        const dims = dimsOf(random, 1);
        const axis = below(random, dims.length);
        const extent = round % 3 ? dims[axis] : elementCount(dims);
        const signed = since >= 11 && round % 2 ? axis - dims.length : axis;
        const condition = bool(random, Math.max(0, extent - below(random, 2)));
        check('Compress', [tensorOf(random, type, dims), condition], round % 3 ? { axis: signed } : {}, since);
      }
  });

  test('Trilu', () => {
    const random = generator(2);
    for (const { since } of listed('Trilu', type))
      for (let round = 0; round < 20; round++) {
        const k = [undefined, int64([below(random, 9) - 4], []), int64([[2n ** 63n - 1n, -(2n ** 63n)][round % 2]])];
        check(
          'Trilu',
          [tensorOf(random, type, dimsOf(random, 2)), k[round % 3]]
            .filter(Boolean)
            .concat(round % 3 ? [] : [int64([0])]),
          { upper: below(random, 2) },
          since,
        );
      }
  });

  test('EyeLike', () => {
    const random = generator(3);
    for (const { since } of listed('EyeLike', type))
      for (let round = 0; round < 12; round++) {
        const dims = [below(random, 6), below(random, 6)];
        const options = { k: below(random, 13) - 6, ...(round % 2 && { dtype: type }) };
        check('EyeLike', [round % 2 ? bytes(dims) : tensorOf(random, type, dims)], options, since);
      }
  });

  test('OneHot', () => {
    const random = generator(4);
    for (const { since } of listed('OneHot', type))
      for (let round = 0; round < 12; round++) {
        const dims = dimsOf(random, 0);
        const depth = below(random, 5);
        const axis =
          since < 11 ? below(random, dims.length + 2) - 1 : below(random, 2 * dims.length + 2) - dims.length - 1;
        const float = {
          type: 'float32',
          dims,
          data: Float32Array.from(indicesOf(random, dims, 6).data, (x) => Number(x) / 2),
        };
        const indices = round % 2 ? float : indicesOf(random, dims, depth + 2);
        check('OneHot', [indices, int64([depth], round % 3 ? [] : [1]), tensorOf(random, type, [2])], { axis }, since);
      }
  });

  test('ScatterElements and ScatterND', () => {
    const random = generator(5);
    for (const operator of ['ScatterElements', 'ScatterND'])
      for (const { since } of listed(operator, type))
        for (let round = 0; round < 20; round++) {
          const dims = dimsOf(random, 1).map((extent) => extent || 1);
          const data = tensorOf(random, type, dims);
          const isComplex = type.startsWith('complex');
          const names = ['none', 'add', 'mul', ...(since < 18 || isComplex ? [] : ['max', 'min'])];
          const reduction = since < 16 || type === 'string' ? undefined : names[round % names.length];
          const options = reduction ? { reduction } : {};
          if (operator === 'ScatterElements') {
            const axis = below(random, dims.length);
            const shape = dims.map((extent, i) => (i === axis ? below(random, 5) : 1 + below(random, extent)));
            const signed = round % 2 ? axis : axis - dims.length;
            const indices = indicesOf(random, shape, dims[axis]);
            check(operator, [data, indices, tensorOf(random, type, shape)], { axis: signed, ...options }, since);
          } else {
            const length = 1 + below(random, dims.length);
            const shape = [below(random, 4), length];
            const list = Array.from(
              { length: shape[0] * length },
              (_, i) => below(random, 2 * dims[i % length]) - dims[i % length],
            );
            const updates = tensorOf(random, type, [shape[0], ...dims.slice(length)]);
            check(operator, [data, int64(list, shape), updates], options, since);
          }
        }
  });
});

describe('Range', () => {
  test.each(['float32', 'float64', 'int16', 'int32', 'int64', 'float16', 'bfloat16'])('%s', (type) => {
    const random = generator(6);
    const isWhole = type.startsWith('int');
    for (const { since } of listed('Range', type))
      for (let round = 0; round < 30; round++) {
        const numbers = [below(random, 90) - 45, below(random, 90) - 45, (1 + below(random, 9)) * (round % 2 ? 1 : -1)];
        const inputs = numbers.map((n) => {
          const data = new types[type].array(1);
          data[0] = type === 'int64' ? BigInt(n) : isWhole ? n : type.endsWith('16') ? below(random, 0x4400) : n / 7;
          return { type, dims: [], data };
        });
        if (type.endsWith('16') && inputs[2].data[0] < 0x3000) inputs[2].data[0] = 0x3f00;
        const stash = since >= 27 && round % 3 === 0 ? { stash_type: round % 2 ? 'float32' : 'float64' } : {};
        check('Range', inputs, stash, since);
      }
  });

  test('numbers alone: int64 where all are whole', () => {
    expect([...range(0, 5, 2n).data]).toEqual([0n, 2n, 4n]);
    expect([...range(0, 1, 0.25).data]).toEqual([0, 0.25, 0.5, 0.75]);
    expect(range(0, 1, 0.5).type).toBe('float32');
    const { dims } = inferShape('Range', {
      start: { type: 'int64', dims: [], value: 1 },
      limit: { type: 'int64', dims: [1], value: [8n] },
      delta: { type: 'int64', dims: [], value: 3 },
    });
    expect(dims).toEqual([3]);
  });
});

const u8 = bytes([2, 2]);
const pair = bytes([2]);
const text = { type: 'string', dims: [1], data: ['a'] };
const complex = { type: 'complex64', dims: [1], data: new Float32Array(2) };

refuses('Compress-28', {
  'RangeError: condition must have at most 2 entries, got 3': () => compress(u8, bool(generator(1), 3), { axis: 0 }),
  'TypeError: condition must be bool, got uint8': () => compress(u8, pair),
  'TypeError: condition must be 1-D, got rank 2': () => compress(u8, bytes([2, 2], 'bool')),
  'RangeError: input must have at least one axis, got a scalar': () => compress(bytes([]), bytes([1], 'bool')),
});

refuses('Range-27', {
  'RangeError: delta must not be 0, got 0': () => range(0, 1, 0),
  'RangeError: limit must be finite, got Infinity': () => range(0, Infinity, 0.5),
  'TypeError: delta must have the type of limit, int64, got uint8': () =>
    range(0, int64([1]), bytes([1]), { strict: false }),
  'TypeError: stash_type must be float32 or float64, got int8': () => range(0, 1, 1, { stash_type: 'int8' }),
});

refuses('OneHot-28', {
  'RangeError: values must hold off and on, got 4 entries': () => oneHot(int64([1]), 2, bytes([4])),
  'TypeError: values must be 1-D, got rank 2': () => oneHot(int64([1]), 2, u8),
  'RangeError: depth must be at least 0, got -1': () => oneHot(int64([1]), -1, pair),
  'RangeError: axis must be in [-2, 1], got 2': () => oneHot(int64([1]), 1, pair, { axis: 2 }),
});

refuses('ScatterElements-18', scatterElements, {
  'RangeError: updates dims must be [1], got [2]': [pair, [0], pair],
  'RangeError: indices must be in [-2, 1], got 2 at 1': [pair, [0, 2], pair],
  'TypeError: updates must have the type of data, uint8, got bool': [pair, [0, 1], bytes([2], 'bool')],
  'TypeError: reduction add needs other types, got string': [text, [0], text, { reduction: 'add' }],
});

refuses('', {
  'RangeError: Compress-9: axis must be in [0, 1], got -1': () =>
    compress(u8, bytes([2], 'bool'), { axis: -1, opset: 9 }),
  'RangeError: Trilu-14: input must have at least two axes, got rank 1': () => trilu(pair),
  'TypeError: Trilu-14: k must be int64, got uint8': () => trilu(u8, bytes([1])),
  'RangeError: Trilu-14: k must hold one number, got 2': () => trilu(u8, int64([1, 2])),
  'RangeError: EyeLike-22: input must have rank 2, got rank 1': () => eyeLike(pair),
  'TypeError: EyeLike-22: dtype string is in no version, got opset 28': () => eyeLike(u8, { dtype: 'string' }),
  'TypeError: EyeLike-9: dtype bfloat16 needs opset 22, got opset 9': () =>
    eyeLike(u8, { dtype: 'bfloat16', opset: 9 }),
  'TypeError: Range-11: stash_type needs opset 27, got opset 11': () =>
    range(0, 1, 1, { stash_type: 'float32', opset: 11 }),
  'RangeError: OneHot-9: axis must be in [0, 1], got -2': () => oneHot(int64([1]), 1, pair, { axis: -2, opset: 9 }),
  'TypeError: ScatterND-18: reduction max needs other types, got complex64': () =>
    scatterND(complex, [0], { ...complex, dims: [] }, { reduction: 'max' }),
  'RangeError: ScatterND-18: indices must hold tuples of 1 to 2 indices, got 3': () =>
    scatterND(u8, [0, 1, 0], bytes([])),
  "RangeError: ScatterND-16: reduction must be 'none', 'add' or 'mul', got 'max'": () =>
    scatterND(pair, [0], bytes([]), { reduction: 'max', opset: 16 }),
});

test('a refused call writes nothing to out', () => {
  const out = bytes([2]);
  expectErrors({
    'RangeError: ScatterElements-18: indices must be in [-2, 1], got 2 at 1': () =>
      scatterElements(pair, [0, 2], pair, { out }),
  });
  expect([...out.data]).toEqual([1, 2]);
});
