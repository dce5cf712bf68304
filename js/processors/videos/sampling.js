/** Which frames of a video a class takes: rules on its settings and on the video's length, without pixels. */
import { rangeError, show, spend } from '../../arguments/index.js';
import { roundHalfToEven } from '../../image/internal.js';
import { arange, checkCount, linspace, linspaceWhole, torchLinspace } from './ranges.js';
import { walkFixed, walkGlm46V, walkGlmga } from './walks.js';

/** @import { Sampler, SampledVideo, VideoSettings } from './types.js' */

const { ceil, floor, max, min, trunc } = Math;

/** Returns the frame rate or the duration of a video; refuses a video without it.
 * @type {(video: SampledVideo, key: 'fps' | 'duration') => number} */
const requireFact = (video, key) =>
  video[key] ?? rangeError(`${video.argument} ${key} must be given to choose frames, got ${show(video[key])}`);

/** Returns the number of a setting; refuses null. @type {(settings: VideoSettings, key: string) => number} */
const requireSetting = (settings, key) =>
  settings[key] ?? rangeError(`${key} must be given to choose frames, got null`);

/** Refuses a number of frames together with a rate, of which only one can count.
 * @type {(settings: VideoSettings) => void} */
function refuseBoth({ num_frames: count, fps }) {
  if (count !== undefined && fps !== undefined)
    rangeError(`num_frames must be null where fps is given, got ${count} and ${fps}`);
}

/** Returns the number of frames to choose; refuses one that is undefined, below `least`, or over that of the video.
 * @type {(count: number | undefined, video: SampledVideo, least?: number) => number} */
function checkFrameCount(count, { total }, least = 1) {
  if (count === undefined) rangeError('num_frames or fps must be given to choose frames, got neither');
  if (count > total || count < least)
    rangeError(`num_frames must be from ${least} to the ${total} frames of the video, got ${count}`);
  return count;
}

/** Makes a sampler, which chooses frames by `rule`. The rule gets the settings `num_frames`, `fps`, `reads` and
 * `fileKeys`: the call's or, where that is null, the file's, except that those of `nullKeys` stay null, and those of
 * `fileKeys` are always the file's. `refusesBoth`: whether num_frames and fps together are refused
 * @type {(rules: { reads?: string[], fileKeys?: string[], nullKeys?: string[], refusesBoth?: boolean },
 *   rule: (settings: VideoSettings, video: SampledVideo) => number[]) => Sampler & { reads: readonly string[] }} */
function sampler({ reads = [], fileKeys = [], nullKeys = [], refusesBoth = false }, rule) {
  const keys = ['num_frames', 'fps', ...reads, ...fileKeys];
  /** Gives the rule its settings, and returns the frames that it chooses. @type {Sampler} */
  const sample = ({ settings, file }, video) => {
    if (refusesBoth) refuseBoth(settings);
    const entries = keys.map((key) => {
      const isMissing = settings[key] === undefined && !nullKeys.includes(key);
      const isOfFile = fileKeys.includes(key) || isMissing;
      return [key, isOfFile ? file[key] : settings[key]];
    });
    const ruleSettings = Object.fromEntries(entries);
    return rule(ruleSettings, video);
  };
  return Object.assign(sample, { reads: keys });
}

/** The frames 0 to `count` - 1. @type {(count: number) => number[]} */
const framesUpTo = (count) => Array.from({ length: checkCount(count) }, (_, i) => i);

/** Chooses `num_frames`, or `fps` a second, at even steps from the first frame on; all frames without either. */
export const sampleEvenly = sampler({ refusesBoth: true }, (settings, video) => {
  const { total } = video;
  let { num_frames: count } = settings;
  if (count === undefined && settings.fps !== undefined) {
    const seconds = total / requireFact(video, 'fps');
    count = max(1, trunc(seconds * settings.fps));
  }
  if (count === undefined) return framesUpTo(total);
  const frames = checkFrameCount(count, video);
  return framesUpTo(frames).map((i) => floor((i * total) / frames));
});

/** Chooses frames at even steps, as Qwen2-VL does: `num_frames`, or `fps` a second between `min_frames` and
 * `max_frames`; the number is a multiple of `temporal_patch_size`. */
export const sampleQwen2 = sampler(
  { reads: ['temporal_patch_size', 'min_frames', 'max_frames'], refusesBoth: true },
  (settings, video) => {
    const { total } = video;
    const patchFrames = settings.temporal_patch_size;
    /** @type {(frames: number) => number} */
    const wholePatches = (frames) => floor(frames / patchFrames) * patchFrames;
    let { num_frames: count } = settings;
    if (count !== undefined) {
      count = roundHalfToEven(count / patchFrames) * patchFrames;
    } else if (settings.fps !== undefined) {
      const maxFrames = wholePatches(min(requireSetting(settings, 'max_frames'), total));
      const seconds = total / requireFact(video, 'fps');
      const wanted = max(seconds * settings.fps, requireSetting(settings, 'min_frames'));
      count = wholePatches(min(wanted, maxFrames, total));
    }
    return arange(total, total / checkFrameCount(count, video));
  },
);

/** Frames a second of a video whose metadata lacks them, in Qwen3-VL's and Muse's classes. */
const usualFps = 24;

/** Chooses the first and the last frame and even steps between, as Qwen3-VL does: `num_frames`, or `fps` a second, or
 * all frames, where the last two keep to the bounds of the settings. */
export const sampleQwen3 = sampler(
  { fileKeys: ['min_frames', 'max_frames'], nullKeys: ['num_frames'], refusesBoth: true },
  (settings, video) => {
    const { total } = video;
    const { fps } = settings;
    const [minFrames, maxFrames] = [requireSetting(settings, 'min_frames'), requireSetting(settings, 'max_frames')];
    let { num_frames: count } = settings;
    if (count === undefined && fps !== undefined) {
      const seconds = total / (video.fps ?? usualFps);
      count = min(max(trunc(seconds * fps), minFrames), maxFrames, total);
    }
    count ??= min(max(total, minFrames), maxFrames);
    return linspace(0, total - 1, count).map(roundHalfToEven);
  },
);

/** Chooses frames at even steps, as ERNIE does: `num_frames`, or `fps` a second, or all, between `min_frames` and
 * `max_frames`. As in Python, a number that follows from `fps` stays a fraction. */
export const sampleErnie = sampler(
  { reads: ['min_frames', 'max_frames'], nullKeys: ['fps'], refusesBoth: true },
  (settings, video) => {
    const { total } = video;
    const [minFrames, maxFrames] = [requireSetting(settings, 'min_frames'), requireSetting(settings, 'max_frames')];
    let { num_frames: count } = settings;
    if (count !== undefined && !(count >= minFrames && count <= maxFrames))
      rangeError(`num_frames must be from ${minFrames} to ${maxFrames}, got ${count}`);
    if (count === undefined) {
      const { fps } = settings;
      const wanted = fps === undefined ? total : (total / requireFact(video, 'fps')) * fps;
      count = min(max(wanted, minFrames), maxFrames, total);
    }
    // Fractions below 1 are numbers of frames too: they choose the first frame.
    const least = 0;
    return arange(total, total / checkFrameCount(count, video, least));
  },
);

/** Chooses a frame of each of even steps, as InternVL does: the middle one if `initial_shift` is true, the first one if
 * it is false, otherwise the one that is `initial_shift` frames behind the step's start. */
export const sampleInternVL = sampler({ reads: ['initial_shift'], nullKeys: ['fps'] }, (settings, video) => {
  const { total } = video;
  const { fps, initial_shift: shift = 0 } = settings;
  let { num_frames: count } = settings;
  if (count === undefined && fps !== undefined) count = trunc((total / requireFact(video, 'fps')) * fps);
  const step = total / checkFrameCount(count, video);
  const start = shift === true ? step / 2 : Number(shift);
  return arange(total, step, start);
});

/** Chooses frames at even steps, as Molmo 2 does: `fps` a second or, without it, `num_frames`, but at most `max_fps` a
 * second. */
export const sampleMolmo2 = sampler({ reads: ['max_fps'], nullKeys: ['fps'], refusesBoth: true }, (settings, video) => {
  const { total } = video;
  const { fps, max_fps: maxFps } = settings;
  const videoFps = video.fps ?? fps ?? requireSetting(settings, 'max_fps');
  const duration = video.duration ?? total / videoFps;
  /** The number of frames for which the settings ask. @type {() => number} */
  const wantedFrames = () => {
    if (fps !== undefined) return trunc(duration * fps);
    const frames = requireSetting(settings, 'num_frames');
    return maxFps !== undefined && videoFps > maxFps ? min(frames, trunc(duration * maxFps)) : frames;
  };
  const count = max(min(wantedFrames(), total), 1);
  return arange(total, total / count);
});

/** Chooses frames at even steps from the first to the last, as Muse does: `fps` a second, but at most `num_frames`, and
 * a multiple of `temporal_patch_size` if the video has so many. */
export const sampleMuse = sampler({ reads: ['temporal_patch_size'] }, (settings, video) => {
  const { total } = video;
  const patchFrames = settings.temporal_patch_size;
  const framesByFps = trunc((total * requireSetting(settings, 'fps')) / (video.fps ?? usualFps));
  const atMost = min(framesByFps, requireSetting(settings, 'num_frames'), total);
  const inWholePatches = max(patchFrames, floor(atMost / patchFrames) * patchFrames);
  return torchLinspace(total - 1, min(inWholePatches, total));
});

/** Drops frames that were chosen before and, if an odd number of frames is left, repeats the last one.
 * @type {(frames: readonly number[]) => number[]} */
function uniqueEven(frames) {
  const unique = [...new Set(frames)];
  const isOdd = unique.length % 2 === 1;
  return isOdd ? [...unique, unique[unique.length - 1]] : unique;
}

/** The duration of a video in seconds. Where the metadata lacks it or says 0, it is computed as in Python: the time of
 * the last frame, rounded, and one second more. Refuses a video without a frame rate.
 * @type {(video: SampledVideo) => number} */
function durationOf(video) {
  const fps = requireFact(video, 'fps');
  return video.duration || roundHalfToEven((video.total - 1) / fps) + 1;
}

/** Chooses `fps` frames a second of videos of up to `max_duration` seconds, and of longer ones as many as of those, as
 * GLM-4V does. */
export const sampleGlm4v = sampler({ fileKeys: ['max_duration'] }, (settings, video) => {
  const { total } = video;
  const [fps, maxSeconds] = [requireSetting(settings, 'fps'), requireSetting(settings, 'max_duration')];
  const duration = durationOf(video);
  const videoFps = requireFact(video, 'fps');
  /** The first frame at or behind a place between frames. @type {(position: number) => number} */
  const frameAfter = (position) => min(total - 1, ceil(position));
  if (duration <= maxSeconds) {
    const count = max(floor(duration * fps), 1);
    return uniqueEven(framesUpTo(count).map((i) => frameAfter((i * videoFps) / fps)));
  }
  const count = trunc(maxSeconds * fps);
  if (count >= total) return uniqueEven(framesUpTo(total));
  return uniqueEven(linspace(0, duration, count).map((second) => frameAfter(second * videoFps)));
});

/** Chooses the first frame at or after each step, as GLM-4.6V does: 3, 1 or 0.5 steps a second by the duration, times
 * the frames of a patch. */
export const sampleGlm46V = sampler({ fileKeys: ['temporal_patch_size'] }, (settings, video) => {
  const duration = durationOf(video);
  return uniqueEven(walkGlm46V(video, duration, settings.temporal_patch_size));
});

/** Chooses `fps` frames a second, at most `max_frames`, as GLM-GA does. */
export const sampleGlmga = sampler({ fileKeys: ['max_frames'] }, (settings, video) => {
  const duration = durationOf(video);
  const fps = requireSetting(settings, 'fps');
  const maxFrames = requireSetting(settings, 'max_frames');
  return uniqueEven(walkGlmga(video, duration, fps, maxFrames));
});

/** Chooses `fps` frames a second of at most `max_duration` seconds, at most `max_frames`, as GLM-5 does. */
export const sampleGlm5 = sampler({ fileKeys: ['max_frames', 'max_duration'] }, (settings, video) => {
  const fps = requireSetting(settings, 'fps');
  const maxFrames = requireSetting(settings, 'max_frames');
  const duration = durationOf(video);
  const maxSeconds = requireSetting(settings, 'max_duration');
  return uniqueEven(walkFixed(video, duration, { fps, maxFrames, maxSeconds }));
});

/** Takes `count` entries of a list at even steps. @type {(list: readonly number[], count: number) => number[]} */
const thinnedOut = (list, count) => linspaceWhole(0, list.length - 1, count).map((i) => list[i]);

/** Chooses `fps` frames a second; all frames where the rates or the duration are not known.
 * @type {(video: SampledVideo, fps: number | undefined) => number[]} */
function framesByRate({ total, fps: videoFps, duration }, fps) {
  if (fps === undefined || videoFps === undefined || duration === undefined) return framesUpTo(total);
  const step = videoFps / fps;
  const count = max(1, trunc(duration * fps));
  return framesUpTo(count).map((i) => min(total - 1, trunc(i * step)));
}

/** Chooses `fps` frames a second, as EmbeddingGemma 2 does. Of more than `max_frames`, the first ones are taken with
 * the `overflow_strategy` 'truncate', others at even steps; all of them without a strategy. */
export const sampleEmbeddingGemma2 = sampler(
  { reads: ['max_frames', 'overflow_strategy'], nullKeys: ['fps', 'max_frames', 'overflow_strategy'] },
  (settings, video) => {
    if (settings.num_frames !== undefined) rangeError(`num_frames must be null here, got ${settings.num_frames}`);
    const { fps, overflow_strategy: strategy } = settings;
    const frames = framesByRate(video, fps);
    if (strategy === undefined) return frames;
    const maxFrames = requireSetting(settings, 'max_frames');
    if (frames.length <= maxFrames) return frames;
    return strategy === 'truncate' ? frames.slice(0, maxFrames) : thinnedOut(frames, maxFrames);
  },
);

/** The times in seconds of the frames that MiniCPM lays on sheets: `stack` - 1 in each second, evenly between two whole
 * seconds and before `duration`. Where there are more than `maxTimes`, as many are taken at even steps.
 * @type {(duration: number, stack: number, maxTimes: number) => number[]} */
export function timesBetween(duration, stack, maxTimes) {
  // Counts towards the memory of the call: 16 bytes of each number in each of three lists.
  spend(48 * ceil(duration) * stack);
  const times = framesUpTo(ceil(duration)).flatMap((second) =>
    Array.from({ length: stack - 1 }, (_, j) => second + (j + 1) / stack).filter((time) => time < duration),
  );
  return times.length > maxTimes ? thinnedOut(times, maxTimes) : times;
}

/** Chooses a frame a second, or `max_num_frames` at even steps of a video of more seconds; then `stack_frames` - 1
 * frames between any two seconds. So does MiniCPM. */
export const sampleMiniCpm = sampler({ reads: ['max_num_frames', 'stack_frames'] }, (settings, video) => {
  const { total } = video;
  const [fps, duration] = [requireFact(video, 'fps'), requireFact(video, 'duration')];
  const { stack_frames: stack = 1 } = settings;
  const maxFrames = requireSetting(settings, 'max_num_frames');
  /** The frame that is shown at a second. @type {(second: number) => number} */
  const frameAt = (second) => min(trunc(second * fps), total - 1);
  /** @type {() => number[]} */
  const framesOfSeconds = () => framesUpTo(ceil(duration)).map((second) => trunc(second * fps));
  /** A frame each tenth of a second, which Python rounds to one digit, thinned out. @type {() => number[]} */
  const framesOfTenths = () => {
    const frames = framesUpTo(trunc(duration / 0.1)).map((tenth) => frameAt(tenth / 10));
    return frames.length > maxFrames ? thinnedOut(frames, maxFrames) : frames;
  };
  const isLong = duration > maxFrames;
  const mainFrames = isLong ? framesOfTenths() : framesOfSeconds();
  if (stack <= 1) return mainFrames;
  checkCount(ceil(duration) * stack);
  const between = timesBetween(duration, stack, maxFrames * (stack - 1));
  return [...mainFrames, ...between.map(frameAt)];
});

/** Chooses `fps` frames a second, but at most `num_frames`, at even steps: of a long video without its first and last
 * second. So does SmolVLM. */
export const sampleSmolVlm = sampler({}, (settings, video) => {
  const { total } = video;
  const [fps, duration] = [requireFact(video, 'fps'), requireFact(video, 'duration')];
  const maxFrames = requireSetting(settings, 'num_frames');
  const chosenFps = requireSetting(settings, 'fps');
  const count = max(min(roundHalfToEven(chosenFps * duration), maxFrames), 1);
  // Python multiplies here too, although a quotient would be the seconds that the frames last.
  const isLong = duration - 2 > maxFrames * chosenFps;
  const afterFirstSecond = max(0, trunc(fps));
  const beforeLastSecond = min(trunc(total - fps), total - 1);
  const isTrimmed = isLong && afterFirstSecond < beforeLastSecond;
  const [first, last] = isTrimmed ? [afterFirstSecond, beforeLastSecond] : [0, total - 1];
  return [...new Set(linspaceWhole(first, last, count))];
});

/** Chooses `num_frames` from the first frame to the last, as PE-Video does; without the setting, `fps` a second or all
 * frames, as most classes do. */
export const samplePeVideo = sampler({}, (settings, video) => {
  const { num_frames: count } = settings;
  if (count === undefined) return sampleEvenly({ settings, file: settings }, video);
  if (count < 2) rangeError(`num_frames must be at least 2, got ${count}`);
  const last = video.total - 1;
  return framesUpTo(count).map((i) => trunc((i * last) / (count - 1)));
});
