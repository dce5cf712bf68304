/** ONNX's own node tests of the operators, byte for byte, each at the opset of its model. */
import { test, expect, describe, beforeAll } from '@jest/globals';
import { init, Tensor, cast, flatten, reshape, transpose, splitToSequence } from 'onnx-layout';
import { float6Tables, nodeTestNames, readNodeTest } from '../support/onnx-data.js';
import { expectSequence, expectTensor } from '../support/assertions.js';
import { codeOf, isNaNCode } from './cast.reference.js';
import { elementCount, fromCodes, toCodes, typeNames, types } from '../support/reference.js';

beforeAll(() => init());

const operators = {
  Flatten: ([input], attributes) => flatten(input, attributes),
  Reshape: ([data, shape], attributes) => reshape(data, shape, attributes),
  Transpose: ([data], attributes) => transpose(data, attributes),
  SplitToSequence: ([input, split], attributes) => splitToSequence(input, split, attributes),
  Cast: ([input], { to, ...attributes }) =>
    withOneNaN(
      cast(
        input,
        typeNames.find((type) => types[type].code === to),
        attributes,
      ),
    ),
};

/** ONNX asks that a NaN be one, not for its bits: the same tensor with one code in place of every NaN. */
function withOneNaN({ type, dims, data }) {
  const codes = toCodes(type, data, elementCount(dims));
  return new Tensor(
    type,
    fromCodes(
      type,
      codes.map((code) => (isNaNCode(type, code) ? codeOf(type, NaN) : code)),
    ),
    dims,
  );
}

/** Runs one node test at the opset of its model, or at another one, and compares the bytes. */
function check(name, earlier) {
  const {
    opset,
    operator,
    attributes,
    inputs,
    outputs: [expected],
  } = readNodeTest(name);
  const result = operators[operator](inputs, { ...attributes, opset: earlier ?? opset });
  if (Array.isArray(expected)) {
    expectSequence(
      result,
      inputs[0].type,
      expected.map(({ dims, data }) => [dims, data]),
      name,
    );
  } else {
    const { data } = operator === 'Cast' ? withOneNaN(expected) : expected;
    expectTensor(result, expected.type, expected.dims, data, name);
  }
  return opset;
}

describe("ONNX's own node tests", () => {
  const names = nodeTestNames(/^test_(flatten|reshape|transpose|split_to_sequence|cast)_/);

  test('there are 89 of them', () => expect(names.length).toBe(89));

  test.each(names)('%s', (name) => void check(name));

  test.each(nodeTestNames(/^test_cast_/))('%s at opset 25', (name) => expect(check(name, 25)).toBe(28));

  test('test_identity: a tensor read is the tensor written', () => {
    const {
      inputs: [input],
      outputs: [output],
    } = readNodeTest('test_identity');
    expect(input.dims).toEqual([1, 1, 2, 2]);
    expectTensor(new Tensor(input.type, input.data, input.dims), output.type, output.dims, output.data);
  });

  test('test_identity_sequence: a sequence read is the sequence written', () => {
    const {
      inputs: [input],
      outputs: [output],
    } = readNodeTest('test_identity_sequence');
    expect(input.length).toBe(2);
    expect(output.length).toBe(2);
    input.forEach(({ type, data, dims }, i) =>
      expectTensor(new Tensor(type, data, dims), output[i].type, output[i].dims, output[i].data),
    );
  });
});

describe('casts to and from float6', () => {
  const names = nodeTestNames(/^made_cast_/);

  test('there are 94 of them', () => expect(names.length).toBe(94));

  test.each(names)('%s', (name) => expect(check(name)).toBe(28));

  /** Codes of a type from hexadecimal digits without separators: two digits up to 8 bits. */
  const codesOf = (type, text) => {
    const digits = Math.max(types[type].bits / 4, 2);
    const codes = text.match(new RegExp(`.{${digits}}`, 'g')) ?? [];
    return codes.map((code) => (digits > 8 ? BigInt(`0x${code}`) : parseInt(code, 16)));
  };
  const castCodes = (from, codes, to, options) => {
    const result = cast({ type: from, data: fromCodes(from, codes), dims: [codes.length] }, to, options);
    return Array.from(toCodes(to, withOneNaN(result).data, codes.length));
  };
  const isNaNOr = (type, codes) => codes.map((code) => (isNaNCode(type, code) ? codeOf(type, NaN) : code));
  const { decode, encode, from } = float6Tables();
  let checked = 0;

  test.each(Object.keys(encode))('the table of %s to float6, whatever saturate is', (source) => {
    const codes = codesOf(source, encode[source].in);
    for (const target of ['float6e2m3', 'float6e3m2'].filter((name) => encode[source][name])) {
      const expected = codesOf(target, encode[source][target]);
      // Many at a time take other steps than few.
      const many = Array.from({ length: 1500 }, (_, i) => codes[i % codes.length]);
      for (const saturate of [0, 1]) {
        expect([target, castCodes(source, codes, target, { saturate })]).toEqual([target, expected]);
        expect([target, castCodes(source, many, target, { saturate }).slice(0, codes.length)]).toEqual([
          target,
          expected.slice(0, 1500),
        ]);
      }
      checked += codes.length;
    }
  });

  test.each(Object.keys(from))('the tables of all codes of %s', (source) => {
    const codes = Array.from({ length: 64 }, (_, code) => code);
    const many = Array.from({ length: 24 }, () => codes).flat();
    const compare = (target, text, options) => {
      const expected = isNaNOr(target, codesOf(target, text));
      expect([target, options, castCodes(source, codes, target, options)]).toEqual([target, options, expected]);
      expect([target, options, castCodes(source, many, target, options).slice(-64)]).toEqual([
        target,
        options,
        expected,
      ]);
      checked += 64;
    };
    expect(from[source].float32).toBe(decode[source]);
    for (const [target, text] of Object.entries(from[source])) {
      if (typeof text === 'string') compare(target, text);
      else
        for (const [rules, codesText] of Object.entries(text)) {
          const [round_mode, saturate] = rules.split(' ');
          compare(target, codesText, { round_mode, saturate: Number(saturate) });
        }
    }
  });

  test('the tables have 16,242 codes', () => expect(checked).toBe(16_242));
});
