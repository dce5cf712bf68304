/**
 * Each property of an argument is read once, and nothing else is read: a getter that changes its answer cannot pass a
 * check with one value and be used with another. One table holds all public functions.
 */
import { beforeAll, expect, test } from '@jest/globals';
import * as layout from 'onnx-layout';
import * as io from 'onnx-layout/io';
import * as processors from 'onnx-layout/processors';
import { pathsOf, watched } from '../support/watched.js';

const { Tensor } = layout;
beforeAll(() => layout.init());

const tensor = (type = 'int32', data = Int32Array.of(1, 2, 3, 4, 5, 6), dims = [2, 3]) => ({ type, data, dims });
const strings = (dims = [2, 3], entries = ['1', '2', '3', '4', '5', '6']) => ({ type: 'string', data: entries, dims });
const shape = { type: 'int64', data: BigInt64Array.of(3n, 2n), dims: [2] };
const pixels = { data: new Uint8Array(12), width: 2, height: 2, channels: 3, rowstride: 6 };
const resizing = { width: 2, height: 2, fit: 'cover', background: 'red', filter: 'box', backend: 'pil' };
const letterboxing = {
  width: 4,
  height: 4,
  auto: false,
  stride: 32,
  scaleFill: false,
  scaleup: true,
  center: true,
  color: [1, 2, 3],
  filter: 'linear',
  rounding: 'round',
};
const numbers = {
  layout: 'NHWC',
  channels: 'BGR',
  type: 'int8',
  scale: [1, 2, 3],
  mean: Float64Array.of(1, 2, 3),
  std: [1, 2, 3],
};
const imageOptions = { ...numbers, ...resizing, alpha: 'white', out: tensor('int8', new Int8Array(24), [2, 2, 2, 3]) };
/** The tag tells a bitmap or a Blob from pixels. */
const scalar = { type: 'int64', data: BigInt64Array.of(0n), dims: [] };
/** Two rows to write to. */
const pieces = [0, 1].map(() => tensor('int32', new Int32Array(3), [1, 3]));
const tagsOf = (name, count) => Array.from({ length: count }, (_, i) => `${name}.${i}.Symbol(Symbol.toStringTag)`);
const tags = tagsOf('image', 2);
const presetOptions = { preset: 'unit', layout: 'CHW' };
const absent = (path, ...names) => names.map((name) => `${path}.${name}`);

const info = { name: 'x', type: 'int32', dims: [2, null], sequence: false };
const node = {
  name: '',
  operator: 'Transpose',
  domain: '',
  inputs: ['x'],
  outputs: ['y'],
  attributes: new Map([['perm', [1, 0]]]),
};
const model = {
  opsets: new Map([['', 25]]),
  initializers: new Map([['w', tensor()]]),
  nodes: [node],
  inputs: [info, { ...info, name: 's', dims: null, sequence: true }],
  outputs: [{ name: 'y' }],
};
const modelFile = Uint8Array.from([
  0x3a,
  2 + io.writeTensorProto(tensor(), { name: 'w' }).length,
  0x2a,
  io.writeTensorProto(tensor(), { name: 'w' }).length,
  ...io.writeTensorProto(tensor(), { name: 'w' }),
]);

/** A source of whatever bytes, which notes nothing itself. */
const sourceOf = (bytes) => ({ byteLength: bytes.length, slice: (start, end) => bytes.slice(start, end) });
const sourceParts = (path) => absent(path, 'size', 'read', 'stat');
const saving = { onProgress: () => {}, signal: undefined };
/** A server of one byte. */
const oneByte = async () =>
  new Response(Uint8Array.of(1), { status: 206, headers: { 'Content-Range': 'bytes 0-0/1' } });

/** The tensors that packMatMulNBits gives for weights [2, 3]. */
const packedWeights = () => ({
  B: tensor('uint8', new Uint8Array(24), [3, 1, 8]),
  scales: tensor('float32', new Float32Array(3), [3, 1]),
  zero_points: tensor('uint8', new Uint8Array(3), [3, 1]),
  ...{ K: 2, N: 3, bits: 4, block_size: 16 },
});

/** The arguments of a call by name, the call, and the paths that are read although nothing is there. */
const calls = {
  flatten: [
    { input: tensor(), options: { axis: 1, opset: 13, strict: true } },
    ({ input, options }) => layout.flatten(input, options),
  ],
  'flatten of strings': [{ input: strings() }, ({ input }) => layout.flatten(input)],
  identity: [
    { input: tensor(), options: { opset: 13, strict: true } },
    ({ input, options }) => layout.identity(input, options),
  ],
  reshape: [
    { data: tensor(), list: [3, 2], options: { allowzero: 1, opset: 14, strict: false } },
    ({ data, list, options }) => layout.reshape(data, list, options),
  ],
  'reshape by a tensor': [{ data: tensor(), shape }, ({ data, shape: target }) => layout.reshape(data, target)],
  'reshape by a typed array': [
    { data: strings(), list: BigInt64Array.of(3n, 2n) },
    ({ data, list }) => layout.reshape(data, list),
  ],
  'reshape by an attribute': [
    { data: tensor('float32', new Float32Array(6)), options: { shape: [3, 2], opset: 1 } },
    ({ data, options }) => layout.reshape(data, undefined, options),
    absent('options', 'strict', 'allowzero'),
  ],
  transpose: [
    {
      data: tensor(),
      options: { perm: [1, 0], opset: 13, strict: true, out: tensor('int32', new Int32Array(6), [3, 2]) },
    },
    ({ data, options }) => layout.transpose(data, options),
  ],
  'transpose of strings': [
    { data: strings(), options: { perm: Int32Array.of(1, 0) } },
    ({ data, options }) => layout.transpose(data, options),
    absent('options', 'opset', 'strict', 'out'),
  ],
  'transpose of a large tensor': [
    { data: tensor('uint8', new Uint8Array(2 ** 19), [512, 1024]) },
    ({ data }) => layout.transpose(data),
  ],
  splitToSequence: [
    {
      input: tensor(),
      split: [1, 1],
      options: {
        axis: 0,
        keepdims: 1,
        opset: 24,
        strict: true,
        out: pieces,
      },
    },
    ({ input, split, options }) => layout.splitToSequence(input, split, options),
  ],
  'splitToSequence by a tensor': [
    { input: strings(), split: tensor('int32', Int32Array.of(1, 1), [2]) },
    ({ input, split }) => layout.splitToSequence(input, split),
  ],
  cast: [
    {
      input: tensor(),
      options: {
        saturate: 0,
        round_mode: 'down',
        opset: 24,
        strict: true,
        out: tensor('float8e8m0', new Uint8Array(6)),
      },
    },
    ({ input, options }) => layout.cast(input, 'float8e8m0', options),
  ],
  'cast in the engine': [{ input: tensor() }, ({ input }) => layout.cast(input, 'float64')],
  'cast of text': [{ input: strings() }, ({ input }) => layout.cast(input, 'int4')],
  'cast to text': [{ input: tensor() }, ({ input }) => layout.cast(input, 'string')],
  imageToTensor: [
    { image: [pixels, pixels], options: imageOptions },
    ({ image, options }) => layout.imageToTensor(image, options),
    [...tags, 'options.preset', 'options.letterbox'],
  ],
  'imageToTensor by a preset': [
    { image: { data: pixels.data, width: 2, height: 2 }, options: presetOptions },
    ({ image, options }) => layout.imageToTensor(image, options),
    [
      'image.Symbol(Symbol.toStringTag)',
      ...absent('image', 'channels', 'rowstride'),
      ...absent('options', 'channels', 'type', 'scale', 'mean', 'std', 'out', 'alpha'),
      ...absent('options', 'width', 'height', 'fit', 'background', 'filter', 'backend', 'letterbox'),
    ],
  ],
  'imageToTensor in a letterbox': [
    { image: { data: pixels.data, width: 2, height: 2 }, options: { letterbox: letterboxing } },
    ({ image, options }) => layout.imageToTensor(image, options),
    [
      'image.Symbol(Symbol.toStringTag)',
      ...absent('image', 'channels', 'rowstride'),
      ...absent('options', 'layout', 'channels', 'type', 'preset', 'scale', 'mean', 'std', 'out', 'alpha'),
      ...absent('options', 'width', 'height', 'fit', 'background', 'filter', 'backend'),
    ],
  ],
  imageToTensorAsync: [
    { image: [pixels, pixels], options: { ...imageOptions, orientation: 'ignore' } },
    ({ image, options }) => layout.imageToTensorAsync(image, options),
    [...tags, 'options.preset', 'options.letterbox'],
  ],
  imageProcessor: [
    {
      config: {
        image_processor_type: 'CLIPImageProcessor',
        size: { shortest_edge: 3 },
        crop_size: [2, 2],
        image_mean: [0.5, 0.4, 0.3],
      },
      options: { backend: 'pil', type: 'CLIPImageProcessor' },
      images: [pixels, pixels],
      call: { type: 'float16', resample: 2, image_std: [1, 2, 3], pad_size: { height: 4, width: 5 } },
    },
    ({ config, options, images, call }) => processors.imageProcessor(config, options)(images, call),
    [...absent('config', 'feature_extractor_type'), ...tagsOf('images', 2), 'call.trimaps', 'call.onStep'],
  ],
  imageProcessorAsync: [
    {
      config: { feature_extractor_type: 'VitMatteFeatureExtractor', size_divisor: 8 },
      images: pixels,
      call: { orientation: 'ignore', trimaps: [pixels] },
    },
    ({ config, images, call }) => processors.imageProcessorAsync(config)(images, call),
    [
      ...absent('config', 'image_processor_type'),
      'images.Symbol(Symbol.toStringTag)',
      'call.trimaps.0.Symbol(Symbol.toStringTag)',
      'call.type',
      'call.onStep',
    ],
  ],
  resize: [
    {
      image: { ...pixels, channels: 3, rowstride: 6 },
      options: {
        width: 1,
        height: 1,
        filter: 'box',
        backend: 'pil',
        box: [0, 0, 1.5, 2],
        reducingGap: 2,
        antialias: true,
        alpha: 'straight',
        out: { data: new Uint8Array(3), width: 1, height: 1, channels: 3, rowstride: 3 },
      },
    },
    ({ image, options }) => layout.resize(image, options),
  ],
  letterbox: [
    {
      image: { ...pixels },
      options: { ...letterboxing, out: { data: new Uint8Array(48), width: 4, height: 4, channels: 3, rowstride: 12 } },
    },
    ({ image, options }) => layout.letterbox(image, options),
  ],
  letterboxGeometry: [
    { image: { width: 2, height: 2 }, options: letterboxing },
    ({ image, options }) => layout.letterboxGeometry(image, options),
  ],
  unletterbox: [
    {
      boxes: [1, 2, 3, 4, 5],
      geometry: { left: 0, top: 0, scaleX: 1, scaleY: 1, source: { width: 2, height: 2 }, center: true },
      options: { format: 'xywh', columns: 5 },
    },
    ({ boxes, geometry, options }) => layout.unletterbox(boxes, geometry, options),
  ],
  padPixels: [
    {
      image: { ...pixels },
      options: {
        top: 1,
        bottom: 1,
        left: 1,
        right: 1,
        border: 'constant',
        color: [1, 2, 3],
        out: { data: new Uint8Array(48), width: 4, height: 4, channels: 3, rowstride: 12 },
      },
    },
    ({ image, options }) => layout.padPixels(image, options),
  ],
  cropPixels: [
    {
      image: { ...pixels },
      options: {
        box: [0, 0, 1, 2],
        out: { data: new Uint8Array(6), width: 1, height: 2, channels: 3, rowstride: 3 },
      },
    },
    ({ image, options }) => layout.cropPixels(image, options),
  ],
  toGray: [
    { image: { ...pixels }, options: { backend: 'opencv' } },
    ({ image, options }) => layout.toGray(image, options),
  ],
  blobFromImage: [
    {
      image: [pixels, pixels],
      options: {
        scalefactor: 1,
        width: 3,
        height: 3,
        mean: [1, 2, 3],
        swapRB: true,
        crop: true,
        type: 'float32',
        out: tensor('float32', new Float32Array(54), [2, 3, 3, 3]),
      },
    },
    ({ image, options }) => layout.blobFromImage(image, options),
  ],
  textDetectionSize: [
    { image: { width: 2, height: 2 }, options: { limitSideLen: 736, limitType: 'max' } },
    ({ image, options }) => layout.textDetectionSize(image, options),
  ],
  thumbnail: [
    { image: { data: pixels.data, width: 2, height: 2 }, options: { width: 1, height: 1, filter: 'box' } },
    ({ image, options }) => layout.thumbnail(image, options),
    [...absent('image', 'channels', 'rowstride'), ...absent('options', 'reducingGap')],
  ],
  tensorToImage: [
    {
      tensor: tensor('uint8', new Uint8Array(12), [3, 2, 2]),
      options: { layout: 'CHW', channels: 'BGR', scale: [1, 2, 3], mean: Float32Array.of(1, 2, 3), std: 1 },
    },
    ({ tensor: given, options }) => layout.tensorToImage(given, options),
    ['options.preset'],
  ],
  inferShape: [
    {
      inputs: {
        data: { type: 'int8', dims: ['N', 2], value: null },
        shape: { type: 'int64', dims: [2], value: [0, null] },
      },
      options: { allowzero: 0, opset: 14, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('Reshape', inputs, options),
  ],
  'inferShape of Flatten': [
    { inputs: { input: { type: 'int8', dims: null } }, options: { axis: 0 } },
    ({ inputs, options }) => layout.inferShape('Flatten', inputs, options),
    ['inputs.input.value', ...absent('options', 'opset', 'strict')],
  ],
  'inferShape of Transpose': [
    { inputs: { data: { type: 'int8', dims: ['N', 2] } }, options: { perm: [1, 0] } },
    ({ inputs, options }) => layout.inferShape('Transpose', inputs, options),
    ['inputs.data.value', ...absent('options', 'opset', 'strict')],
  ],
  'inferShape of SplitToSequence': [
    {
      inputs: {
        input: { type: 'int8', dims: [4, 2], value: null },
        split: { type: 'int64', dims: [2], value: [2, 2] },
      },
      options: { axis: 0, keepdims: 1, opset: 24, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('SplitToSequence', inputs, options),
  ],
  'inferShape of Cast': [
    {
      inputs: { input: { type: 'int8', dims: [4], value: null } },
      options: { to: 'float8e8m0', saturate: 1, round_mode: 'up', opset: 24, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('Cast', inputs, options),
  ],
  'inferShape of Identity': [
    { inputs: { input: { type: 'int8', dims: ['N'] } }, options: { opset: 13 } },
    ({ inputs, options }) => layout.inferShape('Identity', inputs, options),
    ['inputs.input.value', 'inputs.input.sequence', 'options.strict'],
  ],
  slice: [
    {
      data: tensor(),
      starts: [0],
      ends: { type: 'int64', data: BigInt64Array.of(2n), dims: [1] },
      axes: [1],
      steps: Int32Array.of(1),
      options: { opset: 13, strict: true, out: tensor('int32', new Int32Array(4), [2, 2]) },
    },
    ({ data, starts, ends, axes, steps, options }) => layout.slice(data, starts, ends, axes, steps, options),
  ],
  'slice by attributes': [
    { data: strings(), options: { starts: [0], ends: [1], axes: [1], opset: 1 } },
    ({ data, options }) => layout.slice(data, null, null, null, null, options),
    absent('options', 'strict', 'out'),
  ],
  concat: [
    {
      inputs: [tensor(), tensor()],
      options: { axis: 0, opset: 13, strict: true, out: tensor('int32', new Int32Array(12), [4, 3]) },
    },
    ({ inputs, options }) => layout.concat(inputs, options),
  ],
  split: [
    { input: tensor(), list: [1, 1], options: { axis: 0, opset: 18, strict: true, out: pieces } },
    ({ input, list, options }) => layout.split(input, list, options),
    absent('options', 'split', 'num_outputs'),
  ],
  'split by a number': [
    { input: strings(), options: { num_outputs: 2, opset: 18 } },
    ({ input, options }) => layout.split(input, null, options),
    absent('options', 'axis', 'split', 'strict', 'out'),
  ],
  'split by an attribute': [
    { input: tensor(), options: { split: [1, 1], axis: 0, opset: 2, strict: true } },
    ({ input, options }) => layout.split(input, null, options),
    absent('options', 'num_outputs', 'out'),
  ],
  pad: [
    {
      data: tensor(),
      pads: [1, 0],
      value: tensor('int32', Int32Array.of(7), []),
      axes: [1],
      options: { mode: 'constant', opset: 19, strict: true, out: tensor('int32', new Int32Array(8), [2, 4]) },
    },
    ({ data, pads, value, axes, options }) => layout.pad(data, pads, value, axes, options),
  ],
  'pad by attributes': [
    {
      data: tensor('float32', new Float32Array(6)),
      options: { pads: [0, 0, 1, 0], value: 1, mode: 'constant', opset: 2, strict: true },
    },
    ({ data, options }) => layout.pad(data, null, null, null, options),
    ['options.out'],
  ],
  squeeze: [
    { data: tensor('int32', new Int32Array(2), [1, 2]), axes: [0], options: { opset: 13, strict: true } },
    ({ data, axes, options }) => layout.squeeze(data, axes, options),
  ],
  'squeeze by an attribute': [
    { data: tensor('int32', new Int32Array(2), [1, 2]), options: { axes: [0], opset: 11, strict: true } },
    ({ data, options }) => layout.squeeze(data, null, options),
  ],
  unsqueeze: [
    { data: strings(), axes: [0, -1], options: { opset: 13, strict: true } },
    ({ data, axes, options }) => layout.unsqueeze(data, axes, options),
  ],
  'unsqueeze by an attribute': [
    { data: tensor(), options: { axes: [0], opset: 1, strict: true } },
    ({ data, options }) => layout.unsqueeze(data, null, options),
  ],
  expand: [
    {
      input: tensor(),
      shape: { type: 'int64', data: BigInt64Array.of(2n, 1n, 1n), dims: [3] },
      options: { opset: 13, strict: true, out: tensor('int32', new Int32Array(12), [2, 2, 3]) },
    },
    ({ input, shape: target, options }) => layout.expand(input, target, options),
  ],
  tile: [
    {
      input: tensor(),
      repeats: [2, 1],
      options: { opset: 13, strict: true, out: tensor('int32', new Int32Array(12), [4, 3]) },
    },
    ({ input, repeats, options }) => layout.tile(input, repeats, options),
  ],
  'tile at opset 1': [
    {
      input: tensor('float32', new Float32Array(6)),
      tiles: tensor('float32', Float32Array.of(2), []),
      axis: tensor('float32', Float32Array.of(1), [1]),
      options: { opset: 1, strict: true },
    },
    ({ input, tiles, axis, options }) => layout.tile(input, tiles, axis, options),
    ['options.out'],
  ],
  depthToSpace: [
    {
      input: tensor('int32', new Int32Array(4), [1, 4, 1, 1]),
      options: {
        blocksize: 2,
        mode: 'CRD',
        opset: 13,
        strict: true,
        out: tensor('int32', new Int32Array(4), [1, 1, 2, 2]),
      },
    },
    ({ input, options }) => layout.depthToSpace(input, options),
  ],
  spaceToDepth: [
    {
      input: tensor('int32', new Int32Array(4), [1, 1, 2, 2]),
      options: {
        blocksize: 2,
        mode: 'CRD',
        opset: 28,
        strict: true,
        out: tensor('int32', new Int32Array(4), [1, 4, 1, 1]),
      },
    },
    ({ input, options }) => layout.spaceToDepth(input, options),
  ],
  centerCropPad: [
    {
      input: tensor(),
      list: [3],
      options: { axes: [0], opset: 18, strict: true, out: tensor('int32', new Int32Array(9), [3, 3]) },
    },
    ({ input, list, options }) => layout.centerCropPad(input, list, options),
  ],
  compose: [
    { own: tensor(), perm: [1, 0], options: { out: tensor('int32', new Int32Array(6), [3, 2]) } },
    ({ own, perm, options }) => layout.compose(own).transpose({ perm }).tensor(options),
  ],
  rearrange: [
    { own: tensor(), lengths: { h: 2 }, options: { out: tensor('int32', new Int32Array(6), [3, 2]) } },
    ({ own, lengths, options }) => layout.rearrange(own, 'h w -> w h', lengths, options),
  ],
  repeat: [
    { own: strings(), lengths: { n: 2 }, options: {} },
    ({ own, lengths, options }) => layout.repeat(own, 'h w -> h (w n)', lengths, options),
    ['options.out'],
  ],
  stack: [
    {
      tensors: [tensor(), tensor()],
      options: { axis: 1, out: tensor('int32', new Int32Array(12), [2, 2, 3]) },
    },
    ({ tensors, options }) => layout.stack(tensors, options),
  ],
  unstack: [
    { own: tensor(), options: { axis: 0, out: pieces.map(({ data }) => tensor('int32', data, [3])) } },
    ({ own, options }) => layout.unstack(own, options),
  ],
  'inferShape of Pad': [
    {
      inputs: {
        data: { type: 'int8', dims: ['N'], value: null },
        pads: { type: 'int64', dims: [2], value: [0, 1] },
        constant_value: { type: 'int8', dims: [], value: null },
        axes: { type: 'int64', dims: [1], value: [0] },
      },
      options: { mode: 'edge', opset: 19, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('Pad', inputs, options),
  ],
  'inferShape of Split': [
    {
      inputs: { input: { type: 'int8', dims: [4] }, split: null },
      options: { axis: 0, num_outputs: 2, outputs: 2, opset: 18, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('Split', inputs, options),
    ['inputs.input.value', 'options.split'],
  ],
  'inferShape of Concat': [
    { inputs: { inputs: [{ type: 'int64', dims: [1], value: ['N'] }] }, options: { axis: 0, opset: 13, strict: true } },
    ({ inputs, options }) => layout.inferShape('Concat', inputs, options),
  ],
  gather: [
    {
      data: tensor(),
      indices: { type: 'int64', data: BigInt64Array.of(1n, 0n), dims: [2] },
      options: { axis: 0, opset: 13, strict: true, out: tensor('int32', new Int32Array(6), [2, 3]) },
    },
    ({ data, indices, options }) => layout.gather(data, indices, options),
  ],
  'gather of strings by a list': [{ data: strings(), list: [1, 0] }, ({ data, list }) => layout.gather(data, list)],
  gatherElements: [
    {
      data: tensor(),
      indices: tensor('int32', Int32Array.of(0, 1, 2), [1, 3]),
      options: { axis: 1, opset: 13, strict: true, out: tensor('int32', new Int32Array(3), [1, 3]) },
    },
    ({ data, indices, options }) => layout.gatherElements(data, indices, options),
  ],
  gatherND: [
    {
      data: tensor(),
      indices: { type: 'int64', data: BigInt64Array.of(2n, 0n), dims: [2, 1] },
      options: { batch_dims: 1, opset: 13, strict: true, out: tensor('int32', new Int32Array(2), [2]) },
    },
    ({ data, indices, options }) => layout.gatherND(data, indices, options),
  ],
  quantizeLinear: [
    {
      x: tensor('float32', new Float32Array(6)),
      scale: tensor('float32', Float32Array.of(1, 2, 3), [3]),
      zero: tensor('int4', Uint8Array.of(1, 2), [3]),
      options: {
        axis: 1,
        saturate: 1,
        block_size: 0,
        output_dtype: 'int4',
        precision: 'float32',
        opset: 28,
        strict: true,
        out: tensor('int4', new Uint8Array(3)),
      },
    },
    ({ x, scale, zero, options }) => layout.quantizeLinear(x, scale, zero, options),
  ],
  dequantizeLinear: [
    {
      x: tensor('int4', Uint8Array.of(1, 2, 3)),
      scale: tensor('float32', Float32Array.of(1, 2, 3), [3]),
      zero: tensor('int4', Uint8Array.of(1, 2), [3]),
      options: {
        axis: 1,
        block_size: 0,
        output_dtype: 'float16',
        opset: 28,
        strict: true,
        out: tensor('float16', new Uint16Array(6)),
      },
    },
    ({ x, scale, zero, options }) => layout.dequantizeLinear(x, scale, zero, options),
  ],
  dynamicQuantizeLinear: [
    {
      x: tensor('float32', new Float32Array(6)),
      options: { opset: 28, strict: true, out: tensor('uint8', new Uint8Array(6)) },
    },
    ({ x, options }) => layout.dynamicQuantizeLinear(x, options),
  ],
  where: [
    {
      condition: tensor('bool', Uint8Array.of(1, 0, 1), [3]),
      X: tensor(),
      Y: tensor('int32', Int32Array.of(7), []),
      options: { opset: 16, strict: true, out: tensor('int32', new Int32Array(6), [2, 3]) },
    },
    ({ condition, X, Y, options }) => layout.where(condition, X, Y, options),
  ],
  'where of strings': [
    { condition: tensor('bool', Uint8Array.of(1, 0, 1), [3]), X: strings(), Y: strings([1], ['y']) },
    ({ condition, X, Y }) => layout.where(condition, X, Y),
  ],
  reverseSequence: [
    {
      input: tensor(),
      lens: [2, 1],
      options: {
        time_axis: 1,
        batch_axis: 0,
        opset: 10,
        strict: true,
        out: tensor('int32', new Int32Array(6), [2, 3]),
      },
    },
    ({ input, lens, options }) => layout.reverseSequence(input, lens, options),
  ],
  shape: [
    { data: tensor(), options: { start: 0, end: 1, opset: 15, strict: true } },
    ({ data, options }) => layout.shape(data, options),
  ],
  size: [{ data: tensor(), options: { opset: 13, strict: true } }, ({ data, options }) => layout.size(data, options)],
  sequenceConstruct: [
    { inputs: [tensor(), tensor()], options: { opset: 11, strict: true } },
    ({ inputs, options }) => layout.sequenceConstruct(inputs, options),
  ],
  sequenceEmpty: [
    { options: { dtype: 'int8', opset: 11, strict: true } },
    ({ options }) => layout.sequenceEmpty(options),
  ],
  sequenceAt: [
    { sequence: [tensor(), tensor()], position: scalar, options: { opset: 11, strict: true } },
    ({ sequence, position, options }) => layout.sequenceAt(sequence, position, options),
    ['sequence.type'],
  ],
  sequenceInsert: [
    { sequence: [tensor()], own: tensor(), position: scalar, options: { opset: 11, strict: true } },
    ({ sequence, own, position, options }) => layout.sequenceInsert(sequence, own, position, options),
    ['sequence.type'],
  ],
  sequenceErase: [
    { sequence: [tensor()], position: scalar, options: { opset: 11, strict: true } },
    ({ sequence, position, options }) => layout.sequenceErase(sequence, position, options),
    ['sequence.type'],
  ],
  sequenceLength: [
    { sequence: [tensor()], options: { opset: 11, strict: true } },
    ({ sequence, options }) => layout.sequenceLength(sequence, options),
    ['sequence.type'],
  ],
  concatFromSequence: [
    {
      sequence: [tensor(), tensor()],
      options: { axis: 0, new_axis: 1, opset: 11, strict: true, out: tensor('int32', new Int32Array(12), [2, 2, 3]) },
    },
    ({ sequence, options }) => layout.concatFromSequence(sequence, options),
    ['sequence.type'],
  ],
  'inferShape of Gather': [
    {
      inputs: {
        data: { type: 'int64', dims: [2], value: ['N', 2] },
        indices: { type: 'int64', dims: [1], value: [0] },
      },
      options: { axis: 0, opset: 13, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('Gather', inputs, options),
  ],
  'inferShape of SequenceInsert': [
    {
      inputs: {
        input_sequence: { sequence: true, type: 'int8', dims: ['N'], value: null },
        tensor: { type: 'int8', dims: ['N'], value: null },
        position: { type: 'int64', dims: [], value: 0 },
      },
      options: { opset: 11, strict: true },
    },
    ({ inputs, options }) => layout.inferShape('SequenceInsert', inputs, options),
  ],
  pack: [{ values: Int8Array.of(1, 2) }, ({ values }) => layout.pack('int4', values)],
  unpack: [{ bytes: Uint8Array.of(1, 2) }, ({ bytes }) => layout.unpack('int4', bytes, 4)],
  init: [{ options: { wasm: undefined } }, ({ options }) => layout.init(options)],
  Tensor: [{ data: new Int32Array(6), dims: [2, 3] }, ({ data, dims }) => new Tensor('int32', data, dims)],
  'Tensor without dims': [
    { data: new Int32Array(6), strings: ['a', 'b'] },
    ({ data, strings: texts }) => [new Tensor('int32', data), new Tensor('string', texts)],
  ],
  'Tensor.from': [
    {
      values: [
        [1, 2],
        [3, 4],
      ],
      dims: [2, 1],
    },
    ({ values, dims }) => Tensor.from('complex64', values, dims),
  ],
  'Tensor.toArray': [{ tensor: tensor() }, ({ tensor: own }) => Tensor.prototype.toArray.call(own)],
  'Tensor.toString': [{ tensor: strings() }, ({ tensor: own }) => Tensor.prototype.toString.call(own)],
  readNpy: [
    { bytes: io.writeNpy(tensor('bfloat16', new Uint16Array(6))), options: { type: 'bfloat16' } },
    ({ bytes, options }) => io.readNpy(bytes, options),
  ],
  writeNpy: [{ tensor: tensor() }, ({ tensor: own }) => io.writeNpy(own)],
  readSafetensors: [
    { bytes: io.writeSafetensors(new Map([['x', tensor()]])) },
    ({ bytes }) => io.readSafetensors(bytes),
  ],
  writeSafetensors: [
    {
      tensors: new Map([
        ['x', tensor()],
        ['y', tensor()],
      ]),
      options: { metadata: new Map([['a', 'b']]) },
    },
    ({ tensors, options }) => io.writeSafetensors(tensors, options),
  ],
  readTensorProto: [
    { bytes: io.writeTensorProto(tensor()), options: { external: () => {} } },
    ({ bytes, options }) => io.readTensorProto(bytes, options),
  ],
  writeTensorProto: [
    { tensor: strings(), options: { name: 'x' } },
    ({ tensor: own, options }) => io.writeTensorProto(own, options),
  ],
  readModel: [
    { bytes: modelFile, options: { external: () => {} } },
    ({ bytes, options }) => io.readModel(bytes, options),
  ],
  writeInitializers: [
    { bytes: modelFile, tensors: new Map([['w', tensor()]]) },
    ({ bytes, tensors }) => io.writeInitializers(bytes, tensors),
  ],
  Entry: [{ tensor: strings() }, ({ tensor: own }) => new io.Entry(own)],
  'Entry.cast': [
    { options: { saturate: 1, round_mode: 'up', opset: 24 } },
    ({ options }) => new io.Entry(tensor()).cast('int8', options),
  ],
  'Entry.slice': [
    { starts: [0], ends: [1], axes: [0], steps: [1] },
    ({ starts, ends, axes, steps }) => new io.Entry(tensor()).slice(starts, ends, axes, steps).read(),
  ],
  openNpy: [
    { source: sourceOf(io.writeNpy(tensor())), options: { type: 'int32' } },
    ({ source, options }) => io.openNpy(source, options),
    sourceParts('source'),
  ],
  openSafetensors: [
    { source: sourceOf(io.writeSafetensors(new Map([['x', tensor()]]))), options: { shard: () => {} } },
    ({ source, options }) => io.openSafetensors(source, options),
    sourceParts('source'),
  ],
  openModel: [
    { source: sourceOf(modelFile), options: { external: () => {} } },
    ({ source, options }) => io.openModel(source, options),
    sourceParts('source'),
  ],
  saveNpy: [{ tensor: tensor(), options: saving }, ({ tensor: own, options }) => io.saveNpy(own, options)],
  saveSafetensors: [
    { entries: new Map([['x', tensor()]]), options: { metadata: new Map([['a', 'b']]), ...saving } },
    ({ entries, options }) => io.saveSafetensors(entries, options),
  ],
  saveModel: [
    { bytes: modelFile, entries: new Map([['w', tensor()]]), options: { external: 'w.bin', ...saving } },
    ({ bytes, entries, options }) => io.saveModel(bytes, entries, options),
  ],
  urlSource: [
    { options: { fetch: oneByte, headers: { a: 'b' }, size: undefined, signal: undefined } },
    ({ options }) => io.urlSource('https://example.com/', options),
  ],
  dequantizeWeights: [
    { bytes: modelFile, options: { external: () => {} } },
    ({ bytes, options }) => io.dequantizeWeights(bytes, options),
  ],
  'dequantizeWeights of a source': [
    { source: sourceOf(modelFile), options: { external: () => {}, externalName: 'w.bin', ...saving } },
    ({ source, options }) => io.dequantizeWeights(source, options),
    [...sourceParts('source'), ...absent('source', 'bytes', 'initializers')],
  ],
  packMatMulNBits: [
    { weights: tensor('float32', new Float32Array(6)), options: { bits: 2, block: 32, symmetric: 1 } },
    ({ weights, options }) => io.packMatMulNBits(weights, options),
  ],
  unpackMatMulNBits: [{ packedWeights: packedWeights() }, ({ packedWeights: given }) => io.unpackMatMulNBits(given)],
  runModel: [{ model, inputs: { x: tensor(), s: [tensor()] } }, ({ model: own, inputs }) => io.runModel(own, inputs)],
  'runModel with a Map': [
    {
      model,
      inputs: new Map([
        ['x', tensor()],
        ['s', [tensor(), tensor()]],
      ]),
    },
    ({ model: own, inputs }) => io.runModel(own, inputs),
  ],
};

test.each(Object.entries(calls))('%s', async (_, [given, call, inVain = []]) => {
  const reads = [];
  await call(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, watched(value, reads, name)])));
  const paths = Object.entries(given).flatMap(([name, value]) => pathsOf(value, name));
  expect(reads.sort()).toEqual([...paths, ...inVain].sort());
});

test('every public function is there', () => {
  const names = [...Object.entries(layout), ...Object.entries(io), ...Object.entries(processors)].flatMap(
    ([name, value]) => (typeof value === 'function' ? [name] : []),
  );
  expect(names.filter((name) => !(name in calls))).toEqual([]);
  expect(names.length).toBe(80);
});
