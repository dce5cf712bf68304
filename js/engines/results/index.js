/** The door of the postprocess module and its memory: other rooms import from here alone. */
export * from './axis-resize.js';
export * from './boxes.js';
export * from './contours.js';
export * from './keypoints.js';
export * from './maps.js';
export * from './numbers.js';
export * from './pick.js';
export * from './planes.js';
export * from './runs.js';
export * from './yolo.js';
export { init, loader, withMemory } from './load.js';
