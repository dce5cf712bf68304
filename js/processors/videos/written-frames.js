/** Frames that are written one by one, in groups of equal length: in memory that grows where nobody knows how many. */
import { bytesBetween, bytesOf, largest, rangeError } from '../../arguments/index.js';
import { checkLength, newData, readOut, sizeOf as countOf, tensorOf } from '../../tensor/index.js';
import { multipleAbove } from '../pictures/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { TensorData } from '../../tensor/types.js' */
/** @import { FrameLayout, Picture, VideoCall, VideoShape, VideoWriter, WrittenVideo } from './types.js' */

/** Takes the next `length` elements of the caller's tensor `out`, for a video, and counts them in `callerOut.taken`.
 * undefined if there is no `out`, or one of another dtype or with too little room. Whether its dims are right is
 * checked later.
 * @type {(callerOut: VideoCall['callerOut'], dtype: DType, length: number) => TypedArray | undefined} */
function takeElements(callerOut, dtype, length) {
  if (callerOut?.dtype !== dtype) return undefined;
  const first = callerOut.taken;
  const end = first + length;
  if (end > callerOut.data.length) return undefined;
  callerOut.taken = end;
  return callerOut.data.subarray(first, end);
}

/** Memory for the groups of frames of a video, each of `groupElements`: the caller's `out` or new memory for `count`
 * groups or, where the count is not known, new memory that doubles when it is full.
 * @type {(call: VideoCall, dtype: DType, groupElements: number, count: number | undefined) => {
 *   bytesOfGroup: (group: number) => Uint8Array, dataOfFirst: (groups: number) => TypedArray }} */
function groupMemory({ callerOut }, dtype, groupElements, count) {
  const firstCapacity = 8;
  const callerData = count ? takeElements(callerOut, dtype, groupElements * count) : undefined;
  /** @type {TypedArray} */
  let data = callerData ?? newData(dtype, groupElements * (count ?? firstCapacity), undefined);
  const groupBytes = (groupElements * dtype.bits) / 8;
  return {
    /** The bytes of a group by its index. Where there is no room for it, the data moves to memory twice as large, which
     * is enough: where the count is not known, groups come in their order. */
    bytesOfGroup(group) {
      const end = (group + 1) * groupElements;
      if (end > data.length) {
        const larger = newData(dtype, 2 * data.length, undefined);
        larger.set(data);
        data = larger;
      }
      return bytesBetween(bytesOf(data), group * groupBytes, (group + 1) * groupBytes);
    },
    /** The elements of the first groups, as many as `groups`, without the room behind them. */
    dataOfFirst(groups) {
      const end = groups * groupElements;
      return end === data.length ? data : data.slice(0, end);
    },
  };
}

/** Copies a picture's pixels, because a stream may use their memory for the next frame.
 * @type {(picture: Picture) => Picture} */
const copiedPicture = ({ image, ...picture }) => ({ ...picture, image: { ...image, data: image.data.slice() } });

/** A group that lacks frames: those that are there, by their index in the group, and their number.
 * @typedef {{ pictures: Picture[], count: number }} OpenGroup */

/** Collects the frames of a video, which may come in any order, into groups of `groupFrames`. `add` takes a frame and
 * its index in the video, and calls `useGroup` with the index of its group and the frames of that when it is full.
 * @type {(groupFrames: number, useGroup: (group: number, pictures: Picture[]) => void) => {
 *   countOfGroup: (index: number) => number, add: (index: number, picture: Picture) => void }} */
function collectGroups(groupFrames, useGroup) {
  /** @type {Map<number, OpenGroup>} */
  const openGroups = new Map();
  return {
    /** How many frames there are so far in the group to which the frame of this index belongs. */
    countOfGroup(index) {
      const group = Math.floor(index / groupFrames);
      return openGroups.get(group)?.count ?? 0;
    },
    add(index, picture) {
      const group = Math.floor(index / groupFrames);
      const openGroup = openGroups.get(group) ?? { pictures: [], count: 0 };
      openGroup.pictures[index % groupFrames] = picture;
      openGroup.count += 1;
      if (openGroup.count < groupFrames) {
        openGroups.set(group, openGroup);
        return;
      }
      openGroups.delete(group);
      useGroup(group, openGroup.pictures);
    },
  };
}

/** Makes a writer that collects the frames of a video into groups of `groupFrames` and writes each group when it has
 * all of its frames. `put` takes a frame and its index in the video, `close` ends the video.
 * @type {(call: VideoCall, layout: FrameLayout, shape: VideoShape) => VideoWriter} */
export function writeGroups(call, layout, shape) {
  const { numbers, groupElements, groupFrames = 1, frameMultiple = groupFrames, write } = layout;
  const { frames: knownFrames, isStream } = shape;
  const knownGroups = knownFrames && multipleAbove(knownFrames, frameMultiple) / groupFrames;
  const memory = groupMemory(call, numbers.dtype, groupElements, knownGroups);
  const { countOfGroup, add } = collectGroups(groupFrames, (group, pictures) =>
    write(pictures, memory.bytesOfGroup(group)),
  );
  // The last frame, while it may have to be repeated.
  let last = /** @type {Picture | undefined} */ (undefined);
  let frames = 0;
  return {
    plan: knownFrames && knownGroups ? { shape, layout, frames: knownFrames, groups: knownGroups } : undefined,
    /** Takes a frame, and copies its pixels if they are needed later but belong to a stream. */
    put(index, picture) {
      const end = index + 1;
      // Where the number of frames is not known, any may be the last one.
      const mayBeLast = end > frames && end >= (knownFrames ?? 0);
      const mayBeRepeated = mayBeLast && end % frameMultiple > 0;
      // A frame that completes its group is written at once, so its pixels need not be copied.
      const completesGroup = countOfGroup(index) === groupFrames - 1;
      const stored = isStream && (mayBeRepeated || !completesGroup) ? copiedPicture(picture) : picture;
      add(index, stored);
      if (index < frames) return;
      frames = end;
      // Steps of a repeated frame are not reported again.
      last = mayBeRepeated ? { ...stored, onStep: undefined } : undefined;
    },
    /** Repeats the last frame until the number of frames is a multiple of `frameMultiple`; gives the written video. */
    close() {
      const end = multipleAbove(frames, frameMultiple);
      for (let index = frames; index < end; index++) add(index, /** @type {Picture} */ (last));
      const groups = end / groupFrames;
      return { shape, layout, frames, groups, data: memory.dataOfFirst(groups) };
    },
  };
}

/** @typedef {Omit<WrittenVideo, 'data'>} VideoPlan */

/** Whether videos whose frames are planes fit one tensor: frames of one size, and as many of them unless shorter videos
 * are padded.
 * @type {(videos: readonly VideoPlan[]) => boolean} */
export function fitOneTensor(videos) {
  const [first] = videos;
  return videos.every(({ groups, layout: { rows, columns, isPadded } }) => {
    const haveFirstSize = rows === first.layout.rows && columns === first.layout.columns;
    return haveFirstSize && (isPadded || groups === first.groups);
  });
}

/** Refuses the caller's tensor for videos of planes that differ in size or length: without it they become a list of
 * tensors. Videos of patches always fit one.
 * @type {(videos: readonly VideoPlan[], callerOut: VideoCall['callerOut']) => void} */
function checkFitOut(videos, callerOut) {
  const arePlanes = videos[0].layout.rowDims === undefined;
  if (callerOut && arePlanes && !fitOneTensor(videos))
    rangeError(`${callerOut.argument} must be omitted where videos become tensors of several dims, got one`);
}

/** How all videos lie in one tensor, which they have to fit: its `dims`, and in `starts` the index of the element where
 * each video begins, with the end of the last one. Videos of planes have the dims [videos, groups of the longest,
 * planes of a group, rows, columns].
 * @type {(videos: readonly VideoPlan[]) => { dims: number[], starts: number[] }} */
function joinedLayout(videos) {
  const [{ layout }] = videos;
  if (layout.rowDims) return rowsLayout(videos, layout.rowDims);
  const longestGroups = largest(videos.map(({ groups }) => groups));
  const planes = 3 * (layout.groupFrames ?? 1);
  // Each video takes as many elements as the longest.
  const starts = Array.from({ length: videos.length + 1 }, (_, i) => i * longestGroups * layout.groupElements);
  return { dims: [videos.length, longestGroups, planes, layout.rows, layout.columns], starts };
}

/** How videos of patches lie in one tensor, whose rows have the dims `rowDims`: one video after the other.
 * @type {(videos: readonly VideoPlan[], rowDims: readonly number[]) => { dims: number[], starts: number[] }} */
function rowsLayout(videos, rowDims) {
  const starts = [0];
  for (const [i, { groups, layout }] of videos.entries()) starts.push(starts[i] + groups * layout.groupElements);
  const rows = starts[videos.length] / countOf(rowDims);
  return { dims: [rows, ...rowDims], starts };
}

/** The memory for an output of this dtype and these dims: that of the caller's `out`, which is refused if it has
 * others, or new memory.
 * @type {(call: VideoCall, dtype: DType, dims: readonly number[]) => TensorData} */
export function outputData({ callerOut }, dtype, dims) {
  if (!callerOut) return newData(dtype, countOf(dims), undefined);
  const out = readOut(callerOut.argument, callerOut.tensor, dtype, [...dims]);
  checkLength(out);
  return out.data;
}

/** Checks the dtype and dims of the caller's tensor before anything is written, if the numbers of frames of all videos
 * are known, so that each writer has a plan.
 * @type {(call: VideoCall, writers: readonly VideoWriter<unknown>[]) => void} */
export function checkCallerOut(call, writers) {
  const plans = writers.flatMap(({ plan }) => plan ?? []);
  const areAllKnown = plans.length === writers.length;
  if (!call.callerOut || !areAllKnown) return;
  const dtype = call.dtype ?? dtypeOfVideos(plans);
  checkFitOut(plans, call.callerOut);
  outputData(call, dtype, joinedLayout(plans).dims);
}

/** The type of the numbers of a call's videos, which all have the first one's.
 * @type {(videos: readonly VideoPlan[]) => DType} */
export const dtypeOfVideos = ([{ layout }]) => layout.numbers.dtype;

/** Joins the numbers of all videos to one tensor, in the caller's `out` if there is one. Videos of planes that are
 * shorter than the longest are filled up with zeros. A single video without `out` is not copied.
 * @type {(call: VideoCall, videos: readonly WrittenVideo[]) => Tensor} */
export function videosTensor(call, videos) {
  const dtype = dtypeOfVideos(videos);
  checkFitOut(videos, call.callerOut);
  const { dims, starts } = joinedLayout(videos);
  const isJoined = call.callerOut || videos.length > 1;
  const data = isJoined ? outputData(call, dtype, dims) : videos[0].data;
  // Videos that were written to `out` at once lie in it without gaps. Each moves to its start, the last one first, so
  // that none is overwritten before it has moved.
  for (let i = videos.length - 1; i >= 0; i--) {
    const source = videos[i].data;
    const target = data.subarray(starts[i], starts[i + 1]);
    const isInPlace = source.buffer === target.buffer && source.byteOffset === target.byteOffset;
    if (!isInPlace) bytesOf(target).set(bytesOf(source));
    target.fill(0, source.length);
  }
  return tensorOf(dtype, data, dims);
}

/** Returns the number of frames of a video, on which sizes depend. Refuses a stream of unknown length, and a video of
 * fewer than `least` frames.
 * @type {(shape: VideoShape, least?: number) => number} */
export function requireFrameCount({ argument, frames }, least = 1) {
  if (frames === undefined)
    rangeError(`${argument} must have a total_num_frames in video_metadata, on which sizes depend, got undefined`);
  if (frames < least) rangeError(`${argument} must have at least ${least} frames here, got ${frames}`);
  return frames;
}
