/** The door of what every operator shares: families import from here alone. */
export * from './axes.js';
export * from './call.js';
export * from './declared.js';
export * from './define.js';
export * from './extents.js';
export * from './infer.js';
export * from './integers.js';
export * from './kinds.js';
export * from './named.js';
export * from './results.js';
export * from './tensor-info.js';
export * from './view.js';
