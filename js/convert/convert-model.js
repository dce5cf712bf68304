/** Whole models to other number types. */
import { named, namedAsync } from '../arguments/index.js';
import { ready } from '../engines/tensors/index.js';
import { readBytes } from '../io/internal.js';
import { checkSaving } from '../weights/index.js';
import { checkModel } from './check-model.js';
import { editBytes, editFiles } from './edit-model.js';
import { readChoice, savingTable } from './read-choice.js';
import { stepsOf } from './steps.js';

/** @import { BytesOptions, ConvertedBytes, ConvertedFiles } from './types.js' */
/** @import { ConvertOptions, FilesOptions, ModelLike } from './types.js' */

/**
 * Converts a whole model, as transformers.js' files of other dtypes are: weights, the graph around them, and the graphs
 * inside of If, Loop and Scan.
 *
 * `fp16`: every value that float16 can carry is float16; sums, means and what follows them stay float32, with one Cast
 * for each value that is used as both. Weights beyond 65504 become 65504, none becomes 0 or infinite. A model that is
 * converted twice is the same as one converted once.
 *
 * `int8` and `uint8`: weights of 8 bits and activations that are quantized while the model runs, with the nodes and
 * bytes of onnxruntime's `quantize_dynamic`; `q8` is uint8 where the model has Conv, GroupQueryAttention or
 * MultiHeadAttention, and int8 otherwise, as transformers.js' models are. `q4` and `q2`: the matrices of MatMul as
 * com.microsoft's MatMulNBits, `q4f16` and `q2f16` with all else in float16. `bnb4`: com.microsoft's MatMulBnb4.
 *
 * Names, metadata, doc strings and opset imports stay. The result is checked before it is given: its order, its names
 * and its types. {@link convertModelAsync} takes models of any size.
 * @param {Uint8Array} model the whole file
 * @param {ConvertOptions & BytesOptions} options
 * @returns {ConvertedBytes} `report`: a row for each node that stays float32, and for each weight with another type
 * @throws {RangeError} an operator that is not known and whose outputs have no stated types; weights of NaN or infinity
 *   for 8 and 4 bits; an opset below 11 for 8 bits; a model that breaks ONNX's rules
 * @example
 * const { model, report } = convertModel(bytes, { dtype: 'fp16' });
 * [model.length > 0, report.map(({ reason }) => reason)]; // [true, ['follows float32']]
 */
export function convertModel(model, options) {
  return named('convertModel', () => {
    ready();
    const { choice, outside, values } = readChoice(options);
    const { external } = values;
    return editBytes(readBytes(model, 'model'), stepsOf(choice), { external, outside, check: checkModel });
  });
}

/**
 * {@link convertModel} for a model of any size. The result is files in the making, as {@link saveModel} gives them. The
 * weights are read once before, because their numbers decide what becomes of them.
 * @param {ModelLike} model a source as {@link openModel} takes it; or what that gives, with any entries
 * @param {ConvertOptions & FilesOptions} options
 * @returns {Promise<ConvertedFiles>}
 * @example
 * const { model } = await convertModelAsync(new Blob([bytes]), { dtype: 'fp16' });
 * model.byteLength > 0; // true
 */
export async function convertModelAsync(model, options) {
  return namedAsync('convertModelAsync', async () => {
    const { choice, outside, values } = readChoice(options, savingTable);
    const { external } = values;
    const more = { external, outside, check: checkModel, ...checkSaving(values) };
    return editFiles('convertModelAsync', model, stepsOf(choice), more);
  });
}
