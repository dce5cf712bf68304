/** The types of the conversion to float16. */
import type { ReportRow } from '../types.js';
import type { FreeName, Model, Weight } from '../model/types.js';
import type { ModelTypes } from '../types/infer-types.js';
import type { NodeRecord } from './values.js';

export interface HalfPlan {
  model: Model;
  types: ModelTypes;
  /** whether an input or output of the model stays float32 */
  isKept: (name: string) => boolean;
  float32: ReadonlySet<string>;
  /** whether a weight has a finite number beyond float16 */
  isHuge: (weight: Weight) => boolean;
  /** every node, those of a body behind the node that has it */
  records: NodeRecord[];
  freeName: FreeName;
  /** the names of the initializers with Clip's bounds, by their stems: one of these with a number if it is taken */
  limitNames: Map<string, string>;
  report: ReportRow[];
  /** makes a weight float16, and reports it under the name that it had */
  toHalf: (weight: Weight, name: string) => Weight;
}
