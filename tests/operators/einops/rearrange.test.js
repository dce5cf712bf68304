/** rearrange and repeat: what they give and refuse. rearrange-goldens.test.js has what einops makes of 500 patterns. */
import { beforeAll, expect, test } from '@jest/globals';
import { init, rearrange, repeat } from 'onnx-layout';
import { expectError, gives, leavesOut, refuses } from '../../support/assertions.js';
import { bytes, largest, smallest, strings } from '../operands.js';

beforeAll(() => init());

gives({
  'uint8 [3, 2] 1 4 2 5 3 6': [
    () => rearrange(bytes([2, 3]), 'h w -> w h'),
    () => rearrange(bytes([6]), '(h w) -> w h', { h: 2n }),
  ],
  'uint8 [3, 2, 1] 1 4 2 5 3 6': () => rearrange(bytes([2, 3]), 'a ... -> ... a 1'),
  'uint8 [] 1': () => rearrange(bytes([]), '->'),
  'uint8 [1] 1': () => rearrange(bytes([]), ' -> 1'),
  'uint8 [1, 2] 1 2': [() => rearrange(bytes([2]), 'a -> () a', null), () => repeat(bytes([2, 1]), 'a 1 -> 1 a')],
  'uint8 [3, 0]': () => rearrange(bytes([0]), '(h w) -> h w', { h: 3 }),
  'uint8 [1099511627776, 1099511627776, 0]': () =>
    rearrange(bytes([0]), '(a b c) -> a b c', { a: 2 ** 40, b: 2 ** 40 }),
  'uint8 [2, 2] 1 3 2 4': () => rearrange(bytes([2, 2]), 'é b->b é'),
  'uint8 [2, 4] 1 1 2 2 1 1 2 2': () => repeat(bytes([2]), 'w -> 2 (w n)', { n: 2 }),
  'uint8 [0, 2]': () => repeat(bytes([2]), 'w -> n w', { n: 0 }),
  'uint8 [3] 1 1 1': () => repeat(bytes([]), ' -> 3'),
  "string [1, 2] 'a' 'a'": () => repeat(strings(['a']), 'a -> a 2'),
});

refuses('rearrange', rearrange, {
  'TypeError: pattern must be a string, got 5': [bytes([2]), 5],
  'TypeError: pattern must be a string, got undefined': [bytes([2])],
  "RangeError: pattern must have one '->', got 'a b'": [bytes([2, 2]), 'a b'],
  "RangeError: pattern must have one '->', got 'a -> b -> c'": [bytes([2, 2]), 'a -> b -> c'],
  "RangeError: pattern must have one '->', got 'a - > a'": [bytes([2, 2]), 'a - > a'],
  "RangeError: pattern must have 'b' on both sides, got 'a b -> a'": [bytes([2, 2]), 'a b -> a'],
  "RangeError: pattern must have 'b' on both sides, got 'a -> a b'": [bytes([2, 2]), 'a -> a b'],
  "RangeError: pattern must have 'a' once a side, got 'a a -> a'": [bytes([2, 2]), 'a a -> a'],
  "RangeError: pattern must have '...' on both sides, got 'a -> a ...'": [bytes([2, 2]), 'a -> a ...'],
  "RangeError: pattern must have '...' on both sides, got 'a ... -> a'": [bytes([2, 2]), 'a ... -> a'],
  "RangeError: pattern must have '...' once a side, got '... ... -> ...'": [bytes([2, 2]), '... ... -> ...'],
  "RangeError: pattern must have no ellipsis in brackets on the left, got '(...) a -> ... a'": () =>
    rearrange(bytes([2, 2]), '(...) a -> ... a'),
  "RangeError: pattern must have brackets one level deep, got 'a (b (c d)) -> a b c d'": () =>
    rearrange(bytes([2, 2]), 'a (b (c d)) -> a b c d'),
  "RangeError: pattern must close the brackets that it opens, got '(a b -> a b'": [bytes([2, 2]), '(a b -> a b'],
  "RangeError: pattern must close the brackets that it opens, got 'a) b -> a b'": [bytes([2, 2]), 'a) b -> a b'],
  "RangeError: pattern must have no number but 1, got 'a 2 -> 2 a'": [bytes([2, 2]), 'a 2 -> 2 a'],
  "RangeError: pattern must name axes by letters, digits and inner underscores, not '0', got 'a 0 -> a'": () =>
    rearrange(bytes([2, 2]), 'a 0 -> a'),
  "RangeError: pattern must name axes by letters, digits and inner underscores, not '_a', got '_a b -> b _a'": () =>
    rearrange(bytes([2, 2]), '_a b -> b _a'),
  "RangeError: pattern must name axes by letters, digits and inner underscores, not 'a_', got 'a_ b -> b a_'": () =>
    rearrange(bytes([2, 2]), 'a_ b -> b a_'),
  "RangeError: pattern must name axes by letters, digits and inner underscores, not '1a', got '1a b -> b 1a'": () =>
    rearrange(bytes([2, 2]), '1a b -> b 1a'),
  "RangeError: pattern must name axes by letters, digits and inner underscores, not 'a.b', got 'a.b -> b a'": () =>
    rearrange(bytes([2, 2]), 'a.b -> b a'),
  "RangeError: pattern must name axes by letters, digits and inner underscores, not 'a,', got 'a, b -> b a'": () =>
    rearrange(bytes([2, 2]), 'a, b -> b a'),
  "RangeError: pattern must name axes by letters, digits and inner underscores, not 'a\tb', got 'a\tb -> b a'": () =>
    rearrange(bytes([2, 2]), 'a\tb -> b a'),
  'RangeError: tensor must have 2 axes, as the pattern has, got dims [2]': [bytes([2]), 'a b -> b a'],
  'RangeError: tensor must have 2 or more axes, as the pattern has, got dims [2]': [bytes([2]), 'a b ... -> b ... a'],
  'RangeError: tensor must have 1 axes, as the pattern has, got dims [2, 2]': [bytes([2, 2]), 'a -> a'],
  'RangeError: dims[0] must be 1, as the pattern has it, got 2': [bytes([2]), '() -> 1'],
  "RangeError: lengths must have all but one of 'a', 'b', got too few": [bytes([4]), '(a b) -> a b'],
  'RangeError: dims[0] must be a multiple of 3, the product of its lengths, got 4': () =>
    rearrange(bytes([4]), '(a b) -> a b', { a: 3 }),
  'RangeError: dims[0] must be 6, as the pattern has it, got 4': [bytes([4]), '(a b) -> a b', { a: 2, b: 3 }],
  'RangeError: dims[0] must be a multiple of 0, the product of its lengths, got 4': () =>
    rearrange(bytes([4]), '(a b) -> a b', { a: 0 }),
  'RangeError: dims[0] must be a multiple of 0, the product of its lengths, got 0': () =>
    rearrange(bytes([0]), '(h w) -> h w', { h: 0 }),
  'RangeError: dims[0] must be a multiple of 1099511627776, the product of its lengths, got 4': () =>
    rearrange(bytes([4]), '(a b) -> a b', { a: 2 ** 40 }),
  'RangeError: length a must be in [0, 9007199254740991], got 9223372036854775807': () =>
    rearrange(bytes([4]), '(a b) -> a b', { a: largest }),
  'RangeError: length a must be in [0, 9007199254740991], got -9223372036854775808': () =>
    rearrange(bytes([4]), '(a b) -> a b', { a: smallest }),
  'RangeError: length a must be in [0, 9007199254740991], got -2': [bytes([4]), '(a b) -> a b', { a: -2 }],
  'RangeError: length a must be a whole number, got 1.5': [bytes([4]), '(a b) -> a b', { a: 1.5 }],
  "TypeError: length a must be a number or a bigint, got '2'": [bytes([4]), '(a b) -> a b', { a: '2' }],
  "RangeError: lengths must be of the pattern's names, got 'c'": [bytes([4]), '(a b) -> a b', { a: 2, c: 2 }],
  "RangeError: lengths must be of the pattern's names, got '...'": [bytes([4]), 'a ... -> a ...', { '...': 2 }],
  'TypeError: lengths must be an object, got [4]': [bytes([4]), 'a -> a', [4]],
  'TypeError: lengths must be an object, got 4': [bytes([4]), 'a -> a', 4],
  'RangeError: dims[0] must be 5, as the pattern has it, got 4': [bytes([4]), 'a -> a', { a: 5 }],
  'RangeError: result dims must be at most 9007199254740991, got [1.2089258196146292e+24, 0]': () =>
    rearrange(bytes([0]), '(a b c) -> (a b) c', { a: 2 ** 40, b: 2 ** 40 }),
  "TypeError: unknown option 'axis'. Known: out": [bytes([4]), 'a -> a', undefined, { axis: 0 }],
  'RangeError: out dims must be [4], got [3]': [bytes([4]), 'a -> a', undefined, { out: bytes([3]) }],
  'RangeError: uint8 data of dims [5] has 5 bytes, got 4': [
    () => rearrange({ ...bytes([4]), dims: [5] }, 'a -> a'),
    () => rearrange({ ...bytes([4]), dims: [5] }, 'a -> 1 a'),
  ],
  'TypeError: tensor must be a tensor { type, dims, data }, got Array': [[1], 'a -> a'],
});

refuses('repeat', {
  "RangeError: lengths must have the new axis 'k', got undefined": () => repeat(bytes([4]), 'a -> a k'),
  "RangeError: pattern must have 'a' on both sides, got 'a -> k'": () => repeat(bytes([4]), 'a -> k'),
  "RangeError: pattern must have no number but 1 on the left, got '2 -> 2 2'": () => repeat(bytes([4]), '2 -> 2 2'),
  "RangeError: pattern must have '...' on both sides, got 'a -> a ...'": () => repeat(bytes([4]), 'a -> a ...'),
  'RangeError: length k must be in [0, 9007199254740991], got 9223372036854775807': () =>
    repeat(bytes([4]), 'a -> a k', { k: largest }),
  'RangeError: result must have at most 9007199254740991 elements, got dims [4, 9007199254740991]': () =>
    repeat(bytes([4]), 'a -> a k', { k: 2 ** 53 - 1 }),
  'RangeError: length k must be in [0, 9007199254740991], got -1': () => repeat(bytes([4]), 'a -> a k', { k: -1 }),
  ["RangeError: pattern must name axes by letters, digits and inner underscores, not '9007199254740992', " +
  "got 'a -> a 9007199254740992'"]: () => repeat(bytes([4]), 'a -> a 9007199254740992'),
  'RangeError: result dims must be at most 9007199254740991, got [0, 1.2089258196146292e+24]': () =>
    repeat(bytes([0]), 'a -> a (k l)', { k: 2 ** 40, l: 2 ** 40 }),
  'RangeError: result must have a rank of at most 64, got 65': () => repeat(bytes([1]), `a -> a${' 1'.repeat(64)}`),
  'RangeError: out dims must be [4, 2], got [4]': () => repeat(bytes([4]), 'a -> a 2', undefined, { out: bytes([4]) }),
});

refuses('', {
  [`RangeError: rearrange: pattern must have at most 10000 characters, got 'a b -> b a${' '.repeat(50)}…'`]: () =>
    rearrange(bytes([2, 2]), `a b -> b a${' '.repeat(10_000)}`),
});

leavesOut([
  (out) => rearrange(bytes([2]), '(a b) -> b a', { a: 2, b: 2 }, { out: { ...out, dims: [1, 2] } }),
  (out) => rearrange({ ...bytes([1]), dims: [1, 2] }, 'a b -> b a', undefined, { out: { ...out, dims: [2, 1] } }),
  (out) => rearrange({ ...out, dims: [2, 1] }, 'a b -> b a', undefined, { out: { ...out, dims: [1, 2] } }),
  (out) => repeat({ ...bytes([1]), data: out.data.subarray(1) }, 'a -> (a 2)', undefined, { out }),
]);

test('a pattern that repeat took is none of rearrange', () => {
  const pattern = 'a -> a 2';
  expect(repeat(bytes([1]), pattern).dims).toEqual([1, 2]);
  const message = "rearrange: pattern must have no number but 1, got 'a -> a 2'";
  expectError(() => rearrange(bytes([1]), pattern), RangeError, message);
});

test('shares data where nothing moves, and copies to out', () => {
  const x = bytes([2, 3]);
  expect(rearrange(x, 'a b -> a b').data).toBe(x.data);
  expect(rearrange(x, 'a b -> (a b) 1').data).toBe(x.data);
  const row = bytes([1, 3]);
  expect(rearrange(row, 'a b -> b a').data).toBe(row.data);
  const out = bytes([2, 3]);
  out.data.fill(0);
  expect(rearrange(x, 'a b -> a b', {}, { out }).data).toBe(out.data);
  expect([...out.data]).toEqual([...x.data]);
});
