/** Chooses the nodes whose weights are packed, and makes the nodes that replace them. */
import { rangeError, showList } from '../../arguments/index.js';
import { readValueInfo } from '../../io/internal.js';
import * as attributes from '../model/attributes.js';
import { importMicrosoft, microsoft, newNode, replaceNodes } from '../model/edit.js';
import { freeNames, Scopes } from '../model/scopes.js';
import { namesIn, nodesInOrder } from '../model/walk.js';
import { weightTypes } from './matmul-nbits.js';
import { endingsOf, PackedWeights } from './pack-weights.js';

/** @import { Graph, Model, Node, Weight } from '../model/types.js' */
/** @import { Step } from '../types.js' */
/** @import { Operator, PackChoice, PackedRow, PlannedRow, QuantizePlan } from './types.js' */

/** An initializer, the graph that has it, and its name in messages.
 * @typedef {{ weight: Weight, home: Graph, path: string }} Found */

/** The first opset whose DequantizeLinear takes blocks and 4 bits. */
const blocksOpset = 21;
/** The first opset whose DequantizeLinear takes 2 bits. */
const twoBitsOpset = 25;

/** The step that packs the weights of MatMul and Gather nodes. Before the model is written, each matrix is packed once,
 * so that the report gets its root-mean-square error.
 * @type {(choice: PackChoice) => Step<PackedRow>} */
export const packStep = (choice) => ({
  apply(model, report) {
    checkOpset(model, choice);
    const { rows, packed } = packNodes(model, choice);
    for (const { row } of rows) report.push(row);
    const passes = packed.map((weights) => ({
      sources: weights.sources,
      tiled: weights.tiled,
      finish() {
        const rms = weights.finishRms();
        for (const planned of rows) if (planned.weights === weights) planned.row.rms = rms;
      },
    }));
    return { isChanged: packed.length > 0, passes };
  },
});

/** Replaces the nodes of a model whose weights are packed, and adds the packed tensors to the initializers. Gives a row
 * for each node of the operators of `choice`.
 * @type {(model: Model, choice: PackChoice) => { rows: PlannedRow[], packed: PackedWeights[] }} */
export function packNodes(model, choice) {
  const { graph: root } = model;
  /** @type {QuantizePlan} */
  const plan = {
    model,
    choice,
    scopes: new Scopes(root),
    freeName: freeNames(namesIn(root)),
    packed: new Map(),
    outputs: new Map(),
    rows: [],
  };
  /** @type {Map<Node, Node[]>} */
  const replaced = new Map();
  for (const { graph, node } of nodesInOrder(root)) {
    const nodes = choice.subgraphs || graph === root ? replacementOf(plan, graph, node) : undefined;
    if (nodes) replaced.set(node, nodes);
  }
  const packed = [...plan.packed.values()].flatMap((list) => [...list.values()]);
  replaceNodes(model, replaced, packed);
  importMicrosoft(model);
  return { rows: plan.rows, packed };
}

/** Refuses models whose opset has no DequantizeLinear for the codes and blocks of `choice`.
 * @type {(model: Model, choice: PackChoice) => void} */
function checkOpset({ opsets }, { form, ops, bits }) {
  const needsDequantizeLinear = form === 'qdq' && ops.includes('MatMul');
  if (!needsDequantizeLinear) return;
  const minOpset = bits === 2 ? twoBitsOpset : blocksOpset;
  const opset = opsets.get('') ?? 0;
  if (opset < minOpset) rangeError(`model must import opset ${minOpset} or a newer one for qdq, got opset ${opset}`);
}

/** Gives the inputs of a Gather or MatMul by their meaning: weights, and indexes or the other factor.
 * @type {(node: Node) => { weights: string, other: string }} */
function inputsOf({ operator, inputs }) {
  const [first, second] = inputs;
  return operator === 'Gather' ? { weights: first, other: second } : { weights: second, other: first };
}

/** Makes the nodes that replace a node of the operators of `choice`; undefined where the node stays. Adds a row for it
 * to the plan.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node) => Node[] | undefined} */
function replacementOf(plan, graph, node) {
  const { choice, scopes, rows } = plan;
  const { operator, domain } = node;
  if (domain !== '' || !choice.ops.includes(operator)) return undefined;
  const weightsName = inputsOf(node).weights ?? '';
  const source = scopes.weightOf(graph, weightsName);
  const row = { node: scopes.labelOf(graph, node), operator, weights: source?.path ?? weightsName };
  const why = reasonToLeave(plan, graph, node, source);
  if (source === undefined || why !== undefined) {
    rows.push({ row: { ...row, packed: false, why } });
    return undefined;
  }
  const packed = planPacked(plan, operator, source);
  rows.push({ row: { ...row, packed: true, before: packed.before, after: packed.after }, weights: packed });
  const takesCodes = operator === 'Gather' || choice.form === 'matmulnbits';
  return takesCodes ? [nodeOfCodes(choice, node, packed)] : dequantizedNodes(plan, graph, node, packed);
}

/** Plans how an initializer is packed for an operator. All nodes of that operator share the packed tensors: a second
 * call gives the plan of the first.
 * @type {(plan: QuantizePlan, operator: string, source: Found) => PackedWeights} */
function planPacked({ choice, packed, freeName }, operator, { weight, path }) {
  const ofOperator = packed.get(operator) ?? new Map();
  packed.set(operator, ofOperator);
  const known = ofOperator.get(weight);
  if (known) return known;
  const target = targetOf(operator, choice);
  // reasonToLeave left only axes of extent 1 in front.
  const [rows, columns] = weight.dims.slice(-2);
  const stem = freeName(weight.name, endingsOf(target, choice));
  const matrix = { weight, path, stem, dims: /** @type {const} */ ([rows, columns]) };
  const planned = new PackedWeights(target, choice, matrix, choice.isMeasured);
  ofOperator.set(weight, planned);
  return planned;
}

/** The operator that takes the packed tensors.
 * @type {(operator: string, choice: PackChoice) => Operator} */
function targetOf(operator, { form }) {
  if (operator === 'Gather') return 'GatherBlockQuantized';
  return form === 'qdq' ? 'DequantizeLinear' : 'MatMulNBits';
}

/** Why the weights of a Gather or MatMul are not packed; undefined if nothing rules it out. `source`: the initializer,
 * undefined if the weights are none.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node, source: Found | undefined) => string | undefined} */
function reasonToLeave({ choice, scopes }, graph, node, source) {
  if (!source) return 'the weights are no initializer';
  const { weight, home, path } = source;
  // Callers may replace an initializer that is an input.
  if (home.inputs.some(({ name }) => name === weight.name)) return 'the weights are an input of the graph';
  const asked = choice.reasonToLeave(node.operator, [node.name, scopes.labelOf(graph, node), weight.name, path]);
  if (asked !== undefined) return asked;
  return node.operator === 'Gather'
    ? reasonToLeaveGather(node, weight)
    : reasonToLeaveMatMul(scopes, graph, node, weight);
}

/** Why the weights of a MatMul are not packed; undefined if nothing rules it out. They must be a matrix, also one with
 * axes of extent 1 in front. The packed matrix does not have these axes.
 * @type {(scopes: Scopes, graph: Graph, node: Node, weight: Weight) => string | undefined} */
function reasonToLeaveMatMul(scopes, graph, node, { dtype, dims }) {
  if (!weightTypes.includes(dtype.name)) return `the weights are ${dtype.name}`;
  const rank = dims.length;
  const axesInFront = dims.slice(0, -2);
  const isMatrix = rank >= 2 && axesInFront.every((extent) => extent === 1);
  if (!isMatrix) return `the weights have dims ${showList(dims)}`;
  // A product has as many axes as the factor that has more. Without its axes in front the weights must not be that one.
  const mayLoseAxes = axesInFront.length > 0 && statedRank(scopes, graph, inputsOf(node).other) < rank;
  if (mayLoseAxes) return `the weights have ${rank} axes, and the first input may have fewer`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** Why the weights of a Gather are not packed; undefined if nothing rules it out.
 * @type {(node: Node, weight: Weight) => string | undefined} */
function reasonToLeaveGather(node, { dtype, dims }) {
  if (dtype.name !== 'float32' && dtype.name !== 'float16') return `the weights are ${dtype.name}`;
  if (dims.length !== 2) return `the weights have ${dims.length} axes`;
  return attributes.wholeAttribute(node, 'axis', 0) === 0 ? undefined : 'the axis is not 0';
}

/** The number of axes that the model states for a value; 0 where it states no shape.
 * @type {(scopes: Scopes, graph: Graph, name: string) => number} */
function statedRank(scopes, graph, name) {
  const home = scopes.homeOf(graph, name);
  if (!home) return 0;
  const info = [...home.infos, ...home.inputs, ...home.outputs].find((stated) => stated.name === name);
  return (info && readValueInfo(info.message).dims?.length) ?? 0;
}

/** Appends an ending to a node's name. A node without a name stays so, because onnxruntime refuses two nodes of one
 * name.
 * @type {(name: string, ending: string) => string} */
const nameWith = (name, ending) => name && name + ending;

/** Makes an attribute of each whole number, by its name.
 * @type {(numbers: Record<string, number>) => import('../model/types.js').Attribute[]} */
const integerAttributes = (numbers) => Object.entries(numbers).map(([key, value]) => attributes.int(key, value));

/** Makes the GatherBlockQuantized or MatMulNBits that replaces a Gather or MatMul.
 * @type {(choice: PackChoice, node: Node, packed: PackedWeights) => Node} */
function nodeOfCodes({ bits, block }, node, { names, dims: [K, N] }) {
  const { name, operator, outputs } = node;
  const { other } = inputsOf(node);
  const [codes, ...scalesAndZeros] = names;
  if (operator === 'Gather')
    return newNode('GatherBlockQuantized', [codes, other, ...scalesAndZeros], outputs, {
      name: nameWith(name, '_Q4'),
      domain: microsoft,
      attributes: integerAttributes({ block_size: block, gather_axis: 0, quantize_axis: 1 }),
    });
  return newNode('MatMulNBits', [other, codes, ...scalesAndZeros], outputs, {
    name: nameWith(name, `_Q${bits}`),
    domain: microsoft,
    attributes: integerAttributes({ K, N, bits, block_size: block }),
  });
}

/** Makes the nodes that replace a MatMul: a DequantizeLinear of its packed weights, if it is the first node of its
 * graph that uses them, and a MatMul of the output. Each graph has a DequantizeLinear of its own, because onnxruntime
 * fuses it with a MatMul of the same graph. `plan.outputs` keeps the names of their outputs.
 * @type {(plan: QuantizePlan, graph: Graph, node: Node, packed: PackedWeights) => Node[]} */
function dequantizedNodes({ choice, outputs: outputsOfGraphs, freeName }, graph, node, packed) {
  const { name, outputs } = node;
  const { bits, block } = choice;
  const dequantizedNames = outputsOfGraphs.get(graph) ?? new Map();
  outputsOfGraphs.set(graph, dequantizedNames);
  const isFirst = !dequantizedNames.has(packed);
  const [codesName] = packed.names;
  if (isFirst) dequantizedNames.set(packed, freeName(`${codesName}_output`));
  const dequantized = dequantizedNames.get(packed);
  const factors = [inputsOf(node).other, dequantized];
  const product = newNode('MatMul', factors, outputs, { name: nameWith(name, `_matmul_Q${bits}`) });
  if (!isFirst) return [product];
  const more = { name: nameWith(name, `_DQ_Q${bits}`), attributes: integerAttributes({ axis: 0, block_size: block }) };
  return [newNode('DequantizeLinear', packed.names, [dequantized], more), product];
}
