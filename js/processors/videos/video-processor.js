/** Video processors, as transformers has them: from `video_preprocessor_config.json` to what a model takes. */
import * as args from '../../arguments/index.js';
import { loader, ready } from '../../engines/images/index.js';
import { classNameOf, imagesOf, readDecode, readOrientation, withDecoded } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { checkExtents, countOptions } from '../settings/index.js';
import { pictureOf } from '../pictures/index.js';
import {
  checkFrame,
  isStream,
  isTensor,
  listFrames,
  listVideos,
  readMetadata,
  readMetadataOf,
  tensorFrames,
} from './read-videos.js';
import { asyncTable, checkApart, makerOf, readCall } from './video-call.js';
import { checkInto } from './written-frames.js';

/** @import { DecoderOption, Decoding, DecodingOptions } from '../../image/types.js' */
/** @import { Image } from '../../engines/images/types.js' */
/** @import { Frames, VideoFacts } from './read-videos.js' */
/** @import { Call, ClassOutputs, DecodableVideo, Picture, VideoCall, VideoCallOptions } from './types.js' */
/** @import { VideoClassName, VideoOptionsOf } from './types.js' */
/** @import { VideoClassOf, VideoLike, VideoMaker, VideoMetadata, VideoOutputs } from './types.js' */
/** @import { VideoProcessorOptions, VideoProcessorParts, VideoWriter } from './types.js' */

/**
 * @typedef {object} ChosenFrames
 * @property {number | undefined} count how many the video has, if that is known
 * @property {number | undefined} frames how many are chosen
 * @property {Map<number, number[]> | undefined} places where each chosen frame stands; undefined: all are chosen
 */

/**
 * Makes a video processor of a `video_preprocessor_config.json`. It gives the tensors that transformers 5 gives in
 * Python, under their names there and equal in every byte, for every video processor of transformers.
 *
 * - A video is a list of images of one size, as {@link imageProcessor} takes them, or one uint8 tensor [T, H, W, C]
 *   with 1 or 3 channels; a list of videos is a batch.
 * - The configuration is a parsed file, its text, or files by name; the file and the class are chosen as
 *   `AutoVideoProcessor` chooses them.
 * - The options of a call are Python's: any setting by its name. Where `do_sample_frames` is on, the class chooses
 *   frames, for which `video_metadata` says how many a second there are.
 * - `sampleFrames` says which frames the class takes of a video of some length, to decode only those: give them with
 *   `do_sample_frames: false`. `get_num_of_video_patches` is there where Python's class has it.
 * - `out: { pixel_values_videos }`, or `pixel_values` where the class calls it so, has a tensor of the result's type
 *   and dims, which is overwritten and returned instead of a new one.
 * - `second_per_grid_ts` is there too where `processor_class` is `Qwen2_5_VLProcessor`, whose output it is in Python.
 * @template {object | string} const Config
 * @template {VideoClassName | (string & {})} [Name=VideoClassOf<Config>]
 * @param {Config} config the parsed JSON, its text, or files by name
 * @param {VideoProcessorOptions<Name>} [options]
 * @returns {((videos: VideoLike | readonly VideoLike[], options?: VideoOptionsOf<Name>) => VideoOutputs<Name>) &
 *   VideoProcessorParts<VideoOptionsOf<Name>>}
 * @example
 * const config = { video_processor_type: 'VideoMAEVideoProcessor', size: { shortest_edge: 4 }, crop_size: 2 };
 * const video = { type: 'uint8', dims: [16, 4, 6, 3], data: new Uint8Array(16 * 4 * 6 * 3) };
 * const { pixel_values } = videoProcessor(config)(video);
 * pixel_values.dims; // [1, 16, 3, 2, 2]
 */
export function videoProcessor(config, options) {
  return args.named('videoProcessor', () => {
    const maker = makerOf(config, options);
    /** @type {(videos: unknown, options?: VideoCallOptions) => VideoOutputs<Name>} */
    const processor = (videos, callOptions) =>
      args.named('videoProcessor', () => {
        ready();
        const call = readCall(maker, callOptions, []);
        const list = listVideos(videos, false).map(({ argument, value }) => {
          const isList = Array.isArray(value);
          const read = isList ? listFrames(argument, value) : tensorFrames(argument, value);
          const sources = /** @type {{ data: unknown }[]} */ ([value].flat());
          sources.forEach(({ data }, i) => checkApart(call, isList ? `${argument}[${i}]` : argument, data));
          return read;
        });
        const metadata = readMetadataOf(callOptions?.video_metadata, list.length);
        const budget = args.makeBudget('a video', maker.maxBytes, list.length);
        const outputs = args.spending(budget, () => outputsOf(maker, call, writeVideos(maker, call, list, metadata)));
        return /** @type {VideoOutputs<Name>} */ (outputs);
      });
    return Object.assign(processor, described(maker, 'videoProcessor'));
  });
}

/**
 * {@link videoProcessor} for frames that take time to decode: a frame may be a Blob too, or anything that `decode`
 * reads, and a video an async iterable of images. Each frame is read before the next is asked for, so that the caller
 * may close it then, and no more are held than a patch has. Where sizes depend on the number of frames, or frames are
 * chosen, `video_metadata` needs `total_num_frames`.
 * @template {object | string} const Config
 * @template {VideoClassName | (string & {})} [Name=VideoClassOf<Config>]
 * @param {Config} config
 * @param {VideoProcessorOptions<Name> & DecoderOption} [options]
 * @returns {((videos: DecodableVideo | readonly DecodableVideo[], options?: VideoOptionsOf<Name> & DecodingOptions) =>
 *   Promise<VideoOutputs<Name>>) & VideoProcessorParts<VideoOptionsOf<Name>>} whose options
 *   have `orientation` and `signal` too
 * @example
 * async function* frames() {
 *   for (const byte of [0, 128, 255]) yield { data: new Uint8Array(48).fill(byte), width: 4, height: 4 };
 * }
 * const processor = videoProcessorAsync({ video_processor_type: 'VideoMAEVideoProcessor' });
 * const { pixel_values } = await processor(frames());
 * pixel_values.dims; // [1, 3, 3, 224, 224]
 */
export function videoProcessorAsync(config, options) {
  return args.named('videoProcessorAsync', () => {
    const maker = makerOf(config, options, asyncTable);
    const decode = readDecode(options?.decode);
    /** @type {(videos: unknown, options?: VideoCallOptions & DecodingOptions) => Promise<VideoOutputs<Name>>} */
    const processor = (videos, callOptions) =>
      args.namedAsync('videoProcessorAsync', async () => {
        const call = readCall(maker, callOptions, ['orientation', 'signal']);
        const signal = args.readSignal('signal', callOptions?.signal);
        const decoding = { orientation: readOrientation(callOptions?.orientation), signal, decode, keepsPixels: true };
        const list = listVideos(videos, true);
        const metadata = readMetadataOf(callOptions?.video_metadata, list.length);
        const budget = args.makeBudget('a video', maker.maxBytes, list.length);
        const chosen = list.map(({ argument, value }, i) => {
          if (isTensor(value)) {
            const { count } = tensorFrames(argument, value);
            return choose(maker, call, argument, { ...metadata[i], count });
          }
          if (Array.isArray(value) && value.length === 0)
            args.rangeError(`${argument} must hold at least one image, got []`);
          const count = Array.isArray(value) ? value.length : undefined;
          return choose(maker, call, argument, { ...metadata[i], count });
        });
        await loader.loadAsync();
        /** @type {unknown[]} */
        const written = [];
        for (const [i, { argument, value }] of list.entries()) {
          const { duration } = metadata[i];
          const from = { argument, value, duration, video: i, decoding, budget, ...chosen[i] };
          written.push(await args.abortable(readVideo(maker, call, from), signal));
        }
        const outputs = args.spending(budget, () => outputsOf(maker, call, written));
        return /** @type {VideoOutputs<Name>} */ (outputs);
      });
    return Object.assign(processor, described(maker, 'videoProcessorAsync'));
  });
}

/** Chooses and writes the frames of videos in memory. All writers are opened first, so that sizes are checked before
 * pixels are read.
 * @type {(maker: VideoMaker, call: VideoCall, videos: readonly Frames[], metadata: readonly VideoFacts[]) =>
 *   unknown[]} */
function writeVideos(maker, call, videos, metadata) {
  // All writers are there before pixels are read: sizes are checked before work.
  const plans = videos.map((video, i) => {
    const { argument, width, height, count } = video;
    const { frames, places } = choose(maker, call, argument, { ...metadata[i], count });
    const shape = { argument, frames, width, height, duration: metadata[i].duration };
    return { video, places, writer: maker.row.rule.open(call, shape) };
  });
  checkInto(
    call,
    plans.map(({ writer }) => writer),
  );
  return plans.map(({ video, places, writer }, i) => {
    for (let frame = 0; frame < video.count; frame++) {
      const wanted = places ? places.get(frame) : [frame];
      if (wanted) put(call, writer, wanted, video.imageAt(frame), { video: i, frame });
    }
    return writer.close();
  });
}

/** Reads the frames of a video one after the other, and no more than are wanted.
 * @param {VideoMaker} maker
 * @param {VideoCall} call
 * @param {{ argument: string, value: unknown, duration: number | undefined, video: number, decoding: Decoding,
 *   budget: args.Budget } & ChosenFrames} from */
async function readVideo(maker, call, { argument, value, duration, video, decoding, budget, count, frames, places }) {
  const { rule } = maker.row;
  /** @type {VideoWriter<unknown> | undefined} */
  let writer;
  let first = { width: 0, height: 0 };
  const last = places ? args.largest([...places.keys()]) : Infinity;
  let frame = 0;
  for await (const image of framesOf(argument, value)) {
    if (count !== undefined && frame >= count)
      args.rangeError(`${argument} must give ${count} frames, as video_metadata says, got more`);
    const wanted = places ? places.get(frame) : [frame];
    if (wanted) {
      const name = `${argument}[${frame}]`;
      const entry = { argument: name, value: image, className: classNameOf(image) };
      await withDecoded([entry], decoding, (entries) => {
        const [pixels] = isTensor(value) ? [/** @type {Image} */ (image)] : imagesOf(entries, 'videoProcessorAsync');
        args.spending(budget, () => {
          if (!writer) {
            first = { width: pixels.width, height: pixels.height };
            writer = rule.open(call, { argument, frames, ...first, duration, isStream: true });
          }
          checkFrame(name, pixels, first);
          checkApart(call, name, pixels.data);
          put(call, writer, wanted, pixels, { video, frame });
        });
      });
    }
    frame += 1;
    if (frame > last) break;
  }
  // A stream may end early: chosen frames, or those that metadata states, have to be there.
  const least = places ? last + 1 : (count ?? 1);
  if (frame < least || !writer) args.rangeError(`${argument} must give ${least} frames, got ${frame}`);
  return args.spending(budget, /** @type {VideoWriter<unknown>} */ (writer).close);
}

/** The frames of a video as something to iterate over.
 * @type {(argument: string, value: unknown) => Iterable<unknown> | AsyncIterable<unknown>} */
function framesOf(argument, value) {
  if (!isTensor(value) || isStream(value)) return /** @type {Iterable<unknown> | AsyncIterable<unknown>} */ (value);
  const { count, imageAt } = tensorFrames(argument, value);
  return Array.from({ length: count }, (_, i) => imageAt(i));
}

/** Writes the pixels of a frame to the video's writer, at each of `places`: the indices that it has among the chosen
 * frames. If the call has `onStep`, it hears each step of the picture, with `at`: the indices of the video and the
 * frame.
 * @type {(call: VideoCall, writer: VideoWriter<unknown>, places: readonly number[], image: Image,
 *   at: { video: number, frame: number }) => void} */
function put({ settings, onStep }, writer, places, image, at) {
  /** @type {Picture['onStep']} */
  // Memory that the caller's function takes does not count towards the call's.
  const listener = onStep && ((step) => args.spending(undefined, () => onStep({ ...step, ...at })));
  const picture = pictureOf(image, settings.do_convert_rgb, listener);
  for (const place of places) writer.put(place, picture);
}

/** Chooses the frames of a video. `places`: where each chosen frame goes; undefined where all are taken
 * @type {(maker: VideoMaker, call: Call, argument: string, video: VideoFacts & { count: number | undefined }) =>
 *   ChosenFrames} */
function choose({ row, file }, call, argument, { argument: name, count, total, fps, duration }) {
  const frameCount = count ?? total;
  if (!call.settings.do_sample_frames) {
    if (frameCount === undefined && row.rule.countsFrames?.(call))
      args.rangeError(
        `${name} total_num_frames must be given, on which the sizes of ${argument} depend, got undefined`,
      );
    return { count: frameCount, frames: frameCount, places: undefined };
  }
  if (frameCount === undefined)
    args.rangeError(`${name} total_num_frames must be given to choose frames of ${argument}, got undefined`);
  if (total !== undefined && total !== frameCount)
    args.rangeError(`${name} total_num_frames must be ${frameCount}, as many as ${argument} has, got ${total}`);
  const indices = row.sample({ settings: call.settings, file }, { argument: name, total: frameCount, fps, duration });
  if (indices.length === 0) args.rangeError(`${argument} must keep at least one frame, got none of ${frameCount}`);
  // A frame that is chosen twice has two places.
  /** @type {Map<number, number[]>} */
  const places = new Map();
  indices.forEach((frame, place) => {
    const framePlaces = places.get(frame);
    if (framePlaces) framePlaces.push(place);
    else places.set(frame, [place]);
  });
  return { count: frameCount, frames: indices.length, places };
}

/** Makes the outputs of the written videos, and Qwen2.5-VL's seconds a grid where the processor around is its.
 * @type {(maker: VideoMaker, call: VideoCall, written: readonly unknown[]) => ClassOutputs} */
function outputsOf({ row, owner }, call, written) {
  const outputs = row.rule.outputs(call, [...written]);
  if (owner !== 'Qwen2_5_VLProcessor' || !outputs.video_grid_thw) return outputs;
  const { temporal_patch_size: group, fps = 2 } = call.settings;
  const seconds = newData(dtypes.float32, written.length, undefined).fill(group / fps);
  return { ...outputs, second_per_grid_ts: tensorOf(dtypes.float32, seconds, [written.length]) };
}

/** The properties and methods of a processor beside the call. `door`: the name of the public function, for messages
 * @type {(maker: VideoMaker, door: string) => VideoProcessorParts} */
function described(maker, door) {
  const { name, ignored, row, file } = maker;
  const { patches } = row;
  return {
    className: name,
    ignored,
    sampleFrames: (/** @type {VideoMetadata} */ metadata, /** @type {VideoCallOptions | undefined} */ options) =>
      args.named(`${door} sampleFrames`, () => {
        const { settings } = readCall(maker, options, []);
        const budget = args.makeBudget('a video', maker.maxBytes);
        return args.spending(budget, () => row.sample({ settings, file }, readMetadata(metadata)));
      }),
    ...(patches && {
      get_num_of_video_patches: (
        /** @type {number} */ frames,
        /** @type {number} */ height,
        /** @type {number} */ width,
        /** @type {VideoCallOptions | undefined} */ options,
      ) =>
        args.named(`${door} get_num_of_video_patches`, () => {
          const call = readCall(maker, countOptions(row, options, file), []);
          checkExtents({ frames, height, width });
          const video = { argument: 'the video', frames, height, width, duration: undefined };
          return args.spending(args.makeBudget('a video', maker.maxBytes), () => patches(call, video));
        }),
    }),
  };
}
