/** Copies of a VideoFrame's pixels, in memory that is used again. */

/** @import { OpaqueImage } from '../../engines/images/types.js' */
/** @import { Bitmap, Frame, Size, Window } from '../types.js' */

/** Memory of a picture that nobody reads any more, kept for the next one: to fill new memory takes as long again.
 * @type {Uint8Array | undefined} */
let spare;
/** Most bytes that are kept: 4 megapixels of 4 bytes, and some for the part's offset. */
const maxSpare = 2 ** 24 + 2 ** 16;

/** Returns memory of at least `length` bytes: the spare memory, which is taken then, or new one if that is too short.
 * Its content can be anything.
 * @type {(length: number) => Uint8Array} */
function memoryOf(length) {
  const memory = spare && spare.length >= length ? spare : new Uint8Array(length);
  if (memory === spare) spare = undefined;
  return memory;
}

/** Keeps the memory of a copy from {@link copyFrame} in `spare`, if it is longer than the memory there and has at most
 * {@link maxSpare} bytes. Nobody may read the copy any more.
 * @type {(copy: OpaqueImage) => void} */
export function release({ data: { buffer } }) {
  if (buffer.byteLength <= maxSpare && buffer.byteLength > (spare?.length ?? 0)) spare = new Uint8Array(buffer);
}

/** Makes a VideoFrame of a drawable, with the time that the constructor needs. Throws where there is no such class, or
 * the browser cannot make one of this drawable.
 * @type {(drawable: unknown) => Frame} */
export const makeFrame = (drawable) => new globalThis.VideoFrame(/** @type {Bitmap} */ (drawable), { timestamp: 0 });

/** Tells whether a frame is shown as it is stored, neither turned nor stretched, at this size. Otherwise a canvas has
 * to draw it, which turns a frame as EXIF or a phone says.
 * @type {(frame: Frame, size: Size) => boolean} */
function isAsShown({ displayWidth, displayHeight, visibleRect, rotation, flip }, { width, height }) {
  const isWhole = displayWidth === width && displayHeight === height;
  return isWhole && visibleRect?.width === width && visibleRect.height === height && !rotation && !flip;
}

/** Formats of frames that are copied as they are, and the order of the copy's bytes. Chromium 156 takes 1 ms for 1080p
 * like that, 5 to 10 ms to change the order; and for YUV of 720p .7 ms to BGRX, 3 to 7 ms to RGBA. */
const orders = /** @type {const} */ ({ BGRX: 'BGRX', BGRA: 'BGRX', RGBX: 'RGBX', RGBA: 'RGBX' });

/** Copies the pixels of a frame to an image of `size`; those outside of `part` can be anything. Undefined if a pixel of
 * the frame is not opaque, because its colors come multiplied by alpha, or if it is not shown as it is stored. Throws
 * if the browser cannot convert the frame.
 * @type {(frame: Frame, size: Size, part?: Window) => Promise<OpaqueImage | undefined>} */
export async function copyFrame(frame, size, part = { x: 0, y: 0, ...size }) {
  const { format, visibleRect } = frame;
  // I420A is YUV with alpha.
  if (!visibleRect || !isAsShown(frame, size) || format === 'I420A') return undefined;
  const order = orders[/** @type {keyof typeof orders} */ (format)];
  const rowstride = 4 * size.width;
  // Each row of the part lies where it is in the image. The browser asks for a whole row behind the last one's
  // beginning, which goes 4 * part.x bytes beyond the image.
  const memory = memoryOf(rowstride * size.height + 4 * part.x);
  const rect = { ...part, x: visibleRect.x + part.x, y: visibleRect.y + part.y };
  const layout = [{ offset: part.y * rowstride + 4 * part.x, stride: rowstride }];
  // Other formats, as YUV, are converted: to BGRX; a frame without a format, which may have alpha, to BGRA.
  await frame.copyTo(memory, { rect, layout, ...(order ? {} : { format: format ? 'BGRX' : 'BGRA' }) });
  const data = memory.subarray(0, rowstride * size.height);
  const mayBeTranslucent = !format || /^(RGBA|BGRA)$/.test(format);
  if (mayBeTranslucent && !isOpaque(data, size.width, part)) return undefined;
  return { data, ...size, channels: 4, rowstride, order: order ?? 'BGRX' };
}

/** Tells whether alpha, the fourth byte, is 255 in all pixels of a part of a picture. In JavaScript, because frames are
 * read without the module.
 * @type {(data: Uint8Array | Uint8ClampedArray, stride: number, part: Window) => boolean} `stride` in pixels */
export function isOpaque({ buffer, byteOffset, length }, stride, { x, y, width, height }) {
  const words = new Uint32Array(buffer, byteOffset, length / 4);
  for (let row = y; row < y + height; row++) {
    let all = -1; // the bits that all pixels of the row have; alpha are the upper 8
    for (let at = row * stride + x, end = at + width; at < end; at++) all &= words[at];
    if (all >>> 24 !== 255) return false;
  }
  return true;
}

/** Tells whether red, green and blue of a frame's copy are within `maxDifference` levels of those of RGBA bytes. Asked
 * only of the first pictures, so it need not be fast.
 * @type {(copy: OpaqueImage, rgba: ArrayLike<number>, maxDifference: number) => boolean} */
export function isAlike({ data, order }, rgba, maxDifference) {
  const red = order === 'BGRX' ? 2 : 0; // its place in a pixel; `red - color` counts down from there
  for (let at = 0; at < data.length; at += 4)
    for (let color = 0; color < 3; color++)
      if (Math.abs(data[at + Math.abs(red - color)] - rgba[at + color]) > maxDifference) return false;
  return true;
}
