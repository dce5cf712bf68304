/** The door of the operators: other rooms import from here alone. */
export { cast } from './cast.js';
export { flatten } from './flatten.js';
export { identity } from './identity.js';
export { inferShape } from './infer.js';
export { reshape } from './reshape.js';
export { splitToSequence } from './split-to-sequence.js';
export { operators, schemas } from './table.js';
export { transpose } from './transpose.js';

/** @typedef {import('./operator.js').TensorSequence} TensorSequence */
