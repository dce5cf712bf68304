/** Lines about weights that are packed, or unpacked. */
import { either, largest } from '../../arguments/index.js';
import { safe, size } from '../terminal.js';

/** @import { Weights } from '../../node/index.js' */
/** @import { WeightsRow } from '../types.js' */

/** Says why no weights are packed, or none unpacked: the reason of the first node of the report. Without any node
 * there, that the model has no packed weights, if they were to be unpacked, or no nodes of these operators (`ops`),
 * with the operators that it has.
 * @type {(ops: readonly string[], source: Weights, report: readonly WeightsRow[], done: 'packed' | 'unpacked') =>
 *   string} */
export function refusalOf(ops, { model }, report, done) {
  const [first] = report;
  if (first) return `no weights are ${done}, those of ${safe(first.node)} because ${first.why}`;
  if (done === 'unpacked') return 'IN must have packed weights, got none';
  const operators = [...new Set(model?.nodes.map(({ operator }) => operator))];
  const others = operators.length > shownOperators ? ', …' : '';
  const list = operators.length > 0 ? operators.slice(0, shownOperators).map(safe).join(', ') + others : 'none';
  return `IN must have nodes of ${either(ops)}, got ${list}`;
}

/** Most operators that a message lists. */
const shownOperators = 8;

/** Most characters of a column's width: one long name would widen each line. */
const mostColumns = 80;

/** Writes a table of a report: a line for each node with its weights, their sizes before and after, or why they were
 * left; then the sums.
 * @type {(report: readonly WeightsRow[], done: 'packed' | 'unpacked') =>
 *   string[]} */
export function weightsTable(report, done) {
  const lines = report.map((row) => {
    const { node, operator, weights, why, before = 0, after = 0, rms } = row;
    const error = rms === undefined ? '' : `, rms error ${Number(rms.toPrecision(3))}`;
    const facts = row[done] ? `${size(before)} to ${size(after)}${error}` : `${why}`;
    return [row[done] ? done : 'left', node, operator, weights, facts].map(safe);
  });
  // The last column, the facts, is not padded.
  const widths = [0, 1, 2, 3].map((i) => Math.min(mostColumns, largest(lines.map((line) => line[i].length))));
  const text = lines.map((line) => `${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`);
  // Count weights that several nodes share once.
  const once = new Map(report.filter((row) => row[done]).map((row) => [row.weights, row]));
  const sum = (/** @type {'before' | 'after'} */ key) =>
    [...once.values()].reduce((all, row) => all + (row[key] ?? 0), 0);
  const left = report.filter((row) => !row[done]).length;
  const total = `${report.length - left} ${done}, ${left} left: ${size(sum('before'))} to ${size(sum('after'))}`;
  return [...text, total];
}
