/** The door of what every operator shares: families import from here alone. */
export { axesIn, checkHasAxis, readAxis } from './axes.js';
export { calling, checkType, inputsAt, isAttribute } from './call.js';
export { copyInto, copyView, moveElements, resultData, viewTensor } from './copy.js';
export { define, isOperator } from './define.js';
export { broadcastDims, checkExtents, checkRank, checkSize, isUnknown, product } from './extents.js';
export { inferBy } from './infer.js';
export {
  checkKnownInteger,
  indexTypes,
  int64Only,
  integerCheck,
  isOmitted,
  readInteger,
  readKnownIntegers,
  readOfType,
} from './integers.js';
export {
  attribute,
  flag,
  indices,
  integers,
  list,
  number,
  readAll,
  readAttribute,
  real,
  tensor,
  tensors,
  type,
  typeOfNode,
  unread,
  whole,
  word,
} from './kinds.js';
export { checkNode, optionsOf, runNamed, takeNamed } from './named.js';
export { computed, copied, filled, made, outputLimit, shared } from './results.js';
export { declaredView, planOf, run, runJoined } from './run.js';
export { readEntries, readKnown } from './tensor-info.js';
export {
  expandAxes,
  isWhole,
  permuteAxes,
  permuted,
  regroupAxes,
  repeatAxes,
  stepAxes,
  stridesWithin,
  wholeView,
} from './view.js';
