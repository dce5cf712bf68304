/**
 * The pixels of opaque pictures by `VideoFrame.copyTo`, where that is faster than a canvas and gives its pixels. The
 * first pictures of a kind are read in both ways, because no rule by class and format holds in both browsers. The time
 * of a copy as a part of a canvas' at 1080p: in Chromium 156 .04 to .64, of an image element 1.4; in Firefox 153 .5 to
 * .7 of BGRX and RGBX, .9 to 1.6 of BGRA, 1.6 of I420 and NV12, whose colors differ besides.
 */
import { bytesOf } from '../../arguments/index.js';
import { draw } from './canvas.js';
import { isBitmap, isCanvas } from './drawables.js';
import { copyFrame, isAlike, makeFrame } from './frame-copy.js';
import { readBack } from './read-back.js';

/** @import { OpaqueImage } from '../../engines/images/types.js' */
/** @import { Frame, Size, Window } from '../types.js' */

/** Pictures of a kind that are read in both ways before one is chosen: the first ones take longer in either. */
const mostRounds = 3;

/** Measurements of the pictures of a kind. `rounds`: how many were read in both ways; `canvas`, `frame`: the shortest
 * time of each way, in milliseconds; `isAlike`: whether both ways gave the same pixels each time
 * @typedef {{ rounds: number, canvas: number, frame: number, isAlike: boolean }} Record */

/** Records by the kind of picture: class, format and colors, which browsers convert in ways of their own.
 * @type {Map<string, Record>} */
const records = new Map();

/** The measurements of pictures of a frame's kind, which the caller adds to.
 * @type {(className: string, frame: Frame) => Record} */
function recordOf(className, { format, colorSpace }) {
  const kind = [className, format, JSON.stringify(colorSpace)].join();
  const record = records.get(kind) ?? { rounds: 0, canvas: Infinity, frame: Infinity, isAlike: true };
  records.set(kind, record);
  return record;
}

/** Gives a drawable's pixels by a VideoFrame, or undefined if the caller has to read a canvas. The frame is taken
 * before anything is waited for, because a video goes on. `part`: the pixels that are needed, all if omitted
 * @type {(className: string, drawable: unknown, size: Size, part?: Window) => Promise<OpaqueImage | undefined>} */
export async function framePixels(className, drawable, size, part) {
  /** @type {Frame | undefined} */
  let frame;
  try {
    frame = makeFrame(drawable);
    return await readFrame(frame, className, drawable, size, part);
  } catch {
    return undefined; // there is no VideoFrame, or the browser cannot make or copy one of this drawable
  } finally {
    frame?.close();
  }
}

/** Reads the pixels of a drawable's `frame`: in both ways as long as too few pictures of its kind are measured, then by
 * a copy of the frame if that was faster. Undefined if the caller has to read a canvas.
 * @type {(frame: Frame, className: string, drawable: unknown, size: Size, part?: Window) =>
 *   Promise<OpaqueImage | undefined>} */
async function readFrame(frame, className, drawable, size, part) {
  const { canvas, videoFrame } = await readBack();
  // Firefox 153 does not say whether it turns a frame; a canvas is never turned.
  const isUpright = frame.rotation === 0 || isCanvas(className);
  if (videoFrame !== 'exact' || !isUpright) return undefined;
  // Where a canvas changes pixels, only the copy is right, however long it takes.
  if (canvas !== 'exact') return copyFrame(frame, size, part);
  const record = recordOf(className, frame);
  if (record.rounds < mostRounds) {
    // A video goes on meanwhile, so the canvas draws its frame. A bitmap stays, and a canvas can draw it itself.
    const drawn = isBitmap(className) ? drawable : frame;
    return oneAtATime(() => readBothWays(frame, drawn, size, record));
  }
  const isCopyBetter = record.isAlike && record.frame < record.canvas;
  return isCopyBetter ? copyFrame(frame, size, part) : undefined;
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();
/** Runs `work` behind the work of earlier calls, even failed work: measurements beside one another would be slower.
 * @type {<T>(work: () => Promise<T>) => Promise<T>} */
function oneAtATime(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

/** Reads a picture in both ways, and gives the canvas' pixels; undefined if the frame cannot be copied. `drawable` must
 * not change meanwhile, as a video would.
 * @type {(frame: Frame, drawable: unknown, size: Size, record: Record) => Promise<OpaqueImage | undefined>} */
async function readBothWays(frame, drawable, size, record) {
  const start = performance.now();
  const copy = await copyFrame(frame, size);
  const middle = performance.now();
  if (!copy) return undefined;
  const data = draw(drawable, size, size, undefined);
  record.rounds += 1;
  record.frame = Math.min(record.frame, middle - start);
  record.canvas = Math.min(record.canvas, performance.now() - middle);
  // Colors of YUV formats may differ by 1: the browser converts them by one rule for a frame, by another for a canvas.
  const isYuv = /^(I4|NV)/.test(String(frame.format));
  record.isAlike &&= isAlike(copy, data, isYuv ? 1 : 0);
  // A copy exists only of opaque pixels, so the canvas' alpha is 255, and counts as X.
  return { ...copy, data: bytesOf(data), order: 'RGBX' };
}
