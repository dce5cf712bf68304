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

/** The rectangle of the result (frame) of a picture that has no border. @type {(picture: Picture) => Rectangle} */
export const ownFrame = (picture) => ({ x: 0, y: 0, ...sizeOf(picture) });

/** Gives each picture a rectangle of the result (frame), at whose top left it lies. All are as large as `padSize`, or
 * as the largest picture if that is omitted.
 * @type {(pictures: readonly Picture[], padSize?: Size) => Rectangle[]} */
export const batchFrames = (pictures, padSize) => equalFrames(pictures.map(sizeOf), padSize);

/** Gives each picture of these sizes a rectangle of the result (frame), at whose top left it lies. All are as large as
 * `padSize`, which no picture may exceed, or have the largest width and the largest height if that is omitted.
 * @type {(sizes: readonly Size[], padSize?: Size) => Rectangle[]} */
function equalFrames(sizes, padSize) {
  const width = padSize?.width ?? largest(sizes.map((size) => size.width));
  const height = padSize?.height ?? largest(sizes.map((size) => size.height));
  for (const size of sizes)
    if (size.width > width || size.height > height)
      rangeError(`pad_size must be at least ${size.width} x ${size.height}, got ${width} x ${height}`);
  return sizes.map(() => ({ x: 0, y: 0, width, height }));
}

/** The setting `pad_size`, undefined without it. @type {(call: Call) => Size | undefined} */
const padSizeOf = ({ settings: { pad_size: size } }) => size && exactSize(size, 'pad_size');

/** Gives each picture a rectangle of the result (frame), at whose top left it lies: with `do_pad` all of `pad_size`, or
 * else as large as the largest picture; without `do_pad` each as large as its own. */
export const framesByPadSize = withSettings(['do_pad', 'pad_size'], (call, pictures) =>
  framesOfSizes(call, pictures.map(sizeOf)),
);

/** Gives each picture of these sizes a rectangle of the result (frame), at whose top left it lies: with `do_pad` all of
 * `pad_size`, or else as large as the largest picture; without `do_pad` each as large as its own.
 * @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
export const framesOfSizes = (call, sizes) =>
  call.settings.do_pad ? equalFrames(sizes, padSizeOf(call)) : sizes.map((size) => ({ x: 0, y: 0, ...size }));

/** Gives each picture a rectangle of the result (frame), at whose top left it lies: with `do_pad` all as large as the
 * largest picture, without it each as large as its own, as Pixtral has them. */
export const framesByBatch = withSettings(['do_pad'], (call, pictures) =>
  call.settings.do_pad ? batchFrames(pictures) : pictures.map(ownFrame),
);

/** Gives each picture a rectangle of the result (frame), at whose top left it lies, all of `pad_size` or else as large
 * as the largest picture. MaskFormer does so whatever `do_pad` says. */
export const framesOfBatch = withSettings(['pad_size'], (call, pictures) => batchFrames(pictures, padSizeOf(call)));

/** Gives each picture a rectangle of the result (frame), at whose top left it lies, all as large as the largest
 * picture, as Emu 3 does. */
export const framesOfLargest = withSettings([], (_, pictures) => batchFrames(pictures));

/** Gives each picture a rectangle of the result (frame), in whose middle it lies: with `do_pad` rounded up to multiples
 * of `size_divisor`, as DPT has them. The odd pixel of a border is on the right and below. */
export const framesByDivisor = withSettings(['do_pad', 'size_divisor'], (call, pictures) =>
  pictures.map((picture) => {
    const { do_pad: pads, size_divisor: divisor } = call.settings;
    if (!pads || divisor === undefined) return ownFrame(picture);
    const inner = sizeOf(picture);
    const { width, height } = both(inner, (extent) => multipleAbove(extent, divisor));
    const x = Math.floor((width - inner.width) / 2);
    const y = Math.floor((height - inner.height) / 2);
    return { x, y, width, height };
  }),
);
