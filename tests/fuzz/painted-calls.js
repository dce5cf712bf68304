/**
 * Calls of the functions that run kernels, with options that are changed one at a time. Each row has a name, options
 * that work, and a call that takes them. See painted.js, which paints the modules' memory before each call.
 */
import * as tensors from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import * as pictures from 'onnx-layout/image';
import * as answers from 'onnx-layout/postprocess';
import * as processors from 'onnx-layout/processors';

const wave = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i * i * 0.001) / 2);
const complex = { type: 'complex64', dims: [9, 20], data: wave.slice(0, 360) };
const channelData = [wave.slice(0, 500), wave.slice(500, 1000), wave.slice(1000, 1500)];
const frame = { frame_length: 16, hop_length: 5, window: wave.slice(0, 16) };
const power = { type: 'float32', dims: [10, 30], data: wave.slice(0, 300).map(Math.abs) };
const floats = (...dims) => {
  const length = dims.reduce((a, b) => a * b, 1);
  return { type: 'float32', dims, data: Float32Array.from({ length }, (_, i) => Math.sin(i * 7.3)) };
};
const ints = (dims, values, type = 'int64') => tensors.Tensor.from(type, values, dims);
const data = Uint8Array.from({ length: 37 * 23 * 4 }, (_, i) => (i * i * 31) >> 3);
const image = { data: data.slice(0, 37 * 23 * 3), width: 37, height: 23 };
const transparent = { data, width: 37, height: 23 };
/** Frames whose pixels begin at one place of the bytes after another. */
const clipOf = (count, first) =>
  Array.from({ length: count }, (_, i) => ({
    data: data.slice(first + i, first + i + 37 * 23 * 3),
    width: 37,
    height: 23,
  }));
const mask = { type: 'bool', dims: [23, 37], data: Uint8Array.from({ length: 23 * 37 }, (_, i) => ((i >> 2) % 3) & 1) };
const boxes = {
  type: 'float32',
  dims: [6, 4],
  data: Float32Array.from({ length: 24 }, (_, i) => (i % 4 > 1 ? 30 : 0) + i),
};
const scores = floats(6);
/** JSON has no undefined. */
const stated = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
const small = { chunk_length: 1, chunk_seconds: 1, max_length_s: 1, default_audio_length: 1 };

/** @type {[name: string, options: Record<string, any>, call: (options: any) => unknown][]} */
const audioCalls = [
  [
    'windowFunction',
    { name: 'hann', periodic: true, frame_length: 20, center: true },
    (o) => audio.windowFunction(16, o),
  ],
  [
    'melFilterBank',
    {
      ...{ num_frequency_bins: 9, num_mel_filters: 5, min_frequency: 0, max_frequency: 4000, sampling_rate: 8000 },
      ...{ norm: 'slaney', mel_scale: 'htk', triangularize_in_mel_space: false, dtype: 'float64' },
    },
    audio.melFilterBank,
  ],
  [
    'spectrogram',
    {
      ...frame,
      ...{ fft_length: 18, power: 2, center: true, pad_mode: 'reflect', onesided: true, preemphasis: 0.9 },
      ...{ mel_filters: { dims: [10, 4], data: wave.slice(0, 40) }, mel_floor: 1e-10, log_mel: 'dB' },
      ...{ reference: 1, min_value: 1e-10, db_range: 80, remove_dc_offset: true },
    },
    (o) => audio.spectrogram(wave, o),
  ],
  ['spectrogram of bins', { ...frame, onesided: false, power: null }, (o) => audio.spectrogram(wave, o)],
  [
    'spectrogramStream',
    { ...frame, onesided: true, power: 1, center: true, pad_mode: 'constant' },
    (o) => {
      const stream = audio.spectrogramStream(o);
      return [stream.push(wave.subarray(0, 700)), stream.push(wave.subarray(700, 701)), stream.end()];
    },
  ],
  [
    'istft',
    {
      n_fft: 16,
      hop_length: 5,
      win_length: 16,
      window: 'hann',
      center: true,
      normalized: true,
      onesided: true,
      length: 90,
    },
    (o) => audio.istft(complex, o),
  ],
  ['istft without a length', { hop_length: 4, center: false }, (o) => audio.istft(complex, o)],
  [
    'melSpectrogram',
    {
      ...{ preset: 'torchaudio', sampling_rate: 8000, n_fft: 64, win_length: 50, hop_length: 20, n_mels: 8, f_min: 0 },
      ...{ f_max: 4000, power: 2, norm: null, mel_scale: 'htk', center: true, pad_mode: 'reflect' },
    },
    (o) => audio.melSpectrogram(wave, o),
  ],
  ['mfcc', { preset: 'librosa', n_fft: 128, n_mels: 20, n_mfcc: 7, log_mels: false }, (o) => audio.mfcc(wave, o)],
  [
    'resampleAudio',
    {
      backend: 'torchaudio',
      orig_freq: 441,
      new_freq: 160,
      lowpass_filter_width: 6,
      rolloff: 0.99,
      beta: 14,
      mono: true,
    },
    (o) => audio.resampleAudio({ channelData }, o),
  ],
  ['resampleAudio by many phases', { orig_freq: 5000, new_freq: 4999 }, (o) => audio.resampleAudio(wave, o)],
  [
    "resampleAudio, scipy's",
    { backend: 'scipy', orig_freq: 3, new_freq: 16000 },
    (o) => audio.resampleAudio(wave.subarray(0, 40), o),
  ],
  [
    "resampleAudio, soxr's",
    { backend: 'soxr', orig_freq: 44100, new_freq: 16000 },
    (o) => audio.resampleAudio(wave, o),
  ],
  [
    'resampleStream',
    { orig_freq: 7, new_freq: 5, resampling_method: 'sinc_interp_kaiser' },
    (o) => {
      const stream = audio.resampleStream(o);
      return [stream.push(wave.subarray(0, 700)), stream.push(wave.subarray(700, 703)), stream.end()];
    },
  ],
  ['powerToDb', { reference: 1, min_value: 1e-10, db_range: 40 }, (o) => audio.powerToDb(power, o)],
  ['amplitudeToDb', { reference: 1, min_value: 1e-5, db_range: 40 }, (o) => audio.amplitudeToDb(power, o)],
  ['encodeWav', { format: 'pcm24', sampling_rate: 8000 }, (o) => audio.decodeWav(audio.encodeWav({ channelData }, o))],
  ['toMono', { channelData, sampleRate: 8000 }, audio.toMono],
  ['toMono of two', { channelData: channelData.slice(0, 2) }, audio.toMono],
];

const extractors = [
  ...['Whisper', 'SeamlessM4T', 'Speech2Text', 'ASTFeatureExtractor', 'Gemma3nAudio', 'Gemma4Audio', 'Lasr', 'Clap'],
  ...['SpeechT5', 'UnivNet', 'Clvp', 'Parakeet', 'Phi4Multimodal', 'GraniteSpeech', 'Wav2Vec2', 'Encodec', 'Dac'],
  ...['PocketTTS', 'VibeVoiceAcousticTokenizer', 'MusicgenMelody'],
];
for (const name of extractors) {
  const feature_extractor_type = `${name.replace('FeatureExtractor', '')}FeatureExtractor`;
  audioCalls.push([
    feature_extractor_type,
    { ...small, feature_size: undefined, n_fft: undefined, hop_length: undefined, padding_value: 0 },
    (o) => audio.featureExtractor({ feature_extractor_type, ...stated(o) })(wave),
  ]);
}

const tensorCalls = [
  ['transpose', { perm: [2, 0, 1] }, (o) => tensors.transpose(floats(3, 5, 7), o)],
  [
    'transpose of int4',
    { perm: [1, 0] },
    (o) => tensors.transpose(tensors.Tensor.from('int4', Array(15).fill(3), [3, 5]), o),
  ],
  ...[
    'float16',
    'bfloat16',
    'float8e4m3fn',
    'float8e5m2',
    'float4e2m1',
    'float6e2m3',
    'int4',
    'uint2',
    'bool',
    'int64',
    'float64',
  ].map((type) => [`cast to ${type}`, { saturate: 1 }, (o) => tensors.cast(floats(101), type, o)]),
  ['concat', { axis: 1 }, (o) => tensors.concat([floats(3, 4, 5), floats(3, 4, 5)], o)],
  ['split', { axis: 1 }, (o) => tensors.split(floats(3, 8, 5), [3, 5], o)],
  ['slice', { axes: [1], steps: [-2] }, ({ axes, steps }) => tensors.slice(floats(3, 9, 5), [8], [-10], axes, steps)],
  ['pad', { mode: 'reflect' }, (o) => tensors.pad(floats(5, 7), [2, 3, 1, 4], null, null, o)],
  ['depthToSpace', { blocksize: 2, mode: 'CRD' }, (o) => tensors.depthToSpace(floats(1, 8, 3, 5), o)],
  ['spaceToDepth', { blocksize: 2 }, (o) => tensors.spaceToDepth(floats(1, 2, 4, 6), o)],
  ['gather', { axis: 1 }, (o) => tensors.gather(floats(4, 6), ints([3], [5n, 0n, -1n]), o)],
  ['gatherElements', { axis: 1 }, (o) => tensors.gatherElements(floats(2, 6), ints([2, 2], [5n, 0n, -1n, 1n]), o)],
  [
    'scatterElements',
    { axis: 1, reduction: 'add' },
    (o) => tensors.scatterElements(floats(2, 6), ints([2, 2], [5n, 0n, -1n, 1n]), floats(2, 2), o),
  ],
  ['scatterND', { reduction: 'max' }, (o) => tensors.scatterND(floats(4, 3), ints([2, 1], [1n, 3n]), floats(2, 3), o)],
  ['oneHot', { axis: -1 }, (o) => tensors.oneHot(ints([3], [1n, 0n, 2n]), 4, ints([2], [0, 1], 'float32'), o)],
  ['trilu', { upper: 0 }, (o) => tensors.trilu(floats(5, 5), 1, o)],
  [
    'quantizeLinear',
    { axis: 1, saturate: 1 },
    (o) => tensors.quantizeLinear(floats(3, 40), ints([], [0.01], 'float32'), ints([], [3], 'int8'), o),
  ],
  [
    'dequantizeLinear',
    { axis: 1, block_size: 0 },
    (o) =>
      tensors.dequantizeLinear(
        ints([3, 2], [1, 2, 3, 4, 5, 6], 'uint8'),
        ints([], [0.01], 'float32'),
        ints([], [3], 'uint8'),
        o,
      ),
  ],
  ['dynamicQuantizeLinear', {}, () => tensors.dynamicQuantizeLinear(floats(77))],
  [
    'reverseSequence',
    { batch_axis: 1, time_axis: 0 },
    (o) => tensors.reverseSequence(floats(4, 2, 3), ints([2], [2n, 4n]), o),
  ],
  ['compress', { axis: 0 }, (o) => tensors.compress(floats(4, 3), ints([4], [1, 0, 1, 1], 'bool'), o)],
  ['centerCropPad', { axes: [0, 1] }, (o) => tensors.centerCropPad(floats(5, 8), [7, 6], o)],
  ['range and tile', { n: 3 }, ({ n }) => tensors.tile(tensors.range(0, 7, 2), [n])],
  ['expand', { n: 5 }, ({ n }) => tensors.expand(floats(3, 1), [3, n])],
];

const imageCalls = [
  ...['pil', 'torchvision', 'opencv'].map((backend) => [
    `resize, ${backend}'s`,
    { width: 19, height: 31, filter: backend === 'opencv' ? 'linear' : 'bicubic', backend, premultiply: undefined },
    (o) => pictures.resize(transparent, o),
  ]),
  [
    'imageToTensor',
    {
      width: 20,
      height: 20,
      fit: 'cover',
      preset: 'imagenet',
      layout: 'NCHW',
      channels: 'RGB',
      dtype: 'float16',
      alpha: 'white',
    },
    (o) => pictures.imageToTensor(transparent, o),
  ],
  [
    'imageToTensor of pixels',
    { layout: 'NHWC', channels: 'BGR', dtype: 'uint8' },
    (o) => pictures.imageToTensor(image, o),
  ],
  ['letterbox', { width: 40, height: 50, background: [1, 2, 3] }, (o) => pictures.letterbox(image, o)],
  ['crop', { box: [3, 4, 20, 22] }, (o) => pictures.crop(image, o)],
  [
    'copyMakeBorder',
    { top: 2, right: 3, bottom: 1, left: 5, border: 'reflect' },
    (o) => pictures.copyMakeBorder(image, o),
  ],
  ['toGray', {}, () => pictures.toGray(image)],
  [
    'warpAffine',
    { matrix: [0.9, 0.2, 1, -0.1, 1.1, 2], width: 30, height: 20, filter: 'linear', background: [9, 9, 9] },
    ({ matrix, ...o }) => pictures.warpAffine(image, matrix, o),
  ],
  [
    'warpPerspective',
    { matrix: [0.9, 0.2, 1, -0.1, 1.1, 2, 0.001, 0, 1], width: 30, height: 20, filter: 'cubic' },
    ({ matrix, ...o }) => pictures.warpPerspective(image, matrix, o),
  ],
  [
    'blobFromImage',
    { scalefactor: 1 / 255, width: 12, height: 9, mean: [1, 2, 3], swapRB: true, crop: true },
    (o) => pictures.blobFromImage(image, o),
  ],
  ['tensorToImage', { layout: 'CHW', mean: 0.5, std: 0.5 }, (o) => pictures.tensorToImage(floats(3, 6, 7), o)],
];

const size = { height: 28, width: 28 };
const clusters = [
  [-1, -1, -1],
  [1, 1, 1],
  [0.5, 0, -0.5],
];
for (const [name, settings] of Object.entries({
  ViTImageProcessor: {},
  ViTImageProcessorFast: {},
  CLIPImageProcessor: {},
  ConvNextImageProcessor: {},
  BeitImageProcessorFast: {},
  SamImageProcessor: {},
  Owlv2ImageProcessor: {},
  DPTImageProcessor: {},
  SuperPointImageProcessor: {},
  Pix2StructImageProcessor: {},
  Idefics3ImageProcessor: {},
  ImageGPTImageProcessor: { clusters, size },
}))
  imageCalls.push([
    name,
    {
      ...{ size: undefined, resample: undefined, do_resize: undefined, do_normalize: undefined, do_rescale: undefined },
      ...settings,
    },
    (o) => processors.imageProcessor({ image_processor_type: name, ...stated(o) })(image),
  ]);

/** Patches and planes of several frames: more of them, then fewer. */
const videoClasses = ['Qwen2VL', 'VideoMAE', 'Ernie4_5_VLMoe'];
for (const [i, name] of videoClasses.entries())
  for (const frames of [6, 3])
    imageCalls.push([
      `${name}VideoProcessor of ${frames} frames`,
      { do_resize: undefined, do_normalize: undefined, do_sample_frames: false },
      (o) =>
        processors.videoProcessor({ video_processor_type: `${name}VideoProcessor`, ...stated(o) })(
          clipOf(frames, 100 * i + 10 * frames),
        ),
    ]);

const answerCalls = [
  ['nms', { iou: 0.3 }, ({ iou }) => answers.nms(boxes, scores, iou)],
  [
    'batchedNms',
    { iou: 0.3 },
    ({ iou }) => answers.batchedNms(boxes, scores, ints([6], [0, 1, 0, 1, 0, 1], 'int32'), iou),
  ],
  ['boxIou', {}, () => [answers.boxIou(boxes, boxes), answers.generalizedBoxIou(boxes, boxes), answers.boxArea(boxes)]],
  ['boxConvert', { from: 'xyxy', to: 'cxcywh' }, ({ from, to }) => answers.boxConvert(boxes, from, to)],
  ['clipBoxesToImage', { size: [10, 20] }, ({ size }) => answers.clipBoxesToImage(boxes, size)],
  ['removeSmallBoxes', { least: 20 }, ({ least }) => answers.removeSmallBoxes(boxes, least)],
  ['masksToBoxes', {}, () => answers.masksToBoxes({ ...mask, dims: [1, 23, 37] })],
  ...['nearest', 'bilinear', 'bicubic'].map((mode) => [
    `interpolate, ${mode}`,
    { size: [9, 14], mode, align_corners: false },
    (o) => answers.interpolate(floats(1, 2, 6, 7), o),
  ]),
  ['softmax and sigmoid', {}, () => [answers.softmax(floats(3, 17)), answers.sigmoid(floats(33))]],
  ['topk', { sorted: true }, (o) => answers.topk(floats(3, 40), 7, o)],
  [
    'argmax and argmin',
    { dim: 1 },
    ({ dim }) => [answers.argmax(floats(3, 40), dim), answers.argmin(floats(3, 40), dim)],
  ],
  ['classify', { top_k: 3, function_to_apply: 'softmax' }, (o) => answers.classify(floats(2, 20), o)],
  ['findContours', { mode: 'tree', method: 'simple' }, (o) => answers.findContours(mask, o)],
  [
    'approxPolyDP',
    { epsilon: 2, closed: true },
    ({ epsilon, closed }) => answers.approxPolyDP(floats(20, 2), epsilon, closed),
  ],
  ['convexHull', { clockwise: false, returnPoints: true }, (o) => answers.convexHull(floats(20, 2), o)],
  ['minAreaRect', {}, () => answers.boxPoints(answers.minAreaRect(floats(20, 2)))],
  ['contourArea', { oriented: true }, (o) => answers.contourArea(floats(20, 2), o)],
  [
    'fillPoly',
    { value: 3 },
    ({ value }) => answers.fillPoly({ ...mask, type: 'uint8' }, ints([3, 2], [0, 0, 30, 2, 9, 20], 'int32'), value),
  ],
  ['encodeRle', { compress: true }, (o) => answers.decodeRle(answers.encodeRle(mask, o))],
  [
    'decodeYolo',
    {
      size: [64, 64],
      orig: [50, 70],
      nc: 2,
      conf: 0.1,
      iou: 0.5,
      classes: [0],
      agnostic: false,
      multi_label: true,
      max_det: 9,
    },
    (o) => answers.decodeYolo({ ...floats(1, 6, 84) }, o),
  ],
  [
    'textDetection',
    { thresh: 0.2, box_thresh: 0.1, unclip_ratio: 1.6, use_dilation: true, max_candidates: 9, min_size: 1 },
    (o) => answers.textDetection(floats(20, 30), o),
  ],
  [
    'ctcDecode',
    { character_list: ['', 'a', 'b', 'c'], blank: 0, round: 5 },
    (o) => answers.ctcDecode(floats(2, 9, 4), o),
  ],
  [
    'speechSegments',
    { threshold: 0.3, min_speech_duration_ms: 30, speech_pad_ms: 10 },
    (o) => answers.speechSegments({ ...floats(90), data: floats(90).data.map(Math.abs) }, o),
  ],
  [
    'labelMapToImage',
    {
      palette: [
        [1, 2, 3],
        [4, 5, 6, 7],
      ],
    },
    ({ palette }) => answers.labelMapToImage(ints([2, 2], [0, 1, 2, 0], 'int32'), palette),
  ],
  ['maskToPolygons', {}, () => answers.maskToPolygons(mask)],
  [
    'post_process_object_detection',
    { threshold: 0.1, target_sizes: [[30, 40]] },
    (o) =>
      answers
        .postProcessor({}, { className: 'DetrImageProcessor' })
        .post_process_object_detection({ logits: floats(1, 9, 4), pred_boxes: floats(1, 9, 4) }, o),
  ],
  [
    'post_process_semantic_segmentation',
    { target_sizes: [[13, 17]] },
    (o) =>
      answers
        .postProcessor({}, { className: 'SegformerImageProcessor' })
        .post_process_semantic_segmentation({ logits: floats(1, 5, 8, 8) }, o),
  ],
];

export const rows = /** @type {typeof audioCalls} */ ([...audioCalls, ...tensorCalls, ...imageCalls, ...answerCalls]);

/** Values that an option may wrongly have, or rightly. */
export const oddValues = [
  ...[undefined, null, NaN, 0, -1, 1, 2, 3, 0.5, 17, 255, 300, 2 ** 31, 2 ** 32, -0, Infinity, true, false, 'x', ''],
  ...[[], [1], [1, 2], [3, 5, 7], {}],
];
