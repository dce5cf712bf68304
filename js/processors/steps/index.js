/** The door of steps: from pictures to pictures, to numbers, and to tensors. */
export * from './chains.js';
export * from './crop-steps.js';
export * from './document-steps.js';
export * from './float-pictures.js';
export * from './frames.js';
export * from './numbers.js';
export * from './patch-boxes.js';
export * from './results.js';
export * from './steps.js';
