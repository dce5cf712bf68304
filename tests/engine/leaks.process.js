/**
 * Measures the memory that calls leave behind, and prints it as JSON. `npm run leaks` makes a million calls of each.
 * With a commit's hash behind the number of calls, a sixteenth of the functions is called.
 *
 * After a warm-up, bytes per call are measured between garbage collections. Of four rounds the least counts: a leak
 * shows in every round, and what the engine compiles late in one.
 */
import * as layout from 'onnx-layout';
import * as pixels from 'onnx-layout/image';
import * as convert from 'onnx-layout/convert';
import * as io from 'onnx-layout/io';
import { weightsModel } from '../support/models.js';
import { chooseEveryNth } from '../support/sample.js';
import { memoriesOf } from '../support/wasm-memory.js';

const [memory] = await memoriesOf(pixels.init);

const calls = Number(process.argv[2] ?? 1_000_000);
const hash = process.argv[3];
const x = { type: 'float32', data: Float32Array.from({ length: 24 }, (_, i) => i), dims: [2, 3, 4] };
const bytes = { type: 'uint8', data: new Uint8Array(96), dims: [2, 3, 16] };
const one = { type: 'float32', data: Float32Array.of(0.5), dims: [] };
const scales = { type: 'float32', data: Float32Array.of(1, 2, 3, 4), dims: [4] };
const strings = { type: 'string', data: ['a', 'b', 'c', 'd'], dims: [2, 2] };
const image = { data: new Uint8Array(12), width: 2, height: 2 };
const image4 = { type: 'float32', data: x.data, dims: [1, 4, 2, 3] };
const geometry = pixels.letterboxGeometry(image, { width: 3, height: 3 });
const out = { type: 'float32', data: new Float32Array(24), dims: [4, 3, 2] };

/** A function that makes a call which must throw, and returns the error. */
const catchError = (call) => (i) => {
  try {
    call(i);
  } catch (error) {
    return error;
  }
  throw new Error('accepted');
};

/** Calls by name. Each gets its own number, so that lengths can vary: every length needs a view of its own. */
const functions = {
  flatten: () => layout.flatten(x, { axis: 2 }),
  reshape: () => layout.reshape(x, [4, -1]),
  'transpose element by element': () => layout.transpose(x),
  'transpose in the module': () => layout.transpose(bytes, { perm: [2, 0, 1] }),
  'transpose into out': () => layout.transpose(x, { out }),
  'transpose of any length': (i) =>
    layout.transpose({ type: 'uint8', data: new Uint8Array(i % 1000), dims: [1, i % 1000] }),
  'transpose of strings': () => layout.transpose(strings),
  splitToSequence: () => layout.splitToSequence(x, 1),
  slice: () => layout.slice(x, [3], [-9], [1], [-2]),
  'slice of any length': (i) => layout.slice(bytes, [0], [i % 17], [2]),
  concat: () => layout.concat([x, x], { axis: 1 }),
  split: () => layout.split(x, [1, 2], { axis: 1 }),
  'pad by a constant': (i) => layout.pad(x, [0, 0, i % 5, 1, 0, 0], 7),
  'pad by reflection': () => layout.pad(x, [0, 1, 2, 1, 0, 0], null, null, { mode: 'reflect' }),
  'squeeze and unsqueeze': () => layout.squeeze(layout.unsqueeze(x, [1]), [1]),
  expand: (i) => layout.expand(x, [1 + (i % 7), 1, 1, 1]),
  tile: () => layout.tile(x, [1, 2, 2]),
  'depthToSpace and spaceToDepth': () =>
    layout.spaceToDepth(layout.depthToSpace(image4, { blocksize: 2 }), { blocksize: 2 }),
  centerCropPad: () => layout.centerCropPad(x, [3, 2, 9]),
  'rearrange and repeat': () => layout.repeat(layout.rearrange(x, 'a b c -> c (b a)'), 'c n -> n 2 c'),
  'rearrange by any pattern': (i) => layout.rearrange(x, `a${i} b c -> c b a${i}`),
  'stack and unstack': () => layout.unstack(layout.stack([x, x]), { axis: 1 }),
  quantizeLinear: (i) => layout.quantizeLinear(x, scales, undefined, { axis: 2, saturate: i % 2 }),
  dequantizeLinear: () => layout.dequantizeLinear(bytes, one, undefined),
  dynamicQuantizeLinear: () => layout.dynamicQuantizeLinear(x),
  'cast in the module': () => layout.cast(x, 'float16'),
  'cast in the engine': () => layout.cast(x, 'float64'),
  'cast to text': () => layout.cast(strings, 'string'),
  'pack and unpack': (i) => layout.unpack('int4', layout.pack('int4', new Int8Array(i % 9)), i % 9),
  imageToTensor: () => pixels.imageToTensor(image, { preset: 'imagenet' }),
  'imageToTensor, resized': () => pixels.imageToTensor(image, { width: 3, height: 1, fit: 'cover' }),
  resize: (i) => pixels.resize(image, { width: 1 + (i % 9), height: 3 }),
  'resize as OpenCV': (i) => pixels.resize(image, { width: 1 + (i % 9), height: 3, backend: 'opencv' }),
  letterbox: (i) => pixels.letterbox(image, { width: 1 + (i % 9), height: 3 }),
  letterboxGeometry: (i) => pixels.letterboxGeometry(image, { width: 1 + (i % 9), height: 3 }),
  unletterbox: () => pixels.unletterbox([1, 2, 3, 4], geometry),
  'imageToTensor, in a letterbox': () =>
    pixels.imageToTensor(image, { letterbox: { width: 3, height: 1 }, preset: 'yolo' }),
  'imageToTensor by tables': () => pixels.imageToTensor(image, { preset: 'rapidocr-text' }),
  blobFromImage: () => pixels.blobFromImage(image, { width: 3, height: 3, mean: [1, 2, 3], scalefactor: 0.1 }),
  copyMakeBorder: (i) => pixels.copyMakeBorder(image, { top: i % 9, border: 'reflect' }),
  crop: (i) => pixels.crop(image, { box: [0, -1, 1 + (i % 9), 2] }),
  warpAffine: (i) => pixels.warpAffine(image, [1, 0, i % 9, 0, 1, 0], { filter: 'cubic' }),
  toGray: () => pixels.toGray(image),
  textDetectionSize: () => pixels.textDetectionSize(image),
  textLineBatches: () => pixels.textLineBatches([image, image]),
  textPage: (i) => pixels.textPage(image, { minSideLen: 30 + (i % 9) }),
  thumbnail: () => pixels.thumbnail(image, { width: 1, height: 1 }),
  tensorToImage: () => pixels.tensorToImage({ type: 'float32', data: x.data.subarray(0, 12), dims: [3, 2, 2] }),
  inferShape: () => layout.inferShape('Flatten', { input: { type: 'float32', dims: ['N', 2, 3] } }),
  Tensor: () => new layout.Tensor('float32', x.data, [24]),
  'flatten, refused': catchError((i) => layout.flatten(x, { axis: 9 + i })),
  'reshape, refused': catchError((i) => layout.reshape(x, [25 + i])),
  'transpose, refused': catchError(() => layout.transpose(x, { perm: [0, 0, 1] })),
  'transpose into out, refused': catchError(() => layout.transpose(x, { out: x })),
  'splitToSequence, refused': catchError((i) => layout.splitToSequence(x, [i, 3])),
  'slice, refused': catchError((i) => layout.slice(x, [i], [i], [3])),
  'concat, refused': catchError(() => layout.concat([x, bytes], { axis: 0 })),
  'split, refused': catchError((i) => layout.split(x, [i, 3])),
  'pad, refused': catchError((i) => layout.pad(x, [i])),
  'rearrange, refused': catchError((i) => layout.rearrange(x, `a${i} b -> b`)),
  'quantizeLinear, refused': catchError((i) => layout.quantizeLinear(x, scales, undefined, { axis: i % 2 })),
  'cast, refused': catchError(() => layout.cast(x, 'float33')),
  'cast of text, refused': catchError(() => layout.cast(strings, 'int8')),
  'unpack, refused': catchError((i) => layout.unpack('int4', new Uint8Array(1), 3 + i)),
  'imageToTensor, refused': catchError(() => pixels.imageToTensor(image, { mean: [1] })),
};

const weights = { type: 'float32', data: Float32Array.from({ length: 40 }, (_, i) => i), dims: [20, 2] };
const plainModel = weightsModel('MatMul', weights);
const packedModel = convert.quantizeWeights(plainModel).model;
const source = { byteLength: plainModel.length, slice: (from, to) => plainModel.slice(from, to) };
const packedSource = { byteLength: packedModel.length, slice: (from, to) => packedModel.slice(from, to) };
const wrong = { byteLength: 99, slice: () => new Uint8Array(1) };

/** Reads all of a file that a save gives, and keeps nothing of it. */
async function drainFile(promise) {
  let length = 0;
  for await (const { length: more } of (await promise).model) length += more;
  return length;
}

/** Calls that take longer, most of which give promises: of these there are fewer. */
const slow = {
  'packMatMulNBits and unpackMatMulNBits': () => convert.unpackMatMulNBits(convert.packMatMulNBits(weights)),
  quantizeWeights: () => convert.quantizeWeights(plainModel),
  dequantizeWeights: () => convert.dequantizeWeights(packedModel),
  openModel: async () => (await io.openModel(source)).initializers.get('W').read(),
  saveModel: async () => {
    const { bytes: graph, initializers } = await io.openModel(source);
    return drainFile(io.saveModel(graph, initializers));
  },
  quantizeWeightsAsync: () => drainFile(convert.quantizeWeightsAsync(source)),
  'quantizeWeightsAsync, that nobody reads': () => convert.quantizeWeightsAsync(source, { form: 'qdq' }),
  dequantizeWeightsAsync: () => drainFile(convert.dequantizeWeightsAsync(packedSource)),
  'quantizeWeightsAsync, refused': () => convert.quantizeWeightsAsync(wrong).catch((error) => error),
  'openModel, refused': () => io.openModel(wrong).catch((error) => error),
};

function measureHeap() {
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
for (const [name, call] of hash === undefined ? all : chooseEveryNth(all, 16, hash)) {
  const isSlow = name in slow;
  const count = isSlow ? calls / 50 : calls;
  const round = count / 4;
  // Calls that wait for nothing are not awaited: that would take as long again.
  for (let i = 0; i < round; i++) {
    const result = call(i);
    if (isSlow) await result;
  }
  const wasmBefore = memory.buffer.byteLength;
  const readings = [measureHeap()];
  for (let i = 0; i < count; i++) {
    const result = call(i);
    if (isSlow) await result;
    if ((i + 1) % round === 0) readings.push(measureHeap());
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
const first = measureHeap().heapUsed;
const kept = [];
for (let i = 0; i < 1500; i++) {
  const [inner, middle] = [200 + (i % 211), 3 + (i % 37)];
  const outer = Math.floor(600_000 / (inner * middle));
  layout.transpose(
    { type: 'uint8', data: large.subarray(0, outer * middle * inner), dims: [outer, middle, inner] },
    { perm: perms[i % 4] },
  );
  if (i % 150 === 149) kept.push(measureHeap().heapUsed - first);
}
console.log(JSON.stringify({ results, kept }));
