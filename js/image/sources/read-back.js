/** Whether browsers give back pixels as they were. */
import { draw } from './canvas.js';
import { copyFrame, isAlike, makeFrame } from './frame-copy.js';

/** @import { ReadBack } from '../types.js' */

const size = { width: 32, height: 32 };
/** Noise, because browsers leave pictures of few colors alone. */
const known = Uint8ClampedArray.from({ length: 4096 }, (_, i) =>
  i % 4 === 3 ? 255 : Math.imul(i + 1, 0x9e3779b1) >>> 24,
);

/** @type {Promise<ReadBack> | undefined} */
let isExact;

/**
 * How this browser gives back pixels, found out once with a small picture. 'changed': a canvas gives other pixels than
 * were drawn on it, so that a page cannot tell one user from another, as in Brave and in Firefox with
 * resistFingerprinting. Models then get noise of any picture that the page does not decode itself. 'missing': there is
 * no such class, as in Node, or it does not work.
 * @returns {Promise<ReadBack>} one word for the canvas, and one for VideoFrame.copyTo
 * @example
 * await readBack(); // { canvas: 'missing', videoFrame: 'missing' }
 */
export const readBack = () => (isExact ??= probe());

/** Draws a small picture on a canvas, copies it by a VideoFrame, and compares the pixels.
 * @type {() => Promise<ReadBack>} */
async function probe() {
  const { ImageData } = globalThis;
  const makeBitmap = async () => createImageBitmap(new ImageData(known, size.width, size.height));
  /** @type {ImageBitmap | undefined} */
  const bitmap = await makeBitmap().catch(() => undefined);
  if (!bitmap) return { canvas: 'missing', videoFrame: 'missing' };
  const canvas = await wordOf(() => draw(bitmap, size, size, undefined).every((byte, i) => byte === known[i]));
  const videoFrame = await wordOf(() => isCopied(bitmap));
  bitmap.close();
  return { canvas, videoFrame };
}

/** The word for a way to read pixels: 'missing' if `isExact` throws.
 * @type {(isExact: () => boolean | Promise<boolean>) => Promise<ReadBack['canvas']>} */
async function wordOf(isExact) {
  try {
    return (await isExact()) ? 'exact' : 'changed';
  } catch {
    return 'missing';
  }
}

/** Whether a VideoFrame of the small picture gives its pixels. @type {(bitmap: unknown) => Promise<boolean>} */
async function isCopied(bitmap) {
  const frame = makeFrame(bitmap);
  try {
    const copy = await copyFrame(frame, size);
    return copy !== undefined && isAlike(copy, known, 0);
  } finally {
    frame.close();
  }
}
