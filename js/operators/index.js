/** The public functions of operators, which users import as `onnx-layout`. Other rooms come in by internal.js, too. */
export { cast } from './convert/cast.js';
export { centerCropPad } from './pad/center-crop-pad.js';
export { compose } from './lazy/compose.js';
export { compress } from './pick/compress.js';
export { concat } from './join/concat.js';
export { concatFromSequence } from './join/concat-from-sequence.js';
export { depthToSpace } from './layout/depth-to-space.js';
export { dequantizeLinear } from './convert/dequantize-linear.js';
export { dynamicQuantizeLinear } from './convert/dynamic-quantize-linear.js';
export { expand } from './pad/expand.js';
export { eyeLike } from './pick/eye-like.js';
export { flatten } from './layout/flatten.js';
export { gather } from './pick/gather.js';
export { gatherElements } from './pick/gather-elements.js';
export { gatherND } from './pick/gather-nd.js';
export { identity } from './sequence/identity.js';
export { inferShape } from './infer.js';
export { oneHot } from './pick/one-hot.js';
export { pad } from './pad/pad.js';
export { quantizeLinear } from './convert/quantize-linear.js';
export { range } from './pick/range.js';
export { rearrange, repeat } from './einops/rearrange.js';
export { reshape } from './layout/reshape.js';
export { reverseSequence } from './pick/reverse-sequence.js';
export { scatterElements } from './pick/scatter-elements.js';
export { scatterND } from './pick/scatter-nd.js';
export { schemas } from './table.js';
export { sequenceAt } from './sequence/sequence-at.js';
export { sequenceConstruct } from './sequence/sequence-construct.js';
export { sequenceEmpty } from './sequence/sequence-empty.js';
export { sequenceErase } from './sequence/sequence-erase.js';
export { sequenceInsert } from './sequence/sequence-insert.js';
export { sequenceLength } from './sequence/sequence-length.js';
export { shape } from './layout/shape.js';
export { size } from './layout/size.js';
export { slice } from './pick/slice.js';
export { spaceToDepth } from './layout/space-to-depth.js';
export { split } from './join/split.js';
export { splitToSequence } from './join/split-to-sequence.js';
export { squeeze } from './layout/squeeze.js';
export { stack, unstack } from './join/stack.js';
export { tile } from './pad/tile.js';
export { toOrt } from './to-ort.js';
export { transpose } from './layout/transpose.js';
export { trilu } from './pick/trilu.js';
export { unsqueeze } from './layout/unsqueeze.js';
export { where } from './pick/where.js';

/** @typedef {import('./types.js').TensorSequence} TensorSequence */
/** @typedef {import('./types.js').IntegersLike} IntegersLike */
/** @typedef {import('./types.js').Inferred} Inferred */
/** @typedef {import('./types.js').Schema} Schema */
