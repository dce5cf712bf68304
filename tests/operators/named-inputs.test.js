/** Inputs by their names: the same call as by place, whether a version calls an input an attribute or not. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import { expectError } from '../support/assertions.js';
import { elementCount } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { legal, namedInputs, run, typeOption } from './calls.js';

const { compose, init, pad, schemas, slice, squeeze, tile, unsqueeze } = layout;

beforeAll(() => init());

const row = { type: 'uint8', data: Uint8Array.of(0, 1, 2, 3), dims: [4] };
const plain = (result) => [result].flat().map(({ type, dims, data }) => ({ type, dims, data }));
const functions = Object.fromEntries(Object.entries(layout).map(([name, call]) => [name.toLowerCase(), call]));

/** Every version of an operator; Tile-1 is for nodes of models alone. */
const versionsOf = (operator) =>
  schemas[operator].map(({ since }) => since).filter((since) => operator !== 'Tile' || since > 1);

describe.each(Object.entries(namedInputs))('%s', (operator, names) => {
  test.each(versionsOf(operator))('%d', (opset) => {
    const { dims, inputs, others, attributes } = legal(operator, opset);
    const type = operator === 'Range' || operator.includes('Quantize') ? 'float32' : 'float64';
    const x = { type: operator === 'DequantizeLinear' ? 'uint8' : type, dims };
    x.data = randomData(x.type, elementCount(dims), 3);
    const given = { ...inputs(x), ...others };
    const bag = { ...attributes, ...typeOption(operator, 'float32'), opset };
    const expected = plain(run[operator](given, bag));
    const call = functions[operator.toLowerCase()];
    const isNamed = ([name]) => names.includes(name);
    const front = Object.entries(given)
      .filter((entry) => !isNamed(entry))
      .map(([, value]) => value);
    // All by name, the bag in the place of the first of them, of the second, and behind them all.
    const all = { ...given, ...bag };
    const named = Object.fromEntries(Object.entries(all).filter(isNamed));
    const rest = Object.fromEntries(Object.entries(all).filter((entry) => !isNamed(entry) && !(entry[0] in given)));
    expect(plain(call(...front, { ...named, ...rest }))).toEqual(expected);
    const places = names.map(() => undefined);
    expect(plain(call(...front, ...places, { ...named, ...rest }))).toEqual(expected);
    expect(plain(call(...front, ...places.map(() => null), { ...named, ...rest }))).toEqual(expected);
    const [first] = names;
    if (!(first in named)) return;
    const { [first]: value, ...behind } = named;
    expect(plain(call(...front, value, { ...behind, ...rest }))).toEqual(expected);
    const since = schemas[operator].findLast((schema) => schema.since <= opset).since;
    const twice = `${operator}-${since}: ${first} is given twice`;
    expectError(() => call(...front, value, { ...named, ...rest }), TypeError, twice);
  });
});

test('a bag is a plain object without dims, and stands last; anything else is the input', () => {
  expect(slice(row, Object.assign(Object.create(null), { starts: [1], ends: [3] })).dims).toEqual([2]);
  const rule = 'axes must be a list of whole numbers or an int64 tensor';
  expectError(() => squeeze(row, 'axes'), TypeError, `Squeeze-25: ${rule}, got 'axes'`);
  for (const axes of [new Set([0]), Promise.resolve([0]), { dims: [1] }])
    expectError(() => squeeze(row, axes), TypeError, 'Squeeze-25: type must be one of the 28 of ONNX, got undefined');
  const bag = { starts: [1], ends: [3] };
  const message = 'Slice-13: type must be one of the 28 of ONNX, got undefined';
  expectError(() => slice(row, bag, undefined, undefined, undefined, { opset: 13 }), TypeError, message);
});

test('compose takes them as the functions do, and no out', () => {
  const composed = () =>
    compose(row)
      .unsqueeze({ axes: [0] })
      .tile({ repeats: [2, 1] })
      .slice([0], { ends: [1] });
  expect(plain(composed().tensor())).toEqual(plain(slice(tile(unsqueeze(row, [0]), [2, 1]), [0], [1])));
  expectError(() => compose(row).squeeze([], { axes: [] }), TypeError, 'Squeeze-25: axes is given twice');
  const message = 'compose: out must be given to tensor(), where all that moves is known';
  expectError(() => compose(row).slice({ starts: [0], ends: [1], out: row }), TypeError, message);
});

test("Pad has the names of its version: Pad-1's paddings, and value before it was an input", () => {
  const float = { type: 'float32', data: Float32Array.of(1), dims: [1] };
  for (const [options, place] of [
    [{ paddings: [1, 0], value: 2, opset: 1 }, 1],
    [{ pads: [1, 0], value: 2, opset: 2 }, 2],
    [{ pads: [1, 0], constant_value: 2, opset: 11 }, 11],
  ]) {
    expect([...pad(float, options).data]).toEqual([2, 1]);
    expect([...pad(float, [1, 0], 2, { opset: place }).data]).toEqual([2, 1]);
  }
});
