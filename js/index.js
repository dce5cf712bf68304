/** The public door. */
export { init, pack, unpack } from './engine/index.js';
export { imageToTensor, imageToTensorAsync, resize, tensorToImage, thumbnail } from './image/index.js';
export {
  cast,
  flatten,
  identity,
  inferShape,
  reshape,
  schemas,
  splitToSequence,
  transpose,
} from './operators/index.js';
export { dtypes, Tensor } from './tensor/index.js';
