/** The door of the wasm module and its memory: other rooms import from here alone. */
export * from './numbers/block-quantize.js';
export * from './numbers/convert.js';
export * from './moves/copies.js';
export { init, loader, ready } from './load.js';
export { layout, lineBytes, memory, placeInLine, scratch, scratchByte } from './module.js';
export * from './numbers/packing.js';
export { advance } from './moves/pieces.js';
export * from './moves/plan.js';
export * from './numbers/quantize.js';
export * from './numbers/weights.js';
export * from './pick/indices.js';
export * from './pick/range.js';
export * from './pick/rows.js';
export * from './pick/scatter.js';
export * from './pick/select.js';
export * from './moves/strings.js';
export { wordsOf } from './moves/words.js';
