/** Reads a model to edit it: graphs, nodes and attributes, with the fields that no conversion touches as they are. */
import { checkFileKind, rangeError, show } from '../../arguments/index.js';
import { readDims } from '../../tensor/index.js';
import * as io from '../../io/internal.js';
import { readInfo } from './info.js';
import { eachGraph } from './walk.js';

/** @import { Field, Rows } from '../../io/types.js' */
/** @import { Attribute, Graph, Model, ModelFunction, Node, Weight } from './types.js' */

const { attributeFields, functionFields, graphFields, modelFields, nodeFields, opsetFields } = io;
const { sparseFields } = io;

/** Where a node stands: in the graph `outer`, undefined in a function, which is nested `depth` deep; the outermost
 * graph counts as 1.
 * @typedef {{ outer: Graph | undefined, depth: number }} Context */

/** Gives ONNX's own domain, which has two names, that of ''; other domains stay as they are.
 * @type {(domain: string) => string} */
const plainDomain = (domain) => (domain === 'ai.onnx' ? '' : domain);

/** Keeps a field that no conversion reads, to write it again.
 * @type {(message: { rest: Uint8Array[] }, field: Field) => void} */
const keepField = ({ rest }, { bytes }) => void rest.push(bytes);

/** Reads a message into `target`: `rows` has a function for each field number that is read, and other fields go to
 * `target.rest` as they are.
 * @type {<T extends { rest: Uint8Array[] }>(message: Uint8Array, rows: Rows, target: T, context?: unknown) => T} */
function readKeepingRest(message, rows, target, context) {
  for (const field of io.fieldsOf(message)) {
    const readField = rows[field.number] ?? keepField;
    readField(target, field, context);
  }
  return target;
}

/** @type {Rows} */
const attributeRows = {
  [attributeFields.name]: io.text('name'),
  [attributeFields.g]: io.submessages('graphs', (message, context) => readGraph(message, context)),
  [attributeFields.graphs]: io.submessages('graphs', (message, context) => readGraph(message, context)),
};

/** Reads an AttributeProto: its name and its graphs, and the whole message for all else.
 * @type {(message: Uint8Array, context: Context) => Attribute} */
const readAttribute = (message, context) =>
  io.readMessage(message, attributeRows, { name: '', message, graphs: [] }, context);

/** @type {Rows} */
const nodeRows = {
  [nodeFields.input]: io.texts('inputs'),
  [nodeFields.output]: io.texts('outputs'),
  [nodeFields.name]: io.text('name'),
  [nodeFields.opType]: io.text('operator'),
  [nodeFields.domain]: (node, field) => void (node.domain = plainDomain(io.asText(field))),
  [nodeFields.attribute]: io.submessages('attributes', readAttribute),
};

/** @type {(message: Uint8Array, context: Context) => Node} */
function readNode(message, context) {
  const empty = { name: '', operator: '', domain: '', inputs: [], outputs: [], attributes: [], rest: [] };
  const node = readKeepingRest(message, nodeRows, empty, context);
  if (node.operator === '') rangeError(`node ${show(node.name)} must have an op_type, got none`);
  return node;
}

/** Reads the name, type and dims of an initializer; its elements stay in the message.
 * @type {(message: Uint8Array) => Weight} */
function readWeight(message) {
  const { name, dtype, dims } = io.readTensorHead(message);
  return { name, dtype, dims: readDims(dims), content: { kind: 'message', message } };
}

/** @type {Rows} */
const sparseRows = {
  /** The tensor of its values has the name and the element type. */
  [sparseFields.values]: (result, field) => {
    const { name, dtype } = io.readTensorHead(io.asBytes(field));
    Object.assign(result, { name, code: dtype.code });
  },
};

/** @type {Rows} */
const graphRows = {
  [graphFields.node]: io.submessages('nodes', readNode),
  /** Of two with one name the last one counts. */
  [graphFields.initializer]: (graph, field) => {
    const weight = readWeight(io.asBytes(field));
    graph.initializers.set(weight.name, weight);
  },
  [graphFields.sparseInitializer]: (graph, field) => {
    const message = io.asBytes(field);
    const { name, code } = io.readMessage(message, sparseRows, { name: '', code: 0 });
    graph.sparse.set(name, { code, message });
  },
  [graphFields.input]: io.submessages('inputs', readInfo),
  [graphFields.output]: io.submessages('outputs', readInfo),
  [graphFields.valueInfo]: io.submessages('infos', readInfo),
};

/** @type {(outer: Graph | undefined) => Graph} */
const newGraph = (outer) => ({
  outer,
  nodes: [],
  initializers: new Map(),
  sparse: new Map(),
  inputs: [],
  outputs: [],
  infos: [],
  rest: [],
});

/** Reads a GraphProto inside of a node. Refuses graphs that are nested too deep, because reading them would overflow
 * the stack.
 * @type {(message: Uint8Array, context: Context) => Graph} */
function readGraph(message, { outer, depth }) {
  if (depth >= io.maxDepth) rangeError(`graphs must be nested at most ${io.maxDepth} deep, got more`);
  return fillGraph(newGraph(outer), message, depth);
}

/** Reads a GraphProto into `graph`, behind what it holds already. `depth`: how many graphs are around it.
 * @type {(graph: Graph, message: Uint8Array, depth: number) => Graph} */
const fillGraph = (graph, message, depth) =>
  readKeepingRest(message, graphRows, graph, { outer: graph, depth: depth + 1 });

/** @type {Rows} */
const opsetRows = { [opsetFields.domain]: io.text('domain'), [opsetFields.version]: io.integer('version') };

/** @type {(message: Uint8Array) => [domain: string, version: number]} */
function readOpset(message) {
  const { domain, version } = io.readMessage(message, opsetRows, { domain: '', version: 0 });
  return [plainDomain(domain), version];
}

/** The domain that a field of a model imports; undefined if the field is no import.
 * @type {(bytes: Uint8Array) => string | undefined} */
export function importIn(bytes) {
  const field = io.fieldsOf(bytes).next().value;
  if (field?.number !== modelFields.opsetImport) return undefined;
  const [domain] = readOpset(io.asBytes(field));
  return domain;
}

/** @type {Rows} */
const functionRows = {
  [functionFields.name]: io.text('name'),
  [functionFields.input]: io.texts('inputs'),
  [functionFields.output]: io.texts('outputs'),
  [functionFields.node]: io.submessages('nodes', readNode),
  [functionFields.opsetImport]: io.entries('opsets', readOpset),
  [functionFields.domain]: (result, field) => void (result.domain = plainDomain(io.asText(field))),
};

/** Reads a function of the model, but for its attributes: no conversion needs them.
 * @type {(message: Uint8Array) => ModelFunction} */
const readFunction = (message) =>
  io.readMessage(
    message,
    functionRows,
    { name: '', domain: '', inputs: [], outputs: [], nodes: [], opsets: new Map() },
    { outer: undefined, depth: 0 },
  );

/** Reads a ModelProto. The outermost graph may come in several messages, whose fields are joined. Fields beside the
 * graph are kept as they are, even those that are read.
 * @type {(file: Uint8Array) => Model} */
export function readModel(file) {
  checkFileKind('model', io.modelRule, file);
  /** @type {Model} */
  const model = {
    irVersion: 0,
    opsets: new Map(),
    imported: new Set(),
    functions: [],
    graph: newGraph(undefined),
    before: [],
    after: [],
  };
  let hasGraph = false;
  for (const field of io.fieldsOf(file)) {
    if (field.number === modelFields.graph) {
      fillGraph(model.graph, io.asBytes(field), 0);
      hasGraph = true;
      continue;
    }
    readModelField(model, field);
    // Written again where they stood, in front of the graph or behind it.
    const fieldsAround = hasGraph ? model.after : model.before;
    fieldsAround.push(field.bytes);
  }
  if (!hasGraph) rangeError('model must have a graph, got none');
  return model;
}

/** Reads a field beside the graph: the IR version, an import or a function. Other fields are only kept.
 * @type {(model: Model, field: Field) => void} */
function readModelField(model, field) {
  if (field.number === modelFields.irVersion) model.irVersion = Number(io.asWhole(field));
  if (field.number === modelFields.opsetImport) {
    const [domain, version] = readOpset(io.asBytes(field));
    model.opsets.set(domain, version);
    model.imported.add(domain);
  }
  if (field.number === modelFields.functions) model.functions.push(readFunction(io.asBytes(field)));
}

/** The IR version in which inputs got defaults: initializers of their names. In older ones every initializer is listed
 * as an input, and keeps its value. */
const firstWithDefaults = 4;

/** Makes a model of IR version 3 or older one of version 4, whose initializers are no inputs.
 * @type {(model: Model) => void} */
export function raiseIr(model) {
  if (model.irVersion >= firstWithDefaults) return;
  for (const graph of eachGraph(model.graph))
    graph.inputs = graph.inputs.filter(({ name }) => !graph.initializers.has(name));
  setIr(model, firstWithDefaults);
}

/** Sets the IR version, and makes it the first field of the model.
 * @type {(model: Model, version: number) => void} */
export function setIr(model, version) {
  const { irVersion } = modelFields;
  const isOtherField = (/** @type {Uint8Array} */ bytes) => io.fieldsOf(bytes).next().value?.number !== irVersion;
  model.irVersion = version;
  model.before = [io.wholeField(irVersion, version), ...model.before.filter(isOtherField)];
  model.after = model.after.filter(isOtherField);
}
