/** Video processors that return patches of one or several frames. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { encoded, roundHalfToEven } from '../../image/internal.js';
import { dtypes, newData } from '../../tensor/index.js';
import { checkWhole, int64, resizeTo, usualNumbers, writePatches } from '../steps/index.js';
import * as pictures from '../pictures/index.js';
import { knownFrames, videosTensor, writeGroups } from './written-frames.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Call, ClassOutputs, FrameLayout, Picture, Settings, Size } from './types.js' */
/** @import { VideoRule, VideoShape, WrittenVideo } from './types.js' */

const { ceil, floor, max, min, trunc } = Math;

/** @typedef {Size | { canvas: Size, size: Size }} FrameSize the size of a frame, and of the canvas where it has one */
/** @typedef {(call: Call, shape: VideoShape) => FrameSize} SizeRule */

/** A function that resizes a frame to a size and lays it on the canvas, if there is one.
 * @type {(call: Call, target: FrameSize) => (frame: Picture) => Picture} */
export function resizingTo(call, target) {
  if (!call.settings.do_resize) return (frame) => frame;
  return (frame) =>
    'canvas' in target
      ? pictures.onTopLeft(resizeTo(call, frame, target.size), target.canvas)
      : resizeTo(call, frame, target);
}

/** The pixels of a group's side: the side of what becomes one token. @type {(settings: Settings) => number} */
const factorOf = ({ patch_size: patch, merge_size: merge }) => patch * merge;

const patchKeys = ['do_resize', 'resample', 'patch_size', 'merge_size', 'temporal_patch_size'];
export const edgeKeys = [...patchKeys, 'size', 'default_to_square'];

/** The size of a frame by bounds of its own pixels, whatever the number of frames. @type {SizeRule} */
export function frameSize({ settings }, shape) {
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return pictures.areaSize(shape, factorOf(settings), minPixels, maxPixels);
}

/** The size of a frame by bounds of its pixels, as Qwen2-VL has it. With `cap_pixels_per_frame`, nine tenths of the
 * tokens that a model takes are shared among the frames.
 * @type {SizeRule} */
const qwen2Size = ({ settings }, shape) => {
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

/**
 * @typedef {object} PatchVideo
 * @property {SizeRule} size that frames are resized to
 * @property {string[]} reads the settings that the rule reads, beside those of patches and numbers
 * @property {(settings: Settings) => boolean} [countsFrames] whether sizes depend on the number of frames; false if
 *   omitted
 * @property {string} [order] of a patch's channel, frame, row and column; 'ctyx' if omitted
 * @property {boolean} [isGrouped] whether the patches of a group of `merge_size` follow one another; true if omitted
 * @property {boolean} [isSingle] whether a patch has one frame
 * @property {boolean} [isCut] whether a patch has dims of its own
 * @property {(settings: Settings) => number} [multiple] that the number of frames is filled up to
 * @property {(call: Call, video: WrittenVideo) => number[][]} [grids] [groups, rows, columns] of a video, or of several
 *   parts of it; of the whole video if omitted
 * @property {(call: Call, videos: WrittenVideo[]) => ClassOutputs} [outputs] beside rows and grids
 * @property {(settings: Settings) => void} [check] refuses settings
 * @property {boolean} [isFloat] whether numbers are float32 until the outputs
 */

/** How the frames of a video become rows of patches. A picture without pixels is resized first, so that sizes are
 * checked before any frame is read.
 * @type {(rules: PatchVideo, call: Call, shape: VideoShape) => FrameLayout} */
function patchLayout(rules, call, shape) {
  const { settings } = call;
  const { order = 'ctyx', isGrouped = true, isSingle = false } = rules;
  const { patch_size: patch, merge_size: merge } = settings;
  rules.check?.(settings);
  const resized = resizingTo(call, settings.do_resize ? rules.size(call, shape) : shape);
  const blank = resized(pictures.blankPicture(shape));
  checkWhole(blank, patch * merge);
  const { width, height } = pictures.sizeOf(blank);
  const group = isSingle ? 1 : settings.temporal_patch_size;
  const numbers = usualNumbers(rules.isFloat ? { ...call, dtype: call.dtype && dtypes.float32 } : call);
  return {
    numbers,
    length: 3 * group * width * height,
    group,
    multiple: rules.multiple?.(settings),
    rows: height / patch,
    columns: width / patch,
    row: rules.isCut ? [3, patch, patch] : [3 * group * patch * patch],
    write: (frames, destination) =>
      writePatches(frames.map(resized), numbers, { patch, merge, order, isGrouped, frames: group }, destination),
  };
}

/** Rounds the float32 numbers of a video to the type that the caller asks for.
 * @type {(dtype: DType, video: WrittenVideo) => WrittenVideo} */
function inType(dtype, { data: numbers, layout, ...video }) {
  if (dtype === layout.numbers.dtype) return { data: numbers, layout, ...video };
  const data = newData(dtype, numbers.length, undefined);
  bytesOf(data).set(encoded(/** @type {Float32Array} */ (numbers), dtype));
  return { ...video, data, layout: { ...layout, numbers: { ...layout.numbers, dtype } } };
}

/** The rule of a video class whose frames become rows of patches. @type {(rules: PatchVideo) => VideoRule} */
export function patchVideo(rules) {
  const gridsOf = rules.grids ?? ((_, { groups, layout: { rows, columns } }) => [[groups, rows, columns]]);
  return {
    reads: [...patchKeys, ...usualNumbers.reads, ...rules.reads],
    countsFrames: ({ settings }) => rules.countsFrames?.(settings) ?? false,
    open: (call, shape) => writeGroups(call, patchLayout(rules, call, shape), shape),
    outputs(call, videos) {
      const { dtype } = call;
      return {
        pixel_values_videos: videosTensor(call, dtype ? videos.map((video) => inType(dtype, video)) : videos),
        video_grid_thw: int64(videos.flatMap((video) => gridsOf(call, video))),
        ...rules.outputs?.(call, videos),
      };
    },
  };
}

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

export const videoQwen2 = patchVideo({
  size: qwen2Size,
  reads: [...edgeKeys, 'min_pixels', 'max_pixels', 'cap_pixels_per_frame', 'max_video_tokens'],
  countsFrames: (settings) => settings.cap_pixels_per_frame,
});
const qwen3 = {
  size: qwen3Size,
  reads: [...edgeKeys, 'cap_pixels_per_frame', 'max_video_tokens'],
  countsFrames: () => true,
};
export const videoQwen3 = patchVideo(qwen3);
const volumes = { size: volume, reads: [...edgeKeys, 'patch_expand_factor'], countsFrames: () => true };
export const videoGlm = patchVideo(volumes);
export const videoCosmos = patchVideo({ ...volumes, order: 'yxct' });

/** ERNIE's rule: patches of single frames, whose number is filled up to an even one. */
export const videoErnie = patchVideo({
  size: frameSize,
  reads: [...edgeKeys, 'draw_on_frames'],
  isSingle: true,
  multiple: () => 2,
  check({ draw_on_frames: draws }) {
    if (draws) rangeError('draw_on_frames must be false: no text is drawn here');
  },
});

/** The size of a frame, and of a canvas of whole tokens around it, as GLM-5 has it. @type {SizeRule} */
export const glm5Size = ({ settings }, shape) =>
  pictures.canvasByTokens(shape, {
    factor: factorOf(settings) * settings.patch_expand_factor,
    group: settings.temporal_patch_size,
    frames: knownFrames(shape),
    minTokens: settings.min_image_tokens,
    maxTokens: settings.max_image_tokens,
  });

export const videoGlm5 = patchVideo({
  size: glm5Size,
  reads: ['patch_expand_factor', 'min_image_tokens', 'max_image_tokens'],
  countsFrames: () => true,
});

/** The size of a frame, and of a canvas of whole groups of patches around it, as Kimi has it. @type {SizeRule} */
export const kimiSize = ({ settings }, shape) => {
  const { max_height: high, max_width: wide } = settings.size ?? {};
  if (high === undefined || high !== wide)
    rangeError('size must have the keys max_height and max_width, and be square');
  const { patch_size: patch, merge_size: merge, max_patches: maxPatches } = settings;
  return pictures.patchCanvas(shape, { patch, merge, maxPatches, side: high });
};

/** Kimi's rule: chunks of `temporal_patch_size` frames, each with a grid of its own. */
export const videoKimi = patchVideo({
  size: kimiSize,
  reads: ['size', 'default_to_square', 'max_patches'],
  isGrouped: false,
  isSingle: true,
  isCut: true,
  grids: ({ settings }, video) => segments(video, settings.temporal_patch_size),
  outputs: ({ settings }, videos) => ({
    num_chunks_per_video: int64(videos.map((video) => segments(video, settings.temporal_patch_size).length)),
  }),
});

/** Splits the groups of a video into parts of at most `maxGroups`, each with its grid [groups, rows, columns].
 * @type {(video: WrittenVideo, maxGroups: number | undefined) => number[][]} */
function segments({ groups, layout: { rows, columns } }, maxGroups = groups) {
  const grids = [];
  for (let done = 0; done < groups; done += maxGroups) grids.push([min(maxGroups, groups - done), rows, columns]);
  return grids;
}

/** The size of a frame by bounds of its own pixels, `min_pixels` and `max_pixels`. @type {SizeRule} */
export const miniMaxSize = ({ settings }, shape) =>
  pictures.areaSize(shape, factorOf(settings), settings.min_pixels, settings.max_pixels);

/** MiniMax's rule: parts of `vision_segment_max_frames` groups, each with a grid of its own. */
export const videoMiniMax = patchVideo({
  size: miniMaxSize,
  reads: ['min_pixels', 'max_pixels', 'vision_segment_max_frames'],
  grids: ({ settings }, video) => segments(video, settings.vision_segment_max_frames),
  outputs: ({ settings }, videos) => ({
    num_chunks_per_video: int64(videos.map((video) => segments(video, settings.vision_segment_max_frames).length)),
  }),
});

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

export const videoHyV4 = patchVideo({
  size: hyV4Size,
  reads: [...edgeKeys, 'max_image_size'],
  countsFrames: () => true,
  isGrouped: false,
});

/** The number of patches of a HY V4 video, and its grid: [patches, groups, rows, columns].
 * @type {(call: Call, shape: VideoShape) => number[]} */
export const hyV4Patches = (call, shape) => {
  const { settings } = call;
  const { patch_size: patch, temporal_patch_size: group } = settings;
  const { width, height } = settings.do_resize ? hyV4Size(call, shape) : shape;
  const grid = [ceil(knownFrames(shape) / group), floor(height / patch), floor(width / patch)];
  return [grid[0] * grid[1] * grid[2], ...grid];
};

/** Muse's rule: frames of the size of the grid whose ratio is nearest, at most `max_video_frame_tokens` tokens. */
export const videoMuse = patchVideo({
  size: ({ settings }, shape) => pictures.ratioSize(shape, factorOf(settings), settings.max_video_frame_tokens),
  reads: ['max_video_frame_tokens'],
  order: 'tcyx',
  isGrouped: false,
});
