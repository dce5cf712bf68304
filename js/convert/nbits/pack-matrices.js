/** The matrices of a model's MatMul nodes in 4 or 2 bits, with the nodes and names of onnxruntime's quantizer. */
import { rangeError, show } from '../../arguments/index.js';
import { blockRanges, numbersAs } from '../../engines/tensors/index.js';
import { dtypes } from '../../tensor/index.js';
import { liftConstants } from '../model/edit.js';
import { checkNodeNames, isNamedIn } from '../read-choice.js';
import { packNodes } from './quantize-nodes.js';

/** @import { Weight } from '../model/types.js' */
/** @import { Choice, ReportRow, Step, ReadPass } from '../types.js' */
/** @import { PackedWeights } from './pack-weights.js' */
/** @import { PackChoice, PlannedRow } from './types.js' */

/** Numbers of a block whose range is found at once: blockRanges has at most 120 * 2^10 numbers in wasm memory. */
const maxRange = 2 ** 16;

/** The step of q4 and q2. Weights that are not finite are refused before anything is written.
 * @type {(choice: Choice, bits: number) => Step} */
export const matrixStep = ({ float32, blockSize, symmetric, subgraphs }, bits) => ({
  apply(model, report) {
    checkNodeNames(float32, model);
    liftConstants(model);
    /** @type {PackChoice} */
    const choice = {
      bits,
      block: blockSize,
      symmetric,
      form: 'matmulnbits',
      ops: ['MatMul'],
      subgraphs,
      isMeasured: false,
      reasonToLeave: (operator, [name]) => (isNamedIn(float32, { operator, name }) ? 'asked for' : undefined),
    };
    const { rows, packed } = packNodes(model, choice);
    addRows(report, rows, `${symmetric ? 'int' : 'uint'}${bits}`);
    return { isChanged: packed.length > 0, passes: packed.map(({ sources: [weight] }) => finitenessPass(weight)) };
  },
});

/** Reports each node that stays float32, and each packed weight once, however many nodes use it.
 * @type {(report: ReportRow[], rows: readonly PlannedRow[], codeType: string) => void} */
function addRows(report, rows, codeType) {
  /** @type {Set<PackedWeights>} */
  const reported = new Set();
  for (const { row, weights } of rows) {
    if (!weights) {
      report.push({ node: row.node, from: 'float32', to: 'float32', reason: row.why });
    } else if (!reported.has(weights)) {
      reported.add(weights);
      report.push({ value: row.weights, from: weights.sources[0].dtype.name, to: codeType });
    }
  }
}

/** Makes a pass that refuses a weight with NaN or an infinity: these have no scale.
 * @type {(weight: Weight) => ReadPass} */
const finitenessPass = (weight) => ({
  weight,
  visit(data) {
    // Only whether there are ranges counts here: the numbers are taken as one row.
    const numbers = numbersAs(weight.dtype, dtypes.float32, data.length, data);
    const ranges = blockRanges(numbers, [1, numbers.length], maxRange);
    // blockRanges gives no ranges where a number is not finite.
    if (!ranges) rangeError(`weights ${show(weight.name)} must hold finite numbers, got NaN or an infinity`);
  },
});
