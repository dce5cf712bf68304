/** The door of the operators: other rooms import from here alone. */
export { Cast, cast } from './cast.js';
export { centerCropPad } from './center-crop-pad.js';
export { compose } from './compose.js';
export { LazyTensor } from './lazy-tensor.js';
export { Concat, concat } from './concat.js';
export { concatFromSequence } from './concat-from-sequence.js';
export { depthToSpace } from './depth-to-space.js';
export { dequantizeLinear } from './dequantize-linear.js';
export { dynamicQuantizeLinear } from './dynamic-quantize-linear.js';
export { expand } from './expand.js';
export { flatten } from './flatten.js';
export { gather } from './gather.js';
export { gatherElements } from './gather-elements.js';
export { gatherND } from './gather-nd.js';
export { identity } from './identity.js';
export { inferShape } from './infer.js';
export { inferBy } from './infer-by.js';
export { inputsAt } from './operator.js';
export { pad } from './pad.js';
export { quantizeLinear } from './quantize-linear.js';
export { rearrange, repeat } from './rearrange.js';
export { reshape } from './reshape.js';
export { reverseSequence } from './reverse-sequence.js';
export { sequenceAt } from './sequence-at.js';
export { sequenceConstruct } from './sequence-construct.js';
export { sequenceEmpty } from './sequence-empty.js';
export { sequenceErase } from './sequence-erase.js';
export { sequenceInsert } from './sequence-insert.js';
export { sequenceLength } from './sequence-length.js';
export { holdSequence, releaseSequence } from './sequences.js';
export { shape } from './shape.js';
export { size } from './size.js';
export { readSlice, slice } from './slice.js';
export { spaceToDepth } from './space-to-depth.js';
export { split } from './split.js';
export { splitToSequence } from './split-to-sequence.js';
export { squeeze } from './squeeze.js';
export { stack, unstack } from './stack.js';
export { operators, schemas } from './table.js';
export { tile } from './tile.js';
export { Transpose, transpose } from './transpose.js';
export { unsqueeze } from './unsqueeze.js';
export { where } from './where.js';

/** @typedef {import('./operator.js').TensorSequence} TensorSequence */
/** @typedef {import('./integers.js').IntegersLike} IntegersLike */
/** @typedef {import('./operator.js').Inferred} Inferred */
/** @typedef {import('./operator.js').Operator} Operator */
/** @typedef {import('./operator.js').Schema} Schema */
