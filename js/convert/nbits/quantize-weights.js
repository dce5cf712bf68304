/** Quantizes the weights of a model, as onnxruntime's quantizer of MatMul and Gather does it. */
import { named, namedAsync, names, rangeError, readTable, show, word } from '../../arguments/index.js';
import { ready } from '../../engines/tensors/index.js';
import { readBytes } from '../../io/internal.js';
import { editBytes } from '../edit-model.js';
import { bytesTable } from '../read-choice.js';
import { packTable } from './matmul-nbits.js';
import { editIntoOneFile, filesTable } from './one-file.js';
import { packStep } from './quantize-nodes.js';

/** @import { BytesOptions, ModelLike } from '../types.js' */

/** @typedef {{ [Name in keyof typeof quantizeTable]: ReturnType<typeof quantizeTable[Name]> }} ReadOptions */
/** @import { OneFileOptions, PackChoice, QuantizeOptions } from './types.js' */
/** @import { QuantizedBytes, QuantizedFiles } from './types.js' */

const quantizeTable = {
  ...packTable,
  form: word(['matmulnbits', 'qdq'], 'matmulnbits'),
  ops: names(['MatMul']),
  include: names(undefined),
  exclude: names([]),
};

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
    const values = readTable(options, { ...quantizeTable, ...bytesTable });
    return editBytes(readBytes(model, 'model'), [packStep(choiceOf(values))], { external: values.external });
  });
}

/**
 * {@link quantizeWeights} for a model of any size. The result is files in the making, as {@link saveModel} gives them:
 * all weights were packed once by then, for the report and because they might not be finite, and are packed again when
 * the files are written. So the memory in use is below 128 MB.
 * @param {ModelLike} model a source as {@link openModel} takes it; or what that gives, with any entries
 * @param {QuantizeOptions & OneFileOptions} [options] the bytes of `onProgress` are first those of the weights, then
 *   those of each file
 * @returns {Promise<QuantizedFiles>} the new model: where it is one file, its bytes are those of `quantizeWeights`
 * @example
 * const { model, report } = await quantizeWeightsAsync(new Blob([bytes]));
 * [model.byteLength > 0, report.length]; // [true, 0]
 */
export async function quantizeWeightsAsync(model, options) {
  return namedAsync('quantizeWeightsAsync', async () => {
    const values = readTable(options, { ...quantizeTable, ...filesTable });
    return editIntoOneFile('quantizeWeightsAsync', model, packStep(choiceOf(values)), values);
  });
}

/** Checks the options that depend on each other, and makes of them the choice of nodes and packing.
 * @type {(options: ReadOptions) => PackChoice} */
function choiceOf({ bits, blockSize, symmetric, form, ops, include, exclude }) {
  for (const op of ops)
    if (op !== 'MatMul' && op !== 'Gather') rangeError(`ops must hold 'MatMul' or 'Gather', got ${show(op)}`);
  // onnxruntime's quantizer packs Gather to 4 bits alone.
  if (ops.includes('Gather') && bits !== 4) rangeError(`bits must be 4 where ops has Gather, got ${bits}`);
  // Without `include` all are included.
  const included = include && new Set(include);
  const excluded = new Set(exclude);
  return {
    bits,
    block: blockSize,
    symmetric,
    form,
    ops,
    subgraphs: true,
    isMeasured: true,
    /** `labels`: the names of the node and of its weights. */
    reasonToLeave(_operator, labels) {
      if (included && !labels.some((label) => included.has(label))) return 'not included';
      return labels.some((label) => excluded.has(label)) ? 'excluded' : undefined;
    },
  };
}
