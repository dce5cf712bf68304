/** The inner door of image processors: where it is asked for, nothing of videos is loaded. */
export { imageProcessorAsync } from './image-processor.js';
