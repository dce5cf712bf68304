/** The arguments of an adversarial caller: memory that changes, and lists that are not lists. For several files. */
import { runInNewContext } from 'node:vm';

/** Classes of another realm. */
export const otherRealm = runInNewContext(
  '({ Array, Float32Array, Int32Array, Int8Array, BigInt64Array, Uint8Array, Map, Object })',
);

/** Takes an array's memory away. */
export const detach = (data) => structuredClone(data, { transfer: [data.buffer] });

/** Views of `length` zeros that must be as good as a plain array of the class. */
export const goodViews = {
  'at an offset': (Class, length) => new Class(new ArrayBuffer(16 * length + 16), 16, length),
  'that follows the length of its buffer': (Class, length) =>
    new Class(new ArrayBuffer(bytes(Class, length), { maxByteLength: 16 * length })),
  'of a buffer that grew behind it': (Class, length) => {
    const data = new Class(new ArrayBuffer(bytes(Class, length), { maxByteLength: 16 * length }), 0, length);
    data.buffer.resize(16 * length);
    return data;
  },
  'in shared memory': (Class, length) => new Class(new SharedArrayBuffer(bytes(Class, length))),
  'in shared memory that grew behind it': (Class, length) => {
    const data = new Class(new SharedArrayBuffer(bytes(Class, length), { maxByteLength: 16 * length }), 0, length);
    data.buffer.grow(16 * length);
    return data;
  },
  'of another realm': (Class, length) => new (runInNewContext(Class.name))(length),
};
const bytes = (Class, length) => length * Class.BYTES_PER_ELEMENT;

/**
 * Views that lose memory, or get some: the name, a function that makes one of `length` entries (an even number), one
 * that changes it, and the number of entries that it has then. A view of fixed length has none once its buffer is too
 * short for it.
 */
export const changingViews = [
  ['detached', (Class, length) => new Class(length), detach, () => 0],
  ['shrunk', (Class, length) => new Class(resizable(Class, length), 0, length), halve, () => 0],
  [
    'shrunk under a view that follows',
    (Class, length) => new Class(resizable(Class, length)),
    halve,
    (length) => length / 2,
  ],
  [
    'shrunk before its offset',
    (Class, length) => new Class(resizable(Class, 3 * length), bytes(Class, 2 * length)),
    halve,
    () => 0,
  ],
  [
    'grown under a view that follows',
    (Class, length) =>
      new Class(new SharedArrayBuffer(bytes(Class, length), { maxByteLength: bytes(Class, 2 * length) })),
    (data) => data.buffer.grow(2 * data.buffer.byteLength),
    (length) => 2 * length,
  ],
];
const resizable = (Class, length) => new ArrayBuffer(bytes(Class, length), { maxByteLength: bytes(Class, length) });
function halve(data) {
  data.buffer.resize(data.buffer.byteLength / 2);
}

/** Dims that must be refused, and the message about them. */
export const badDims = [
  [RangeError, [2, NaN], 'dims must hold whole numbers, got [2, NaN]'],
  [RangeError, [2, 1.5], 'dims must hold whole numbers, got [2, 1.5]'],
  [RangeError, [2, Infinity], 'dims must hold whole numbers, got [2, Infinity]'],
  [RangeError, [2, 2 ** 53], 'dims must hold whole numbers from 0 to 9007199254740991, got [2, 9007199254740992]'],
  [RangeError, [2, 2 ** 64], 'dims must fit int64, got [2, 18446744073709552000]'],
  [RangeError, [2, 2n ** 64n], 'dims must fit int64, got [2, 18446744073709551616]'],
  [RangeError, [2, 10n ** 100n], `dims must fit int64, got [2, 1${'0'.repeat(59)}…]`],
  [RangeError, [2, -1], 'dims must hold whole numbers from 0 to 9007199254740991, got [2, -1]'],
  [TypeError, [2, true], 'dims must hold whole numbers, got [2, true]'],
  // eslint-disable-next-line no-sparse-arrays
  [TypeError, [2, , 3], 'dims must hold whole numbers, got [2, undefined, 3]'],
  [TypeError, [2, [3]], 'dims must hold whole numbers, got [2, [3]]'],
  [TypeError, [2, { valueOf: () => 3 }], 'dims must hold whole numbers, got [2, an object]'],
  [TypeError, [2, Symbol('3')], 'dims must hold whole numbers, got [2, Symbol(3)]'],
  [TypeError, Uint8Array.of(2, 3), 'dims must be an array, got Uint8Array'],
  [TypeError, Float64Array.of(2, 3), 'dims must be an array, got Float64Array'],
  [TypeError, { length: 2, 0: 2, 1: 3 }, 'dims must be an array, got an object'],
  [TypeError, '23', "dims must be an array, got '23'"],
  [RangeError, new Array(65).fill(1), 'dims must have at most 64 entries, got 65'],
  [RangeError, new Array(2 ** 32 - 1), 'dims must have 0 to 1000000 entries, got 4294967295'],
];

/** The lengths that no array has, and how a message shows them. */
export const badLengths = [
  [-1, '-1'],
  [1.5, '1.5'],
  [NaN, 'NaN'],
  [Infinity, 'Infinity'],
  ['2', "'2'"],
  [2n, '2'],
  [Symbol('l'), 'Symbol(l)'],
  [undefined, 'undefined'],
  [{}, 'an object'],
];

/** The options of each function, as a message lists them. */
const optionsOf = {
  imageToTensor: 'layout, channels, dtype, preset, scale, mean, std, out, …',
  imageToTensorAsync: 'layout, channels, dtype, preset, scale, mean, std, out, …',
  imageProcessor: 'backend, className, dtype, maxBytes, unknown',
  imageProcessorAsync: 'backend, className, dtype, maxBytes, unknown, decode',
  tensorToImage: 'layout, channels, preset, scale, mean, std',
  letterbox: 'width, height, auto, stride, scaleFill, scaleup, center, background, …',
  letterboxGeometry: 'width, height, auto, stride, scaleFill, scaleup, center, background, …',
  unletterbox: 'format, columns',
  copyMakeBorder: 'top, bottom, left, right, border, background, out',
  crop: 'box, out',
  alignFace: 'size, out',
  warpAffine: 'width, height, filter, border, background, inverse, out',
  warpPerspective: 'width, height, filter, border, background, inverse, out',
  toGray: 'backend',
  blobFromImage: 'scalefactor, width, height, mean, swapRB, crop, dtype, out',
  textDetectionSize: 'limitSideLen, limitType',
  textLineBatches: 'batchSize, width, height',
  textPage: 'minSideLen, maxSideLen, minHeight, widthHeightRatio',
  init: 'wasm',
  readNpy: 'dtype',
  readTensorProto: 'external',
  readModel: 'external, maxBytes',
  writeTensorProto: 'name',
  writeSafetensors: 'metadata',
  'Flatten-25': 'axis, opset, strict',
  'Reshape-25': 'allowzero, shape, opset, strict',
  'Transpose-25': 'perm, out, opset, strict',
  'SplitToSequence-24': 'axis, keepdims, split, out, opset, strict',
  'Slice-13': 'starts, ends, axes, steps, out, opset, strict',
  'Concat-13': 'axis, out, opset, strict',
  'Split-18': 'axis, num_outputs, split, out, opset, strict',
  'Pad-25': 'mode, pads, constant_value, axes, out, opset, strict',
  'Expand-13': 'shape, out, opset, strict',
  'DepthToSpace-28': 'blocksize, mode, out, opset, strict',
  'CenterCropPad-18': 'axes, shape, out, opset, strict',
  rearrange: 'out',
  stack: 'axis, out',
  unstack: 'axis, out',
  'Cast-28': 'saturate, round_mode, to, out, opset, strict',
  'inferShape Transpose-25': 'perm, opset, strict',
  'inferShape Split-18': 'axis, num_outputs, outputs, opset, strict',
  'inferShape Cast-28': 'saturate, round_mode, to, opset, strict',
};

/** The message about an option that a function does not have, and that is near none of those it has. */
export function unknownOption(prefix, name, key = prefix) {
  const cut = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return `${prefix}: unknown option '${cut}'. Known: ${optionsOf[key]}`;
}
