/** The sizes that frames of videos are resized to, by the rules of the classes that cut frames into patches. */
import { rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import * as pictures from '../pictures/index.js';
import { requireFrameCount } from './written-frames.js';

/** @import { Call, Settings, Size, VideoShape } from './types.js' */

const { ceil, floor, max, min, trunc } = Math;

/** @typedef {Size | { canvas: Size, size: Size }} FrameSize the size that a frame is resized to; where it is laid on a
 *   larger canvas, the sizes of both */
/** @typedef {(call: Call, shape: VideoShape) => FrameSize} SizeRule gives the size of each frame of a video */

/** The side in pixels of the square of a frame that becomes one token: the `factor` of Python's `smart_resize`.
 * @type {(settings: Settings) => number} */
export const factorOf = ({ patch_size: patch, merge_size: merge }) => patch * merge;

/** ERNIE's size of a frame, near to its own, whose pixels lie between the edges of the setting `size`, whatever the
 * number of frames. Qwen2-VL counts patches by it too.
 * @type {SizeRule} */
export function frameSize({ settings }, shape) {
  return pictures.areaSize(shape, { factor: factorOf(settings), ...pictures.pixelBounds(settings.size) });
}

/** Qwen2-VL's size of a frame: its pixels lie between the edges of `size`. With `cap_pixels_per_frame` the upper bound
 * is lowered to a frame's share of nine tenths of `max_video_tokens`, but not below 1.05 times the lower bound.
 * @type {SizeRule} */
export const qwen2Size = ({ settings }, shape) => {
  const factor = factorOf(settings);
  const { minPixels, maxPixels } = pictures.pixelBounds(settings.size);
  if (!settings.cap_pixels_per_frame) return pictures.areaSize(shape, { factor, minPixels, maxPixels });
  // A token stands for factor x factor pixels of `temporal_patch_size` frames.
  const videoPixels = trunc(settings.max_video_tokens * factor * factor * 0.9) * settings.temporal_patch_size;
  const frameBudget = floor(videoPixels / requireFrameCount(shape));
  const leastBound = trunc(minPixels * 1.05);
  const frameMaxPixels = max(min(maxPixels, frameBudget), leastBound);
  return pictures.areaSize(shape, { factor, minPixels, maxPixels: frameMaxPixels });
};

/** VideoLLaMA 3's size of a frame: the lower bound of pixels, an edge of `size`, is for each frame, the upper one is
 * for all frames of the video together.
 * @type {SizeRule} */
export const videoLlamaSize = ({ settings }, shape) => {
  const { minPixels, maxPixels } = pictures.pixelBounds(settings.size);
  const frameShare = floor(maxPixels / requireFrameCount(shape));
  return pictures.areaSize(shape, { factor: factorOf(settings), minPixels, maxPixels: frameShare });
};

/** The size of a frame, with sides of multiples of `factor`, where all frames of the video together have `minPixels` to
 * `maxPixels` pixels. Refuses videos of fewer frames than a patch has.
 * @type {(call: Call, shape: VideoShape, bounds: { factor: number, minPixels: number, maxPixels: number }) => Size} */
function sizeByVolume({ settings: { temporal_patch_size: patchFrames } }, shape, bounds) {
  const leastFrames = patchFrames;
  const frames = requireFrameCount(shape, leastFrames);
  // Python compares the bounds with whole patches of frames, but scales a frame that breaks them by the exact number.
  const countedFrames = roundHalfToEven(frames / patchFrames) * patchFrames;
  return pictures.volumeSize(shape, { ...bounds, frames, countedFrames });
}

/** The size of a frame of GLM and Cosmos: all frames together have pixels between the edges of `size`, and the sides
 * are multiples of `patch_expand_factor` tokens.
 * @type {SizeRule} */
export function glmSize(call, shape) {
  const { size, patch_expand_factor: expansion = 1 } = call.settings;
  const factor = factorOf(call.settings) * expansion;
  return sizeByVolume(call, shape, { factor, ...pictures.pixelBounds(size) });
}

/** Qwen3-VL's size of a frame: all frames together have pixels between the edges of `size`. With `cap_pixels_per_frame`
 * each frame has at most the pixels of `max_video_tokens` tokens, but the upper bound of a frame is at least 1.05 times
 * the lower one.
 * @type {SizeRule} */
export const qwen3Size = (call, shape) => {
  const { settings } = call;
  const { minPixels, maxPixels } = pictures.pixelBounds(settings.size);
  const factor = factorOf(settings);
  if (!settings.cap_pixels_per_frame) return sizeByVolume(call, shape, { factor, minPixels, maxPixels });
  const frames = requireFrameCount(shape);
  const tokenPixels = settings.max_video_tokens * factor * factor;
  const frameShare = floor(maxPixels / frames);
  const leastBound = trunc(minPixels * 1.05);
  const frameMaxPixels = max(min(tokenPixels, frameShare), leastBound);
  return sizeByVolume(call, shape, { factor, minPixels, maxPixels: frameMaxPixels * frames });
};

/** Makes a function that counts the patches of a video without its pixels. `sizeRule`: gives the size of its frames, of
 * which the canvas counts if there is one; `framesPerPatch`: how many frames become one patch, by the settings
 * @type {(sizeRule: SizeRule, framesPerPatch: (settings: Settings) => number) => (call: Call, shape: VideoShape) =>
 *   number} */
export const patchCounter = (sizeRule, framesPerPatch) => (call, shape) => {
  const { settings } = call;
  const target = sizeRule(call, shape);
  const { width, height } = 'canvas' in target ? target.canvas : target;
  const groups = ceil(requireFrameCount(shape) / framesPerPatch(settings));
  const pixels = groups * (width * height);
  return pixels / settings.patch_size ** 2;
};

/** GLM-5's size of a frame and of the canvas of whole tokens that it is laid on: all frames together have between
 * `min_image_tokens` and `max_image_tokens` tokens. @type {SizeRule} */
export const glm5Size = ({ settings }, shape) =>
  pictures.canvasByTokens(shape, {
    factor: factorOf(settings) * settings.patch_expand_factor,
    group: settings.temporal_patch_size,
    frames: requireFrameCount(shape),
    minTokens: settings.min_image_tokens,
    maxTokens: settings.max_image_tokens,
  });

/** Kimi's size of a frame, which has at most `max_patches` patches and at most as many along a side as the `max_height`
 * of `size` says, and of the canvas of whole tokens that it is laid on.
 * @type {SizeRule} */
export const kimiSize = ({ settings }, shape) => {
  const { max_height: maxRows, max_width: maxColumns } = settings.size ?? {};
  if (maxRows === undefined || maxRows !== maxColumns)
    rangeError('size must have the keys max_height and max_width, and be square');
  const { patch_size: patch, merge_size: merge, max_patches: maxPatches } = settings;
  return pictures.patchCanvas(shape, { patch, merge, maxPatches, maxPerSide: maxRows });
};

/** The size of a frame by bounds of its own pixels, `min_pixels` and `max_pixels`. @type {SizeRule} */
export const miniMaxSize = ({ settings }, shape) =>
  pictures.areaSize(shape, {
    factor: factorOf(settings),
    minPixels: settings.min_pixels,
    maxPixels: settings.max_pixels,
  });

/** HY V4's size of a frame in whole tokens, as Python's `HYV4VLVideoProcessor.smart_resize` chooses it, about in its
 * ratio and not larger than it: the one with the most rows of tokens that keeps within two bounds. A frame has at most
 * the pixels of `max_image_size`. All frames together have at most those of `size`, where each row counts one more
 * token, which ends it. One token if none fits.
 * @type {(call: Call, shape: VideoShape) => Size} */
export const hyV4Size = ({ settings }, shape) => {
  const { width, height } = shape;
  pictures.checkRatio(shape);
  const factor = factorOf(settings);
  const tokenPixels = factor ** 2;
  const framePixels = pictures.edgeOf(settings.max_image_size, 'longest_edge', 'max_image_size');
  const frameTokens = floor(framePixels / tokenPixels);
  const videoTokens = floor(pictures.edgeOf(settings.size, 'longest_edge') / tokenPixels);
  const maxColumns = max(1, floor(width / factor));
  const maxRows = max(1, floor(height / factor));
  for (let rows = maxRows; rows > 0; rows--) {
    // About the frame's ratio: at least the columns of `rows`, and fewer than those of one row more.
    const leastColumns = rows === 1 ? 1 : max(1, floor((width * rows) / height));
    const columnsByRatio = max(1, ceil((width * (rows + 1)) / height) - 1);
    const columnsByFrame = floor(frameTokens / rows);
    // Less the token that ends each row.
    const columnsByVideo = floor(videoTokens / (requireFrameCount(shape) * rows)) - 1;
    const columns = min(maxColumns, columnsByRatio, columnsByFrame, columnsByVideo);
    if (columns >= leastColumns) return { width: columns * factor, height: rows * factor };
  }
  return pictures.square(factor);
};

/** Counts the patches of a HY V4 video without its pixels: [all patches, groups of `temporal_patch_size` frames, rows
 * of patches, columns of patches].
 * @type {(call: Call, shape: VideoShape) => number[]} */
export const hyV4Patches = (call, shape) => {
  const { settings } = call;
  const { patch_size: patch, temporal_patch_size: patchFrames } = settings;
  const { width, height } = settings.do_resize ? hyV4Size(call, shape) : shape;
  const groups = ceil(requireFrameCount(shape) / patchFrames);
  const rows = floor(height / patch);
  const columns = floor(width / patch);
  return [groups * rows * columns, groups, rows, columns];
};
