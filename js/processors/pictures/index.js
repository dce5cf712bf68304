/** The door of pictures: what they become is resized, cropped and laid on canvases, and nothing is computed yet. */
export * from './boxes.js';
export * from './canvas-sizes.js';
export * from './canvases.js';
export * from './change-picture.js';
export * from './gray.js';
export * from './owl-pictures.js';
export { blankPicture, checkKeptSize, checkSides, checkSize, lazyImage, pictureOf, sizeOf } from './picture.js';
export * from './sizes.js';
export * from './strips.js';
export * from './token-sizes.js';
export { byteNumbers, writePixels, writePlanes } from './write-picture.js';
