/** The types of feature extractors. */
import type { Row as OptionRow } from '../arguments/index.js';
import type { PadMode, Spectrum, SpectrumSettings } from '../engines/audio/types.js';
import type { Tensor, TensorLike } from '../tensor/index.js';
import type { AudioLike, Waveform } from './audio.js';
import type { AudioOptionNames } from './option-names.js';
import type { AudioSettings, SharedAudioOptions } from './option-types.js';
import type { AudioClasses } from './outputs.js';
import type { WavHeader } from './wav-header.js';

/** The settings of a class by their names. settings.js checks each by its name; the classes know which they have. */
export type Settings = Record<string, any>;

type AllOptions = SharedAudioOptions & AudioSettings;

/** The options of a call as they were read: null is as if omitted. */
export type CallOptions = { [Name in keyof AllOptions]?: NonNullable<AllOptions[Name]> };

/** A tensor or, where shapes differ, a list; or what is no array in Python either. */
export type Output = Tensor | Tensor[] | number[] | (number | null)[][];
export type Outputs = Record<string, any>;

/** The class that a configuration names, if its type has the name; otherwise any, of which editors complete those that
 * are known. */
export type AudioClassOf<Config> = Config extends { feature_extractor_type: infer Name extends string }
  ? Name
  : AudioClassName | (string & {});

type RowName<Name> = Name extends `${infer Rest}FeatureExtractor` ? Rest : Name;

/** The outputs of a class, by its name. Any outputs where the name is known only at run time. */
export type AudioOutputs<Name extends string = string> =
  RowName<Name> extends keyof AudioClasses ? AudioClasses[RowName<Name>] : Outputs;

/** The classes that featureExtractor knows. */
export type AudioClassName = `${keyof AudioOptionNames}FeatureExtractor`;

/** The options of a class's call, by its name. Any options where the name is known only at run time. */
export type AudioCallOptions<Name extends string = string> = string extends Name
  ? AllOptions & Record<string, unknown>
  : RowName<Name> extends keyof AudioOptionNames
    ? SharedAudioOptions & Pick<AudioSettings, AudioOptionNames[RowName<Name>] & keyof AudioSettings>
    : AllOptions & Record<string, unknown>;

/** Outputs of a batch that is not padded: a list where the lengths differ. */
export type Unpadded<Out> = {
  [Name in keyof Out]: Out[Name] | (Out[Name] extends Tensor | undefined ? Tensor[] : never);
};

/** Outputs of a batch, padded as the class does by default. */
export type BatchOutputs<Name extends string> =
  RowName<Name> extends 'Speech2Text' | 'SpeechT5' | 'Wav2Vec2' ? Unpadded<AudioOutputs<Name>> : AudioOutputs<Name>;

/** All settings, and the row and options of a stream or a call. `prepared` is what the row's `prepare` gave. */
export type StreamCall = Settings & { row: Row; prepared: Spectrum; options: CallOptions };
/** `batch`: of float64, too, where the row `keepsFloat64` */
export type Call = StreamCall & { batch: Waveform<Float32Array>[] };

/** Memory of the caller's for the parts of a stream: by output a tensor or a typed array. */
export type StreamOut = Record<string, TensorLike | ArrayBufferView | undefined>;

/** A stream of one extractor: what samples so far have given, and what is left at the end. */
export type StreamSteps = {
  push: (samples: Float32Array, out?: StreamOut) => Outputs | undefined;
  end: (out?: StreamOut) => Outputs | undefined;
};

/** An array and its dims, without the axis of the batch. */
export type Item<Data = Float32Array> = { data: Data; dims: number[] };

/** Features of one waveform, and what its mask is made of: `count` and `frames`, or `flags`. */
export type ItemFeatures = Item & {
  /** Features of `frames` rows, of which the first `count` are real. */
  count?: number;
  frames?: number;
  /** The mask itself. */
  flags?: Item<Int32Array>;
};

/** Features of one waveform: `frames` frames of `width` numbers, such as mels. `dims` are [frames, width] or, by
 * columns, [width, frames]. */
export type Features = { data: Float32Array; frames: number; width: number; dims: number[] };

/** How a waveform is cut to frames. */
export type Cut = {
  /** Padding in front. */
  left?: number;
  /** Padding behind: `left` if omitted. */
  right?: number;
  mode?: PadMode;
  /** How many frames are left out at the end, and how many are made at most. */
  dropped?: number;
  maxFrames?: number;
  /** Whether a mel's frames lie side by side. */
  byColumns?: boolean;
};

/** An item of a batch: `length` rows of `width` numbers, of which those from `first` to before `end` are real, and the
 * others padding. A row of a waveform is a sample, one of features a frame. */
export type PaddedItem = {
  data: Float32Array;
  width: number;
  length: number;
  /** [length], or [length, width] of rows. */
  dims: number[];
  first: number;
  end: number;
  /** Whether the memory is the caller's. */
  isShared: boolean;
  /** How many rows it had before truncation and padding. */
  realLength: number;
};

/** How the items of a call are padded and cut, as read from its options and the class's defaults. */
export type Padding = {
  strategy: 'longest' | 'max_length' | 'do_not_pad';
  /** `max_length`, in rows. */
  limit: number | undefined;
  truncation: boolean;
  /** `pad_to_multiple_of`, in rows. */
  multiple: number | undefined;
  /** `padding_value`, the number in padding. */
  value: number;
  /** Whether padding lies in front of the item, and not behind it. */
  isLeft: boolean;
};

export type PadDefaults = {
  padding?: unknown;
  max_length?: number;
  truncation?: boolean;
  pad_to_multiple_of?: number;
};

/** A class of feature extractors. What is omitted is as `sharedSteps` of rows.js has it. */
export type Row = {
  /** The outputs, features and mask first, and along which axis the parts of a stream are joined. */
  axes: Record<string, number>;
  /** The class's own settings, as a file would state them. */
  defaults: Settings;
  /** Settings that may be null, beside those that are null by default. */
  nullable?: readonly string[];
  /** The options of a call, besides those of every call, and their readers. AudioSettings has their sentences. */
  options: Partial<Record<keyof AudioSettings, OptionRow>>;
  /** Whether float64 samples stay float64. */
  keepsFloat64?: boolean;
  /** Whether a call may have no audio. */
  mayLackAudio?: boolean;
  /** The settings of its spectrogram, beside those that have the same name in every class. */
  spectrum?: (settings: Settings) => Partial<SpectrumSettings>;
  /** Windows and filters that the settings give, made once. */
  prepare: (settings: Settings, row: Row) => unknown;
  /** Changes a waveform before it is padded or cut to frames. */
  changeWave: (samples: Float32Array, call: StreamCall) => Float32Array;
  /** Whether frames are padded instead of waveforms. */
  padsFrames?: boolean;
  /** Whether these frames are made as [mels, frames], and not as [frames, mels]. */
  byColumns?: boolean;
  /** Changes the frames of a waveform before they are padded. */
  changeFrames: (features: Features, call: StreamCall) => Features;
  /** Gives the options of padding for a call that leaves them out. */
  padding: (settings: Settings) => PadDefaults;
  /** Settings of padding that files cannot change. */
  fixedSettings?: Settings;
  /** Whether waveforms that stay unequal are refused before features are made. */
  needsEqualLengths?: boolean;
  /** Whether items of unequal dims are refused. Otherwise they become a list. */
  mustStack: boolean;
  /** Makes the features of one padded waveform, or of its padded frames, as the model takes them. */
  makeItem: (item: PaddedItem, call: StreamCall, items: PaddedItem[]) => ItemFeatures;
  /** Changes the features of a batch in place, where they depend on those of all waveforms. */
  changeItems?: (items: ItemFeatures[], call: StreamCall) => void;
  /** Makes the mask of one waveform: int32 numbers, whatever type they get. */
  makeMask: (item: PaddedItem, call: StreamCall, features: ItemFeatures) => Item<Int32Array>;
  maskType: 'int32' | 'int64' | 'bool';
  /** Whether a call gives its mask. */
  givesMask: (call: StreamCall) => unknown;
  makeOutputs: (call: Call) => Outputs;
  /** Opens a stream; undefined if all samples must be there before anything can be computed. */
  stream: (call: StreamCall) => StreamSteps | undefined;
};

/** The error of an invalid setting that matters only to calls in which the setting or option `switchedBy` is on. */
export type HeldError = { switchedBy: string; error: unknown };

/** A feature extractor that was read. */
export type Extractor = {
  className: string;
  row: Row;
  settings: Settings;
  heldErrors: readonly HeldError[];
  prepared: { value?: unknown };
  maxBytes: number;
  /** whether the options of a call may be those of no class */
  ignoresUnknown: boolean;
};

export interface ExtractorOptions<Name extends string = string> {
  /** The class, by its name in transformers, where the configuration has none or another. */
  className?: Name;
  /** Bytes that each sound of a call may become: 1 GiB if omitted. */
  maxBytes?: number;
  /** Whether a call refuses options that the class does not have, as if omitted, or ignores them. */
  unknown?: 'refuse' | 'ignore';
}

export interface WavHeaderOptions {
  /** The length of the file, in bytes: that of `bytes` if omitted. */
  byteLength?: number;
}

export interface DecodeWavOptions {
  /** The header from `readWavHeader`, where the bytes are samples alone, from the start of a frame on, as in files that
   * are read in pieces. */
  header?: WavHeader;
}

export interface WavOptions {
  /** The form of samples: 'pcm16' if omitted. Whole numbers are rounded to nearest even, and saturate. */
  format?: 'pcm8' | 'pcm16' | 'pcm24' | 'pcm32' | 'float32' | 'float64';
  /** The rate of audio that carries none, in samples a second. */
  sampling_rate?: number;
}

export interface StreamOptions {
  /** Memory for the parts, by name: tensors or typed arrays that are large enough. A part lies at its beginning. */
  out?: StreamOut;
}

/**
 * A feature extractor of audio that comes in pieces. Joined along `axes[name]`, the parts of an output are equal in
 * every bit to the output of the whole.
 */
export type ExtractorStream<Out = Outputs> = {
  /** Takes samples of one channel; undefined while nothing is complete. */
  push: (samples: AudioLike, options?: StreamOptions) => Partial<Out> | undefined;
  /** The outputs of the samples that are still there; undefined if there are none. */
  end: (options?: StreamOptions) => Partial<Out> | undefined;
  axes: Record<string, number>;
};

export interface Padded {
  /** Up to which length a batch is padded: 'longest' or true, 'max_length', 'do_not_pad' or false. */
  padding: true | 'longest' | 'max_length';
}

export interface NotPadded {
  /** Up to which length a batch is padded: 'longest' or true, 'max_length', 'do_not_pad' or false. */
  padding: false | 'do_not_pad';
}

/** A feature extractor: a function, and what its configuration says. */
export interface FeatureExtractor<Name extends string = string> {
  (audio: AudioLike | null, options?: AudioCallOptions<Name>): AudioOutputs<Name>;
  (audio: Batch, options: AudioCallOptions<Name> & Padded): AudioOutputs<Name>;
  (audio: Batch, options: AudioCallOptions<Name> & NotPadded): Unpadded<AudioOutputs<Name>>;
  (audio: Batch, options?: AudioCallOptions<Name>): BatchOutputs<Name>;
  /** The class, by its name in transformers. */
  className: string;
  /** Samples a second that the model takes. */
  sampling_rate: number;
  /** The configuration's keys that the class does not read. */
  ignored: readonly string[];
  /** Takes audio in pieces. */
  stream: (options?: AudioCallOptions<Name>) => ExtractorStream<AudioOutputs<Name>>;
}

/** A waveform, or a list of these. */
export type Batch = AudioLike | readonly AudioLike[] | null;
