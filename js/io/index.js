/** The public door of files: bytes in, tensors out, and back. Everything here runs in browsers too. */
export { packMatMulNBits, unpackMatMulNBits } from './matmul-nbits.js';
export { dequantizeWeights } from './dequantize-weights.js';
export { readModel } from './model.js';
export { quantizeWeights } from './quantize-weights.js';
export { writeInitializers } from './initializers.js';
export { readNpy, writeNpy } from './npy.js';
export { readTensorProto, writeTensorProto } from './tensor-proto.js';
export { runModel } from './run-model.js';
export { readSafetensors, writeSafetensors } from './safetensors.js';
export { openModel } from './open-model.js';
export { openNpy } from './open-npy.js';
export { openSafetensors } from './open-safetensors.js';
export { saveModel } from './save-model.js';
export { saveNpy, saveSafetensors } from './save.js';
export { Entry, urlSource } from '../weights/index.js';

/** @typedef {import('./open-model.js').OpenedModel} OpenedModel */
/** @typedef {import('../weights/index.js').FileWriter} FileWriter */
/** @typedef {import('../weights/index.js').SaveOptions} SaveOptions */
/** @typedef {import('../weights/index.js').ByteSource} ByteSource */
