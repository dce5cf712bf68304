/** Options bags of all makes, for every public function that takes one. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import * as pixels from 'onnx-layout/image';
import { readModel, readNpy, readTensorProto, writeNpy, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { imageProcessor, imageProcessorAsync } from 'onnx-layout/processors';
import { far, unknownOption } from './adversarial.js';

const firstTypes = 'Known: float32, uint8, int8, uint16, int16, int32, int64, string, …';

beforeAll(() => pixels.init());

const x = Object.freeze({ type: 'float32', data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: Object.freeze([2, 3]) });
/** A tensor to write to. */
const room = (dims) => ({ type: 'float32', data: new Float32Array(dims[0] * dims[1]), dims });
const image = Object.freeze({ data: Uint8Array.from({ length: 12 }, (_, i) => i), width: 2, height: 2 });
const geometry = { left: 0, top: 1, scaleX: 2, scaleY: 2, source: { width: 9, height: 9 } };
const processor = { image_processor_type: 'ViTImageProcessor', size: 2 };
const picture = { type: 'float32', data: Float32Array.from({ length: 12 }, (_, i) => i), dims: [3, 2, 2] };
const file = writeTensorProto(x);
const npy = writeNpy({ ...x, type: 'bfloat16', data: new Uint16Array(6) });

/**
 * Each function with a bag: the prefix of its messages, a call, a bag that changes the result, and, of an operator, the
 * prefix as long as the version is not known.
 */
const takers = {
  flatten: ['Flatten-25', (options) => layout.flatten(x, options), { axis: 0 }, 'Flatten'],
  reshape: [
    'Reshape-25',
    (options) => layout.reshape({ ...x, data: new Float32Array(0), dims: [0, 3] }, [0, 5, 3], options),
    { allowzero: true },
    'Reshape',
  ],
  transpose: ['Transpose-25', (options) => layout.transpose(x, options), { perm: [0, 1] }, 'Transpose'],
  splitToSequence: [
    'SplitToSequence-24',
    (options) => layout.splitToSequence(x, undefined, options),
    { axis: 1 },
    'SplitToSequence',
  ],
  slice: ['Slice-13', (options) => layout.slice(x, [1], [9], null, null, options), { out: room([1, 3]) }, 'Slice'],
  concat: ['Concat-13', (options = { axis: 0 }) => layout.concat([x, x], options), { axis: 1 }, 'Concat'],
  split: ['Split-18', (options = { num_outputs: 1 }) => layout.split(x, null, options), { num_outputs: 2 }, 'Split'],
  pad: ['Pad-25', (options) => layout.pad(x, [1, 0, 0, 0], null, null, options), { mode: 'edge' }, 'Pad'],
  depthToSpace: [
    'DepthToSpace-28',
    (options = { blocksize: 1 }) =>
      layout.depthToSpace({ ...x, data: x.data.slice(0, 4), dims: [1, 4, 1, 1] }, options),
    { blocksize: 2 },
    'DepthToSpace',
  ],
  centerCropPad: [
    'CenterCropPad-18',
    (options) => layout.centerCropPad(x, [2, 1], options),
    { axes: [1, 0] },
    'CenterCropPad',
  ],
  rearrange: ['rearrange', (options) => layout.rearrange(x, 'a b -> b a', undefined, options), { out: room([3, 2]) }],
  stack: ['stack', (options) => layout.stack([x, x], options), { axis: 1 }],
  unstack: ['unstack', (options) => layout.unstack(x, options), { axis: 1 }],
  cast: [
    'Cast-28',
    (options) => layout.cast({ ...x, data: x.data.map((value) => value * 1e6) }, 'float8e4m3fn', options),
    { saturate: 0 },
    'Cast',
  ],
  inferShape: [
    'Transpose-25',
    (options) => layout.inferShape('Transpose', { data: { type: 'int8', dims: ['N', 3] } }, options),
    { perm: [0, 1] },
    'Transpose',
  ],
  'inferShape of Split': [
    'Split-18',
    (options = { outputs: 1 }) => layout.inferShape('Split', { input: { type: 'int8', dims: [3] } }, options),
    { outputs: 3 },
    'Split',
  ],
  'inferShape of Cast': [
    'Cast-28',
    (options = { to: 'int8' }) => layout.inferShape('Cast', { input: { type: 'int8', dims: [3] } }, options),
    { to: 'int16' },
    'Cast',
  ],
  imageToTensor: ['imageToTensor', (options) => pixels.imageToTensor(image, options), { layout: 'NHWC' }],
  imageToTensorAsync: [
    'imageToTensorAsync',
    (options) => pixels.imageToTensorAsync(image, options),
    { mean: [1, 2, 3] },
  ],
  imageProcessor: [
    'imageProcessor',
    (options) => imageProcessor(processor, options)(image).pixel_values,
    { dtype: 'float16' },
  ],
  imageProcessorAsync: [
    'imageProcessorAsync',
    async (options) => (await imageProcessorAsync(processor, options)(image)).pixel_values,
    { className: 'BlipImageProcessor' },
  ],
  letterbox: [
    'letterbox',
    (options = { width: 5, height: 2 }) => pixels.letterbox(image, options),
    { width: 3, height: 4 },
  ],
  letterboxGeometry: [
    'letterboxGeometry',
    (options = { width: 5, height: 2 }) => pixels.letterboxGeometry(image, options),
    { width: 3, height: 4 },
  ],
  unletterbox: ['unletterbox', (options) => pixels.unletterbox([5, 6, 7, 8], geometry, options), { format: 'xywh' }],
  'pad of pixels': ['pad', (options) => pixels.pad(image, options), { top: 2 }],
  crop: ['crop', (options = { box: [1, 1, 6, 3] }) => pixels.crop(image, options), { box: [1, 0, 2, 3] }],
  alignFace: [
    'alignFace',
    (options) => pixels.alignFace(image, [1, 1, 2, 1, 1.5, 2, 1, 3, 2, 3], options),
    { size: 128 },
  ],
  warpAffine: ['warpAffine', (options) => pixels.warpAffine(image, [1, 0.5, 0, 0, 1, 0], options), { width: 3 }],
  warpPerspective: [
    'warpPerspective',
    (options) => pixels.warpPerspective(image, [1, 0.5, 0, 0, 1, 0, 0, 0, 1], options),
    { border: 'replicate' },
  ],
  toGray: ['toGray', (options) => pixels.toGray(image, options), { backend: 'opencv' }],
  blobFromImage: ['blobFromImage', (options) => pixels.blobFromImage(image, options), { swapRB: true }],
  textDetectionSize: ['textDetectionSize', (options) => pixels.textDetectionSize(image, options), { limitType: 'max' }],
  textLineBatches: ['textLineBatches', (options) => pixels.textLineBatches([image], options), { width: 192 }],
  textPage: ['textPage', (options) => pixels.textPage(image, options), { minHeight: 40 }],
  tensorToImage: ['tensorToImage', (options) => pixels.tensorToImage(picture, options), { channels: 'BGR' }],
  init: ['init', (options) => layout.init(options), { wasm: new Uint8Array(0) }],
  readNpy: ['readNpy', (options = { dtype: 'bfloat16' }) => readNpy(npy, options), { dtype: 'bfloat16' }],
  readTensorProto: ['readTensorProto', (options) => readTensorProto(file, options), { external: () => {} }],
  readModel: ['readModel', (options) => readModel(new Uint8Array(0), options), { external: () => {} }],
  writeTensorProto: ['writeTensorProto', (options) => writeTensorProto(x, options), { name: 'x' }],
  writeSafetensors: [
    'writeSafetensors',
    (options) => writeSafetensors(new Map([['x', x]]), options),
    { metadata: new Map([['a', 'b']]) },
  ],
};

/** The result of a call, or the class and message of what it throws. */
async function outcome(call, ...args) {
  try {
    return { result: await call(...args) };
  } catch (error) {
    return { class: error.constructor, message: error.message };
  }
}

describe.each(Object.entries(takers))('%s', (name, [prefix, call, bag, early = prefix]) => {
  // The inference of an operator has options of its own, and the operator's prefix.
  const unknown = (key) => unknownOption(prefix, key, name.startsWith('inferShape') ? `inferShape ${prefix}` : prefix);
  const good = () => outcome(call, bag);
  let [plain, changed] = [];
  beforeAll(async () => {
    plain = await outcome(call);
    changed = await good();
    expect([plain.message, changed.message]).toEqual([undefined, undefined]);
  });
  /** The call is refused, and the next one gives its result. */
  async function refuses(options, Class, message) {
    expect(await outcome(call, options)).toEqual({ class: Class, message });
    expect(await good()).toEqual(changed);
  }

  test('takes a bag without a prototype, of another realm, that inherits, is frozen, or holds symbols', async () => {
    const [[key, value]] = Object.entries(bag);
    const bags = [
      Object.assign(Object.create(null), bag),
      Object.assign(new far.Object(), bag),
      Object.create(bag),
      Object.freeze({ ...bag }),
      { ...bag, [Symbol('flavour')]: 1 },
      Object.create({ ...bag, [key]: 5 }, { [key]: { value, enumerable: true } }),
    ];
    for (const options of bags) expect(await outcome(call, options)).toEqual(changed);
    // A call with a bag by default needs one.
    if (call.length === 1)
      for (const options of [Object.create(null), {}, { [key]: undefined }])
        expect(await outcome(call, options)).toEqual(plain);
  });

  test('refuses what is no bag', async () => {
    for (const [options, shown] of [
      [null, 'null'],
      [5, '5'],
      ['axis', "'axis'"],
      [true, 'true'],
      [1n, '1'],
      [Symbol('s'), 'Symbol(s)'],
      [() => {}, 'a function'],
    ])
      await refuses(options, TypeError, `${early}: options must be an object, got ${shown}`);
  });

  test('refuses a key that it does not have, whatever it is called', async () => {
    const keys = ['flavour', 'toString', 'constructor', 'hasOwnProperty', '', '0', 'x'.repeat(61)];
    for (const key of keys) await refuses({ ...bag, [key]: undefined }, TypeError, unknown(key));
    await refuses(
      Object.defineProperty({ ...bag }, '__proto__', { value: 1, enumerable: true }),
      TypeError,
      unknown('__proto__'),
    );
    await refuses({ ...bag, __proto__: { inherited: 1 } }, TypeError, unknown('inherited'));
    // An operator's operands may stand in the place of its options: it says what a list in that place should be.
    const [, operator, first] = /^(\w+-\d+): .* Known: (\w+)/.exec(unknown('0')) ?? [];
    const message = operator ? `${operator}: options must be an object, as { ${first} }, got ['axis']` : unknown('0');
    await refuses(Object.assign(['axis'], bag), TypeError, message);
  });

  test('lets what a getter throws through, and works on', async () => {
    const [[key]] = Object.entries(bag);
    class Own extends Error {}
    const options = {
      get [key]() {
        throw new Own("the caller's");
      },
    };
    await refuses(options, Own, "the caller's");
  });
});

describe('values of options', () => {
  const bags = [
    [
      'cast',
      (options) => layout.cast(x, 'float8e8m0', options),
      'Cast-28',
      [
        [{ saturate: 2 }, RangeError, 'saturate must be 0 or 1, got 2'],
        [{ saturate: NaN }, RangeError, 'saturate must be 0 or 1, got NaN'],
        [{ saturate: 2n ** 64n }, RangeError, 'saturate must be 0 or 1, got 18446744073709551616'],
        [{ saturate: '1' }, TypeError, "saturate must be 0 or 1, got '1'"],
        [{ saturate: null }, TypeError, 'saturate must be 0 or 1, got null'],
        [{ saturate: new Number(1) }, TypeError, 'saturate must be 0 or 1, got an object'],
        [{ round_mode: 'UP' }, RangeError, "round_mode must be 'up', 'down' or 'nearest', got 'UP'"],
        [{ round_mode: 0 }, TypeError, "round_mode must be 'up', 'down' or 'nearest', got 0"],
        [{ round_mode: ['up'] }, TypeError, "round_mode must be 'up', 'down' or 'nearest', got ['up']"],
        [{ round_mode: new String('up') }, TypeError, "round_mode must be 'up', 'down' or 'nearest', got an object"],
      ],
    ],
    [
      'imageToTensor',
      (options) => pixels.imageToTensor(image, options),
      'imageToTensor',
      [
        [
          { dtype: 'float64' },
          TypeError,
          'dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got float64',
        ],
        [
          { dtype: '__proto__' },
          TypeError,
          "dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got '__proto__'",
        ],
        [{ layout: 'nchw' }, RangeError, "layout must be 'NCHW', 'NHWC', 'CHW' or 'HWC', got 'nchw'"],
        [{ channels: 'toString' }, RangeError, "channels must be 'RGB', 'BGR', 'RGBA' or 'L', got 'toString'"],
        [
          { preset: 'constructor' },
          RangeError,
          "preset must be 'imagenet', 'clip', 'unit', 'signed', 'yolo', 'yolo-cls', 'yolox', 'scrfd', " +
            "'rapidocr-det', 'paddleocr-det' or 'rapidocr-text', got 'constructor'",
        ],
        [{ preset: 'unit', mean: 0 }, TypeError, 'mean cannot stand beside preset, got 0'],
        [{ scale: '1' }, TypeError, "scale must be a number or a list of numbers, got '1'"],
        [{ scale: 1n }, TypeError, 'scale must be a number or a list of numbers, got 1'],
        [{ scale: NaN }, RangeError, 'scale must be finite in float32, got NaN'],
        [{ mean: 1e39 }, RangeError, 'mean must be finite in float32, got 1e+39'],
        [{ mean: [1, 2] }, RangeError, 'mean must hold 3 numbers, one for each of RGB, got 2'],
        [{ mean: Float32Array.of(1, 2, 3, 4) }, RangeError, 'mean must hold 3 numbers, one for each of RGB, got 4'],
        [{ mean: Int32Array.of(1, 2, 3) }, TypeError, 'mean must be a number or a list of numbers, got Int32Array'],
        // eslint-disable-next-line no-sparse-arrays
        [{ mean: [1, , 3] }, TypeError, 'mean must hold numbers, got [1, undefined, 3]'],
        [{ std: -0 }, RangeError, 'std must not be 0, got 0'],
        [{ std: [1, 1e-60, 1] }, RangeError, 'std must not be 0, got [1, 1e-60, 1]'],
        [{ width: 0 }, RangeError, 'width must be at least 1, got 0'],
        [{ width: 2 ** 53 }, RangeError, 'width must be at least 1, got 9007199254740992'],
        [{ height: 1.5 }, RangeError, 'height must be a whole number, got 1.5'],
        [{ height: '2' }, TypeError, "height must be a number or a bigint, got '2'"],
        [{ fit: 'cover' }, TypeError, 'fit needs width or height'],
        [
          { width: 2, background: {} },
          TypeError,
          'background must be a byte, a list of bytes or a CSS color, got an object',
        ],
        [{ out: null }, TypeError, 'out must be a tensor { type, dims, data }, got null'],
      ],
    ],
    [
      'tensorToImage',
      (options) => pixels.tensorToImage(picture, options),
      'tensorToImage',
      [
        [{ layout: 'HW' }, RangeError, "layout must have a letter for each of dims [3, 2, 2], got 'HW'"],
        [{ layout: 'HWC' }, RangeError, 'tensor must have 1, 3 or 4 channels, got dims [3, 2, 2] as HWC'],
        [{ channels: 'L' }, RangeError, "channels of dims [3, 2, 2] must be 3, got 'L'"],
        [{ scale: [1, 0, 1] }, RangeError, 'scale must not be 0, got [1, 0, 1]'],
      ],
    ],
    [
      'readNpy',
      (options) => readNpy(npy, options),
      'readNpy',
      [
        [{ dtype: 'float16' }, TypeError, 'dtype must be one that NumPy stores as |V2, got float16'],
        [{ dtype: 'hasOwnProperty' }, TypeError, `unknown type 'hasOwnProperty'. ${firstTypes}`],
        [{ dtype: Symbol('t') }, TypeError, 'type must be one of the 28 of ONNX, got Symbol(t)'],
        [{}, TypeError, 'dtype must say what |V2 elements are, got undefined'],
      ],
    ],
    [
      'writeTensorProto',
      (options) => writeTensorProto(x, options),
      'writeTensorProto',
      [[{ name: 5 }, TypeError, 'name must be a string, got 5']],
    ],
    [
      'writeSafetensors',
      (options) => writeSafetensors(new Map(), options),
      'writeSafetensors',
      [
        [{ metadata: {} }, TypeError, 'metadata must be a Map, got an object'],
        [{ metadata: new Map([['a', 1]]) }, TypeError, "metadata must hold strings, got ['a', 1]"],
        [{ metadata: new far.Map([[1, 'a']]) }, TypeError, "metadata must hold strings, got [1, 'a']"],
      ],
    ],
    [
      'init',
      (options) => layout.init(options),
      'init',
      [
        [{ wasm: 7 }, TypeError, 'wasm must be a WebAssembly.Module, bytes or a URL, got 7'],
        [
          { wasm: new SharedArrayBuffer(8) },
          TypeError,
          'wasm must be a WebAssembly.Module, bytes or a URL, got an object',
        ],
        [{ wasm: [0, 97] }, TypeError, 'wasm must be a WebAssembly.Module, bytes or a URL, got [0, 97]'],
      ],
    ],
  ];
  test.each(bags)('of %s', async (_, call, prefix, rows) => {
    for (const [options, Class, rule] of rows)
      expect(await outcome(call, options)).toEqual({ class: Class, message: `${prefix}: ${rule}` });
  });
});
