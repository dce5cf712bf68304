/**
 * A user's strict TypeScript program: package.test.js compiles it, and nothing runs it. Each line has to be accepted
 * with the type that it names, or, below a `@ts-expect-error`, to be rejected.
 */
import {
  cast,
  dtypes,
  flatten,
  gather,
  identity,
  inferShape,
  init,
  oneHot,
  pack,
  pad,
  range,
  reshape,
  scatterElements,
  scatterND,
  schemas,
  slice,
  splitToSequence,
  Tensor,
  toOrt,
  transpose,
  unpack,
} from 'onnx-layout';
import { imageToTensor, imageToTensorAsync, tensorToImage } from 'onnx-layout/image';
import { featureExtractor, init as initAudio, resampleAudio, resampleStream, spectrogram } from 'onnx-layout/audio';
import { preprocessFiles, readConfigurationFolder, readImage, saveOutputs } from 'onnx-layout/node';
import { letterbox, resize, type ImageToTensorOptions, type ResizeOptions } from 'onnx-layout/image';
import { openNpy, readNpy, saveNpy, urlSource, type Entry, type FileWriter } from 'onnx-layout/io';
import { define, init as initOperators, run, tensor as tensorInput, type Declaration } from 'onnx-layout/operators';
import { argmax, classify, nms, postProcessor, type PostProcessor } from 'onnx-layout/postprocess';
import {
  imageProcessor,
  imageProcessorAsync,
  readConfiguration,
  videoProcessor,
  videoProcessorAsync,
} from 'onnx-layout/processors';
import { usePython, type Comparison, type ReportRow } from 'onnx-layout/transformers';

/** `true` only where both types are the same, `any` included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

/** A class as a session's module has it. */
class Ours {
  constructor(
    readonly type: string,
    readonly data: object,
    readonly dims: number[],
  ) {}
}

export async function main(
  module: WebAssembly.Module,
  video: HTMLVideoElement,
  context: CanvasRenderingContext2D,
  file: File,
): Promise<void> {
  same<ReturnType<typeof init>, Promise<void>>(true);
  await init();
  await init({ wasm: module });
  await init({ wasm: new Uint8Array(8) });
  await init({ wasm: new ArrayBuffer(8) });
  await initAudio({ wasm: module });
  const extract = featureExtractor({ feature_extractor_type: 'WhisperFeatureExtractor' }, { className: 'Whisper' });
  same<ReturnType<typeof extract>, { input_features: Tensor; attention_mask?: Tensor }>(true);
  extract(new Float32Array(1), { padding: 'longest', dtype: 'float16' }).input_features satisfies Tensor;
  extract([{ channelData: [[0, 1]], sampleRate: 16000 }, new AudioBuffer({ length: 1, sampleRate: 16000 })]);
  extract.stream().push(new Float32Array(1))?.input_features satisfies Tensor | undefined;
  same<ReturnType<ReturnType<typeof featureExtractor>>, Record<string, any>>(true);
  const listen = featureExtractor('{}', { className: 'Wav2Vec2' });
  listen([0, 1]).input_values satisfies Tensor;
  listen([[0], [0, 1]], { padding: true }).input_values satisfies Tensor;
  // @ts-expect-error a misspelt option
  listen([0, 1], { paddding: true });
  // @ts-expect-error an option of other classes
  listen([0, 1], { n_window: 50 });
  listen.stream({ sampling_rate: 16000, return_attention_mask: null });
  // @ts-expect-error waveforms of two lengths are two tensors
  listen([[0], [0, 1]]).input_values satisfies Tensor;
  // @ts-expect-error Whisper pads a batch, unless it shall not
  extract([[0], [0, 1]], { padding: false }).input_features satisfies Tensor;
  const rates = { orig_freq: 48000, new_freq: 16000 };
  const samples: Float32Array = resampleAudio(new Float32Array(1), rates);
  const wave: { channelData: Float32Array[]; sampleRate: number } = resampleAudio({ channelData: [[0]] }, rates);
  resampleStream(rates).push(samples).length satisfies number;
  // @ts-expect-error a backend that does not exist
  resampleAudio(samples, { ...rates, backend: 'sox' });
  spectrogram(wave.channelData[0]!, { window: [1], frame_length: 1, hop_length: 1 }).dims satisfies readonly number[];
  // @ts-expect-error an option that does not exist
  await init({ url: 'layout.wasm' });

  const tensor = new Tensor('float32', new Float32Array(6), [2, 3]);
  new Tensor('float32', new Float32Array(6));
  new Tensor('string', ['a', 'b'], [2]);
  new Tensor('int64', new BigInt64Array(2), [2]);
  new Tensor('int4', Uint8Array.of(0x21), [2]);
  // @ts-expect-error a type that does not exist
  new Tensor('float33', new Float32Array(6), [2, 3]);
  // @ts-expect-error no data
  new Tensor('float32');
  same<typeof tensor.size, number>(true);
  same<typeof tensor.dims, readonly number[]>(true);
  same<ReturnType<typeof tensor.toString>, string>(true);
  same<(typeof tensor)['type'] extends string ? true : false, true>(true);
  // @ts-expect-error dims are not for writing
  tensor.dims = [6];
  same<typeof tensor, Tensor<'float32'>>(true);
  same<typeof tensor.data, Float32Array>(true);
  same<Tensor<'float16'>['data'], Uint16Array>(true);
  same<Tensor<'int4' | 'int64'>['data'], Uint8Array | BigInt64Array>(true);
  same<Tensor<'string'>['data'], string[]>(true);
  // A type that only the program knows when it runs.
  same<Tensor['data'], any>(true);
  const values: readonly number[] = tensor.toArray();
  same<ReturnType<Tensor<'complex64'>['toArray']>, [number, number][]>(true);
  same<ReturnType<Tensor['toArray']>[number], number | bigint | string | [number, number]>(true);
  const encoded: Tensor = Tensor.from('bfloat16', [1, 2.5], [2]);
  same<Tensor<'bfloat16'>, ReturnType<typeof Tensor.from<'bfloat16'>>>(true);
  Tensor.from('int64', [1n, 2n]);

  const flat: Tensor = flatten(tensor);
  flatten({ type: 'uint8', data: new Uint8Array(4), dims: [2, 2] }, { axis: -1, opset: 11, strict: false });
  // @ts-expect-error flatten takes no perm
  flatten(tensor, { perm: [0] });
  // @ts-expect-error not a tensor
  flatten([1, 2, 3]);

  const again: Tensor = identity(tensor, { opset: 14 });
  // @ts-expect-error identity has no attributes
  identity(tensor, { axis: 1 });

  const shaped: Tensor = reshape(tensor, [3, -1]);
  reshape(tensor, [3n, -1n], { allowzero: 1 });
  reshape(tensor, BigInt64Array.of(3n, 2n), { allowzero: false, opset: 14, strict: true });
  reshape(tensor, new Tensor('int64', BigInt64Array.of(6n), [1]));
  reshape(tensor, { opset: 1, shape: [6] });
  // @ts-expect-error no shape
  reshape(tensor, { opset: 14 });
  gather(tensor, { axis: 1, indices: [0] });
  // @ts-expect-error no indices
  gather(tensor, { axis: 1 });
  slice(tensor, [1], { ends: [2] });
  // @ts-expect-error no ends
  slice(tensor, [1], { axes: [0] });
  // @ts-expect-error no ends
  slice(tensor, [1]);
  // @ts-expect-error no starts
  slice(tensor, { ends: [2] });
  slice(tensor, { starts: [1], ends: [2], opset: 1 }) satisfies Tensor<'float32'>;
  slice(tensor, [1], [2], { axes: [0] }).data satisfies Float32Array;
  const positions = Tensor.from('int64', [1], [1]);
  scatterElements(tensor, positions, tensor, { axis: 1 }).data satisfies Float32Array;
  scatterElements(tensor, positions, { updates: tensor });
  // @ts-expect-error no updates
  scatterElements(tensor, positions);
  scatterND(tensor, { indices: positions, updates: tensor });
  // @ts-expect-error no updates
  scatterND(tensor, positions, { reduction: 'add' });
  oneHot(positions, 3, tensor);
  oneHot(positions, { depth: 3, values: tensor, axis: 0 });
  // @ts-expect-error no values
  oneHot(positions, 3);
  range(0, 3, 1);
  range(0, { limit: 3, delta: 1 });
  range({ start: 0, limit: 3, delta: 1, opset: 11 });
  // @ts-expect-error no delta
  range(0, 3);
  // @ts-expect-error no limit
  range(0);
  pad(tensor, { opset: 1, paddings: [0, 0, 1, 1] });
  // @ts-expect-error a number is no shape
  reshape(tensor, 6);

  const transposed: Tensor<'float32'> = transpose(tensor);
  const turned = transpose({ type: 'uint8', data: new Uint8Array(4), dims: [2, 2] });
  // @ts-expect-error the type of the tensor stays
  const changed: Tensor<'int8'> = transpose(tensor);
  transpose(tensor, { perm: [1, 0], out: new Tensor('float32', new Float32Array(6), [3, 2]) });
  // @ts-expect-error a misspelt attribute
  transpose(tensor, { prem: [1, 0] });
  // @ts-expect-error perm is a list of numbers
  transpose(tensor, { perm: '10' });

  const pieces = splitToSequence(tensor, [1, 2], { axis: 1, opset: 24 });
  const piece: Tensor | undefined = pieces[0];
  const kind: string = pieces.type;
  splitToSequence(tensor);
  splitToSequence(tensor, 1, { keepdims: 0 });
  splitToSequence(tensor, null, { keepdims: false });
  splitToSequence(tensor, 1n, { out: [tensor, tensor] });
  // @ts-expect-error out is a list here
  splitToSequence(tensor, 1, { out: tensor });

  const converted: Tensor<'float16'> = cast(tensor, 'float16');
  const halves: Uint16Array = transpose(converted).data;
  same<typeof turned.data, Uint8Array>(true);
  cast(tensor, 'double', { opset: 13, strict: false });
  cast(tensor, 'float8e8m0', {
    saturate: 0,
    round_mode: 'nearest',
    out: new Tensor('float8e8m0', new Uint8Array(6), [2, 3]),
  });
  // @ts-expect-error no type to cast to
  cast(tensor);
  // @ts-expect-error a type that does not exist
  cast(tensor, 'float33');
  // @ts-expect-error a rounding that does not exist
  cast(tensor, 'float8e8m0', { round_mode: 'even' });

  const inferred = inferShape('Reshape', {
    data: { type: 'float32', dims: ['N', null, 3] },
    shape: { type: 'int64', dims: [2], value: [0, 'M'] },
  });
  same<typeof inferred.dims, (number | string | null)[] | null>(true);
  same<typeof inferred.sequence, true | undefined>(true);
  inferShape('Flatten', { input: tensor }, { axis: 2n, opset: 13, strict: false });
  inferShape('Transpose', { data: { type: 'double', dims: null } }, { perm: [1, 0] });
  inferShape('SplitToSequence', { input: tensor, split: { type: 'int64', dims: [], value: 2 } }, { keepdims: 0 });
  inferShape('SplitToSequence', { input: tensor, split: null });
  inferShape('Cast', { input: tensor }, { to: 'float16' });
  inferShape('Identity', { input: tensor }, { opset: 1 });
  // @ts-expect-error an operator that does not exist
  inferShape('Relu', { input: tensor });
  // @ts-expect-error an input that does not exist
  inferShape('Flatten', { nothing: tensor });
  // @ts-expect-error dims are a list
  inferShape('Flatten', { input: { type: 'float32', dims: 2 } });

  const pixels = { data: new Uint8Array(12), width: 2, height: 2 };
  letterbox(pixels, { width: 640, height: 640, background: '#727272' }).scale satisfies number;
  resize(pixels, { width: 2, height: 2, premultiply: false }).channels satisfies number;
  // @ts-expect-error colors are weighted or they are not
  resize(pixels, { width: 2, height: 2, premultiply: 'straight' });
  resize(pixels, { width: 2, height: 2, backend: 'opencv', filter: 'area' });
  // @ts-expect-error a filter of OpenCV's
  resize(pixels, { width: 2, height: 2, filter: 'area' });
  imageToTensor(pixels, { width: 2, filter: 'linear', preset: 'paddleocr-det' });
  imageToTensor(pixels, { width: 2, backend: 'torchvision', filter: 'canvas' });
  // @ts-expect-error a filter of Pillow's
  imageToTensor(pixels, { width: 2, backend: 'torchvision', filter: 'hamming' });
  const image: Tensor<'float16'> = imageToTensor(context.getImageData(0, 0, 2, 2), {
    layout: 'NHWC',
    channels: 'BGR',
    dtype: 'float16',
    preset: 'imagenet',
  });
  imageToTensor(video, { width: 224, fit: 'contain', background: '#888' });
  imageToTensor([pixels, { ...pixels, channels: 3, rowstride: 6 }], {
    scale: 1 / 255,
    mean: [0.5, 0.5, 0.5],
    std: Float32Array.of(1, 2, 3),
    out: image,
  });
  const later: Tensor<'float32'> = await imageToTensorAsync([file, pixels, await createImageBitmap(file)], {
    preset: 'clip',
  });
  context.putImageData(tensorToImage(image, { layout: 'NHWC', channels: 'BGR', preset: 'imagenet' }), 0, 0);
  const processor = imageProcessor({ image_processor_type: 'ViTImageProcessor' }, { backend: 'pil' });
  const outputs = processor([pixels, video], { do_resize: false, dtype: 'bfloat16' });
  same<typeof outputs, { pixel_values: Tensor }>(true);
  // @ts-expect-error an output of other classes
  void outputs.pixel_mask;
  processor(pixels, { resample: 3, size: { height: 2, width: 2 }, image_std: null });
  // @ts-expect-error an option of other classes
  processor(pixels, { image_grid_pinpoints: [[336, 672]] });
  // @ts-expect-error a misspelt option
  processor(pixels, { do_resise: false });
  // Any option where the class shows when the program runs.
  imageProcessor('{}')(pixels, { do_resise: false });
  const trimaps = { data: new Uint8Array(4), width: 2, height: 2, channels: 1 };
  imageProcessor({ image_processor_type: 'VitMatteImageProcessor' })(pixels, { trimaps });
  imageProcessor('{}', { className: 'SamImageProcessor' })(pixels, { input_points: [[[1, 2]]] });
  imageProcessor('{}', { className: 'AnImageProcessorOfTheirOwn' })(pixels, { their_own: 1 });
  processor(pixels, { resample: 'bicubic' });
  // @ts-expect-error a filter by Pillow's number or name
  processor(pixels, { resample: true });
  // @ts-expect-error a flag
  processor(pixels, { do_resize: 'no' });
  const ofDetr = imageProcessor({ size: {}, feature_extractor_type: 'DetrFeatureExtractor' })(pixels);
  same<typeof ofDetr, { pixel_mask?: Tensor; pixel_values: Tensor }>(true);
  const ofQwen = imageProcessor('{}', { className: 'Qwen2VLImageProcessorFast' })(pixels);
  same<typeof ofQwen, { image_grid_thw: Tensor; pixel_values: Tensor }>(true);
  // A class that only the program knows when it runs.
  imageProcessor('{}')(pixels).pixel_values satisfies Tensor;
  imageProcessor(JSON.parse('{}'))(pixels).pixel_mask satisfies Tensor | undefined;
  const ignored: readonly string[] = processor.ignored;
  videoProcessor(await readConfiguration({ 'config.json': file }));
  videoProcessor(await readConfigurationFolder('model'));
  // @ts-expect-error a Blob has to be decoded
  processor(file);
  // @ts-expect-error a type that pixel_values do not have
  processor(pixels, { dtype: 'int8' });
  // @ts-expect-error a backend that does not exist
  imageProcessor('{}', { backend: 'numpy' });
  await imageToTensorAsync(['a.jpg', new URL('file:///a.jpg'), new Uint8Array(1)], { decode: readImage });
  toOrt({ Tensor: Ours }, tensor, { inputNames: ['x'] }) satisfies Ours;
  toOrt({ Tensor: Ours }, { x: tensor }).x satisfies Ours;
  toOrt({ Tensor: Ours }, ofDetr).pixel_mask satisfies Ours | undefined;
  (await imageProcessorAsync('{}', { decode: async () => pixels })('a.jpg')).pixel_values satisfies Tensor;
  const ofFiles = preprocessFiles(['a.jpg'], { image_processor_type: 'DetrImageProcessor' });
  for await (const { outputs } of ofFiles)
    same<typeof outputs, { pixel_mask?: Tensor; pixel_values: Tensor } | undefined>(true);
  await saveOutputs('a.npy', preprocessFiles(['a.jpg'], '{}', { className: 'Fuyu' }));
  for await (const { paths, outputs, failed } of preprocessFiles(['a.jpg'], '{}', { jobs: 2, onError: 'skip' })) {
    same<typeof paths, string[]>(true);
    const values: Tensor | undefined = outputs?.pixel_values;
    [values, failed[0]?.error.message];
  }
  const decoded = await imageProcessorAsync('{}', { className: 'ViTImageProcessor' })([file], {
    orientation: 'ignore',
  });
  void [outputs.pixel_values, ignored, decoded.pixel_values];
  const ofVideos = videoProcessor({ 'config.json': '{}' }, { className: 'Qwen2VL', dtype: 'float16' });
  const clip = { type: 'uint8', dims: [2, 28, 28, 3], data: new Uint8Array(4704) } as const;
  const patches: Tensor = ofVideos([clip, [pixels, video]], {
    video_metadata: [{ fps: 24 }, {}],
  }).pixel_values_videos;
  const frames: number[] = ofVideos.sampleFrames({ total_num_frames: 9, fps: 24, duration: null }, { fps: 2 });
  const places: number | number[] | undefined = ofVideos.get_num_of_video_patches?.(2, 28, 28);
  // @ts-expect-error an option of other classes
  ofVideos(clip, { video_target_num_patches: 2 });
  // @ts-expect-error a misspelt option of a method
  ofVideos.sampleFrames({ total_num_frames: 9 }, { fbs: 2 });
  // @ts-expect-error a setting of videos that is a number
  ofVideos(clip, { fps: 'two' });
  // Options may be undefined.
  ofVideos(clip, { fps: undefined, size: undefined, out: undefined, video_metadata: [{ fps: undefined }] });
  imageProcessor('{}', { backend: undefined })(pixels, { do_resize: undefined, onStep: undefined });
  imageToTensor(pixels, { width: undefined, preset: undefined });
  transpose(new Tensor('float32', new Float32Array(6), [2, 3]), { perm: undefined, opset: undefined });
  // @ts-expect-error a stream is read by videoProcessorAsync
  ofVideos(stream());
  async function* stream() {
    yield video;
    yield file;
  }
  const streamed = await videoProcessorAsync('{}')([stream(), [file]], { orientation: 'ignore' });
  void [patches, frames, places, streamed.video_grid_thw];
  // @ts-expect-error a type that cast has to give
  imageToTensor(pixels, { dtype: 'float64' });
  // @ts-expect-error a file has to be decoded
  imageToTensor(file);
  // @ts-expect-error no pixels
  imageToTensor({ width: 2, height: 2 });
  // @ts-expect-error an option that does not exist
  tensorToImage(image, { out: pixels });

  const packed: Uint8Array = pack('int4', Int8Array.of(1, -2, 3));
  const unpacked: Int8Array | Uint8Array = unpack('int4', packed, 3);
  // @ts-expect-error the number of elements cannot be known from the bytes
  unpack('int4', packed);

  await initOperators();
  const declaration: Declaration = {
    name: 'Same',
    versions: { 1: 1 },
    inputs: [tensorInput('x')],
    shape: (_call, _attributes, { dims }) => ({ dims }),
    move: { isMoving: false, out: undefined, view: undefined, run: () => tensor },
  };
  run(define(declaration), [tensor]);
  const entry: Entry = await openNpy(await urlSource('https://example.com/a.npy'));
  const writer: FileWriter = saveNpy(entry.cast('float16'));
  for await (const piece of writer) piece satisfies Uint8Array;
  readNpy(new Uint8Array(0), { dtype: 'bfloat16' }) satisfies Tensor;
  argmax(tensor, 1).dims satisfies readonly number[];
  nms(tensor, tensor, 0.5) satisfies Tensor;
  const answers: PostProcessor = postProcessor('{}');
  const python = usePython({ Tensor: Ours, RawImage: Ours }, { backend: 'pil', decode: readImage });
  (await python.use(new Ours('float32', new Float32Array(1), [1]))) satisfies Ours;
  python.report() satisfies ReportRow[];
  (await python.compare(python)) satisfies Comparison;
  const detr = postProcessor({ image_processor_type: 'DetrImageProcessor' });
  const [found] = detr.post_process_object_detection({}, { threshold: 0.9, target_sizes: [[480, 640]], id2label: {} });
  same<NonNullable<typeof found>['boxes'], Tensor<'float32'>>(true);
  same<NonNullable<typeof found>['labels'], Tensor<'int32'>>(true);
  found?.label_names satisfies string[] | undefined;
  // @ts-expect-error a misspelt method
  detr.post_process_object_detections;
  // @ts-expect-error a method of other classes
  detr.post_process_depth_estimation;
  // @ts-expect-error a misspelt option
  detr.post_process_object_detection({}, { treshold: 0.9 });
  // @ts-expect-error an option of other methods
  detr.post_process_object_detection({}, { mask_threshold: 0.9 });
  detr.post_process_panoptic_segmentation({})[0]?.segments_info[0]?.label_id satisfies number | undefined;
  const segformer = postProcessor('{}', { className: 'SegformerFeatureExtractor' });
  segformer.post_process_semantic_segmentation({})[0]?.data satisfies Int32Array | undefined;
  const scored = segformer.post_process_semantic_segmentation({}, { return_segmentation_scores: true });
  scored[0]?.segmentation_scores.data satisfies Float32Array | undefined;
  // @ts-expect-error sizes have to be given
  postProcessor('{}', { className: 'EomtImageProcessor' }).post_process_semantic_segmentation({});
  answers.post_process_of_any_class?.({}, { threshold: 0.5 });
  // @ts-expect-error an option of no class
  answers.post_process_of_any_class?.({}, { any: 1 });
  classify(tensor)[0]?.[0]?.score satisfies number | undefined;
  const wishes: ImageToTensorOptions = { layout: 'NHWC' };
  const sizes: ResizeOptions = { width: 2, height: 2 };
  void [halves, changed, answers, wishes, sizes];

  const bits: number = dtypes.float8e4m3fn.bits;
  // @ts-expect-error the tables are read-only
  dtypes.float32.bits = 16;
  const since: number | undefined = schemas.Transpose[0]?.since;
  // @ts-expect-error the tables are read-only
  schemas.Transpose.push(schemas.Transpose[0]);
  console.log(
    values,
    encoded,
    flat,
    again,
    shaped,
    transposed,
    converted,
    image,
    later,
    piece,
    kind,
    unpacked,
    bits,
    since,
  );
}
