/** The door of the module of images and its memory: other rooms import from here alone. */
export { init, loader, ready } from './load.js';
export * from './filters.js';
export * from './image-bytes.js';
export * from './pixels.js';
export * from './planes.js';
export * from './resize.js';
export * from './rgba.js';
export * from './samples.js';
export * from './warp.js';
