/** New nodes, imports, and initializers that nothing uses any more. */
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
