/** The worker's part of the panel that quantizes. */
import { quantizeWeights } from 'onnx-layout/io';
import { quantizedName } from './files.js';

/**
 * Quantizes the weights of a model.
 * @param {import('./work.js').Opened} opened
 * @param {object} options of quantizeWeights
 * @returns {Promise<import('./save.js').Made>}
 */
export async function quantize({ name, main }, options) {
  const bytes = new Uint8Array(await main.arrayBuffer());
  const { model, report } = quantizeWeights(bytes, options);
  return { files: [{ name: quantizedName(name, options.bits), saved: model }], report };
}
