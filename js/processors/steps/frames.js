/** The frames of pictures: rectangles of one size in the result, each with its picture at a place in it. */
import { largest, rangeError } from '../../arguments/index.js';
import { exactSize, multipleAbove, sizeOf } from '../pictures/index.js';
import { withSettings } from './numbers.js';

/** @import { Call, Picture, Rectangle, Size } from '../types.js' */

/**
 * The place of a picture in a result of `width` x `height` pixels: its top left corner lies at `x`, `y`. `isMirrored`:
 * the rest is filled with the picture's mirror image, not with zeros.
 * @typedef {Rectangle & { isMirrored?: boolean }} Frame
 */

/** The width and height that all frames have; there is one at least. Refuses frames that differ from the first, by the
 * number of their image.
 * @type {(frames: readonly Size[]) => Size} */
export function commonFrame(frames) {
  const [{ width, height }] = frames;
  frames.forEach((frame, i) => {
    if (frame.width === width && frame.height === height) return;
    const wanted = `${width} x ${height} pixels as the first`;
    rangeError(`images[${i}] must become ${wanted}, got ${frame.width} x ${frame.height}`);
  });
  return { width, height };
}

/** The frame that a picture fills. @type {(picture: Picture) => Rectangle} */
export const ownFrame = (picture) => ({ x: 0, y: 0, ...sizeOf(picture) });

/** The frames of a batch: pictures at the top left, in the largest width and height or in `size`.
 * @type {(pictures: readonly Picture[], size?: Size) => Rectangle[]} */
export const batchFrames = (pictures, size) => commonFrames(pictures.map(sizeOf), size);

/** The frames for pictures of these sizes, which lie at their top left: all as large as the largest width and the
 * largest height or, where it is given, as `size` (the setting `pad_size`), which no picture may exceed.
 * @type {(sizes: readonly Size[], size?: Size) => Rectangle[]} */
function commonFrames(sizes, size) {
  const width = size?.width ?? largest(sizes.map((entry) => entry.width));
  const height = size?.height ?? largest(sizes.map((entry) => entry.height));
  for (const entry of sizes)
    if (entry.width > width || entry.height > height)
      rangeError(`pad_size must be at least ${entry.width} x ${entry.height}, got ${width} x ${height}`);
  return sizes.map(() => ({ x: 0, y: 0, width, height }));
}

/** The setting `pad_size` as a size; undefined without it. @type {(call: Call) => Size | undefined} */
const padSizeOf = ({ settings: { pad_size: size } }) => size && exactSize(size, 'pad_size');

/** The frames of pictures at their top left: all of `pad_size`, or else as large as the largest, with `do_pad`;
 * without, each of its picture's size. */
export const framesByPadSize = withSettings(['do_pad', 'pad_size'], (call, pictures) =>
  framesOfSizes(call, pictures.map(sizeOf)),
);

/** The frames of `framesByPadSize`, for pictures of some sizes.
 * @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
export const framesOfSizes = (call, sizes) =>
  call.settings.do_pad ? commonFrames(sizes, padSizeOf(call)) : sizes.map((size) => ({ x: 0, y: 0, ...size }));

/** The frames of the largest width and height with `do_pad`, as Pixtral has them. */
export const framesByBatch = withSettings(['do_pad'], (call, pictures) =>
  call.settings.do_pad ? batchFrames(pictures) : pictures.map(ownFrame),
);

/** The frames of `pad_size` or the largest width and height, whatever `do_pad` says, as MaskFormer has them. */
export const framesOfBatch = withSettings(['pad_size'], (call, pictures) => batchFrames(pictures, padSizeOf(call)));

/** The frames of the largest width and height, whatever the settings say, as Emu 3 has them. */
export const framesOfLargest = withSettings([], (_, pictures) => batchFrames(pictures));

/** The frames of multiples of `size_divisor` with the picture in the middle, the odd pixel on the right and at the
 * bottom, as DPT has them; each of its picture's size without `do_pad` or `size_divisor`. */
export const framesByDivisor = withSettings(['do_pad', 'size_divisor'], (call, pictures) =>
  pictures.map((picture) => {
    const { do_pad: pads, size_divisor: divisor } = call.settings;
    if (!pads || divisor === undefined) return ownFrame(picture);
    const pictureSize = sizeOf(picture);
    const [width, height] = [multipleAbove(pictureSize.width, divisor), multipleAbove(pictureSize.height, divisor)];
    return {
      x: Math.floor((width - pictureSize.width) / 2),
      y: Math.floor((height - pictureSize.height) / 2),
      width,
      height,
    };
  }),
);
