/** The door of what a tensor is: other rooms import from here alone. */
export * from './codec.js';
export * from './dtypes.js';
export { roundHalfEven } from './floats.js';
export * from './numerals.js';
export * from './out.js';
export * from './print.js';
export * from './read-tensor.js';
export * from './tensor.js';
export * from './to-ort.js';
