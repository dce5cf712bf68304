/** The door of settings: how a file's and a call's are read. */
export * from './class-settings.js';
export * from './readers.js';
export * from './video-readers.js';
