/** The door of the wasm module and its memory: other rooms import from here alone. */
export * from './block-quantize.js';
export * from './convert.js';
export * from './copies.js';
export { checkMemory } from './memory.js';
export { init, ready } from './module.js';
export * from './packing.js';
export * from './pixels.js';
export * from './plan.js';
export * from './quantize.js';
export * from './range.js';
export * from './resize.js';
export * from './rows.js';
export * from './scatter.js';
export * from './select.js';
export * from './strings.js';
export * from './warp.js';
