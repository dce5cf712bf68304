/** The memory of results, and `out` of every operator that takes one: gone, too short, or the input's. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, schemas } from 'onnx-layout';
import { expectError } from '../support/assertions.js';
import { byteCount, elementCount, types } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { givesType, legal, run, typeOption } from './calls.js';

beforeAll(() => init());

/** Those that share their input's memory, or have no `out`. */
const without = ['Reshape', 'Flatten', 'Squeeze', 'Unsqueeze', 'Identity', 'Shape', 'Size'];
without.push(...Object.keys(schemas).filter((name) => name.startsWith('Sequence')), 'DynamicQuantizeLinear');
const lists = ['Split', 'SplitToSequence'];
const operators = Object.keys(schemas).filter((name) => !without.includes(name));

const sourceType = (operator) => (operator === 'DequantizeLinear' ? 'uint8' : 'float32');
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

describe.each(operators)('%s', (operator) => {
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
    expectError(
      () => call(outs),
      RangeError,
      `${prefix}: ${type} data of dims [${dims.join(', ')}] has ${length} ${unit}, got 0`,
    );
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
    expectError(
      () => call(outs),
      RangeError,
      `${prefix}: ${last.type} data of dims [${last.dims.join(', ')}] has ${length} ${unit}, got ${length - 1}`,
    );
  });
});
