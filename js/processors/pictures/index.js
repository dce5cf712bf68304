/** The door of pictures: what they become is resized, cropped and laid on canvases, and nothing is computed yet. */
export * from './canvases.js';
export * from './gray.js';
export * from './owl-pictures.js';
export * from './picture.js';
export * from './sizes.js';
export * from './token-sizes.js';
