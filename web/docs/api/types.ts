/**
 * The types that the calls take and return. The package exports values alone; TypeScript finds these types through the
 * calls.
 * @module types
 */
export {};
