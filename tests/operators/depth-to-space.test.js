/** DepthToSpace and SpaceToDepth: what each version gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll } from '@jest/globals';
import { init, depthToSpace, spaceToDepth } from 'onnx-layout';
import { gives, leavesOut, refuses } from '../support/assertions.js';
import { bytes, largest, smallest } from './operands.js';

beforeAll(() => init());

gives({
  'uint8 [1, 3, 2, 2] 1 4 7 10 2 5 8 11 3 6 9 12': () => depthToSpace(bytes([1, 12, 1, 1]), { blocksize: 2 }),
  'uint8 [1, 3, 2, 2] 1 2 3 4 5 6 7 8 9 10 11 12': () =>
    depthToSpace(bytes([1, 12, 1, 1]), { blocksize: 2, mode: 'CRD' }),
  'uint8 [1, 3, 2, 4] 1 3 2 4 5 7 6 8 9 11 10 12 13 15 14 16 17 19 18 20 21 23 22 24': () =>
    depthToSpace(bytes([1, 12, 1, 2]), { blocksize: 2, mode: 'CRD' }),
  'uint8 [1, 2, 2, 2] 1 3 5 7 2 4 6 8': [
    () => depthToSpace(bytes([1, 8, 1, 1]), { blocksize: 2 }),
    () => depthToSpace(bytes([1, 8, 1, 1]), { blocksize: 2, mode: 'DCR', opset: 11 }),
    () => depthToSpace(bytes([1, 8, 1, 1]), { blocksize: 2n, opset: 1 }),
  ],
  'uint8 [1, 2, 2, 2] 1 2 3 4 5 6 7 8': () => depthToSpace(bytes([1, 8, 1, 1]), { blocksize: 2, mode: 'CRD' }),
  'uint8 [1, 2, 1, 1] 1 2': () => depthToSpace(bytes([1, 2, 1, 1]), { blocksize: 1 }),
  'uint8 [0, 1, 2, 2]': () => depthToSpace(bytes([0, 4, 1, 1]), { blocksize: 2 }),
  'uint8 [1, 0, 0, 9007199254740991]': () => depthToSpace(bytes([1, 0, 0, 1]), { blocksize: 2 ** 53 - 1 }),
  'uint8 [1, 8, 1, 1] 1 5 2 6 3 7 4 8': [
    () => spaceToDepth(bytes([1, 2, 2, 2]), { blocksize: 2 }),
    () => spaceToDepth(bytes([1, 2, 2, 2]), { blocksize: 2, opset: 1 }),
  ],
  'uint8 [1, 8, 1, 1] 1 2 3 4 5 6 7 8': () => spaceToDepth(bytes([1, 2, 2, 2]), { blocksize: 2, mode: 'CRD' }),
  'uint8 [1, 4, 0, 1]': () => spaceToDepth(bytes([1, 1, 0, 2]), { blocksize: 2 }),
});

refuses('DepthToSpace-28', depthToSpace, {
  'TypeError: blocksize must be a number or a bigint, got undefined': [bytes([1, 4, 1, 1])],
  'RangeError: blocksize must be at least 1, got 0': [bytes([1, 4, 1, 1]), { blocksize: 0 }],
  'RangeError: blocksize must be at least 1, got -2': [bytes([1, 4, 1, 1]), { blocksize: -2 }],
  'RangeError: dims[1] must be divisible by blocksize² = 8.507059173023462e+37, got 4': () =>
    depthToSpace(bytes([1, 4, 1, 1]), { blocksize: largest }),
  'RangeError: blocksize must be at least 1, got -9223372036854775808': [bytes([1, 4, 1, 1]), { blocksize: smallest }],
  'RangeError: result dims must be at most 9007199254740991, got [1, 0, 9223372036854776000, 9223372036854776000]':
    () => depthToSpace(bytes([1, 0, 1, 1]), { blocksize: largest }),
  'RangeError: result dims must be at most 9007199254740991, got [1, 0, 18014398509481982, 9007199254740991]': () =>
    depthToSpace(bytes([1, 0, 2, 1]), { blocksize: 2 ** 53 - 1 }),
  'RangeError: blocksize must be a whole number, got 1.5': [bytes([1, 4, 1, 1]), { blocksize: 1.5 }],
  "TypeError: blocksize must be a number or a bigint, got '2'": [bytes([1, 4, 1, 1]), { blocksize: '2' }],
  "RangeError: mode must be 'DCR' or 'CRD', got 'DRC'": [bytes([1, 4, 1, 1]), { blocksize: 2, mode: 'DRC' }],
  'RangeError: dims[1] must be divisible by blocksize² = 4, got 6': [bytes([1, 6, 1, 1]), { blocksize: 2 }],
  'RangeError: input must have rank 4, got dims [4, 1, 1]': [bytes([4, 1, 1]), { blocksize: 2 }],
  'RangeError: out dims must be [1, 1, 2, 2], got [1, 1, 2, 1]': () =>
    depthToSpace(bytes([1, 4, 1, 1]), { blocksize: 2, out: bytes([1, 1, 2, 1]) }),
  'RangeError: uint8 data of dims [1, 4, 1, 1] has 4 bytes, got 1': () =>
    depthToSpace({ ...bytes([1]), dims: [1, 4, 1, 1] }, { blocksize: 2 }),
  'RangeError: input must have rank 4, got dims [1, 4, 1, 1, 1]': [bytes([1, 4, 1, 1, 1]), { blocksize: 2 }],
});

refuses('SpaceToDepth-28', spaceToDepth, {
  'TypeError: blocksize must be a number or a bigint, got undefined': [bytes([1, 1, 2, 2])],
  "RangeError: mode must be 'DCR' or 'CRD', got 'CDR'": [bytes([1, 1, 2, 2]), { blocksize: 2, mode: 'CDR' }],
  'RangeError: blocksize must be at least 1, got 0': [bytes([1, 1, 2, 2]), { blocksize: 0 }],
  'RangeError: height and width must be divisible by blocksize = 9223372036854776000, got [2, 2]': () =>
    spaceToDepth(bytes([1, 1, 2, 2]), { blocksize: largest }),
  'RangeError: blocksize must be at least 1, got -9223372036854775808': [bytes([1, 1, 2, 2]), { blocksize: smallest }],
  'RangeError: result dims must be at most 9007199254740991, got [1, 13835058055282164000, 0, 0]': () =>
    spaceToDepth(bytes([1, 3, 0, 0]), { blocksize: 2 ** 31 }),
  'RangeError: result dims must be at most 9007199254740991, got [1, 2.5521177519070385e+38, 0, 0]': () =>
    spaceToDepth(bytes([1, 3, 0, 0]), { blocksize: largest }),
  'RangeError: height and width must be divisible by blocksize = 2, got [3, 2]': () =>
    spaceToDepth(bytes([1, 1, 3, 2]), { blocksize: 2 }),
  'RangeError: height and width must be divisible by blocksize = 2, got [2, 3]': () =>
    spaceToDepth(bytes([1, 1, 2, 3]), { blocksize: 2 }),
  'RangeError: input must have rank 4, got dims [2, 2]': [bytes([2, 2]), { blocksize: 2 }],
});

refuses('', {
  'TypeError: DepthToSpace-1: mode needs opset 11, got opset 10': () =>
    depthToSpace(bytes([1, 4, 1, 1]), { blocksize: 2, mode: 'DCR', opset: 10 }),
  'TypeError: SpaceToDepth-13: mode needs opset 28, got opset 27': () =>
    spaceToDepth(bytes([1, 1, 2, 2]), { blocksize: 2, mode: 'CRD', opset: 27 }),
});

leavesOut(
  [
    (out) => depthToSpace(bytes([1, 4, 1, 1]), { blocksize: 3, out }),
    (out) => depthToSpace({ ...bytes([3]), dims: [1, 4, 1, 1] }, { blocksize: 2, out }),
    (out) => spaceToDepth(bytes([1, 1, 2, 2]), { blocksize: 2, out }),
  ],
  [1, 1, 2, 2],
);
