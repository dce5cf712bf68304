/** New nodes, imports, and initializers that nothing uses any more. */
import { dtypes } from '../../tensor/index.js';
import { attributeOf, tensorIn } from './attributes.js';
import { importIn, setIr } from './read-model.js';
import { eachGraph, eachNode, valuesUsedIn } from './walk.js';

/** @import { Attribute, Graph, Model, Node, TiledWeights, Weight } from './types.js' */

export const microsoft = 'com.microsoft';

/** Makes a node, of ONNX's own domain if none is given.
 * @type {(operator: string, inputs: readonly string[], outputs: readonly string[], more?: { name?: string, domain?:
 *   string, attributes?: Attribute[] }) => Node} */
export const newNode = (operator, inputs, outputs, { name = '', domain = '', attributes = [] } = {}) => ({
  name,
  operator,
  domain,
  inputs: [...inputs],
  outputs: [...outputs],
  attributes,
  rest: [],
});

/** Whether a node of a graph, or of one inside, has an operator of the domain.
 * @type {(graph: Graph, domain: string) => boolean} */
function usesDomain(graph, domain) {
  for (const node of eachNode(graph)) if (node.domain === domain) return true;
  return false;
}

/** Imports version 1 of com.microsoft if a node needs it and the model does not import it yet.
 * @type {(model: Model) => void} */
export function importMicrosoft({ graph, opsets }) {
  if (opsets.has(microsoft)) return;
  if (usesDomain(graph, microsoft)) opsets.set(microsoft, 1);
}

/** Drops the import of a domain that no node needs. It stays where the model has functions: these may need it.
 * @type {(model: Model, domain: string) => void} */
export function dropImport(model, domain) {
  const { graph, functions, opsets, imported } = model;
  if (functions.length > 0 || usesDomain(graph, domain)) return;
  opsets.delete(domain);
  imported.delete(domain);
  // Fields beside the graph are kept as bytes, imports among them.
  const isOther = (/** @type {Uint8Array} */ field) => importIn(field) !== domain;
  model.before = model.before.filter(isOther);
  model.after = model.after.filter(isOther);
}

/** Drops initializers that nothing uses, and the inputs of their names. Only `isCandidate` ones are dropped.
 * @type {(graph: Graph, isCandidate?: (weight: Weight) => boolean) => void} */
export function dropUnused(graph, isCandidate = () => true) {
  for (const inner of eachGraph(graph)) {
    const used = valuesUsedIn(inner);
    // A use of a name that a node makes is not one of the initializer.
    for (const { outputs } of inner.nodes) for (const name of outputs) used.delete(name);
    const unused = [...inner.initializers].filter(([name, weight]) => !used.has(name) && isCandidate(weight));
    const dropped = new Set(unused.map(([name]) => name));
    inner.inputs = inner.inputs.filter(({ name }) => !dropped.has(name));
    for (const name of dropped) inner.initializers.delete(name);
  }
}

/** Replaces nodes by lists of nodes. The tensors of `added` become initializers of the outermost graph, whose values
 * all graphs inside see; the weights of which they are made are dropped, unless other nodes use them.
 * @type {(model: Model, replaced: ReadonlyMap<Node, Node[]>, added: readonly TiledWeights[]) => void} */
export function replaceNodes(model, replaced, added) {
  for (const graph of eachGraph(model.graph)) graph.nodes = graph.nodes.flatMap((node) => replaced.get(node) ?? [node]);
  const sourceWeights = new Set(added.flatMap(({ sources }) => sources));
  dropUnused(model.graph, (weight) => sourceWeights.has(weight));
  for (const { sources, names, tiled } of added)
    for (const [index, { dtype, dims }] of tiled.tiling.to.entries()) {
      const name = names[index];
      const content = /** @type {const} */ ({ kind: 'tiled', sources, tiled, index });
      model.graph.initializers.set(name, { name, dtype, dims, content });
      // A type may be newer than the version of the format that the model states.
      if (dtype.ir > model.irVersion) setIr(model, dtype.ir);
    }
}

/** The places of weights among the inputs of operators that conversions pack or quantize. */
const weightPlaces = new Map([
  ['MatMul', [1]],
  ['Gemm', [1]],
  ['Conv', [1]],
  ['LSTM', [1, 2]],
  ['Gather', [0]],
  ['Attention', [1]],
]);

/** Turns Constant nodes that hold float32 weights, as in Paddle's models, into initializers of the same name: only
 * initializers are packed, and dynamic quantization would quantize a Constant on each run.
 * @type {(model: Model) => void} */
export function liftConstants({ graph }) {
  /** @type {Set<string>} */
  const namesOfWeights = new Set();
  for (const { operator, inputs } of eachNode(graph))
    for (const place of weightPlaces.get(operator) ?? []) namesOfWeights.add(inputs[place] ?? '');
  for (const inner of eachGraph(graph))
    inner.nodes = inner.nodes.filter((node) => {
      const [name] = node.outputs;
      const isConstant = node.operator === 'Constant' && node.domain === '';
      const attribute = isConstant && namesOfWeights.has(name) ? attributeOf(node, 'value') : undefined;
      const tensor = attribute && tensorIn(attribute);
      if (tensor?.type !== 'float32') return true;
      const { dims, data } = tensor;
      // The node goes, and the initializer stands in for its output.
      inner.initializers.set(name, { name, dtype: dtypes.float32, dims, content: { kind: 'memory', data } });
      return false;
    });
}
