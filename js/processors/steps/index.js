/** The door of steps: from pictures to pictures, to numbers, and to tensors. */
export * from './chains.js';
export * from './document-steps.js';
export * from './float-pictures.js';
export * from './patch-boxes.js';
export * from './results.js';
export * from './steps.js';
