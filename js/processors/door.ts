/** The types of `onnx-layout/processors`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { Orientation } from '../image/internal.js';
export type { Decode, DecoderOption, DecodingOptions, Drawable, Encoded, ImageLike, Pixels } from '../image/types.js';
export type { Tensor, TensorLike } from '../tensor/index.js';
export type {
  Backend,
  CallOptions,
  Decodable,
  ImageCallOptions,
  ImageClasses,
  ImageClassName,
  ImageClassOf,
  ImageOutputs,
  ImageSizes,
  Outputs,
  PixelType,
  Processor,
  ProcessorOptions,
  SharedCallOptions,
  StepReport,
} from './types.js';
export type { ImageSettings, VideoSettings } from './option-types.js';
export type {
  DecodableFrame,
  DecodableVideo,
  SharedVideoOptions,
  VideoCallOptions,
  VideoClasses,
  VideoClassName,
  VideoClassOf,
  VideoLike,
  VideoMetadata,
  VideoOptionsOf,
  VideoOutputs,
  VideoProcessorOptions,
  VideoProcessorParts,
} from './videos/types.js';
