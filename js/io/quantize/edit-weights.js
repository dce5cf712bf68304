/** Weights of a model that give way to others, in bytes or in files of any size. */
import { loader } from '../../engines/tensors/index.js';
import { readDims } from '../../tensor/index.js';
import { byteLengthOf, checkSaving, squeezed, Work } from '../../weights/index.js';
import { readBytes } from '../bytes.js';
import { readTree } from '../onnx/graph-tree.js';
import { graphFields } from '../onnx/onnx-fields.js';
import { attributesOnly, openFile, openerOf, readInMessage } from '../onnx/open-model.js';
import { bytesField } from '../onnx/protobuf.js';
import { addTo, firstWithDefaults, usesIn } from './find-weights.js';
import { rewriteModel } from './rewrite-model.js';
import { readEntries } from '../maps.js';
import { modelParts, readLocation, savedFiles } from '../onnx/save-model.js';
import { encodeTensor, parseBytes, readHead } from '../onnx/tensor-proto.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Tiled } from '../../weights/index.js' */
/** @import { Elements, SaveOptions } from '../../weights/types.js' */
/** @import { FileWriter } from '../../weights/index.js' */
/** @import { External, GraphTree, ModelTree, OpenExternal } from '../onnx/types.js' */
/** @import { Changes, Edit, FilesOptions, ModelLike, ModelOfWeights, Weights } from './types.js' */

/** @typedef {(model: ModelOfWeights) => Edit} PlanOf */

/** The names of these options, and of those of files in the making. */
export const editNames = Object.freeze(['external', 'externalName', 'onProgress', 'signal']);

/** @type {(file: Uint8Array, external: External | undefined, planOf: PlanOf) => { model: Uint8Array, report: any[]
 *   }} */
export function editBytes(file, external, planOf) {
  const tree = readTree(file, external);
  const edit = planOf({ ...tree, shapeOf: (weights) => shapeIn(messageOf(weights)) });
  /** @type {Uint8Array[]} */
  const added = [];
  for (const { sources, names, tiled } of edit.made) {
    const data = sources.map((weights) => parseBytes(messageOf(weights), external));
    tiled.whole(data).forEach((parts, i) => {
      added.push(bytesField(graphFields.initializer, encodeTensor(parts, names[i])));
    });
  }
  return { model: rewriteModel(file, tree, { ...changesOf(tree, edit), added }), report: edit.report() };
}

/** @type {(weights: Weights) => Uint8Array} */
const messageOf = ({ graph, name }) => /** @type {Uint8Array} */ (graph.initializers.get(name));

/** @type {(message: Uint8Array) => { dtype: DType, dims: number[] }} */
function shapeIn(message) {
  const { dtype, dims } = readHead(message);
  return { dtype, dims: readDims(dims) };
}

/** New tensors are initializers of the outermost graph, whose values all graphs inside see: its data alone may have any
 * size.
 * @type {(name: string, model: ModelLike, options: FilesOptions & SaveOptions, planOf: PlanOf, isMadeFirst: boolean)
 *   => Promise<{ model: FileWriter, externalFile?: FileWriter, report: any[] }>} */
export async function editFiles(name, model, { external, externalName, ...rest }, planOf, isMadeFirst) {
  const saving = checkSaving(rest);
  const location = readLocation(externalName);
  const { bytes, elements } = await openedModel(model, external);
  await loader.loadAsync();
  const tree = readTree(bytes, attributesOnly);
  const { root } = tree;
  root.initializers = new Map(Array.from(elements.keys(), (key) => [key, bytes]));
  for (const key of elements.keys()) root.values.add(key);
  const elementsOf = elementsBy(tree, elements, external);
  const edit = planOf({ ...tree, shapeOf: elementsOf });
  const changes = changesOf(tree, edit);
  const all = edit.made.map(({ sources, names, tiled }) => {
    const matrices = tiled.tiling.from.map(({ dims }, i) => matrixOf(elementsOf(sources[i]), dims.length));
    return { names, tiled, matrices };
  });
  if (isMadeFirst) await makeAll(all, saving);
  const report = edit.report();
  const dropped = changes.dropped.get(root);
  const named = new Map([...elements].filter(([key]) => !dropped?.has(key)));
  for (const { names, tiled, matrices } of all)
    tiled.elements(matrices).forEach((made, i) => named.set(names[i], made));
  const file = rewriteModel(bytes, tree, { ...changes, added: [] });
  return { ...savedFiles(name, await modelParts(file, named, location), saving), report };
}

/** Initializers of inner graphs lie in the model's bytes, or in other files.
 * @type {(tree: ModelTree, elements: Map<string, Elements>, external: OpenExternal | undefined) =>
 *   (weights: Weights) => Elements} */
function elementsBy({ root }, elements, external) {
  const outside = openerOf(external);
  return (weights) => {
    if (weights.graph === root) return /** @type {Elements} */ (elements.get(weights.name));
    return readInMessage(messageOf(weights), external, outside);
  };
}

/** @type {(model: any, external: OpenExternal | undefined) => Promise<{ bytes: Uint8Array, elements: Map<string,
 *   Elements> }>} */
export async function openedModel(model, external) {
  const isObject = typeof model === 'object' && model !== null;
  const given = isObject ? { bytes: model.bytes, initializers: model.initializers } : {};
  const isOpened = given.bytes !== undefined && given.initializers !== undefined;
  const { bytes, initializers } = isOpened ? given : await openFile('model', model, external);
  return { bytes: readBytes(bytes), elements: readEntries(initializers) };
}

/** @type {(elements: Elements, rank: number) => Elements} */
const matrixOf = (elements, rank) => (elements.dims.length > rank ? squeezed(elements, rank) : elements);

/** Makes everything once, so that faults show before anything is written.
 * @type {(all: { tiled: Tiled, matrices: Elements[] }[], saving: SaveOptions) => Promise<void>} */
async function makeAll(all, { onProgress, signal }) {
  const work = new Work(signal);
  const total = all.flatMap(({ matrices }) => matrices).reduce((sum, elements) => sum + byteLengthOf(elements), 0);
  let done = 0;
  for (const { tiled, matrices } of all) {
    await tiled.pass(matrices, work, (bytes) => onProgress?.({ done: (done += bytes), total }));
    work.rest();
  }
}

/** @type {(tree: ModelTree, edit: Edit) => Omit<Changes, 'added'>} */
function changesOf({ root, irVersion }, { nodes, made }) {
  const uses = usesIn(root, (node) => !nodes.has(node));
  /** @type {Map<GraphTree, Set<string>>} */
  const dropped = new Map();
  // The first version in which an initializer need not be an input.
  let leastIr = made.length > 0 ? firstWithDefaults : 0;
  for (const { sources, tiled } of made) {
    for (const { graph, name } of sources) if (!uses.get(graph)?.has(name)) addTo(dropped, graph, name);
    for (const { dtype } of tiled.tiling.to) leastIr = Math.max(leastIr, dtype.ir);
  }
  const isRaised = irVersion < firstWithDefaults && leastIr >= firstWithDefaults;
  return { nodes, dropped, leastIr, isRaised };
}
