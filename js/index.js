/** The public door. */
export { cast } from './cast.js';
export { dtypes } from './dtypes.js';
export { init } from './heap.js';
export { imageToTensor, imageToTensorAsync } from './image.js';
export { inferShape } from './infer.js';
export { flatten, reshape, splitToSequence, transpose } from './operators.js';
export { tensorToImage } from './picture.js';
export { pack, unpack } from './packing.js';
export { schemas } from './schemas.js';
export { Tensor } from './tensor.js';
