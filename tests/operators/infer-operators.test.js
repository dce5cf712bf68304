/**
 * inferShape beside the operators: where all dims are known, both give the same dims, or refuse with the same error.
 */
import { test, expect, beforeAll } from '@jest/globals';
import { init, cast, dtypes, inferShape, schemas } from 'onnx-layout';
import { elementCount, typeNames } from '../support/reference.js';
import { below, generator, randomData } from '../support/samples.js';
import { givesInt64, givesSequence, givesType, infersNoShape, legal, run, typeOption } from './calls.js';

beforeAll(() => init());

const known = (dims, type = 'float32') => ({ type, dims });
const shapeOf = (value) => ({ type: 'int64', dims: [value.length], value });
const splitOf = (value) => ({ type: 'int64', dims: Array.isArray(value) ? [value.length] : [], value });

/** The outcome of a call: its result, or the class and the message of what it throws. */
const outcome = (call) => {
  try {
    return call();
  } catch (error) {
    return { class: error.constructor, message: error.message };
  }
};
const tensor = (type, dims) => {
  const data = randomData(type, elementCount(dims), 1);
  // A Cast reads strings as numbers.
  return { type, dims, data: type === 'string' ? data.fill('1') : data };
};

/** The numbers that inference knows. */
const factsOf = (others) => Object.fromEntries(Object.entries(others).map(([name, value]) => [name, splitOf(value)]));

test('every version takes and refuses the types that the operator does, strict or not', () => {
  let refused = 0;
  for (const [op, versions] of Object.entries(schemas))
    for (const { since: opset } of versions) {
      // Tile-1 is for nodes of models alone.
      if (op === 'Tile' && opset === 1) continue;
      for (const type of typeNames)
        for (const strict of [true, false]) {
          const { dims, inputs, others, attributes, inferred: facts } = legal(op, opset);
          const named = op === 'Cast' ? {} : typeOption(op, type);
          const options = { ...attributes, ...named, opset, strict };
          const result = outcome(() => run[op]({ ...inputs(tensor(type, dims)), ...others }, options));
          const inferred = outcome(() => inferShape(op, { ...inputs(known(dims, type)), ...factsOf(others) }, options));
          const shapes = [result]
            .flat()
            .map((own) => ({ type: own.type, dims: infersNoShape(op, opset) ? null : own.dims }));
          if (result.message) {
            refused++;
            expect(inferred).toEqual(result);
          } else if (givesSequence.includes(op)) {
            expect(inferred).toStrictEqual({ type, dims: facts, sequence: true });
          } else if (givesInt64.includes(op)) {
            const value = { Shape: { value: [2, 3] }, Size: { value: 6 } }[op];
            expect(inferred).toStrictEqual({ type: 'int64', dims: result.dims, ...value });
          } else if (['ConcatFromSequence', 'Compress', 'OneHot', 'Range'].includes(op)) {
            expect(inferred).toStrictEqual({ type, dims: facts });
          } else if (op === 'Cast') {
            expect(inferred).toStrictEqual({ type: 'float32', dims });
          } else {
            expect(inferred).toStrictEqual(Array.isArray(result) ? shapes : shapes[0]);
          }
        }
    }
  // Cast refuses complex types even if it is not strict, quantization and EyeLike strings as well, and Range bool.
  const listed = Object.values(schemas)
    .flat()
    .filter(({ operator, since }) => operator !== 'Tile' || since > 1)
    .flatMap((schema) =>
      Object.values(dtypes).filter(({ name, ir, format }) =>
        schema.types ? !schema.types.includes(name) : ir > schema.ir || schema.lacks.includes(format.kind),
      ),
    );
  const quantizing = Object.keys(givesType).flatMap((op) =>
    op.includes('Quant') || op.includes('quant') ? schemas[op] : [],
  );
  const withoutRule = 2 * schemas.Cast.length + 3 * schemas.EyeLike.length + 4 * schemas.Range.length;
  expect(refused).toBe(listed.length + withoutRule + 3 * quantizing.length);
});

test('every Cast version takes and refuses the types to cast to that the operator does', () => {
  for (const { since: opset } of schemas.Cast)
    for (const to of typeNames) {
      const result = outcome(() => cast(tensor('float32', [2]), to, { opset }));
      const inferred = outcome(() => inferShape('Cast', { input: known([2]) }, { to, opset }));
      expect(inferred).toEqual(result.message ? result : { type: to, dims: [2] });
    }
});

test('5,000 seeded calls with known dims give the same dims, or the same error', () => {
  const random = generator(20);
  const pick = (list) => list[below(random, list.length)];
  const extents = (rank, limits) => Array.from({ length: rank }, () => pick(limits));
  const seen = { given: 0, refused: new Set() };
  for (let round = 0; round < 5_000; round++) {
    const op = pick(['Flatten', 'Reshape', 'Transpose', 'SplitToSequence', 'Cast', 'Identity']);
    const opset = pick([undefined, 1 + below(random, 28)]);
    const dims = extents(below(random, 4), [0, 1, 2, 3, 4, 6]);
    const options = { ...(opset && { opset }) };
    const first = op === 'Reshape' || op === 'Transpose' ? 'data' : 'input';
    const given = { [first]: tensor('float32', dims) };
    const facts = { [first]: known(dims) };
    const whole = (value) => pick([value, BigInt(value)]);
    if (op === 'Flatten' && pick([true, false])) options.axis = whole(below(random, 9) - 4);
    if (op === 'Transpose' && pick([true, false])) {
      options.perm = dims.map((_, i) => i).sort(() => random() - 2 ** 31);
      if (below(random, 4) === 0) options.perm.push(below(random, 3) - 1);
    }
    if (op === 'Cast')
      Object.assign(options, {
        to: pick(typeNames),
        ...(pick([true, false]) && { saturate: pick([0, 1, 2, '1']) }),
        ...(pick([true, false]) && { round_mode: pick(['up', 'down', 'odd', 3]) }),
      });
    if (op === 'Reshape') {
      const total = elementCount(dims);
      const factor = pick([1, 2, 3, 6, total || 1]);
      const shape = pick([
        extents(below(random, 4), [-1, 0, 1, 2, 3, 6, -2]),
        [factor, -1],
        [-1, 0],
        [0, -1],
        [0, 0, -1],
        [total],
      ]).map(whole);
      if (below(random, 3) === 0) options.allowzero = pick([0, 1, true, 2, 'yes']);
      if (opset < 5) options.shape = shape;
      if (opset >= 5 || opset === undefined) {
        Object.assign(given, { shape });
        Object.assign(facts, { shape: shapeOf(shape) });
      }
    }
    if (op === 'SplitToSequence') {
      if (pick([true, false])) options.axis = whole(below(random, 7) - 3);
      if (pick([true, false])) options.keepdims = pick([0, 1, false, true, 3]);
      const extent = dims.at(Number(options.axis ?? 0)) ?? 1;
      const cut = below(random, extent + 1);
      const split = pick([
        undefined,
        whole(below(random, 8) - 1),
        [cut, extent - cut],
        extents(below(random, 4), [-1, 0, 1, 2, 3]),
      ]);
      if (split !== undefined) {
        Object.assign(given, { split });
        Object.assign(facts, { split: splitOf(split) });
      }
    }
    const result = outcome(() => run[op](given, options));
    const inferred = outcome(() => inferShape(op, facts, options));
    const shown = [dims, given.shape, given.split, options];
    const plain = (_, value) => (typeof value === 'bigint' ? `${value}n` : value);
    const where = `${op} ${JSON.stringify(shown, plain)}`;
    let expected = { type: result.type, dims: result.dims };
    if (result.message) expected = result;
    else if (op === 'Transpose' && opset < 13 && dims.length === 0) expected.dims = null;
    else if (op === 'SplitToSequence') {
      expected = { type: 'float32', dims: inferred.dims, sequence: true };
      const axis = Number(options.axis ?? 0) + (options.axis < 0 ? dims.length : 0);
      const open = inferred.dims?.indexOf(null) ?? -1;
      // A piece has the inferred dims, but on the one axis where pieces differ, or may.
      const fits = result.every(
        (piece) =>
          piece.dims.length === inferred.dims.length &&
          piece.dims.every((extent, i) => extent === inferred.dims[i] || i === open),
      );
      const differ = new Set(result.map((piece) => piece.dims[axis])).size > 1;
      expect([
        where,
        fits,
        open === -1 || open === axis,
        differ && open !== axis && inferred.dims.length === dims.length,
      ]).toEqual([where, true, true, false]);
    }
    expect([where, inferred]).toEqual([where, expected]);
    if (result.message) seen.refused.add(result.message.replace(/-\d+: |\d+|\[.*\]|\d+ \+.*/g, ''));
    else seen.given++;
  }
  // The calls reach both sides of the rules.
  expect([seen.given > 2000, seen.refused.size > 20]).toEqual([true, true]);
});
