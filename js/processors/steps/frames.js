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

/** The size that all frames have. Refuses frames that differ from the first, by the number of their image.
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

/** @type {(pictures: readonly Picture[], size?: Size) => Rectangle[]} */
export const batchFrames = (pictures, size) => equalFrames(pictures.map(sizeOf), size);

/** Frames of one size with each picture at the top left: the largest width and height, or `padSize`, which no picture
 * may exceed.
 * @type {(sizes: readonly Size[], padSize?: Size) => Rectangle[]} */
function equalFrames(sizes, padSize) {
  const width = padSize?.width ?? largest(sizes.map((size) => size.width));
  const height = padSize?.height ?? largest(sizes.map((size) => size.height));
  for (const size of sizes)
    if (size.width > width || size.height > height)
      rangeError(`pad_size must be at least ${size.width} x ${size.height}, got ${width} x ${height}`);
  return sizes.map(() => ({ x: 0, y: 0, width, height }));
}

/** @type {(call: Call) => Size | undefined} */
const padSizeOf = ({ settings: { pad_size: size } }) => size && exactSize(size, 'pad_size');

/** The frames of pictures at their top left: with `do_pad` all of `pad_size`, or else as large as the largest; without
 * it each of its picture's size. */
export const framesByPadSize = withSettings(['do_pad', 'pad_size'], (call, pictures) =>
  framesOfSizes(call, pictures.map(sizeOf)),
);

/** @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
export const framesOfSizes = (call, sizes) =>
  call.settings.do_pad ? equalFrames(sizes, padSizeOf(call)) : sizes.map((size) => ({ x: 0, y: 0, ...size }));

/** As Pixtral has them. */
export const framesByBatch = withSettings(['do_pad'], (call, pictures) =>
  call.settings.do_pad ? batchFrames(pictures) : pictures.map(ownFrame),
);

/** As MaskFormer has them, whatever `do_pad` says. */
export const framesOfBatch = withSettings(['pad_size'], (call, pictures) => batchFrames(pictures, padSizeOf(call)));

/** As Emu 3 has them. */
export const framesOfLargest = withSettings([], (_, pictures) => batchFrames(pictures));

/** As DPT has them: multiples of `size_divisor` with the picture in the middle, the odd pixel on the right and
 * below. */
export const framesByDivisor = withSettings(['do_pad', 'size_divisor'], (call, pictures) =>
  pictures.map((picture) => {
    const { do_pad: pads, size_divisor: divisor } = call.settings;
    if (!pads || divisor === undefined) return ownFrame(picture);
    const inner = sizeOf(picture);
    const { width, height } = both(inner, (extent) => multipleAbove(extent, divisor));
    return { x: Math.floor((width - inner.width) / 2), y: Math.floor((height - inner.height) / 2), width, height };
  }),
);
