/** The float32 values of a model, and the nodes that make and use them. */

/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { Scope } from '../types/infer-types.js' */
/** @import { TypeRow } from '../types/type-rows.js' */

/** A type that a value or a node has; of constants it follows from their users.
 * @typedef {'float16' | 'float32' | 'constant'} NumberType */

/** A value of a graph that is float32 before the conversion: an input, an initializer or the output of a node. After it
 * it exists in its own type, in which it comes into being, and, by a Cast, in the other type if that is used. */
export class Value {
  /** @param {string} name
   * @param {HalfScope} scope
   * @param {NumberType} ownType 'constant' until the second pass knows the users
   * @param {'input' | 'weight' | 'sparse' | 'node'} origin 'weight': an initializer
   * @param {Weight} [weight] the initializer, or that with an input's default */
  constructor(name, scope, ownType, origin, weight) {
    this.name = name;
    this.scope = scope;
    this.ownType = ownType;
    this.origin = origin;
    this.weight = weight;
    /** @type {NodeRecord | undefined} */
    this.maker = undefined;
    /** @type {{ record: NodeRecord, place: number }[]} */
    this.users = [];
    /** Graphs whose output it is. @type {HalfScope[]} */
    this.outputOf = [];
    /** computed from a value that the model itself casts from float16 or bfloat16 to float32 */
    this.isFromHalf = false;
    /** computed from a Cast of integers */
    this.isExact = false;
    /** a sum or a mean, or computed from one without a join */
    this.isSum = false;
    /** a value joined with a sum or a mean of it, as x / norm(x), or computed from one */
    this.isJoined = false;
    /** a value without its mean, as x - mean(x), or that times or by another one */
    this.isCentered = false;
    /** computed by a node from a finite constant beyond float16 */
    this.isHuge = false;
    /** The types in which nodes and outputs use it. @type {Set<NumberType>} */
    this.needs = new Set();
    /** The name under which it exists as float16, and as float32. @type {Partial<Record<NumberType, string>>} */
    this.nameAs = {};
  }
}

/** A node, and the type in which it computes: undefined where no float32 is used or made. `inputs`: the float32 ones;
 * `outputs`: for each output its type, undefined for those that are not float32; `signature`: the float types that the
 * operator takes, undefined for operators that are not known. */
export class NodeRecord {
  /** @param {Node} node
   * @param {HalfScope} scope
   * @param {{ type: NumberType | undefined, inputs?: Use[], outputs?: (NumberType | undefined)[], signature: TypeRow |
   *   undefined, reason?: string }} facts */
  constructor(node, scope, { type, inputs = [], outputs = [], signature, reason = '' }) {
    this.node = node;
    this.scope = scope;
    this.type = type;
    this.inputs = inputs;
    this.outputs = outputs;
    this.signature = signature;
    this.reason = reason;
    /** whether it is a Cast of float16 or bfloat16 to float32 that the model had already */
    this.castsFrom16Bits = false;
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

  /** Whether it is the outermost graph, which has the inputs and outputs of the model. */
  get isTop() {
    return this.outer === undefined;
  }

  /** Finds a float32 value of this graph or of one around it. @type {(name: string) => Value | undefined} */
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

  /** Gives the values that are a node's float32 inputs. @type {(record: { inputs: readonly Use[] }) => Value[]} */
  valuesOf({ inputs }) {
    return inputs.map(({ name }) => /** @type {Value} */ (this.find(name)));
  }

  /** Gives the values that are a node's float32 outputs. @type {(node: Node) => Value[]} */
  madeBy({ outputs }) {
    return outputs.flatMap((name) => this.values.get(name) ?? []);
  }
}
