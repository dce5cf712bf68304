/** The worker's part of the panel that changes graphs, in a chunk of its own because few users ask for it. */
export { convertModelAsync, dequantizeWeightsAsync, modelFileName, quantizeWeightsAsync } from 'onnx-layout/convert';
