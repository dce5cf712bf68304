/** The worker's part of the panel that quantizes, in a chunk of its own because few users ask for it. */
export { quantizeWeights } from 'onnx-layout/io';
