/**
 * The public door of operators that a caller declares: what a declaration is made of. `run` calls one, `inferShape` and
 * `runModel` take it.
 */
export {
  attribute,
  checkExtents,
  checkHasAxis,
  computed,
  defineDeclared as define,
  filled,
  flag,
  fromDims,
  indices,
  integer,
  integers,
  isOperator,
  isUnknown,
  list,
  number,
  product,
  readAxis,
  real,
  runDeclared as run,
  shared,
  tensor,
  tensors,
  type,
  word,
} from './core/index.js';
export { init } from '../engines/tensors/index.js';
export { rangeError, typeError } from '../arguments/index.js';

/** @typedef {import('./types.js').Declaration} Declaration */
/** @typedef {import('./types.js').Plan} Plan */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Call} Call */
/** @typedef {import('./types.js').Operator} Operator */
