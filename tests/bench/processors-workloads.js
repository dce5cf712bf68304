/**
 * The workloads of image processors: files as models have them, and pictures. Both libraries beside ours read the same
 * file and the same raw pixels.
 */

export const square = (side) => ({ height: side, width: side });
export const on = { do_resize: true, do_rescale: true, rescale_factor: 1 / 255, do_normalize: true };
export const half = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };
export const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };
const clip = { image_mean: [0.48145466, 0.4578275, 0.40821073], image_std: [0.26862954, 0.26130258, 0.27577711] };

/** A file of each class. */
export const files = {
  ViT: { ...on, ...half, size: square(224), resample: 2 },
  CLIP: {
    ...on,
    ...clip,
    size: { shortest_edge: 224 },
    resample: 3,
    do_center_crop: true,
    crop_size: square(224),
    do_convert_rgb: true,
  },
  Siglip: { ...on, ...half, size: square(224), resample: 3, do_convert_rgb: true },
  Detr: { ...on, ...imagenet, size: { shortest_edge: 800, longest_edge: 1333 }, resample: 2, do_pad: true },
  Sam: {
    ...on,
    ...imagenet,
    size: { longest_edge: 1024 },
    resample: 2,
    do_pad: true,
    pad_size: square(1024),
    do_convert_rgb: true,
  },
  ConvNext: { ...on, ...imagenet, size: { shortest_edge: 224 }, crop_pct: 224 / 256, resample: 3 },
  Qwen2VL: {
    ...on,
    ...clip,
    size: { shortest_edge: 3136, longest_edge: 1003520 },
    min_pixels: 3136,
    max_pixels: 1003520,
    resample: 3,
    patch_size: 14,
    temporal_patch_size: 2,
    merge_size: 2,
    do_convert_rgb: true,
  },
};

/** Of these, ours has to take at most half of the time of Python's faster backend. */
const against = ['ViT', 'CLIP', 'Siglip'];

/**
 * Of these, the most of transformers.js's time. It gives the others' resizing to sharp in Node, whose native code
 * averages whole cells first: there our bar is an aim.
 */
const most = { 'Detr-hd': 0.1, 'Sam-hd': 0.1, 'Sam-photo': 0.15, 'Qwen2VL-hd': 0.1, 'Qwen2VL-photo': 0.1 };

const pictures = { hd: [1920, 1080], photo: [4032, 3024] };

/** `bars`: upper limits of our time as a part of another's. */
export const processorWorkloads = Object.entries(pictures).flatMap(([size, from]) =>
  Object.entries(files).map(([kind, settings]) => ({
    name: `${kind}-${size}`,
    kind,
    from,
    config: { ...settings, image_processor_type: `${kind}ImageProcessor` },
    bars: { 'transformers.js': most[`${kind}-${size}`], python: against.includes(kind) ? 0.5 : undefined },
  })),
);

/** Bytes that a call may use beyond its input and output. */
export const mostMemory = 16e6;

/** Thirty frames a second, of a video's RGBA, may take this part of a core. */
export const video = {
  from: [1280, 720],
  config: { ...files.CLIP, image_processor_type: 'CLIPImageProcessor' },
  framesPerSecond: 30,
  most: 0.1,
};

/**
 * A video of Qwen2.5-VL, of which no frames are chosen; Python has two threads. `most` of its time: .67 on a busy
 * machine, before patches were laid in order as bytes. Nearly half of ours is the system's, which clears the 108 MB of
 * the result.
 */
export const qwenVideo = {
  frames: 16,
  from: [1280, 720],
  config: { video_processor_type: 'Qwen2VLVideoProcessor' },
  threads: 2,
  most: 0.8,
  // Where a call allocates its result, the system clears 108 MB for it: a third of the time.
  mostIntoOut: 0.5,
};
