/**
 * The public door of operators that a caller declares: what a declaration is made of. `run` calls one, `inferShape` and
 * `runModel` take it.
 */
export { define, isOperator } from './core/define.js';
export {
  attribute,
  flag,
  indices,
  integers,
  list,
  number,
  real,
  tensor,
  tensors,
  type,
  whole,
  word,
} from './core/kinds.js';
export { computed, filled, made, shared } from './core/results.js';
export { run } from './core/run.js';
export { checkHasAxis, readAxis } from './axes.js';
export { checkExtents, isUnknown, product } from './extents.js';
export { rangeError, typeError } from '../arguments/index.js';

/** @typedef {import('./types.js').Declaration} Declaration */
/** @typedef {import('./types.js').Plan} Plan */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Call} Call */
/** @typedef {import('./types.js').Operator} Operator */
