/** Messages about a misspelt name: the one that was probably meant, and the known ones. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { imageToTensor, init, tensorToImage } from 'onnx-layout/image';
import { readNpy } from 'onnx-layout/io';
import { named, unknownName } from '../../js/arguments/errors.js';
import { nearest, nearestNames } from '../../js/arguments/nearest.js';
import { expectError, refuses } from '../support/assertions.js';

beforeAll(() => init());

describe('the nearest name', () => {
  test.each([
    ['a letter missing', 'heght', 'height'],
    ['a letter too many', 'heighth', 'height'],
    ['a wrong letter', 'heigjt', 'height'],
    ['two letters swapped', 'heigth', 'height'],
    ['two errors of seven letters', 'hieghth', 'height'],
    ['another case', 'HEIGHT', 'height'],
    ['another case than the known name has', 'nchw', 'NCHW'],
    ['another case and an error', 'roundMode', 'round_mode'],
    ['one error of two letters', 'tp', 'to'],
    ['the first of two that are as near', 'float', 'float1'],
    ['the nearer one, though it comes later', 'float22', 'float2'],
  ])('forgives %s: %s is %s', (_, name, meant) => {
    const known = ['height', 'round_mode', 'to', 'float1', 'float2', 'NCHW'];
    expect([nearest(name, known), ...nearestNames(name, known, 1)]).toEqual([meant, meant]);
  });

  test.each([
    ['two errors of five letters', 'hegth', ['eight']],
    ['three errors of six letters', 'hxxxht', ['height']],
    ['a name without letters', '', ['a', 'to']],
    ['a name of one letter', 'b', ['a']],
    ['the beginning of a long name', 'perm', ['permutation']],
    ['a letter that would be changed twice', 'caxxxx', ['abcxxxx']],
    ['anything, where no name is known,', 'perm', []],
  ])('does not forgive %s: %s', (_, name, known) => expect(nearest(name, known)).toBe(undefined));

  test('is found at once for a name of megabytes', () => {
    const long = 'x'.repeat(5e6);
    const start = performance.now();
    for (let i = 0; i < 1000; i++) nearest(long, ['height', 'x'.repeat(100)]);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('the message', () => {
  const known = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  test.each([
    ['onw', known.slice(0, 8), "'onw', did you mean 'one'? Known: one, two, three, four, five, six, seven, eight"],
    ['wto', known, "'wto', did you mean 'two'? Known: one, two, three, four, five, six, seven, eight, …"],
    ['nime', known, "'nime', did you mean 'nine'? Known: one, two, three, four, five, six, seven, eight, …"],
    ['color', ['one'], "'color'. Known: one"],
    ['x'.repeat(61), ['one'], `'${'x'.repeat(60)}…'. Known: one`],
    [Symbol('one'), ['one'], 'Symbol(one). Known: one'],
    [{ toString: () => 'one' }, ['one'], 'an object. Known: one'],
    [1, ['1'], '1. Known: 1'],
    [[[[1]]], ['one'], '[[Array]]. Known: one'],
  ])('for %p of %j', (name, names, text) => {
    const message = `call: unknown option ${text}`;
    expectError(() => named('call', () => unknownName('option', name, names)), TypeError, message);
  });
});

describe('functions that are not operators name their options', () => {
  const image = { data: new Uint8Array(3), width: 1, height: 1 };
  const ofImages = 'Known: layout, channels, dtype, preset, scale, mean, std, out, …';
  refuses('', {
    [`TypeError: imageToTensor: unknown option 'heigth', did you mean 'height'? ${ofImages}`]: () =>
      imageToTensor(image, { heigth: 2 }),
    [`TypeError: imageToTensor: unknown option 'colors'. ${ofImages}`]: () => imageToTensor(image, { colors: 'RGB' }),
    ["TypeError: tensorToImage: unknown option 'chanels', did you mean 'channels'? Known: layout, " +
    'channels, preset, scale, mean, std']: () => tensorToImage(null, { chanels: 'BGR' }),
    "TypeError: readNpy: unknown option 'Dtype', did you mean 'dtype'? Known: dtype": () =>
      readNpy(null, { Dtype: 'int4' }),
  });

  test('init', async () =>
    await expect(init({ wsm: null })).rejects.toThrow(
      new TypeError("init: unknown option 'wsm', did you mean 'wasm'? Known: wasm"),
    ));
});

test.each([
  ['flaot32', ", did you mean 'float32'?"],
  ['Float32', ", did you mean 'float32'?"],
  ['int5', ", did you mean 'int8'?"],
  ['bfloat', ", did you mean 'float'?"],
  ['doubel', ", did you mean 'double'?"],
  ['half', '.'],
  ['__proto__', '.'],
  ['', '.'],
])("a tensor of type '%s'", (type, question) => {
  const all = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';
  expectError(() => new Tensor(type, [], []), TypeError, `Tensor: unknown type '${type}'${question} ${all}`);
});
