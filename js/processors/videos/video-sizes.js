/** The sizes that frames of videos are resized to, by the rules of the classes that cut frames into patches. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import * as pictures from '../pictures/index.js';
import { knownFrames } from './written-frames.js';

/** @import { Call, Settings, Size, VideoShape } from './types.js' */

const { ceil, floor, max, min, trunc } = Math;

/** @typedef {Size | { canvas: Size, size: Size }} FrameSize the size that a frame is resized to; where it is laid on a
 *   larger canvas, the sizes of both */
/** @typedef {(call: Call, shape: VideoShape) => FrameSize} SizeRule gives the size of each frame of a video */

/** The pixels of a group's side: the side of what becomes one token. @type {(settings: Settings) => number} */
export const factorOf = ({ patch_size: patch, merge_size: merge }) => patch * merge;

/** The size of a frame by bounds of its own pixels, whatever the number of frames. @type {SizeRule} */
export function frameSize({ settings }, shape) {
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return pictures.areaSize(shape, factorOf(settings), minPixels, maxPixels);
}

/** The size of a frame by bounds of its pixels, as Qwen2-VL has it. With `cap_pixels_per_frame`, nine tenths of the
 * tokens that a model takes are shared among the frames.
 * @type {SizeRule} */
export const qwen2Size = ({ settings }, shape) => {
  const factor = factorOf(settings);
  const [minPixels, longest] = pictures.edgesOf(settings.size);
  let maxPixels = longest;
  if (settings.cap_pixels_per_frame) {
    const budget = trunc(settings.max_video_tokens * factor * factor * 0.9) * settings.temporal_patch_size;
    maxPixels = max(min(maxPixels, floor(budget / knownFrames(shape))), trunc(minPixels * 1.05));
  }
  return pictures.areaSize(shape, factor, minPixels, maxPixels);
};

/** The size of a frame where the frames of a video share the most pixels, as VideoLLaMA 3 has it. @type {SizeRule} */
export const videoLlamaSize = ({ settings }, shape) => {
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return pictures.areaSize(shape, factorOf(settings), minPixels, floor(maxPixels / knownFrames(shape)));
};

/** The size of a frame by bounds of the pixels of all frames, whose number is compared as a multiple of
 * `temporal_patch_size`.
 * @type {(call: Call, shape: VideoShape, factor: number, minPixels: number, maxPixels: number) => Size} */
function volumeOf({ settings: { temporal_patch_size: group } }, shape, factor, minPixels, maxPixels) {
  const frames = knownFrames(shape, group);
  const counted = roundHalfToEven(frames / group) * group;
  return pictures.volumeSize(shape, factor, minPixels, maxPixels, frames, counted);
}

/** The size of a frame by bounds of the pixels of all frames, as GLM and Cosmos have it. @type {SizeRule} */
export function volume(call, shape) {
  const { settings } = call;
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return volumeOf(call, shape, factorOf(settings) * (settings.patch_expand_factor ?? 1), minPixels, maxPixels);
}

/** The size of a frame by bounds of the pixels of all frames and, with `cap_pixels_per_frame`, of each, as Qwen3-VL has
 * it.
 * @type {SizeRule} */
export const qwen3Size = (call, shape) => {
  const { settings } = call;
  const [minPixels, longest] = pictures.edgesOf(settings.size);
  const factor = factorOf(settings);
  let maxPixels = longest;
  if (settings.cap_pixels_per_frame) {
    const frames = knownFrames(shape);
    const tokens = settings.max_video_tokens * factor * factor;
    maxPixels = max(min(tokens, floor(maxPixels / frames)), trunc(minPixels * 1.05)) * frames;
  }
  return volumeOf(call, shape, factor, minPixels, maxPixels);
};

/** Makes a function that counts the patches of a video without its pixels. `multiple`: the number of frames that become
 * one patch.
 * @type {(size: SizeRule, multiple: (settings: Settings) => number) => (call: Call, shape: VideoShape) => number} */
export const patchCount = (size, multiple) => (call, shape) => {
  const { settings } = call;
  const target = size(call, shape);
  const { width, height } = 'canvas' in target ? target.canvas : target;
  const group = multiple(settings);
  return (Math.ceil(knownFrames(shape) / group) * (width * height)) / settings.patch_size ** 2;
};

/** The size of a frame, and of a canvas of whole tokens around it, as GLM-5 has it. @type {SizeRule} */
export const glm5Size = ({ settings }, shape) =>
  pictures.canvasByTokens(shape, {
    factor: factorOf(settings) * settings.patch_expand_factor,
    group: settings.temporal_patch_size,
    frames: knownFrames(shape),
    minTokens: settings.min_image_tokens,
    maxTokens: settings.max_image_tokens,
  });

/** The size of a frame, and of a canvas of whole groups of patches around it, as Kimi has it. @type {SizeRule} */
export const kimiSize = ({ settings }, shape) => {
  const { max_height: high, max_width: wide } = settings.size ?? {};
  if (high === undefined || high !== wide)
    rangeError('size must have the keys max_height and max_width, and be square');
  const { patch_size: patch, merge_size: merge, max_patches: maxPatches } = settings;
  return pictures.patchCanvas(shape, { patch, merge, maxPatches, maxPerSide: high });
};

/** The size of a frame by bounds of its own pixels, `min_pixels` and `max_pixels`. @type {SizeRule} */
export const miniMaxSize = ({ settings }, shape) =>
  pictures.areaSize(shape, factorOf(settings), settings.min_pixels, settings.max_pixels);

/** The size of a frame of the most rows of tokens that fit, as HY V4 has it. Each row ends with one more token. A frame
 * never grows, it has at most the pixels of `max_image_size`, and all frames have at most those of `size`.
 * @type {(call: Call, shape: VideoShape) => Size} */
export const hyV4Size = ({ settings }, shape) => {
  const { width, height } = shape;
  pictures.checkRatio(shape);
  const factor = factorOf(settings);
  const area = floor(pictures.edgeOf(settings.max_image_size, 'longest_edge', 'max_image_size') / factor ** 2);
  const all = floor(pictures.edgeOf(settings.size, 'longest_edge') / factor ** 2);
  const widest = max(1, floor(width / factor));
  for (let rows = max(1, floor(height / factor)); rows > 0; rows--) {
    const least = rows === 1 ? 1 : max(1, floor((width * rows) / height));
    const perRow = max(1, ceil((width * (rows + 1)) / height) - 1);
    const columns = min(widest, perRow, floor(area / rows), floor(all / (knownFrames(shape) * rows)) - 1);
    if (columns >= least) return { width: columns * factor, height: rows * factor };
  }
  return pictures.square(factor);
};

/** The number of patches of a HY V4 video, and its grid: [patches, groups, rows, columns].
 * @type {(call: Call, shape: VideoShape) => number[]} */
export const hyV4Patches = (call, shape) => {
  const { settings } = call;
  const { patch_size: patch, temporal_patch_size: group } = settings;
  const { width, height } = settings.do_resize ? hyV4Size(call, shape) : shape;
  const grid = [ceil(knownFrames(shape) / group), floor(height / patch), floor(width / patch)];
  return [grid[0] * grid[1] * grid[2], ...grid];
};
