/** The door of what all engines share about memory: other rooms import from here alone. */
export * from './arena.js';
export * from './checks.js';
export * from './sizes.js';
export * from './structs.js';
