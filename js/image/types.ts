/** The types of pictures. */
import type { Channels, Image, OpaqueImage, Reduction, ResizeAxis } from '../engines/images/types.js';
import type { ChannelOrder, ImageLayout } from './numbers/layout.js';
import type { Border } from './copy-make-border.js';
import type { Backend, OpenCvFilter, PilFilter, TorchvisionFilter } from './resizing/filters.js';
import type { Rounding } from './resizing/letterbox-geometry.js';
import type { BrowserClass } from './sources/drawables.js';
import type { Orientation } from './sources/read-images.js';
import type { DType, TensorLike } from '../tensor/index.js';

export interface CropOptions {
  /** Left, top, right and bottom of the part, in pixels, which has at least one. Fractions are rounded, half to even,
   * as Pillow rounds them. */
  box: readonly number[];
  /** Pixels of the image's kind and the box's size to write to; they must not overlap the image. */
  out?: ResizablePixels;
}

/** Pixels in a letterbox, and where they lie in it. */
export type LetterboxedPixels<Data extends Uint8Array | Uint8ClampedArray = Uint8Array | Uint8ClampedArray> =
  LetterboxGeometry & { data: Data; channels: number };

/** The types that pixels become. */
export type ImageDtype = 'uint8' | 'int8' | 'float32' | 'float16' | 'bfloat16';

export interface ImageToTensorOptions<T extends ImageDtype = ImageDtype> {
  /** The axes of the result: 'NCHW' if omitted; 'CHW' and 'HWC' for a single image, without the axis of the batch. */
  layout?: ImageLayout;
  /** The channels of the result, in their order: 'RGB' if omitted. */
  channels?: ChannelOrder;
  /** The type of the result: 'float32' if omitted. */
  dtype?: T;
  /** The treatment of alpha where the result has none: 'drop' (if omitted) takes the colors as they are; 'white' lays
   * the image on white first, as transformers' `convert_rgb`. */
  alpha?: 'drop' | 'white';
  /** Puts the image into a letterbox, as `letterbox` does, in place of `width`, `height`, `fit`, `background`, `filter`
   * and `backend`. A `background` of more than one byte is red, green and blue. */
  letterbox?: LetterboxOptions;
  /** A tensor of the result's type and dims to write to; it must not overlap the images. */
  out?: TensorLike;
}

/**
 * The options of `imageToTensor`, read, except `out`, whose dims follow from the images. `fitting`: undefined if there
 * is no width or height; `isOpenCv`: whether gray has OpenCV's weights, not Pillow's; `isOnWhite`: whether pictures
 * with alpha are laid on white
 */
export type Call = {
  layout: ImageLayout;
  channels: ChannelOrder;
  dtype: DType;
  normalization: NormalizationLists;
  fitting: Fitting | undefined;
  letterboxing: Letterboxing | undefined;
  isOpenCv: boolean;
  isOnWhite: boolean;
  out: unknown;
};

export interface BorderOptions {
  /** Rows above the image, 0 if omitted. */
  top?: number;
  /** Rows below the image, 0 if omitted. */
  bottom?: number;
  /** Columns to the left of the image, 0 if omitted. */
  left?: number;
  /** Columns to the right of the image, 0 if omitted. */
  right?: number;
  /** The content around the image, as cv2 names it: 'constant' (if omitted); 'replicate', aaa|abc; 'reflect', cba|abc;
   * 'reflect101', cb|abc; 'wrap', abc|abc. */
  border?: Border;
  /** The color around the image with the border 'constant': a byte for all channels, one for each, or a CSS color. 0 if
   * omitted. */
  background?: number | readonly number[] | string;
  /** Pixels of the result's size to write to; they must not overlap the image. */
  out?: Pixels;
}

export interface WarpOptions {
  /** The width of the result, in pixels: the image's if omitted. */
  width?: number;
  /** The height of the result, in pixels: the image's if omitted. */
  height?: number;
  /** The filter: 'linear' if omitted. */
  filter?: 'nearest' | 'linear' | 'cubic';
  /** The content around the image: 'constant' (if omitted), or 'replicate', its edges. */
  border?: 'constant' | 'replicate';
  /** The color around the image with the border 'constant': a byte for all channels, one for each, or a CSS color. 0 if
   * omitted. */
  background?: number | readonly number[] | string;
  /** Whether the matrix goes from the result's pixels to the image's, as `cv2.WARP_INVERSE_MAP`: false if omitted. */
  inverse?: boolean;
  /** Pixels of the result's size to write to; they must not overlap the image. */
  out?: Pixels;
}

export interface AlignFaceOptions {
  /** Both sides of the result, in pixels, a multiple of 112 or 128: 112 if omitted. */
  size?: number;
  /** Pixels of the result's size to write to; they must not overlap the image. */
  out?: Pixels;
}

/** Pixels as `warpAffine` makes them: rows without padding, in memory of their own or over `out`. */
export type WarpedPixels = { data: Uint8Array | Uint8ClampedArray; width: number; height: number; channels: number };

/**
 * Interleaved pixels of any kind that `resize` takes: bytes of 1 to 4 channels (L, LA, RGB, RGBA), or float32 of one
 * (Pillow's mode F).
 */
export interface ResizablePixels {
  /** row after row */
  data: Uint8Array | Uint8ClampedArray | Float32Array;
  /** in pixels */
  width: number;
  /** in pixels */
  height: number;
  /** follows from the length of data if omitted */
  channels?: number;
  /** bytes from one row to the next; those of a row's pixels if omitted */
  rowstride?: number;
}

/** Pixels as `resize` makes them: rows without padding, in memory of their own or over `out`. */
export type ResizedPixels<
  Data extends Uint8Array | Uint8ClampedArray | Float32Array = Uint8Array | Uint8ClampedArray | Float32Array,
> = { data: Data; width: number; height: number; channels: number };

/**
 * Whose numbers these are, `Usual`'s if omitted, and the filter: if omitted 'bicubic' of 'pil', 'bilinear' of
 * 'torchvision' and 'linear' of 'opencv', as the libraries do.
 */
export type Filtering<Usual extends Backend = 'pil', More = never> =
  | FilteringBy<'pil', PilFilter | More>
  | FilteringBy<'torchvision', TorchvisionFilter | More>
  | FilteringBy<'opencv', OpenCvFilter | More>
  | ('pil' extends Usual ? Partial<FilteringBy<undefined, PilFilter | More>> : never)
  | ('opencv' extends Usual ? Partial<FilteringBy<undefined, OpenCvFilter | More>> : never);

export interface FilteringBy<Name, Filter> {
  /** The library whose numbers the result has: Pillow's, torchvision's or OpenCV's. If omitted Pillow's, or the
   * preset's. */
  backend: Name;
  /** The library's filter. If omitted 'bicubic' of Pillow, 'bilinear' of torchvision and 'linear' of OpenCV. */
  filter?: Filter;
}

export type ResizeOptions = Filtering & {
  /** The width of the result, in pixels. */
  width: number;
  /** The height of the result, in pixels. */
  height: number;
  /** Pillow's: left, top, right and bottom of the part to resize, in pixels, fractions allowed. All of the image if
   * omitted. */
  box?: readonly number[];
  /** Pillow's `reducing_gap`, at least 1: the picture shrinks by whole factors first, the more exactly the larger this
   * is. None if omitted. */
  reducingGap?: number;
  /** Whether more pixels count the more a picture shrinks: true if omitted. It is torchvision's option alone. */
  antialias?: boolean;
  /**
   * Whether colors count as much as they are opaque: true with 'pil' if omitted; the other libraries have false alone.
   */
  premultiply?: boolean;
  /** Pixels of the result's kind and size to write to; they must not overlap the image. */
  out?: ResizablePixels;
};

/** ImageData, or its shape where there is none. */
export type ImageDataLike = BrowserClass<'ImageData'> extends never ? Picture : BrowserClass<'ImageData'>;

/** The result where there is no ImageData. */
export type Picture = { data: Uint8ClampedArray; width: number; height: number };

/**
 * How numbers in a letterbox are brought back to its picture. `bars`: pixels in front of the picture, of x and y;
 * `factors`: divide numbers of x and y or, with `multiplies`, multiply them; `source`: the picture's size
 */
export type Place = { bars: number[]; factors: number[]; multiplies: boolean; source: Size; center: boolean };

/** Computes a float32 number of another one, or of a byte, in a channel. */
export type NumberStep = (value: number, channel: number) => number;

/** Bytes become (byte * factor - mean) / std: not rescaled without a factor, not normalized without a mean. */
export type Scaling = { factor?: number; mean?: number | readonly number[]; std?: number | readonly number[] };

/** How bytes become the numbers of a result: its type, and a formula or tables for each channel. */
export type Numbers = { dtype: DType; channels: Channels };

/** The engine's formula `(x * scale + x * low - mean) / std`. */
export type Formula = Record<'mean' | 'std', number | readonly number[]> & { scale: number; low?: number };

/** One number for all channels, or one for each. */
export type PerChannel = number | readonly number[] | Float32Array | Float64Array;

export interface Normalization {
  /** The name of a model's numbers, in place of the other three. */
  preset?: Preset;
  /** The factor of bytes, one or one a channel: 1 if omitted. */
  scale?: PerChannel;
  /** The mean that is subtracted from scaled numbers, one or one a channel: 0 if omitted. */
  mean?: PerChannel;
  /** The divisor of what is left, one or one a channel: 1 if omitted. */
  std?: PerChannel;
}

/** Float32 numbers, one a channel; `tables` has the result of each byte in place of the three. */
export type NormalizationLists = Record<'scale' | 'mean' | 'std', readonly number[]> & { tables?: Uint8Array };

export type Preset =
  | 'imagenet'
  | 'clip'
  | 'unit'
  | 'signed'
  | 'yolo'
  | 'yolo-cls'
  | 'yolox'
  | 'scrfd'
  | 'rapidocr-det'
  | 'paddleocr-det'
  | 'rapidocr-text';

/**
 * Lists are in the order red, green, blue. `isBackends`: the floats are those of transformers' backends. `numberOf`
 * gives a byte's number, before float32, where the formula rounds otherwise.
 */
export type PresetRow = {
  scale: number;
  mean: number | number[];
  std: number | number[];
  isBackends?: boolean;
  numberOf?: (byte: number, mean: number, std: number) => number;
};

/** Options of `imageToTensor` that a preset brings along. */
export type Recipe = { channels: ChannelOrder; letterbox?: Partial<LetterboxOptions>; fitting?: FitOptions };

/** A part of a picture, in pixels. `x` and `y`: its left top one */
export type Window = Size & { x: number; y: number };

/** A byte for all channels, bytes, or a CSS color. */
export type Background = number | number[] | string;

/** The options of resizing, read. There is a width, a height or both; `filter` may be 'canvas'. */
export type Fitting = Required<Pick<FitOptions, 'fit' | 'backend'>> & {
  width?: number;
  height?: number;
  background: Background;
  filter: string;
};

export interface LetterboxOptions {
  /** The width of the result, in pixels. */
  width: number;
  /** The height of the result, in pixels. */
  height: number;
  /** Whether bars only reach the next multiple of `stride`, so that the result may be smaller: false if omitted. */
  auto?: boolean;
  /** With `auto`: the pixels of which sides become multiples, 32 if omitted. */
  stride?: number;
  /** Whether the picture is stretched, without bars: false if omitted. `auto` wins. */
  scaleFill?: boolean;
  /** Whether pictures may be enlarged: true if omitted. */
  scaleup?: boolean;
  /** Whether the picture lies in the middle, and not at the left top: true if omitted. An odd pixel of the bars goes to
   * the right or the bottom. */
  center?: boolean;
  /** The color of the bars: a byte for all channels, one for each, or a CSS color; null for 0 in the result, whatever 0
   * stands for. 114 if omitted. */
  background?: number | readonly number[] | string | null;
  /** OpenCV's filter: 'linear' if omitted. */
  filter?: OpenCvFilter;
  /**
   * The rule by which the picture's sides become whole. 'round' (if omitted): to nearest, half to even, as
   * Ultralytics; 'floor': cut off, as YOLOX; 'aspect': one side is the result's, the other follows from the picture's
   * ratio and is cut off, as InsightFace; 'ceil': the height is the result's, and the width is rounded up and at most
   * the result's, as RapidOCR's lines of text.
   */
  rounding?: Rounding;
}

/** The options of a letterbox, read. */
export type Letterboxing = Size & {
  auto: boolean;
  stride: number;
  scaleFill: boolean;
  scaleup: boolean;
  center: boolean;
  background: Background | null;
  filter: OpenCvFilter;
  rounding: Rounding;
};

/** Where a picture lies in its letterbox. */
export interface LetterboxGeometry {
  /** of the letterbox */
  width: number;
  height: number;
  /** how many of its pixels stand for one of the picture */
  scale: number;
  /**
   * what boxes are divided by along each axis: the ratio of the whole sides; with the roundings 'floor' and 'aspect'
   * `scale`
   */
  scaleX: number;
  scaleY: number;
  /** pixels in front of the picture */
  left: number;
  top: number;
  /** the picture's own size in the letterbox */
  resized: Size;
  /** the picture's size before */
  source: Size;
  /** whether the picture lies in the middle */
  center: boolean;
}

export interface TextPageOptions {
  /** The lowest length of the shorter side, in pixels: 30 if omitted. */
  minSideLen?: number;
  /** The highest length of the longer side, in pixels: 2000 if omitted. */
  maxSideLen?: number;
  /** A page of so many rows or fewer is flat: 30 if omitted. */
  minHeight?: number;
  /** A page that is wider than so many times its height is flat: 8 if omitted, `Infinity` for none. */
  widthHeightRatio?: number;
}

/** A page of text, and where the picture lies in it. */
export interface TextPage<Data extends Uint8Array | Uint8ClampedArray = Uint8Array | Uint8ClampedArray> {
  data: Data;
  channels: number;
  /** of the page */
  width: number;
  height: number;
  /** pixels in front of the picture */
  left: number;
  top: number;
  /** what points of the page are multiplied with */
  ratioX: number;
  ratioY: number;
  /** the picture's own size in the page */
  resized: Size;
  /** the picture's size before */
  source: Size;
}

export interface GrayOptions {
  /** The library whose weights of the colors count: Pillow's ('pil') if omitted. */
  backend?: 'pil' | 'opencv';
}

export interface OutPixels {
  /** Pixels of the result's size to write to; they must not overlap the image. */
  out?: Pixels;
}

export interface ThumbnailOptions {
  /** The highest width of the result, in pixels. */
  width: number;
  /** The highest height of the result, in pixels. */
  height: number;
  /** Pillow's filter: 'bicubic' if omitted. */
  filter?: PilFilter;
  /** Pillow's `reducing_gap`, at least 1: the picture shrinks by whole factors first, the more exactly the larger this
   * is. 2 if omitted, null for none. */
  reducingGap?: number | null;
}

export interface TextSizeOptions {
  /** RapidOCR's `limit_side_len`, in pixels: 736 if omitted. */
  limitSideLen?: number;
  /** The side that is limited: 'min' (if omitted) the shorter one from below, 'max' the longer one from above. */
  limitType?: 'min' | 'max';
}

export interface TextLineOptions {
  /** The most lines of a batch: 6 if omitted. */
  batchSize?: number;
  /** The least width of a batch, in pixels: 320 if omitted. */
  width?: number;
  /** The height of lines, in pixels: 48 if omitted. */
  height?: number;
}

export interface TextLineBatch {
  /** the places of the batch's lines in the list */
  indices: number[];
  letterbox: Size;
}

/** How a picture is to be resized. */
export interface Request {
  backend: Backend;
  filter: string;
  /** of the whole result */
  width: number;
  height: number;
  /** the part of the result that is made; all of it if omitted */
  window?: { x: number; y: number } & Size;
  /** left, top, right and bottom of the part to resize */
  box?: readonly number[];
  reducingGap?: number;
  /** true if omitted */
  antialias?: boolean;
  /** of torchvision: whether the first and the last pixel of an axis stay */
  hasCorners?: boolean;
  /** of opencv: the module's rule, where `filter` does not name it */
  rule?: string;
  /** pixels of the result for one of the picture, where they do not follow from the sizes: OpenCV's */
  factor?: number;
  /** how many channels of the picture the caller keeps, all if omitted; the others are dropped after resizing */
  counted?: number;
  /** whether a pixel is one float32 */
  isFloat?: boolean;
  /**
   * whether colors are weighed by alpha ('premultiplied') or not ('straight', if omitted), or lie on white first
   */
  alpha?: 'premultiplied' | 'straight' | 'white';
}

export type Axis = Pick<ResizeAxis, 'filter' | 'extent' | 'from' | 'to' | 'factor'>;

/** How both axes of a picture are resized; `reduction` comes before. `sums`: rounded as the backend does if omitted */
export type Plan = {
  sums?: 'opencv';
  isNearest: boolean;
  isDownFirst: boolean;
  columns: Axis;
  rows: Axis;
  reduction?: Reduction;
};

export type Size = { width: number; height: number };

export type Drawable = BrowserClass<
  'ImageBitmap' | 'HTMLImageElement' | 'HTMLCanvasElement' | 'OffscreenCanvas' | 'VideoFrame' | 'HTMLVideoElement'
>;

export type Bitmap = BrowserClass<'ImageBitmap'>;

/** A frame, of which some browsers say how it is turned. */
export type Frame = BrowserClass<'VideoFrame'> & { rotation?: number; flip?: boolean };

/** from one byte to before another */
export type Range = [start: number, end: number];

/** Interleaved bytes, as ImageData, sharp, pngjs and jpeg-js have them: gray, RGB or RGBA. */
export interface Pixels {
  /** row after row */
  data: Uint8Array | Uint8ClampedArray;
  /** in pixels */
  width: number;
  /** in pixels */
  height: number;
  /** 1, 3 or 4; follows from the length of data if omitted */
  channels?: number;
  /** bytes from one row to the next; `width * channels` if omitted */
  rowstride?: number;
}

/**
 * Pixels whose length is not checked yet. `counts`: the numbers of channels that are possible. `isFloat`: the numbers
 * are float32, not bytes.
 */
export type PixelSource = Size & {
  argument: string;
  data: Uint8Array | Uint8ClampedArray | Float32Array;
  counts: readonly number[];
  isFloat: boolean;
  channels?: number;
  rowstride?: number;
};

/** The use of pixels: to become a tensor; to be resized, which float32 can be too; or to go through a processor. */
export type PixelUse = 'tensor' | 'resizable' | 'processor';

export type ImageLike = Pixels | Drawable;

/**
 * An image of a call that is not checked yet. `argument`: its name in messages; `className`: of `value`; `bitmap`: the
 * picture of an image element, decoded once more; `copy`: a VideoFrame's copy of its pixels
 */
export type Entry = { argument: string; value: unknown; className: string; bitmap?: Bitmap; copy?: OpaqueImage };

/** An image. `copy`: a VideoFrame's opaque pixels, of which `data` is made when it is first read. */
export type SourceImage = Image & { copy?: OpaqueImage };

/** How a browser gives back the pixels of a canvas and of a VideoFrame. */
export type ReadBack = Record<'canvas' | 'videoFrame', 'exact' | 'changed' | 'missing'>;

/**
 * Something that a canvas can draw, and its own size. `bitmap`: the same picture, if there is one; `copy`: a
 * VideoFrame's copy of its pixels, if there is one
 */
export type DrawableSource = Size & { argument: string; drawable: unknown; bitmap?: Bitmap; copy?: OpaqueImage };

export type Source = PixelSource | DrawableSource;

/**
 * Picture files and their bytes, which `decode` reads: a path, a link, bytes, or a pipeline of sharp. Whatever is
 * neither pixels nor one of the browser's images goes to `decode`.
 */
export type Encoded = string | URL | Uint8Array | ArrayBuffer | { toBuffer: (...options: never[]) => unknown };

export interface DecodeOptions {
  /** The call's `orientation`: 'upright' turns a picture as its EXIF says, 'ignore' takes the pixels as they are. */
  orientation: Orientation;
}

/** Gives the pixels of what has none yet. */
export type Decode = (image: any, options: DecodeOptions) => Pixels | Promise<Pixels>;

/** How a call decodes pictures. */
export interface Decoding {
  orientation: Orientation;
  signal?: AbortSignal;
  decode?: Decode;
  /** whether a canvas will draw the pictures, so that pixels are of no use */
  isDrawn?: boolean;
  /** the part of a picture of this size that is read, where not all of it is */
  partOf?: (size: Size) => Window | undefined;
  /** whether pixels are read after the call: their memory serves no other picture then */
  keepsPixels?: boolean;
}

export interface DecodingOptions {
  /** Of Blobs: 'upright' (if omitted) turns a picture as its EXIF says, 'ignore' takes the pixels as the file stores
   * them, as PIL.Image.open does. */
  orientation?: Orientation;
  /** Ends the wait for decoders: the call is rejected with its reason, and later pixels are dropped. */
  signal?: AbortSignal;
}

export interface DecoderOption {
  /** Gives the pixels of what has none yet, Blobs too: `readImage` of `onnx-layout/node` in Node. Browsers decode Blobs
   * if omitted. */
  decode?: Decode;
}

export interface BlobOptions<T extends 'float32' | 'uint8' = 'float32' | 'uint8'> {
  /** The factor of what is left once `mean` is subtracted: 1 if omitted. */
  scalefactor?: number;
  /** The result's width in pixels, given together with `height`: the first image's if both are omitted. */
  width?: number;
  /** The result's height in pixels, given together with `width`: the first image's if both are omitted. */
  height?: number;
  /** The numbers that are subtracted: one for all channels, or up to four in the order of the result's channels, the
   * others 0. 0 if omitted. */
  mean?: number | readonly number[];
  /** Whether the first and the third channel change places: false if omitted. */
  swapRB?: boolean;
  /** Whether the image keeps its ratio and loses what lies beyond the size: false if omitted. */
  crop?: boolean;
  /** The type of the result: 'float32' if omitted; 'uint8' has no scalefactor and no mean. */
  dtype?: T;
  /** A tensor of the result's type and dims to write to; it must not overlap the images. */
  out?: TensorLike;
}

export interface TensorToImageOptions {
  /** The axes of the tensor, one letter for each dim. If omitted, the channels come first, unless only the last dim is
   * 1, 3 or 4. */
  layout?: ImageLayout | 'HW';
  /** The order of the channels: 'L', 'RGB' or 'RGBA' by their number if omitted. */
  channels?: ChannelOrder;
}

export interface UnletterboxOptions {
  /** The numbers that a row begins with. 'xyxy' (if omitted): left, top, right and bottom. 'xywh': a place, whichever,
   * and a width and a height. 'points': x and y. */
  format?: 'xyxy' | 'xywh' | 'points';
  /** Numbers of a row, with those behind the box or the point, which stay as they are: 4 if omitted, or 2 of points. */
  columns?: number;
}

/** Presets of OpenCV's have its filters. 'canvas' is the browser's own scaling. */
export type FitOptions = Filtering<'pil' | 'opencv', 'canvas'> & {
  /** The width of the result, in pixels: follows from `height` if omitted. */
  width?: number;
  /** The height of the result, in pixels: follows from `width` if omitted. */
  height?: number;
  /** How an image of another ratio fits into `width` and `height`: 'fill' stretches it, 'contain' adds bars, 'cover'
   * cuts off what lies beyond, and 'center-crop' does so with torchvision's rounding. 'fill' if omitted. */
  fit?: 'fill' | 'contain' | 'cover' | 'center-crop';
  /** The color of the bars of 'contain': a byte for all channels, red, green and blue, or a CSS color. 'black' if
   * omitted. */
  background?: number | readonly number[] | string;
};
