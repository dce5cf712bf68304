/** Pillow's resizing, which few pipelines need: they import it when they are called. */
export { resize } from '../image/index.js';
