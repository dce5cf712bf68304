/** The door of image processors: other rooms, and users, import from here alone. */
export { init } from '../engines/images/index.js';
export { readConfiguration } from '../arguments/configurations/index.js';
export { imageProcessor, imageProcessorAsync } from './image-processor.js';
export { processorNames } from './config.js';
export { videoProcessor, videoProcessorAsync } from './videos/video-processor.js';
