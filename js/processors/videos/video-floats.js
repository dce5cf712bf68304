/** Video processors that resize float32: Molmo 2 and Nemotron. */
import { bytesBetween, rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { dtypes } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { byteNumbers, multipleAbove, square, squareSide } from '../pictures/index.js';
import { cellsOf, pooledCells, resizeMolmo, upTo } from '../tiles/float-tiles.js';
import { videosTensor, writeGroups } from './written-frames.js';

/** @import { FrameLayout, Settings, Size, VideoRule } from './types.js' */

const { max, round, sqrt, trunc } = Math;

/** Molmo 2's rule: the patches of each whole frame, and groups of its cells that are pooled. */
export const videoMolmo2 = /** @type {VideoRule} */ ({
  reads: ['resample', 'size', 'default_to_square', ...steps.usualNumbers.reads, 'patch_size', 'pooling_size'],
  /** Begins a video: each frame is resized to a square, whose patches, here called cells, are rows of the result. */
  open(call, shape) {
    const side = squareSide(call.settings.size);
    const { patch_size: patch } = call.settings;
    const cells = cellsOf(side, patch);
    const numbers = steps.usualNumbers(call);
    const layout = {
      numbers,
      length: 3 * side * side,
      rows: cells,
      columns: cells,
      row: [cells ** 2, 3 * patch * patch],
      /** @type {FrameLayout['write']} */
      write: ([frame], destination) =>
        steps.writePatches([resizeMolmo(call, frame, square(side))], numbers, { patch }, destination),
    };
    return writeGroups(call, layout, shape);
  },
  /** The patches, the numbers of the cells in each group that is pooled, and [frames, rows, columns] of these groups.
   * */
  outputs(call, videos) {
    const { pooling_size: pooling } = call.settings;
    const { rows: cells } = videos[0].layout;
    const { ids, grid } = pooledCells(upTo(cells), upTo(cells), pooling, (y, x) => y * cells + x);
    // All frames have the same groups; cells are numbered through the frames of all videos, -1 is an empty place.
    const frames = videos.reduce((sum, video) => sum + video.frames, 0);
    const all = upTo(frames).flatMap((i) => ids.map((id) => (id < 0 ? id : id + i * cells ** 2)));
    const group = pooling[0] * pooling[1];
    return {
      pixel_values_videos: videosTensor(call, videos),
      video_token_pooling: steps.int64(all, [all.length / group, group]),
      video_grids: steps.int64(videos.map((video) => [video.frames, ...grid])),
    };
  },
});

/** The columns (`width`) and rows (`height`) of patches of Nemotron's frames, as Python's `_compute_target_patches`
 * chooses them: about `video_target_num_patches` in all, in the frame's ratio or, without
 * `video_maintain_aspect_ratio`, as a square. Both are multiples of the side of a token in patches.
 * @type {(settings: Settings, size: Size) => Size} */
function targetGrid(settings, { width, height }) {
  const { video_target_num_patches: goal, video_maintain_aspect_ratio: keeps } = settings;
  // The side of a token in patches.
  const merge = round(1 / settings.downsample_ratio);
  if (!keeps) return square(max(merge, trunc(trunc(sqrt(goal)) / merge) * merge));
  const ratio = width / height;
  const [h, w] = [sqrt(goal / ratio), sqrt(goal * ratio)].map((side) => max(roundHalfToEven(side), 1));
  // Rounded up to whole tokens if that leaves no more patches than wanted, else down.
  const [high, wide] = [multipleAbove(h, merge), multipleAbove(w, merge)];
  if (high * wide <= goal || merge === 1) return { width: wide, height: high };
  return { width: max(merge, w - (w % merge)), height: max(merge, h - (h % merge)) };
}

/** Settings of Nemotron that count in files alone. */
export const nemotronKeys = [
  ...['norm_mean', 'norm_std', 'patch_size', 'downsample_ratio'],
  ...['video_target_num_patches', 'video_maintain_aspect_ratio'],
];

/** Nemotron's rule: frames resized bicubically, divided by 255 and normalized, and frames of a tubelet one after the
 * other as planes. */
export const videoNemotron = /** @type {VideoRule} */ ({
  reads: [...nemotronKeys, 'temporal_patch_size'],
  /** Begins a video: a group of `temporal_patch_size` frames, a tubelet, becomes 3 planes for each of its frames. */
  open(call, shape) {
    const { settings, dtype = dtypes.float32 } = call;
    const { patch_size: patch, norm_mean: means, norm_std: stds, temporal_patch_size: group } = settings;
    if (means === undefined || stds === undefined) rangeError('norm_mean and norm_std must be given, got null');
    const [mean, std] = [means, stds].map((value) => (typeof value === 'number' ? [value, value, value] : value));
    const grid = targetGrid(settings, shape);
    const size = { width: grid.width * patch, height: grid.height * patch };
    const finish = { divisor: 255, mean, std, steps: [{ name: /** @type {const} */ ('normalize'), mean, std }] };
    const layout = {
      // For the dtype alone: `write` divides and normalizes by `finish`.
      numbers: { ...byteNumbers, dtype },
      length: 3 * group * size.width * size.height,
      group,
      rows: size.height,
      columns: size.width,
      /** Writes the frames of a group one after the other.
       * @type {FrameLayout['write']} */
      write(frames, destination) {
        const axes = steps.axesOf('Bicubic', shape);
        const bytes = destination.length / group;
        frames.forEach((frame, i) => {
          const resized = steps.resizedFloats(frame, size, axes, { filter: 'bicubic', finish });
          steps.writeFloats(resized, dtype, size, bytesBetween(destination, i * bytes, (i + 1) * bytes));
        });
      },
    };
    return writeGroups(call, layout, shape);
  },
  /** One tensor of all videos, which have to become as many tubelets of one size, and their numbers of frames. */
  outputs(call, videos) {
    const shapes = videos.map(({ groups, layout: { rows, columns } }) => `${groups} tubelets of ${columns} x ${rows}`);
    const other = shapes.findIndex((shape) => shape !== shapes[0]);
    if (other >= 0) rangeError(`videos[${other}] must become ${shapes[0]} pixels as the first, got ${shapes[other]}`);
    return {
      pixel_values_videos: videosTensor(call, videos),
      num_frames: steps.int64(videos.map(({ frames }) => frames)),
    };
  },
});
