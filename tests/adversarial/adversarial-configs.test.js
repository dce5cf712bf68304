/**
 * Damaged files of image and video processors, alone and by name: whatever they hold, the answer is tensors or one of
 * our errors, soon. `CONFIGS=100000 npm test -- tests/adversarial/adversarial-configs` tries more of them than a run in
 * CI does.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { imageProcessor, init, processorNames as names, videoProcessor } from 'onnx-layout/processors';
import { readGoldens } from '../support/processor-goldens.js';
import { commitHash } from '../support/sample.js';
import { below, generator, randomData } from '../support/samples.js';
import { words } from '../support/tables.js';

beforeAll(() => init());

/** Milliseconds of CPU time, which does not run while the machine is busy with others. */
function clock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const count = Number(process.env.CONFIGS ?? 4000);
/** No call on a picture of 24 x 24 pixels takes longer, in milliseconds. Most take one. */
const longest = 30_000;
/** The time that large outputs may take beyond that, on a busy machine. */
const bytesPerMs = 5e4;

/** Settings that keep every processor small, so that thousands of calls take seconds; then those of single classes. */
const small = {
  size: 12,
  crop_size: 10,
  patch_size: 4,
  image_grid_pinpoints: [
    [24, 12],
    [12, 24],
  ],
};
const smallByClass = {
  Sam: { size: { longest_edge: 12 }, pad_size: 12 },
  Pixtral: { size: { longest_edge: 12 } },
  Idefics3: { size: { longest_edge: 12 }, max_image_size: { longest_edge: 8 } },
  SmolVLM: { size: { longest_edge: 12 }, max_image_size: { longest_edge: 8 } },
  Qwen2VL: { size: { shortest_edge: 64, longest_edge: 1024 } },
  Glm46V: { size: { shortest_edge: 64, longest_edge: 1024 } },
  Glm4v: { size: { shortest_edge: 64, longest_edge: 1024 } },
  Lfm2Vl: { tile_size: 16, encoder_patch_size: 4, min_image_tokens: 1, max_image_tokens: 4, max_tiles: 4 },
  Gemma4: { max_soft_tokens: 70 },
  GLPN: { size_divisor: 8 },
  Yolos: { size: 32 },
  LlavaOnevision: { size: { height: 12, width: 12 } },
  Aria: { max_image_size: 490 },
  BridgeTower: { size: { shortest_edge: 12 }, crop_size: { shortest_edge: 12 }, size_divisor: 4 },
  DeepseekOcr2: { tile_size: 12 },
  DeepseekVLHybrid: { high_res_size: 16 },
  Apertus1p5: { size: { min_pixels: 16, max_pixels: 1024 }, spatial_factor: 4 },
  Emu3: { min_pixels: 16, max_pixels: 1024, spatial_factor: 4 },
  Gemma4Unified: { max_soft_tokens: 70 },
  Glm5Next: { min_image_tokens: 1, max_image_tokens: 64 },
  GraniteDocling: { max_patches: 4 },
  ImageGPT: {
    clusters: [
      [0, 0, 0],
      [1, 0.5, -1],
    ],
  },
  Inkling: { size: 8 },
  Kosmos2_5: { patch_size: 4, max_patches: 12 },
  Molmo2: { size: 12, patch_size: 3, overlap_margins: [1, 1], max_crops: 4 },
  NemotronH_Omni_Reasoning_V3: { patch_size: 4, min_num_patches: 4, max_num_patches: 16 },
  PPOCRV5ServerDet: { limit_side_len: 40 },
  PPOCRV5ServerRec: { size: { height: 8, width: 20 }, pad_size: { height: 8, width: 24 } },
  Phi4Multimodal: { size: 12, patch_size: 3, dynamic_hd: 4 },
  Pix2Struct: { patch_size: 4, max_patches: 12 },
  SLANeXt: { size: 12, pad_size: 12 },
  UVDoc: { size: { height: 12, width: 10 } },
  VitPose: { size: { height: 12, width: 8 }, boxes: [[[1, 2, 10, 12]]] },
  Kimi_K25: { size: { max_height: 12, max_width: 12 } },
  LayoutLMv2: { apply_ocr: false },
  LayoutLMv3: { apply_ocr: false },
  MiniCPMOcr: { scale_resolution: 12 },
  MiniCPMV4_6: { scale_resolution: 12 },
  MuseGlimmer: { max_image_tokens: 16 },
  NeoMME: { size: { min_pixels: 16, max_pixels: 1024 } },
  PI0: { size: { max_height: 12, max_width: 12 }, pad_size: 12 },
  PPLCNet: { resize_short: 12 },
  PerceptionLM: { tile_size: 12, max_num_tiles: 4 },
  Step3p7: { patch_size: 12 },
  TimmWrapper: { pretrained_cfg: { input_size: [3, 12, 12] } },
  UltraVBert: { size: { longest_edge: 12 }, max_image_size: { longest_edge: 8 } },
  UnlimitedOcr: { tile_size: 12, max_patches: 4 },
  Vilt: { size: { shortest_edge: 12 }, size_divisor: 4 },
  ...Object.fromEntries(
    'CohereCompass Cosmos3Edge Ernie4_5_VLMoe GlmImage Glmga HYV4VL HunYuanVL MiniMaxM3VL PaddleOCRVL VideoLlama3'
      .split(' ')
      .map((name) => [name, { size: { shortest_edge: 64, longest_edge: 1024 } }]),
  ),
};

const keys = [
  'size crop_size pad_size patch_size max_size max_image_size resample rescale_factor image_mean image_std crop_pct',
  'do_resize do_center_crop do_rescale do_normalize do_pad do_convert_rgb do_image_splitting do_pan_and_scan',
  'do_thumbnail do_align_long_axis do_crop_margin do_grayscale do_flip_channel_order default_to_square include_top',
  'rescale_offset keep_aspect_ratio ensure_multiple_of size_divisor image_grid_pinpoints min_pixels max_pixels',
  'merge_size temporal_patch_size max_num_patches min_tiles max_tiles tile_size encoder_patch_size downsample_factor',
  'min_image_tokens max_image_tokens max_pixels_tolerance max_soft_tokens pooling_kernel_size use_thumbnail min_size',
  'pan_and_scan_min_crop_size pan_and_scan_max_num_crops pan_and_scan_min_ratio_to_activate return_row_col_info',
  'crop_to_patches min_patches max_patches tile_size background_color maximum_pad_value use_covering_area_grid offset',
  'max_image_tiles max_num_tiles vision_input_type min_image_size split_image split_resolutions dense_max_patches',
  'dense_max_scale dense_min_aspect dense_max_aspect fine_route patch_expand_factor spatial_factor resize_short',
  'rescale_image_frac resize_to_max_canvas pretrained_cfg scale_resolution max_slice_nums slice_mode max_image_width',
  'downsample_mode small_image_upsize max_side do_split_image padding_value constant_values',
  'high_res_size high_res_image_mean codebook_size apply_ocr',
  'limit_side_len limit_type max_side_limit max_crops overlap_margins pooling_size dynamic_hd downsample_ratio is_vqa',
  'max_model_len min_num_patches max_num_patches boxes normalize_factor do_affine_transform',
  'clusters do_color_quantize num_labels return_codebook_pixels codebook_do_map_pixels return_legacy_image_output',
  'pad_and_return_pixel_mask rescale size_divisibility use_square_size unknown __proto__ toString',
].flatMap((line) => line.split(' '));

const values = [
  ...[null, true, false, 0, 1, 2, 3, 5, 7, 16, 33, -1, -0, 0.5, 2.5, 1e-9, 1e9, 2 ** 31, 2 ** 53, 1e308, 65537],
  ...['', '5', 'bicubic', '\u0000'],
  ...[[], [5], [5, 7], [7, 0], [1, 2, 3], [0.5, 0.5, 0.5], [1, 'a'], [[8, 8]], [[8, 8], [16]], [[[]]]],
  ...[{}, { height: 5 }, { height: 5, width: 9 }, { height: 5, width: -1 }, { shortest_edge: 6 }, { longest_edge: 9 }],
  ...[
    { shortest_edge: 9, longest_edge: 11 },
    { max_height: 9, max_width: 7 },
    { min_pixels: 1, max_pixels: 100 },
  ],
  ...[{ height: 1e9, width: 1e9 }, { height: null, width: 3 }, { toString: 5 }, { length: 2 }],
];

const pick = (random, list) => list[below(random, list.length)];

/** A configuration, of which one to four settings are removed or have odd values. */
function damageConfig(random, name) {
  const config = { image_processor_type: name, ...small, ...smallByClass[name.replace('ImageProcessor', '')] };
  for (let i = below(random, 4); i >= 0; i--) {
    const key = pick(random, keys);
    if (below(random, 8) === 0) delete config[key];
    else Object.defineProperty(config, key, { value: pick(random, values), enumerable: true, configurable: true });
  }
  return config;
}

/** A text with some characters changed, gone or twice. */
function mangleText(random, text) {
  const at = below(random, text.length);
  const letters = '{}[]:,"0159.-enul \\';
  return [
    () => text.slice(0, at),
    () => text.slice(0, at) + pick(random, [...letters]) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1 + below(random, 5)),
    () => text.slice(0, at) + text.slice(at, at + 9) + text.slice(at),
  ][below(random, 4)]();
}

function image(random, index) {
  const [width, height] = [1 + below(random, 24), 1 + below(random, 24)];
  const channels = 1 + below(random, 4);
  return { data: randomData('uint8', width * height * channels, index), width, height, channels };
}

/** The outputs of a call, or its error, and its time. */
function callProcessor(config, backend, images, options, make = imageProcessor) {
  const start = clock();
  try {
    return { outputs: make(config, backend && { backend })(images, options), time: clock() - start };
  } catch (error) {
    return { error, time: clock() - start };
  }
}

/** The bytes of the outputs: a crop of 10 pixels makes 1,522 tiles of 384 x 384, 2.7 GB, as it does in Python. */
const bytesIn = (outputs) =>
  Object.values(outputs ?? {})
    .flat(Infinity)
    .reduce((sum, { data }) => sum + (data?.byteLength ?? 8), 0);

const isWholeTensor = ({ dims, data }) =>
  dims.every(Number.isInteger) && dims.reduce((size, extent) => size * extent, 1) === data.length;

/** Whether an output is a tensor, or lists of tensors, flags, numbers and texts, as Python has them. */
function isOutput(output) {
  if (Array.isArray(output)) return output.every(isOutput);
  if (output instanceof Tensor) return isWholeTensor(output);
  return ['boolean', 'number', 'string'].includes(typeof output);
}

function isOurs(error) {
  return [TypeError, RangeError].includes(error.constructor) && /^(image|video)Processor: /.test(error.message);
}

describe('a damaged configuration gives tensors or one of our errors', () => {
  const random = generator(Number(BigInt(`0x${commitHash()}`) % 2n ** 32n));

  test(`${count} of them`, () => {
    let successes = 0;
    for (let i = 0; i < count; i++) {
      const object = damageConfig(random, names[i % names.length]);
      const config = below(random, 4) === 0 ? mangleText(random, JSON.stringify(object)) : object;
      const options = below(random, 4) === 0 ? damageConfig(random, names[0]) : undefined;
      if (options) delete options.image_processor_type;
      for (const key of words('unknown __proto__ toString rescale size_divisibility pad_and_return_pixel_mask'))
        if (options) delete options[key];
      const backend = pick(random, ['torchvision', 'pil']);
      const images = below(random, 5) === 0 ? [image(random, i), image(random, i + 1)] : image(random, i);
      const call = below(random, 2) === 0 ? { ...options, trimaps: images } : options;
      const { outputs, error, time } = callProcessor(config, backend, images, call);
      const describeCase = () =>
        `${JSON.stringify(config)} ${backend} ${JSON.stringify(options)} ${error?.stack ?? ''} ${time} ms`;
      const isFine = outputs ? Object.values(outputs).every(isOutput) : isOurs(error);
      if (!isFine || time > longest + bytesIn(outputs) / bytesPerMs) throw new Error(describeCase());
      if (outputs) successes++;
    }
    // Most files are refused, but not all.
    expect(successes).toBeGreaterThan(count / 20);
  }, 3_600_000);
});

const videoNames = Object.keys(readGoldens('classes.json').video);
const parts = ['image_processor', 'video_processor', 'feature_extractor'];
const fileNames = ['config.json', 'preprocessor_config.json', 'processor_config.json', 'toString.json'];

/** A class's settings as files by name: right, of another part, or one of them damaged. */
function makeFiles(random, config, part, { [`${part}_type`]: name, ...settings } = config) {
  const text = JSON.stringify(config);
  const model = { model_type: pick(random, ['vit', 'qwen2_vl', 'toString', 5]) };
  return [
    { 'preprocessor_config.json': text, 'config.json': JSON.stringify(model) },
    { 'preprocessor_config.json': settings, 'config.json': { [`${part}_type`]: name } },
    { 'processor_config.json': { [part]: config, processor_class: pick(random, values) } },
    { 'processor_config.json': { [pick(random, parts)]: config }, 'video_preprocessor_config.json': text },
    { 'processor_config.json': pick(random, values), 'preprocessor_config.json': config },
    { 'preprocessor_config.json': mangleText(random, text) },
    { [pick(random, fileNames)]: pick(random, values), [pick(random, fileNames)]: pick(random, [config, ...values]) },
  ][below(random, 7)];
}

/** Frames of one size. */
function clip(random, index) {
  const dims = [1 + below(random, 5), 1 + below(random, 24), 1 + below(random, 24), pick(random, [1, 3, 3, 3])];
  return { type: 'uint8', dims, data: randomData('uint8', dims[0] * dims[1] * dims[2] * dims[3], index) };
}

describe('damaged files by name give tensors or one of our errors', () => {
  const random = generator(Number(BigInt(`0x${commitHash()}`) % 2n ** 32n) ^ 1);

  test.each([
    ['image_processor', names, imageProcessor, image],
    ['video_processor', videoNames, videoProcessor, clip],
  ])(`%s: ${count / 4} of them`, (part, classes, make, input) => {
    let successes = 0;
    for (let i = 0; i < count / 4; i++) {
      const name = classes[i % classes.length];
      const { image_processor_type: _, ...settings } = damageConfig(random, name.replace('Video', 'Image'));
      const config = { [`${part}_type`]: name, ...settings };
      const files = below(random, 3) === 0 ? config : makeFiles(random, config, part);
      const do_sample_frames = below(random, 4) === 0;
      const options = make === videoProcessor ? { do_sample_frames, num_frames: pick(random, values) } : undefined;
      const { outputs, error, time } = callProcessor(files, undefined, input(random, i), options, make);
      const isFine = outputs ? Object.values(outputs).every(isOutput) : isOurs(error);
      if (!isFine || time > longest + bytesIn(outputs) / bytesPerMs)
        throw new Error(`${JSON.stringify(files)} ${JSON.stringify(options)} ${error?.stack ?? ''} ${time} ms`);
      if (outputs) successes++;
    }
    expect(successes).toBeGreaterThan(count / 80);
  });
});

/** Whether a class takes pairs of images. */
const isPair = (name) => /Glue|LoFTR/.test(name);
const outputNames = {
  FuyuImageProcessor: 'images',
  ImageGPTImageProcessor: 'input_ids',
  Kosmos2_5ImageProcessor: 'flattened_patches',
  Phi4MultimodalImageProcessor: 'image_pixel_values',
  Pix2StructImageProcessor: 'flattened_patches',
  VideoLlavaImageProcessor: 'pixel_values_images',
};

test('the settings of these files are right before they are damaged', () => {
  const square = { data: randomData('uint8', 24 * 24 * 3, 1), width: 24, height: 24, channels: 3 };
  for (const name of names) {
    const config = JSON.parse(
      JSON.stringify({ ...small, ...smallByClass[name.replace('ImageProcessor', '')], image_processor_type: name }),
    );
    const { outputs, error } = callProcessor(config, 'torchvision', isPair(name) ? [square, square] : square, {
      trimaps: square,
    });
    expect([name, error?.message, Object.keys(outputs ?? {})[0]]).toEqual([
      name,
      undefined,
      outputNames[name] ?? 'pixel_values',
    ]);
  }
});
