/** The names of a model's values by lexical scope, the paths to graphs inside of nodes, and names that are free. */
import { innerPath } from '../../io/internal.js';
import { attributeLabels } from './attributes.js';
import { eachGraph, valuesIn } from './walk.js';

/** @import { FreeName, Graph, Node, Weight } from './types.js' */

/** Finds values by name as the graphs of a model see them, and gives graphs paths for messages. The constructor reads
 * the model; it does not see edits of the model after that. */
export class Scopes {
  /** @param {Graph} root */
  constructor(root) {
    /** @type {Map<Graph, Set<string>>} */
    this.values = new Map();
    /** As `If_3/then_branch/`; empty for the outermost graph. @type {Map<Graph, string>} */
    this.paths = new Map([[root, '']]);
    /** @type {Map<Weight, number>} */
    this.numbers = new Map();
    for (const graph of eachGraph(root)) {
      this.values.set(graph, valuesIn(graph));
      graph.nodes.forEach((node, index) => this.addPathsInside(graph, node, index));
    }
  }

  /** Stores the paths of the graphs inside a node, the one at `index` of `graph`.
   * @type {(graph: Graph, node: Node, index: number) => void} */
  addPathsInside(graph, node, index) {
    for (const attribute of node.attributes)
      for (const [i, label] of attributeLabels(attribute).entries())
        this.paths.set(attribute.graphs[i], innerPath(this.pathOf(graph), node, index, label));
  }

  /** @type {(graph: Graph) => string} */
  pathOf(graph) {
    return this.paths.get(graph) ?? '';
  }

  /** Finds the graph that has the value of a name, as `graph` sees it: this graph or the nearest one around it.
   * @type {(graph: Graph, name: string) => Graph | undefined} */
  homeOf(graph, name) {
    /** @type {Graph | undefined} */
    let home = graph;
    while (home && !this.values.get(home)?.has(name)) home = home.outer;
    return home;
  }

  /** Finds the initializer that a name means in `graph`, with the graph that has it (`home`) and its name in messages.
   * @type {(graph: Graph, name: string) => { home: Graph, weight: Weight, path: string } | undefined} */
  weightOf(graph, name) {
    const home = this.homeOf(graph, name);
    const weight = home?.initializers.get(name);
    return home && weight && { home, weight, path: this.pathOf(home) + name };
  }

  /** Numbers weights in the order of the calls, so that weights of one name are told apart.
   * @type {(weight: Weight) => number} */
  numberOf(weight) {
    const number = this.numbers.get(weight) ?? this.numbers.size;
    this.numbers.set(weight, number);
    return number;
  }

  /** Gives the name of a node in reports: behind its graph's path its own name, or else that of its first output.
   * @type {(graph: Graph, node: { name: string, outputs: readonly string[] }) => string} */
  labelOf(graph, { name, outputs }) {
    return this.pathOf(graph) + (name || (outputs[0] ?? ''));
  }
}

/** Makes a function that takes a free stem of names: the first of `stem`, `stem_1`, `stem_2` and so on that is free
 * with each of the `endings` appended. `taken`: all names of the model, to which the function adds.
 * @type {(taken: Set<string>) => FreeName} */
export function freeNames(taken) {
  /** @type {Map<string, number>} the last number of each stem, from which the next search begins */
  const lastNumbers = new Map();
  return (stem, endings = ['']) => {
    const numbered = (/** @type {number} */ number) => (number === 0 ? stem : `${stem}_${number}`);
    const isTaken = (/** @type {string} */ name) => endings.some((ending) => taken.has(name + ending));
    let number = lastNumbers.get(stem) ?? 0;
    while (isTaken(numbered(number))) number += 1;
    lastNumbers.set(stem, number);
    const free = numbered(number);
    for (const ending of endings) taken.add(free + ending);
    return free;
  };
}
