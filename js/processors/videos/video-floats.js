/** Video processors that resize float32: Molmo 2 and Nemotron. */
import { bytesBetween, rangeError } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { dtypes } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { both, byteNumbers, multipleAbove, square, squareSide } from '../pictures/index.js';
import { cellsOf, emptyPlace, pooledCells, resizeMolmo, upTo } from '../tiles/molmo-tiles.js';
import { videosTensor, writeGroups } from './written-frames.js';

/** @import { FrameLayout, Settings, Size, VideoRule } from './types.js' */

const { max, round, sqrt, trunc } = Math;

/** Molmo 2's rule: the patches of each whole frame, and groups of its cells that are pooled. */
export const videoMolmo2 = /** @type {VideoRule} */ ({
  reads: ['resample', 'size', 'default_to_square', ...steps.usualNumbers.reads, 'patch_size', 'pooling_size'],
  /** Begins a video. Each frame is resized to a square of `size`, then cut into patches, here called cells. */
  open(call, shape) {
    const frameSide = squareSide(call.settings.size);
    const { patch_size: patch } = call.settings;
    const cellsOfSide = cellsOf(frameSide, patch);
    const numbers = steps.usualNumbers(call);
    const layout = {
      numbers,
      groupElements: 3 * frameSide * frameSide,
      rows: cellsOfSide,
      columns: cellsOfSide,
      rowDims: [cellsOfSide ** 2, 3 * patch * patch],
      /** Writes the patches of a frame after resizing it. @type {FrameLayout['write']} */
      write: ([frame], destination) =>
        steps.writePatches([resizeMolmo(call, frame, square(frameSide))], numbers, { patch }, destination),
    };
    return writeGroups(call, layout, shape);
  },
  /** The patches of all frames; the cells of each group that is pooled, as ids that count through the frames of all
   * videos; and [frames, rows of groups, columns of groups] of each video. */
  outputs(call, videos) {
    const { pooling_size: pooling } = call.settings;
    // All frames have the same size, so they have the same groups.
    const { rows: cellsOfSide } = videos[0].layout;
    const axis = upTo(cellsOfSide);
    const { ids, grid } = pooledCells(axis, axis, pooling, (row, column) => row * cellsOfSide + column);
    const frames = videos.reduce((sum, video) => sum + video.frames, 0);
    const frameCells = cellsOfSide ** 2;
    const allIds = upTo(frames).flatMap((frame) => ids.map((id) => (id === emptyPlace ? id : id + frame * frameCells)));
    const [groupHeight, groupWidth] = pooling;
    const groupCells = groupHeight * groupWidth;
    return {
      pixel_values_videos: videosTensor(call, videos),
      video_token_pooling: steps.int64(allIds, [allIds.length / groupCells, groupCells]),
      video_grids: steps.int64(videos.map((video) => [video.frames, ...grid])),
    };
  },
});

/** The columns (`width`) and rows (`height`) of patches of Nemotron's frames, as Python's `_compute_target_patches`
 * chooses them: about `video_target_num_patches` in all, in the frame's ratio or, without
 * `video_maintain_aspect_ratio`, as a square. Both are multiples of the side of a token in patches.
 * @type {(settings: Settings, size: Size) => Size} */
function targetGrid(settings, { width, height }) {
  const { video_target_num_patches: target, video_maintain_aspect_ratio: keepsRatio } = settings;
  // In patches: the model joins a square of this side.
  const tokenSide = round(1 / settings.downsample_ratio);
  /** @type {(patches: number) => number} */
  const wholeTokensBelow = (patches) => max(tokenSide, patches - (patches % tokenSide));
  if (!keepsRatio) return square(wholeTokensBelow(trunc(sqrt(target))));
  const ratio = width / height;
  const exact = { width: sqrt(target * ratio), height: sqrt(target / ratio) };
  const rounded = both(exact, (patches) => max(roundHalfToEven(patches), 1));
  const roundedUp = both(rounded, (patches) => multipleAbove(patches, tokenSide));
  const isWithinTarget = roundedUp.width * roundedUp.height <= target;
  return isWithinTarget ? roundedUp : both(rounded, wholeTokensBelow);
}

/** Settings of Nemotron that count in files alone. */
export const nemotronKeys = [
  'norm_mean',
  'norm_std',
  'patch_size',
  'downsample_ratio',
  'video_target_num_patches',
  'video_maintain_aspect_ratio',
];

/** Nemotron's rule: frames resized bicubically, divided by 255 and normalized, and frames of a tubelet one after the
 * other as planes. */
export const videoNemotron = /** @type {VideoRule} */ ({
  reads: [...nemotronKeys, 'temporal_patch_size'],
  /** Begins a video. Its size is that of a grid of whole patches; `temporal_patch_size` frames become a tubelet. */
  open(call, shape) {
    const { settings, dtype = dtypes.float32 } = call;
    const { patch_size: patch, norm_mean: means, norm_std: stds, temporal_patch_size: groupFrames } = settings;
    if (means === undefined || stds === undefined) rangeError('norm_mean and norm_std must be given, got null');
    const mean = steps.perColor(means);
    const std = steps.perColor(stds);
    const size = both(targetGrid(settings, shape), (patches) => patches * patch);
    // Done to the resized numbers; `steps` are those that the caller's `onStep` is told of.
    const finish = { divisor: 255, mean, std, steps: [{ name: /** @type {const} */ ('normalize'), mean, std }] };
    const layout = {
      // Only the dtype is read: `write` divides and normalizes by `finish`.
      numbers: { ...byteNumbers, dtype },
      groupElements: 3 * groupFrames * size.width * size.height,
      groupFrames,
      rows: size.height,
      columns: size.width,
      /** Writes the planes of a tubelet's frames, one frame after the other. @type {FrameLayout['write']} */
      write(frames, destination) {
        const axes = steps.axesOf('Bicubic', shape);
        const frameBytes = destination.length / groupFrames;
        frames.forEach((frame, i) => {
          const resized = steps.resizedFloats(frame, size, axes, { filter: 'bicubic', finish });
          const frameDestination = bytesBetween(destination, i * frameBytes, (i + 1) * frameBytes);
          steps.writeFloats(resized, dtype, size, frameDestination);
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
