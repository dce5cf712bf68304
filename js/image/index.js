/** The door of images: other rooms import from here alone. */
export * from './canvas.js';
export * from './image-to-tensor.js';
export * from './normalization.js';
export * from './tensor-to-image.js';
