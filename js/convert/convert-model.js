/** Whole models to other number types. */
import { bytesOf, named, namedAsync, readOptions } from '../arguments/index.js';
import { loader, ready } from '../engines/tensors/index.js';
import { concat, openedModel, openerOf, readBytes } from '../io/internal.js';
import { newData, sizeOf } from '../tensor/index.js';
import { checkSaving, FileWriter, wholeBox, Work } from '../weights/index.js';
import { checkModel } from './check-model.js';
import { dataOf, elementsOf, surveyAll, surveyFiles } from './model/contents.js';
import { raiseIr, readModel } from './model/read-model.js';
import { eachGraph } from './model/walk.js';
import { modelParts } from './model/write-model.js';
import { choiceNames, readChoice, readOutside } from './read-choice.js';
import { stepsOf } from './steps.js';

/** @import { External } from '../io/types.js' */
/** @import { ModelLike } from '../io/types.js' */
/** @import { Model, Weight } from './model/types.js' */
/** @import { Elements } from '../weights/types.js' */
/** @import { OpenFiles } from './model/contents.js' */
/** @import { Outside, Part } from './model/write-model.js' */
/** @import { BytesOptions, ConvertedBytes, ConvertedFiles, FilesOptions, ReportRow } from './types.js' */

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
 * @param {BytesOptions} options
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
    const given = readOptions(options, choiceNames);
    const choice = readChoice(given);
    const outside = readOutside(given);
    const file = readBytes(model, 'model');
    const graph = readModel(file);
    const { external } = given;
    raiseIr(graph);
    /** @type {ReportRow[]} */
    const report = [];
    let isChanged = false;
    for (const step of stepsOf(choice)) {
      surveyAll(step.before(graph), external);
      const applied = step.apply(graph, report);
      surveyAll(applied.surveys, external);
      isChanged ||= applied.isChanged;
    }
    checkModel(graph);
    if (!isChanged && !outside) return { model: file.slice(), report };
    const parts = modelParts(graph, (weight) => contentInMemory(weight, external, outside), outside);
    const files = outside?.files.map(({ location, parts: own }) => /** @type {const} */ ([location, joined(own)]));
    return { model: joined(parts), ...(files && { externalFiles: new Map(files) }), report };
  });
}

/** @type {(parts: readonly Part[]) => Uint8Array} */
const joined = (parts) => concat(/** @type {Uint8Array[]} */ (parts));

/** @type {(weight: Weight, external: External | undefined, outside: object | undefined) => { message: Uint8Array } | {
 *   data: Uint8Array }} */
function contentInMemory(weight, external, outside) {
  const { dtype, content } = weight;
  const isInline = content.kind === 'message' && (outside === undefined || dtype.array === 'Array');
  if (isInline && external === undefined) return { message: content.message };
  return { data: bytesOf(dataOf(weight, external)) };
}

/**
 * {@link convertModel} for a model of any size. The result is files in the making, as {@link saveModel} gives them. The
 * weights are read once before, because their numbers decide what becomes of them.
 * @param {ModelLike} model a source as {@link openModel} takes it; or what that gives, with any entries
 * @param {FilesOptions} options
 * @returns {Promise<ConvertedFiles>}
 * @example
 * const { model } = await convertModelAsync(new Blob([bytes]), { dtype: 'fp16' });
 * model.byteLength > 0; // true
 */
export async function convertModelAsync(model, options) {
  return namedAsync('convertModelAsync', async () => {
    const given = readOptions(options, [...choiceNames, 'onProgress', 'signal']);
    const choice = readChoice(given);
    const outside = readOutside(given);
    const saving = checkSaving(given);
    const { external } = given;
    const { bytes, elements } = await openedModel(model, external);
    await loader.loadAsync();
    const files = { external, open: openerOf(external), signal: saving.signal };
    const graph = openGraph(bytes, elements);
    raiseIr(graph);
    /** @type {ReportRow[]} */
    const report = [];
    let isChanged = false;
    for (const step of stepsOf(choice)) {
      await surveyFiles(step.before(graph), files);
      const applied = step.apply(graph, report);
      await surveyFiles(applied.surveys, files);
      isChanged ||= applied.isChanged;
    }
    checkModel(graph);
    const parts = await partsOf(isChanged ? graph : openGraph(bytes, elements), files, outside);
    const writer = (/** @type {readonly Part[]} */ own) => new FileWriter('convertModelAsync', own, saving);
    const beside = outside?.files.map(({ location, parts: own }) => /** @type {const} */ ([location, writer(own)]));
    return { model: writer(parts), ...(beside && { externalFiles: new Map(beside) }), report };
  });
}

/** @type {(bytes: Uint8Array, elements: ReadonlyMap<string, Elements>) => Model} */
function openGraph(bytes, elements) {
  const model = readModel(bytes);
  const { initializers } = model.graph;
  for (const [name, own] of elements) {
    if (own.dtype.array === 'Array') continue;
    const { dtype, dims } = own;
    initializers.set(name, { name, dtype, dims, content: { kind: 'opened', elements: own } });
  }
  return model;
}

/** @type {(model: Model, files: OpenFiles, outside: Outside | undefined) => Promise<Part[]>} */
async function partsOf(model, files, outside) {
  const inner = await innerContents(model, files);
  const contentOf = (/** @type {Weight} */ weight) => inner.get(weight) ?? { data: elementsOf(weight, files) };
  return modelParts(model, contentOf, outside);
}

/** The data of graphs inside of nodes, which lie in the model's bytes.
 * @type {(model: Model, files: OpenFiles) => Promise<Map<Weight, { message: Uint8Array } | { data: Uint8Array }>>} */
async function innerContents({ graph }, files) {
  const work = new Work(files.signal);
  const contents = new Map();
  for (const own of eachGraph(graph))
    for (const weight of own.initializers.values()) {
      const { dtype, dims, content } = weight;
      if (content.kind === 'message' && dtype.array === 'Array') contents.set(weight, { message: content.message });
      else if (own !== graph) {
        const data = newData(dtype, sizeOf(dims), undefined);
        await elementsOf(weight, files).fill(wholeBox(dims), data, work);
        contents.set(weight, { data: bytesOf(data) });
      }
    }
  return contents;
}
