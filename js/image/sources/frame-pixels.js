/** The pixels of JPEG files by `VideoFrame.copyTo`, where that is faster than a canvas and gives the same bytes. */
import { bytesOf } from '../../arguments/index.js';
import { draw } from './canvas.js';
import { isUprightJpeg } from './exif.js';

/** @import { Size } from '../types.js' */

/** Files that are read in both ways before one is chosen: the first ones take longer in either. */
const mostRounds = 3;
/** Bytes at the beginning of a file that have its EXIF, or no answer. */
const headerBytes = 2 ** 18;

/** How the first files went, in milliseconds. A road that gave other bytes than the canvas is closed. */
const seen = { rounds: 0, canvas: Infinity, frame: Infinity, isEqual: true };

/** Whether a file may be read by a frame. It is asked while the file is decoded.
 * @type {(file: any) => Promise<boolean>} */
export async function isForFrames(file) {
  const isTried = seen.rounds < mostRounds || (seen.isEqual && seen.frame < seen.canvas);
  if (!isTried || !('VideoFrame' in globalThis && 'OffscreenCanvas' in globalThis)) return false;
  const beginning = await file
    .slice(0, headerBytes)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  return isUprightJpeg(new Uint8Array(beginning));
}

/** Memory of a picture that nobody reads any more: to fill new memory takes as long again. At most of 4 megapixels.
 * @type {Uint8Array | undefined} */
let spare;
const mostSpare = 2 ** 24;

/** @type {(length: number) => Uint8Array} */
function memoryOf(length) {
  const memory = spare && spare.length >= length ? spare : new Uint8Array(length);
  if (memory === spare) spare = undefined;
  return memory.subarray(0, length);
}

/** Gives back the memory of pixels from {@link framePixels}.
 * @type {(data: Uint8Array) => void} */
export function release({ buffer }) {
  if (buffer.byteLength <= mostSpare && buffer.byteLength > (spare?.length ?? 0)) spare = new Uint8Array(buffer);
}

/** Undefined where a canvas is the way: a frame has no turn by EXIF, and colors of translucent pixels are multiplied by
 * alpha. In Chromium 156 it takes a third of a canvas' time for 1080p, in Firefox 1.3 times as long; the bytes are
 * equal in both.
 * @type {(isUpright: Promise<boolean>, bitmap: any) => Promise<({ data: Uint8Array, channels: number } & Size) |
 *   undefined>} */
export async function framePixels(isUpright, bitmap) {
  if (!(await isUpright)) return undefined;
  const isChosen = seen.rounds >= mostRounds;
  const data = await (isChosen ? copied(bitmap) : inTurn(() => compared(bitmap)));
  return data && { data, width: bitmap.width, height: bitmap.height, channels: 4 };
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();
/** One after the other, because what runs beside them takes their time.
 * @type {<T>(work: () => Promise<T>) => Promise<T>} */
function inTurn(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

/** Reads a bitmap in both ways, and gives the canvas' bytes.
 * @type {(bitmap: any) => Promise<Uint8Array | undefined>} */
async function compared(bitmap) {
  const start = performance.now();
  const data = await copied(bitmap);
  const middle = performance.now();
  if (!data) return undefined;
  const drawn = bytesOf(draw(bitmap, bitmap, bitmap, undefined));
  const end = performance.now();
  seen.rounds += 1;
  seen.isEqual &&= isSame(drawn, data);
  seen.frame = Math.min(seen.frame, middle - start);
  seen.canvas = Math.min(seen.canvas, end - middle);
  return drawn;
}

/** The loop takes 3 ms for 1080p, and runs for the first files alone.
 * @type {(a: Uint8Array, b: Uint8Array) => boolean} */
function isSame(a, b) {
  const [first, second] = [a, b].map(
    ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length / 4),
  );
  for (let i = 0; i < first.length; i++) if (first[i] !== second[i]) return false;
  return true;
}

/** @type {(bitmap: any) => Promise<Uint8Array | undefined>} undefined of a bitmap that may be translucent */
async function copied(bitmap) {
  const { VideoFrame } = /** @type {any} */ (globalThis);
  /** @type {any} */
  let frame;
  try {
    frame = new VideoFrame(bitmap, { timestamp: 0 });
    const { format, codedWidth, codedHeight } = frame;
    const isWhole = codedWidth === bitmap.width && codedHeight === bitmap.height;
    if (!isWhole || !['RGBX', 'BGRX'].includes(format)) return undefined;
    const data = memoryOf(4 * bitmap.width * bitmap.height);
    const [{ stride }] = await frame.copyTo(data, { format: 'RGBA' });
    return stride === 4 * bitmap.width ? data : undefined;
  } catch {
    // Such as a format that the browser does not convert.
    return undefined;
  } finally {
    frame?.close();
  }
}
