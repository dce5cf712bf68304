/** The tensors that a graph holds beside its initializers: those of Constant nodes, and those of subgraphs. */
import { brief } from '../../arguments/index.js';
import { Constant } from '../constant.js';
import { graphsIn, nodesIn, readTree } from './graph-tree.js';

/** @import { Constants, External, TreeNode } from './types.js' */

/** Finds the tensors of Constant nodes, the sparse initializers of all graphs, and the initializers of graphs inside of
 * nodes. Their names have the path to their graph in front, such as `If_3/then_branch/w`; the outermost graph's path is
 * empty. `external` gives data in other files, which attributes must not have.
 * @type {(file: Uint8Array, external: External) => Constants} */
export function findConstants(file, external) {
  const root = readTree(file, external);
  /** @type {Constants} */
  const constants = { tensors: new Map(), messages: new Map(), sparse: new Map(), notRead: [] };
  for (const { path, sparse, initializers } of graphsIn(root)) {
    for (const [name, message] of sparse) constants.sparse.set(path + name, message);
    if (path !== '') for (const [name, message] of initializers) constants.messages.set(path + name, message);
  }
  for (const { graph, node, index } of nodesIn(root))
    if (node.operator === 'Constant' && node.domain === '')
      readConstant(graph.path + (node.outputs[0] ?? ''), node, index, constants);
  return constants;
}

/** Adds the tensor of a Constant node under `name`: to `tensors`, as a message to `sparse` if it is sparse, or its name
 * alone to `notRead` if it is of strings. `index`: of the node in its graph, for messages.
 * @type {(name: string, node: TreeNode, index: number, constants: Constants) => void} */
function readConstant(name, node, index, { tensors, sparse, notRead }) {
  // readTree leaves sparse tensors as messages.
  const message = node.attributes.get('sparse_value');
  if (/** @type {unknown} */ (message) instanceof Uint8Array) {
    sparse.set(name, /** @type {Uint8Array} */ (message));
    return;
  }
  const attributes = Object.fromEntries(node.attributes);
  const label = `Constant ${brief(node.name || `Constant_${index}`)}`;
  const tensor = Constant.run([], { opset: undefined, ...attributes }, label);
  if (tensor.type === 'string') notRead.push(name);
  else tensors.set(name, tensor);
}
