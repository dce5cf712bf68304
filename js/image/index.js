/** The door of images: other rooms import from here alone. */
export { imageToTensor, imageToTensorAsync } from './image-to-tensor.js';
export { tensorToImage } from './tensor-to-image.js';
export { resize, thumbnail } from './resize.js';
