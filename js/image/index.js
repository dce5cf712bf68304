/** The public door of pictures: what users import as `onnx-layout/image`. */
export { init } from '../engines/images/index.js';
export { alignFace } from './align-face.js';
export { blobFromImage } from './tensors/blob.js';
export { crop } from './crop.js';
export { imageToTensor, imageToTensorAsync } from './tensors/image-to-tensor.js';
export { letterbox, letterboxGeometry } from './letterbox.js';
export { copyMakeBorder } from './copy-make-border.js';
export { resize, thumbnail } from './resize.js';
export { readBack } from './sources/read-back.js';
export { tensorToImage } from './tensors/tensor-to-image.js';
export { textDetectionSize, textLineBatches, textPage } from './text-pages.js';
export { toGray } from './to-gray.js';
export { unletterbox } from './unletterbox.js';
export { warpAffine, warpPerspective } from './warp.js';
