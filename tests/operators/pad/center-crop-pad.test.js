/** CenterCropPad: what it gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll } from '@jest/globals';
import { init, centerCropPad } from 'onnx-layout';
import { gives, leavesOut, refuses } from '../../support/assertions.js';
import { bytes, int32, int64, largest, smallest, strings } from '../operands.js';

beforeAll(() => init());

gives({
  'uint8 [2] 2 3': () => centerCropPad(bytes([5]), [2]),
  'uint8 [5] 0 1 2 0 0': () => centerCropPad(bytes([2]), [5]),
  'uint8 [1] 2': () => centerCropPad(bytes([4]), [1]),
  'uint8 [4] 0 1 0 0': () => centerCropPad(bytes([1]), [4]),
  'uint8 [0]': () => centerCropPad(bytes([3]), [0]),
  'uint8 [2] 0 0': () => centerCropPad(bytes([0]), [2]),
  'uint8 [1, 3] 3 4 0': () => centerCropPad(bytes([3, 2]), [1, 3]),
  'uint8 [1, 2] 3 4': () => centerCropPad(bytes([3, 2]), 1, { axes: [-2] }),
  'uint8 [1, 4] 0 3 4 0': () => centerCropPad(bytes([3, 2]), int32([4, 1]), { axes: [1, 0] }),
  "string [2] 'a' ''": () => centerCropPad(strings(['a']), [2]),
  'bool [2] 1 0': () => centerCropPad(bytes([1], 'bool'), [2]),
  'uint8 [] 1': () => centerCropPad(bytes([]), []),
});

refuses('CenterCropPad-18', centerCropPad, {
  'RangeError: shape must have one entry for each of 1 axes, got [2, 2]': [bytes([5]), [2, 2]],
  'RangeError: shape must have one entry for each of 1 axes, got []': [bytes([5]), []],
  'RangeError: shape must have one entry for each of 2 axes, got [2]': [bytes([5, 5]), [2]],
  'RangeError: shape entries must be in [0, 9007199254740991], got [-1]': [bytes([5]), [-1]],
  'RangeError: shape entries must be in [0, 9007199254740991], got [9223372036854775807]': [bytes([5]), [largest]],
  'RangeError: shape entries must be in [0, 9007199254740991], got [-9223372036854775808]': () =>
    centerCropPad(bytes([5]), int64([smallest])),
  'RangeError: result must have at most 9007199254740991 elements, got dims [4503599627370496, 2]': () =>
    centerCropPad(bytes([5, 5]), [2 ** 52, 2]),
  'RangeError: axes must name each axis once, got [0, 0]': [bytes([5, 5]), [2, 2], { axes: [0, 0] }],
  'RangeError: axes must name each axis once, got [0, -2]': [bytes([5, 5]), [2, 2], { axes: [0, -2] }],
  'RangeError: axes must be in [-2, 1], got [2]': [bytes([5, 5]), [2], { axes: [2] }],
  'RangeError: axes must be in [-2, 1], got [9223372036854775807]': [bytes([5, 5]), [2], { axes: [largest] }],
  'RangeError: axes must be in [-2, 1], got [-9223372036854775808]': [bytes([5, 5]), [2], { axes: [smallest] }],
  'TypeError: axes must be a list of whole numbers, got 0': [bytes([5, 5]), [2], { axes: 0 }],
  'TypeError: shape must be 1-D, got rank 2': [bytes([5]), int32([2], [1, 1])],
  'TypeError: shape must be 1-D, got rank 0': [bytes([5]), int64([2], [])],
  'TypeError: shape must be int32 or int64, got uint8': [bytes([5]), bytes([1])],
  'TypeError: shape must be a list of whole numbers or an int32 or int64 tensor, got undefined': [bytes([5])],
  'RangeError: out dims must be [2], got [3]': [bytes([5]), [2], { out: bytes([3]) }],
  "TypeError: unknown option 'axis', did you mean 'axes'? Known: axes, shape, out, opset, strict": () =>
    centerCropPad(bytes([5]), [2], { axis: 0 }),
  'RangeError: uint8 data of dims [6] has 6 bytes, got 5': [{ ...bytes([5]), dims: [6] }, [2]],
  'TypeError: type int4 is in no version, got opset 28': [bytes([5], 'int4'), [2]],
});

refuses('', {
  'RangeError: CenterCropPad: first appears in opset 18, got opset 17': () =>
    centerCropPad(bytes([5]), [2], { opset: 17 }),
});

leavesOut([
  (out) => centerCropPad(bytes([5]), [2, 2], { out }),
  (out) => centerCropPad({ ...bytes([5]), dims: [6] }, [2], { out }),
  (out) => centerCropPad({ ...bytes([1]), data: out.data.subarray(1) }, [2], { out }),
]);
