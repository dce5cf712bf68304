/** Video processors that are the chain of an image processor, frame by frame. */
import { largest } from '../../arguments/index.js';
import { normalizing, numbersOf } from '../../image/internal.js';
import { dtypes, newData, sizeOf as countOf, tensorOf } from '../../tensor/index.js';
import { blankPicture, edgeOf, exactSize, maxIdeficsSide, sizeOf, square, writePlanes } from '../pictures/index.js';
import { centerCrop, ownFrame, reportNumbers, resize, resizeTo, sizesTensor, usualNumbers } from '../steps/index.js';
import { dtypeOfVideos, fitOneTensor, videosTensor, writeGroups } from './written-frames.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, ClassOutputs, FrameLayout, Numbers, Picture, Size } from './types.js' */
/** @import { VideoCall, VideoRule, WrittenVideo } from './types.js' */

/** Resizes a picture and crops its middle, each where its flag is on.
 * @type {(call: Call, picture: Picture) => Picture} */
const resizedAndCropped = (call, picture) => centerCrop(call, resize(call, picture));

/** Says how frames are written: each as planes [3, height, width], one a color, after `resizeFrame`, which makes it a
 * picture of `size`. `numbers`: the rule that turns bytes into numbers, and their dtype
 * @type {(numbers: Numbers, size: Size, resizeFrame: (picture: Picture) => Picture) => FrameLayout} */
function planesLayout(numbers, size, resizeFrame) {
  return {
    numbers,
    groupElements: 3 * size.width * size.height,
    rows: size.height,
    columns: size.width,
    /** Writes the planes of a frame, which is the only one of its group. */
    write([frame], destination) {
      const picture = resizeFrame(frame);
      reportNumbers(picture, numbers);
      writePlanes(picture, numbers, ownFrame(picture), destination);
    },
  };
}

/** Makes the output `outputName` of videos of planes: one tensor [videos, frames, 3, height, width] or, where sizes or
 * numbers of frames differ, a list of tensors without the first dim. A caller's `out` asks for one tensor, and is
 * refused where that is not possible.
 * @type {(call: VideoCall, videos: readonly WrittenVideo[], outputName?: string) => ClassOutputs} */
function planesOutput(call, videos, outputName = 'pixel_values_videos') {
  if (call.callerOut || fitOneTensor(videos)) return { [outputName]: videosTensor(call, videos) };
  const dtype = dtypeOfVideos(videos);
  const dims = videos.map(({ frames, layout: { rows, columns } }) => [frames, 3, rows, columns]);
  return { [outputName]: videos.map(({ data }, i) => tensorOf(dtype, data, dims[i])) };
}

/**
 * How a class of videos differs from one that resizes, crops and normalizes frames.
 * @typedef {object} VideoChain
 * @property {'pixel_values'} [outputName] 'pixel_values_videos' if omitted
 * @property {(call: Call) => Numbers} [numbers] the rule that turns bytes into numbers; the usual one if omitted
 * @property {(videos: WrittenVideo[], call: Call) => ClassOutputs} [extraOutputs] those other than the frames
 * @property {boolean} [isPadded] whether videos are filled up to the longest
 */

/** The rule of a video class that resizes, crops and normalizes each frame, as an image processor does.
 * @type {(rules?: VideoChain) => VideoRule} */
export const videoChain = ({ outputName, numbers = usualNumbers, extraOutputs = () => ({}), isPadded } = {}) => ({
  outputName,
  reads: [...resize.reads, ...centerCrop.reads, ...usualNumbers.reads],
  /** Begins a video. The size of its frames after the steps is found with a picture without pixels. */
  open(call, shape) {
    const size = sizeOf(resizedAndCropped(call, blankPicture(shape)));
    const layout = planesLayout(numbers(call), size, (frame) => resizedAndCropped(call, frame));
    return writeGroups(call, { ...layout, isPadded }, shape);
  },
  outputs: (call, videos) => ({ ...planesOutput(call, videos, outputName), ...extraOutputs(videos, call) }),
});

/** ViViT's rule: frames are resized and cropped, and their numbers are rescaled, less 1, then normalized. */
export const videoVivit = videoChain({
  outputName: 'pixel_values',
  /** The rule of numbers: a byte times `rescale_factor`, less 1, then normalized, each step in float32. Without
   * `do_rescale` 1 is not taken away either. */
  numbers({ backend, dtype, settings }) {
    const factor = settings.do_rescale ? settings.rescale_factor : undefined;
    const then = [];
    if (factor !== undefined) then.push((/** @type {number} */ value) => value - 1);
    if (settings.do_normalize) then.push(normalizing(settings.image_mean, settings.image_std));
    return numbersOf(backend, { factor }, { dtype, then });
  },
});

/** SAM 2's rule: a chain that also gives the sizes of frames before and after. */
export const videoSam2 = videoChain({
  /** [height, width] of each video's frames as they came, and of the size that all are resized to. */
  extraOutputs: (videos, { settings }) => {
    const resizedSize = exactSize(settings.size);
    return {
      original_sizes: sizesTensor(videos.map(({ shape }) => shape)),
      reshaped_input_sizes: sizesTensor(videos.map(() => resizedSize)),
    };
  },
});

/** PE-Video's rule: videos are padded to the longest, with a mask if lengths differ. */
export const videoPe = videoChain({
  isPadded: true,
  /** The mask [videos, frames of the longest], 1 for frames that a video has. None where no video was padded, or where
   * sizes differ, so that the output is a list.
   * @type {(videos: WrittenVideo[]) => ClassOutputs} */
  extraOutputs(videos) {
    const longest = largest(videos.map(({ frames }) => frames));
    const haveEqualLength = videos.every(({ frames }) => frames === longest);
    if (!fitOneTensor(videos) || haveEqualLength) return {};
    const mask = newData(dtypes.bool, videos.length * longest, undefined);
    videos.forEach(({ frames }, i) => mask.fill(1, i * longest, i * longest + frames));
    return { padding_mask_videos: tensorOf(dtypes.bool, mask, [videos.length, longest]) };
  },
});

/** SmolVLM's size of a frame in its ratio: the longer side becomes `longest`, at most `maxIdeficsSide` pixels, and the
 * other one is truncated and then, if it is odd, made larger by 1.
 * @type {(size: Size, longest: number) => Size} */
function evenFrameSize({ width, height }, longest) {
  const longerSide = Math.min(maxIdeficsSide, longest);
  const ratio = width / height;
  /** @type {(extent: number) => number} */
  const truncatedToEven = (extent) => {
    const truncated = Math.trunc(extent);
    return Math.max(truncated + (truncated % 2), 1);
  };
  return width >= height
    ? { width: longerSide, height: truncatedToEven(longerSide / ratio) }
    : { width: truncatedToEven(longerSide * ratio), height: longerSide };
}

/** SmolVLM's rule: frames are resized to `size`, then to a square, and padded with a mask of ones that covers missing
 * frames too. */
export const videoSmolVlm = /** @type {VideoRule} */ ({
  outputName: 'pixel_values',
  reads: [...resize.reads, ...usualNumbers.reads, 'max_image_size', 'video_sampling', 'do_pad'],
  /** Begins a video. As in Python, each frame is resized twice: to `size`, then to a square of `max_image_size`. */
  open(call, shape) {
    const { settings } = call;
    const squareSize = square(edgeOf(settings.max_image_size, 'longest_edge', 'max_image_size'));
    const { do_pad: isPadded } = settings;
    const numbers = usualNumbers(call);
    if (!settings.do_resize) {
      const layout = planesLayout(numbers, shape, (frame) => frame);
      return writeGroups(call, { ...layout, isPadded }, shape);
    }
    const longest = settings.size?.longest_edge;
    const firstSize = longest === undefined ? exactSize(settings.size) : evenFrameSize(shape, longest);
    /** @type {(frame: Picture) => Picture} */
    const resizedTwice = (frame) => resizeTo(call, resizeTo(call, frame, firstSize), squareSize);
    const layout = planesLayout(numbers, squareSize, resizedTwice);
    return writeGroups(call, { ...layout, isPadded }, shape);
  },
  /** The videos, filled up to the longest and largest with `do_pad`, and then a mask [videos, frames, height, width]
   * that is 1 for pixels in the size of a video's frames, also in the frames that it lacks, as in Python. */
  outputs(call, videos) {
    if (!call.settings.do_pad) return planesOutput(call, videos, 'pixel_values');
    const values = call.callerOut || fitOneTensor(videos) ? videosTensor(call, videos) : framesOfLargest(videos);
    const [count, longest, , rows, columns] = values.dims;
    const mask = newData(dtypes.int64, count * longest * rows * columns, undefined);
    videos.forEach(({ layout }, i) => {
      const firstFrame = i * longest;
      for (let frame = firstFrame; frame < firstFrame + longest; frame++)
        for (let row = 0; row < layout.rows; row++) {
          const rowStart = (frame * rows + row) * columns;
          mask.fill(1n, rowStart, rowStart + layout.columns);
        }
    });
    return {
      pixel_values: values,
      pixel_attention_mask: tensorOf(dtypes.int64, mask, [count, longest, rows, columns]),
    };
  },
});

/** Joins videos of planes of several sizes and lengths to one tensor [videos, frames, 3, height, width], which is as
 * large as the longest video, the highest frame and the widest frame. Zeros lie on the right of frames, below them and
 * after the last one.
 * @type {(videos: readonly WrittenVideo[]) => Tensor} */
function framesOfLargest(videos) {
  const dtype = dtypeOfVideos(videos);
  const longest = largest(videos.map(({ frames }) => frames));
  const rows = largest(videos.map(({ layout }) => layout.rows));
  const columns = largest(videos.map(({ layout }) => layout.columns));
  const dims = [videos.length, longest, 3, rows, columns];
  const data = newData(dtype, countOf(dims), undefined);
  videos.forEach(({ frames, layout, data: video }, i) => {
    const colors = 3;
    const firstPlane = i * longest * colors;
    const planes = frames * colors;
    for (let plane = 0; plane < planes; plane++)
      for (let row = 0; row < layout.rows; row++) {
        const source = (plane * layout.rows + row) * layout.columns;
        const target = ((firstPlane + plane) * rows + row) * columns;
        data.set(video.subarray(source, source + layout.columns), target);
      }
  });
  return tensorOf(dtype, data, dims);
}
