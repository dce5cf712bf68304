/** rearrange and repeat, and their oracle, against what einops made of 500 patterns. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { root } from '../../support/packed.js';
import { elementCount } from '../../support/reference.js';
import * as oracle from './rearrange.reference.js';
import { calls } from '../surgery-names.js';

beforeAll(() => init());

const { rows } = JSON.parse(readFileSync(join(root, 'tests/operators/einops/rearrange-goldens.json'), 'utf8'));

const numbered = (dims) =>
  new Tensor(
    'int32',
    Int32Array.from({ length: elementCount(dims) }, (_, i) => i),
    dims,
  );

/** The result of a call, in the form of the goldens, where each of einops's errors is a RangeError. */
function outcome(call, pattern, lengths, dims) {
  let result;
  try {
    result = call(numbered(dims), pattern, lengths);
  } catch (error) {
    return error.constructor.name;
  }
  expect(result.type).toBe('int32');
  if (result.data.length <= 48) return [result.dims, Array.from(result.data)];
  return [result.dims, createHash('sha256').update(result.data).digest('hex').slice(0, 16)];
}

const differences = (callsByName) =>
  rows.flatMap(([name, pattern, lengths, dims, golden]) => {
    if (!Object.hasOwn(callsByName, name)) return [];
    const expected = typeof golden === 'string' ? 'RangeError' : golden;
    const actual = outcome(callsByName[name], pattern, lengths, dims);
    return JSON.stringify(actual) === JSON.stringify(expected)
      ? []
      : [{ name, pattern, lengths, dims, golden, actual }];
  });

test('there are 500 patterns, of which 151 are errors', () =>
  expect([rows.length, rows.filter((row) => typeof row[4] === 'string').length]).toEqual([500, 151]));

test('the oracle does as einops', () => expect(differences(oracle)).toEqual([]));

test.each(['rearrange', 'repeat'])('%s does as einops', (name) =>
  expect(differences({ [name]: calls[name] })).toEqual([]),
);
