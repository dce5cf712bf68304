/** Options bags of all makes, for every public function that takes one. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import * as pixels from 'onnx-layout/image';
import { readModel, readNpy, readTensorProto, writeNpy, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { imageProcessor, imageProcessorAsync } from 'onnx-layout/processors';
import { rejects } from '../support/assertions.js';
import { otherRealm, unknownOption } from './adversarial.js';

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

/** Each function with a bag, by the prefix of its messages: a call, and a bag that changes the result. */
const takers = {
  'Flatten-25': [(options) => layout.flatten(x, options), { axis: 0 }],
  'Reshape-25': [
    (options) => layout.reshape({ ...x, data: new Float32Array(0), dims: [0, 3] }, [0, 5, 3], options),
    { allowzero: true },
  ],
  'Transpose-25': [(options) => layout.transpose(x, options), { perm: [0, 1] }],
  'SplitToSequence-24': [(options) => layout.splitToSequence(x, undefined, options), { axis: 1 }],
  'Slice-13': [(options) => layout.slice(x, [1], [9], null, null, options), { out: room([1, 3]) }],
  'Concat-13': [(options = { axis: 0 }) => layout.concat([x, x], options), { axis: 1 }],
  'Split-18': [(options = { num_outputs: 1 }) => layout.split(x, null, options), { num_outputs: 2 }],
  'Pad-25': [(options) => layout.pad(x, [1, 0, 0, 0], null, null, options), { mode: 'edge' }],
  'DepthToSpace-28': [
    (options = { blocksize: 1 }) =>
      layout.depthToSpace({ ...x, data: x.data.slice(0, 4), dims: [1, 4, 1, 1] }, options),
    { blocksize: 2 },
  ],
  'CenterCropPad-18': [(options) => layout.centerCropPad(x, [2, 1], options), { axes: [1, 0] }],
  rearrange: [(options) => layout.rearrange(x, 'a b -> b a', undefined, options), { out: room([3, 2]) }],
  stack: [(options) => layout.stack([x, x], options), { axis: 1 }],
  unstack: [(options) => layout.unstack(x, options), { axis: 1 }],
  'Cast-28': [
    (options) => layout.cast({ ...x, data: x.data.map((value) => value * 1e6) }, 'float8e4m3fn', options),
    { saturate: 0 },
  ],
  'inferShape Transpose-25': [
    (options) => layout.inferShape('Transpose', { data: { type: 'int8', dims: ['N', 3] } }, options),
    { perm: [0, 1] },
  ],
  'inferShape Split-18': [
    (options = { outputs: 1 }) => layout.inferShape('Split', { input: { type: 'int8', dims: [3] } }, options),
    { outputs: 3 },
  ],
  'inferShape Cast-28': [
    (options = { to: 'int8' }) => layout.inferShape('Cast', { input: { type: 'int8', dims: [3] } }, options),
    { to: 'int16' },
  ],
  imageToTensor: [(options) => pixels.imageToTensor(image, options), { layout: 'NHWC' }],
  imageToTensorAsync: [(options) => pixels.imageToTensorAsync(image, options), { mean: [1, 2, 3] }],
  imageProcessor: [(options) => imageProcessor(processor, options)(image).pixel_values, { dtype: 'float16' }],
  imageProcessorAsync: [
    async (options) => (await imageProcessorAsync(processor, options)(image)).pixel_values,
    { className: 'BlipImageProcessor' },
  ],
  letterbox: [(options = { width: 5, height: 2 }) => pixels.letterbox(image, options), { width: 3, height: 4 }],
  letterboxGeometry: [
    (options = { width: 5, height: 2 }) => pixels.letterboxGeometry(image, options),
    { width: 3, height: 4 },
  ],
  unletterbox: [(options) => pixels.unletterbox([5, 6, 7, 8], geometry, options), { format: 'xywh' }],
  copyMakeBorder: [(options) => pixels.copyMakeBorder(image, options), { top: 2 }],
  crop: [(options = { box: [1, 1, 6, 3] }) => pixels.crop(image, options), { box: [1, 0, 2, 3] }],
  alignFace: [(options) => pixels.alignFace(image, [1, 1, 2, 1, 1.5, 2, 1, 3, 2, 3], options), { size: 128 }],
  warpAffine: [(options) => pixels.warpAffine(image, [1, 0.5, 0, 0, 1, 0], options), { width: 3 }],
  warpPerspective: [
    (options) => pixels.warpPerspective(image, [1, 0.5, 0, 0, 1, 0, 0, 0, 1], options),
    { border: 'replicate' },
  ],
  toGray: [(options) => pixels.toGray(image, options), { backend: 'opencv' }],
  blobFromImage: [(options) => pixels.blobFromImage(image, options), { swapRB: true }],
  textDetectionSize: [(options) => pixels.textDetectionSize(image, options), { limitType: 'max' }],
  textLineBatches: [(options) => pixels.textLineBatches([image], options), { width: 192 }],
  textPage: [(options) => pixels.textPage(image, options), { minHeight: 40 }],
  tensorToImage: [(options) => pixels.tensorToImage(picture, options), { channels: 'BGR' }],
  init: [(options) => layout.init(options), { wasm: new Uint8Array(0) }],
  readNpy: [(options = { dtype: 'bfloat16' }) => readNpy(npy, options), { dtype: 'bfloat16' }],
  readTensorProto: [(options) => readTensorProto(file, options), { external: () => {} }],
  readModel: [(options) => readModel(Uint8Array.of(0x08, 8), options), { external: () => {} }],
  writeTensorProto: [(options) => writeTensorProto(x, options), { name: 'x' }],
  writeSafetensors: [(options) => writeSafetensors(new Map([['x', x]]), options), { metadata: new Map([['a', 'b']]) }],
};

/** The result of a call, or the class and message of what it throws. */
async function outcome(call, ...args) {
  try {
    return { result: await call(...args) };
  } catch (error) {
    return { class: error.constructor, message: error.message };
  }
}

describe.each(Object.entries(takers))('%s', (name, [call, bag]) => {
  // The inference of an operator has options of its own, and the operator's prefix.
  const prefix = name.replace(/^inferShape /, '');
  const early = prefix.replace(/-.*/, '');
  const unknown = (key) => unknownOption(prefix, key, name.startsWith('inferShape') ? name : prefix);
  const good = () => outcome(call, bag);
  let [plain, changed] = [];
  beforeAll(async () => {
    plain = await outcome(call);
    changed = await good();
    expect([plain.message, changed.message]).toEqual([undefined, undefined]);
  });
  /** The call is refused, and the next one gives its result. */
  async function expectRefusal(options, Class, message) {
    expect(await outcome(call, options)).toEqual({ class: Class, message });
    expect(await good()).toEqual(changed);
  }

  test('takes a bag without a prototype, of another realm, that inherits, is frozen, or holds symbols', async () => {
    const [[key, value]] = Object.entries(bag);
    const bags = [
      Object.assign(Object.create(null), bag),
      Object.assign(new otherRealm.Object(), bag),
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
      await expectRefusal(options, TypeError, `${early}: options must be an object, got ${shown}`);
  });

  test('refuses a key that it does not have, whatever it is called', async () => {
    const keys = ['flavour', 'toString', 'constructor', 'hasOwnProperty', '', '0', 'x'.repeat(61)];
    for (const key of keys) await expectRefusal({ ...bag, [key]: undefined }, TypeError, unknown(key));
    await expectRefusal(
      Object.defineProperty({ ...bag }, '__proto__', { value: 1, enumerable: true }),
      TypeError,
      unknown('__proto__'),
    );
    await expectRefusal({ ...bag, __proto__: { inherited: 1 } }, TypeError, unknown('inherited'));
    // An operator's operands may stand in the place of its options: it says what a list in that place should be.
    const [, operator, first] = /^(\w+-\d+): .* Known: (\w+)/.exec(unknown('0')) ?? [];
    const message = operator ? `${operator}: options must be an object, as { ${first} }, got ['axis']` : unknown('0');
    await expectRefusal(Object.assign(['axis'], bag), TypeError, message);
  });

  test('lets what a getter throws through, and works on', async () => {
    const [[key]] = Object.entries(bag);
    class Own extends Error {}
    const options = {
      get [key]() {
        throw new Own("the caller's");
      },
    };
    await expectRefusal(options, Own, "the caller's");
  });
});

describe('values of options', () => {
  const presets =
    "'imagenet', 'clip', 'unit', 'signed', 'yolo', 'yolo-cls', 'yolox', 'scrfd', 'rapidocr-det', 'paddleocr-det'";

  rejects('Cast-28', (options) => layout.cast(x, 'float8e8m0', options), {
    'RangeError: saturate must be 0 or 1, got 2': [{ saturate: 2 }],
    'TypeError: saturate must be 0 or 1, got NaN': [{ saturate: NaN }],
    'RangeError: saturate must be 0 or 1, got 18446744073709551616': [{ saturate: 2n ** 64n }],
    "TypeError: saturate must be 0 or 1, got '1'": [{ saturate: '1' }],
    'TypeError: saturate must be 0 or 1, got null': [{ saturate: null }],
    'TypeError: saturate must be 0 or 1, got an object': [{ saturate: new Number(1) }],
    "RangeError: round_mode must be 'up', 'down' or 'nearest', got 'UP'": [{ round_mode: 'UP' }],
    "TypeError: round_mode must be 'up', 'down' or 'nearest', got 0": [{ round_mode: 0 }],
    "TypeError: round_mode must be 'up', 'down' or 'nearest', got ['up']": [{ round_mode: ['up'] }],
    "TypeError: round_mode must be 'up', 'down' or 'nearest', got an object": [{ round_mode: new String('up') }],
  });

  rejects('imageToTensor', (options) => pixels.imageToTensor(image, options), {
    'TypeError: dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got float64': () =>
      pixels.imageToTensor(image, { dtype: 'float64' }),
    "TypeError: dtype must be uint8, int8, float32, float16 or bfloat16 (cast gives the others), got '__proto__'": () =>
      pixels.imageToTensor(image, { dtype: '__proto__' }),
    "RangeError: layout must be 'NCHW', 'NHWC', 'CHW' or 'HWC', got 'nchw'": [{ layout: 'nchw' }],
    "RangeError: channels must be 'RGB', 'BGR', 'RGBA' or 'L', got 'toString'": [{ channels: 'toString' }],
    [`RangeError: preset must be ${presets} or 'rapidocr-text', got 'constructor'`]: [{ preset: 'constructor' }],
    'TypeError: mean cannot stand beside preset, got 0': [{ preset: 'unit', mean: 0 }],
    "TypeError: scale must be a number or a list of numbers, got '1'": [{ scale: '1' }],
    'TypeError: scale must be a number or a list of numbers, got 1': [{ scale: 1n }],
    'RangeError: scale must be finite in float32, got NaN': [{ scale: NaN }],
    'RangeError: mean must be finite in float32, got 1e+39': [{ mean: 1e39 }],
    'RangeError: mean must hold 3 numbers, one for each of RGB, got 2': [{ mean: [1, 2] }],
    'RangeError: mean must hold 3 numbers, one for each of RGB, got 4': [{ mean: Float32Array.of(1, 2, 3, 4) }],
    'TypeError: mean must be a number or a list of numbers, got Int32Array': [{ mean: Int32Array.of(1, 2, 3) }],
    // eslint-disable-next-line no-sparse-arrays
    'TypeError: mean must hold numbers, got [1, undefined, 3]': [{ mean: [1, , 3] }],
    'RangeError: std must not be 0, got 0': [{ std: -0 }],
    'RangeError: std must not be 0, got [1, 1e-60, 1]': [{ std: [1, 1e-60, 1] }],
    'RangeError: width must be at least 1, got 0': [{ width: 0 }],
    'RangeError: width must be at least 1, got 9007199254740992': [{ width: 2 ** 53 }],
    'RangeError: height must be a whole number, got 1.5': [{ height: 1.5 }],
    "TypeError: height must be a number or a bigint, got '2'": [{ height: '2' }],
    'TypeError: fit needs width or height': [{ fit: 'cover' }],
    'TypeError: background must be a byte, a list of bytes or a CSS color, got an object': () =>
      pixels.imageToTensor(image, { width: 2, background: {} }),
    'TypeError: out must be a tensor { type, dims, data }, got null': [{ out: null }],
  });

  rejects('tensorToImage', (options) => pixels.tensorToImage(picture, options), {
    "RangeError: layout must have a letter for each of dims [3, 2, 2], got 'HW'": [{ layout: 'HW' }],
    'RangeError: tensor must have 1, 3 or 4 channels, got dims [3, 2, 2] as HWC': [{ layout: 'HWC' }],
    "RangeError: channels of dims [3, 2, 2] must be 3, got 'L'": [{ channels: 'L' }],
    'RangeError: scale must not be 0, got [1, 0, 1]': [{ scale: [1, 0, 1] }],
  });

  rejects('readNpy', (options) => readNpy(npy, options), {
    'TypeError: dtype must be one that NumPy stores as |V2, got float16': [{ dtype: 'float16' }],
    [`TypeError: unknown type 'hasOwnProperty'. ${firstTypes}`]: [{ dtype: 'hasOwnProperty' }],
    'TypeError: type must be one of the 28 of ONNX, got Symbol(t)': [{ dtype: Symbol('t') }],
    'TypeError: dtype must say what |V2 elements are, got undefined': [{}],
  });

  rejects('writeTensorProto', (options) => writeTensorProto(x, options), {
    'TypeError: name must be a string, got 5': [{ name: 5 }],
  });

  rejects('writeSafetensors', (options) => writeSafetensors(new Map(), options), {
    'TypeError: metadata must be a Map, got an object': [{ metadata: {} }],
    "TypeError: metadata must hold strings, got ['a', 1]": [{ metadata: new Map([['a', 1]]) }],
    "TypeError: metadata must hold strings, got [1, 'a']": [{ metadata: new otherRealm.Map([[1, 'a']]) }],
  });

  rejects('init', (options) => layout.init(options), {
    'TypeError: wasm must be a WebAssembly.Module, bytes or a URL, got 7': [{ wasm: 7 }],
    'TypeError: wasm must be a WebAssembly.Module, bytes or a URL, got an object': [{ wasm: new SharedArrayBuffer(8) }],
    'TypeError: wasm must be a WebAssembly.Module, bytes or a URL, got [0, 97]': [{ wasm: [0, 97] }],
  });
});
