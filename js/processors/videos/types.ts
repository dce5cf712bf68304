/** The types of video processors. */
import type { ImageLike } from '../../image/types.js';
import type { TypedArray } from '../../arguments/types.js';
import type { DType, TensorLike } from '../../tensor/index.js';
import type { VideoOptionNames } from '../option-names.js';
import type { ImageSettings, VideoSettings as VideoOnlySettings } from '../option-types.js';
import type { VideoClasses } from '../outputs.js';
import type {
  Call,
  CallOptions,
  ClassOutputs,
  Decodable,
  Maker,
  Numbers,
  Outputs,
  Picture,
  Row,
  Settings,
  StepReport,
} from '../types.js';

/** Types of pictures that the rules of videos name. */
export type { Call, ClassOutputs, Numbers, Picture, Settings, Size } from '../types.js';
export type { VideoClasses };

export type DecodableFrame = Decodable;

export type DecodableVideo = VideoLike | readonly DecodableFrame[] | AsyncIterable<DecodableFrame>;

/** Frames one after the other: images, or one tensor of bytes [T, H, W, C] with 1 or 3 channels. */
export type VideoLike = readonly ImageLike[] | TensorLike;

/** Metadata of a video, which its frames do not show. */
export interface VideoMetadata {
  /** frames of the whole video */
  total_num_frames?: number;
  /** frames a second */
  fps?: number | null;
  /** in seconds */
  duration?: number | null;
}

/** The class that a configuration names, if its type has the name; otherwise any, of which editors complete those that
 * are known. */
export type VideoClassOf<Config> = Config extends { video_processor_type: infer Name extends string }
  ? Name
  : VideoClassName | (string & {});

type RowName<Name> = Name extends `${infer Rest}VideoProcessor` ? Rest : Name;

/** The outputs of a class, by its name. Any outputs where the name is known only at run time. */
export type VideoOutputs<Name extends string = string> =
  RowName<Name> extends keyof VideoClasses ? VideoClasses[RowName<Name>] : Outputs;

export interface VideoProcessorOptions<Name extends string = string> {
  /** The class, by its name in transformers, where the configuration has none or another. */
  className?: Name;
  /** The type of `pixel_values_videos`, where a call does not say it: float32 if omitted. */
  dtype?: CallOptions['dtype'];
  /** Bytes that each video of a call may become: 1 GiB if omitted. */
  maxBytes?: number;
}

/** Options of every class. */
export interface SharedVideoOptions {
  /** The type of `pixel_values_videos`: that of the processor if omitted. float16 and bfloat16 are rounded once. */
  dtype?: CallOptions['dtype'];
  /** Of each video, or of the only one: needed where frames are chosen by time. */
  video_metadata?: VideoMetadata | readonly VideoMetadata[];
  /** Memory for the result, of its type and dims, by the output's name: nothing is allocated for it. */
  out?: { pixel_values_videos?: TensorLike; pixel_values?: TensorLike };
  /** Is called with each step that is done to a frame, whose numbers are `video` and `frame`. */
  onStep?: (step: StepReport & { video: number; frame: number }) => void;
}

/** The options of any class. Those of other classes have no effect. */
export type VideoCallOptions = Settings & ImageSettings & VideoOnlySettings & SharedVideoOptions;

/** The classes that videoProcessor knows. */
export type VideoClassName = `${keyof VideoOptionNames}VideoProcessor`;

/** The options of a class's call, by its name. Any options where the name is known only at run time. */
export type VideoOptionsOf<Name extends string = string> = string extends Name
  ? VideoCallOptions
  : RowName<Name> extends keyof VideoOptionNames
    ? SharedVideoOptions & Pick<ImageSettings & VideoOnlySettings, VideoOptionNames[RowName<Name>]>
    : VideoCallOptions;

/** Facts of a video processor that need no pixels. */
export interface VideoProcessorParts<Options = VideoCallOptions> {
  className: string;
  ignored: readonly string[];
  /** the numbers of the frames that the class chooses of a video, to decode only those */
  sampleFrames: (metadata: VideoMetadata, options?: Options) => number[];
  /**
   * the number of patches of a video, where Python's class has it: a prompt has as many places. HYV4VL gives a list,
   * the number and its grid of groups, rows and columns
   */
  get_num_of_video_patches?: (frames: number, height: number, width: number, options?: Options) => number | number[];
}

export type VideoSettings = Settings;

/** The options of one call. `callerOut` is the tensor of the caller's option `out`, of which each video takes the next
 * part if it fits: `taken` elements are used so far. `argument`: its name in messages. */
export interface VideoCall extends Call {
  onStep: VideoCallOptions['onStep'];
  callerOut?: { argument: string; tensor: TensorLike; dtype: DType; data: TypedArray; taken: number };
}

/** The settings of a call that chooses frames, and those of the file alone. */
export type SampleCall = { settings: VideoSettings; file: VideoSettings };

/** What is known of a video whose frames are chosen. */
export interface SampledVideo {
  /** the name of its metadata in messages */
  argument: string;
  /** its number of frames */
  total: number;
  /** its frames a second */
  fps: number | undefined;
  /** in seconds */
  duration: number | undefined;
}

/** Chooses frames of a video: their indices from 0 on, in the order in which the model gets them. */
export type Sampler = (call: SampleCall, video: SampledVideo) => number[];

/** A video before its frames are read. */
export interface VideoShape {
  /** its name in messages */
  argument: string;
  /** how many frames are written of it, if that is known */
  frames: number | undefined;
  /** the width and height of its frames */
  width: number;
  height: number;
  /** in seconds */
  duration: number | undefined;
  /** whether a frame's memory may become the next one's */
  isStream?: boolean;
}

/** How the frames of a video are written: in groups of `groupFrames` frames. A model that looks at several frames at
 * once takes a group as one patch in time. */
export interface FrameLayout {
  /** the rule that turns bytes into numbers, and their dtype */
  numbers: Numbers;
  /** elements of a group in the result */
  groupElements: number;
  /** frames in a group, as `temporal_patch_size`; 1 if omitted */
  groupFrames?: number;
  /** the last frame is repeated until the number of frames is a multiple of this; `groupFrames` if omitted */
  frameMultiple?: number;
  /** writes the frames of a group into its bytes */
  write: (frames: readonly Picture[], destination: Uint8Array) => void;
  /** the height and width of a frame's planes in pixels or, where `rowDims` is given, of its grid in patches */
  rows: number;
  columns: number;
  /** dims of one row of the result, where rows are patches; frames are planes [3, rows, columns] if omitted */
  rowDims?: readonly number[];
  /** whether videos of planes are filled up to the longest */
  isPadded?: boolean;
}

/** A video whose numbers are written. */
export interface WrittenVideo {
  shape: VideoShape;
  layout: FrameLayout;
  /** how many frames were written, without repeated ones */
  frames: number;
  /** how many groups they fill */
  groups: number;
  /** `groups * layout.groupElements` elements */
  data: TypedArray;
}

/** Takes the frames of one video in any order. `Written`: the type of the written video. */
export interface VideoWriter<Written = WrittenVideo> {
  /** the video before it is written, where its number of frames is known: the caller's `out` is checked by it */
  plan?: Omit<WrittenVideo, 'data'>;
  /** takes the frame of this index in the written video; a frame that is chosen twice comes twice */
  put: (index: number, picture: Picture) => void;
  /** ends the video and gives it as written */
  close: () => Written;
}

/** How a class makes outputs of videos. */
export interface VideoRule<Written = WrittenVideo> {
  reads: readonly string[];
  /** the output of numbers, whose tensor a caller may give; 'pixel_values_videos' if omitted */
  outputName?: 'pixel_values';
  /** whether sizes depend on the number of frames; false if omitted */
  countsFrames?: (call: Call) => boolean;
  /** begins to write a video, before any of its pixels is read */
  open: (call: VideoCall, shape: VideoShape) => VideoWriter<Written>;
  /** a method, so that a row may have a rule of any `Written`: it gets what `open` wrote */
  outputs(call: VideoCall, videos: Written[]): ClassOutputs;
}

/** A class of video processors. */
export interface VideoRow extends Row {
  rule: VideoRule<unknown>;
  sample: Sampler & { reads: readonly string[] };
  /** the number of patches of a video, where Python's class has it */
  patches?: (call: Call, shape: VideoShape) => number | number[];
  /** how Python reads that method's options, where that is not how it reads a call's */
  patchOptions?: (options: Settings, file: Settings) => Settings;
}

/** A processor of videos before any call. */
export interface VideoMaker extends Omit<Maker, 'holder'> {
  row: VideoRow;
  /** the class of the processor that holds this one */
  owner: unknown;
}
