/** The declarations of all operators, a line each. */
export { Cast } from './convert/cast.js';
export { CenterCropPad, Pad } from './pad/pad.js';
export { Compress } from './pick/compress.js';
export { Concat } from './join/concat.js';
export { ConcatFromSequence } from './join/concat-from-sequence.js';
export { DepthToSpace, SpaceToDepth } from './layout/depth-to-space.js';
export { DequantizeLinear, QuantizeLinear } from './convert/quantize-linear.js';
export { DynamicQuantizeLinear } from './convert/dynamic-quantize-linear.js';
export { Expand, Tile } from './pad/expand.js';
export { EyeLike } from './pick/eye-like.js';
export { Flatten } from './layout/flatten.js';
export { Gather, GatherElements, GatherND } from './pick/gather.js';
export { Identity } from './sequence/identity.js';
export { OneHot } from './pick/one-hot.js';
export { Range } from './pick/range.js';
export { Reshape } from './layout/reshape.js';
export { ReverseSequence } from './pick/reverse-sequence.js';
export { ScatterElements, ScatterND } from './pick/scatter.js';
export {
  SequenceAt,
  SequenceConstruct,
  SequenceEmpty,
  SequenceErase,
  SequenceInsert,
  SequenceLength,
} from './sequence/operators.js';
export { Shape, Size } from './layout/shape.js';
export { Slice } from './pick/slice.js';
export { Split, SplitToSequence } from './join/split.js';
export { Squeeze, Unsqueeze } from './layout/squeeze.js';
export { Transpose } from './layout/transpose.js';
export { Trilu } from './pick/trilu.js';
export { Where } from './pick/where.js';
