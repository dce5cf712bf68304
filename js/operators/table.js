/** The table of operators: `inferShape`, `runModel`, `schemas` and the tests of versions follow from it. */
import { Cast } from './convert/cast.js';
import { CenterCropPad } from './pad/center-crop-pad.js';
import { ConcatFromSequence } from './join/concat-from-sequence.js';
import { Concat } from './join/concat.js';
import { DepthToSpace } from './layout/depth-to-space.js';
import { DequantizeLinear } from './convert/dequantize-linear.js';
import { DynamicQuantizeLinear } from './convert/dynamic-quantize-linear.js';
import { Expand } from './pad/expand.js';
import { Flatten } from './layout/flatten.js';
import { GatherElements } from './pick/gather-elements.js';
import { GatherND } from './pick/gather-nd.js';
import { Gather } from './pick/gather.js';
import { Identity } from './sequence/identity.js';
import { Pad } from './pad/pad.js';
import { QuantizeLinear } from './convert/quantize-linear.js';
import { Reshape } from './layout/reshape.js';
import { ReverseSequence } from './pick/reverse-sequence.js';
import { SequenceAt } from './sequence/sequence-at.js';
import { SequenceConstruct } from './sequence/sequence-construct.js';
import { SequenceEmpty } from './sequence/sequence-empty.js';
import { SequenceErase } from './sequence/sequence-erase.js';
import { SequenceInsert } from './sequence/sequence-insert.js';
import { SequenceLength } from './sequence/sequence-length.js';
import { Shape } from './layout/shape.js';
import { Size } from './layout/size.js';
import { Slice } from './pick/slice.js';
import { SpaceToDepth } from './layout/space-to-depth.js';
import { SplitToSequence } from './join/split-to-sequence.js';
import { Split } from './join/split.js';
import { Squeeze } from './layout/squeeze.js';
import { Tile } from './pad/tile.js';
import { Transpose } from './layout/transpose.js';
import { Unsqueeze } from './layout/unsqueeze.js';
import { Where } from './pick/where.js';
import { Compress } from './pick/compress.js';
import { EyeLike } from './pick/eye-like.js';
import { OneHot } from './pick/one-hot.js';
import { Range } from './pick/range.js';
import { ScatterElements } from './pick/scatter-elements.js';
import { ScatterND } from './pick/scatter-nd.js';
import { Trilu } from './pick/trilu.js';

/** @import { Schema } from './types.js' */

export const operators = Object.freeze({
  Flatten,
  Reshape,
  Transpose,
  SplitToSequence,
  Cast,
  Identity,
  Slice,
  Concat,
  Split,
  Pad,
  Squeeze,
  Unsqueeze,
  Expand,
  Tile,
  DepthToSpace,
  SpaceToDepth,
  CenterCropPad,
  Gather,
  GatherElements,
  GatherND,
  Where,
  ReverseSequence,
  Shape,
  Size,
  SequenceConstruct,
  SequenceEmpty,
  SequenceAt,
  SequenceInsert,
  SequenceErase,
  SequenceLength,
  ConcatFromSequence,
  QuantizeLinear,
  DequantizeLinear,
  DynamicQuantizeLinear,
  Compress,
  EyeLike,
  OneHot,
  Range,
  ScatterElements,
  ScatterND,
  Trilu,
});

/** @typedef {keyof typeof operators} OperatorName */

/** Every version of every operator, oldest first. Read-only.
 * @type {Readonly<Record<OperatorName, readonly Readonly<Schema & { operator: OperatorName }>[]>>} */
export const schemas = Object.freeze(
  /** @type {any} */ (Object.fromEntries(Object.entries(operators).map(([name, { schemas: own }]) => [name, own]))),
);
