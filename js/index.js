/** The public door. */
export { cast } from './operators/index.js';
export { dtypes } from './tensor/index.js';
export { init } from './engine/index.js';
export { imageToTensor, imageToTensorAsync } from './image/index.js';
export { inferShape } from './operators/index.js';
export { flatten, identity, reshape, splitToSequence, transpose } from './operators/index.js';
export { tensorToImage } from './image/index.js';
export { pack, unpack } from './engine/index.js';
export { schemas } from './operators/index.js';
export { Tensor } from './tensor/index.js';
