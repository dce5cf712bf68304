/** The public door. */
export { dtypes } from './dtypes.js';
export { init } from './heap.js';
export { flatten, pack, reshape, splitToSequence, transpose, unpack } from './operators.js';
export { schemas } from './schemas.js';
export { Tensor } from './tensor.js';
