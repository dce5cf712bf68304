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

/** The frame of a picture without border: the rectangle of the result that it fills.
 * @type {(picture: Picture) => Rectangle} */
export const ownFrame = (picture) => ({ x: 0, y: 0, ...sizeOf(picture) });

/** Makes `count` frames of one size, each for a picture that lies at its top left.
 * @type {(count: number, size: Size) => Rectangle[]} */
const equalFrames = (count, { width, height }) => Array.from({ length: count }, () => ({ x: 0, y: 0, width, height }));

/** The smallest size that holds each of these sizes: the largest width and the largest height, which may be those of
 * two pictures.
 * @type {(sizes: readonly Size[]) => Size} */
const commonSize = (sizes) => ({
  width: largest(sizes.map(({ width }) => width)),
  height: largest(sizes.map(({ height }) => height)),
});

/** Gives pictures of these sizes frames (rectangles of the result), at whose top left they lie: all of `pad_size`,
 * which no picture may exceed, or of the largest width and the largest height without that setting.
 * @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
function paddedFrames({ settings: { pad_size: setting } }, sizes) {
  if (!setting) return equalFrames(sizes.length, commonSize(sizes));
  const padSize = exactSize(setting, 'pad_size');
  const other = sizes.find(({ width, height }) => width > padSize.width || height > padSize.height);
  if (other)
    rangeError(`pad_size must be at least ${other.width} x ${other.height}, got ${padSize.width} x ${padSize.height}`);
  return equalFrames(sizes.length, padSize);
}

/** Gives pictures of these sizes frames (rectangles of the result), at whose top left they lie: with `do_pad` all of
 * `pad_size` or, without that setting, of the largest width and the largest height; without `do_pad` each as large as
 * its picture.
 * @type {(call: Call, sizes: readonly Size[]) => Rectangle[]} */
export const framesOfSizes = (call, sizes) =>
  call.settings.do_pad ? paddedFrames(call, sizes) : sizes.map((size) => ({ x: 0, y: 0, ...size }));

/** Gives pictures frames (rectangles of the result), at whose top left they lie, by `do_pad` and `pad_size`, as
 * `framesOfSizes` says. */
export const framesByPadSize = withSettings(['do_pad', 'pad_size'], (call, pictures) =>
  framesOfSizes(call, pictures.map(sizeOf)),
);

/** Gives pictures frames (rectangles of the result), at whose top left they lie, as Pixtral does: with `do_pad` all of
 * the largest width and the largest height; without it each as large as its picture. */
export const framesByBatch = withSettings(['do_pad'], (call, pictures) =>
  call.settings.do_pad ? framesOfBatch(call, pictures) : pictures.map(ownFrame),
);

/** Gives pictures frames (rectangles of the result), at whose top left they lie, as MaskFormer does, whatever `do_pad`
 * says: all of `pad_size` or, without that setting, of the largest width and the largest height. */
export const framesOfPadSize = withSettings(['pad_size'], (call, pictures) => paddedFrames(call, pictures.map(sizeOf)));

/** Gives pictures frames (rectangles of the result) of the largest width and the largest height, at whose top left they
 * lie, as Emu 3 does. */
export const framesOfBatch = withSettings([], (_, pictures) =>
  equalFrames(pictures.length, commonSize(pictures.map(sizeOf))),
);

/** Gives pictures frames (rectangles of the result), in whose middle they lie, as DPT does: with `do_pad` the picture's
 * sides are rounded up to multiples of `size_divisor`, and the odd pixel of a border is on the right and below. Without
 * `do_pad`, or where `size_divisor` is null, each frame is as large as its picture. */
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
