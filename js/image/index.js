/** The door of images: other rooms import from here alone. */
export { imageToTensor, imageToTensorAsync } from './image-to-tensor.js';
export * from './sources/drawables.js';
export { frameSources, imagesOf } from './sources/images.js';
export * from './numbers/backends.js';
export * from './sources/read-images.js';
export { resizingOf } from './resizing/resampling.js';
export { commonWindow, fillAround, rowOf } from './resizing/bars.js';
export { blobFromImage } from './blob.js';
export { cropPixels } from './crop-pixels.js';
export { letterbox, letterboxGeometry } from './letterbox.js';
export { padPixels } from './pad-pixels.js';
export { toGray } from './to-gray.js';
export { unletterbox } from './unletterbox.js';
export { textDetectionSize } from './numbers/recipes.js';
export { tensorToImage } from './tensor-to-image.js';
export { resize, thumbnail } from './resize.js';
export { roundHalfToEven } from './resizing/size.js';
