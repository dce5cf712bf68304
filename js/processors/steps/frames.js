/** The frames of pictures: rectangles of one size in the result, each with its picture at a place in it. */
import { largest, rangeError } from '../../arguments/index.js';
import { both, exactSize, multipleAbove, sizeOf } from '../pictures/index.js';
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
export const batchFrames = (pictures, size) => equalFrames(pictures.map(sizeOf), size);

/** One frame for each picture, which lies at its top left: all as large as the largest width and the largest height or
 * as `padSize`, which no picture may exceed.
 * @type {(sizes: readonly Size[], padSize?: Size) => Rectangle[]} */
function equalFrames(sizes, padSize) {
  const width = padSize?.width ?? largest(sizes.map((size) => size.width));
  const height = padSize?.height ?? largest(sizes.map((size) => size.height));
  for (const size of sizes)
    if (size.width > width || size.height > height)
      rangeError(`pad_size must be at least ${size.width} x ${size.height}, got ${width} x ${height}`);
  return sizes.map(() => ({ x: 0, y: 0, width, height }));
}

/** The setting `pad_size` as a size; undefined without it. @type {(call: Call) => Size | undefined} */
const padSizeOf = ({ settings: { pad_size: size } }) => size && exactSize(size, 'pad_size');

/** The frames of pictures at their top left: with `do_pad` all of `pad_size`, or else as large as the largest; without
 * it each of its picture's size. */
export const framesByPadSize = withSettings(['do_pad', 'pad_size'], (call, pictures) =>
  framesOfSizes(call, pictures.map(sizeOf)),
);

/** The frames of `framesByPadSize`, for pictures of some sizes.
 * @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
export const framesOfSizes = (call, sizes) =>
  call.settings.do_pad ? equalFrames(sizes, padSizeOf(call)) : sizes.map((size) => ({ x: 0, y: 0, ...size }));

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
    const inner = sizeOf(picture);
    const { width, height } = both(inner, (extent) => multipleAbove(extent, divisor));
    return { x: Math.floor((width - inner.width) / 2), y: Math.floor((height - inner.height) / 2), width, height };
  }),
);
