/** The public door for Node alone: files by their paths. */
export { init } from '../engines/images/index.js';
export { buildDataset } from './datasets/build-dataset.js';
export { checkDataset } from './datasets/check-dataset.js';
export { mergeDataset } from './datasets/merge-dataset.js';
export { openDataset } from './datasets/open-dataset.js';
export { fileSource } from './path-source.js';
export { openWeights } from './open-weights.js';
export { preprocessFiles } from './preprocess-files.js';
export { readConfigurationFolder } from './read-configuration-folder.js';
export { readImage } from './read-image.js';
export { readWav } from './read-wav.js';
export { saveOutputs } from './save-outputs.js';
export { writeFiles } from './write-files.js';

/** @typedef {import('./types.js').Weights} Weights */
/** @typedef {import('./types.js').WavFile} WavFile */
