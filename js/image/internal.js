/** The inner door of pictures: what processors are built on. Users come in by index.js. */
export { encoded, normalizing, numbersOf } from './numbers/backends.js';
export { fastest } from './numbers/convert.js';
export { commonWindow, fillAround, rowOf } from './resizing/bars.js';
export { resizingOf } from './resizing/resampling.js';
export { isSameSize, roundHalfToEven } from './resizing/size.js';
export * from './sources/drawables.js';
export { frameSources, imagesOf } from './sources/images.js';
export * from './sources/read-images.js';
