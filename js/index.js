/** The public door. */
export { init, pack, unpack } from './engine/index.js';
export { imageToTensor, imageToTensorAsync, resize, tensorToImage, thumbnail } from './image/index.js';
export {
  cast,
  centerCropPad,
  compose,
  concat,
  depthToSpace,
  expand,
  flatten,
  identity,
  inferShape,
  pad,
  rearrange,
  repeat,
  reshape,
  schemas,
  slice,
  spaceToDepth,
  split,
  splitToSequence,
  squeeze,
  stack,
  tile,
  transpose,
  unsqueeze,
  unstack,
} from './operators/index.js';
export { dtypes, Tensor } from './tensor/index.js';
