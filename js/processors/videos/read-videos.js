/** The videos of a call: which there are, and how their frames are read. */
import { checkNames, copyList, rangeError, show, typeError } from '../../arguments/index.js';
import { frameSources } from '../../image/internal.js';
import { checkLength, readWholeTensor } from '../../tensor/index.js';
import { frameLimit } from './ranges.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { SampledVideo, Size, VideoMetadata } from './types.js' */

/**
 * The frames of a video in memory, all of one size. `argument`: its name in messages; `imageAt`: gives frame i.
 * @typedef {{ argument: string, width: number, height: number, count: number, imageAt: (i: number) => Image }} Frames
 */
/** @typedef {Omit<SampledVideo, 'total'> & { total: number | undefined }} VideoFacts of a video's metadata */

/** Whether a value looks like a tensor: it has dims. @type {(value: unknown) => boolean} */
export const isTensor = (value) => typeof value === 'object' && value !== null && 'dims' in value;

/** Whether a value is an async iterable, as videos of `videoProcessorAsync` may be.
 * @type {(value: unknown) => value is AsyncIterable<unknown>} */
export const isStream = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Symbol.asyncIterator in value;

/** Lists the videos of a call with their names for messages. A list of images, a tensor or a stream is one video; a
 * list that holds any of these is a batch of videos. `takesStreams`: whether async iterables are videos
 * @type {(value: unknown, takesStreams: boolean) => { argument: string, value: unknown }[]} */
export function listVideos(value, takesStreams) {
  /** @type {(entry: unknown) => boolean} */
  const isVideo = (entry) => Array.isArray(entry) || isTensor(entry) || (takesStreams && isStream(entry));
  if (!isVideo(value)) {
    const streams = takesStreams ? ', an async iterable of images' : '';
    typeError(
      `videos must be a list of images, a tensor [T, H, W, C]${streams} or a list of those, got ${show(value)}`,
    );
  }
  const list = Array.isArray(value) ? copyList('videos', value) : [];
  if (!list.some(isVideo)) return [{ argument: 'videos', value }];
  return list.map((entry, i) =>
    isVideo(entry)
      ? { argument: `videos[${i}]`, value: entry }
      : typeError(`videos[${i}] must be a video as the others, got ${show(entry)}`),
  );
}

/** Reads a uint8 tensor [T, H, W, C] of 1 or 3 channels as the frames of a video, which share its memory.
 * @type {(argument: string, value: unknown) => Frames} */
export function tensorFrames(argument, value) {
  const tensor = readWholeTensor(argument, value, (dtype) => {
    if (dtype.name !== 'uint8') typeError(`${argument} must be of uint8, got ${dtype.name}`);
  });
  const { dims, data } = tensor;
  const [count, height, width, channels] = dims;
  if (dims.length !== 4 || !(channels === 1 || channels === 3) || dims.includes(0))
    rangeError(`${argument} must have dims [T, H, W, 1 or 3], none of them 0, got [${dims.join(', ')}]`);
  const rowstride = width * channels;
  const frameBytes = height * rowstride;
  return {
    argument,
    width,
    height,
    count,
    imageAt: (i) => ({
      /** The memory is checked at each reading: `onStep`, or code that runs between frames, may have taken it away. */
      get data() {
        checkLength(tensor);
        return data.subarray(i * frameBytes, (i + 1) * frameBytes);
      },
      width,
      height,
      channels,
      rowstride,
    }),
  };
}

/** Reads a list of images of one size as the frames of a video. Pixels are read when a frame is asked for.
 * @type {(argument: string, list: readonly unknown[]) => Frames} */
export function listFrames(argument, list) {
  if (list.length === 0) rangeError(`${argument} must hold at least one image, got []`);
  const sources = frameSources(argument, list);
  const [first] = sources;
  const { width, height } = first;
  sources.forEach((frame, i) => checkFrameSize(`${argument}[${i}]`, frame, first));
  return { argument, width, height, count: list.length, imageAt: (i) => sources[i].read() };
}

/** Refuses a frame of another size than the first. @type {(argument: string, frame: Size, first: Size) => void} */
export function checkFrameSize(argument, { width, height }, first) {
  if (width === first.width && height === first.height) return;
  rangeError(
    `${argument} must have ${first.width} x ${first.height} pixels as the first frame, got ${width} x ${height}`,
  );
}

const metadataKeys = ['total_num_frames', 'fps', 'duration', 'width', 'height', 'video_backend', 'frames_indices'];

/** Reads a number of a video's metadata, which has to be finite and at least `least`; undefined if it is missing.
 * @type {(argument: string, value: unknown, least: number) => number | undefined} */
function readNumberFrom(argument, value, least) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') typeError(`${argument} must be a number, got ${show(value)}`);
  if (!(Number.isFinite(value) && value >= least)) rangeError(`${argument} must be positive, got ${value}`);
  return value;
}

/** Reads `total_num_frames` of a video's metadata; undefined if it is missing. `argument`: the metadata's name
 * @type {(argument: string, value: unknown) => number | undefined} */
function readFrameCount(argument, value) {
  if (value === undefined || value === null) return undefined;
  const count = /** @type {number} */ (value);
  if (Number.isInteger(count) && count >= 1 && count <= frameLimit) return count;
  const refuse = typeof value === 'number' ? rangeError : typeError;
  return refuse(`${argument} total_num_frames must be a whole number from 1 to ${frameLimit}, got ${show(value)}`);
}

/** Reads a video's metadata: `total`, the number of frames; `fps`, the frames a second; `duration`, in seconds. Any of
 * them may be missing. Other keys that Python has are ignored.
 * @type {(argument: string, value: unknown) => { total: number | undefined, fps?: number, duration?: number }} */
function readMetadataEntry(argument, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    typeError(`${argument} must be an object, got ${show(value)}`);
  checkNames(`key of ${argument}`, value, metadataKeys);
  /** @type {VideoMetadata} */
  const { total_num_frames: total, fps, duration } = value;
  const leastAboveZero = Number.MIN_VALUE;
  return {
    total: readFrameCount(argument, total),
    fps: readNumberFrom(`${argument} fps`, fps, leastAboveZero),
    duration: readNumberFrom(`${argument} duration`, duration, 0),
  };
}

/** Reads the metadata of a video whose frames are chosen, which has to have the number of frames.
 * @type {(metadata: VideoMetadata) => SampledVideo} */
export function readSampledVideo(metadata) {
  const { total, fps, duration } = readMetadataEntry('metadata', metadata);
  if (total === undefined) rangeError('metadata total_num_frames must be given, got undefined');
  return { argument: 'metadata', total, fps, duration };
}

/** Reads the option `video_metadata` of a call with `count` videos: an object for the only video, or a list with an
 * entry for each. Returns the facts of each video; they are undefined where it has no metadata.
 * @type {(value: unknown, count: number) => VideoFacts[]} */
export function readMetadataList(value, count) {
  if (Array.isArray(value) && value.length !== count)
    rangeError(`video_metadata must hold ${count}, one for each video, got ${value.length}`);
  if (isObject(value) && count !== 1)
    rangeError(`video_metadata must be a list of ${count}, one for each video, got one`);
  const isList = Array.isArray(value);
  return Array.from({ length: count }, (_, i) => {
    const argument = isList ? `video_metadata[${i}]` : 'video_metadata';
    const entry = isList ? value[i] : value;
    if (entry === undefined || entry === null)
      return { argument, total: undefined, fps: undefined, duration: undefined };
    const { total, fps, duration } = readMetadataEntry(argument, entry);
    return { argument, total, fps, duration };
  });
}

/** @type {(value: unknown) => boolean} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
