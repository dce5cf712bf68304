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

/** How the first pictures of a kind went, in milliseconds, and whether their pixels were the canvas'.
 * @typedef {{ rounds: number, canvas: number, frame: number, isAlike: boolean }} Record */

/** By class, format and colors, which browsers convert in ways of their own.
 * @type {Map<string, Record>} */
const records = new Map();

/** Finds how the first pictures of a kind went, or begins a record.
 * @type {(className: string, frame: Frame) => Record} */
function recordOf(className, { format, colorSpace }) {
  const kind = [className, format, JSON.stringify(colorSpace)].join();
  const record = records.get(kind) ?? { rounds: 0, canvas: Infinity, frame: Infinity, isAlike: true };
  records.set(kind, record);
  return record;
}

/** Copies a drawable's pixels by a VideoFrame; undefined where a canvas has to be read. The frame is taken before
 * anything is waited for, because a video goes on.
 * @type {(className: string, drawable: unknown, size: Size, part?: Window) => Promise<OpaqueImage | undefined>} */
export async function framePixels(className, drawable, size, part) {
  /** @type {Frame | undefined} */
  let frame;
  try {
    const current = (frame = makeFrame(drawable));
    const { canvas, videoFrame } = await readBack();
    // Firefox 153 does not say whether it turns a frame; a canvas is never turned.
    const isUpright = frame.rotation === 0 || isCanvas(className);
    if (videoFrame !== 'exact' || !isUpright) return undefined;
    const record = recordOf(className, frame);
    if (canvas === 'exact' && record.rounds < mostRounds)
      return await oneAtATime(() => readBothWays(current, isBitmap(className) ? drawable : current, size, record));
    const isChosen = canvas !== 'exact' || (record.isAlike && record.frame < record.canvas);
    return isChosen ? await copyFrame(frame, size, part) : undefined;
  } catch {
    // There is no VideoFrame, or the browser cannot make or convert one of this.
    return undefined;
  } finally {
    frame?.close();
  }
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();
/** Runs measurements one at a time, because work beside them would make them slower.
 * @type {<T>(work: () => Promise<T>) => Promise<T>} */
function oneAtATime(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

/** Reads a picture in both ways, and gives the canvas' pixels. `drawable` does not change meanwhile.
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
  // Both round colors of YUV, each by its own rule.
  record.isAlike &&= isAlike(copy, data, /^(I4|NV)/.test(String(frame.format)) ? 1 : 0);
  return { ...copy, data: bytesOf(data), order: 'RGBX' };
}
