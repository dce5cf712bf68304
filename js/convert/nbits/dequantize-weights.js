/** Gives a model with packed weights plain ones again. */
import { named, namedAsync, readTable } from '../../arguments/index.js';
import { ready } from '../../engines/tensors/index.js';
import { readBytes } from '../../io/internal.js';
import { editBytes } from '../edit-model.js';
import { bytesTable } from '../read-choice.js';
import { dequantizeStep } from './dequantize-nodes.js';
import { editIntoOneFile, filesTable } from './one-file.js';

/** @import { BytesOptions, ModelLike } from '../types.js' */
/** @import { DequantizedBytes, DequantizedFiles, OneFileOptions } from './types.js' */

/**
 * Gives a model with packed weights plain ones again, as it was before {@link quantizeWeights} but for what rounding
 * lost: MatMulNBits becomes MatMul, GatherBlockQuantized becomes Gather, and DequantizeLinear of a constant, in blocks
 * of rows and before MatMul, becomes the constant. Each weight is `(code - zero point) * scale`, as float32, rounded to
 * the scales' type.
 *
 * Graphs inside of nodes are searched too, as there. Names are those before the quantizer, where they are free: `W_Q4`
 * becomes `W`. The import of com.microsoft goes if nothing uses it any more. The report names the weights that are
 * left, with a reason, such as prepacked weights.
 *
 * {@link dequantizeWeightsAsync} takes models of any size.
 * @param {Uint8Array} model the whole file
 * @param {BytesOptions} [options]
 * @returns {DequantizedBytes} `model`: the bytes of the new file; `report`: a row for each weight
 * @example
 * const { report } = dequantizeWeights(quantizeWeights(bytes).model);
 * report.length; // 0
 */
export function dequantizeWeights(model, options) {
  return named('dequantizeWeights', () => {
    ready();
    const { external } = readTable(options, bytesTable);
    return editBytes(readBytes(model, 'model'), [dequantizeStep], { external });
  });
}

/**
 * {@link dequantizeWeights} for a model of any size. The result is files in the making, as {@link saveModel} gives
 * them.
 * @param {ModelLike} model a source as {@link openModel} takes it; or what that gives, with any entries
 * @param {OneFileOptions} [options]
 * @returns {Promise<DequantizedFiles>}
 * @example
 * const { model, report } = await dequantizeWeightsAsync(new Blob([bytes]));
 * [model.byteLength > 0, report.length]; // [true, 0]
 */
export async function dequantizeWeightsAsync(model, options) {
  return namedAsync('dequantizeWeightsAsync', async () =>
    editIntoOneFile('dequantizeWeightsAsync', model, dequantizeStep, readTable(options, filesTable)),
  );
}
