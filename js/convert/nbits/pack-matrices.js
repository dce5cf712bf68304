/** The matrices of a model's MatMul nodes in 4 or 2 bits, with the nodes and names of onnxruntime's quantizer. */
import { rangeError, show, showList } from '../../arguments/index.js';
import { blockRanges, numbersAs } from '../../engines/tensors/index.js';
import { endingsOf, PackedWeights, weightTypes } from '../../io/internal.js';
import { dtypes } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { dropUnused, importMicrosoft, liftConstants, microsoft, newNode } from '../model/edit.js';
import { eachGraph, holderOf, namesIn } from '../model/walk.js';
import { checkNodeNames } from '../read-choice.js';

/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { Choice, ReportRow, Step, Survey } from '../types.js' */

/** @typedef {{ bits: number, block: number, symmetric: boolean }} Packing */
/** @typedef {{ packing: Packing, float32: ReadonlySet<string>, taken: Set<string>, packed: Map<Weight, string[]>,
 *   report: ReportRow[] }} Plan */

/** Most numbers of a range that the module finds at once. */
const maxRange = 2 ** 16;

/** @type {(choice: Choice, bits: number) => Step} */
export const matrixStep = ({ float32, blockSize, symmetric, subgraphs }, bits) => ({
  before: () => [],
  apply(model, report) {
    checkNodeNames(float32, model);
    liftConstants(model);
    const packing = { bits, block: blockSize, symmetric };
    /** @type {Plan} */
    const plan = { packing, float32, report, taken: namesIn(model.graph), packed: new Map() };
    for (const graph of subgraphs ? eachGraph(model.graph) : [model.graph])
      graph.nodes = graph.nodes.map((node) => replaceNode(plan, graph, node));
    dropUnused(model.graph);
    importMicrosoft(model);
    return { isChanged: plan.packed.size > 0, surveys: Array.from(plan.packed.keys(), finiteSurvey) };
  },
});

/** @type {(plan: Plan, graph: Graph, node: Node) => Node} */
function replaceNode(plan, graph, node) {
  const { name, operator, domain, inputs, outputs } = node;
  if (operator !== 'MatMul' || domain !== '') return node;
  const holder = holderOf(graph, inputs[1]);
  const weight = holder?.initializers.get(inputs[1]);
  const reason = reasonToKeep(plan, node, holder, weight);
  if (reason !== undefined || !holder || !weight) {
    plan.report.push({ node: name || outputs[0], from: 'float32', to: 'float32', reason });
    return node;
  }
  const names = plan.packed.get(weight) ?? packWeight(plan, holder, weight);
  const [rows, columns] = weight.dims;
  const { bits, block } = plan.packing;
  const numbers = { K: rows, N: columns, bits, block_size: block };
  return newNode('MatMulNBits', [inputs[0], ...names], outputs, {
    ...{ name: name && `${name}_Q${bits}`, domain: microsoft },
    attributes: Object.entries(numbers).map(([key, value]) => attributes.whole(key, value)),
  });
}

/** @type {(plan: Plan, node: Node, holder: Graph | undefined, weight: Weight | undefined) => string | undefined} */
function reasonToKeep({ float32 }, { name, operator }, holder, weight) {
  if (float32.has(operator) || (name !== '' && float32.has(name))) return 'asked for';
  if (!holder || !weight) return 'the weights are no initializer';
  if (holder.inputs.some((input) => input.name === weight.name)) return 'the weights are an input of the graph';
  const { dtype, dims } = weight;
  if (!weightTypes.includes(dtype.name)) return `the weights are ${dtype.name}`;
  if (dims.length !== 2) return `the weights have dims ${showList(dims)}`;
  return dims.includes(0) ? 'the weights are empty' : undefined;
}

/** @type {(plan: Plan, holder: Graph, weight: Weight) => string[]} the names of the tensors in its place */
function packWeight({ packing, taken, packed, report }, holder, weight) {
  const { name, dtype, dims } = weight;
  const endings = endingsOf('MatMulNBits', packing);
  let [stem, count] = [name, 0];
  while (endings.some((ending) => taken.has(stem + ending))) stem = `${name}_${++count}`;
  for (const ending of endings) taken.add(stem + ending);
  const matrix = { weights: { path: name }, stem, dtype, dims: /** @type {[number, number]} */ ([...dims]) };
  const { names, tiled } = new PackedWeights('MatMulNBits', packing, /** @type {any} */ (matrix), false);
  for (const [index, side] of tiled.tiling.to.entries())
    holder.initializers.set(names[index], {
      ...{ name: names[index], dtype: side.dtype, dims: side.dims },
      content: { kind: 'tiled', source: weight, tiled, index },
    });
  packed.set(weight, names);
  report.push({ value: name, from: dtype.name, to: `${packing.symmetric ? 'int' : 'uint'}${packing.bits}` });
  return names;
}

/** Refuses numbers that have no scale before anything is written. @type {(weight: Weight) => Survey} */
const finiteSurvey = (weight) => ({
  weight,
  visit(data) {
    const numbers = numbersAs(weight.dtype, dtypes.float32, data.length, data);
    if (!blockRanges(numbers, [1, numbers.length], maxRange))
      rangeError(`weights ${show(weight.name)} must hold finite numbers, got NaN or an infinity`);
  },
});
