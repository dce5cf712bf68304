/** The door of the wasm module and its memory: other rooms import from here alone. */
export * from './convert.js';
export * from './heap.js';
export * from './packing.js';
export * from './split.js';
export * from './stage.js';
export * from './stream.js';
export * from './strips.js';
