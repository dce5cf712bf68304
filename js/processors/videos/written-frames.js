/** Frames that are written one by one, in groups of equal length: in memory that grows where nobody knows how many. */
import { bytesBetween, bytesOf, largest, rangeError } from '../../arguments/index.js';
import { checkLength, newData, readOut, sizeOf as countOf, tensorOf } from '../../tensor/index.js';
import { multipleAbove } from '../pictures/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { TensorData } from '../../tensor/types.js' */
/** @import { FrameLayout, Picture, VideoCall, VideoShape, VideoWriter, WrittenVideo } from './types.js' */

/** The next part of the caller's memory, where it has room for a video; the result is compared with it later.
 * @type {(into: VideoCall['into'], dtype: DType, length: number) => TypedArray | undefined} */
function takePart(into, dtype, length) {
  if (into?.dtype !== dtype || into.taken + length > into.data.length) return undefined;
  return into.data.subarray(into.taken, (into.taken += length));
}

/** Memory of groups of `length` elements: of `count` of them, or growing.
 * @type {(call: VideoCall, dtype: DType, length: number, count: number | undefined) => { at: (group: number) =>
 *   Uint8Array, close: (count: number) => TypedArray }} */
function groupMemory({ into }, dtype, length, count) {
  /** @type {TypedArray} */
  let data = (count && takePart(into, dtype, length * count)) || newData(dtype, length * (count ?? 8), undefined);
  const groupBytes = (length * dtype.bits) / 8;
  return {
    at(group) {
      if ((group + 1) * length > data.length) {
        const larger = newData(dtype, 2 * data.length, undefined);
        larger.set(data);
        data = larger;
      }
      return bytesBetween(bytesOf(data), group * groupBytes, (group + 1) * groupBytes);
    },
    close: (groups) => (groups * length === data.length ? data : data.slice(0, groups * length)),
  };
}

/** @type {(picture: Picture) => Picture} with pixels of its own: a stream may use its memory for the next frame */
const keptPicture = ({ image, ...picture }) => ({ ...picture, image: { ...image, data: image.data.slice() } });

/** @typedef {{ pictures: Picture[], count: number }} OpenGroup a group that lacks frames */

/** @type {(call: VideoCall, layout: FrameLayout, shape: VideoShape) => VideoWriter} */
export function writeGroups(call, layout, shape) {
  const { numbers, length, group = 1, multiple = group, write } = layout;
  const { frames: known, isStream } = shape;
  const knownGroups = known && multipleAbove(known, multiple) / group;
  const memory = groupMemory(call, numbers.dtype, length, knownGroups);
  const open = /** @type {Map<number, OpenGroup>} */ (new Map());
  const groupAt = (/** @type {number} */ index) => open.get(index) ?? { pictures: [], count: 0 };
  /** @type {Picture | undefined} */
  let last;
  let frames = 0;
  /** @type {(place: number, picture: Picture) => void} */
  const writeAt = (place, picture) => {
    const index = Math.floor(place / group);
    const openGroup = groupAt(index);
    openGroup.pictures[place % group] = picture;
    open.set(index, openGroup);
    if (++openGroup.count < group) return;
    open.delete(index);
    write(openGroup.pictures, memory.at(index));
  };
  return {
    plan: known && knownGroups ? { shape, layout, frames: known, groups: knownGroups } : undefined,
    put(place, picture) {
      // A known number of frames says which one is the last.
      const isRepeated = place >= frames && place + 1 >= (known ?? 0) && (place + 1) % multiple > 0;
      const isWhole = groupAt(Math.floor(place / group)).count === group - 1;
      const stored = isStream && (isRepeated || !isWhole) ? keptPicture(picture) : picture;
      writeAt(place, stored);
      if (place < frames) return;
      frames = place + 1;
      last = isRepeated ? { ...stored, onStep: undefined } : undefined;
    },
    close() {
      const end = multipleAbove(frames, multiple);
      for (let place = frames; place < end; place++) writeAt(place, /** @type {Picture} */ (last));
      const groups = end / group;
      return { shape, layout, frames, groups, data: memory.close(groups) };
    },
  };
}

/** @typedef {Omit<WrittenVideo, 'data'>} VideoPlan */

/** @type {(videos: readonly VideoPlan[]) => boolean} Whether frames as planes become one tensor. */
export const isEven = (videos) =>
  videos.every(({ groups, layout: { rows, columns, isPadded } }, _, [first]) => {
    const isAlike = rows === first.layout.rows && columns === first.layout.columns;
    return isAlike && (isPadded || groups === first.groups);
  });

/** The dims of the tensor of all videos, and where each video begins in it: rows one after the other, or groups of
 * frames as planes, in videos that are as long as the longest.
 * @type {(videos: readonly VideoPlan[], into: VideoCall['into']) => { dims: number[], starts: number[] }} */
function placesOf(videos, into) {
  const [{ layout }] = videos;
  const longest = largest(videos.map(({ groups }) => groups)) * layout.length;
  const starts = [0];
  for (const [i, { groups, layout: videoLayout }] of videos.entries())
    starts.push(starts[i] + (layout.row ? groups * videoLayout.length : longest));
  const total = starts[videos.length];
  if (layout.row) return { dims: [total / countOf(layout.row), ...layout.row], starts };
  if (into && !isEven(videos))
    rangeError(`${into.argument} must be omitted where videos become tensors of several dims, got one`);
  const planes = 3 * (layout.group ?? 1);
  return { dims: [videos.length, longest / layout.length, planes, layout.rows, layout.columns], starts };
}

/** @type {(call: VideoCall, dtype: DType, dims: readonly number[]) => TensorData} The caller's data, or new data. */
export function outputData({ into }, dtype, dims) {
  if (!into) return newData(dtype, countOf(dims), undefined);
  const out = readOut(into.argument, into.out, dtype, [...dims]);
  checkLength(out);
  return out.data;
}

/** Checks the caller's tensor before anything is written, where the sizes of all videos are known.
 * @type {(call: VideoCall, writers: readonly VideoWriter<unknown>[]) => void} */
export function checkInto(call, writers) {
  const plans = writers.flatMap(({ plan }) => plan ?? []);
  if (call.into && plans.length === writers.length)
    outputData(call, call.dtype ?? dtypeOfVideos(plans), placesOf(plans, call.into).dims);
}

/** @type {(videos: readonly VideoPlan[]) => DType} */
export const dtypeOfVideos = ([{ layout }]) => layout.numbers.dtype;

/** The numbers of all videos as one tensor: the caller's, where the call has one.
 * @type {(call: VideoCall, videos: readonly WrittenVideo[]) => Tensor} */
export function videosTensor(call, videos) {
  const dtype = dtypeOfVideos(videos);
  const { dims, starts } = placesOf(videos, call.into);
  const data = call.into || videos.length > 1 ? outputData(call, dtype, dims) : videos[0].data;
  // From the last on: parts that lie in `data` already may move to make room for zeros.
  for (let i = videos.length - 1; i >= 0; i--) {
    const source = videos[i].data;
    const at = data.subarray(starts[i], starts[i + 1]);
    if (source.buffer !== at.buffer || source.byteOffset !== at.byteOffset) bytesOf(at).set(bytesOf(source));
    at.fill(0, source.length);
  }
  return tensorOf(dtype, data, dims);
}

/** @type {(shape: VideoShape, least?: number) => number} The number of frames, which has to be known and enough. */
export function knownFrames({ argument, frames }, least = 1) {
  if (frames === undefined)
    rangeError(`${argument} must have a total_num_frames in video_metadata, on which sizes depend, got undefined`);
  if (frames < least) rangeError(`${argument} must have at least ${least} frames here, got ${frames}`);
  return frames;
}
