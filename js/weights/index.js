/** The door of tensors of any size: other rooms import from here alone. */
export { wholeBox } from './boxes.js';
export * from './entry.js';
export * from './lazy.js';
export { byteLengthOf, placedPieces } from './pieces.js';
export * from './file-writer.js';
export * from './source.js';
export * from './file-source.js';
export * from './swap.js';
export * from './tiled.js';
export * from './url-source.js';
export { Work } from './work.js';
