/** The public functions of operators, which users import as `onnx-layout`. Other rooms come in by internal.js, too. */
export { cast } from './convert/cast.js';
export { centerCropPad, pad } from './pad/pad.js';
export { compose } from './lazy/compose.js';
export { compress } from './pick/compress.js';
export { concat } from './join/concat.js';
export { concatFromSequence } from './join/concat-from-sequence.js';
export { depthToSpace, spaceToDepth } from './layout/depth-to-space.js';
export { dequantizeLinear, quantizeLinear } from './convert/quantize-linear.js';
export { dynamicQuantizeLinear } from './convert/dynamic-quantize-linear.js';
export { expand, tile } from './pad/expand.js';
export { eyeLike } from './pick/eye-like.js';
export { flatten } from './layout/flatten.js';
export { gather, gatherElements, gatherND } from './pick/gather.js';
export { identity } from './sequence/identity.js';
export { inferShape } from './infer.js';
export { oneHot } from './pick/one-hot.js';
export { range } from './pick/range.js';
export { rearrange, repeat } from './einops/rearrange.js';
export { reshape } from './layout/reshape.js';
export { reverseSequence } from './pick/reverse-sequence.js';
export { scatterElements, scatterND } from './pick/scatter.js';
export { schemas } from './table.js';
export {
  sequenceAt,
  sequenceConstruct,
  sequenceEmpty,
  sequenceErase,
  sequenceInsert,
  sequenceLength,
} from './sequence/operators.js';
export { shape, size } from './layout/shape.js';
export { slice } from './pick/slice.js';
export { split, splitToSequence } from './join/split.js';
export { squeeze, unsqueeze } from './layout/squeeze.js';
export { stack, unstack } from './join/stack.js';
export { toOrt } from './to-ort.js';
export { transpose } from './layout/transpose.js';
export { trilu } from './pick/trilu.js';
export { where } from './pick/where.js';
