/** The door of what callers hand in: other rooms import from here alone. */
export * from './errors.js';
export * from './typed-arrays.js';
export * from './values.js';
