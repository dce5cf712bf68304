/** The types of image processors. */
import type { Channels, Image, Rescaling } from '../engines/images/types.js';
import type { BrowserClass } from '../image/internal.js';
import type { Encoded, ImageLike } from '../image/types.js';
import type { ImageOptionNames } from './option-names.js';
import type { ImageSettings, SizeSetting } from './option-types.js';
import type { ImageClasses } from './outputs.js';
import type { DType, Tensor, TensorLike } from '../tensor/index.js';

export type { Readers } from './settings/readers.js';
export type { ImageClasses, SizeSetting };

export type PixelType = 'float32' | 'float16' | 'bfloat16';

export type Decodable = BrowserClass<'Blob'> | Encoded | ImageLike;

/** Reads a setting; the type of `value` is what callers may give. */
export type Reader = (name: string, value: any) => any;

/** Makes a processor's outputs of its pictures. */
export type Make = ((call: Call, pictures: Picture[]) => ClassOutputs) & { reads: readonly string[] };

/** Counts the patches or tiles of a picture without pixels: `get_number_of_image_patches` of Python's class. */
export interface Counting {
  patches: (call: Call, picture: Picture) => number | number[];
}

export interface Chain {
  steps: readonly Step[];
  /** {@link usualNumbers} if omitted */
  numbers?: ((call: Call, pictures: Picture[]) => Numbers) & { reads: readonly string[] };
  /** where pictures lie in what is written; as large as they are if omitted */
  frames?: ((call: Call, pictures: Picture[]) => Rectangle[]) & { reads: readonly string[] };
  /** the number beside pictures; 0 if omitted */
  border?: ((call: Call) => number) & { reads: readonly string[] };
  /** what is returned beside `pixel_values` */
  extraOutputs?: ((call: Call, pictures: Picture[], layout: Made) => ClassOutputs) & { reads: readonly string[] };
}

/** How one axis is resized: from the pixels `from` to `to`, of which the picture has those from 0 on. */
export interface FloatAxis {
  /** the kernel's name of the filter */
  filter: string;
  from: number;
  to: number;
  /** of a Gaussian that blurs before */
  sigma?: number;
}

/** A picture that will be resized as float32: nothing of it is computed yet. */
export interface FloatPicture {
  source: Picture;
  /** of the result */
  size: Size;
  /** the part of the resized picture that the result shows */
  shown: Rectangle;
  /** where that part lies in the result; 0 before normalization is beside it */
  at: { x: number; y: number };
  /** the size of the whole resized picture */
  resized: Size;
  axes: { columns: FloatAxis; rows: FloatAxis };
  rescaling: Rescaling;
}

/** How resized numbers are rescaled, and the steps that are reported for it. */
export type FloatFinish = Partial<Omit<Rescaling, 'numbers'>> & { steps?: readonly StepReport[] };

export interface ProcessorOptions<Name extends string = string> {
  /** The library whose numbers pictures have: torchvision's if omitted, as in transformers. */
  backend?: 'torchvision' | 'pil';
  /** The class, by its name in transformers, where the configuration has none or another. */
  className?: Name;
  /** The type of `pixel_values`, where a call does not say it: float32 if omitted. */
  dtype?: PixelType;
  /** The bytes that each image of a call may become: 1 GiB if omitted. */
  maxBytes?: number;
  /** Whether a call refuses settings that no class has, as if omitted, or ignores them. */
  unknown?: 'refuse' | 'ignore';
}

/** Options of every class. */
export interface SharedCallOptions {
  /** The type of `pixel_values`: that of the processor if omitted. float16 and bfloat16 are rounded once. */
  dtype?: PixelType;
  /** The type of masks with a number a pixel, `pixel_mask` and `pixel_attention_mask`: int64 if omitted. */
  maskDtype?: 'int64' | 'bool';
  /** Is called with each step that is done to a picture, whose number is `image`. */
  onStep?: (step: StepReport & { image: number }) => void;
  /** Adds `sizes` to the outputs, {@link ImageSizes} of each image. */
  returnSizes?: boolean;
  /** Memory for the result, of its type and dims: nothing is allocated for it. */
  out?: { pixel_values?: TensorLike };
}

/** The options of any class. Those of other classes have no effect. */
export type CallOptions = Settings & ImageSettings & SharedCallOptions;

/** The classes that imageProcessor knows. */
export type ImageClassName = `${keyof ImageOptionNames}ImageProcessor`;

/** The options of a class's call, by its name. Any options where the name is known only at run time. */
export type ImageCallOptions<Name extends string = string> = string extends Name
  ? CallOptions
  : RowName<Name> extends keyof ImageOptionNames
    ? SharedCallOptions & Pick<ImageSettings, ImageOptionNames[RowName<Name>]>
    : CallOptions;

/** [height, width] of an image as it came, and after it was resized and cropped, before padding. */
export interface ImageSizes {
  original: number[];
  resized: number[];
}

/** A processor: a function, and what its configuration says. */
export type Processor<Image, Options, Result> = ((images: Image | readonly Image[], options?: Options) => Result) & {
  /** The class, by its name in transformers. */
  className: string;
  /** whose numbers these are: a class that has one backend takes that one */
  backend: Backend;
  /** The configuration's keys that the class does not read. */
  ignored: readonly string[];
  /** the settings of the file and, where it lacks them, of the class: filters by Pillow's numbers, null for none */
  settings: Readonly<Settings>;
  /**
   * the number of patches or tiles of an image, or a list of numbers, where Python's class has it: a prompt has as many
   * places
   */
  get_number_of_image_patches?: (height: number, width: number, options?: CallOptions) => number | number[];
};

/** The file of a class that holds an image processor, as far as prompts need it. */
export interface PromptFile {
  processor_class?: unknown;
  point_pad_value?: unknown;
  target_size?: unknown;
}

/** A processor before any call. */
export interface Maker {
  name: string;
  row: Row;
  backend: Backend;
  /** the class's settings */
  defaults: Settings;
  /** the configuration's settings */
  stated: Settings;
  /** the same with the class's own */
  file: Settings;
  /** of the class that holds the processor */
  holder: PromptFile;
  dtype: DType | undefined;
  ignored: readonly string[];
  /** whether a call's settings may be those of no class */
  ignoresUnknown?: boolean;
  maxBytes: number;
}

export type Size = { width: number; height: number };

export type Rectangle = Size & { x: number; y: number };

export type Backend = 'torchvision' | 'pil';

export interface Picture {
  image: Image;
  /** whether colors are laid on white by the image's alpha; otherwise alpha is dropped */
  isOnWhite: boolean;
  /** how it is resized */
  by: {
    backend: Backend | 'opencv';
    filter: string;
    reducingGap?: number;
    antialias?: boolean;
    hasCorners?: boolean;
    rule?: string;
  };
  /** that the whole image is resized to */
  size: Size;
  /** the part of that which is kept, where it lies in the resized image */
  shown: Rectangle;
  /** the picture's own width and height, and where the kept part lies in it */
  canvas: Rectangle;
  /** red, green and blue of the canvas beside the kept part */
  fill: readonly number[];
  /** who wants to know what becomes of it */
  onStep?: (step: StepReport) => void;
}

/** A step that was done to a picture. */
export interface StepReport {
  name: 'resize' | 'crop' | 'pad' | 'turn' | 'warp' | 'gray' | 'rescale' | 'normalize';
  /** of the picture after a step that is not about numbers */
  width?: number;
  /** likewise */
  height?: number;
  /** of resize */
  filter?: string;
  /** of crop: where the result lies in the picture; of pad: where the picture lies in the result */
  x?: number;
  /** likewise */
  y?: number;
  /** of pad: a color, or the number 0 after normalization; a mirror if omitted */
  fill?: readonly number[] | 0;
  /** of rescale */
  factor?: number;
  /** of rescale: added after the product */
  offset?: number;
  /** of normalize */
  mean?: Mean;
  /** of normalize */
  std?: Mean;
  /** computes the picture as it is after a step on bytes */
  pixels?: () => Pixels;
}

export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 };

/** A mean or a deviation: one number, or those of red, green and blue. */
export type Mean = number | readonly number[];

/** The numbers that the bytes of a picture become. `sources` are those of an RGB picture. */
export type Numbers = { dtype: DType; channels: Channels; steps?: readonly StepReport[] };

export type Outputs = Record<string, Tensor>;

/** The outputs of any class by their names: tensors, and lists where Python has lists. */
export type ClassOutputs = Record<string, Tensor | readonly unknown[]>;

/** The class that a configuration names, if its type has the name; otherwise any, of which editors complete those that
 * are known. */
export type ImageClassOf<Config> = Config extends { image_processor_type: infer Name extends string }
  ? Name
  : Config extends { feature_extractor_type: infer Name extends string }
    ? Name
    : ImageClassName | (string & {});

/** A class's name without the suffixes that files add to it. */
type RowName<Name> = Name extends `${infer Rest}${'Fast' | 'Pil'}`
  ? RowName<Rest>
  : Name extends `${infer Rest}${'ImageProcessor' | 'FeatureExtractor'}`
    ? Rest
    : Name;

/** The outputs of a class, by its name. A name that is known only at run time stands for a usual class. */
export type ImageOutputs<Name extends string = string> = string extends Name
  ? Outputs & { pixel_values: Tensor }
  : RowName<Name> extends keyof ImageClasses
    ? ImageClasses[RowName<Name>]
    : { pixel_values: Tensor };

/** what a chain has made before numbers */
export interface Made {
  /** the sizes of the images */
  originals: readonly Size[];
  frames: readonly Rectangle[];
}

/** Settings that were read. A key that is null in a file is undefined here, and a flag false. */
export type Settings = Record<string, any>;

/** A call's settings, and the backend whose numbers it gives. */
export interface Call {
  backend: Backend;
  settings: Settings;
  /** the settings without those of the call */
  file: Settings;
  /** that the caller asks for */
  dtype: DType | undefined;
  /** of masks with a number a pixel: int64 if undefined */
  maskDtype?: DType | undefined;
  /** pictures of a call's options that are images */
  others?: Record<string, readonly Picture[]>;
  /** how many images each sample has: of a list of lists; one sample of all if it is flat */
  samples: readonly number[];
  /** the caller's tensor for `pixel_values` */
  out?: TensorLike;
  /** the dims of `pixel_values` by those of a batch of pictures, where they differ */
  reshape?: (dims: readonly number[]) => readonly number[];
}

export type Step = ((call: Call, picture: Picture) => Picture) & { reads: readonly string[] };

export interface Row {
  /** the class's own settings, as a file would state them */
  defaults: Settings;
  make: Make & Partial<Counting>;
  /** both if omitted */
  backends?: readonly Backend[];
  /** settings that count in files alone */
  fileOnly?: readonly string[];
  /** settings that are the class's where a file has null */
  nullIsDefault?: readonly string[];
  /** what settings that are null stand for where Python computes with them, by any backend's rules or by one's */
  nulls?: Partial<Record<'both' | Backend, Settings>>;
  /** older names of keys */
  aliases?: Record<string, string>;
  /** settings of other steps than in most classes, and their flags */
  flags?: Record<string, readonly string[]>;
  /** what follows from several settings; `changes` are those of the file and the call */
  adjust?: (settings: Settings, changes: Settings) => Settings;
  /** what the class makes of its file's settings before its own come in */
  ofFile?: (settings: Settings) => Settings;
  /** whether `adjust` counts for the file before the call's settings come in */
  isFinal?: boolean;
  /** the class that holds this one and takes prompts, where the file names none */
  prompts?: string;
  /** how Python reads the options of `get_number_of_image_patches`, where that is not how it reads a call's */
  patchOptions?: (options: Settings, file: Settings) => Settings;
  /** whether images may be samples of images: a list of lists */
  isNested?: boolean;
  /** whether images keep their channels, whatever `do_convert_rgb` says */
  keepsChannels?: boolean;
  /** of settings that images do not have; they may be null */
  readers?: Record<string, Reader>;
}

/** the tiles of a picture; 0 rows and columns of one that is whole */
export interface Grid {
  tiles: Picture[];
  rows: number;
  columns: number;
}
