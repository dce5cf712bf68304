/** The types of `onnx-layout/postprocess`: its functions, and all types that their signatures name. */
export * from './index.js';
export type { InitOptions } from '../engines/loading/index.js';
export type { Operator } from '../operators/types.js';
export type { Tensor, TensorLike, TypeName } from '../tensor/index.js';
export type { BoxFormat } from './boxes.js';
export type { YoloResult } from './decode-yolo.js';
export type { Class } from './numbers.js';
export type { Palette } from './pictures.js';
export type { RotatedRect } from './polygons.js';
export type { PostProcessClasses } from './class-methods.js';
export type { Flagged, Method, MethodOptions, SessionOutputs, SharedMethodOptions } from './method-options.js';
export type { PostClassName, PostClassOf, PostProcess, PostProcessor } from './method-types.js';
export type { RunLengths } from './run-lengths.js';
export type { Labels } from './settings.js';
export type { SpeechOptions, SpeechSegment } from './speech.js';
export type { CharOffset, WordOffset } from './text.js';
export type { YoloOptions } from './yolo-options.js';
export type { Context2D, DrawableResults, DrawOptions } from './draw-results.js';
export type { InterpolateOptions } from './interpolate.js';
export type {
  AreaOptions,
  ClassifyOptions,
  ContourOptions,
  CtcOptions,
  HullOptions,
  InPlaceOptions,
  PictureOptions,
  PostProcessorOptions,
  RleOptions,
  TextDetectionOptions,
  TopkOptions,
} from './option-types.js';
