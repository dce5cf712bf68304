/** The door of what callers hand in: other rooms import from here alone. */
export * from './abort.js';
export * from './budget.js';
export * from './errors.js';
export * from './file-kinds.js';
export * from './lists.js';
export * from './numbers.js';
export * from './options.js';
export * from './rows.js';
export * from './typed-arrays.js';
