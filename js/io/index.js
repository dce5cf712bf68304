/** Files in and out: bytes in, tensors out, and back. What runs in a browser runs here. */
export { readModel, writeInitializers } from './model.js';
export { readNpy, writeNpy } from './npy.js';
export { readTensorProto, writeTensorProto } from './tensor-proto.js';
export { runModel } from './run-model.js';
export { readSafetensors, writeSafetensors } from './safetensors.js';
