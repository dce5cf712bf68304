/**
 * Measures the memory that calls leave behind, and prints it as JSON. `npm run leaks` makes a million calls of each.
 * With a commit's hash behind the number of calls, a quarter of the functions is called.
 *
 * After a warm-up, bytes per call are measured between garbage collections. Of four rounds the least counts: a leak
 * shows in every round, and what the engine compiles late in one.
 */
import {
  cast,
  centerCropPad,
  concat,
  depthToSpace,
  dequantizeLinear,
  dynamicQuantizeLinear,
  expand,
  flatten,
  inferShape,
  init,
  pack,
  pad,
  rearrange,
  repeat,
  quantizeLinear,
  reshape,
  slice,
  spaceToDepth,
  split,
  splitToSequence,
  squeeze,
  stack,
  Tensor,
  tile,
  transpose,
  unpack,
  unsqueeze,
  unstack,
} from 'onnx-layout';
import {
  blobFromImage,
  crop,
  imageToTensor,
  letterbox,
  letterboxGeometry,
  pad as padPixels,
  resize,
  tensorToImage,
  textDetectionSize,
  thumbnail,
  toGray,
  unletterbox,
  warpAffine,
} from 'onnx-layout/image';
import {
  dequantizeWeights,
  dequantizeWeightsAsync,
  openModel,
  packMatMulNBits,
  quantizeWeights,
  quantizeWeightsAsync,
  saveModel,
  unpackMatMulNBits,
} from 'onnx-layout/io';
import { weightsModel } from '../support/models.js';
import { chooseEveryNth } from '../support/sample.js';
import { memoriesOf } from '../support/wasm-memory.js';

const [memory] = await memoriesOf(init);

const calls = Number(process.argv[2] ?? 1_000_000);
const hash = process.argv[3];
const x = { type: 'float32', data: Float32Array.from({ length: 24 }, (_, i) => i), dims: [2, 3, 4] };
const bytes = { type: 'uint8', data: new Uint8Array(96), dims: [2, 3, 16] };
const one = { type: 'float32', data: Float32Array.of(0.5), dims: [] };
const scales = { type: 'float32', data: Float32Array.of(1, 2, 3, 4), dims: [4] };
const strings = { type: 'string', data: ['a', 'b', 'c', 'd'], dims: [2, 2] };
const image = { data: new Uint8Array(12), width: 2, height: 2 };
const image4 = { type: 'float32', data: x.data, dims: [1, 4, 2, 3] };
const geometry = letterboxGeometry(image, { width: 3, height: 3 });
const out = { type: 'float32', data: new Float32Array(24), dims: [4, 3, 2] };

/** Makes a call that must be refused, and returns the error. */
const refused = (call) => (i) => {
  try {
    call(i);
  } catch (error) {
    return error;
  }
  throw new Error('accepted');
};

/** Each gets the number of the call, so that lengths can vary: other lengths are other views. */
const functions = {
  flatten: () => flatten(x, { axis: 2 }),
  reshape: () => reshape(x, [4, -1]),
  'transpose element by element': () => transpose(x),
  'transpose in the module': () => transpose(bytes, { perm: [2, 0, 1] }),
  'transpose into out': () => transpose(x, { out }),
  'transpose of any length': (i) => transpose({ type: 'uint8', data: new Uint8Array(i % 1000), dims: [1, i % 1000] }),
  'transpose of strings': () => transpose(strings),
  splitToSequence: () => splitToSequence(x, 1),
  slice: () => slice(x, [3], [-9], [1], [-2]),
  'slice of any length': (i) => slice(bytes, [0], [i % 17], [2]),
  concat: () => concat([x, x], { axis: 1 }),
  split: () => split(x, [1, 2], { axis: 1 }),
  'pad by a constant': (i) => pad(x, [0, 0, i % 5, 1, 0, 0], 7),
  'pad by what is there': () => pad(x, [0, 1, 2, 1, 0, 0], null, null, { mode: 'reflect' }),
  'squeeze and unsqueeze': () => squeeze(unsqueeze(x, [1]), [1]),
  expand: (i) => expand(x, [1 + (i % 7), 1, 1, 1]),
  tile: () => tile(x, [1, 2, 2]),
  'depthToSpace and spaceToDepth': () => spaceToDepth(depthToSpace(image4, { blocksize: 2 }), { blocksize: 2 }),
  centerCropPad: () => centerCropPad(x, [3, 2, 9]),
  'rearrange and repeat': () => repeat(rearrange(x, 'a b c -> c (b a)'), 'c n -> n 2 c'),
  'rearrange by any pattern': (i) => rearrange(x, `a${i} b c -> c b a${i}`),
  'stack and unstack': () => unstack(stack([x, x]), { axis: 1 }),
  quantizeLinear: (i) => quantizeLinear(x, scales, undefined, { axis: 2, saturate: i % 2 }),
  dequantizeLinear: () => dequantizeLinear(bytes, one, undefined),
  dynamicQuantizeLinear: () => dynamicQuantizeLinear(x),
  'cast in the module': () => cast(x, 'float16'),
  'cast in the engine': () => cast(x, 'float64'),
  'cast to text': () => cast(strings, 'string'),
  'pack and unpack': (i) => unpack('int4', pack('int4', new Int8Array(i % 9)), i % 9),
  imageToTensor: () => imageToTensor(image, { preset: 'imagenet' }),
  'imageToTensor, resized': () => imageToTensor(image, { width: 3, height: 1, fit: 'cover' }),
  resize: (i) => resize(image, { width: 1 + (i % 9), height: 3 }),
  'resize as OpenCV': (i) => resize(image, { width: 1 + (i % 9), height: 3, backend: 'opencv' }),
  letterbox: (i) => letterbox(image, { width: 1 + (i % 9), height: 3 }),
  letterboxGeometry: (i) => letterboxGeometry(image, { width: 1 + (i % 9), height: 3 }),
  unletterbox: () => unletterbox([1, 2, 3, 4], geometry),
  'imageToTensor, in a letterbox': () => imageToTensor(image, { letterbox: { width: 3, height: 1 }, preset: 'yolo' }),
  'imageToTensor by tables': () => imageToTensor(image, { preset: 'rapidocr-text' }),
  blobFromImage: () => blobFromImage(image, { width: 3, height: 3, mean: [1, 2, 3], scalefactor: 0.1 }),
  'pad of pixels': (i) => padPixels(image, { top: i % 9, border: 'reflect' }),
  crop: (i) => crop(image, { box: [0, -1, 1 + (i % 9), 2] }),
  warpAffine: (i) => warpAffine(image, [1, 0, i % 9, 0, 1, 0], { filter: 'cubic' }),
  toGray: () => toGray(image),
  textDetectionSize: () => textDetectionSize(image),
  thumbnail: () => thumbnail(image, { width: 1, height: 1 }),
  tensorToImage: () => tensorToImage({ type: 'float32', data: x.data.subarray(0, 12), dims: [3, 2, 2] }),
  inferShape: () => inferShape('Flatten', { input: { type: 'float32', dims: ['N', 2, 3] } }),
  Tensor: () => new Tensor('float32', x.data, [24]),
  'flatten, refused': refused((i) => flatten(x, { axis: 9 + i })),
  'reshape, refused': refused((i) => reshape(x, [25 + i])),
  'transpose, refused': refused(() => transpose(x, { perm: [0, 0, 1] })),
  'transpose into out, refused': refused(() => transpose(x, { out: x })),
  'splitToSequence, refused': refused((i) => splitToSequence(x, [i, 3])),
  'slice, refused': refused((i) => slice(x, [i], [i], [3])),
  'concat, refused': refused(() => concat([x, bytes], { axis: 0 })),
  'split, refused': refused((i) => split(x, [i, 3])),
  'pad, refused': refused((i) => pad(x, [i])),
  'rearrange, refused': refused((i) => rearrange(x, `a${i} b -> b`)),
  'quantizeLinear, refused': refused((i) => quantizeLinear(x, scales, undefined, { axis: i % 2 })),
  'cast, refused': refused(() => cast(x, 'float33')),
  'cast of text, refused': refused(() => cast(strings, 'int8')),
  'unpack, refused': refused((i) => unpack('int4', new Uint8Array(1), 3 + i)),
  'imageToTensor, refused': refused(() => imageToTensor(image, { mean: [1] })),
};

const weights = { type: 'float32', data: Float32Array.from({ length: 40 }, (_, i) => i), dims: [20, 2] };
const plainModel = weightsModel('MatMul', weights);
const packedModel = quantizeWeights(plainModel).model;
const source = { byteLength: plainModel.length, slice: (from, to) => plainModel.slice(from, to) };
const packedSource = { byteLength: packedModel.length, slice: (from, to) => packedModel.slice(from, to) };
const wrong = { byteLength: 99, slice: () => new Uint8Array(1) };

/** Makes a file, and drops it. */
async function saved(promise) {
  let length = 0;
  for await (const { length: more } of (await promise).model) length += more;
  return length;
}

/** Calls that take longer, most of which give promises: of these there are fewer. */
const slow = {
  'packMatMulNBits and unpackMatMulNBits': () => unpackMatMulNBits(packMatMulNBits(weights)),
  quantizeWeights: () => quantizeWeights(plainModel),
  dequantizeWeights: () => dequantizeWeights(packedModel),
  openModel: async () => (await openModel(source)).initializers.get('W').read(),
  saveModel: async () => {
    const { bytes: graph, initializers } = await openModel(source);
    return saved(saveModel(graph, initializers));
  },
  quantizeWeightsAsync: () => saved(quantizeWeightsAsync(source)),
  'quantizeWeightsAsync, that nobody reads': () => quantizeWeightsAsync(source, { form: 'qdq' }),
  dequantizeWeightsAsync: () => saved(dequantizeWeightsAsync(packedSource)),
  'quantizeWeightsAsync, refused': () => quantizeWeightsAsync(wrong).catch((error) => error),
  'openModel, refused': () => openModel(wrong).catch((error) => error),
};

function used() {
  // Twice, because what a finalizer frees is gone after the second collection.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return { heapUsed, external };
}

const results = [];
// Stack traces take most of the time of a refused call.
Error.stackTraceLimit = 0;
const all = Object.entries({ ...functions, ...slow });
for (const [name, call] of hash === undefined ? all : chooseEveryNth(all, 4, hash)) {
  const isSlow = name in slow;
  const count = isSlow ? calls / 50 : calls;
  const round = count / 4;
  // Calls that wait for nothing are not awaited: that would take as long again.
  for (let i = 0; i < round; i++) {
    const result = call(i);
    if (isSlow) await result;
  }
  const wasmBefore = memory.buffer.byteLength;
  const readings = [used()];
  for (let i = 0; i < count; i++) {
    const result = call(i);
    if (isSlow) await result;
    if ((i + 1) % round === 0) readings.push(used());
  }
  const least = (key) => Math.min(...readings.slice(1).map((reading, k) => reading[key] - readings[k][key])) / round;
  results.push({
    name,
    calls: count,
    bytesPerCall: least('heapUsed'),
    externalPerCall: least('external'),
    wasmBefore,
    wasmAfter: memory.buffer.byteLength,
  });
}

// Plans are kept for the next tensor of the same shape. How many bytes they take is read ten times during 1500 shapes.
const large = new Uint8Array(2 ** 20);
const perms = [
  [1, 0, 2],
  [2, 1, 0],
  [2, 0, 1],
  [0, 2, 1],
];
const first = used().heapUsed;
const kept = [];
for (let i = 0; i < 1500; i++) {
  const [inner, middle] = [200 + (i % 211), 3 + (i % 37)];
  const outer = Math.floor(600_000 / (inner * middle));
  transpose(
    { type: 'uint8', data: large.subarray(0, outer * middle * inner), dims: [outer, middle, inner] },
    { perm: perms[i % 4] },
  );
  if (i % 150 === 149) kept.push(used().heapUsed - first);
}
console.log(JSON.stringify({ results, kept }));
