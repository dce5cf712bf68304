/** Which frames of a video a class takes: rules on its settings and on the video's length, without pixels. */
import { rangeError, show, spend } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { arange, checkCount, linspace, linspaceWhole, torchLinspace } from './ranges.js';
import { walkFixed, walkGlm46V, walkGlmga } from './walks.js';

/** @import { Sampler, SampledVideo, VideoSettings } from './types.js' */

const { ceil, floor, max, min, trunc } = Math;

/** The frame rate or the duration of a video; refuses a video without it.
 * @type {(video: SampledVideo, key: 'fps' | 'duration') => number} */
export const needed = (video, key) =>
  video[key] ?? rangeError(`${video.argument} ${key} must be given to choose frames, got ${show(video[key])}`);

/** A setting that a rule needs; refuses null. @type {(settings: VideoSettings, key: string) => number} */
const settingOf = (settings, key) => settings[key] ?? rangeError(`${key} must be given to choose frames, got null`);

/** Refuses `num_frames` and `fps` together. @type {(settings: VideoSettings) => void} */
function checkOne({ num_frames: count, fps }) {
  if (count !== undefined && fps !== undefined)
    rangeError(`num_frames must be null where fps is given, got ${count} and ${fps}`);
}

/** Returns the number of frames to choose; refuses one that is not given, below `least`, or over that of the video.
 * @type {(count: number | undefined, video: SampledVideo, least?: number) => number} */
function checkFrames(count, { total }, least = 1) {
  if (count === undefined) rangeError('num_frames or fps must be given to choose frames, got neither');
  if (count > total || count < least)
    rangeError(`num_frames must be from ${least} to the ${total} frames of the video, got ${count}`);
  return count;
}

/** Makes a sampler, which chooses frames, of a rule and the settings that it reads: `num_frames`, `fps`, `reads` and
 * `fileKeys`. A setting that the call has as null counts with the file's value, except those in `once`; those in
 * `fileKeys` are read of the file alone. `isEither`: refuses num_frames and fps together
 * @type {(rules: { reads?: string[], fileKeys?: string[], once?: string[], isEither?: boolean }, rule: (settings:
 *   VideoSettings, video: SampledVideo) => number[]) => Sampler & { reads: readonly string[] }} */
function sampler({ reads = [], fileKeys = [], once = [], isEither = false }, rule) {
  const keys = ['num_frames', 'fps', ...reads, ...fileKeys];
  /** Reads each setting of the rule from the call or from the file, and chooses frames by the rule.
   * @type {Sampler} */
  const sample = ({ settings, file }, video) => {
    if (isEither) checkOne(settings);
    const read = keys.map((key) => {
      const isFile = fileKeys.includes(key) || (settings[key] === undefined && !once.includes(key));
      return [key, isFile ? file[key] : settings[key]];
    });
    return rule(Object.fromEntries(read), video);
  };
  return Object.assign(sample, { reads: keys });
}

/** The frames 0 to `count` - 1. @type {(count: number) => number[]} */
const all = (count) => Array.from({ length: checkCount(count) }, (_, i) => i);

/** Chooses `num_frames`, or `fps` a second, at even steps from the first frame on; all frames without either. */
export const sampleEvenly = sampler({ isEither: true }, (settings, video) => {
  const { total } = video;
  let { num_frames: count } = settings;
  if (count === undefined && settings.fps !== undefined)
    count = max(1, trunc((total / needed(video, 'fps')) * settings.fps));
  if (count === undefined) return all(total);
  const frames = checkFrames(count, video);
  return all(frames).map((i) => floor((i * total) / frames));
});

/** Chooses frames at even steps, in a number that is a multiple of `temporal_patch_size` and lies between bounds, as
 * Qwen2-VL does. */
export const sampleQwen2 = sampler(
  { reads: ['temporal_patch_size', 'min_frames', 'max_frames'], isEither: true },
  (settings, video) => {
    const { total } = video;
    const group = settings.temporal_patch_size;
    let { num_frames: count } = settings;
    if (count !== undefined) count = roundHalfToEven(count / group) * group;
    else if (settings.fps !== undefined) {
      const maxFrames = floor(min(settingOf(settings, 'max_frames'), total) / group) * group;
      const wanted = max((total / needed(video, 'fps')) * settings.fps, settingOf(settings, 'min_frames'));
      count = floor(min(wanted, maxFrames, total) / group) * group;
    }
    return arange(total, total / checkFrames(count, video));
  },
);

/** Chooses the first and the last frame and even steps between, as Qwen3-VL does; the rate is 24 if the metadata lacks
 * it. */
export const sampleQwen3 = sampler(
  { fileKeys: ['min_frames', 'max_frames'], once: ['num_frames'], isEither: true },
  (settings, video) => {
    const { total } = video;
    const { num_frames: count, fps } = settings;
    const [minFrames, maxFrames] = [settingOf(settings, 'min_frames'), settingOf(settings, 'max_frames')];
    let frames = count ?? min(max(total, minFrames), maxFrames);
    if (count === undefined && fps !== undefined)
      frames = min(max(trunc((total / (video.fps ?? 24)) * fps), minFrames), maxFrames, total);
    return linspace(0, total - 1, frames).map(roundHalfToEven);
  },
);

/** Chooses frames at even steps, in a number between bounds that may be a fraction, as ERNIE does. */
export const sampleErnie = sampler(
  { reads: ['min_frames', 'max_frames'], once: ['fps'], isEither: true },
  (settings, video) => {
    const { total } = video;
    const [minFrames, maxFrames] = [settingOf(settings, 'min_frames'), settingOf(settings, 'max_frames')];
    let { num_frames: count } = settings;
    if (count !== undefined && !(count >= minFrames && count <= maxFrames))
      rangeError(`num_frames must be from ${minFrames} to ${maxFrames}, got ${count}`);
    const { fps } = settings;
    if (count === undefined)
      count = min(max(fps === undefined ? total : (total / needed(video, 'fps')) * fps, minFrames), maxFrames, total);
    return arange(total, total / checkFrames(count, video, 0));
  },
);

/** Chooses the middle of even steps, or frames shifted by `initial_shift` from their start, as InternVL does. */
export const sampleInternVL = sampler({ reads: ['initial_shift'], once: ['fps'] }, (settings, video) => {
  const { total } = video;
  const { fps, initial_shift: shift = 0 } = settings;
  let { num_frames: count } = settings;
  if (count === undefined && fps !== undefined) count = trunc((total / needed(video, 'fps')) * fps);
  const step = total / checkFrames(count, video);
  return arange(total, step, shift === true ? step / 2 : Number(shift));
});

/** Chooses frames at even steps, at most `max_fps` a second, as Molmo 2 does. */
export const sampleMolmo2 = sampler({ reads: ['max_fps'], once: ['fps'], isEither: true }, (settings, video) => {
  const { total } = video;
  const { fps, max_fps: maxFps } = settings;
  const videoFps = video.fps ?? fps ?? settingOf(settings, 'max_fps');
  const duration = video.duration ?? total / videoFps;
  let wanted = fps ?? settingOf(settings, 'num_frames');
  if (fps !== undefined) wanted = trunc(duration * fps);
  else if (maxFps !== undefined && videoFps > maxFps) wanted = min(wanted, trunc(duration * maxFps));
  return arange(total, total / max(min(wanted, total), 1));
});

/** Chooses whole groups of frames from the first to the last, as Muse does. */
export const sampleMuse = sampler({ reads: ['temporal_patch_size'] }, (settings, video) => {
  const { total } = video;
  const group = settings.temporal_patch_size;
  const wanted = trunc((total * settingOf(settings, 'fps')) / (video.fps ?? 24));
  const count = min(wanted, settingOf(settings, 'num_frames'), total);
  return torchLinspace(total - 1, min(max(group, floor(count / group) * group), total));
});

/** Drops frames that were chosen before and, if an odd number of frames is left, repeats the last one.
 * @type {(frames: readonly number[]) => number[]} */
function uniqueEven(frames) {
  const once = [...new Set(frames)];
  return once.length % 2 === 1 ? [...once, once[once.length - 1]] : once;
}

/** The duration of a video in seconds. Where the metadata lacks it or says 0, it is computed as in Python: the time of
 * the last frame, rounded, and one second more. Refuses a video without a frame rate.
 * @type {(video: SampledVideo) => number} */
function durationOf(video) {
  const fps = needed(video, 'fps');
  return video.duration || roundHalfToEven((video.total - 1) / fps) + 1;
}

/** Chooses `fps` frames a second of videos of up to `max_duration` seconds, and of longer ones as many as of those, as
 * GLM-4V does. */
export const sampleGlm4v = sampler({ fileKeys: ['max_duration'] }, (settings, video) => {
  const { total } = video;
  const [fps, longest] = [settingOf(settings, 'fps'), settingOf(settings, 'max_duration')];
  const duration = durationOf(video);
  const videoFps = needed(video, 'fps');
  /** @type {(frame: number) => number} */
  const upTo = (frame) => min(total - 1, ceil(frame));
  if (duration <= longest) {
    const count = max(floor(duration * fps), 1);
    return uniqueEven(all(count).map((i) => upTo((i * videoFps) / fps)));
  }
  const count = trunc(longest * fps);
  return uniqueEven(
    count >= total ? all(total) : linspace(0, duration, count).map((second) => upTo(second * videoFps)),
  );
});

/** Chooses the first frame at or after each step, corrected to a number of frames, as GLM-4.6V does. */
export const sampleGlm46V = sampler({ fileKeys: ['temporal_patch_size'] }, (settings, video) =>
  uniqueEven(walkGlm46V(video, durationOf(video), settings.temporal_patch_size)),
);
/** Chooses `fps` frames a second, at most `max_frames`, as GLM-GA does. */
export const sampleGlmga = sampler({ fileKeys: ['max_frames'] }, (settings, video) =>
  uniqueEven(walkGlmga(video, durationOf(video), settingOf(settings, 'fps'), settingOf(settings, 'max_frames'))),
);
/** Chooses `fps` frames a second of at most `max_duration` seconds, at most `max_frames`, as GLM-5 does. */
export const sampleGlm5 = sampler({ fileKeys: ['max_frames', 'max_duration'] }, (settings, video) => {
  const [fps, maxFrames] = [settingOf(settings, 'fps'), settingOf(settings, 'max_frames')];
  return uniqueEven(
    walkFixed(video, durationOf(video), { fps, maxFrames, longest: settingOf(settings, 'max_duration') }),
  );
});

/** Chooses `fps` frames a second, as EmbeddingGemma 2 does; beyond `max_frames` they are thinned out or cut. */
export const sampleEmbeddingGemma2 = sampler(
  { reads: ['max_frames', 'overflow_strategy'], once: ['fps', 'max_frames', 'overflow_strategy'] },
  (settings, video) => {
    const { total } = video;
    if (settings.num_frames !== undefined) rangeError(`num_frames must be null here, got ${settings.num_frames}`);
    const { fps, overflow_strategy: strategy } = settings;
    let frames = [];
    if (fps === undefined || video.fps === undefined || video.duration === undefined) frames = all(total);
    else {
      const step = video.fps / fps;
      frames = all(max(1, trunc(video.duration * fps))).map((i) => min(total - 1, trunc(i * step)));
    }
    if (strategy === undefined) return frames;
    const maxFrames = settingOf(settings, 'max_frames');
    if (frames.length <= maxFrames) return frames;
    if (strategy === 'truncate') return frames.slice(0, maxFrames);
    return linspaceWhole(0, frames.length - 1, maxFrames).map((i) => frames[i]);
  },
);

/** The times in seconds of the frames that MiniCPM lays on sheets: `stack` - 1 in each second, evenly between two whole
 * seconds and before `duration`. Where there are more than `maxTimes`, as many are taken at even steps.
 * @type {(duration: number, stack: number, maxTimes: number) => number[]} */
export function timesBetween(duration, stack, maxTimes) {
  // Counts towards the memory of the call: 16 bytes of each number in each of three lists.
  spend(48 * ceil(duration) * stack);
  const times = all(ceil(duration)).flatMap((second) =>
    Array.from({ length: stack - 1 }, (_, j) => second + (j + 1) / stack).filter((time) => time < duration),
  );
  return times.length > maxTimes ? linspaceWhole(0, times.length - 1, maxTimes).map((i) => times[i]) : times;
}

/** Chooses a frame a second, or `max_num_frames` at even steps of a longer video, then the frames between the seconds,
 * as MiniCPM does. */
export const sampleMiniCpm = sampler({ reads: ['max_num_frames', 'stack_frames'] }, (settings, video) => {
  const { total } = video;
  const [fps, duration] = [needed(video, 'fps'), needed(video, 'duration')];
  const { stack_frames: stack = 1 } = settings;
  const maxFrames = settingOf(settings, 'max_num_frames');
  /** @type {number[]} */
  let frames = [];
  if (duration > maxFrames) {
    // Python rounds tenths of seconds to one digit.
    frames = all(trunc(duration / 0.1)).map((i) => min(trunc((i / 10) * fps), total - 1));
    if (frames.length > maxFrames) frames = linspaceWhole(0, frames.length - 1, maxFrames).map((i) => frames[i]);
  } else frames = all(ceil(duration)).map((i) => trunc(i * fps));
  if (stack <= 1) return frames;
  checkCount(ceil(duration) * stack);
  const between = timesBetween(duration, stack, maxFrames * (stack - 1));
  return [...frames, ...between.map((time) => min(trunc(time * fps), total - 1))];
});

/** Chooses frames at even steps, of a long video without its first and its last second, as SmolVLM does. */
export const sampleSmolVlm = sampler({}, (settings, video) => {
  const { total } = video;
  const [fps, duration] = [needed(video, 'fps'), needed(video, 'duration')];
  const [maxFrames, wanted] = [settingOf(settings, 'num_frames'), settingOf(settings, 'fps')];
  const count = max(min(roundHalfToEven(wanted * duration), maxFrames), 1);
  const isLong = duration - 2 > maxFrames * wanted;
  let [first, last] = isLong ? [max(0, trunc(fps)), min(trunc(total - fps), total - 1)] : [0, total - 1];
  if (first >= last) [first, last] = [0, total - 1];
  return [...new Set(linspaceWhole(first, last, count))];
});

/** Chooses `num_frames` from the first frame to the last, as PE-Video does. */
export const samplePeVideo = sampler({}, (settings, video) => {
  const { num_frames: count } = settings;
  if (count === undefined) return sampleEvenly({ settings, file: settings }, video);
  if (count < 2) rangeError(`num_frames must be at least 2, got ${count}`);
  return all(count).map((i) => trunc((i * (video.total - 1)) / (count - 1)));
});
