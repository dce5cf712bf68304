/**
 * About 200 short tests that call every function of the package: what shows in seconds whether an engine runs it at
 * all. Expected results come from the oracles. The last test sees that no function was left out.
 */
import { describe, expect, test } from '@jest/globals';
import * as conversions from 'onnx-layout/convert';
import * as io from 'onnx-layout/io';
import * as processors from 'onnx-layout/processors';
import * as audio from 'onnx-layout/audio';
import * as answers from 'onnx-layout/postprocess';
import * as core from 'onnx-layout';
import * as pictures from 'onnx-layout/image';
import * as transformers from 'onnx-layout/transformers';
import { presets, tensorOf } from '../image/image.reference.js';
import { blobOf, gray, letterboxOf, padded } from '../image/letterbox.reference.js';
import { openCvFilters } from '../image/resizing/resize-cases.js';
import * as resizeReference from '../image/resizing/resize.reference.js';
import { expectSequence, expectTensor, refuses } from '../support/assertions.js';
import {
  elementCount,
  fromCodes,
  smallIntegers,
  splitCodes,
  toCodes,
  transposeCodes,
  typeNames,
} from '../support/reference.js';
import { legal } from '../operators/calls.js';
import { randomData } from '../support/samples.js';
import * as hf from '../transformers/stand-in.js';

/** The functions that were called. */
const called = new Set();

/** The module's exports, each function of which notes that it is called. */
const noted = (exports) =>
  Object.fromEntries(
    Object.entries(exports).map(([name, value]) => {
      const note =
        (kind) =>
        (target, ...args) => {
          called.add(target);
          return Reflect[kind](target, ...args);
        };
      const isFunction = typeof value === 'function';
      return [name, isFunction ? new Proxy(value, { apply: note('apply'), construct: note('construct') }) : value];
    }),
  );

const { Tensor, dtypes, inferShape, init, schemas } = noted(core);
const { cast, flatten, identity, pack, reshape, splitToSequence, transpose, unpack } = noted(core);
const { centerCropPad, compose, concat, depthToSpace, expand, pad, slice, spaceToDepth, split: cut } = noted(core);
const { rearrange, repeat, squeeze, stack, tile, unsqueeze, unstack } = noted(core);
const { gather, gatherElements, gatherND, reverseSequence, shape, size: sizeOf, toOrt, where } = noted(core);
const { compress, eyeLike, oneHot, range, scatterElements, scatterND, trilu } = noted(core);
const { concatFromSequence, sequenceAt, sequenceConstruct, sequenceEmpty } = noted(core);
const { sequenceErase, sequenceInsert, sequenceLength } = noted(core);
const { dequantizeLinear, dynamicQuantizeLinear, quantizeLinear } = noted(core);
const { init: initPictures } = noted(pictures);
const { copyMakeBorder, crop, imageToTensor, imageToTensorAsync, readBack, resize } = noted(pictures);
const { tensorToImage, thumbnail } = noted(pictures);
const { blobFromImage, letterbox, letterboxGeometry, textDetectionSize, toGray, unletterbox } = noted(pictures);
const { alignFace, textLineBatches, textPage, warpAffine, warpPerspective } = noted(pictures);
const { convertModel, convertModelAsync, modelFileName } = noted(conversions);
const { dequantizeWeights, dequantizeWeightsAsync, packMatMulNBits } = noted(conversions);
const { quantizeWeights, quantizeWeightsAsync, unpackMatMulNBits } = noted(conversions);
const { readModel, readNpy, readSafetensors, readTensorProto, runModel } = noted(io);
const { writeInitializers, writeNpy, writeSafetensors, writeTensorProto } = noted(io);
const { Entry, openModel, openNpy, openSafetensors, saveModel, saveNpy, saveSafetensors, urlSource } = noted(io);
const { openNpz, readNpz, saveNpz, writeNpz } = noted(io);
const { imageProcessor, imageProcessorAsync, readConfiguration, videoProcessor, videoProcessorAsync } =
  noted(processors);
const { amplitudeToDb, chunkAudio, decodeWav, encodeWav, featureExtractor, melFilterBank, powerToDb } = noted(audio);
const { decodeAudio, istft, melSpectrogram, mfcc, readWavHeader } = noted(audio);
const { resampleAudio, resampleStream, spectrogram, spectrogramStream, toMono, windowFunction } = noted(audio);

const { argmax, argmin, classify, decodeRle, encodeRle, interpolate, sigmoid, softmax, topk } = noted(answers);
const { decodeYolo, postProcessor } = noted(answers);
const { usePython } = noted(transformers);
const { approxPolyDP, boxPoints, contourArea, convexHull, fillPoly, findContours, minAreaRect } = noted(answers);
const { ctcDecode, sortTextBoxes, speechSegments, textDetection } = noted(answers);
const { applyAlpha, cropTextBox, labelMapToImage, maskToPolygons } = noted(answers);
const { batchedNms, boxArea, boxConvert, boxIou, clipBoxesToImage, generalizedBoxIou } = noted(answers);
const { drawResults, masksToBoxes, nms, removeSmallBoxes } = noted(answers);

const dims = [3, 5, 7];
const size = elementCount(dims);

/** A tensor of random bits, and its codes. */
function sample(type) {
  const data = randomData(type, size, size);
  return { type, dims, data, codes: toCodes(type, data, size) };
}

describe.each(typeNames)('%s', (type) => {
  const x = sample(type);
  // The tail bits of a packed input mean nothing, and a result has zeros there.
  const clean = () => fromCodes(type, x.codes);

  test('transpose', () => {
    const perm = [2, 0, 1];
    expectTensor(
      transpose(x, { perm, strict: false }),
      type,
      [7, 3, 5],
      fromCodes(type, transposeCodes(x.codes, dims, perm)),
    );
  });

  test('transpose into out', () => {
    const expected = fromCodes(type, transposeCodes(x.codes, dims, [2, 1, 0]));
    const out = { type, dims: [7, 5, 3], data: fromCodes(type, x.codes) };
    expectTensor(transpose(x, { out, strict: false }), type, [7, 5, 3], expected);
  });

  test('splitToSequence', () => {
    const pieces = splitCodes(x.codes, dims, 1, [2, 3]).map((codes, i) => [[3, [2, 3][i], 7], fromCodes(type, codes)]);
    expectSequence(splitToSequence(x, [2, 3], { axis: 1, strict: false }), type, pieces);
  });

  test('concat takes back split, and unstack stack', () => {
    const pieces = cut(x, [2, 3], { axis: 1, strict: false });
    expectTensor(concat(pieces, { axis: 1, strict: false }), type, dims, clean());
    expectTensor(stack(unstack(x, { axis: 1 }), { axis: 1 }), type, dims, clean());
  });

  test('slice takes back pad, and transpose rearrange', () => {
    const padded = pad(x, [0, 0, 2, 0, 0, 1], null, null, { strict: false });
    expectTensor(slice(padded, [2], [9], [2], null, { strict: false }), type, dims, clean());
    const turned = rearrange(x, 'a b c -> c b a');
    expectTensor(transpose(turned, { perm: [2, 1, 0], strict: false }), type, dims, clean());
  });

  test('expand, tile and repeat repeat', () => {
    const repeated = stack([x, x]);
    const strict = { strict: false };
    expectTensor(expand(x, [2, 1, 1, 1], strict), type, [2, ...dims], repeated.data);
    expectTensor(tile(unsqueeze(x, [0], strict), [2, 1, 1, 1], strict), type, [2, ...dims], repeated.data);
    expectTensor(repeat(x, 'a b c -> n a b c', { n: 2 }), type, [2, ...dims], repeated.data);
  });

  test('gather, gatherElements, gatherND and reverseSequence take back what turns an axis', () => {
    const strict = { strict: false };
    const turned = slice(x, [-1], [-9], [1], [-1], strict);
    const back = [4, 3, 2, 1, 0];
    expectTensor(gather(turned, back, { axis: 1, ...strict }), type, dims, clean());
    const places = {
      type: 'int64',
      dims: [3, 5, 7],
      data: BigInt64Array.from({ length: size }, (_, i) => BigInt(4 - (Math.floor(i / 7) % 5))),
    };
    expectTensor(gatherElements(turned, places, { axis: 1, ...strict }), type, dims, clean());
    const pairs = [0, 1, 2].flatMap((i) =>
      back
        .map((j) => [i, j])
        .flat()
        .map(BigInt),
    );
    const rows = gatherND(turned, { type: 'int64', dims: [3, 5, 2], data: BigInt64Array.from(pairs) }, strict);
    expectTensor(rows, type, dims, clean());
    const upside = reverseSequence(slice(x, [-1], [-9], [0], [-1], strict), Array(5).fill(3), strict);
    expectTensor(upside, type, dims, clean());
  });

  test('where, compose, shape and size', () => {
    const strict = { strict: false };
    const condition = { type: 'bool', dims: [3, 1, 1], data: Uint8Array.of(1, 0, 1) };
    const turned = compose(x)
      .transpose({ perm: [0, 2, 1], ...strict })
      .transpose({ perm: [0, 2, 1], ...strict })
      .tensor();
    expectTensor(where(condition, x, turned, strict), type, dims, clean());
    expectTensor(shape(x, strict), 'int64', [3], BigInt64Array.of(3n, 5n, 7n));
    expectTensor(sizeOf(x, strict), 'int64', [], BigInt64Array.of(105n));
  });

  test('sequences', () => {
    const strict = { strict: false };
    const empty = sequenceEmpty({ dtype: type, ...strict });
    expect([empty.type, empty.length]).toEqual([type, 0]);
    const one = sequenceInsert(empty, x, null, strict);
    const two = sequenceErase(sequenceConstruct([...one, x, x], strict), 0, strict);
    expectTensor(sequenceLength(two, strict), 'int64', [], BigInt64Array.of(2n));
    expectTensor(sequenceAt(two, 1, strict), type, dims, x.data);
    const joined = concatFromSequence(two, { axis: 0, new_axis: 1, ...strict });
    expectTensor(joined, type, [2, ...dims], stack([x, x]).data);
  });

  test('spaceToDepth takes back depthToSpace', () => {
    const strict = { strict: false };
    const depth = centerCropPad(reshape(x, [1, 105, 1, 1], strict), [100], { axes: [1], ...strict });
    const space = depthToSpace(depth, { blocksize: 5, ...strict });
    expect(space.dims).toEqual([1, 4, 5, 5]);
    expectTensor(spaceToDepth(space, { blocksize: 5, ...strict }), type, [1, 100, 1, 1], depth.data);
  });

  test('flatten, reshape and identity share the data', () => {
    expectTensor(flatten(x, { axis: 2, strict: false }), type, [15, 7], x.data);
    expectTensor(reshape(x, [0, -1], { strict: false }), type, [3, 35], x.data);
    expectTensor(identity(x, { strict: false }), type, dims, x.data);
    expectTensor(squeeze(unsqueeze(x, [1], { strict: false }), [1], { strict: false }), type, dims, x.data);
  });

  test('cast to itself and to what holds each of its values', () => {
    if (type.startsWith('complex') || type === 'string') return;
    const same = cast({ type, dims, data: clean() }, type);
    expect([same.type, same.dims]).toEqual([type, dims]);
    const wide = cast(x, 'float64');
    expect([wide.type, wide.data.length]).toEqual(['float64', size]);
  });

  test('files give it back', () => {
    const tensor = { type, dims, data: clean() };
    if (type !== 'string') expectTensor(readNpy(writeNpy(tensor), { dtype: type }), type, dims, clean());
    expectTensor(readTensorProto(writeTensorProto(tensor)), type, dims, clean());
  });

  test('prints', () => {
    const { bits, data } = { ...dtypes[type], data: clean() };
    const tensor = new Tensor(type, data, dims);
    expect([tensor.size, tensor.toArray().length, `${tensor}`.startsWith('[[['), bits >= 0]).toEqual([
      size,
      size,
      true,
      true,
    ]);
  });
});

test.each(['float6e2m3', 'int4', 'uint4', 'int2', 'uint2'])('pack and unpack %s', (type) => {
  const { data, codes } = sample(type);
  const values = smallIntegers(type, codes);
  expect(Array.from(unpack(type, data, size))).toEqual(values);
  const bytes = type.startsWith('int') ? Int8Array.from(values) : Uint8Array.from(values);
  expect(pack(type, bytes)).toEqual(fromCodes(type, codes));
});

test.each([
  ['float32', 'float16', [1, -2.5, 65520, 1e-8], Uint16Array.of(0x3c00, 0xc100, 0x7c00, 0)],
  ['float32', 'bfloat16', [1, -2.5, 3.3895314e38, 1.0039062], Uint16Array.of(0x3f80, 0xc020, 0x7f7f, 0x3f80)],
  ['float32', 'uint8', [0, 1.9, 254.5, 255], Uint8Array.of(0, 1, 254, 255)],
  ['float32', 'float8e4m3fn', [1, -2, 448, 1e6], Uint8Array.of(0x38, 0xc0, 0x7e, 0x7e)],
  ['float32', 'float6e2m3', [1, -7.5, 0.125, 1e6], Uint8Array.of(0xc8, 0x1f, 0x7c)],
  ['float64', 'int32', [-1.5, 2.5, 1e9, 0], Int32Array.of(-1, 2, 1e9, 0)],
])('cast %s to %s', (from, to, values, expected) =>
  expectTensor(cast(Tensor.from(from, values, [4]), to), to, [4], expected),
);

const pixels = {
  data: Uint8Array.from({ length: 4 * 21 * 13 }, (_, i) => (i * i) >> 3),
  width: 21,
  height: 13,
  channels: 4,
};

test.each([
  {},
  { preset: 'imagenet' },
  { layout: 'NHWC', channels: 'BGR', dtype: 'uint8' },
  { layout: 'CHW', channels: 'L' },
  { preset: 'unit', dtype: 'float16' },
])('an image with %j', (options) => {
  const { preset, dtype = 'float32', ...rest } = options;
  const expected = tensorOf([pixels], { ...presets[preset], ...rest, dtype });
  expectTensor(imageToTensor(pixels, options), dtype, expected.dims, expected.data);
});

test.each([
  { width: 7, height: 9 },
  { width: 30, height: 5, filter: 'lanczos', backend: 'torchvision' },
  { width: 8, height: 8, filter: 'box', box: [1, 2, 20.5, 12], reducingGap: 1 },
  ...openCvFilters.map((filter) => ({ width: 9, height: 20, filter, backend: 'opencv' })),
])('an image resized by %j', (options) =>
  expect(resize(pixels, options)).toEqual(resizeReference.resize(pixels, options)),
);

test('a thumbnail', () => {
  const within = { width: 6, height: 6 };
  expect(thumbnail(pixels, within)).toEqual(resizeReference.thumbnail(pixels, within));
});

test.each(['torchvision', 'pil'])('an image processor of %s', async (backend) => {
  const config = { image_processor_type: 'ViTImageProcessor', size: { height: 5, width: 9 }, do_normalize: false };
  const { pixel_values: values } = imageProcessor(config, { backend })(pixels);
  const filter = 'bilinear';
  const { data } = resizeReference.resize(pixels, { width: 9, height: 5, filter, backend, premultiply: false });
  const factor = backend === 'pil' ? 1 / 255 : Math.fround(1 / 255);
  const expected = tensorOf([{ data, width: 9, height: 5, channels: 4 }], { factor });
  expectTensor(values, 'float32', expected.dims, expected.data);
  const later = toOrt({ Tensor }, await imageProcessorAsync(config, { backend })(pixels));
  expectTensor(later.pixel_values, 'float32', expected.dims, expected.data);
});

test('a configuration out of files by name', async () => {
  const file = new Blob(['{ "image_processor_type": "ViTImageProcessor" }']);
  const config = await readConfiguration({ 'preprocessor_config.json': file });
  expect(imageProcessor(config).className).toBe('ViTImageProcessor');
});

test('a video processor, of frames in memory and one by one', async () => {
  const config = { video_processor_type: 'PeVideoVideoProcessor', do_rescale: true };
  const frames = [1, 2].map((byte) => ({ data: new Uint8Array(12).fill(byte), width: 2, height: 2, channels: 3 }));
  const expected = Float32Array.from({ length: 24 }, (_, i) => Math.fround(1 / 255) * (i < 12 ? 1 : 2));
  const { pixel_values_videos: values } = videoProcessor(config)(frames);
  expectTensor(values, 'float32', [1, 2, 3, 2, 2], expected);
  const stream = async function* () {
    yield* frames;
  };
  const later = await videoProcessorAsync(config)(stream());
  expectTensor(later.pixel_values_videos, 'float32', [1, 2, 3, 2, 2], expected);
});

test('alignFace', () => {
  const face = { data: new Uint8Array(112 * 112).fill(7), width: 112, height: 112 };
  const landmarks = [38.2946, 51.6963, 73.5318, 51.5014, 56.0252, 71.7366, 41.5493, 92.3655, 70.7299, 92.2041];
  const { data, width } = alignFace(face, landmarks);
  expect([width, data.length, data[56 * 112 + 56]]).toEqual([112, 112 * 112, 7]);
});

test('pictures that move', () => {
  const image = { data: Uint8Array.of(10, 20, 30), width: 3, height: 1 };
  expect(warpAffine(image, [1, 0, 0.5, 0, 1, 0]).data).toEqual(Uint8Array.of(5, 15, 25));
  const options = { filter: 'nearest', border: 'replicate', inverse: true };
  expect(warpPerspective(image, [2, 0, 0, 0, 1, 0, 0, 0, 1], options).data).toEqual(Uint8Array.of(10, 30, 30));
});

test('a letterbox, and a box of it in the picture', () => {
  const options = { width: 32, height: 32, auto: true, stride: 4 };
  const expected = letterboxOf(pixels, options);
  expect(letterbox(pixels, options)).toEqual(expected);
  const geometry = letterboxGeometry(pixels, options);
  expect(expected).toMatchObject(geometry);
  const { left, top } = geometry;
  expect(unletterbox([left, top], geometry, { format: 'points' })).toEqual(Float32Array.of(0, 0));
  const { dims, data } = tensorOf([{ ...expected }], { std: 255 });
  expectTensor(imageToTensor(pixels, { preset: 'yolo', letterbox: options }), 'float32', dims, data);
});

test('a blob, borders, gray and the size for text', () => {
  const options = { width: 9, height: 7, crop: true, scalefactor: 0.1, mean: [1, 2, 3], swapRB: true };
  expectTensor(blobFromImage(pixels, options), 'float32', [1, 4, 7, 9], blobOf(pixels, options));
  const bars = { top: 2, right: 5, border: 'reflect' };
  expect(copyMakeBorder(pixels, bars)).toEqual(padded(pixels, bars));
  expect(toGray(pixels, { backend: 'opencv' })).toEqual(gray(pixels));
  expect(textDetectionSize(pixels)).toEqual({ width: 1184, height: 736 });
  expect(textPage(pixels)).toMatchObject({ width: 64, height: 32, top: 0, channels: 4 });
  expect(textLineBatches([pixels])).toEqual([{ indices: [0], letterbox: { width: 320, height: 48 } }]);
});

test('a part of a picture', () => {
  const options = { box: [-2, 3, 9, 40.5] };
  expect(crop(pixels, options)).toEqual(resizeReference.cropped(pixels, options));
});

test('an image comes back', async () => {
  const tensor = await imageToTensorAsync(pixels, { channels: 'RGBA', dtype: 'uint8' });
  const picture = tensorToImage(tensor);
  expect([picture.width, picture.height, Array.from(picture.data)]).toEqual([21, 13, Array.from(pixels.data)]);
});

test('pixels come back as they were, or not at all', async () =>
  expect(['exact', 'missing']).toContain((await readBack()).canvas));

test('places and indices', () => {
  const x = { type: 'uint8', dims: [2, 2], data: Uint8Array.of(1, 2, 3, 4) };
  const row = (...list) => ({ type: 'uint8', dims: [list.length], data: Uint8Array.from(list) });
  const bytes = (...list) => Uint8Array.from(list);
  expectTensor(compress(x, { ...row(0, 1), type: 'bool' }, { axis: 1 }), 'uint8', [2, 1], bytes(2, 4));
  expectTensor(trilu(x), 'uint8', [2, 2], bytes(1, 2, 0, 4));
  expectTensor(eyeLike(x), 'uint8', [2, 2], bytes(1, 0, 0, 1));
  expectTensor(range(1, 6, 2), 'int64', [3], BigInt64Array.of(1n, 3n, 5n));
  expectTensor(oneHot(row(1, 0), 2, row(0, 9)), 'uint8', [2, 2], bytes(0, 9, 9, 0));
  expectTensor(scatterElements(row(1, 2), [1], row(7)), 'uint8', [2], bytes(1, 7));
  expectTensor(scatterND(x, [1], row(8, 9), { reduction: 'add' }), 'uint8', [2, 2], bytes(1, 2, 11, 13));
});

test.each(Object.keys(schemas))('inferShape knows %s', (operator) => {
  const { dims: own, inputs, others, attributes, inferred: expected } = legal(operator);
  const known = (value) => ({ type: 'int64', dims: Array.isArray(value) ? [value.length] : [], value });
  const facts = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, known(value)]));
  const options = { ...attributes, strict: false };
  const inferred = inferShape(operator, { ...inputs({ type: 'float32', dims: own }), ...facts }, options);
  expect([inferred].flat()[0].dims).toEqual(expected);
});

test('weights are packed', async () => {
  const weights = { type: 'float32', dims: [16, 1], data: Float32Array.from({ length: 16 }, (_, i) => i) };
  const packedWeights = packMatMulNBits(weights, { blockSize: 16 });
  expectTensor(packedWeights.B, 'uint8', [1, 1, 8], Uint8Array.of(0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe));
  expectTensor(unpackMatMulNBits(packedWeights), 'float32', [16, 1], weights.data);
  expect(quantizeWeights(model()).report).toEqual([]);
  expect(dequantizeWeights(model()).report).toEqual([]);
  const { model: file, report } = await quantizeWeightsAsync(new Blob([model()]));
  expect([file.byteLength, report]).toEqual([model().length, []]);
  expect((await dequantizeWeightsAsync(new Blob([model()]))).report).toEqual([]);
});

test('a model has the name that transformers.js loads', () =>
  expect(modelFileName('model', 'q4f16')).toBe('model_q4f16.onnx'));

test('a model without float32 stays as it is where others become float16', async () => {
  const { model: file, report } = convertModel(model(), { dtype: 'fp16' });
  expect([file, report]).toEqual([model(), []]);
  const { model: opened } = await convertModelAsync(new Blob([model()]), { dtype: 'fp16' });
  expect(opened.byteLength).toBe(model().length);
});

test('numbers are quantized and come back', () => {
  const x = { type: 'float32', dims: [4], data: Float32Array.of(-1, 0, 0.5, 1.55) };
  const scale = { type: 'float32', dims: [2], data: Float32Array.of(0.5, 0.25) };
  const blocks = { axis: 0, block_size: 2 };
  const y = quantizeLinear(x, scale, undefined, { ...blocks, output_dtype: 'int4' });
  expectTensor(y, 'int4', [4], Uint8Array.of(0x0e, 0x62));
  expectTensor(dequantizeLinear(y, scale, undefined, blocks), 'float32', [4], Float32Array.of(-1, 0, 0.5, 1.5));
  expectTensor(dynamicQuantizeLinear(x)[0], 'uint8', [4], Uint8Array.of(0, 100, 150, 255));
});

/** A length-delimited field of protobuf. */
const field = (number, bytes) => [(number << 3) | 2, bytes.length, ...bytes];
const text = (number, words) =>
  field(
    number,
    Array.from(words, (letter) => letter.charCodeAt(0)),
  );

/** A model of opset 13 that transposes its initializer `w`. */
function model() {
  const weight = Array.from(
    writeTensorProto({ type: 'uint8', dims: [2, 3], data: Uint8Array.of(1, 2, 3, 4, 5, 6) }, { name: 'w' }),
  );
  const node = [...text(1, 'w'), ...text(2, 'y'), ...text(4, 'Transpose')];
  const graph = [...field(1, node), ...field(5, weight), ...field(12, text(1, 'y'))];
  return Uint8Array.from([...field(7, graph), ...field(8, [0x10, 13])]);
}

test('a model runs, and takes other initializers', () => {
  expectTensor(runModel(readModel(model()), new Map()).get('y'), 'uint8', [3, 2], Uint8Array.of(1, 4, 2, 5, 3, 6));
  const w = { type: 'uint8', dims: [2, 2], data: Uint8Array.of(9, 8, 7, 6) };
  const changed = writeInitializers(model(), new Map([['w', w]]));
  expectTensor(readModel(changed).initializers.get('w'), 'uint8', [2, 2], w.data);
  expectTensor(runModel(readModel(changed), new Map()).get('y'), 'uint8', [2, 2], Uint8Array.of(9, 7, 8, 6));
});

test('a safetensors file gives its tensors back', () => {
  const tensors = new Map(
    ['float32', 'int8', 'bfloat16'].map((type) => [type, new Tensor(type, sample(type).data, dims)]),
  );
  const read = readSafetensors(writeSafetensors(tensors, { metadata: new Map([['made', 'here']]) }));
  expect([...read.keys()].sort()).toEqual([...tensors.keys()].sort());
  for (const [type, { data }] of tensors) expectTensor(read.get(type), type, dims, data);
});

/** The bytes of a file in the making. */
async function bytesOf(saved) {
  const bytes = new Uint8Array(saved.byteLength);
  let done = 0;
  for await (const chunk of saved) {
    bytes.set(chunk, done);
    done += chunk.length;
  }
  return bytes;
}

test('files are opened, transformed and saved in pieces', async () => {
  const entry = new Entry(sample('float32')).transpose().cast('float64').slice([1], [5]);
  const expected = slice(cast(transpose(sample('float32')), 'float64'), [1], [5]);
  const npy = await openNpy(await bytesOf(saveNpy(entry)));
  expectTensor(await npy.read(), 'float64', [4, 5, 3], expected.data);
  const tensors = await openSafetensors(await bytesOf(saveSafetensors(new Map([['x', npy]]))));
  const opened = await openModel(model());
  const { model: saved } = await saveModel(opened.bytes, new Map([['w', tensors.get('x')]]));
  const w = (await openModel(await bytesOf(saved))).initializers.get('w');
  expectTensor(await w.read({ rows: [3, 4] }), 'float64', [1, 5, 3], expected.data.slice(45));
});

test('archives of arrays, in memory and in pieces', async () => {
  const tensors = new Map([['x', sample('float32')]]);
  const { dims, data } = tensors.get('x');
  expectTensor(readNpz(writeNpz(tensors)).get('x'), 'float32', dims, data);
  const entries = await openNpz(await bytesOf(saveNpz(tensors)));
  expectTensor(await entries.get('x').read(), 'float32', dims, data);
});

test('a file at a URL is read by ranges', async () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);
  const fetch = async (_, { headers }) => {
    const [first, last] = headers.Range.slice(6).split('-').map(Number);
    const range = { 'Content-Range': `bytes ${first}-${last}/4` };
    return new Response(bytes.slice(first, last + 1), { status: 206, headers: range });
  };
  const source = await urlSource('https://example.com/file', { fetch });
  expect([source.byteLength, ...(await source.slice(1, 3))]).toEqual([4, 2, 3]);
});

refuses('', {
  'RangeError: Transpose-25: perm must be a permutation of [0, 3), got [0, 0, 1]': () =>
    transpose(sample('uint8'), { perm: [0, 0, 1] }),
  'TypeError: Cast-28: type complex64 is in no version, got opset 28': () => cast(sample('complex64'), 'float32'),
  'TypeError: Reshape-25: shape must be a list of whole numbers or an int64 tensor, got 6': () =>
    reshape(sample('uint8'), 6),
});

describe('audio', () => {
  const samples = Float32Array.from({ length: 800 }, (_, i) => Math.sin(i / 5));
  const options = { window: undefined, frame_length: 400, hop_length: 160 };

  test('features of a file', async () => {
    const wav = encodeWav({ channelData: [samples, samples], sampleRate: 16000 });
    const extract = featureExtractor({ feature_extractor_type: 'ASTFeatureExtractor', max_length: 3 });
    const { input_values: values } = extract(toMono(decodeWav(wav)));
    expect([values.type, values.dims]).toEqual(['float32', [1, 3, 128]]);
    expect(readWavHeader(wav).length).toBe(800);
    expect((await decodeAudio(wav)).channelData).toHaveLength(2);
    const feeds = toOrt({ Tensor }, { values }, { inputNames: ['values'] });
    expect(feeds.values.dims).toEqual([1, 3, 128]);
    expect(chunkAudio(samples, { chunk_length_s: 1, sampling_rate: 800 })).toHaveLength(1);
  });

  test('spectrograms', () => {
    options.window = windowFunction(400);
    const whole = spectrogram(samples, options);
    const part = spectrogramStream(options).push(samples).spectrogram;
    expect([whole.dims, part.dims]).toEqual([
      [201, 6],
      [201, 4],
    ]);
    expect(powerToDb(new Tensor('float64', Float64Array.of(100), [1])).toArray()).toEqual([20]);
    expect(amplitudeToDb(new Tensor('float64', Float64Array.of(10), [1])).toArray()).toEqual([20]);
    const mel = { num_frequency_bins: 3, num_mel_filters: 1, min_frequency: 0, max_frequency: 2, sampling_rate: 4 };
    expect(melFilterBank(mel).dims).toEqual([3, 1]);
    expect(melSpectrogram(samples, { preset: 'torchaudio' }).dims).toEqual([128, 5]);
    expect(mfcc(samples, { preset: 'torchaudio' }).dims).toEqual([40, 5]);
    const bins = spectrogram(samples, { ...options, power: null });
    expect(istft(bins, { hop_length: 160 })).toHaveLength(800);
  });

  test('resampling', () => {
    const rates = { orig_freq: 16000, new_freq: 8000 };
    expect(resampleAudio(samples, rates)).toHaveLength(400);
    const stream = resampleStream(rates);
    expect(stream.push(samples).length + stream.end().length).toBe(400);
  });
});

describe('answers', () => {
  const boxes = Tensor.from('float32', [0, 0, 4, 4, 0, 0, 4, 2], [2, 4]);
  const scores = Tensor.from('float32', [0.25, 0.75]);

  test('boxes', () => {
    expect(nms(boxes, scores, 0.4).toArray()).toEqual([1]);
    expect(batchedNms(boxes, scores, Tensor.from('int32', [0, 1]), 0.4).toArray()).toEqual([1, 0]);
    expect(boxConvert(boxes, 'xyxy', 'cxcywh').toArray()).toEqual([2, 2, 4, 4, 2, 1, 4, 2]);
    expect([boxIou, generalizedBoxIou].map((f) => f(boxes, boxes).toArray())).toEqual([
      [1, 0.5, 0.5, 1],
      [1, 0.5, 0.5, 1],
    ]);
    expect(boxArea(clipBoxesToImage(boxes, [3, 3])).toArray()).toEqual([9, 6]);
    expect(removeSmallBoxes(boxes, 3).toArray()).toEqual([0]);
  });

  test('numbers', () => {
    expect(softmax(Tensor.from('float32', [1, 1])).toArray()).toEqual([0.5, 0.5]);
    expect(sigmoid(Tensor.from('float16', [0])).toArray()).toEqual([0.5]);
    expect([topk(scores, 1).indices, argmax(scores), argmin(scores)].map((one) => one.data[0])).toEqual([1, 1, 0]);
    expect(classify(scores)[0][0].label).toBe('LABEL_1');
    const input = { type: 'float32', dims: [1, 1, 1, 2], data: Float32Array.of(0, 4) };
    expect(interpolate(input, { size: [1, 4], mode: 'bilinear' }).toArray()).toEqual([0, 1, 3, 4]);
  });

  test('a method of a class', () => {
    const method = postProcessor({
      image_processor_type: 'SegformerImageProcessor',
    }).post_process_semantic_segmentation;
    const logits = Tensor.from('float32', [1, 2, 2, 1], [1, 2, 1, 2]);
    expect(method({ logits })[0].toArray()).toEqual([1, 0]);
  });

  test('a head of YOLO', () => {
    const output0 = Tensor.from('float32', [32, 32, 16, 16, 0.25, 0.75], [1, 6, 1]);
    const [{ boxes: found, labels }] = decodeYolo({ output0 }, { size: [64, 64], nc: 2 });
    expect([found.toArray(), labels.toArray()]).toEqual([[24, 24, 40, 40], [1]]);
  });

  test('pictures', () => {
    expect(labelMapToImage(Tensor.from('int32', [0], [1, 1]), [[1, 2, 3]]).toArray()).toEqual([1, 2, 3, 255]);
    const image = Tensor.from('uint8', [1, 2, 3], [1, 1, 3]);
    expect(applyAlpha(image, Tensor.from('bool', [1], [1, 1])).toArray()).toEqual([1, 2, 3, 255]);
    expect(cropTextBox(image, Tensor.from('float32', [0, 0, 1, 0, 1, 1, 0, 1], [4, 2])).dims).toEqual([1, 1, 3]);
    expect(maskToPolygons(Tensor.from('bool', [1, 1, 1, 1], [2, 2]))).toEqual([[0, 0, 0, 1, 1, 1, 1, 0]]);
  });

  test('speech', () => {
    const probabilities = Tensor.from('float32', Array(10).fill(1), [10]);
    expect(speechSegments(probabilities)).toEqual([{ start: 0, end: 5120 }]);
  });

  test('contours and text', () => {
    const mask = Tensor.from('uint8', [1, 1, 1, 1], [2, 2]);
    const [contour] = findContours(mask).contours;
    expect(contour.toArray()).toEqual([0, 0, 0, 1, 1, 1, 1, 0]);
    expect([contourArea(contour), convexHull(contour).dims]).toEqual([1, [4, 2]]);
    expect(boxPoints(minAreaRect(contour)).dims).toEqual([4, 2]);
    expect(approxPolyDP(contour, 0, true).toArray()).toEqual([0, 0, 0, 1, 1, 1, 1, 0]);
    expect(fillPoly(mask, contour, 5).toArray()).toEqual([5, 5, 5, 5]);
    const { boxes: none } = textDetection(Tensor.from('float32', [0, 0, 0, 0], [2, 2]));
    expect(sortTextBoxes(none).dims).toEqual([0, 4, 2]);
    const probs = Tensor.from('float32', [0, 1], [1, 1, 2]);
    expect(ctcDecode(probs, { character_list: ['', 'a'] })).toEqual([{ text: 'a', score: 1 }]);
  });

  test('drawing', () => {
    const state = { canvas: { width: 8, height: 8 }, globalAlpha: 1 };
    const drawn = [];
    const context = new Proxy(state, {
      get: (target, name) => target[name] ?? ((...args) => (drawn.push([name, ...args]), { width: 1 })),
    });
    drawResults(context, { boxes: Tensor.from('float32', [1, 2, 4, 6], [1, 4]) });
    expect(drawn).toEqual([['strokeRect', 1, 2, 3, 4]]);
  });

  test('masks', () => {
    const mask = Tensor.from('bool', [0, 0, 1, 1], [2, 2]);
    expect(decodeRle(encodeRle(mask)).toArray()).toEqual([0, 0, 1, 1]);
    expect(masksToBoxes({ ...mask, dims: [1, 2, 2] }).toArray()).toEqual([0, 1, 1, 1]);
  });
});

test("transformers.js with Python's numbers", async () => {
  const python = usePython(hf, { backend: 'pil' });
  const config = { image_processor_type: 'ViTImageProcessor', size: { height: 2, width: 2 } };
  const processor = await python.use(new hf.ViTImageProcessor(config));
  const { pixel_values } = await processor(new hf.RawImage(new Uint8ClampedArray(12).fill(255), 2, 2, 3));
  expect([pixel_values.dims, [...pixel_values.data]]).toEqual([[1, 3, 2, 2], new Array(12).fill(1)]);
});

test('init does nothing after a call', async () => {
  const { init: initAudio } = noted(audio);
  const { init: initAnswers } = noted(answers);
  expect(await Promise.all([init(), initPictures(), initAudio(), initAnswers()])).toEqual(Array(4).fill(undefined));
});

test('every function that the package exports was called', () => {
  const functions = [core, pictures, io, conversions, processors, audio, answers, transformers]
    .flatMap(Object.entries)
    .filter(([, value]) => typeof value === 'function');
  expect(functions.filter(([, value]) => !called.has(value)).map(([name]) => name)).toEqual([]);
});
