/** Video processors, as transformers has them: from `video_preprocessor_config.json` to what a model takes. */
import * as args from '../../arguments/index.js';
import { loader, ready } from '../../engines/images/index.js';
import { readDecode, readOrientation } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { checkExtents, callOptionsOfCount } from '../settings/index.js';
import { isTensor, listFrames, listVideos, readSampledVideo, readMetadataList, tensorFrames } from './read-videos.js';
import { asyncTable, checkApart, makerOf, readCall } from './video-call.js';
import { chooseFrames, readVideo, writeVideos } from './video-frames.js';

/** @import { DecoderOption, DecodingOptions } from '../../image/types.js' */
/** @import { Frames } from './read-videos.js' */
/** @import { ClassOutputs, DecodableVideo, VideoCall, VideoCallOptions } from './types.js' */
/** @import { VideoClassName, VideoOptionsOf } from './types.js' */
/** @import { VideoClassOf, VideoLike, VideoMaker, VideoMetadata, VideoOutputs } from './types.js' */
/** @import { VideoProcessorOptions, VideoProcessorParts } from './types.js' */

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
    /** Reads the options, the videos and their metadata, then writes the chosen frames and makes the outputs.
     * @type {(videos: unknown, options?: VideoCallOptions) => VideoOutputs<Name>} */
    const processor = (videos, callOptions) =>
      args.named('videoProcessor', () => {
        ready();
        const call = readCall(maker, callOptions, []);
        const takesStreams = false;
        const list = listVideos(videos, takesStreams).map(({ argument, value }) =>
          framesInMemory(call, argument, value),
        );
        const metadata = readMetadataList(callOptions?.video_metadata, list.length);
        const budget = args.makeBudget('a video', maker.maxBytes, list.length);
        const outputs = args.spending(budget, () => {
          const written = writeVideos(maker, call, list, metadata);
          return makeOutputs(maker, call, written);
        });
        return /** @type {VideoOutputs<Name>} */ (outputs);
      });
    return Object.assign(processor, propertiesOf(maker, 'videoProcessor'));
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
    /** Reads the options and metadata and chooses frames, then decodes and writes the videos one after the other.
     * @type {(videos: unknown, options?: VideoCallOptions & DecodingOptions) => Promise<VideoOutputs<Name>>} */
    const processor = (videos, callOptions) =>
      args.namedAsync('videoProcessorAsync', async () => {
        const call = readCall(maker, callOptions, ['orientation', 'signal']);
        const signal = args.readSignal('signal', callOptions?.signal);
        // A listener may call `pixels()` of a step later, so the decoded pixels are kept.
        const decoding = { orientation: readOrientation(callOptions?.orientation), signal, decode, keepsPixels: true };
        const takesStreams = true;
        const list = listVideos(videos, takesStreams);
        const metadata = readMetadataList(callOptions?.video_metadata, list.length);
        const budget = args.makeBudget('a video', maker.maxBytes, list.length);
        const chosen = list.map(({ argument, value }, i) => {
          const count = frameCountOf(argument, value);
          return chooseFrames(maker, call, argument, { ...metadata[i], count });
        });
        await loader.loadAsync();
        /** @type {unknown[]} */
        const written = [];
        for (const [i, { argument, value }] of list.entries()) {
          const { duration } = metadata[i];
          const from = { argument, value, duration, video: i, decoding, budget, ...chosen[i] };
          written.push(await args.abortable(readVideo(maker, call, from), signal));
        }
        const outputs = args.spending(budget, () => makeOutputs(maker, call, written));
        return /** @type {VideoOutputs<Name>} */ (outputs);
      });
    return Object.assign(processor, propertiesOf(maker, 'videoProcessorAsync'));
  });
}

/** Reads a list of images or a tensor as the frames of a video; refuses those that share memory with the caller's
 * `out`.
 * @type {(call: VideoCall, argument: string, value: unknown) => Frames} */
function framesInMemory(call, argument, value) {
  if (Array.isArray(value)) {
    const frames = listFrames(argument, value);
    value.forEach(({ data }, i) => checkApart(call, `${argument}[${i}]`, data));
    return frames;
  }
  const frames = tensorFrames(argument, value);
  checkApart(call, argument, /** @type {{ data: unknown }} */ (value).data);
  return frames;
}

/** Returns the number of frames of a tensor or a list, which must not be empty; undefined for a stream.
 * @type {(argument: string, value: unknown) => number | undefined} */
function frameCountOf(argument, value) {
  if (isTensor(value)) return tensorFrames(argument, value).count;
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0) args.rangeError(`${argument} must hold at least one image, got []`);
  return value.length;
}

/** Makes the outputs of the written videos by the rule of the class. As in Python, those of Qwen2_5_VLProcessor have
 * `second_per_grid_ts` too, the seconds that the frames of a patch last.
 * @type {(maker: VideoMaker, call: VideoCall, written: readonly unknown[]) => ClassOutputs} */
function makeOutputs({ row, owner }, call, written) {
  const outputs = row.rule.outputs(call, [...written]);
  if (owner !== 'Qwen2_5_VLProcessor' || !outputs.video_grid_thw) return outputs;
  // Without the setting Python takes 2 frames a second.
  const { temporal_patch_size: framesPerPatch, fps = 2 } = call.settings;
  const secondsPerPatch = framesPerPatch / fps;
  const seconds = newData(dtypes.float32, written.length, undefined).fill(secondsPerPatch);
  return { ...outputs, second_per_grid_ts: tensorOf(dtypes.float32, seconds, [written.length]) };
}

/** The properties that are laid on a video processor, which is a function: its class, its methods and the keys that it
 * ignores. `publicName`: the name of the public function, for messages
 * @type {(maker: VideoMaker, publicName: string) => VideoProcessorParts} */
function propertiesOf(maker, publicName) {
  const { name, ignored, row, file } = maker;
  const { patches: countPatches } = row;
  /** Chooses frames of a video by its metadata, as a call with the same options does.
   * @type {(metadata: VideoMetadata, options?: VideoCallOptions) => number[]} */
  const sampleFrames = (metadata, options) =>
    args.named(`${publicName} sampleFrames`, () => {
      const { settings } = readCall(maker, options, []);
      const budget = args.makeBudget('a video', maker.maxBytes);
      return args.spending(budget, () => row.sample({ settings, file }, readSampledVideo(metadata)));
    });
  const commonProperties = { className: name, ignored, sampleFrames };
  if (!countPatches) return commonProperties;
  return {
    ...commonProperties,
    /** Counts the patches of a video of `frames` frames of this size, as Python's method does.
     * @type {(frames: number, height: number, width: number, options?: VideoCallOptions) => number | number[]} */
    get_num_of_video_patches: (frames, height, width, options) =>
      args.named(`${publicName} get_num_of_video_patches`, () => {
        const call = readCall(maker, callOptionsOfCount(row, options, file), []);
        checkExtents({ frames, height, width });
        const video = { argument: 'the video', frames, height, width, duration: undefined };
        const budget = args.makeBudget('a video', maker.maxBytes);
        return args.spending(budget, () => countPatches(call, video));
      }),
  };
}
