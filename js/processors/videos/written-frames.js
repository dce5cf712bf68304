/** Frames that are written one by one, in groups of equal length: in memory that grows where nobody knows how many. */
import { bytesBetween, bytesOf, rangeError } from '../../arguments/index.js';
import { newData, tensorOf } from '../../tensor/index.js';
import { multipleAbove } from '../sizes.js';

/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { Picture } from '../types.js' */
/** @import { FrameLayout, VideoShape, VideoWriter, WrittenVideo } from './types.js' */

/** Memory of groups of `length` elements: of `count` of them, or growing.
 * @type {(dtype: DType, length: number, count: number | undefined) => { at: (group: number) => Uint8Array,
 *   close: (count: number) => any }} */
function groupMemory(dtype, length, count) {
  let data = newData(dtype, length * (count ?? 8), undefined);
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
    close: (made) => (made * length === data.length ? data : data.slice(0, made * length)),
  };
}

/** @type {(picture: Picture) => Picture} with pixels of its own: a stream may use its memory for the next frame */
const keptPicture = ({ image, ...picture }) => ({ ...picture, image: { ...image, data: image.data.slice() } });

/** @type {(pictures: readonly Picture[]) => number} Holes do not count. */
const countOf = (pictures) => pictures.flat().length;

/** @type {(layout: FrameLayout, shape: VideoShape) => VideoWriter} */
export function writeGroups(layout, shape) {
  const { numbers, length, group = 1, multiple = group, write } = layout;
  const { frames: known, isStream } = shape;
  const memory = groupMemory(numbers.dtype, length, known && multipleAbove(known, multiple) / group);
  /** @type {Map<number, Picture[]>} groups that lack frames */
  const open = new Map();
  /** @type {Picture | undefined} */
  let last;
  let frames = 0;
  /** @type {(place: number, picture: Picture) => void} */
  const writeAt = (place, picture) => {
    const index = Math.floor(place / group);
    const own = open.get(index) ?? [];
    own[place % group] = picture;
    open.set(index, own);
    if (countOf(own) < group) return;
    open.delete(index);
    write(own, memory.at(index));
  };
  return {
    put(place, picture) {
      // A known number of frames says which one is the last.
      const isRepeated = place >= frames && place + 1 >= (known ?? 0) && (place + 1) % multiple > 0;
      const isWhole = countOf(open.get(Math.floor(place / group)) ?? []) === group - 1;
      const own = isStream && (isRepeated || !isWhole) ? keptPicture(picture) : picture;
      writeAt(place, own);
      if (place < frames) return;
      frames = place + 1;
      last = isRepeated ? { ...own, onStep: undefined } : undefined;
    },
    close() {
      const whole = multipleAbove(frames, multiple);
      for (let place = frames; place < whole; place++) writeAt(place, /** @type {Picture} */ (last));
      const groups = whole / group;
      return { shape, layout, frames, groups, data: memory.close(groups) };
    },
  };
}

/** @type {(videos: readonly { data: any }[]) => any} The numbers of all videos, one video after the other. */
export function joined(videos) {
  if (videos.length === 1) return videos[0].data;
  const length = videos.reduce((sum, { data }) => sum + data.length, 0);
  const all = new videos[0].data.constructor(length);
  let done = 0;
  for (const { data } of videos) {
    all.set(data, done);
    done += data.length;
  }
  return all;
}

/** @type {(videos: readonly WrittenVideo[]) => DType} */
export const dtypeOfVideos = ([{ layout }]) => layout.numbers.dtype;

/** @type {(videos: readonly WrittenVideo[], row: readonly number[]) => Tensor} Groups of all videos as rows. */
export function rowsTensor(videos, row) {
  const data = joined(videos);
  return tensorOf(dtypeOfVideos(videos), data, [data.length / row.reduce((size, extent) => size * extent, 1), ...row]);
}

/** @type {(shape: VideoShape, least?: number) => number} The number of frames, which has to be known and enough. */
export function knownFrames({ argument, frames }, least = 1) {
  if (frames === undefined)
    rangeError(`${argument} must have a total_num_frames in video_metadata, on which sizes depend, got undefined`);
  if (frames < least) rangeError(`${argument} must have at least ${least} frames here, got ${frames}`);
  return frames;
}
