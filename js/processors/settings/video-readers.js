/** The settings of video processors that images do not have, and which kind of value each has. */
import { rangeError, readFinite, readText, show, typeError } from '../../arguments/index.js';
import { flag, number, pairFrom, count } from './kinds.js';
import { readSetting } from './readers.js';

/** @import { SizeSetting } from '../types.js' */

/** Reads a finite number from 0 on. @type {(name: string, value: number) => number} */
function readNotNegative(name, value) {
  return readFinite(name, value) < 0 ? rangeError(`${name} must not be negative, got ${value}`) : value;
}

/** Reads InternVL's `initial_shift`: the number of the first frame that is sampled, which may be a fraction; true is
 * half the distance between two sampled frames.
 * @type {(name: string, value: boolean | number) => boolean | number} */
const readShift = (name, value) => (typeof value === 'boolean' ? value : readNotNegative(name, value));

/** Reads `overflow_strategy`: which frames are taken of a video that has too many, some at even steps ('uniform') or
 * the first ones ('truncate').
 * @type {(name: string, value: 'uniform' | 'truncate') => 'uniform' | 'truncate'} */
function readOverflow(name, value) {
  const known = ['uniform', 'truncate'];
  return known.includes(readText(name, value))
    ? value
    : rangeError(`${name} must be 'uniform' or 'truncate', got ${show(value)}`);
}

/** @typedef {{ max_frames: number, fps: number, video_size?: number | readonly number[] | SizeSetting | null }}
 *   VideoSampling */

/** Reads `video_sampling`, in which older files of SmolVLM have three settings in one object. Returns them by their
 * present names: `times` has those that choose frames.
 * @type {(name: string, value: VideoSampling) => { times: { num_frames: number, fps: number }, size?: SizeSetting }} */
function readSampling(name, value) {
  if (typeof value !== 'object' || Array.isArray(value)) typeError(`${name} must be an object, got ${show(value)}`);
  const size = readSetting('size', value.video_size, `${name} video_size`);
  const times = { num_frames: count(`${name} max_frames`, value.max_frames), fps: number(`${name} fps`, value.fps) };
  return { times, ...(size && { size }) };
}

/** The reader of each key. */
export const videoReaders = {
  cap_pixels_per_frame: flag,
  downsample_ratio: number,
  draw_on_frames: flag,
  fps: number,
  initial_shift: readShift,
  max_duration: readNotNegative,
  max_fps: number,
  max_frames: count,
  max_num_frames: count,
  max_video_frame_tokens: count,
  max_video_tokens: count,
  min_frames: count,
  num_frames: count,
  overflow_strategy: readOverflow,
  pooling_size: pairFrom(1),
  stack_frames: count,
  use_token_compression: flag,
  video_maintain_aspect_ratio: flag,
  video_sampling: readSampling,
  video_target_num_patches: count,
  vision_segment_max_frames: count,
};
