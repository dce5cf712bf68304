/** The types of dynamic quantization. */
import type { FreeName } from '../model/types.js';
import type { ModelTypes } from '../types/infer-types.js';
import type { ReportRow, ReadPass } from '../types.js';
import type { Kind } from './eight-bit-weights.js';

export interface EightBitPlan {
  types: ModelTypes;
  kind: Kind;
  isPerChannel: boolean;
  isReduced: boolean;
  /** whether graphs inside of nodes are converted */
  isDeep: boolean;
  float32: ReadonlySet<string>;
  freeName: FreeName;
  passes: ReadPass[];
  report: ReportRow[];
}

export type { QuantizedGraph } from './quantize-graph.js';
