/** Files in and out: bytes in, tensors out, and back. What runs in a browser runs here. */
export { readModel, writeInitializers } from './model.js';
export { readNpy, writeNpy } from './npy.js';
export { readTensorProto, writeTensorProto } from './onnx.js';
export { runModel } from './run.js';
export { readSafetensors, writeSafetensors } from './safetensors.js';
