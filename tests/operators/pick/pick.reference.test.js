/** The oracle of places and indices against ONNX's own node tests. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { elementCount, toCodes, types, typeNames } from '../../support/reference.js';
import { picks } from './pick.reference.js';

/** @type {any[]} */
const cases = JSON.parse(readFileSync(new URL('../onnx-node.json', import.meta.url), 'utf8'));
const nameOf = (/** @type {number} */ code) => typeNames.find((name) => types[name].code === code);

/** @type {(tensor: [type: string, dims: number[], data: string]) => { type: string, dims: number[], codes: any }} */
const read = ([type, dims, data]) => ({
  type,
  dims,
  codes: toCodes(type, Uint8Array.from(Buffer.from(data, 'base64')), elementCount(dims)),
});

test.each(cases.map((one) => [one.name, one]))('%s', (_, { operator, opset, attributes, inputs, outputs }) => {
  const { dtype, ...others } = attributes;
  const bag = dtype === undefined ? others : { ...others, dtype: nameOf(dtype) };
  const result = picks[operator](inputs.map(read), bag, opset);
  const wanted = read(outputs[0]);
  expect([result.type, result.dims, Array.from(result.codes)]).toEqual([
    wanted.type,
    wanted.dims,
    Array.from(wanted.codes),
  ]);
});

test('every operator has some', () =>
  expect(new Set(cases.map(({ operator }) => operator))).toEqual(new Set(Object.keys(picks))));
