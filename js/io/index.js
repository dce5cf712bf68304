/** The public door of files: bytes in, tensors out, and back. Everything here runs in browsers too. */
export { init } from '../engines/tensors/index.js';
export { readModel } from './onnx/model.js';
export { writeInitializers } from './onnx/initializers.js';
export { readNpy, writeNpy } from './npy/npy.js';
export { readNpz, writeNpz } from './npz/npz.js';
export { readTensorProto, writeTensorProto } from './onnx/tensor-proto.js';
export { runModel } from './run-model.js';
export { readSafetensors, writeSafetensors } from './safetensors/safetensors.js';
export { openModel } from './onnx/open-model.js';
export { openNpy } from './npy/open-npy.js';
export { openNpz } from './npz/open-npz.js';
export { openSafetensors } from './safetensors/open-safetensors.js';
export { saveModel } from './onnx/save-model.js';
export { saveNpy } from './npy/save-npy.js';
export { saveNpz } from './npz/save-npz.js';
export { saveSafetensors } from './safetensors/save-safetensors.js';
export { Entry, urlSource } from '../weights/index.js';

/** @typedef {import('./onnx/types.js').OpenedModel} OpenedModel */
/** @typedef {import('../weights/index.js').FileWriter} FileWriter */
/** @typedef {import('../weights/types.js').SaveOptions} SaveOptions */
/** @typedef {import('../weights/types.js').ByteSource} ByteSource */
