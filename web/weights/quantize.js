/** The worker's part of the panel that quantizes, and back, in a chunk of its own because few users ask for it. */
export { dequantizeWeightsAsync, quantizeWeightsAsync } from 'onnx-layout/convert';
