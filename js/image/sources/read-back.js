/** Whether browsers give back pixels as they were. */
import { draw } from './canvas.js';
import { copyFrame, isAlike, makeFrame } from './frame-copy.js';

/** @import { ReadBack } from '../types.js' */

const size = { width: 32, height: 32 };
/** A byte of noise: the upper one of a product with Knuth's multiplicative hash. @type {(i: number) => number} */
const noiseByte = (i) => Math.imul(i + 1, 0x9e3779b1) >>> 24;
/** RGBA bytes of an opaque picture of noise, because browsers leave pictures of few colors alone. */
const knownPixels = Uint8ClampedArray.from({ length: 4 * size.width * size.height }, (_, i) => {
  const isAlpha = i % 4 === 3;
  return isAlpha ? 255 : noiseByte(i);
});

/** The result of the first call, for all later ones. @type {Promise<ReadBack> | undefined} */
let probed;

/**
 * How this browser gives back pixels, found out once with a small picture. 'changed': a canvas gives other pixels than
 * were drawn on it, so that a page cannot tell one user from another, as in Brave and in Firefox with
 * resistFingerprinting. Models then get noise of any picture that the page does not decode itself. 'missing': there is
 * no such class, as in Node, or it does not work.
 * @returns {Promise<ReadBack>} one word for the canvas, and one for VideoFrame.copyTo
 * @example
 * await readBack(); // { canvas: 'missing', videoFrame: 'missing' }
 */
export const readBack = () => (probed ??= probe());

/** Draws the picture of noise on a canvas, copies it by a VideoFrame, and compares the pixels of both with it. Without
 * `createImageBitmap` both are 'missing', because no picture can be made to try them with.
 * @type {() => Promise<ReadBack>} */
async function probe() {
  const { ImageData } = globalThis;
  const makeBitmap = async () => createImageBitmap(new ImageData(knownPixels, size.width, size.height));
  /** @type {ImageBitmap | undefined} */
  const bitmap = await makeBitmap().catch(() => undefined);
  if (!bitmap) return { canvas: 'missing', videoFrame: 'missing' };
  const canvas = await wordOf(() => draw(bitmap, size, size, undefined).every((byte, i) => byte === knownPixels[i]));
  const videoFrame = await wordOf(() => isCopied(bitmap));
  bitmap.close();
  return { canvas, videoFrame };
}

/** The word for a way to read pixels, tried by `givesKnownPixels`: 'missing' if that throws.
 * @type {(givesKnownPixels: () => boolean | Promise<boolean>) => Promise<ReadBack['canvas']>} */
async function wordOf(givesKnownPixels) {
  try {
    return (await givesKnownPixels()) ? 'exact' : 'changed';
  } catch {
    return 'missing';
  }
}

/** Whether a VideoFrame of the small picture gives its pixels. @type {(bitmap: unknown) => Promise<boolean>} */
async function isCopied(bitmap) {
  const frame = makeFrame(bitmap);
  try {
    const copy = await copyFrame(frame, size);
    return copy !== undefined && isAlike(copy, knownPixels, 0);
  } finally {
    frame.close();
  }
}
