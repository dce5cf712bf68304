/** The memory of results, and `out` of every operator that takes one: gone, too short, or the input's. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, schemas } from 'onnx-layout';
import { expectError } from '../support/assertions.js';
import { byteCount, elementCount, types } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { givesType, legal, run, typeOption, namedInputs } from './calls.js';

beforeAll(() => init());

/** Those that share their input's memory, or have no `out`. */
const without = ['Reshape', 'Flatten', 'Squeeze', 'Unsqueeze', 'Identity', 'Shape', 'Size'];
without.push(...Object.keys(schemas).filter((name) => name.startsWith('Sequence')), 'DynamicQuantizeLinear');
const lists = ['Split', 'SplitToSequence'];
const operators = Object.keys(schemas).filter((name) => !without.includes(name));

const sourceType = (operator) => (operator === 'DequantizeLinear' ? 'uint8' : 'float32');
const since = (operator) => schemas[operator].at(-1).since;

/** A legal call, with further options or others, and with some inputs in the place of the legal ones. */
function call(operator, options, replaced = {}) {
  const type = sourceType(operator);
  const { dims, inputs, others, attributes } = legal(operator);
  const x = { type, dims, data: randomData(type, elementCount(dims), 3) };
  const isBag = typeof options === 'object' && options !== null;
  const bag = { ...attributes, ...typeOption(operator, 'float32') };
  return run[operator]({ ...inputs(x), ...others, ...replaced }, isBag ? Object.assign(bag, options) : options);
}

describe.each(Object.keys(schemas))('the options of %s', (operator) => {
  const takesOut = !without.includes(operator) || operator === 'DynamicQuantizeLinear';
  const own = [...schemas[operator].at(-1).attributes, ...(namedInputs[operator] ?? [])];
  const names = [...new Set(own), ...(takesOut ? ['out'] : []), 'opset', 'strict'];
  const known = `Known: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;

  test('undefined ones are omitted', () => {
    const shown = JSON.stringify(plain(call(operator, { opset: 28, strict: true })));
    expect(JSON.stringify(plain(call(operator, { opset: undefined, strict: undefined })))).toBe(shown);
    expect(JSON.stringify(plain(call(operator, { opset: 28n })))).toBe(shown);
  });

  test.each([
    [{ bogus: 1 }, 'bogus', '.'],
    [{ opset: 28, surplus: undefined }, 'surplus', '.'],
    [{ Strict: 1 }, 'Strict', ", did you mean 'strict'?"],
    [{ toString: 1 }, 'toString', '.'],
  ])('refuses %j', (options, name, question) => {
    const message = `${operator}-${since(operator)}: unknown option '${name}'${question} ${known}`;
    expectError(() => call(operator, options), TypeError, message);
  });

  test.each([
    ['axis', "'axis'"],
    [null, 'null'],
    [true, 'true'],
    [5, '5'],
  ])('refuses %j in place of the bag', (options, shown) => {
    // Those of Cast stand behind its type.
    if (operator === 'Cast') return;
    const message = `${operator}: options must be an object, got ${shown}`;
    expectError(() => call(operator, options), TypeError, message);
  });

  test.each([
    [RangeError, 0, 'opset must be in [1, 28], got 0'],
    [RangeError, -1, 'opset must be in [1, 28], got -1'],
    [RangeError, 29, 'opset must be in [1, 28], got 29'],
    [RangeError, 1.5, 'opset must be a whole number, got 1.5'],
    [RangeError, NaN, 'opset must be a whole number, got NaN'],
    [TypeError, '13', "opset must be a number or a bigint, got '13'"],
    [TypeError, null, 'opset must be a number or a bigint, got null'],
  ])('%p for opset %p', (Class, opset, rule) => {
    expectError(() => call(operator, { opset }), Class, `${operator}: ${rule}`);
    expectError(() => call(operator, { opset, strict: false }), Class, `${operator}: ${rule}`);
  });

  test.each([
    [0, '0'],
    ['false', "'false'"],
    [null, 'null'],
  ])('refuses strict: %j', (strict, shown) => {
    const message = `${operator}-${since(operator)}: strict must be true or false, got ${shown}`;
    expectError(() => call(operator, { strict }), TypeError, message);
  });

  test('an opset before the first version is refused', () => {
    const [{ since: first }] = schemas[operator];
    if (first === 1) return;
    const message = `${operator}: first appears in opset ${first}, got opset ${first - 1}`;
    expectError(() => call(operator, { opset: first - 1 }), RangeError, message);
  });
});

/** Results without what JSON cannot say. */
const plain = (result) =>
  [result].flat().map(({ type, dims, data }) => ({ type, dims, data: data && Array.from(data, String) }));

/** The inputs of all operators that are lists of int64. */
const lists64 = Object.keys(schemas).flatMap((operator) =>
  Object.entries(legal(operator).others)
    .filter(([, value]) => Array.isArray(value))
    .map(([name, value]) => [operator, name, value]),
);

describe.each(lists64)('%s, input %s', (operator, name, list) => {
  const dims = [list.length];
  test('is the same in every form of a list of int64', () => {
    const expected = plain(call(operator, {}, { [name]: list }));
    const data = BigInt64Array.from(list, BigInt);
    for (const form of [list.map(BigInt), Int32Array.from(list), data, { type: 'int64', dims, data }])
      expect(plain(call(operator, {}, { [name]: form }))).toEqual(expected);
  });

  test('is refused in bytes', () => {
    const given = { type: 'uint8', dims, data: Uint8Array.from(list) };
    let thrown;
    try {
      call(operator, {}, { [name]: given });
    } catch (error) {
      thrown = error;
    }
    const types = ['int64', 'int32 or int64'].map(
      (wanted) => `${operator}-${since(operator)}: ${name} must be ${wanted}, got uint8`,
    );
    expect(thrown).toBeInstanceOf(TypeError);
    expect(types).toContain(thrown.message);
  });
});

const zeros = (type, dims) => {
  const { array } = types[type];
  return { type, dims, data: new array(byteCount(type, elementCount(dims)) / array.BYTES_PER_ELEMENT) };
};

/** A call of the operator with `out`, which is a list of tensors where the results are one. */
function callWith(operator) {
  const type = sourceType(operator);
  const { dims, inputs, others, attributes } = legal(operator);
  const x = { type, dims, data: randomData(type, elementCount(dims), 3) };
  const bag = { ...attributes, ...typeOption(operator, 'float32') };
  const call = (out) => run[operator]({ ...inputs(x), ...others }, { ...bag, ...(out && { out }) });
  const results = [call(undefined)].flat();
  const fresh = () => results.map(({ type: own, dims: extents }) => zeros(own, extents));
  return { x, results, fresh, call: (outs) => call(lists.includes(operator) ? outs : outs?.[0]) };
}

describe.each(operators)('out of %s', (operator) => {
  const prefix = `${operator}-${schemas[operator].at(-1).since}`;

  test('without it, a result is an ordinary ArrayBuffer that can be transferred', () => {
    const { x, call } = callWith(operator);
    const [before, bytes] = [x.data.slice(), [call(undefined)].flat().map(({ data }) => data.slice())];
    [call(undefined)].flat().forEach(({ data }, i) => {
      expect(Object.prototype.toString.call(data.buffer)).toBe('[object ArrayBuffer]');
      const moved = structuredClone(data, { transfer: [data.buffer] });
      expect([[...moved], data.length]).toEqual([[...bytes[i]], 0]);
    });
    expect(x.data).toEqual(before);
    expect([call(undefined)].flat().map(({ data }) => data)).toEqual(bytes);
  });

  test('writes to it', () => {
    const { results, fresh, call } = callWith(operator);
    const outs = fresh();
    const made = [call(outs)].flat();
    made.forEach(({ data }, i) => {
      expect(data).toBe(outs[i].data);
      expect(data).toEqual(results[i].data);
    });
    expect(givesType[operator] ?? 'float32').toBe(made[0].type);
  });

  test('refuses one whose memory is gone, and writes nothing', () => {
    const { fresh, call } = callWith(operator);
    const outs = fresh();
    const { type, dims, data } = outs.at(-1);
    const unit = types[type].array === Uint8Array ? 'bytes' : 'entries';
    const { length } = data;
    structuredClone(data, { transfer: [data.buffer] });
    const message = `${prefix}: ${type} data of dims [${dims.join(', ')}] has ${length} ${unit}, got 0`;
    expectError(() => call(outs), RangeError, message);
    for (const { data: other } of outs.slice(0, -1)) expect(new Set(other)).toEqual(new Set([0]));
  });

  test('refuses one whose memory became shorter', () => {
    const { fresh, call } = callWith(operator);
    const outs = fresh();
    const last = outs.at(-1);
    const Class = types[last.type].array;
    const bytes = last.data.byteLength;
    const buffer = new ArrayBuffer(bytes, { maxByteLength: bytes });
    last.data = new Class(buffer);
    const { length } = last.data;
    buffer.resize(bytes - Class.BYTES_PER_ELEMENT);
    const unit = Class === Uint8Array ? 'bytes' : 'entries';
    const data = `${last.type} data of dims [${last.dims.join(', ')}]`;
    const message = `${prefix}: ${data} has ${length} ${unit}, got ${length - 1}`;
    expectError(() => call(outs), RangeError, message);
  });
});
