/** Copies of a VideoFrame's pixels, in memory that is used again. */

/** @import { OpaqueImage } from '../../engines/images/types.js' */
/** @import { Bitmap, Frame, Size, Window } from '../types.js' */

/** Memory of a picture that nobody reads any more: to fill new memory takes as long again. At most of 4 megapixels.
 * @type {Uint8Array | undefined} */
let spare;
const mostSpare = 2 ** 24 + 2 ** 16;

/** Returns memory of at least so many bytes: the spare one if it is long enough.
 * @type {(length: number) => Uint8Array} */
function memoryOf(length) {
  const memory = spare && spare.length >= length ? spare : new Uint8Array(length);
  if (memory === spare) spare = undefined;
  return memory;
}

/** Gives back the memory of a copy from {@link copyFrame}.
 * @type {(copy: OpaqueImage) => void} */
export function release({ data: { buffer } }) {
  if (buffer.byteLength <= mostSpare && buffer.byteLength > (spare?.length ?? 0)) spare = new Uint8Array(buffer);
}

/** Throws where there is no VideoFrame, or it cannot be made of a drawable.
 * @type {(drawable: unknown) => Frame} */
export const makeFrame = (drawable) => new globalThis.VideoFrame(/** @type {Bitmap} */ (drawable), { timestamp: 0 });

/** Whether a frame's pixels are those that are shown, neither turned nor stretched. A canvas turns a frame as EXIF or a
 * phone says.
 * @type {(frame: Frame, size: Size) => boolean} */
function isAsShown({ displayWidth, displayHeight, visibleRect, rotation, flip }, { width, height }) {
  const isWhole = displayWidth === width && displayHeight === height;
  return isWhole && visibleRect?.width === width && visibleRect.height === height && !rotation && !flip;
}

/** Formats that are copied as they are. Chromium 156 takes 1 ms for 1080p like that, 5 to 10 ms to change the order;
 * and for YUV of 720p .7 ms to BGRX, 3 to 7 ms to RGBA. */
const orders = /** @type {const} */ ({ BGRX: 'BGRX', BGRA: 'BGRX', RGBX: 'RGBX', RGBA: 'RGBX' });

/** Copies a frame's pixels. Undefined if the frame is not opaque (translucent colors come multiplied by alpha) or not
 * shown as it is stored. Bytes outside `part` can be any. Throws where the browser cannot convert the frame.
 * @type {(frame: Frame, size: Size, part?: Window) => Promise<OpaqueImage | undefined>} */
export async function copyFrame(frame, size, part = { x: 0, y: 0, ...size }) {
  const { format, visibleRect } = frame;
  if (!visibleRect || !isAsShown(frame, size) || format === 'I420A') return undefined;
  const order = orders[/** @type {keyof typeof orders} */ (format)];
  const rowstride = 4 * size.width;
  // The browser asks for memory of whole rows from the first byte on.
  const memory = memoryOf(rowstride * size.height + 4 * part.x);
  const rect = { ...part, x: visibleRect.x + part.x, y: visibleRect.y + part.y };
  const layout = [{ offset: part.y * rowstride + 4 * part.x, stride: rowstride }];
  await frame.copyTo(memory, { rect, layout, ...(order ? {} : { format: format ? 'BGRX' : 'BGRA' }) });
  const data = memory.subarray(0, rowstride * size.height);
  const mayBeTranslucent = !format || /^(RGBA|BGRA)$/.test(format);
  if (mayBeTranslucent && !isOpaque(data, size.width, part)) return undefined;
  return { data, ...size, channels: 4, rowstride, order: order ?? 'BGRX' };
}

/** Whether no pixel is transparent. In JavaScript, because frames are read without the module.
 * @type {(data: Uint8Array | Uint8ClampedArray, stride: number, part: Window) => boolean} `stride` in pixels */
export function isOpaque({ buffer, byteOffset, length }, stride, { x, y, width, height }) {
  const words = new Uint32Array(buffer, byteOffset, length / 4);
  for (let row = y; row < y + height; row++) {
    let all = -1;
    for (let at = row * stride + x, end = at + width; at < end; at++) all &= words[at];
    if (all >>> 24 !== 255) return false;
  }
  return true;
}

/** Whether a copy's colors are within `maxDifference` levels of RGBA bytes. Asked only of the first pictures.
 * @type {(copy: OpaqueImage, rgba: ArrayLike<number>, maxDifference: number) => boolean} */
export function isAlike({ data, order }, rgba, maxDifference) {
  const red = order === 'BGRX' ? 2 : 0;
  for (let at = 0; at < data.length; at += 4)
    for (let color = 0; color < 3; color++)
      if (Math.abs(data[at + Math.abs(red - color)] - rgba[at + color]) > maxDifference) return false;
  return true;
}
