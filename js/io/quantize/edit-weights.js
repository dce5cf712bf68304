/** Weights of a model that give way to others, in bytes or in files of any size. */
import { rangeError, show } from '../../arguments/index.js';
import { readDims } from '../../tensor/index.js';
import { byteLengthOf, checkSaving, squeezed, Work } from '../../weights/index.js';
import { readBytes } from '../bytes.js';
import { parseModel } from '../onnx/model.js';
import { graphFields, tensorFields } from '../onnx/onnx-fields.js';
import { attributesOnly, openFile } from '../onnx/open-model.js';
import { bytesField, textIn } from '../onnx/protobuf.js';
import { ranksOf, rewriteModel, usedIn } from './rewrite-model.js';
import { readEntries } from '../maps.js';
import { modelParts, readLocation, savedFiles } from '../onnx/save-model.js';
import { encodeTensor, parseBytes, readHead } from '../onnx/tensor-proto.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Tiled } from '../../weights/index.js' */
/** @import { Elements, SaveOptions } from '../../weights/types.js' */
/** @import { FileWriter } from '../../weights/index.js' */
/** @import { External, OpenExternal } from '../onnx/types.js' */
/** @import { Changes, Edit, FilesOptions, Graph, GraphOfWeights, ModelLike } from './types.js' */

/** @typedef {(graph: GraphOfWeights) => Edit} PlanOf */

/** The names of these options, and of those of files in the making. */
export const editNames = Object.freeze(['external', 'externalName', 'onProgress', 'signal']);

/** @type {(file: Uint8Array, external: External | undefined, planOf: PlanOf) => { model: Uint8Array, report: any[]
 *   }} */
export function editBytes(file, external, planOf) {
  /** @type {Map<string, Uint8Array>} */
  const messages = new Map();
  const graph = parseModel(file, external, (message) => {
    messages.set(textIn(message, tensorFields.name), message);
  });
  const messageOf = (/** @type {string} */ name) => /** @type {Uint8Array} */ (messages.get(name));
  const shapeOf = (/** @type {string} */ name) => shapeIn(messageOf(name));
  const edit = planOf({ ...graph, ranks: ranksOf(file), names: new Set(messages.keys()), shapeOf });
  checkNames(graph, messages, edit);
  /** @type {Uint8Array[]} */
  const added = [];
  for (const { sources, names, tiled } of edit.made) {
    const data = sources.map((name) => parseBytes(messageOf(name), external));
    tiled.whole(data).forEach((parts, i) => {
      added.push(bytesField(graphFields.initializer, encodeTensor(parts, names[i])));
    });
  }
  return { model: rewriteModel(file, graph, { ...changesOf(graph, edit), added }), report: edit.report() };
}

/** @type {(message: Uint8Array) => { dtype: DType, dims: number[] }} */
function shapeIn(message) {
  const { dtype, dims } = readHead(message);
  return { dtype, dims: readDims(dims) };
}

/** @type {(name: string, model: ModelLike, options: FilesOptions & SaveOptions, planOf: PlanOf, isMadeFirst: boolean)
 *   => Promise<{ model: FileWriter, externalFile?: FileWriter, report: any[] }>} */
export async function editFiles(name, model, { external, externalName, ...rest }, planOf, isMadeFirst) {
  const saving = checkSaving(rest);
  const location = readLocation(externalName);
  const { bytes, elements } = await openedOf(model, external);
  const graph = parseModel(bytes, attributesOnly, () => {});
  const elementsOf = (/** @type {string} */ name) => /** @type {Elements} */ (elements.get(name));
  const edit = planOf({ ...graph, ranks: ranksOf(bytes), names: new Set(elements.keys()), shapeOf: elementsOf });
  checkNames(graph, elements, edit);
  const changes = changesOf(graph, edit);
  const all = edit.made.map(({ sources, names, tiled }) => {
    const matrices = tiled.tiling.from.map(({ dims }, i) => matrixOf(elementsOf(sources[i]), dims.length));
    return { names, tiled, matrices };
  });
  if (isMadeFirst) await makeAll(all, saving);
  const report = edit.report();
  const named = new Map([...elements].filter(([name]) => !changes.dropped.has(name)));
  for (const { names, tiled, matrices } of all)
    tiled.elements(matrices).forEach((made, i) => named.set(names[i], made));
  const file = rewriteModel(bytes, graph, { ...changes, added: [] });
  return { ...savedFiles(name, await modelParts(file, named, location), saving), report };
}

/** @type {(model: any, external: OpenExternal | undefined) => Promise<{ bytes: Uint8Array, elements: Map<string,
 *   Elements> }>} */
async function openedOf(model, external) {
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

/** @type {(graph: Graph, edit: Edit) => Omit<Changes, 'added'>} */
function changesOf(graph, { nodes, made }) {
  const isUsed = usedIn(graph, nodes);
  const dropped = new Set(made.flatMap(({ sources }) => sources).filter((name) => !isUsed(name)));
  const types = made.flatMap(({ tiled }) => tiled.tiling.to.map(({ dtype }) => dtype.ir));
  return { nodes, dropped, leastIr: Math.max(0, ...types) };
}

/** @type {(graph: Graph, initializers: ReadonlyMap<string, unknown>, edit: Edit) => void} */
function checkNames({ nodes, inputs }, initializers, edit) {
  const left = nodes.filter((_, i) => !edit.nodes[i]);
  const taken = new Set([...initializers.keys(), ...inputs.map(({ name }) => name), ...outputsOf(left)]);
  for (const name of [...edit.made.flatMap(({ names }) => names), ...outputsOf(edit.nodes.flat())]) {
    if (taken.has(name)) rangeError(`model must not have the name of a new tensor, got ${show(name)}`);
    taken.add(name);
  }
}

/** @type {(nodes: readonly ({ outputs: readonly string[] } | undefined)[]) => string[]} */
const outputsOf = (nodes) => nodes.flatMap((node) => node?.outputs ?? []).filter((name) => name !== '');
