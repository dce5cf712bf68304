/** The float32 values of a model, and the nodes that make and use them. */

/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { Scope } from '../types/infer-types.js' */
/** @import { TypeRow } from '../types/type-rows.js' */

/** A type that a value or a node has; of constants it follows from their users.
 * @typedef {'float16' | 'float32' | 'constant'} NumberType */

/** A value of a graph that is float32 before the conversion: an input, an initializer or the output of a node. */
export class Value {
  /** @param {string} name
   * @param {HalfScope} scope
   * @param {NumberType} natural the type in which it comes into being; of constants settled by the second pass
   * @param {'input' | 'weight' | 'sparse' | 'node'} kind
   * @param {Weight} [weight] */
  constructor(name, scope, natural, kind, weight) {
    this.name = name;
    this.scope = scope;
    this.natural = natural;
    this.kind = kind;
    this.weight = weight;
    /** @type {NodeRecord | undefined} */
    this.maker = undefined;
    /** @type {{ record: NodeRecord, place: number }[]} */
    this.users = [];
    /** Graphs whose output it is. @type {HalfScope[]} */
    this.outputOf = [];
    /** computed from a Cast of float16 or bfloat16 to float32 that the model had already */
    this.isFromHalf = false;
    /** computed from a Cast of integers */
    this.isExact = false;
    /** a sum or a mean, or computed from one without a join */
    this.isSum = false;
    /** a value joined with a sum or a mean of it, as x / norm(x), or computed from one */
    this.isJoined = false;
    /** a value without its mean, as x - mean(x), or that times or by another one */
    this.isCentered = false;
    /** computed from a finite constant beyond float16 */
    this.isHuge = false;
    /** @type {Set<NumberType>} */
    this.needs = new Set();
    /** The names of its two forms. @type {Partial<Record<NumberType, string>>} */
    this.names = {};
  }
}

/** A node, and the type in which it computes. `type` is undefined where no float32 is used or made. */
export class NodeRecord {
  /** @param {Node} node
   * @param {HalfScope} scope
   * @param {{ type: NumberType | undefined, inputs?: Use[], outputs?: (NumberType | undefined)[], row: TypeRow |
   *   undefined, reason?: string }} facts */
  constructor(node, scope, { type, inputs = [], outputs = [], row, reason = '' }) {
    this.node = node;
    this.scope = scope;
    this.type = type;
    this.inputs = inputs;
    this.outputs = outputs;
    this.row = row;
    this.reason = reason;
    this.isFromHalf = false;
  }
}

/** @typedef {{ place: number, name: string }} Use of a float32 value */

/** A graph while it is converted: its float32 values by name, and a record of each node. `types`: the types of its
 * values before the conversion; `outer`: the graph around it. */
export class HalfScope {
  /** @param {Graph} graph
   * @param {Scope} types
   * @param {HalfScope | undefined} outer */
  constructor(graph, types, outer) {
    this.graph = graph;
    this.types = types;
    this.outer = outer;
    /** @type {Map<string, Value>} */
    this.values = new Map();
    /** @type {NodeRecord[]} */
    this.records = [];
    /** The graphs inside of nodes. @type {Map<NodeRecord, HalfScope[]>} */
    this.bodies = new Map();
    /** Names of values that are the same in each run. @type {Set<string>} */
    this.constants = new Set();
    /** The nodes of this graph that have a name as an input. @type {Map<string, Node[]>} */
    this.users = new Map();
    this.outputs = new Set(graph.outputs.map(({ name }) => name));
  }

  get isTop() {
    return this.outer === undefined;
  }

  /** @type {(name: string) => Value | undefined} */
  find(name) {
    for (let scope = /** @type {HalfScope | undefined} */ (this); scope; scope = scope.outer) {
      const value = scope.values.get(name);
      if (value) return value;
    }
    return undefined;
  }

  /** Whether a value, of this graph or one around it, is the same in each run. @type {(name: string) => boolean} */
  isConstant(name) {
    for (let scope = /** @type {HalfScope | undefined} */ (this); scope; scope = scope.outer)
      if (scope.constants.has(name)) return true;
    return false;
  }

  /** @type {(record: { inputs: readonly Use[] }) => Value[]} */
  valuesOf({ inputs }) {
    return inputs.map(({ name }) => /** @type {Value} */ (this.find(name)));
  }

  /** Gives the values that are a node's float32 outputs. @type {(node: Node) => Value[]} */
  madeBy({ outputs }) {
    return outputs.flatMap((name) => this.values.get(name) ?? []);
  }
}
