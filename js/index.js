/** The public door. */
export { cast } from './operators/cast.js';
export { dtypes } from './tensor/dtypes.js';
export { init } from './engine/heap.js';
export { imageToTensor, imageToTensorAsync } from './image/image-to-tensor.js';
export { inferShape } from './operators/infer.js';
export { flatten, reshape, splitToSequence, transpose } from './operators/operators.js';
export { tensorToImage } from './image/tensor-to-image.js';
export { pack, unpack } from './engine/packing.js';
export { schemas } from './operators/schemas.js';
export { Tensor } from './tensor/tensor.js';
