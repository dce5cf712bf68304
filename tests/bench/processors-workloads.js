/**
 * The workloads of image processors: files as models have them, and pictures. Both libraries beside ours read the same
 * file and the same raw pixels.
 */
import { configurations } from './configurations.js';

const { vit, clip, siglip, detr, sam, convnext, qwen2_vl } = configurations;
const classes = { ViT: vit, CLIP: clip, Siglip: siglip, Detr: detr, Sam: sam, ConvNext: convnext, Qwen2VL: qwen2_vl };

/** A file of each class. */
export const files = Object.fromEntries(
  Object.entries(classes).map(([kind, settings]) => [
    kind,
    { ...settings, image_processor_type: `${kind}ImageProcessor` },
  ]),
);

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
  Object.entries(files).map(([kind, config]) => ({
    ...{ name: `${kind}-${size}`, kind, from, config },
    bars: { 'transformers.js': most[`${kind}-${size}`], python: against.includes(kind) ? 0.5 : undefined },
  })),
);

/** Bytes that a call may use beyond its input and output. */
export const mostMemory = 16e6;

/** Thirty frames a second, of a video's RGBA, may take this part of a core. */
export const video = {
  from: [1280, 720],
  config: files.CLIP,
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
