/** Gives a model with packed weights plain ones again. */
import { named, namedAsync, readOptions, typedArrayName } from '../../arguments/index.js';
import { ready } from '../../engine/index.js';
import { readBytes } from '../bytes.js';
import { planDequantized } from './dequantize-nodes.js';
import { savedFiles } from '../onnx/save-model.js';
import { editBytes, editFiles, editNames } from './edit-weights.js';

/** @import { FileWriter } from '../../weights/index.js' */
/** @import { SaveOptions } from '../../weights/types.js' */
/** @import { BytesOptions, FilesOptions, ModelLike, UnpackedRow } from './types.js' */

/** @typedef {{ model: Uint8Array, report: UnpackedRow[] }} DequantizedBytes */
/** @typedef {{ model: FileWriter, external?: FileWriter, report: UnpackedRow[] }} DequantizedFiles */

/**
 * Gives a model with packed weights plain ones again, as it was before {@link quantizeWeights} but for what rounding
 * lost: MatMulNBits becomes MatMul, GatherBlockQuantized becomes Gather, and DequantizeLinear of a constant, in blocks
 * of rows and before MatMul, becomes the constant. Each weight is `(code - zero point) * scale`, as float32, rounded to
 * the scales' type.
 *
 * Names are those before the quantizer, where they are free: `W_Q4` becomes `W`. The import of com.microsoft goes if
 * nothing uses it any more. The report names the weights that are left, with a reason, such as prepacked weights.
 *
 * Of a Uint8Array, the result is bytes. Of anything else, of any size, it is a promise of files in the making, as
 * {@link saveModel} gives them.
 * @template {ModelLike} Given
 * @param {Given} model the whole file as a Uint8Array; or a source as {@link openModel} takes it; or what that gives,
 *   with any entries
 * @param {Given extends Uint8Array ? BytesOptions : FilesOptions & SaveOptions} [options] `onProgress` and `signal` are
 *   of sources too
 * @returns {Given extends Uint8Array ? DequantizedBytes : Promise<DequantizedFiles>}
 * @example
 * const { report } = dequantizeWeights(quantizeWeights(bytes).model);
 * report.length; // 0
 */
export function dequantizeWeights(model, options) {
  const isBytes = typedArrayName(model) === 'Uint8Array';
  return /** @type {any} */ (isBytes ? dequantizeBytes(model, options) : dequantizeFiles(model, options));
}

/** @type {(model: any, options: any) => DequantizedBytes} */
function dequantizeBytes(model, options) {
  return named('dequantizeWeights', () => {
    ready();
    const { external } = readOptions(options, ['external']);
    return editBytes(readBytes(model), external, planDequantized);
  });
}

/** @type {(model: any, options: any) => Promise<DequantizedFiles>} */
async function dequantizeFiles(model, options) {
  return namedAsync('dequantizeWeights', async () => {
    ready();
    const { external, externalName, onProgress, signal } = readOptions(options, editNames);
    const edited = await editFiles(model, { external, externalName, onProgress, signal }, planDequantized, false);
    return { ...savedFiles('dequantizeWeights', edited.parts, edited.saving), report: edited.report };
  });
}
