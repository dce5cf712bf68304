/** The types of dynamic quantization. */
import type { FreeName } from '../model/types.js';
import type { ModelTypes } from '../types/infer-types.js';
import type { ReportRow, ReadPass } from '../types.js';
import type { Kind } from './eight-bit-weights.js';

/** The state of a conversion. */
export interface EightBitPlan {
  types: ModelTypes;
  /** of weights */
  kind: Kind;
  isPerChannel: boolean;
  isReduced: boolean;
  /** whether graphs inside of nodes are converted */
  isDeep: boolean;
  /** operators and nodes that stay float32 */
  float32: ReadonlySet<string>;
  freeName: FreeName;
  passes: ReadPass[];
  report: ReportRow[];
}

export type { QuantizedGraph } from './quantize-graph.js';
