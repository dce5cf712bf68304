/**
 * The types that those of the doors are made of, which no door exports.
 * @module types
 */
export {};
