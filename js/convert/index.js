/** The public door of conversions: whole models to other number types. Everything here runs in browsers too. */
export { init } from '../engines/tensors/index.js';
export { packMatMulNBits, unpackMatMulNBits } from './nbits/matmul-nbits.js';
export { dequantizeWeights, dequantizeWeightsAsync } from './nbits/dequantize-weights.js';
export { quantizeWeights, quantizeWeightsAsync } from './nbits/quantize-weights.js';
export { modelFileName } from './model-file-name.js';
export { convertModel, convertModelAsync } from './convert-model.js';

/** @typedef {import('./types.js').ModelLike} ModelLike */
/** @typedef {import('./types.js').ReportRow} ReportRow */
