/** Edits a model by steps: one in memory, or one of any size. */
import { loader } from '../engines/tensors/index.js';
import * as io from '../io/internal.js';
import { FileWriter } from '../weights/index.js';
import { bytesIn, elementsOf, runPasses, runPassesOnFiles } from './model/contents.js';
import { raiseIr, readModel } from './model/read-model.js';
import { Scopes } from './model/scopes.js';
import { eachGraph } from './model/walk.js';
import { modelParts } from './model/write-model.js';

/** @import { External, OpenedModel, OpenExternal, Outside, Part } from '../io/types.js' */
/** @import { Elements, SaveOptions, SourceLike } from '../weights/types.js' */
/** @import { Model, Weight } from './model/types.js' */
/** @import { OpenFiles } from './model/contents.js' */
/** @import { EditedBytes, EditedFiles, ModelLike, Step } from './types.js' */

/**
 * @template Opener
 * @typedef {object} EditOptions
 * @property {Opener} [external]
 * @property {Outside} [outside]
 * @property {(model: Model) => void} [check] of the edited model
 */

/** Edits a model in memory. An unchanged one is copied as it is, unless its data move to other files (`outside`).
 * @template Row
 * @param {Uint8Array} file
 * @param {readonly Step<Row>[]} steps
 * @param {EditOptions<External>} options
 * @returns {EditedBytes<Row>} */
export function editBytes(file, steps, { external, outside, check }) {
  const model = readModel(file);
  // From IR version 4 on initializers need not be inputs, whose values callers may replace.
  raiseIr(model);
  /** @type {Row[]} */
  const report = [];
  let isChanged = false;
  for (const step of steps) {
    runPasses(step.before?.(model) ?? [], external);
    const applied = step.apply(model, report);
    runPasses(applied.passes, external);
    isChanged ||= applied.isChanged;
  }
  check?.(model);
  if (!isChanged && !outside) return { model: file.slice(), report };
  // Fills the files of `outside`, too.
  const pieces = modelParts(model, (weight) => contentInMemory(weight, external, outside), outside);
  const files = outside?.files.map(({ location, content }) => /** @type {const} */ ([location, joined(content)]));
  return { model: joined(pieces), ...(files && { externalFiles: new Map(files) }), report };
}

/** In memory all parts are bytes. @type {(pieces: readonly Part[]) => Uint8Array} */
const joined = (pieces) => io.concat(/** @type {Uint8Array[]} */ (pieces));

/** Strings always lie in their messages. @type {(tensor: Pick<Weight, 'dtype'>) => boolean} */
const isOfStrings = ({ dtype }) => dtype.array === 'Array';

/** `outside`: the files that data go to, if any.
 * @type {(weight: Weight, external: External | undefined, outside: object | undefined) => { message: Uint8Array } | {
 *   data: Uint8Array }} */
function contentInMemory(weight, external, outside) {
  const { content } = weight;
  // With `external` the data may be in another file now, and are read from there.
  const stays = isOfStrings(weight) || (outside === undefined && external === undefined);
  if (content.kind === 'message' && stays) return { message: content.message };
  return { data: bytesIn(weight, external) };
}

/** Edits a model of any size, whose weights are read and written in pieces. An unchanged model keeps its graph's bytes.
 * @template Row
 * @param {string} name of the public function
 * @param {ModelLike} source
 * @param {readonly Step<Row>[]} steps
 * @param {EditOptions<OpenExternal> & SaveOptions} options
 * @returns {Promise<EditedFiles<Row>>} */
export async function editFiles(name, source, steps, { external, outside, check, ...saving }) {
  const { bytes, elements, constants } = await openModel(source, external);
  await loader.loadAsync();
  const files = { external, open: io.openerOf(external), ...saving };
  const model = openGraph(bytes, elements, constants);
  raiseIr(model);
  /** @type {Row[]} */
  const report = [];
  let isChanged = false;
  for (const step of steps) {
    await runPassesOnFiles(step.before?.(model) ?? [], files);
    const applied = step.apply(model, report);
    await runPassesOnFiles(applied.passes, files);
    isChanged ||= applied.isChanged;
  }
  check?.(model);
  const pieces = isChanged
    ? modelParts(model, (weight) => contentInFiles(weight, files), outside)
    : await io.partsWith(bytes, elements, outside);
  const writerOf = (/** @type {readonly Part[]} */ content) => new FileWriter(name, content, saving);
  const data = outside?.files.map(({ location, content }) => /** @type {const} */ ([location, writerOf(content)]));
  return { model: writerOf(pieces), ...(data && { externalFiles: new Map(data) }), report };
}

/** `constants`: tensors of graphs inside of nodes, by their paths
 * @typedef {{ bytes: Uint8Array, elements: Map<string, Elements>, constants: Map<string, Elements> }} Opened */

/** @type {(model: ModelLike, external: OpenExternal | undefined) => Promise<Opened>} */
async function openModel(model, external) {
  const record = /** @type {Partial<OpenedModel>} */ (typeof model === 'object' && model !== null ? model : {});
  const { bytes, initializers, constants = new Map() } = record;
  const isOpened = bytes !== undefined && initializers !== undefined;
  const opened = isOpened
    ? { bytes, initializers, constants }
    : await io.openFile('model', /** @type {SourceLike} */ (model), external);
  const elements = io.readEntries(opened.initializers);
  return { bytes: io.readBytes(opened.bytes), elements, constants: io.readEntries(opened.constants) };
}

/** Reads the graph of an opened model, whose weights read their elements from the open sources. `elements`: sources by
 * the names of the outermost graph's initializers; `constants`: by the paths of those of graphs inside. The caller may
 * have removed, added or changed tensors of `elements`.
 * @type {(bytes: Uint8Array, elements: ReadonlyMap<string, Elements>, constants: ReadonlyMap<string, Elements>) =>
 *   Model} */
function openGraph(bytes, elements, constants) {
  const model = readModel(bytes);
  const { initializers } = model.graph;
  for (const name of initializers.keys()) if (!elements.has(name)) initializers.delete(name);
  for (const [name, opened] of elements) {
    if (isOfStrings(opened)) continue;
    const { dtype, dims } = opened;
    initializers.set(name, { name, dtype, dims, content: { kind: 'opened', elements: opened } });
  }
  const scopes = new Scopes(model.graph);
  for (const graph of eachGraph(model.graph)) {
    if (graph === model.graph) continue;
    for (const [name, weight] of graph.initializers) {
      const opened = constants.get(scopes.pathOf(graph) + name);
      const isOfWeight = opened?.dtype === weight.dtype;
      if (isOfWeight) weight.content = { kind: 'opened', elements: opened };
    }
  }
  return model;
}

/** @type {(weight: Weight, files: OpenFiles) => { message: Uint8Array } | { data: Elements }} */
function contentInFiles(weight, files) {
  const { content } = weight;
  if (content.kind === 'message' && isOfStrings(weight)) return { message: content.message };
  return { data: elementsOf(weight, files) };
}
