/** GLM's walk along a video: the first frame at or after each step, then as many as a count wants. */
import { linspaceWhole } from './ranges.js';

/** @import { SampledVideo } from './types.js' */

const { floor, max, min, trunc } = Math;

/** Walks along a video and takes the first frame at or after 0 seconds, `step` seconds and so on, until the next step
 * would be at `end` seconds or later. Frame i is at i / fps seconds. Returns indices of frames.
 * @type {(video: SampledVideo, step: number, end: number) => number[]} */
function walk({ total, fps }, step, end) {
  const frames = [];
  const secondsPerFrame = 1 / /** @type {number} */ (fps);
  let nextSecond = 0;
  for (let frame = 0; frame < total; frame++) {
    if (frame * secondsPerFrame < nextSecond) continue;
    frames.push(frame);
    nextSecond += step;
    if (nextSecond >= end) break;
  }
  return frames;
}

/** Returns a walk's frames if they are `count`, and otherwise `count` frames at even steps: over the whole video of
 * `total` frames if there were too many or none, else from the first chosen frame to the last.
 * @type {(frames: number[], count: number, total: number) => number[]} */
function adjustToCount(frames, count, total) {
  if (frames.length > count) return linspaceWhole(0, total - 1, count);
  if (frames.length === count) return frames;
  if (frames.length === 0) return linspaceWhole(0, max(total - 1, 0), count);
  return linspaceWhole(frames[0], frames[frames.length - 1], count);
}

/** Chooses frames as GLM-4.6V does: 3 a second of a video of up to 30 seconds, 1 of up to 300 seconds, else 0.5, each
 * times `patchFrames`, the frames of a patch. Their number is computed from at most 40 minutes, and is at most 640.
 * `duration`: in seconds
 * @type {(video: SampledVideo, duration: number, patchFrames: number) => number[]} */
export function walkGlm46V(video, duration, patchFrames) {
  const maxSeconds = 40 * 60;
  const maxFrames = 640;
  const seconds = min(duration, maxSeconds);
  let rate = 0.5;
  if (seconds <= 300) rate = 1;
  if (seconds <= 30) rate = 3;
  const count = min(trunc(seconds * rate * patchFrames), maxFrames);
  const { total } = video;
  const step = 1 / (patchFrames * rate);
  const frames = total < count ? linspaceWhole(0, total - 1, count) : walk(video, step, trunc(duration));
  return adjustToCount(frames, count, total);
}

/** Chooses `fps` frames a second, at most `maxFrames` and at even steps then, as GLM-GA does. `duration`: in seconds
 * @type {(video: SampledVideo, duration: number, fps: number, maxFrames: number) => number[]} */
export function walkGlmga(video, duration, fps, maxFrames) {
  const { total } = video;
  const count = min(trunc(duration * fps), maxFrames);
  const step = 1 / fps;
  const frames =
    total < count
      ? Array.from({ length: count }, (_, i) => floor((i * total) / count))
      : walk(video, step, duration - step);
  return adjustToCount(frames, count, total);
}

/** Chooses `fps` frames a second, at most `maxFrames` and at even steps then, as GLM-5 does. `duration`: in seconds;
 * `maxSeconds`: the most seconds from which the number of frames is computed, 0 for all
 * @type {(video: SampledVideo, duration: number, bounds: { fps: number, maxFrames: number, maxSeconds: number }) =>
 *   number[]} */
export function walkFixed(video, duration, { fps, maxFrames, maxSeconds }) {
  const { total } = video;
  const seconds = maxSeconds > 0 ? min(duration, maxSeconds) : duration;
  const count = min(trunc(seconds * fps), maxFrames);
  const frames = total < count ? linspaceWhole(0, total - 1, count) : walk(video, 1 / fps, trunc(duration));
  return adjustToCount(frames, count, total);
}
