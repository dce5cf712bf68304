/** Video processors that return patches of one or several frames. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { encoded } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { checkWhole, int64, resizeTo, usualNumbers, writePatches } from '../steps/index.js';
import * as pictures from '../pictures/index.js';
import {
  factorOf,
  frameSize,
  glmSize,
  glm5Size,
  hyV4Size,
  kimiSize,
  miniMaxSize,
  qwen2Size,
  qwen3Size,
} from './video-sizes.js';
import { videosTensor, writeGroups } from './written-frames.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Call, ClassOutputs, FrameLayout, Picture, Settings } from './types.js' */
/** @import { FrameSize, SizeRule } from './video-sizes.js' */
/** @import { VideoRule, VideoShape, WrittenVideo } from './types.js' */

/** Makes a function that resizes a frame to `target`; where that has a canvas, it also lays it at the canvas' top left.
 * @type {(call: Call, target: FrameSize) => (frame: Picture) => Picture} */
export function resizingTo(call, target) {
  if (!call.settings.do_resize) return (frame) => frame;
  return (frame) =>
    'canvas' in target
      ? pictures.onTopLeft(resizeTo(call, frame, target.size), target.canvas)
      : resizeTo(call, frame, target);
}

/** Settings of every rule of patches. */
const patchKeys = ['do_resize', 'resample', 'patch_size', 'merge_size', 'temporal_patch_size'];
/** Settings of rules of patches whose bounds of pixels are the edges of `size`. */
export const edgeKeys = [...patchKeys, 'size', 'default_to_square'];

/** How a class makes patches of videos. Each patch is a row of numbers; groups of `merge_size` x `merge_size` patches
 * become a token of the model.
 * @typedef {object} PatchVideo
 * @property {SizeRule} size that frames are resized to
 * @property {string[]} reads the settings that the rule reads, besides those of patches and numbers
 * @property {(settings: Settings) => boolean} [countsFrames] whether sizes depend on the number of frames; false if
 *   omitted
 * @property {string} [order] of a patch's numbers, the fastest axis last: c (channel), t (frame), y (row), x (column);
 *   'ctyx' if omitted
 * @property {boolean} [isGrouped] whether patches of a token follow one another, not those of a row; true if omitted
 * @property {boolean} [isSingle] whether a patch has one frame; otherwise it has `temporal_patch_size` frames
 * @property {boolean} [isCut] whether a patch has the dims [3, patch, patch], not a row of numbers
 * @property {(settings: Settings) => number} [frameMultiple] the last frame is repeated until the number of frames is a
 *   multiple of this; that of the frames in a patch if omitted
 * @property {(call: Call, video: WrittenVideo) => number[][]} [grids] [groups, rows, columns] of a video, or of each
 *   of its chunks; of the whole video if omitted
 * @property {(call: Call, videos: WrittenVideo[]) => ClassOutputs} [outputs] those other than the patches and their
 *   grids
 * @property {(settings: Settings) => void} [check] refuses settings
 * @property {boolean} [isFloat] whether numbers are float32 until the outputs, and cast to the caller's type then
 */

/** Says how the frames of a video become rows of patches. Sizes are found and checked with a picture without pixels,
 * before any frame is read.
 * @type {(rules: PatchVideo, call: Call, shape: VideoShape) => FrameLayout} */
function patchLayout(rules, call, shape) {
  const { settings } = call;
  const { order = 'ctyx', isGrouped = true, isSingle = false } = rules;
  const { patch_size: patch, merge_size: merge } = settings;
  rules.check?.(settings);
  const target = settings.do_resize ? rules.size(call, shape) : shape;
  const resize = resizingTo(call, target);
  const blank = resize(pictures.blankPicture(shape));
  checkWhole(blank, patch * merge);
  const { width, height } = pictures.sizeOf(blank);
  const groupFrames = isSingle ? 1 : settings.temporal_patch_size;
  // Where float32 is needed until the outputs, the caller's type, if any, replaces it at the end.
  const numbers = usualNumbers(rules.isFloat ? { ...call, dtype: call.dtype && dtypes.float32 } : call);
  return {
    numbers,
    groupElements: 3 * groupFrames * width * height,
    groupFrames,
    frameMultiple: rules.frameMultiple?.(settings),
    rows: height / patch,
    columns: width / patch,
    rowDims: rules.isCut ? [3, patch, patch] : [3 * groupFrames * patch * patch],
    /** Writes the patches of the frames of a group after resizing them. */
    write: (frames, destination) =>
      writePatches(frames.map(resize), numbers, { patch, merge, order, isGrouped, frames: groupFrames }, destination),
  };
}

/** Rounds the float32 numbers of a video to the type `dtype`, in new memory; a video of that type is returned as it is.
 * @type {(dtype: DType, video: WrittenVideo) => WrittenVideo} */
function castVideo(dtype, video) {
  const { data: floats, layout } = video;
  if (dtype === layout.numbers.dtype) return video;
  const data = newData(dtype, floats.length, undefined);
  bytesOf(data).set(encoded(/** @type {Float32Array} */ (floats), dtype));
  const castLayout = { ...layout, numbers: { ...layout.numbers, dtype } };
  return { ...video, data, layout: castLayout };
}

/** Makes the rule of a video class whose frames become rows of patches: the outputs are the patches of all videos, one
 * after the other, the grid [groups, rows, columns] of each video, and those of `rules`.
 * @type {(rules: PatchVideo) => VideoRule} */
export function patchVideo(rules) {
  const gridsOf = rules.grids ?? ((_, video) => chunkGrids(video));
  return {
    reads: [...patchKeys, ...usualNumbers.reads, ...rules.reads],
    countsFrames: ({ settings }) => rules.countsFrames?.(settings) ?? false,
    open: (call, shape) => writeGroups(call, patchLayout(rules, call, shape), shape),
    /** The patches of all videos, in the caller's type if there is one, their grids, and the class's other outputs. */
    outputs(call, videos) {
      const { dtype } = call;
      const typedVideos = dtype ? videos.map((video) => castVideo(dtype, video)) : videos;
      return {
        pixel_values_videos: videosTensor(call, typedVideos),
        video_grid_thw: int64(videos.flatMap((video) => gridsOf(call, video))),
        ...rules.outputs?.(call, videos),
      };
    },
  };
}

/** Qwen2-VL's rule: sizes depend on the number of frames only where `cap_pixels_per_frame` is on. */
export const videoQwen2 = patchVideo({
  size: qwen2Size,
  reads: [...edgeKeys, 'min_pixels', 'max_pixels', 'cap_pixels_per_frame', 'max_video_tokens'],
  countsFrames: (settings) => settings.cap_pixels_per_frame,
});
const qwen3Rules = {
  size: qwen3Size,
  reads: [...edgeKeys, 'cap_pixels_per_frame', 'max_video_tokens'],
  countsFrames: () => true,
};
export const videoQwen3 = patchVideo(qwen3Rules);
const glmRules = { size: glmSize, reads: [...edgeKeys, 'patch_expand_factor'], countsFrames: () => true };
export const videoGlm = patchVideo(glmRules);
export const videoCosmos = patchVideo({ ...glmRules, order: 'yxct' });

/** ERNIE's rule: patches of single frames, whose number is filled up to an even one. */
export const videoErnie = patchVideo({
  size: frameSize,
  reads: [...edgeKeys, 'draw_on_frames'],
  isSingle: true,
  frameMultiple: () => 2,
  /** In Python `draw_on_frames` writes the time on each frame. */
  check({ draw_on_frames: draws }) {
    if (draws) rangeError('draw_on_frames must be false: no text is drawn here');
  },
});

export const videoGlm5 = patchVideo({
  size: glm5Size,
  reads: ['patch_expand_factor', 'min_image_tokens', 'max_image_tokens'],
  countsFrames: () => true,
});

/** Kimi's rule: chunks of `temporal_patch_size` frames, each with a grid of its own. */
export const videoKimi = patchVideo({
  size: kimiSize,
  reads: ['size', 'default_to_square', 'max_patches'],
  isGrouped: false,
  isSingle: true,
  isCut: true,
  grids: ({ settings }, video) => chunkGrids(video, settings.temporal_patch_size),
  /** The number of chunks of each video. */
  outputs: ({ settings }, videos) => ({
    num_chunks_per_video: int64(videos.map((video) => chunkGrids(video, settings.temporal_patch_size).length)),
  }),
});

/** Splits the groups of frames of a video into chunks of at most `maxGroups`, and returns the grid [groups, rows,
 * columns] of each chunk; all groups are one chunk if `maxGroups` is not given.
 * @type {(video: WrittenVideo, maxGroups?: number) => number[][]} */
function chunkGrids({ groups, layout: { rows, columns } }, maxGroups = groups) {
  const grids = [];
  for (let first = 0; first < groups; first += maxGroups) {
    const chunkGroups = Math.min(maxGroups, groups - first);
    grids.push([chunkGroups, rows, columns]);
  }
  return grids;
}

/** MiniMax's rule: chunks of `vision_segment_max_frames` groups, each with a grid of its own. */
export const videoMiniMax = patchVideo({
  size: miniMaxSize,
  reads: ['min_pixels', 'max_pixels', 'vision_segment_max_frames'],
  grids: ({ settings }, video) => chunkGrids(video, settings.vision_segment_max_frames),
  /** The number of chunks of each video. */
  outputs: ({ settings }, videos) => ({
    num_chunks_per_video: int64(videos.map((video) => chunkGrids(video, settings.vision_segment_max_frames).length)),
  }),
});

export const videoHyV4 = patchVideo({
  size: hyV4Size,
  reads: [...edgeKeys, 'max_image_size'],
  countsFrames: () => true,
  isGrouped: false,
});

/** Muse's rule: frames of the size of the grid whose ratio is nearest, at most `max_video_frame_tokens` tokens. */
export const videoMuse = patchVideo({
  size: ({ settings }, shape) => pictures.ratioSize(shape, factorOf(settings), settings.max_video_frame_tokens),
  reads: ['max_video_frame_tokens'],
  order: 'tcyx',
  isGrouped: false,
});
