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

/** @type {(call: Call, target: FrameSize) => (frame: Picture) => Picture} */
export function resizingTo(call, target) {
  if (!call.settings.do_resize) return (frame) => frame;
  return (frame) =>
    'canvas' in target
      ? pictures.onTopLeft(resizeTo(call, frame, target.size), target.canvas)
      : resizeTo(call, frame, target);
}

/** @type {(settings: Settings) => number} */
const factorOf = ({ patch_size: patch, merge_size: merge }) => patch * merge;

const patchKeys = ['do_resize', 'resample', 'patch_size', 'merge_size', 'temporal_patch_size'];
export const edgeKeys = [...patchKeys, 'size', 'default_to_square'];

/** @type {SizeRule} Pixels of a frame, whatever the number of frames. */
export function frameSize({ settings }, shape) {
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return pictures.areaSize(shape, factorOf(settings), minPixels, maxPixels);
}

/** @type {SizeRule} Qwen2-VL: where the pixels of all frames are bounded, fewer for more frames. */
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

/** @type {SizeRule} VideoLLaMA 3: the frames share the pixels. */
export const videoLlamaSize = ({ settings }, shape) => {
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return pictures.areaSize(shape, factorOf(settings), minPixels, floor(maxPixels / knownFrames(shape)));
};

/** @type {(call: Call, shape: VideoShape, factor: number, minPixels: number, maxPixels: number) => Size} */
function volumeOf({ settings: { temporal_patch_size: group } }, shape, factor, minPixels, maxPixels) {
  const frames = knownFrames(shape, group);
  const counted = roundHalfToEven(frames / group) * group;
  return pictures.volumeSize(shape, factor, minPixels, maxPixels, frames, counted);
}

/** @type {SizeRule} GLM and Cosmos: pixels of a volume. */
export function volume(call, shape) {
  const { settings } = call;
  const [minPixels, maxPixels] = pictures.edgesOf(settings.size);
  return volumeOf(call, shape, factorOf(settings) * (settings.patch_expand_factor ?? 1), minPixels, maxPixels);
}

/** @type {SizeRule} Qwen3-VL: likewise, and each frame's bounded. */
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
 * @property {SizeRule} size
 * @property {string[]} reads
 * @property {(settings: Settings) => boolean} [countsFrames]
 * @property {string} [order]
 * @property {boolean} [isGrouped]
 * @property {boolean} [isSingle] whether a patch has one frame
 * @property {boolean} [isCut] whether a patch has dims of its own
 * @property {(settings: Settings) => number} [multiple] of frames
 * @property {(call: Call, video: WrittenVideo) => number[][]} [grids]
 * @property {(call: Call, videos: WrittenVideo[]) => ClassOutputs} [outputs] beside rows and grids
 * @property {(settings: Settings) => void} [check]
 * @property {boolean} [isFloat] whether numbers are float32 until the outputs
 */

/** @type {(rules: PatchVideo, call: Call, shape: VideoShape) => FrameLayout} */
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

/** @type {(dtype: DType, video: WrittenVideo) => WrittenVideo} The rows in the type that the caller asks for. */
function inType(dtype, { data: numbers, layout, ...video }) {
  if (dtype === layout.numbers.dtype) return { data: numbers, layout, ...video };
  const data = newData(dtype, numbers.length, undefined);
  bytesOf(data).set(encoded(/** @type {Float32Array} */ (numbers), dtype));
  return { ...video, data, layout: { ...layout, numbers: { ...layout.numbers, dtype } } };
}

/** @type {(rules: PatchVideo) => VideoRule} */
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

/** The number of patches that a video gives, by the same sizes; `multiple` of frames that become one.
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

/** ERNIE: patches of single frames, of which there is an even number. */
export const videoErnie = patchVideo({
  size: frameSize,
  reads: [...edgeKeys, 'draw_on_frames'],
  isSingle: true,
  multiple: () => 2,
  check({ draw_on_frames: draws }) {
    if (draws) rangeError('draw_on_frames must be false: no text is drawn here');
  },
});

/** @type {SizeRule} GLM-5: on a canvas of whole tokens. */
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

/** @type {SizeRule} */
export const kimiSize = ({ settings }, shape) => {
  const { max_height: high, max_width: wide } = settings.size ?? {};
  if (high === undefined || high !== wide)
    rangeError('size must have the keys max_height and max_width, and be square');
  const { patch_size: patch, merge_size: merge, max_patches: maxPatches } = settings;
  return pictures.patchCanvas(shape, { patch, merge, maxPatches, side: high });
};

/** Kimi: chunks of frames, each with a grid of its own. */
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

/** @type {(video: WrittenVideo, maxGroups: number | undefined) => number[][]} Grids of no more than `most` groups. */
function segments({ groups, layout: { rows, columns } }, maxGroups = groups) {
  const grids = [];
  for (let done = 0; done < groups; done += maxGroups) grids.push([min(maxGroups, groups - done), rows, columns]);
  return grids;
}

/** @type {SizeRule} */
export const miniMaxSize = ({ settings }, shape) =>
  pictures.areaSize(shape, factorOf(settings), settings.min_pixels, settings.max_pixels);

/** MiniMax: grids of few frames. */
export const videoMiniMax = patchVideo({
  size: miniMaxSize,
  reads: ['min_pixels', 'max_pixels', 'vision_segment_max_frames'],
  grids: ({ settings }, video) => segments(video, settings.vision_segment_max_frames),
  outputs: ({ settings }, videos) => ({
    num_chunks_per_video: int64(videos.map((video) => segments(video, settings.vision_segment_max_frames).length)),
  }),
});

/**
 * HY V4: the most rows of tokens that fit, each of which ends with a token more. A frame never grows, it has at most
 * the pixels of `max_image_size`, and all frames have at most those of `size`.
 * @type {(call: Call, shape: VideoShape) => Size}
 */
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

/** The number of patches of a HY V4 video and its grid.
 * @type {(call: Call, shape: VideoShape) => number[]} */
export const hyV4Patches = (call, shape) => {
  const { settings } = call;
  const { patch_size: patch, temporal_patch_size: group } = settings;
  const { width, height } = settings.do_resize ? hyV4Size(call, shape) : shape;
  const grid = [ceil(knownFrames(shape) / group), floor(height / patch), floor(width / patch)];
  return [grid[0] * grid[1] * grid[2], ...grid];
};

/** Muse: the grid whose ratio is nearest. */
export const videoMuse = patchVideo({
  size: ({ settings }, shape) => pictures.ratioSize(shape, factorOf(settings), settings.max_video_frame_tokens),
  reads: ['max_video_frame_tokens'],
  order: 'tcyx',
  isGrouped: false,
});
