/** ONNX models of workloads. Inputs are x0, x1, …; nodes give n0, n1, …, and the last one gives y0, y1, …. */
import { modelOf as onnxModelOf } from '../support/models.js';
import { types } from '../support/reference.js';
import { outputDims, outputType } from './workloads.js';

const named = (letter, values) => Object.fromEntries(values.map((value, i) => [`${letter}${i}`, value]));

/**
 * A ModelProto.
 * @param {object} parts
 * @param {any[][]} parts.nodes of each the operator, its inputs, and its attributes if it has any
 * @param {any[][]} parts.inputs of each the type and the dims
 * @param {any[][]} parts.results the same
 * @param {Record<string, bigint[]>} [parts.constants] lists of int64
 * @returns {Uint8Array}
 */
export function modelOf({ nodes, inputs, results, constants = {} }) {
  const outputs = named('y', results);
  const int64 = (values) => ({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });
  return onnxModelOf({
    nodes: nodes.map(([operator, from, attributes], i) => ({
      ...{ operator, inputs: from, attributes },
      outputs: i < nodes.length - 1 ? [`n${i}`] : Object.keys(outputs),
    })),
    initializers: Object.fromEntries(Object.entries(constants).map(([name, values]) => [name, int64(values)])),
    inputs: named('x', inputs),
    outputs,
  });
}

/**
 * A row of the table as the parts of a model. Runtimes cannot return sequences to JavaScript, so a split is Split with
 * an output for each piece.
 */
export function partsOf(workload) {
  const { operator, type, dims, perm, axis, to } = workload;
  const results = outputDims(workload).map((extents) => [outputType(workload), extents]);
  const node = {
    Transpose: () => ['Transpose', ['x0'], { perm }],
    Cast: () => ['Cast', ['x0'], { to: types[to].code }],
    SplitToSequence: () => ['Split', ['x0'], { axis, num_outputs: results.length }],
  }[operator]();
  return { nodes: [node], inputs: [[type, dims]], results };
}
