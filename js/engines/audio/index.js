/** The door of the audio module and its memory: other rooms import from here alone. */
export * from './codes.js';
export * from './filter-stream.js';
export * from './frames.js';
export * from './matrices.js';
export { init, ready } from './load.js';
export * from './numbers.js';
export { makeFilter, sincs } from './resampling-filters.js';
export * from './resampling.js';
export * from './sample-buffer.js';
export * from './spectrum.js';
export * from './tables.js';
