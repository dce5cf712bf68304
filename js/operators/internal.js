/** The inner door of operators: what other rooms build on. Users come in by index.js. */
export { checkNode, fromFront, inferBy, inputsAt, moveElements, readAxes, runJoined, runNamed } from './core/index.js';
export { Cast } from './convert/cast.js';
export { Concat } from './join/concat.js';
export { holdSequence, releaseSequence } from './sequence/sequences.js';
export { LazyTensor } from './lazy/lazy-tensor.js';
export { operators } from './table.js';
export { readSlice } from './pick/slice.js';
export { Transpose } from './layout/transpose.js';
export * from './declare.js';
