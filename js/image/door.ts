/** The types of `onnx-layout/image`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { Tensor, TensorLike } from '../tensor/index.js';
export type { Decodable } from './tensors/image-to-tensor.js';
export type { ChannelOrder, ImageLayout } from './numbers/layout.js';
export type { Border } from './copy-make-border.js';
export type { Backend, Filter, OpenCvFilter, PilFilter, TorchvisionFilter } from './resizing/filters.js';
export type { Rounding } from './resizing/letterbox-geometry.js';
export type { Orientation } from './sources/read-images.js';
export type {
  AlignFaceOptions,
  BlobOptions,
  BorderOptions,
  CropOptions,
  Decode,
  DecoderOption,
  DecodingOptions,
  Drawable,
  Encoded,
  Filtering,
  FilteringBy,
  FitOptions,
  GrayOptions,
  ImageDataLike,
  ImageDtype,
  ImageLike,
  ImageToTensorOptions,
  LetterboxGeometry,
  LetterboxOptions,
  LetterboxedPixels,
  Normalization,
  OutPixels,
  PerChannel,
  Pixels,
  Preset,
  ReadBack,
  ResizablePixels,
  ResizeOptions,
  ResizedPixels,
  Size,
  TensorToImageOptions,
  TextLineBatch,
  TextLineOptions,
  TextPage,
  TextPageOptions,
  TextSizeOptions,
  ThumbnailOptions,
  UnletterboxOptions,
  WarpOptions,
  WarpedPixels,
} from './types.js';
