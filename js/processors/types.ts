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

/** Checks the value of the setting `name` and returns it, or a copy. The type of `value` is what callers may give. */
export type Reader = (name: string, value: any) => any;

/** Makes the outputs of one call of a class from its pictures, one for each image. `reads`: the settings that it
 * reads. */
export type Make = ((call: Call, pictures: Picture[]) => ClassOutputs) & { reads: readonly string[] };

/** `patches` computes `get_number_of_image_patches` of Python's class: it counts the patches or tiles of a picture, of
 * which only the size is read. */
export interface Counting {
  patches: (call: Call, picture: Picture) => number | number[];
}

/** How a class makes `pixel_values` where each picture goes through the same steps. Each part names in `reads` the
 * settings that it reads. */
export interface Chain {
  /** from picture to picture, in their order */
  steps: readonly Step[];
  /** the numbers that the bytes of the last pictures become; {@link usualNumbers} if omitted */
  numbers?: ((call: Call, pictures: Picture[]) => Numbers) & { reads: readonly string[] };
  /** for each picture a rectangle: `width` and `height` of all results, and `x` and `y`, where the picture lies in its
   * own; each is as large as its picture if omitted */
  frames?: ((call: Call, pictures: Picture[]) => Rectangle[]) & { reads: readonly string[] };
  /** the number, after normalization, that fills frames around the pictures; 0 if omitted */
  border?: ((call: Call) => number) & { reads: readonly string[] };
  /** the outputs other than `pixel_values`, by name */
  extraOutputs?: ((call: Call, pictures: Picture[], layout: ChainLayout) => ClassOutputs) & {
    reads: readonly string[];
  };
}

/** How one axis is resized: the part from `from` to `to`, in pixels of the picture, becomes the result. Where they lie
 * outside of the picture, filters that keep the corners (`BilinearCorners`) read its mirror image, the others 0. */
export interface FloatAxis {
  /** the kernel's name of the filter, as 'BilinearCorners' */
  filter: string;
  from: number;
  to: number;
  /** the standard deviation, in pixels, of a Gaussian blur before the axis is resized; none if omitted */
  sigma?: number;
}

/** A request to resize a picture as float32 numbers; nothing is computed yet. The picture is resized to `resized`; the
 * result has `size`, which a crop makes differ. */
export interface FloatPicture {
  source: Picture;
  /** the width and height of the result, in pixels */
  size: Size;
  /** the part of the resized picture that the result shows */
  shown: Rectangle;
  /** the place of that part in the result; pixels around it are as if they were 0 before normalization */
  at: { x: number; y: number };
  /** the size of the whole resized picture */
  resized: Size;
  axes: { columns: FloatAxis; rows: FloatAxis };
  /** the numbers that bytes become before they are resized, and the formula for the resized numbers */
  rescaling: Rescaling;
}

/** The formula that follows on resized numbers, as in {@link Rescaling}, and the steps that are reported for it. */
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

/** A processor before any call: its class, and the settings of its configuration. */
export interface Maker {
  /** of the class in transformers, as 'ViTImageProcessor' */
  name: string;
  /** of the class in the table of processors */
  row: Row;
  backend: Backend;
  /** the class's settings */
  defaults: Settings;
  /** the configuration's settings alone: a call's are laid over them */
  stated: Settings;
  /** the configuration's settings and, where it lacks them, the class's */
  file: Settings;
  /** the file of the class that holds the processor */
  holder: PromptFile;
  /** of `pixel_values`, where a call does not say it */
  dtype: DType | undefined;
  /** the configuration's keys that the class does not read */
  ignored: readonly string[];
  /** whether a call may have options that no class reads */
  ignoresUnknown?: boolean;
  /** the memory that one image of a call may take */
  maxBytes: number;
}

/** In pixels. */
export type Size = { width: number; height: number };

/** Bounds of a size, as `smart_resize` of Python's classes has them. */
export interface AreaBounds {
  /** both sides are multiples of this, in pixels */
  factor: number;
  /** the least number of pixels, of all frames together */
  minPixels: number;
  /** the greatest number */
  maxPixels: number;
  /** how many frames have this size; 1 if omitted */
  frames?: number;
  /** how many count when pixels are compared with the bounds, where Python rounds their number; `frames` if omitted */
  countedFrames?: number;
  /** the least side of a size that is only rounded; 0 if omitted */
  shortest?: number;
}

/** In pixels, with its top left corner at `x`, `y`. */
export type Rectangle = Size & { x: number; y: number };

export type Backend = 'torchvision' | 'pil';

/** An image, and the changes to make to it when it is written, in this order: the whole image is resized to `size`, the
 * part `shown` of that is kept, and this part is laid on a `canvas`. The picture is as large as its canvas. */
export interface Picture {
  image: Image;
  /** whether colors are laid on white by the image's alpha; otherwise alpha is dropped */
  isOnWhite: boolean;
  /** how the image is resized */
  resizeMethod: {
    backend: Backend | 'opencv';
    filter: string;
    reducingGap?: number;
    antialias?: boolean;
    hasCorners?: boolean;
    rule?: string;
  };
  /** the size that the whole image is resized to */
  size: Size;
  /** the part of the resized image that is kept, in its pixels */
  shown: Rectangle;
  /** `width` and `height` of the picture; `x` and `y`: where the kept part lies on it */
  canvas: Rectangle;
  /** red, green and blue of the canvas around the kept part */
  fill: readonly number[];
  /** the listener that each change is reported to */
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

/** How the bytes of a picture become numbers of `dtype`: by the formula or the tables in `channels`, whose `sources`
 * name a channel of RGB for each plane. `steps` are reported to the listener. */
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

/** What a chain knows of its pictures when it makes the outputs other than `pixel_values`. */
export interface ChainLayout {
  /** the sizes of the images before any step */
  originals: readonly Size[];
  /** where each picture lies in its result */
  frames: readonly Rectangle[];
}

/** Settings that were read. A key that is null in a file is undefined here, and a flag false. */
export type Settings = Record<string, any>;

/** The options of one call of a processor, and the backend whose numbers it gives. */
export interface Call {
  backend: Backend;
  /** of the class, the file and the call, each over the one before */
  settings: Settings;
  /** the settings without those of the call */
  file: Settings;
  /** of `pixel_values`, where the caller asks for one */
  dtype: DType | undefined;
  /** of masks with a number a pixel: int64 if undefined */
  maskDtype?: DType | undefined;
  /** the pictures of options that are images, by the option's name, as `trimaps` */
  others?: Record<string, readonly Picture[]>;
  /** how many images each sample has: the lengths of the lists in a list of lists; one number, of all, if it is flat */
  samples: readonly number[];
  /** the caller's tensor for `pixel_values` */
  out?: TensorLike;
  /** makes the dims of `pixel_values` from those of a stack of pictures, [N, 3, H, W], where they differ */
  reshape?: (dims: readonly number[]) => readonly number[];
}

/** Changes a picture by the settings of the call. `reads`: the settings that it reads. */
export type Step = ((call: Call, picture: Picture) => Picture) & { reads: readonly string[] };

/** What is known of a class of processors. */
export interface Row {
  /** the class's own settings, as a file would state them */
  defaults: Settings;
  /** makes its outputs; with `patches` if Python's class counts them */
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

/** The tiles of a picture, and how many rows and columns they form; 0 rows and columns of one that is not cut. */
export interface Grid {
  tiles: Picture[];
  rows: number;
  columns: number;
}
