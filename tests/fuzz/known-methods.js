/**
 * Calls that work and that no example of the documents makes: methods of what functions give, and each class of
 * answers, sounds, pictures and videos.
 */
import { readFileSync } from 'node:fs';
import * as core from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import * as files from 'onnx-layout/io';
import * as node from 'onnx-layout/node';
import * as declare from 'onnx-layout/operators';
import * as processors from 'onnx-layout/processors';
import { methodCall } from '../postprocess/golden-calls.js';
import { readCases } from '../postprocess/goldens.js';

/** @import { KnownCall } from './known-calls.js' */

const floats = (dims) => {
  const length = dims.reduce((a, b) => a * b, 1);
  return { type: 'float32', dims, data: Float32Array.from({ length }, (_, i) => Math.sin(i)) };
};
const matrix = floats([2, 3]);
const picture = (channels = 3) => ({
  data: Uint8Array.from({ length: 1280 * channels }, (_, i) => (i * 37) % 256),
  width: 40,
  height: 32,
  channels,
});
const samples = Float32Array.from({ length: 1600 }, (_, i) => Math.sin(i / 7));

/** @type {(pieces: AsyncIterable<any>) => Promise<any[]>} copies of pieces, which share their memory */
const collect = async (pieces) => {
  const list = [];
  for await (const piece of pieces) list.push(structuredClone(piece));
  return list;
};

/** The calls of a class's methods: `[arguments, options of the last one]`. */
function tensorCalls() {
  const entry = new files.Entry(matrix);
  const composition = core.compose(floats([2, 3, 4]));
  const door = 'onnx-layout';
  const io = 'onnx-layout/io';
  /** @type {[door: string, name: string, call: (...args: any[]) => unknown, args: any[], options?: string[]][]} */
  const rows = [
    [door, 'Tensor.from', (...args) => /** @type {any} */ (core.Tensor).from(...args), ['int8', [1, 2], [2]]],
    [io, 'Entry', (...args) => Reflect.construct(files.Entry, args), [matrix]],
    [io, 'Entry.read', (...args) => entry.read(...args), [{ rows: [0, 1] }], ['out', 'signal']],
    [io, 'Entry.pieces', (...args) => collect(entry.pieces(...args)), [{ rows: [0, 1] }], ['signal']],
    [io, 'Entry.cast', (...args) => entry.cast(...args), ['int8', { saturate: 1 }], ['round_mode', 'opset']],
    [io, 'Entry.transpose', (...args) => entry.transpose(...args), [{ perm: [1, 0] }]],
    [io, 'Entry.slice', (...args) => entry.slice(...args), [[0], [1], [0], [1]]],
    [io, 'Entry.concat', (...args) => files.Entry.concat(...args), [[entry, matrix], { axis: 0 }]],
    ...Object.entries({
      ...{ transpose: [{ perm: [2, 0, 1] }], reshape: [[4, -1], { allowzero: 0 }], flatten: [{ axis: 1 }] },
      ...{ squeeze: [[]], unsqueeze: [[0]], expand: [[2, 3, 4]], tile: [[1, 2, 1]] },
      ...{
        slice: [[0], [1], [0], [1]],
        rearrange: ['a b c -> b (a c)', { a: 2 }],
        tensor: [{ out: floats([2, 3, 4]) }],
      },
    }).map(([name, args]) => [door, `compose().${name}`, (...given) => composition[name](...given), args]),
  ];
  return rows.map(([home, name, call, args, options = []]) => ({
    ...{ door: home, name, call, args },
    options: args.map((_, i) => (i === args.length - 1 ? options : [])),
  }));
}

/** An operator of the caller's, and what a declaration is made of: helpers, which throw a rule alone. */
function declaredCalls() {
  const door = 'onnx-layout/operators';
  const { define, tensor, integers, real, integer, flag, list, computed, run, word } = declare;
  const declaration = {
    name: 'Scale',
    // Of floats alone: its `move` multiplies numbers.
    versions: { 1: 1, 13: 1 },
    inputs: [tensor('X'), integers('by', { optional: true })],
    attributes: { alpha: real(2), axis: integer(0), strict_: flag(0), axes: list(), mode: word(['a', 'b']) },
    shape: (_, { alpha }, { dims }) => ({ dims, alpha }),
    move: computed(
      ({ alpha }, x) =>
        new core.Tensor(
          'float32',
          x.data.map((v) => alpha * v),
          x.dims,
        ),
    ),
  };
  const Scale = define(declaration);
  const call = { alpha: 2, axis: 0, strict_: 1, axes: [0], mode: 'b' };
  const helpers = {
    ...{ checkExtents: [[2, 3]], checkHasAxis: ['X', 2], readAxis: [1, 0, 3, true], product: [[2, 'N', 3]] },
    ...{ isUnknown: ['N'], isOperator: [{ schemas: [], kinds: [] }], attribute: [() => 1, 1, { since: 2 }] },
  };
  return [
    { door, name: 'define', call: define, args: [declaration], options: [[]] },
    {
      ...{ door, name: 'run', args: ['Scale', [matrix, null], call, 1], options: [[], [], ['opset'], []] },
      // An operator that ran holds itself, so its copies have no end.
      call: (operator, ...others) => run(operator === 'Scale' ? Scale : operator, ...others),
    },
    ...Object.entries(helpers).map(([name, args]) => ({
      ...{ door, name, call: declare[name], args, options: args.map(() => []) },
      throwsRule: true,
    })),
  ];
}

/** Each method of each class of answers, with the outputs of its shortest golden. */
const answerCalls = () => {
  const shortest = new Map();
  for (const one of readCases('processors.json')) {
    const key = `${one.class} ${one.method}`;
    if (JSON.stringify(one).length < (shortest.get(key)?.length ?? Infinity))
      shortest.set(key, { one, length: JSON.stringify(one).length });
  }
  return Array.from(shortest.values(), ({ one }) => () => {
    const name = `${one.class}.${one.method}`;
    return { door: 'onnx-layout/postprocess', name, ...methodCall(one), options: [[], ['threshold', 'target_sizes']] };
  });
};

const classes = (room) => JSON.parse(readFileSync(new URL(`../goldens/${room}/classes.json`, import.meta.url), 'utf8'));

const soundOptions = [
  ...['sampling_rate', 'padding', 'max_length', 'truncation', 'pad_to_multiple_of', 'return_attention_mask', 'dtype'],
  ...['offsets', 'do_normalize', 'audio_target', 'device', 'return_tensors', 'padding_side'],
];
const short = { chunk_length: 1, chunk_seconds: 1, max_length_s: 1, default_audio_length: 1 };

/** Each class of sounds, called and streamed. */
const soundCalls = () =>
  Object.entries(classes('audio').audio)
    .filter(([, { status }]) => status.startsWith('goldens'))
    .flatMap(([name]) => {
      const door = 'onnx-layout/audio';
      const extractor = () => audio.featureExtractor({ feature_extractor_type: name, ...short });
      const streamed = (extract) => (pushed, options) => {
        const stream = extract.stream(options);
        return [stream.push(pushed), stream.end()];
      };
      const args = [samples, {}];
      const options = [[], soundOptions];
      return [
        () => ({ door, name, call: extractor(), args, options }),
        () => ({ door, name: `${name}.stream`, call: streamed(extractor()), args, options }),
      ];
    });

/** Settings and options without which a class of pictures makes nothing of any picture. */
const needed = {
  LayoutLMv2: [{ apply_ocr: false }],
  LayoutLMv3: [{ apply_ocr: false }],
  LayoutXLM: [{ apply_ocr: false }],
  ImageGPT: [{ clusters: [[0, 0, 0]] }],
  TimmWrapper: [{ pretrained_cfg: { input_size: [3, 28, 28] } }],
  VitPose: [{}, { boxes: [[[1, 2, 4, 4]]] }],
  VitMatte: [{}, { trimaps: [picture(1)] }],
  SegGpt: [{}, { prompt_images: [picture()] }],
};
/** Settings are read as the configuration's, which `configurations.mjs` tries. */
const pictureOptions = [
  ...['size', 'do_resize', 'dtype', 'boxes', 'trimaps', 'prompt_images', 'prompt_masks', 'out', 'onStep', 'backend'],
  ...['input_points', 'input_labels', 'input_boxes', 'input_boxes_labels', 'point_pad_value'],
];

/** Each class of pictures and of videos. */
const pictureCalls = () => {
  const door = 'onnx-layout/processors';
  const { image, video } = classes('processors');
  const ofPictures = Object.keys(image).map((name) => () => {
    const base = name.replace(/ImageProcessor.*/, '');
    const [config = {}, given = {}] = needed[base] ?? [];
    const isPair = ['EfficientLoFTR', 'LightGlue', 'SuperGlue'].includes(base);
    const call = processors.imageProcessor(config, { className: name });
    return {
      door,
      name,
      call,
      args: [isPair ? [picture(), picture()] : picture(), given],
      options: [[], pictureOptions],
    };
  });
  const ofVideos = Object.keys(video).map((name) => () => {
    const call = processors.videoProcessor({ norm_mean: [0, 0, 0], norm_std: [1, 1, 1] }, { className: name });
    const frames = Array.from({ length: 4 }, () => picture());
    const given = { num_frames: 4, video_metadata: [{ fps: 2, total_num_frames: 4, duration: 2 }] };
    const options = ['fps', 'num_frames', 'do_sample_frames', 'frames_indices', ...pictureOptions];
    return { door, name, call, args: [[frames], given], options: [[], options] };
  });
  return [...ofPictures, ...ofVideos, async () => awaitedVideos()];
};

/** Videos of frames that come one after another; a copy of such frames is empty, so the call begins with a list. */
async function awaitedVideos() {
  const config = { video_processor_type: 'VivitVideoProcessor', size: { shortest_edge: 20 }, do_center_crop: false };
  const process = await processors.videoProcessorAsync(config);
  const each = async function* (/** @type {any[]} */ frames) {
    yield* frames;
  };
  const call = (frames, ...others) => process(Array.isArray(frames) ? [each(frames)] : frames, ...others);
  const [door, name] = ['onnx-layout/processors', 'videoProcessorAsync()'];
  return { door, name, call, args: [[picture(), picture()], {}], options: [[], ['video_metadata', 'num_frames']] };
}

/** Reads of files that stay open, and outputs of batches. */
const fileCalls = () => [
  ...Object.entries({ slice: [0, 4], read: [new Uint8Array(4), 1] }).map(([name, args]) => async () => {
    const source = await node.fileSource('photo.jpg');
    const call = (/** @type {any[]} */ ...given) => source[name](...given);
    return { door: 'onnx-layout/node', name: `fileSource().${name}`, call, args, options: [[], []] };
  }),
  ...Object.entries({ read: [3, 9], pieces: [400] }).map(([name, args]) => async () => {
    const path = 'known.wav';
    await node.writeFiles({ [path]: audio.encodeWav({ channelData: [samples], sampleRate: 8000 }) });
    const file = await node.readWav(path);
    const call = (/** @type {any[]} */ ...given) =>
      name === 'read' ? file.read(...given) : collect(file.pieces(...given));
    return { door: 'onnx-layout/node', name: `readWav().${name}`, call, args, options: args.map(() => []) };
  }),
  () => {
    const batches = [{ paths: ['a'], outputs: { pixel_values: floats([1, 3, 2, 2]) } }];
    const args = ['known.safetensors', batches, { total: 1 }];
    return { door: 'onnx-layout/node', name: 'saveOutputs', call: node.saveOutputs, args, options: [[], [], []] };
  },
];

/** @returns {(() => KnownCall | Promise<KnownCall>)[]} makers of calls */
export const knownMethods = () => [
  ...[...tensorCalls(), ...declaredCalls()].map((call) => () => call),
  ...[...answerCalls(), ...soundCalls(), ...pictureCalls(), ...fileCalls()],
];
