/** The matrices of a model's MatMul nodes in 4 or 2 bits, with the nodes and names of onnxruntime's quantizer. */
import { rangeError, show } from '../../arguments/index.js';
import { blockRanges, numbersAs } from '../../engines/tensors/index.js';
import { dtypes } from '../../tensor/index.js';
import { liftConstants } from '../model/edit.js';
import { checkNodeNames } from '../read-choice.js';
import { packNodes } from './quantize-nodes.js';

/** @import { Weight } from '../model/types.js' */
/** @import { Choice, ReportRow, Step, Survey } from '../types.js' */
/** @import { PackedWeights } from './pack-weights.js' */
/** @import { PackChoice, PlannedRow } from './types.js' */

/** Numbers of a block whose range is found at once: blockRanges has at most 120 * 2^10 numbers in wasm memory. */
const maxRange = 2 ** 16;

/** Makes the step of q4 and q2, which packs the matrices of MatMul to `bits` bits. A survey refuses weights that are
 * not finite before anything is written.
 * @type {(choice: Choice, bits: number) => Step} */
export const matrixStep = ({ float32, blockSize, symmetric, subgraphs }, bits) => ({
  /** Replaces the nodes, and adds to the report each node that stays and each weight that is packed. Constant nodes
   * that hold weights become initializers first. */
  apply(model, report) {
    checkNodeNames(float32, model);
    liftConstants(model);
    /** @type {PackChoice} */
    const choice = {
      ...{ bits, block: blockSize, symmetric, form: 'matmulnbits', ops: ['MatMul'], subgraphs, isMeasured: false },
      // The caller may name operators or nodes. A node without a name is not meant by an empty one.
      reasonToLeave: (operator, [name]) =>
        float32.has(operator) || (name !== '' && float32.has(name)) ? 'asked for' : undefined,
    };
    const { rows, packed } = packNodes(model, choice);
    addRows(report, rows, `${symmetric ? 'int' : 'uint'}${bits}`);
    return { isChanged: packed.length > 0, surveys: packed.map(({ sources: [weight] }) => finiteSurvey(weight)) };
  },
});

/** Adds a row to the report for each node that stays float32, and one for each packed weight, however many nodes use
 * it. `to`: the type of the codes.
 * @type {(report: ReportRow[], rows: readonly PlannedRow[], to: string) => void} */
function addRows(report, rows, to) {
  /** @type {Set<PackedWeights>} */
  const known = new Set();
  for (const { row, weights } of rows) {
    if (!weights) report.push({ node: row.node, from: 'float32', to: 'float32', reason: row.why });
    else if (!known.has(weights)) report.push({ value: row.weights, from: weights.sources[0].dtype.name, to });
    if (weights) known.add(weights);
  }
}

/** Makes a survey that refuses a weight with NaN or an infinity: these have no scale.
 * @type {(weight: Weight) => Survey} */
const finiteSurvey = (weight) => ({
  weight,
  /** Refuses numbers that are not finite. The ranges themselves are not used: they are undefined if a number is not
   * finite. */
  visit(data) {
    const numbers = numbersAs(weight.dtype, dtypes.float32, data.length, data);
    if (!blockRanges(numbers, [1, numbers.length], maxRange))
      rangeError(`weights ${show(weight.name)} must hold finite numbers, got NaN or an infinity`);
  },
});
