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

/** Edits a model in memory. An unchanged one is copied as it is, unless its data move to other files.
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
  // Adds the data that go to other files to `outside.files`.
  const pieces = modelParts(model, (weight) => contentInMemory(weight, external, outside), outside);
  const files = outside?.files.map(({ location, content }) => /** @type {const} */ ([location, joinBytes(content)]));
  return { model: joinBytes(pieces), ...(files && { externalFiles: new Map(files) }), report };
}

/** Joins the parts of a file; in memory all of them are bytes. @type {(pieces: readonly Part[]) => Uint8Array} */
const joinBytes = (pieces) => io.concat(/** @type {Uint8Array[]} */ (pieces));

/** Whether a tensor has strings, which always lie in its message. @type {(tensor: Pick<Weight, 'dtype'>) => boolean} */
const isOfStrings = ({ dtype }) => dtype.array === 'Array';

/** Gives what is written of a weight in memory: its message as it was, or its bytes.
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
  const files = { externalFiles: new io.ExternalFiles(external), ...saving };
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
    : await io.partsWithInitializers(bytes, elements, outside);
  const writerOf = (/** @type {readonly Part[]} */ content) => new FileWriter(name, content, saving);
  const writers = outside?.files.map(({ location, content }) => /** @type {const} */ ([location, writerOf(content)]));
  return { model: writerOf(pieces), ...(writers && { externalFiles: new Map(writers) }), report };
}

/** `constants`: tensors of graphs inside of nodes, by their paths
 * @typedef {{ bytes: Uint8Array, elements: Map<string, Elements>, constants: Map<string, Elements> }} Opened */

/** Opens a model that a caller gives as a file, or takes the parts of one that the caller has opened already.
 * @type {(model: ModelLike, external: OpenExternal | undefined) => Promise<Opened>} */
async function openModel(model, external) {
  const isObject = typeof model === 'object' && model !== null;
  const { bytes, initializers, constants = new Map() } = /** @type {Partial<OpenedModel>} */ (isObject ? model : {});
  const isOpened = bytes !== undefined && initializers !== undefined;
  const opened = isOpened
    ? { bytes, initializers, constants }
    : await io.openFile('model', /** @type {SourceLike} */ (model), external);
  const elements = io.readEntries(opened.initializers);
  return { bytes: io.readBytes(opened.bytes), elements, constants: io.readEntries(opened.constants) };
}

/** Reads an opened model, whose weights read their elements from the open sources. `elements`: sources by the names of
 * the outermost graph's initializers, of which the caller may have removed, added or changed some; `constants`: by the
 * paths of those of graphs inside.
 * @type {(bytes: Uint8Array, elements: ReadonlyMap<string, Elements>, constants: ReadonlyMap<string, Elements>) =>
 *   Model} */
function openGraph(bytes, elements, constants) {
  const model = readModel(bytes);
  useElements(model, elements);
  useConstants(model, constants);
  return model;
}

/** Makes the initializers of the outermost graph those of `elements`; strings stay in their messages.
 * @type {(model: Model, elements: ReadonlyMap<string, Elements>) => void} */
function useElements({ graph: { initializers } }, elements) {
  for (const name of initializers.keys()) if (!elements.has(name)) initializers.delete(name);
  for (const [name, opened] of elements) {
    if (isOfStrings(opened)) continue;
    const { dtype, dims } = opened;
    initializers.set(name, { name, dtype, dims, content: { kind: 'opened', elements: opened } });
  }
}

/** Lets the initializers of graphs inside of nodes read their elements from `constants`.
 * @type {(model: Model, constants: ReadonlyMap<string, Elements>) => void} */
function useConstants({ graph: root }, constants) {
  const scopes = new Scopes(root);
  for (const graph of eachGraph(root)) {
    if (graph === root) continue;
    for (const [name, weight] of graph.initializers) {
      const opened = constants.get(scopes.pathOf(graph) + name);
      const isOfWeight = opened?.dtype === weight.dtype;
      // Without an entry of its type, a weight reads its elements from its message.
      if (isOfWeight) weight.content = { kind: 'opened', elements: opened };
    }
  }
}

/** Gives what is written of a weight of a model of any size: its message as it was, or its elements.
 * @type {(weight: Weight, files: OpenFiles) => { message: Uint8Array } | { data: Elements }} */
function contentInFiles(weight, files) {
  const { content } = weight;
  if (content.kind === 'message' && isOfStrings(weight)) return { message: content.message };
  return { data: elementsOf(weight, files) };
}
