/**
 * Processors, settings and pictures at random. A case has the settings as Python has them, all filled in, for the
 * oracle; and the same as a file may state them: without some that the class has, sizes as numbers or lists, old names.
 */
import { below, generator } from '../support/samples.js';

const { floor, min } = Math;

const oneOf = (random, list) => list[below(random, list.length)];
const chance = (random, part) => random() < part * 2 ** 32;
const square = (side) => ({ height: side, width: side });

const half = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };
const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };
const clip = {
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
};
const on = { do_resize: true, do_rescale: true, rescale_factor: 1 / 255, do_normalize: true };
const rgb = { do_convert_rgb: true };
const [lanczos, bilinear, bicubic] = [1, 2, 3].map((resample) => ({ resample }));
const crops = { do_center_crop: true };

/** A side of a result. */
const side = (random) => 1 + below(random, oneOf(random, [8, 30, 70]));
const largeSide = (random) => 12 + below(random, 50);

const exact = (random) => (chance(random, 0.5) ? square(side(random)) : { height: side(random), width: side(random) });
const short = (random) => ({ shortest_edge: side(random) });
const bounded = (random) => {
  const edge = side(random);
  return { shortest_edge: edge, longest_edge: edge + below(random, 60) };
};
const within = (random) => ({ max_height: largeSide(random), max_width: largeSide(random) });
const anySize = (random) => oneOf(random, [exact, short, short, bounded, within])(random);
const crop = (random) => ({ do_center_crop: chance(random, 0.8), crop_size: exact(random) });
const padded = (random, { crop_size: { height, width } = square(80) }) => ({
  do_pad: true,
  pad_size: { height: height + below(random, 9), width: width + below(random, 9) },
});

/**
 * Each processor: its class's own settings, and settings at random. `isShort`: a size that is one number is the shorter
 * edge; `batch`: it takes pictures of several sizes.
 */
const kinds = {
  ViT: { own: { ...on, ...half, ...bilinear }, given: (random) => ({ size: anySize(random), ...crop(random) }) },
  'ViT padded': {
    own: { ...on, ...half, ...bilinear },
    given: (random) => {
      const size = exact(random);
      return { size, ...padded(random, { crop_size: size }) };
    },
  },
  DeiT: {
    own: { ...on, ...half, ...bicubic, ...crops },
    given: (random) => ({ size: anySize(random), crop_size: exact(random) }),
  },
  CLIP: {
    own: { ...on, ...clip, ...bicubic, ...crops, ...rgb },
    isShort: true,
    given: (random) => ({ size: anySize(random), crop_size: exact(random) }),
  },
  'CLIP padded': {
    own: { ...on, ...clip, ...bicubic, ...crops, ...rgb },
    isShort: true,
    given: (random) => {
      const cropped = { size: short(random), crop_size: exact(random) };
      return { ...cropped, ...padded(random, cropped) };
    },
  },
  ChineseCLIP: {
    own: { ...on, ...clip, ...bicubic, ...crops, ...rgb },
    isShort: true,
    given: (random) => ({ size: anySize(random), crop_size: exact(random) }),
  },
  Bit: {
    own: { ...on, ...clip, ...bicubic, ...crops, ...rgb },
    isShort: true,
    given: (random) => ({ size: anySize(random), crop_size: exact(random) }),
  },
  Siglip: {
    own: { ...on, ...half, ...bicubic, ...rgb },
    isShort: true,
    given: (random) => ({ size: anySize(random) }),
  },
  Blip: { own: { ...on, ...clip, ...bicubic, ...rgb }, given: (random) => ({ size: exact(random) }) },
  Beit: {
    own: { ...on, ...half, ...bicubic, do_center_crop: false },
    given: (random) => ({ size: exact(random), ...crop(random) }),
  },
  MobileNetV1: {
    own: { ...on, ...half, ...bilinear, ...crops },
    isShort: true,
    given: (random) => ({ size: anySize(random), crop_size: exact(random) }),
  },
  MobileNetV2: {
    own: { ...on, ...half, ...bilinear, ...crops },
    isShort: true,
    given: (random) => ({ size: anySize(random), crop_size: exact(random) }),
  },
  Segformer: { own: { ...on, ...imagenet, ...bilinear }, given: (random) => ({ size: exact(random) }) },
  Pvt: { own: { ...on, ...imagenet, ...bicubic }, given: (random) => ({ size: exact(random) }) },
  OwlViT: {
    own: { ...on, ...clip, ...bicubic, ...rgb, do_center_crop: false },
    given: (random) => ({ size: exact(random), ...crop(random) }),
  },
  Gemma3: { own: { ...on, ...half, ...bilinear, ...rgb }, given: (random) => ({ size: exact(random) }) },
  RTDetr: {
    own: { ...on, ...imagenet, ...bilinear, do_normalize: false, do_pad: false },
    isShort: true,
    given: (random) => ({ size: oneOf(random, [exact, bounded])(random) }),
  },
  Sam2: {
    own: { ...on, ...imagenet, ...bilinear, ...rgb },
    backends: ['torchvision'],
    given: (random) => ({ size: exact(random) }),
  },
  Sam3: {
    own: { ...on, ...half, ...bilinear, ...rgb },
    backends: ['torchvision'],
    given: (random) => ({ size: exact(random) }),
  },
  VideoMAE: {
    own: { ...on, ...half, ...bilinear, ...crops },
    isShort: true,
    given: (random) => ({ size: oneOf(random, [exact, short])(random), crop_size: exact(random) }),
  },
  ConvNext: {
    own: { ...on, ...half, ...bicubic, crop_pct: 224 / 256 },
    isShort: true,
    given: (random) => ({
      size: { shortest_edge: chance(random, 0.03) ? 383 + below(random, 3) : side(random) },
      crop_pct: oneOf(random, [224 / 256, 0.9, 0.95, 1, 0.4 + below(random, 60) / 100]),
    }),
  },
  Detr: {
    own: { ...on, ...imagenet, ...bilinear, do_pad: true },
    isShort: true,
    batch: true,
    given: (random) => ({ size: bounded(random), ...(chance(random, 0.2) && { do_pad: false }) }),
  },
  'Detr in a frame': {
    own: { ...on, ...imagenet, ...bilinear, do_pad: true },
    isShort: true,
    batch: true,
    given: (random) => {
      const size = bounded(random);
      return { size, pad_size: square(size.longest_edge + below(random, 5)) };
    },
  },
  GroundingDino: {
    own: { ...on, ...imagenet, ...bilinear, do_pad: true },
    isShort: true,
    batch: true,
    given: (random) => ({ size: bounded(random) }),
  },
  Yolos: {
    own: { ...on, ...imagenet, ...bilinear, do_pad: true },
    isShort: true,
    batch: true,
    given: (random) => {
      const edge = 16 + below(random, 70);
      return { size: { shortest_edge: edge, longest_edge: edge + below(random, 70) } };
    },
  },
  Sam: {
    own: { ...on, ...imagenet, ...bilinear, ...rgb, do_pad: true },
    batch: true,
    given: (random) => {
      const longest = side(random);
      return { size: { longest_edge: longest }, pad_size: square(longest + below(random, 9)) };
    },
  },
  DPT: {
    own: {
      ...on,
      ...half,
      ...bicubic,
      do_pad: false,
      ensure_multiple_of: 1,
      keep_aspect_ratio: false,
      size_divisor: null,
    },
    given: (random) => ({
      size: exact(random),
      keep_aspect_ratio: chance(random, 0.5),
      ensure_multiple_of: oneOf(random, [1, 1, 7, 14, 32]),
      ...(chance(random, 0.5) && { do_pad: true, size_divisor: 1 + below(random, 20) }),
    }),
  },
  CHMv2: {
    own: {
      ...on,
      ...bicubic,
      image_mean: [0.42, 0.411, 0.296],
      image_std: [0.213, 0.156, 0.143],
      do_resize: false,
      do_pad: true,
      ensure_multiple_of: 16,
      keep_aspect_ratio: true,
      size_divisor: 16,
    },
    backends: ['torchvision'],
    given: (random) => ({ size: exact(random), do_resize: chance(random, 0.6) }),
  },
  MobileViT: {
    own: {
      do_resize: true,
      do_rescale: true,
      rescale_factor: 1 / 255,
      ...bicubic,
      ...crops,
      do_flip_channel_order: true,
    },
    isShort: true,
    given: (random) => ({
      size: oneOf(random, [exact, short])(random),
      crop_size: exact(random),
      do_flip_channel_order: chance(random, 0.7),
    }),
  },
  PoolFormer: {
    own: { ...on, ...imagenet, ...bicubic, ...crops, crop_pct: 0.9 },
    isShort: true,
    given: (random) => ({
      size: short(random),
      crop_size: exact(random),
      crop_pct: oneOf(random, [0.9, 0.95, 1, null]),
    }),
  },
  Levit: {
    own: { ...on, ...imagenet, ...bicubic, ...crops },
    isShort: true,
    given: (random) => ({ size: oneOf(random, [exact, short])(random), crop_size: exact(random) }),
  },
  GLPN: {
    own: { do_resize: true, do_rescale: true, rescale_factor: 1 / 255, ...bilinear, size_divisor: 32 },
    given: (random) => ({ size_divisor: 1 + below(random, 12) }),
  },
  EfficientNet: {
    own: { ...on, ...half, ...bicubic, do_center_crop: false, rescale_offset: false, include_top: true },
    given: (random) => ({
      size: exact(random),
      ...crop(random),
      rescale_offset: chance(random, 0.5),
      include_top: chance(random, 0.7),
      ...(chance(random, 0.4) && { rescale_factor: 1 / 127.5 }),
    }),
  },
  Swin2SR: {
    own: { do_rescale: true, rescale_factor: 1 / 255, do_pad: true, size_divisor: 8 },
    given: (random) => ({ size_divisor: 1 + below(random, 24) }),
  },
  Qwen2VL: {
    own: { ...on, ...clip, ...bicubic, ...rgb, patch_size: 14, temporal_patch_size: 2, merge_size: 2 },
    batch: true,
    given: (random) => {
      const [patch, merge] = [1 + below(random, 7), 1 + below(random, 3)];
      const least = (patch * merge) ** 2 * (1 + below(random, 9));
      return {
        size: { shortest_edge: least, longest_edge: least * (1 + below(random, 12)) },
        patch_size: patch,
        merge_size: merge,
        temporal_patch_size: 1 + below(random, 3),
      };
    },
  },
  Pixtral: {
    own: { ...on, ...clip, ...bicubic, ...rgb, do_pad: true, patch_size: square(16) },
    batch: true,
    given: (random) => ({
      size: chance(random, 0.7) ? { longest_edge: largeSide(random) } : exact(random),
      patch_size: exact(random),
    }),
  },
  Donut: {
    own: { ...on, ...half, ...bilinear, do_thumbnail: true, do_align_long_axis: false, do_pad: true },
    given: (random) => ({
      size: { height: largeSide(random), width: largeSide(random) },
      do_align_long_axis: chance(random, 0.5),
      do_resize: chance(random, 0.8),
      do_thumbnail: chance(random, 0.9),
      do_pad: chance(random, 0.8),
    }),
  },
  Perceiver: {
    own: { ...on, ...imagenet, ...bicubic, ...crops },
    given: (random) => ({ size: exact(random), crop_size: exact(random), do_center_crop: chance(random, 0.8) }),
  },
  TextNet: {
    own: { ...on, ...imagenet, ...bilinear, ...rgb, do_center_crop: false, size_divisor: 32 },
    isShort: true,
    given: (random) => ({ size: short(random), size_divisor: 1 + below(random, 40), ...crop(random) }),
  },
  Idefics3: {
    own: { ...on, ...half, ...lanczos, ...rgb, do_image_splitting: true, do_pad: true },
    given: (random) => ({
      size: { longest_edge: 4 + below(random, 90) },
      max_image_size: { longest_edge: 4 + below(random, 30) },
      do_image_splitting: chance(random, 0.8),
    }),
  },
  LlavaNext: {
    own: { ...on, ...clip, ...bicubic, ...rgb, ...crops, do_pad: true },
    isShort: true,
    batch: true,
    given: (random) => {
      const edge = 2 + below(random, 20);
      const pinpoints = Array.from({ length: 1 + below(random, 5) }, () =>
        [1, 1].map(() => edge * (1 + below(random, 3))),
      );
      return { size: { shortest_edge: edge }, crop_size: square(edge), image_grid_pinpoints: pinpoints };
    },
  },
  Siglip2: {
    own: { ...on, ...half, ...bilinear },
    batch: true,
    given: (random) => ({ patch_size: 1 + below(random, 9), max_num_patches: 1 + below(random, 40) }),
  },
  VitMatte: {
    own: { do_rescale: true, rescale_factor: 1 / 255, do_normalize: true, ...half, do_pad: true, size_divisor: 32 },
    trimap: true,
    given: (random) => ({ size_divisor: 1 + below(random, 40), do_pad: chance(random, 0.8) }),
  },
};

/** Kinds whose size has but one rule, so that it may be left on. */
const alwaysResized = ['Sam2', 'Qwen2VL', 'Siglip2', 'Idefics3', 'LlavaNext', 'Donut', 'CHMv2', 'Pixtral'];

/** Numbers at random, of settings that the class has. */
function randomNumbers(random, own) {
  const settings = {};
  if (own.rescale_factor !== undefined && chance(random, 0.15))
    settings.rescale_factor = oneOf(random, [1 / 127.5, 0.0078, 1, 0.1 + below(random, 100) / 7]);
  if (chance(random, 0.05)) settings.do_rescale = false;
  if (own.do_normalize !== undefined && chance(random, 0.1)) settings.do_normalize = !own.do_normalize;
  if (own.image_mean && chance(random, 0.3)) {
    const channel = () => (below(random, 2000) - 400) / 1000;
    settings.image_mean = [channel(), channel(), channel()];
    settings.image_std = [1, 1, 1].map(() => (1 + below(random, 999)) / 700);
    if (chance(random, 0.2)) [settings.image_mean, settings.image_std] = [channel(), 0.5];
  }
  return settings;
}

/** A setting as files state it. */
function stated(random, key, value, isShort) {
  if (key === 'resample' || typeof value !== 'object' || value === null) return value;
  const { height, width, shortest_edge: edge, longest_edge: longest } = value;
  if (!chance(random, 0.3)) return value;
  if (key === 'size') {
    if (height !== undefined && height === width && !isShort) return height;
    if (edge !== undefined && longest === undefined && isShort) return edge;
    return value;
  }
  return key === 'crop_size' && height === width ? height : value;
}

/** The settings as a file may state them. */
function configOf(random, name, { own, isShort }, settings) {
  const config = {};
  for (const [key, value] of Object.entries(settings)) {
    const isOwn = JSON.stringify(own[key]) === JSON.stringify(value);
    if (isOwn && chance(random, 0.5)) continue;
    config[key] = value === false && chance(random, 0.3) ? null : stated(random, key, value, isShort);
  }
  if (chance(random, 0.2)) config.processor_class = 'Processor';
  const form = below(random, 10);
  if (form === 0) return { ...config, feature_extractor_type: `${name}FeatureExtractor` };
  return { ...config, image_processor_type: `${name}ImageProcessor${form === 1 ? 'Fast' : ''}` };
}

/** A picture: mostly small, sometimes as long as 3000 pixels. */
function randomImage(random, channels, size) {
  let [width, height] = size ?? [1 + below(random, 70), 1 + below(random, 70)];
  if (!size && chance(random, 0.03)) {
    width = 100 + below(random, 2901);
    height = 1 + below(random, min(3000, floor(60_000 / width)));
    if (chance(random, 0.5)) [width, height] = [height, width];
  }
  const rowstride = width * channels + (chance(random, 0.2) ? below(random, 9) : 0);
  const data = new (chance(random, 0.2) ? Uint8ClampedArray : Uint8Array)(rowstride * height);
  const fill = oneOf(random, [
    () => random(),
    () => random(),
    (i) => (i * 7) % 256,
    () => (random() & 1) * 255,
    (i) => (floor(i / 40) % 2) * 200 + (random() % 9),
  ]);
  for (let i = 0; i < data.length; i++) data[i] = fill(i) & 255;
  return { data, width, height, channels, rowstride };
}

const names = Object.keys(kinds);

/**
 * A case at random.
 * @param {number} seed
 */
export function randomCase(seed) {
  const random = generator(seed);
  const title = oneOf(random, names);
  const kind = kinds[title];
  const [name] = title.split(' ');
  const backend = oneOf(random, kind.backends ?? ['torchvision', 'pil']);
  const filters = backend === 'pil' ? 6 : 4;
  const settings = { ...kind.own, ...kind.given(random), ...randomNumbers(random, kind.own) };
  if (settings.resample !== undefined && chance(random, 0.4)) settings.resample = below(random, filters);
  if (chance(random, 0.3)) settings.do_convert_rgb = chance(random, 0.6);
  const mayStay = kind.own.do_resize && !alwaysResized.includes(name) && !title.includes('padded');
  if (mayStay && !title.includes('frame') && name !== 'Sam' && chance(random, 0.1)) settings.do_resize = false;
  const count = kind.batch || chance(random, 0.1) ? 1 + below(random, 3) : 1;
  const first = randomImage(random, 1 + below(random, 4));
  const size = kind.batch ? undefined : [first.width, first.height];
  const images = [first];
  while (images.length < count && !kind.trimap) images.push(randomImage(random, 1 + below(random, 4), size));
  const trimap = kind.trimap ? randomImage(random, 1, [first.width, first.height]) : undefined;
  return { name, backend, settings, config: configOf(random, name, kind, settings), images, trimap };
}
