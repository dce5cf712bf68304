/** New nodes, imports, and initializers that nothing uses any more. */
import { dtypes } from '../../tensor/index.js';
import { attributeOf, tensorIn } from './attributes.js';
import { eachGraph, eachNode, valuesUsedIn } from './walk.js';

/** @import { Attribute, Graph, Model, Node } from './types.js' */

export const microsoft = 'com.microsoft';

/** @type {(operator: string, inputs: readonly string[], outputs: readonly string[], more?: { name?: string, domain?:
 *   string, attributes?: Attribute[] }) => Node} */
export const newNode = (operator, inputs, outputs, { name = '', domain = '', attributes = [] } = {}) => ({
  ...{ name, operator, domain, inputs: [...inputs], outputs: [...outputs], attributes, rest: [] },
});

/** Imports com.microsoft where a node needs it. @type {(model: Model) => void} */
export function importMicrosoft({ graph, opsets }) {
  if (opsets.has(microsoft)) return;
  for (const { domain } of eachNode(graph)) if (domain === microsoft) return void opsets.set(microsoft, 1);
}

/** Drops initializers that nothing uses, as inputs too. @type {(graph: Graph) => void} */
export function dropUnused(graph) {
  for (const own of eachGraph(graph)) {
    const used = valuesUsedIn(own);
    for (const { outputs } of own.nodes) for (const name of outputs) used.delete(name);
    const isDropped = (/** @type {string} */ name) => own.initializers.has(name) && !used.has(name);
    own.inputs = own.inputs.filter(({ name }) => !isDropped(name));
    for (const name of [...own.initializers.keys()]) if (isDropped(name)) own.initializers.delete(name);
  }
}

/** The places of weights, by operator. */
const weightPlaces = new Map([
  ['MatMul', [1]],
  ['Gemm', [1]],
  ['Conv', [1]],
  ['LSTM', [1, 2]],
  ['Gather', [0]],
  ['Attention', [1]],
]);

/** Makes initializers of Constant nodes that hold weights, as Paddle's models have them: dynamic quantization would
 * quantize them each time that the model runs.
 * @type {(model: Model) => void} */
export function liftConstants({ graph }) {
  /** @type {Set<string>} */
  const weights = new Set();
  for (const { operator, inputs } of eachNode(graph))
    for (const place of weightPlaces.get(operator) ?? []) weights.add(inputs[place] ?? '');
  for (const own of eachGraph(graph))
    own.nodes = own.nodes.filter((node) => {
      const [name] = node.outputs;
      const attribute = node.operator === 'Constant' && node.domain === '' ? attributeOf(node, 'value') : undefined;
      const tensor = attribute && weights.has(name) ? tensorIn(attribute) : undefined;
      if (tensor?.type !== 'float32') return true;
      const { dims, data } = tensor;
      own.initializers.set(name, { name, dtype: dtypes.float32, dims, content: { kind: 'memory', data } });
      return false;
    });
}
