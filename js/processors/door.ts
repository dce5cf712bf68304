/** The types of `onnx-layout/processors`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { Orientation } from '../image/internal.js';
export type { Decode, DecoderOption, DecodingOptions, Drawable, Encoded, ImageLike, Pixels } from '../image/types.js';
export type { Tensor, TensorLike } from '../tensor/index.js';
export type { Decodable, PixelType } from './image-processor.js';
export type { ImageClasses, VideoClasses } from './outputs.js';
export type {
  Backend,
  CallOptions,
  ImageClassOf,
  ImageOutputs,
  Outputs,
  Processor,
  ProcessorOptions,
  ProcessorSettings,
  StepReport,
} from './types.js';
export type {
  VideoCallOptions,
  VideoClassOf,
  VideoLike,
  VideoMetadata,
  VideoOutputs,
  VideoProcessorOptions,
  VideoProcessorParts,
} from './videos/types.js';
export type { DecodableFrame, DecodableVideo } from './videos/video-processor.js';
