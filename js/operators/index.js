/** The door of the operators: other rooms import from here alone. */
export * from './call.js';
export * from './cast.js';
export * from './infer.js';
export * from './operators.js';
export * from './schemas.js';
export * from './shapes.js';
