/** The names of a model's values by lexical scope, the paths to graphs inside of nodes, and names that are free. */
import { innerPath } from '../../io/internal.js';
import { attributeLabels } from './attributes.js';
import { eachGraph, valuesIn } from './walk.js';

/** @import { FreeName, Graph, Weight } from './types.js' */

/** They are read when this object is made; later edits of the model do not show. */
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
      graph.nodes.forEach((node, index) => {
        for (const attribute of node.attributes)
          attributeLabels(attribute).forEach((label, i) => {
            this.paths.set(attribute.graphs[i], innerPath(this.pathOf(graph), node, index, label));
          });
      });
    }
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

  /** Finds the initializer that a name is, as `graph` sees it.
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

  /** For reports.
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
    let number = lastNumbers.get(stem) ?? 0;
    const numbered = () => (number === 0 ? stem : `${stem}_${number}`);
    while (endings.some((ending) => taken.has(numbered() + ending))) number += 1;
    lastNumbers.set(stem, number);
    for (const ending of endings) taken.add(numbered() + ending);
    return numbered();
  };
}
