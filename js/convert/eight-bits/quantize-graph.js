/** One graph to dynamic quantization, with the nodes and names of onnxruntime's quantize_dynamic. */
import { dtypes } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { newNode } from '../model/edit.js';
import { valuesUsedIn } from '../model/walk.js';
import { codes } from '../types/infer-types.js';
import { isNamedIn } from '../read-choice.js';
import { quantizers, staysBecause, staysUnreported } from './quantize-nodes.js';
import { replaceGemms } from './replace-gemms.js';
import { codeEndings, EightBitScales } from './eight-bit-weights.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Attribute, Graph, Node, Weight } from '../model/types.js' */
/** @import { Scope } from '../types/infer-types.js' */
/** @import { EightBitPlan } from './types.js' */
/** @import { Grain, Kind } from './eight-bit-weights.js' */
/** @import { Outcome } from './quantize-nodes.js' */

/** The names of a value's codes, their scale and their zero point. `isUniform`: whether the scale is a scalar, and the
 * codes have the shape of the value. Otherwise the value is an initializer whose codes have scales along an axis.
 * @typedef {{ names: readonly [codes: string, scale: string, zero: string], isUniform: boolean }} Codes */

/** @type {(name: string) => Codes['names']} */
const codeNames = (name) => [name + codeEndings.codes, name + codeEndings.scale, name + codeEndings.zero];

/** A graph while it is quantized: its nodes are replaced in their order, and `nodes` gets the new ones. A value may
 * exist as numbers, as codes of 8 bits with a scale and a zero point, or as both. */
export class QuantizedGraph {
  /** @param {Graph} graph
   * @param {EightBitPlan} plan
   * @param {QuantizedGraph | undefined} outer the graph around it, if its weights may be used */
  constructor(graph, plan, outer) {
    this.graph = graph;
    this.plan = plan;
    this.outer = outer;
    this.types = /** @type {Scope} */ (plan.types.scopeOf(graph));
    /** @type {Node[]} */
    this.nodes = [];
    /** Values that exist as codes, by the names that they have as numbers. @type {Map<string, Codes>} */
    this.codes = new Map();
    /** Values that exist so far as numbers or codes, but for initializers, also those that are inputs. */
    this.made = new Set(graph.inputs.map(({ name }) => name).filter((name) => !graph.initializers.has(name)));
    /** Names of the nodes that multiply two scales. @type {Set<string>} */
    this.products = new Set();
    /** Values that this graph has, also those of nodes that are still to come. @type {Set<string>} */
    this.owned = new Set();
  }

  /** Replaces the graph's nodes in their order, and adds DequantizeLinear where a value that exists as codes alone is
   * needed as numbers. Graphs inside a node come first: nodes that they add to this graph precede it. */
  run() {
    const { graph, plan } = this;
    // As onnxruntime's `replace_gemm_with_matmul`: Gemm has no quantizer.
    replaceGemms(this);
    // Filled before any node is replaced: graphs inside ask for it.
    for (const { outputs } of graph.nodes) for (const name of outputs) this.owned.add(name);
    for (const { name } of graph.inputs) this.owned.add(name);
    for (const node of graph.nodes) {
      if (plan.isDeep) for (const inner of attributes.graphsOf(node)) new QuantizedGraph(inner, plan, this).run();
      const { isReplaced, reason } = this.addReplacement(node);
      if (!isReplaced) this.keep(node, reason);
    }
    for (const { name } of graph.outputs) this.dequantize(name);
    graph.nodes = this.nodes;
  }

  /** Adds the quantized nodes that replace a node; tells whether there are any, or why not.
   * @type {(node: Node) => Outcome} */
  addReplacement(node) {
    const { operator, outputs } = node;
    const quantize = Object.hasOwn(quantizers, operator) ? quantizers[operator] : undefined;
    const hasOutput = Boolean(outputs[0]);
    if (!quantize || !hasOutput) return staysUnreported;
    return isNamedIn(this.plan.float32, node) ? staysBecause('asked for') : quantize(this, node);
  }

  /** Adds a node as it is, after a DequantizeLinear for each value it needs that exists as codes alone.
   * @type {(node: Node, reason: string | undefined) => void} */
  keep(node, reason) {
    if (reason !== undefined)
      this.plan.report.push({ node: node.name || node.outputs[0], from: 'float32', to: 'float32', reason });
    for (const name of node.inputs) this.dequantize(name);
    for (const inner of attributes.graphsOf(node)) for (const name of valuesUsedIn(inner)) this.dequantize(name);
    this.add(node);
  }

  /** Adds a node, whose outputs exist as numbers then. @type {(node: Node) => void} */
  add(node) {
    this.nodes.push(node);
    for (const name of node.outputs) this.made.add(name);
  }

  /** @type {(operator: string, inputs: readonly string[], outputs: readonly string[], more?: { name?: string, domain?:
   *   string, attributes?: Attribute[] }) => void} */
  emit(operator, inputs, outputs, more = {}) {
    this.add(newNode(operator, inputs, outputs, more));
  }

  /** Finds an initializer of this graph or one around it.
   * @type {(name: string) => Weight | undefined} */
  weightOf(name) {
    return this.graph.initializers.get(name) ?? this.outer?.weightOf(name);
  }

  /** Whether a value is float32 before the conversion.
   * @type {(name: string) => boolean} */
  isFloat32(name) {
    return this.types.typeOf(name) === codes.float32;
  }

  /** Adds an initializer, unless the graph has one of that name. @type {(weight: Weight) => void} */
  store(weight) {
    if (!this.graph.initializers.has(weight.name)) this.graph.initializers.set(weight.name, weight);
  }

  /** Quantizes an initializer of this graph and stores its codes, scales and zero points as initializers, which a pass
   * over its numbers will fill. A second call gives the same names: the first node that uses it decides the type, and
   * which numbers share a scale (`grain`).
   * @type {(name: string, options: { kind: Kind, isReduced?: boolean, grain?: Grain }) => Codes} */
  weightCodes(name, { kind, isReduced = false, grain = 'tensor' }) {
    const known = this.codes.get(name);
    if (known) return known;
    const weight = /** @type {Weight} */ (this.graph.initializers.get(name));
    const scales = new EightBitScales(weight, { kind, isReduced, grain });
    this.plan.passes.push(scales.readPass());
    this.plan.report.push({ value: name, from: 'float32', to: kind });
    const names = codeNames(name);
    this.storeCodes(names, weight, scales);
    const result = { names, isUniform: grain === 'tensor' };
    this.codes.set(name, result);
    return result;
  }

  /** Stores the codes, scales and zero points of an initializer as new initializers of the graph. The codes are made
   * when they are written; `scales` has the arrays of the other two.
   * @type {(names: Codes['names'], weight: Weight, scales: EightBitScales) => void} */
  storeCodes([codesName, scaleName, zeroName], weight, scales) {
    const { kind, grain } = scales;
    const { dims } = weight;
    const [first, second] = dims;
    // LSTM has weights [directions, 4 * hidden, input], DynamicQuantizeLSTM [directions, input, 4 * hidden].
    const isLstm = grain === 'first' || grain === 'rows';
    const perm = isLstm ? [0, 2, 1] : undefined;
    const codeDims = perm ? perm.map((axis) => dims[axis]) : dims;
    const scaleDims = { tensor: [], last: [dims.at(-1) ?? 1], first: [first], rows: [first, second] }[grain];
    const inMemory = (/** @type {TypedArray} */ data) => ({ kind: /** @type {const} */ ('memory'), data });
    this.store({ name: scaleName, dtype: dtypes.float32, dims: scaleDims, content: inMemory(scales.scales) });
    this.store({ name: zeroName, dtype: dtypes[kind], dims: scaleDims, content: inMemory(scales.zeroCodes) });
    this.store({
      name: codesName,
      dtype: dtypes[kind],
      dims: codeDims,
      content: { kind: 'made', source: weight, perm, change: scales.encode },
    });
  }

  /** Finds the codes of a value in this graph or one around it.
   * @type {(name: string) => Codes | undefined} */
  knownCodes(name) {
    return this.codes.get(name) ?? this.outer?.knownCodes(name);
  }

  /** Whether a value is an initializer whose codes have scales along an axis. @type {(name: string) => boolean} */
  hasManyScales(name) {
    return this.knownCodes(name)?.isUniform === false;
  }

  /** Gives the names of the codes, scale and zero point of a node's input, and makes these at the first call: of an
   * initializer, new initializers; of another value, outputs of a DynamicQuantizeLinear in the graph that makes it. An
   * omitted input has three empty names. `options` count for initializers.
   * @type {(name: string, options: { kind: Kind, isReduced?: boolean, grain?: Grain }) => readonly string[]} */
  codesOf(name, options) {
    const known = this.codes.get(name);
    if (known) return known.names;
    if (name === '') return ['', '', ''];
    if (this.graph.initializers.has(name)) return this.weightCodes(name, options).names;
    const isOfThisGraph = this.owned.has(name) || this.made.has(name);
    // A name that no graph has counts as one of the outermost.
    if (this.outer && !isOfThisGraph) return this.outer.codesOf(name, options);
    const names = codeNames(name);
    this.emit('DynamicQuantizeLinear', [name], names, { name: `${name}_QuantizeLinear` });
    this.codes.set(name, { names, isUniform: true });
    return names;
  }

  /** Adds a DequantizeLinear for a value of this graph that exists as codes alone, and does nothing for others.
   * @type {(name: string) => void} */
  dequantize(name) {
    const codesOfValue = this.codes.get(name);
    const existsAsNumbers = this.made.has(name) || this.graph.initializers.has(name);
    if (!codesOfValue || existsAsNumbers) return;
    // The node needs no axis, because these codes have one scale: only an initializer's may have several, and an
    // initializer exists as numbers.
    this.emit('DequantizeLinear', codesOfValue.names, [name], { name: `${name}_DequantizeLinear` });
  }
}
