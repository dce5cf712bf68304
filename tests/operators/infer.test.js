/**
 * inferShape: ONNX's shape inference, row by row. Without init(): it needs none. infer-operators.test.js holds it
 * against the operators.
 */
import { test, expect, describe } from '@jest/globals';
import { inferShape, schemas, Tensor } from 'onnx-layout';
import { expectError } from '../support/assertions.js';
import { rows } from '../support/tables.js';

const firstTypes = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';

const known = (dims, type = 'float32') => ({ type, dims });
const typeError = (message, ...call) => expectError(() => inferShape(...call), TypeError, message);
const rangeError = (message, ...call) => expectError(() => inferShape(...call), RangeError, message);
const shapeOf = (value, dims = [value.length]) => ({ type: 'int64', dims, value });
const splitOf = (value) => ({ type: 'int64', dims: Array.isArray(value) ? [value.length] : [], value });

test('gives the example of its documentation', () => {
  const shape = { type: 'int64', dims: [3], value: [0, 0, -1] };
  expect(inferShape('Reshape', { data: { type: 'float32', dims: ['N', 'M', 3, 4] }, shape })).toStrictEqual({
    type: 'float32',
    dims: ['N', 'M', 12],
  });
});

describe('Flatten', () => {
  // dims, axis (undefined: omitted), dims of the result
  test.each([
    [[], 0, [1, 1]],
    [[4], 1, [4, 1]],
    [[4], 0, [1, 4]],
    [[4], -1, [1, 4]],
    [[2, 3, 4], undefined, [2, 12]],
    [[2, 3, 4], 3, [24, 1]],
    [[2, 3, 4], -3, [1, 24]],
    [[0, 3], 1, [0, 3]],
    [[0, 3], 0, [1, 0]],
    [[0, 3], 2, [0, 1]],
    [[3, 0, 2], 2, [0, 2]],
    [['N', 3, 4], 1, ['N', 12]],
    [[1, 'N', 1], 2, ['N', 1]],
    [['N', 1, 1], 3, ['N', 1]],
    [[1, 1, 'N'], 0, [1, 'N']],
    [['N', 2], 0, [1, null]],
    [['N', 'N'], 2, [null, 1]],
    [[1, null, 5], 2, [null, 5]],
    [[0, 'S'], 0, [1, null]],
    [['S', 0], 0, [1, null]],
    [['N', null, 2], -1, [null, 2]],
    [[2 ** 40, 2 ** 40, 'N'], 3, [null, 1]],
    [null, 1, null],
    [null, 9, null],
  ])('%j axis %j gives %j', (dims, axis, expected) => {
    for (const opset of [11, 13, 21, 23, 24, 25])
      expect(inferShape('Flatten', { input: known(dims) }, { axis, opset })).toStrictEqual(known(expected));
    if (axis < 0) return;
    for (const opset of [1, 9])
      expect(inferShape('Flatten', { input: known(dims) }, { axis, opset }).dims).toEqual(expected);
  });

  test.each([
    [[], undefined, 28, 'Flatten-25: axis must be in [0, 0], got 1'],
    [[], -1, 28, 'Flatten-25: axis must be in [0, 0], got -1'],
    [[2, 3], 3, 28, 'Flatten-25: axis must be in [-2, 2], got 3'],
    [['N', null], 3, 28, 'Flatten-25: axis must be in [-2, 2], got 3'],
    [['N', 3], -3, 11, 'Flatten-11: axis must be in [-2, 2], got -3'],
    [['N', 3], -1, 10, 'Flatten-9: axis must be in [0, 2], got -1'],
    [['N', 3], -1, 8, 'Flatten-1: axis must be in [0, 2], got -1'],
  ])('refuses %j axis %j at opset %i', (dims, axis, opset, message) => {
    rangeError(message, 'Flatten', { input: known(dims) }, { axis, opset });
  });
});

describe('Reshape with the value of shape known', () => {
  // dims, shape, dims of the result
  test.each([
    ...rows(`
    [1], [], []
    [], [1], [1]
    [], [1, 1], [1, 1]
    [], [-1], [1]
    [2, 3, 4], [0, -1], [2, 12]
    [2, 0, 3], [0, -1], [2, 0]
    [0, 3], [3, -1], [3, 0]
    [0, 3], [-1, 3], [0, 3]
    ["N", "M", 3, 4], [0, 0, -1], ["N", "M", 12]
    ["N", 3, 4], [0, -1], ["N", 12]
    ["N", 3, 4], [-1, 12], [null, 12]
    ["N", 3, 4], [-1, 3, 4], [null, 3, 4]
    [3, "N", 4], [-1, 0, 2], [6, "N", 2]
    [3, "N", 4], [0, 0, -1], [3, "N", 4]
    [3, "N", 4], [0, -1], [3, null]
    [null, 3, 4], [0, -1], [null, 12]
    ["N", null, 6], [0, 0, 2, -1], ["N", null, 2, 3]
    ["N", 0, 3], [0, -1], ["N", 0]
    ["N"], [-1], [null]
    ["N", 3], [0, -1, 3], ["N", 1, 3]
    ["N", 3], [0, 5], ["N", 5]
    ["N", 3], [7, 5], [7, 5]
    null, [2, 3], [2, 3]
    null, [2, -1], [2, null]
    null, [0, 3], [null, 3]
    null, [0, -1], [null, null]
    null, [], []
  `),
    [
      [2 ** 40, 2 ** 40, 'N'],
      [1, -1, 0],
      [1, null, 'N'],
    ],
  ])('%j to %j gives %j', (dims, value, expected) => {
    for (const { since: opset } of schemas.Reshape.slice(1))
      for (const shape of [shapeOf(value), shapeOf(value, null), shapeOf(value, ['K']), shapeOf(value, [null])])
        expect(inferShape('Reshape', { data: known(dims), shape }, { opset })).toStrictEqual(known(expected));
    for (const opset of [1, 4])
      expect(inferShape('Reshape', { data: known(dims) }, { shape: value, opset }).dims).toEqual(expected);
  });

  test.each([
    [[6], [], 'shape [] has 1 elements, data has 6'],
    [[2, 3], [4, 2], 'shape [4, 2] has 8 elements, data has 6'],
    [[0, 3], [3, 0], 'shape [3, 3] has 9 elements, data has 0'],
    [[6], [6, 0], 'shape[1] is 0 but data has rank 1, got [6, 0]'],
    [['N'], [6, 0], 'shape[1] is 0 but data has rank 1, got [6, 0]'],
    [['N', 3], [-1, -1], 'shape must have at most one -1, got [-1, -1]'],
    [null, [-1, 2, -1], 'shape must have at most one -1, got [-1, 2, -1]'],
    [['N', 3], [-2, 3], 'shape entries must be at least -1, got [-2, 3]'],
    [null, [-2, 3], 'shape entries must be at least -1, got [-2, 3]'],
    [[2, 3], [4, -1], 'shape [4, -1] does not divide 6 elements'],
    [['N', 3], [0, 2, -1], 'shape [0, 2, -1] does not divide N * 3 elements'],
    [[null, 3], [0, 2, -1], 'shape [0, 2, -1] does not divide ? * 3 elements'],
    [[0, 3], [0, -1], 'shape cannot have -1 beside a zero extent, got [0, -1]'],
    [[0, 'M', 3], [0, 0, -1], 'shape cannot have -1 beside a zero extent, got [0, 0, -1]'],
    [[2, 3], [2 ** 32, 2 ** 32], 'shape [4294967296, 4294967296] has 18446744073709551616 elements, data has 6'],
  ])('refuses %j to %j', (dims, value, message) => {
    for (const { since: opset } of schemas.Reshape.slice(1))
      rangeError(`Reshape-${opset}: ${message}`, 'Reshape', { data: known(dims), shape: shapeOf(value) }, { opset });
    rangeError(`Reshape-1: ${message}`, 'Reshape', { data: known(dims) }, { shape: value, opset: 3 });
  });

  test.each(
    rows(`
    [0, 3], [3, 0], [3, 0]
    ["N", 3], [0, 3], [0, 3]
    ["N", 3], [3, -1], [3, null]
    [2, 3], [3, -1], [3, 2]
    null, [0, 3], [0, 3]
  `),
  )('allowzero=1: %j to %j gives %j', (dims, value, expected) => {
    expect(
      inferShape('Reshape', { data: known(dims), shape: shapeOf(value) }, { allowzero: 1, opset: 14 }).dims,
    ).toEqual(expected);
  });

  test.each([
    [[2, 3], [0, 3], 'shape [0, 3] has 0 elements, data has 6'],
    [['N', 0, 3], [0, -1], 'shape cannot mix 0 and -1 when allowzero=1, got [0, -1]'],
    [null, [-1, 0], 'shape cannot mix 0 and -1 when allowzero=1, got [-1, 0]'],
  ])('allowzero=1: refuses %j to %j', (dims, value, message) => {
    rangeError(
      `Reshape-14: ${message}`,
      'Reshape',
      { data: known(dims), shape: shapeOf(value) },
      { allowzero: 1, opset: 14 },
    );
  });
});

describe('Reshape with the value of shape known in part, or not', () => {
  // dims, shape, dims of the result from version 14 on
  const rows = [
    [[2, 3], shapeOf(['N', 3]), ['N', 3]],
    [[2, 3], shapeOf([null, 3]), [null, 3]],
    [[2, 3], shapeOf(['N', -1]), ['N', null]],
    [[2, 3], shapeOf([null, -1]), [null, null]],
    [['A', 3], shapeOf([0, 'N', -1]), ['A', 'N', null]],
    [null, shapeOf(['N', 0, 2]), ['N', null, 2]],
    [[2, 3], { type: 'int64', dims: [2] }, [null, null]],
    [[1, 'N'], { type: 'int64', dims: [0] }, []],
    [null, { type: 'int64', dims: [1024] }, Array(1024).fill(null)],
    [[2, 3], { type: 'int64', dims: [1025] }, null],
    [[2, 3], { type: 'int64', dims: ['K'] }, null],
    [[2, 3], { type: 'int64', dims: [null] }, null],
    [[2, 3], { type: 'int64', dims: null }, null],
    [[2, 3], { type: 'int64', dims: [2], value: null }, [null, null]],
    [null, { type: 'int64', dims: null }, null],
  ];
  test.each(rows)('%j to %j', (dims, shape, expected) => {
    for (const opset of [14, 19, 21, 23, 24, 25, 28])
      expect(inferShape('Reshape', { data: known(dims), shape }, { opset })).toStrictEqual(known(expected));
    // Before, a shape counts only where it is constant.
    for (const opset of [5, 13])
      expect(inferShape('Reshape', { data: known(dims), shape }, { opset })).toStrictEqual(known(null));
  });

  test('an empty shape is known without its value', () => {
    const inputs = { data: known([2, 3]), shape: { type: 'int64', dims: [0] } };
    rangeError('Reshape-14: shape [] has 1 elements, data has 6', 'Reshape', inputs, { opset: 14 });
  });

  test.each([
    [['N'], shapeOf(['S', 0]), "shape[1] is 0 but data has rank 1, got ['S', 0]"],
    [['N'], shapeOf([-1, null, -1]), 'shape must have at most one -1, got [-1, null, -1]'],
    [['N'], shapeOf(['S', -2]), "shape entries must be at least -1, got ['S', -2]"],
  ])('refuses %j to %j', (dims, shape, message) => {
    for (const opset of [5, 13, 14, 25])
      rangeError(`Reshape-${opset}: ${message}`, 'Reshape', { data: known(dims), shape }, { opset });
  });

  test('refuses a shape of another type or rank, as the operator does', () => {
    const refuse = (shape, Class, message) =>
      expectError(() => inferShape('Reshape', { data: known(null), shape }), Class, `Reshape-25: ${message}`);
    refuse({ type: 'int32', dims: [2] }, TypeError, 'shape must be int64, got int32');
    refuse({ type: 'int64', dims: [] }, TypeError, 'shape must be 1-D, got rank 0');
    refuse({ type: 'int64', dims: [1, null] }, TypeError, 'shape must be 1-D, got rank 2');
    refuse({ type: 'int64', dims: [3], value: [2, 3] }, RangeError, 'shape value must have dims[0] = 3 entries, got 2');
    refuse({ type: 'int64', dims: [1], value: 6 }, TypeError, 'shape value must be a list, got 6');
    refuse({ type: 'int64', dims: [2], value: [1.5, 'N'] }, RangeError, 'shape must hold whole numbers, got [1.5]');
    refuse(undefined, TypeError, 'shape must be what is known of a tensor { type, dims }, got undefined');
    refuse([2, 3], TypeError, 'shape must be what is known of a tensor { type, dims }, got Array');
  });

  test('Reshape-1 has its shape as an attribute', () => {
    const data = known([6]);
    const both = { data, shape: shapeOf([6]) };
    const input = 'shape is an attribute before opset 5, got it as an input at opset 4';
    typeError(`Reshape-1: ${input}`, 'Reshape', both, { opset: 4 });
    typeError('Reshape-1: shape must be a list of whole numbers, got undefined', 'Reshape', { data }, { opset: 4 });
    const known5 = "Reshape-5: unknown option 'shape'. Known: opset, strict";
    typeError(known5, 'Reshape', both, { opset: 5, shape: [6] });
    const early = 'Reshape-13: allowzero needs opset 14, got opset 13';
    typeError(early, 'Reshape', both, { opset: 13, allowzero: 1 });
    expect(
      inferShape('Reshape', { data: known(['N', 2, 3]) }, { opset: 1, shape: [0n, -1n], consumed_inputs: [0] }).dims,
    ).toEqual(['N', 6]);
  });
});

describe('Transpose', () => {
  test.each([
    ...rows(`
    [2, "N", null], [1, 2, 0], ["N", null, 2]
    [2, 0, 3], [2, 0, 1], [3, 2, 0]
    ["N"], [0], ["N"]
    null, [1, 0], null
  `),
    [[2, 'N', null], undefined, [null, 'N', 2]],
    [['N'], undefined, ['N']],
    [null, undefined, null],
  ])('%j perm %j gives %j', (dims, perm, expected) => {
    for (const { since: opset } of schemas.Transpose)
      expect(inferShape('Transpose', { data: known(dims) }, { perm, opset })).toStrictEqual(known(expected));
  });

  test.each([[undefined], [[]]])(
    'of a scalar, perm %j: Transpose-1 infers nothing, later versions a scalar',
    (perm) => {
      for (const opset of [1, 12])
        expect(inferShape('Transpose', { data: known([]) }, { perm, opset })).toStrictEqual(known(null));
      for (const opset of [13, 21, 23, 24, 25])
        expect(inferShape('Transpose', { data: known([]) }, { perm, opset }).dims).toEqual([]);
    },
  );

  test.each([
    [['N', 3], [], 'perm must be a permutation of [0, 2), got []'],
    [['N', 3], [0], 'perm must be a permutation of [0, 2), got [0]'],
    [['N', 3], [0, 1, 2], 'perm must be a permutation of [0, 2), got [0, 1, 2]'],
    [['N', 3], [-1, 0], 'perm must be a permutation of [0, 2), got [-1, 0]'],
    [['N', 3], [1, 1], 'perm must be a permutation of [0, 2), got [1, 1]'],
    [[], [0], 'perm must be a permutation of [0, 0), got [0]'],
    [null, [1, 1], 'perm must be a permutation of [0, 2), got [1, 1]'],
    [null, [-1, 0], 'perm must be a permutation of [0, 2), got [-1, 0]'],
    [null, [1, 2], 'perm must be a permutation of [0, 2), got [1, 2]'],
  ])('refuses %j perm %j', (dims, perm, message) => {
    for (const { since: opset } of schemas.Transpose)
      rangeError(`Transpose-${opset}: ${message}`, 'Transpose', { data: known(dims) }, { perm, opset });
  });
});

describe('SplitToSequence', () => {
  // dims, split (undefined: omitted), options, dims of the pieces
  test.each([
    [[6, 4], undefined, {}, [1, 4]],
    [[6, 4], undefined, { keepdims: 0 }, [4]],
    [[6, 4], undefined, { keepdims: 0, axis: -1 }, [6]],
    [['N', 4], undefined, {}, [1, 4]],
    [['N', 4], undefined, { keepdims: 0 }, [4]],
    [[null, 'M'], undefined, { axis: -2 }, [1, 'M']],
    [[6, 4], splitOf(4), {}, [null, 4]],
    [[6, 4], splitOf(3), {}, [3, 4]],
    [[6, 4], splitOf(3n), {}, [3, 4]],
    [[6, 4], splitOf(7), {}, [null, 4]],
    [[6, 4], splitOf(1), { keepdims: 0 }, [1, 4]],
    [[6, 4], splitOf(2), { keepdims: 0 }, [2, 4]],
    [[6, 'M'], splitOf(2), {}, [2, 'M']],
    [['N', 4], splitOf(2), {}, [null, 4]],
    [['N', 4], splitOf(2), { axis: 1 }, ['N', 2]],
    [[6, 4], splitOf([3, 3]), {}, [3, 4]],
    [[6, 4], splitOf([6]), {}, [6, 4]],
    [[6, 4], splitOf([2, 4]), {}, [null, 4]],
    [[6, 4], splitOf([0, 6]), {}, [null, 4]],
    [[6, 4], splitOf([3, 3]), { keepdims: 0 }, [3, 4]],
    [['N', 4], splitOf([3, 3]), {}, [null, 4]],
    [[6, 4], splitOf(['S', 3]), {}, [null, 4]],
    [[6, 4], splitOf(['S', 'S']), {}, [null, 4]],
    [[6, 4], splitOf([null, null]), {}, [null, 4]],
    [[6, 4], splitOf('S'), {}, [null, 4]],
    [[6, 4], splitOf(null), {}, [null, 4]],
    [[6, 4], { type: 'int32', dims: [] }, {}, [null, 4]],
    [[6, 4], { type: 'int64', dims: [2] }, {}, [null, 4]],
    [[6, 4], { type: 'int64', dims: ['K'] }, {}, [null, 4]],
    [[6, 4], { type: 'int64', dims: null }, {}, [null, 4]],
    [[6, 4], { type: 'int64', dims: null, value: 2 }, {}, [2, 4]],
    [[6, 4], { type: 'int64', dims: null, value: [2, 2, 2] }, {}, [2, 4]],
    [[0, 4], undefined, {}, [1, 4]],
    [[0, 4], splitOf(2), {}, [2, 4]],
    [[0, 4], splitOf([0, 0]), {}, [null, 4]],
    [[0, 4], splitOf(2n ** 60n), {}, [null, 4]],
    [null, undefined, {}, null],
    [null, undefined, { keepdims: 0, axis: 5 }, null],
    [null, splitOf([1, 2]), {}, null],
  ])('%j split %p %j gives %j', (dims, split, options, expected) => {
    for (const opset of [11, 24]) {
      const inferred = inferShape('SplitToSequence', { input: known(dims), split }, { ...options, opset });
      expect(inferred).toStrictEqual({ ...known(expected), sequence: true });
    }
    if (!split)
      expect(inferShape('SplitToSequence', { input: known(dims), split: null }, options).dims).toEqual(expected);
  });

  test.each([
    [[], undefined, {}, RangeError, 'input must have at least one axis, got a scalar'],
    [['N', 4], undefined, { axis: 2 }, RangeError, 'axis must be in [-2, 1], got 2'],
    [['N', 4], undefined, { axis: -3 }, RangeError, 'axis must be in [-2, 1], got -3'],
    [['N', 4], splitOf(0), {}, RangeError, 'split must be at least 1, got 0'],
    [null, splitOf(-1), {}, RangeError, 'split must be at least 1, got -1'],
    [[6, 4], splitOf([2]), {}, RangeError, 'split must sum to dims[0] = 6, got [2], which sum to 2'],
    [[6, 4], splitOf([2, 2]), {}, RangeError, 'split must sum to dims[0] = 6, got [2, 2], which sum to 4'],
    [[6, 4], splitOf([-1, 7]), {}, RangeError, 'split entries must be at least 0, got [-1, 7]'],
    [null, splitOf([-1, 'S']), {}, RangeError, "split entries must be at least 0, got [-1, 'S']"],
    [['N', 4], splitOf([]), {}, RangeError, 'split must not be empty, got []'],
    [['N', 4], { type: 'int32', dims: [0] }, {}, RangeError, 'split must not be empty, got []'],
    [[2000000], undefined, {}, RangeError, 'split must give at most 1000000 pieces, got 2000000'],
    [['N', 4], { type: 'int64', dims: [1, 2] }, {}, TypeError, 'split must be a scalar or 1-D, got rank 2'],
    [['N', 4], shapeOf([3, 3], [1, 2]), {}, RangeError, 'split value must have dims[0] = 1 entries, got 2'],
    [['N', 4], { type: 'float32', dims: [] }, {}, TypeError, 'split must be int32 or int64, got float32'],
    [['N', 4], { type: 'int64', dims: [2], value: 3 }, {}, TypeError, 'split value must be a list, got 3'],
    [['N', 4], { type: 'int64', dims: [], value: [3] }, {}, TypeError, 'split value must be a number, got [3]'],
    [['N', 4], shapeOf([3], [2]), {}, RangeError, 'split value must have dims[0] = 2 entries, got 1'],
    [['N', 4], undefined, { keepdims: 2 }, RangeError, 'keepdims must be 0 or 1, got 2'],
  ])('refuses %j split %p %j', (dims, split, options, Class, message) => {
    for (const opset of [11, 24])
      expectError(
        () => inferShape('SplitToSequence', { input: known(dims), split }, { ...options, opset }),
        Class,
        `SplitToSequence-${opset}: ${message}`,
      );
  });
});

describe('Cast', () => {
  test.each([[[]], [[0, 2]], [['N', null, 3]], [null]])('of %j keeps the dims and takes the type', (dims) => {
    expect(inferShape('Cast', { input: known(dims) }, { to: 'float16' })).toStrictEqual({ type: 'float16', dims });
    const options = { to: 'double', saturate: 0, round_mode: 'down' };
    expect(inferShape('Cast', { input: known(dims) }, options)).toStrictEqual(known(dims, 'float64'));
  });

  test('gives dims of its own', () => {
    const dims = ['N'];
    expect(inferShape('Cast', { input: known(dims) }, { to: 'bool' }).dims).not.toBe(dims);
  });
});

describe('what is no call', () => {
  const input = known([2]);

  test('another operator', () => {
    const names =
      'Cast, CenterCropPad, Compress, Concat, ConcatFromSequence, DepthToSpace, ' +
      'DequantizeLinear, DynamicQuantizeLinear, …';
    typeError(`inferShape: unknown operator 'Relu'. Known: ${names}`, 'Relu', {});
    typeError(`inferShape: unknown operator 'Transpos', did you mean 'Transpose'? Known: ${names}`, 'Transpos', {});
    typeError(`inferShape: unknown operator 'reshape', did you mean 'Reshape'? Known: ${names}`, 'reshape', {});
    typeError(`inferShape: unknown operator 'toString'. Known: ${names}`, 'toString', {});
    typeError(`inferShape: unknown operator '__proto__'. Known: ${names}`, '__proto__', {});
    typeError(`inferShape: op must be the name of an operator, got undefined`, undefined, {});
    typeError(`inferShape: op must be the name of an operator, got ['Flatten']`, ['Flatten'], {});
  });

  test('inputs of another name, of another kind, or missing', () => {
    typeError('Flatten-25: inputs must be an object, got undefined', 'Flatten');
    typeError('Flatten-25: inputs must be an object, got null', 'Flatten', null);
    typeError("Flatten-25: unknown input 'data'. Known: input", 'Flatten', { data: input });
    typeError("Flatten-25: unknown input 'shape'. Known: input", 'Flatten', { input, shape: input });
    typeError("Transpose-25: unknown input 'perm'. Known: data", 'Transpose', { data: input, perm: input });
    const rule = 'must be what is known of a tensor { type, dims }, got';
    for (const op of ['Flatten', 'SplitToSequence', 'Cast'])
      typeError(`${op}-${schemas[op].at(-1).since}: input ${rule} undefined`, op, {});
    for (const op of ['Reshape', 'Transpose']) typeError(`${op}-25: data ${rule} null`, op, { data: null });
    typeError(`Flatten-25: input ${rule} Array`, 'Flatten', { input: [2] });
    // The first version of Tile has other inputs.
    const tile = { input, tiles: known([]), axis: known([]) };
    expect(inferShape('Tile', tile, { opset: 5 }).dims).toBe(null);
    typeError("Tile-13: unknown input 'tiles'. Known: input, repeats", 'Tile', tile);
  });

  test('dims that no tensor has', () => {
    const types = (message, wrong) => typeError(`Flatten-25: ${message}`, 'Flatten', { input: wrong });
    const ranges = (message, dims) => rangeError(`Flatten-25: ${message}`, 'Flatten', { input: known(dims) });
    types('dims must be an array, got undefined', { type: 'uint8' });
    types('dims must hold whole numbers, got [undefined]', known(['N', undefined]));
    ranges('dims must hold whole numbers, got [1.5]', [1.5, null]);
    ranges("dims must hold whole numbers from 0 to 9007199254740991, got ['N', -1]", ['N', -1]);
    ranges('dims must hold whole numbers from 0 to 9007199254740991, got [1152921504606846976, 0]', [2n ** 60n, 0]);
    ranges('dims must have at most 64 entries, got 65', Array(65).fill(null));
    const elements = 'dims must have at most 9007199254740991 elements, got [1099511627776, 1099511627776]';
    ranges(elements, [2 ** 40, 2 ** 40]);
    types(`unknown type 'int5', did you mean 'int8'? ${firstTypes}`, known([], 'int5'));
  });

  test('pieces of Split whose number or sizes are not known', () => {
    const inputs = { input: known([4]), split: known([2]) };
    const rule = 'outputs must be given where split is not known, got undefined';
    rangeError(`Split-1: ${rule}`, 'Split', inputs, { opset: 1 });
    typeError('Split-1: split is given twice', 'Split', inputs, { opset: 1, split: [1, 3] });
    expect(inferShape('Split', inputs, { opset: 1, outputs: 2 })).toStrictEqual([known(null), known(null)]);
  });

  test('options that the operator does not have', () => {
    typeError('Flatten: options must be an object, got 3', 'Flatten', { input }, 3);
    typeError("Flatten-25: unknown option 'perm'. Known: axis, opset, strict", 'Flatten', { input }, { perm: [0] });
    for (const [name, options] of Object.entries({ out: { out: input }, to: { to: 'bool' } })) {
      const message = `Transpose-25: unknown option '${name}'. Known: perm, opset, strict`;
      typeError(message, 'Transpose', { data: input }, options);
    }
    const ofCast = "Cast-28: unknown option 'axis'. Known: saturate, round_mode, to, opset, strict";
    typeError(ofCast, 'Cast', { input }, { to: 'bool', axis: 1 });
    typeError('Cast-28: to must be one of the 28 types of ONNX, got undefined', 'Cast', { input });
    rangeError('Cast: opset must be in [1, 28], got 29', 'Cast', { input }, { to: 'bool', opset: 29 });
    rangeError('SplitToSequence: first appears in opset 11, got opset 10', 'SplitToSequence', { input }, { opset: 10 });
  });
});

test('takes a Tensor for what is known, and aliases of types', () => {
  const input = new Tensor('int4', Uint8Array.of(1), [1, 2]);
  expect(inferShape('Flatten', { input })).toStrictEqual(known([1, 2], 'int4'));
  expect(inferShape('Flatten', { input: known([1, 2], 'double') }).type).toBe('float64');
});
