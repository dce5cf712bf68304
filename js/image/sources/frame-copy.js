/** Copies of a VideoFrame's pixels, in memory that is used again. */

/** @import { OpaqueImage } from '../../engines/images/types.js' */
/** @import { Bitmap, Frame, Size, Window } from '../types.js' */

/** Memory of a picture that nobody reads any more, kept for the next one: to fill new memory takes as long again.
 * @type {Uint8Array | undefined} */
let spare;
/** Most bytes that are kept: 4 megapixels of 4 bytes, and some for the part's offset. */
const maxSpare = 2 ** 24 + 2 ** 16;

/** Gives memory of at least `length` bytes with any content: the spare one, which is spare no longer then, if it is
 * long enough.
 * @type {(length: number) => Uint8Array} */
function memoryOf(length) {
  if (!spare || spare.length < length) return new Uint8Array(length);
  const memory = spare;
  spare = undefined;
  return memory;
}

/** Keeps the memory of a copy, which nobody may read any more. @type {(copy: OpaqueImage) => void} */
export function release({ data: { buffer } }) {
  const isSmall = buffer.byteLength <= maxSpare;
  const isLongest = buffer.byteLength > (spare?.length ?? 0);
  if (isSmall && isLongest) spare = new Uint8Array(buffer);
}

/** Makes a VideoFrame of a drawable. Throws where there is no VideoFrame, or the browser cannot make one of this
 * drawable.
 * @type {(drawable: unknown) => Frame} */
export const makeFrame = (drawable) => new globalThis.VideoFrame(/** @type {Bitmap} */ (drawable), { timestamp: 0 });

/** Whether a frame's pixels are stored as it is shown: all of them, neither resized nor turned. Otherwise a canvas has
 * to draw the frame, which turns it as EXIF or a phone says.
 * @type {(frame: Frame, size: Size) => boolean} */
function isAsShown({ displayWidth, displayHeight, visibleRect, rotation, flip }, { width, height }) {
  const isShownWhole = displayWidth === width && displayHeight === height;
  const isStoredWhole = visibleRect?.width === width && visibleRect.height === height;
  const isTurned = Boolean(rotation || flip);
  return isShownWhole && isStoredWhole && !isTurned;
}

/** Formats of frames that are copied as they are, and the order of the copy's bytes. Chromium 156 takes 1 ms for 1080p
 * like that, 5 to 10 ms to change the order; and for YUV of 720p .7 ms to BGRX, 3 to 7 ms to RGBA. */
const orders = /** @type {const} */ ({ BGRX: 'BGRX', BGRA: 'BGRX', RGBX: 'RGBX', RGBA: 'RGBX' });

/** Copies the pixels of a frame to an image of `size`; those outside of `part` can be anything. Undefined if a pixel is
 * not opaque (its colors come multiplied by alpha), or the frame is not shown as it is stored. Throws if the browser
 * cannot convert the frame.
 * @type {(frame: Frame, size: Size, part?: Window) => Promise<OpaqueImage | undefined>} */
export async function copyFrame(frame, size, part = { x: 0, y: 0, ...size }) {
  const { format, visibleRect } = frame;
  // I420A is YUV with alpha.
  if (!visibleRect || !isAsShown(frame, size) || format === 'I420A') return undefined;
  const order = orders[/** @type {keyof typeof orders} */ (format)];
  const rowstride = 4 * size.width;
  const imageBytes = rowstride * size.height;
  const bytesLeftOfPart = 4 * part.x;
  // Each row of the part is copied to its place in the image. `copyTo` asks for memory of `rowstride` bytes from the
  // beginning of each row on, the last one too. If the part does not begin at the left, that ends beyond the image.
  const memory = memoryOf(imageBytes + bytesLeftOfPart);
  const rect = { ...part, x: visibleRect.x + part.x, y: visibleRect.y + part.y };
  const layout = [{ offset: part.y * rowstride + bytesLeftOfPart, stride: rowstride }];
  // Other formats, as YUV, are converted; a frame without a format may have alpha.
  /** @type {VideoFrameCopyToOptions} */
  const conversion = order ? {} : { format: format ? 'BGRX' : 'BGRA' };
  await frame.copyTo(memory, { rect, layout, ...conversion });
  const data = memory.subarray(0, imageBytes);
  const mayBeTranslucent = !format || /^(RGBA|BGRA)$/.test(format);
  if (mayBeTranslucent && !isOpaque(data, size.width, part)) return undefined;
  return { data, ...size, channels: 4, rowstride, order: order ?? 'BGRX' };
}

/** Whether all pixels of a part have the alpha 255, which is the fourth byte of a pixel. In JavaScript, because frames
 * are read without the module. `stride`: pixels from a row to the next
 * @type {(data: Uint8Array | Uint8ClampedArray, stride: number, part: Window) => boolean} */
export function isOpaque({ buffer, byteOffset, length }, stride, { x, y, width, height }) {
  const pixels = new Uint32Array(buffer, byteOffset, length / 4);
  for (let row = y; row < y + height; row++) {
    let commonBits = -1; // the bits that are 1 in all pixels of the row
    const first = row * stride + x;
    for (let i = first; i < first + width; i++) commonBits &= pixels[i];
    const commonAlpha = commonBits >>> 24; // the fourth byte, as memory is little-endian
    if (commonAlpha !== 255) return false;
  }
  return true;
}

/** Whether the colors of a frame's copy differ from RGBA bytes by at most `maxDifference`. Asked only of the first
 * pictures, so it need not be fast.
 * @type {(copy: OpaqueImage, rgba: ArrayLike<number>, maxDifference: number) => boolean} */
export function isAlike({ data, order }, rgba, maxDifference) {
  const placesOfColors = order === 'BGRX' ? [2, 1, 0] : [0, 1, 2]; // of red, green and blue in a pixel
  for (let pixel = 0; pixel < data.length; pixel += 4)
    for (let color = 0; color < 3; color++) {
      const difference = Math.abs(data[pixel + placesOfColors[color]] - rgba[pixel + color]);
      if (difference > maxDifference) return false;
    }
  return true;
}
