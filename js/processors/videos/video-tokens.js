/** Gemma's videos: a number of soft tokens a frame, and where each patch lies. */
import { rangeError } from '../../arguments/index.js';
import {
  checkSoftTokens,
  checkWhole,
  gridPositions,
  int64,
  resizeGemma,
  usualNumbers,
  writePatches,
} from '../steps/index.js';
import { blankPicture, sizeOf } from '../pictures/index.js';
import { videosTensor, writeGroups } from './written-frames.js';

/** @import { Call, ClassOutputs, FrameLayout, Settings, VideoCall } from './types.js' */
/** @import { VideoRule, VideoShape, WrittenVideo } from './types.js' */

/** Says how Gemma's patches and tokens are shaped. `patchSide`: in pixels; `maxPatches`: the most patches of a frame;
 * `pooled`: how many patches become one token. In Gemma4Unified a patch is as large as a token. Refuses other values of
 * `max_soft_tokens` than Gemma's.
 * @type {(settings: Settings, isUnified: boolean) => { patchSide: number, maxPatches: number, pooled: number }} */
function tokenShape({ patch_size: patch, pooling_kernel_size: pool, max_soft_tokens: tokens }, isUnified) {
  checkSoftTokens(tokens);
  return isUnified
    ? { patchSide: patch * pool, maxPatches: tokens, pooled: 1 }
    : { patchSide: patch, maxPatches: tokens * pool ** 2, pooled: pool ** 2 };
}

/** Says how the frames of a video become rows of patches: each frame takes the most rows that a frame can have, and
 * those after its last patch are zeros. The size is found with a picture without pixels, before any frame is read.
 * @type {(call: Call, shape: VideoShape, isUnified: boolean) => FrameLayout} */
function tokensLayout(call, shape, isUnified) {
  const { settings } = call;
  const { patchSide, maxPatches } = tokenShape(settings, isUnified);
  const blank = resizeGemma(call, blankPicture(shape));
  checkWhole(blank, patchSide);
  const { width, height } = sizeOf(blank);
  const [rows, columns] = [height / patchSide, width / patchSide];
  if (rows * columns > maxPatches)
    rangeError(`${shape.argument} must have at most ${maxPatches} patches a frame, got ${rows * columns}`);
  const numbers = usualNumbers(call);
  const patchLength = 3 * patchSide * patchSide;
  const patchesBytes = (rows * columns * patchLength * numbers.dtype.bits) / 8;
  /** Writes the patches of a frame, then zeros up to the most patches. @type {FrameLayout['write']} */
  const write = ([frame], destination) => {
    destination.fill(0, patchesBytes);
    writePatches([resizeGemma(call, frame)], numbers, { patch: patchSide }, destination.subarray(0, patchesBytes));
  };
  const groupElements = maxPatches * patchLength;
  return { numbers, groupElements, rows, columns, rowDims: [maxPatches, patchLength], write };
}

/** Makes the outputs: the patches of all frames, the column and row of each patch, how many frames each video has, and,
 * in spite of the output's name, how many tokens each frame of a video becomes.
 * @type {(call: VideoCall, videos: readonly WrittenVideo[], isUnified: boolean) => ClassOutputs} */
function tokenOutputs(call, videos, isUnified) {
  const { maxPatches, pooled } = tokenShape(call.settings, isUnified);
  // The patches of each frame of all videos, as a grid.
  const grids = videos.flatMap(({ frames, layout }) =>
    Array(frames).fill({ width: layout.columns, height: layout.rows }),
  );
  const frameTokens = videos.map(({ layout: { rows, columns } }) => Math.floor((rows * columns) / pooled));
  return {
    pixel_values_videos: videosTensor(call, videos),
    video_position_ids: gridPositions(grids, maxPatches),
    num_frames_per_video: int64(videos.map(({ frames }) => frames)),
    num_soft_tokens_per_video: int64(frameTokens),
  };
}

/** The rule of Gemma's videos: the patches of each frame, filled up to the most, and their columns and rows.
 * `isUnified`: for Gemma4Unified, where a patch is a token
 * @type {(isUnified: boolean) => VideoRule} */
const gemmaRule = (isUnified) => ({
  reads: ['do_resize', 'resample', ...usualNumbers.reads, 'patch_size', 'max_soft_tokens', 'pooling_kernel_size'],
  open: (call, shape) => writeGroups(call, tokensLayout(call, shape, isUnified), shape),
  outputs: (call, videos) => tokenOutputs(call, videos, isUnified),
});

export const videoGemma = gemmaRule(false);
export const videoGemmaUnified = gemmaRule(true);
