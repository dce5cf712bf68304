/** The worker's part of the comparison: one picture resized with Python's numbers and by the browser's canvas. */
import { imageToTensor, tensorToImage } from 'onnx-layout/image';
import { differenceOf } from '../shared/pictures/difference.js';
import { thinOut } from '../shared/pictures/thin.js';

/** The pixels on the longer side of a picture that is shown. */
const shownSize = 640;

/** The first call may compile code, and the system may interrupt another. */
const calls = 3;

/**
 * @template T
 * @param {() => T} run
 * @returns {{ result: T, ms: number }} `ms` is the least time of a few calls
 */
function timed(run) {
  let [result, ms] = [undefined, Infinity];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    result = run();
    ms = Math.min(ms, performance.now() - start);
  }
  return { result, ms };
}

/**
 * A picture's pixels, and the time that the canvas took to hand them over.
 * @param {ImageBitmap} picture
 */
export function readPicture(picture) {
  const start = performance.now();
  const { data } = imageToTensor(picture, { layout: 'HWC', channels: 'RGBA', dtype: 'uint8' });
  const { width, height } = picture;
  return { pixels: { data, width, height, channels: 4 }, ms: performance.now() - start };
}

/**
 * Resizes a picture in both ways.
 * @param {ImageBitmap} picture
 * @param {{ pixels: object, ms: number }} read the picture's pixels
 * @param {{ width?: number, height?: number, fit?: string, letterbox?: { width: number, height: number },
 *   channels: string }} options of imageToTensor
 * @param {{ backend: string, filter: string }} python
 */
export function compareResizing(picture, read, { width, height, fit, letterbox, channels: wanted }, python) {
  const channels = wanted === 'RGBA' ? 'RGBA' : 'RGB';
  const options = { layout: 'HWC', channels, dtype: 'uint8' };
  const resizing = letterbox ? { letterbox } : { width, height, fit, ...python };
  // The canvas has no letterbox of its own: a picture between bars of the same gray comes nearest.
  const drawing = letterbox
    ? { width: letterbox.width, height: letterbox.height, fit: 'contain', background: '#727272' }
    : { width, height, fit };
  const ours = timed(() => imageToTensor(read.pixels, { ...options, ...resizing }));
  const canvas = timed(() => imageToTensor(picture, { ...options, ...drawing, filter: 'canvas' }));
  const [oursImage, canvasImage] = [ours, canvas].map(({ result }) =>
    tensorToImage(result, { layout: 'HWC', channels }),
  );
  const { picture: difference, ...numbers } = differenceOf(oursImage, canvasImage, channels.length);
  return {
    ...numbers,
    python,
    read: { ms: read.ms, width: picture.width, height: picture.height },
    ours: { ms: ours.ms, ...thinOut(oursImage, shownSize) },
    canvas: { ms: canvas.ms, ...thinOut(canvasImage, shownSize) },
    difference: thinOut(difference, shownSize),
  };
}
