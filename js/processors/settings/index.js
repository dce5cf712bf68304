/** The door of settings: how a file's and a call's are read. */
export * from './class-settings.js';
export { count, countOrNone, filterCodes, flag, listOf, number, pairFrom } from './kinds.js';
export * from './readers.js';
export * from './video-readers.js';
