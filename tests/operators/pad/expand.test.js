/** Expand and Tile: what each version gives and refuses. Random calls are in surgery-random.test.js. */
import { beforeAll } from '@jest/globals';
import { init, expand, slice, tile } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { gives, leavesOut, refuses } from '../../support/assertions.js';
import { bytes, floats, int32, int64, largest, smallest, strings } from '../operands.js';

beforeAll(() => init());

/** Tile-1, which repeats one axis: by a model's node, as no call does. Numbers are float32 scalars. */
function tileOnce(input, ...numbers) {
  const scalars = numbers.map((own) =>
    typeof own === 'number' ? { type: 'float32', data: Float32Array.of(own), dims: [] } : own,
  );
  const inputs = { input, tiles: scalars[0], axis: scalars[1] };
  const names = Object.keys(inputs);
  const node = { name: '', operator: 'Tile', domain: '', inputs: names, outputs: ['y'], attributes: new Map() };
  const infos = names.map((name) => ({ name, type: undefined, dims: null }));
  const model = { opsets: new Map([['', 1]]), initializers: new Map(), nodes: [node], inputs: infos };
  return runModel({ ...model, outputs: [{ name: 'y' }] }, inputs).get('y');
}

gives({
  'uint8 [3, 1] 1 2 3': () => expand(bytes([3, 1]), [1]),
  'uint8 [3, 2] 1 1 2 2 3 3': () => expand(bytes([3, 1]), [3, 2]),
  'uint8 [2, 2, 3] 1 1 1 2 2 2 1 1 1 2 2 2': () => expand(bytes([2, 1]), [2, 1, 3]),
  'uint8 [0]': [
    () => expand(bytes([1]), [0]),
    () => expand(bytes([0]), [1]),
    () => tile(bytes([2]), [0]),
    () => tile(bytes([0]), [largest]),
  ],
  'uint8 [2, 2] 1 1 1 1': () => expand(bytes([]), [2, 2]),
  'uint8 [2] 1 2': () => expand(bytes([2]), []),
  'uint8 [3] 1 1 1': () => expand(bytes([1]), 3),
  "string [2] 'a' 'a'": () => expand(strings(['a']), [2]),
  'uint8 [9007199254740991, 0]': () => expand(bytes([1]), [2 ** 53 - 1, 0]),
  'uint8 [2] 1 1': () => expand(bytes([1]), int64([2]), { opset: 8 }),
  'uint8 [2, 4] 1 2 1 2 1 2 1 2': () => tile(bytes([1, 2]), [2, 2]),
  'uint8 [4] 1 2 1 2': () => tile(bytes([2]), 2),
  'int64 [2, 1] 1n 2n': () => slice(expand(int64([1, 2], [2, 1]), [2, 128]), [127], [128], [1]),
  'uint8 [] 1': () => tile(bytes([]), []),
  "string [4] 'a' 'b' 'a' 'b'": () => tile(strings(['a', 'b']), [2]),
  'int4 [9] 1 18 32 1 2': () => tile(bytes([3], 'int4'), [3], { strict: false }),
  'uint8 [1, 4] 1 2 1 2': () => tile(bytes([1, 2]), int64([1, 2]), { opset: 6 }),
  'float32 [1, 4] 1 2 1 2': () => tileOnce(floats([1, 2]), 2, 1),
  'float32 [4, 1] 1 2 1 2': () => tileOnce(floats([2, 1]), { ...floats([1]), data: Float32Array.of(2) }, 0),
});

refuses('Expand-13', expand, {
  'RangeError: shape entries must be at least 0, got [-1]': [bytes([3]), [-1]],
  'RangeError: shape must broadcast with dims [3], got [0]': [bytes([3]), [0]],
  'RangeError: shape must broadcast with dims [3], got [2]': [bytes([3]), [2]],
  'RangeError: shape must broadcast with dims [0], got [2]': [bytes([0]), [2]],
  'RangeError: shape must broadcast with dims [2], got [9223372036854775807]': [bytes([2]), [largest]],
  'RangeError: result dims must be at most 9007199254740991, got [9223372036854775807]': [bytes([1]), [largest]],
  'RangeError: shape entries must be at least 0, got [-9223372036854775808]': [bytes([1]), int64([smallest])],
  'RangeError: result dims must be at most 9007199254740991, got [9007199254740992]': [bytes([1]), [2 ** 53]],
  'RangeError: result must have at most 9007199254740991 elements, got dims [9007199254740991, 2]': () =>
    expand(bytes([1]), [2 ** 53 - 1, 2]),
  'TypeError: shape must be int64, got int32': [bytes([1]), int32([2])],
  'TypeError: shape must be 1-D, got rank 2': [bytes([1]), int64([2], [1, 1])],
  'TypeError: shape must be 1-D, got rank 0': [bytes([1]), int64([2], [])],
  'TypeError: shape must be a list of whole numbers or an int64 tensor, got undefined': [bytes([1])],
  'RangeError: result must have a rank of at most 64, got 65': [bytes([1]), Array(65).fill(1)],
  'RangeError: out dims must be [2], got [1]': [bytes([1]), [2], { out: bytes([1]) }],
  'TypeError: shape is given twice': [bytes([1]), [2], { shape: [2] }],
  'RangeError: uint8 data of dims [2] has 2 bytes, got 1': [{ ...bytes([1]), dims: [2] }, [2]],
});

refuses('Tile-13', {
  'RangeError: repeats must have one entry for each axis, 1, got [2, 2]': () => tile(bytes([2]), [2, 2]),
  'RangeError: repeats must have one entry for each axis, 1, got []': () => tile(bytes([2]), []),
  'RangeError: repeats must be at least 0, got [-1]': () => tile(bytes([2]), [-1]),
  'RangeError: result dims must be at most 9007199254740991, got [18446744073709552000]': () =>
    tile(bytes([2]), [largest]),
  'RangeError: repeats must be at least 0, got [-9223372036854775808]': () => tile(bytes([2]), int64([smallest])),
  'RangeError: result dims must be at most 9007199254740991, got [18446744073709552000, 0]': () =>
    tile(bytes([2, 0]), [largest, 1]),
  'RangeError: result must have at most 9007199254740991 elements, got dims [4503599627370496, 2097152]': () =>
    tile(bytes([2, 2]), [2 ** 51, 2 ** 20]),
  'TypeError: repeats must be int64, got int32': () => tile(bytes([2]), int32([2])),
  'TypeError: repeats must be 1-D, got rank 0': () => tile(bytes([2]), int64([2], [])),
  'TypeError: repeats must be a list of whole numbers or an int64 tensor, got undefined': () => tile(bytes([2])),
  'TypeError: repeats is given twice': () => tile(bytes([2]), [2], { repeats: [2] }),
});

refuses('Tile-1', {
  'RangeError: axis must be in [0, 0], got 1': () => tileOnce(floats([2]), 2, 1),
  'RangeError: axis must be in [0, 0], got -1': () => tileOnce(floats([2]), 2, -1),
  'RangeError: tiles must be at least 0, got -1': () => tileOnce(floats([2]), -1, 0),
  'RangeError: tiles must be one number, got [1, 2]': () => tileOnce(floats([2]), floats([2]), 0),
  'RangeError: axis must be one number, got [1, 2]': () => tileOnce(floats([2]), 2, floats([2])),
  'TypeError: repeats needs opset 6, got opset 1': () => tile(floats([2]), [2], { opset: 1 }),
  'TypeError: tiles must be float32, got int64': () => tileOnce(floats([2]), int64([2]), 0),
  'RangeError: tiles must hold whole numbers, got [2.5]': () => tileOnce(floats([2]), 2.5, 0),
  'RangeError: tiles must hold whole numbers, got [NaN]': () => tileOnce(floats([2]), NaN, 0),
  'RangeError: tiles must fit int64, got [1.0000000150474662e+30]': () => tileOnce(floats([2]), 1e30, 0),
  'TypeError: tiles must be a scalar or 1-D, got rank 2': () => tileOnce(floats([2]), floats([1, 1]), 0),
  'RangeError: axis must be in [0, -1], got 0': () => tileOnce(floats([]), 2, 0),
  'TypeError: type uint8 needs opset 6, got opset 1': () => tileOnce(bytes([2]), 2, 0),
});

refuses('', {
  'RangeError: Expand: first appears in opset 8, got opset 7': () => expand(bytes([1]), [2], { opset: 7 }),
  'RangeError: Tile: opset must be in [1, 28], got 0': () => tile(bytes([2]), [2], { opset: 0 }),
});

leavesOut([
  (out) => expand(bytes([1]), [2, 3], { out }),
  (out) => expand({ ...bytes([0]), dims: [1] }, [2], { out }),
  (out) => expand({ ...bytes([1]), data: out.data.subarray(1) }, [2], { out }),
  (out) => tile(bytes([2]), [1, 1], { out }),
  (out) => tile({ ...bytes([0]), dims: [1] }, [2], { out }),
  (out) => tile({ ...bytes([1]), data: out.data.subarray(1) }, [2], { out }),
]);
