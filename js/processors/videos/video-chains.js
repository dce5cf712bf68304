/** Video processors that are the chain of an image processor, frame by frame. */
import { normalizing, numbersOf } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { blankPicture, sizeOf, writePicture } from '../picture.js';
import { ownFrame, reportNumbers, sizesTensor, usualNumbers } from '../results.js';
import { edgeOf, exactSize, square } from '../sizes.js';
import { centerCrop, resize, resizeTo } from '../steps.js';
import { dtypeOfVideos, joined, writeGroups } from './written-frames.js';

/** @import { Call, Numbers, Outputs, Picture, Size } from '../types.js' */
/** @import { FrameLayout, VideoRule, WrittenVideo } from './types.js' */

/** @type {(call: Call, picture: Picture) => Picture} */
const resizedAndCropped = (call, picture) => centerCrop(call, resize(call, picture));

/** @type {(numbers: Numbers, size: Size, step: (picture: Picture) => Picture) => FrameLayout} Frames as planes. */
function planesLayout(numbers, size, step) {
  return {
    numbers,
    length: 3 * size.width * size.height,
    rows: size.height,
    columns: size.width,
    write([frame], destination) {
      const picture = step(frame);
      reportNumbers(picture, numbers);
      writePicture(picture, numbers, ownFrame(picture), true, destination);
    },
  };
}

/** @type {(video: WrittenVideo) => number[]} */
const dimsOf = ({ frames, layout: { rows, columns } }) => [frames, 3, rows, columns];

/** @type {(videos: readonly WrittenVideo[], name: string) => any} One tensor, or a list where sizes differ. */
function planesOutput(videos, name) {
  const dims = videos.map(dimsOf);
  const dtype = dtypeOfVideos(videos);
  if (dims.some((own) => String(own) !== String(dims[0])))
    return { [name]: videos.map(({ data }, i) => tensorOf(dtype, data, dims[i])) };
  return { [name]: tensorOf(dtype, joined(videos), [videos.length, ...dims[0]]) };
}

/** @type {(how?: { name?: string, numbers?: (call: Call) => Numbers, extraOutputs?: (videos: WrittenVideo[], call:
 *   Call) => Outputs, planes?: typeof planesOutput }) => VideoRule} */
export const videoChain = ({
  name = 'pixel_values_videos',
  numbers = usualNumbers,
  extraOutputs = () => ({}),
  planes = planesOutput,
} = {}) => ({
  reads: [...resize.reads, ...centerCrop.reads, ...usualNumbers.reads],
  open(call, shape) {
    const size = sizeOf(resizedAndCropped(call, blankPicture(shape)));
    return writeGroups(
      planesLayout(numbers(call), size, (frame) => resizedAndCropped(call, frame)),
      shape,
    );
  },
  outputs: (call, videos) => ({ ...planes(videos, name), ...extraOutputs(videos, call) }),
});

/** ViViT: rescaled less 1, then normalized, each step rounded. */
export const videoVivit = videoChain({
  name: 'pixel_values',
  numbers({ backend, dtype, settings }) {
    const factor = settings.do_rescale ? settings.rescale_factor : undefined;
    const then = [
      ...(factor === undefined ? [] : [(/** @type {number} */ value) => value - 1]),
      ...(settings.do_normalize ? [normalizing(settings.image_mean, settings.image_std)] : []),
    ];
    return numbersOf(backend, { factor }, { dtype, then });
  },
});

/** SAM 2: the sizes of the frames before and after. */
export const videoSam2 = videoChain({
  extraOutputs: (videos, { settings }) => {
    const to = exactSize(settings.size);
    return {
      original_sizes: sizesTensor(videos.map(({ shape }) => shape)),
      reshaped_input_sizes: sizesTensor(videos.map(() => to)),
    };
  },
});

/** Videos as long as the longest, with zeros.
 * @type {(videos: readonly WrittenVideo[]) => { longest: number, data: any }} */
function padded(videos) {
  const longest = Math.max(...videos.map(({ frames }) => frames));
  if (videos.every(({ frames }) => frames === longest)) return { longest, data: joined(videos) };
  const { length } = videos[0].layout;
  const data = newData(dtypeOfVideos(videos), videos.length * longest * length, undefined);
  videos.forEach((video, i) => data.set(video.data, i * longest * length));
  return { longest, data };
}

/** PE-Video: up to the longest video, with a mask where lengths differ. */
export const videoPe = videoChain({
  planes(videos, name) {
    const isEven = videos.every(
      ({ layout }) => layout.rows === videos[0].layout.rows && layout.columns === videos[0].layout.columns,
    );
    if (!isEven) return planesOutput(videos, name);
    const { longest, data } = padded(videos);
    const dims = [videos.length, longest, ...dimsOf(videos[0]).slice(1)];
    const output = { [name]: tensorOf(dtypeOfVideos(videos), data, dims) };
    if (videos.every(({ frames }) => frames === longest)) return output;
    const mask = newData(dtypes.bool, videos.length * longest, undefined);
    videos.forEach(({ frames }, i) => mask.fill(1, i * longest, i * longest + frames));
    return { ...output, padding_mask_videos: tensorOf(dtypes.bool, mask, [videos.length, longest]) };
  },
});

/** @type {(size: Size, longest: number) => Size} The longer side becomes `longest`, the other one even. */
function evenFrameSize({ width, height }, longest) {
  const long = Math.min(4096, longest);
  const ratio = width / height;
  if (width >= height) {
    const other = Math.trunc(long / ratio);
    return { width: long, height: Math.max(other + (other % 2), 1) };
  }
  const other = Math.trunc(long * ratio);
  return { width: Math.max(other + (other % 2), 1), height: long };
}

/** SmolVLM: resized to its size, then to a square; a mask of ones, for frames that are missing too. */
export const videoSmolVlm = /** @type {VideoRule} */ ({
  reads: [...resize.reads, ...usualNumbers.reads, 'max_image_size', 'video_sampling', 'do_pad'],
  open(call, shape) {
    const { settings } = call;
    const side = edgeOf(settings.max_image_size, 'longest_edge', 'max_image_size');
    const longest = settings.size?.longest_edge;
    const first = longest === undefined ? exactSize(settings.size) : evenFrameSize(shape, longest);
    /** @type {(frame: Picture) => Picture} */
    const resized = (frame) => resizeTo(call, resizeTo(call, frame, first), square(side));
    const numbers = usualNumbers(call);
    return writeGroups(
      planesLayout(numbers, square(side), (frame) => resized(frame)),
      shape,
    );
  },
  outputs(_, videos) {
    const { longest, data } = padded(videos);
    const { rows, columns } = videos[0].layout;
    const count = videos.length * longest * rows * columns;
    const mask = newData(dtypes.int64, count, undefined).fill(1n);
    return {
      pixel_values: tensorOf(dtypeOfVideos(videos), data, [videos.length, longest, 3, rows, columns]),
      pixel_attention_mask: tensorOf(dtypes.int64, mask, [videos.length, longest, rows, columns]),
    };
  },
});
