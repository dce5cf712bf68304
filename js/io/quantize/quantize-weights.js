/** Quantizes the weights of a model, as onnxruntime's quantizer of MatMul and Gather does it. */
import {
  copyList,
  named,
  namedAsync,
  rangeError,
  readOptions,
  readWord,
  show,
  typeError,
} from '../../arguments/index.js';
import { ready } from '../../engines/tensors/index.js';
import { readBytes } from '../bytes.js';
import { editBytes, editFiles, editNames } from './edit-weights.js';
import { readPackOptions } from './matmul-nbits.js';
import { planQuantized } from './quantize-nodes.js';

/** @import { FileWriter } from '../../weights/index.js' */
/** @import { SaveOptions } from '../../weights/types.js' */
/** @import { BytesOptions, Choice, Edit, FilesOptions, ModelLike, ModelOfWeights } from './types.js' */
/** @import { QuantizeOptions, ReportRow } from './types.js' */

/** @typedef {{ model: Uint8Array, report: ReportRow[] }} QuantizedBytes */
/** @typedef {{ model: FileWriter, externalFile?: FileWriter, report: ReportRow[] }} QuantizedFiles */

const forms = Object.freeze(/** @type {const} */ (['matmulnbits', 'qdq']));
const names = ['bits', 'blockSize', 'symmetric', 'form', 'ops', 'include', 'exclude'];

/**
 * Quantizes constant weights of a model's MatMul nodes, and of its Gather nodes where `ops` says so, with the nodes,
 * names and bytes of onnxruntime's `MatMulNBitsQuantizer`.
 *
 * A MatMul has weights where its second input is an initializer of two axes, or of more that begin with extents of 1
 * and are no more than those of its first input. Graphs inside of nodes, as of If, Loop and Scan, are searched too: the
 * report names what is in them as `If_3/then_branch/w`, and packed tensors become initializers of the outermost graph.
 * Weights that several nodes share are packed once; those that something else uses stay as well. New names that are
 * taken get a number. The report names the weights that are left, with a reason. A model of IR version 3 or older,
 * which lists initializers as inputs, becomes one of version 4, whose inputs are the others.
 *
 * {@link quantizeWeightsAsync} takes models of any size.
 * @param {Uint8Array} model the whole file
 * @param {QuantizeOptions & BytesOptions} [options]
 * @returns {QuantizedBytes} `model`: the bytes of the new file; `report`: a row for each weight
 * @example
 * const { report } = quantizeWeights(bytes, { bits: 4, blockSize: 32 });
 * report.filter(({ packed }) => packed).length; // 0
 */
export function quantizeWeights(model, options) {
  return named('quantizeWeights', () => {
    ready();
    const given = readOptions(options, [...names, 'external']);
    return editBytes(readBytes(model, 'model'), given.external, planBy(readChoice(given)));
  });
}

/**
 * {@link quantizeWeights} for a model of any size. The result is files in the making, as {@link saveModel} gives them:
 * all weights were packed once by then, for the report and because they might not be finite, and are packed again when
 * the files are written. So the memory in use is below 128 MB.
 * @param {ModelLike} model a source as {@link openModel} takes it; or what that gives, with any entries
 * @param {QuantizeOptions & FilesOptions & SaveOptions} [options] the bytes of `onProgress` are first those of the
 *   weights, then those of each file
 * @returns {Promise<QuantizedFiles>} the new model: where it is one file, its bytes are those of `quantizeWeights`
 * @example
 * const { model, report } = await quantizeWeightsAsync(new Blob([bytes]));
 * [model.byteLength > 0, report.length]; // [true, 0]
 */
export async function quantizeWeightsAsync(model, options) {
  return namedAsync('quantizeWeightsAsync', async () => {
    const given = readOptions(options, [...names, ...editNames]);
    return editFiles('quantizeWeightsAsync', model, given, planBy(readChoice(given)), true);
  });
}

/** @type {(given: QuantizeOptions) => Choice} */
function readChoice(given) {
  const packing = readPackOptions(given);
  const form = readWord('form', forms, given.form) ?? 'matmulnbits';
  const ops = readNames('ops', given.ops) ?? ['MatMul'];
  for (const op of ops)
    if (op !== 'MatMul' && op !== 'Gather') rangeError(`ops must hold 'MatMul' or 'Gather', got ${show(op)}`);
  if (ops.includes('Gather') && packing.bits !== 4)
    rangeError(`bits must be 4 where ops has Gather, got ${packing.bits}`);
  const include = readNames('include', given.include);
  const exclude = readNames('exclude', given.exclude);
  return { ...packing, form, ops, include: include && new Set(include), exclude: new Set(exclude) };
}

/** @type {(name: string, list: unknown) => string[] | undefined} */
function readNames(name, list) {
  if (list === undefined) return undefined;
  const copy = Array.isArray(list) ? copyList(name, list) : undefined;
  if (!copy?.every((entry) => typeof entry === 'string'))
    typeError(`${name} must be an array of names, got ${show(list)}`);
  return copy;
}

/** @type {(choice: Choice) => (model: ModelOfWeights) => Edit} */
const planBy = (choice) => (model) => {
  if (choice.form === 'qdq' && choice.ops.includes('MatMul')) {
    const least = choice.bits === 2 ? 25 : 21;
    const opset = model.opsets.get('') ?? 0;
    if (opset < least) rangeError(`model must import opset ${least} or a newer one for qdq, got opset ${opset}`);
  }
  return planQuantized(choice, model);
};
