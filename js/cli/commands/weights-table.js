/** Lines about weights that are packed, or unpacked. */
import { either, largest } from '../../arguments/index.js';
import { safe, size } from '../terminal.js';

/** @import { Weights } from '../../node/index.js' */
/** @import { WeightsRow } from '../types.js' */

/** Says why no weights are packed, or none unpacked: the reason of the first node of the report or, without any node
 * there, that the model lacks packed weights or nodes of the operators `ops`.
 * @type {(ops: readonly string[], source: Weights, report: readonly WeightsRow[], done: 'packed' | 'unpacked') =>
 *   string} */
export function refusalOf(ops, { model }, report, done) {
  const [first] = report;
  if (first) return `no weights are ${done}, those of ${safe(first.node)} because ${first.why}`;
  if (done === 'unpacked') return 'IN must have packed weights, got none';
  const rule = `IN must have nodes of ${either(ops)}`;
  const operators = [...new Set(model?.nodes.map(({ operator }) => operator))];
  if (operators.length === 0) return `${rule}, got none`;
  const others = operators.length > shownOperators ? ', …' : '';
  return `${rule}, got ${operators.slice(0, shownOperators).map(safe).join(', ')}${others}`;
}

/** Most operators that a message lists. */
const shownOperators = 8;

/** Most characters of a column's width: one long name would widen each line. */
const maxColumnWidth = 80;

/** Writes a table of a report: a line for each node with its weights, their sizes before and after, or why they were
 * left; then the sums.
 * @type {(report: readonly WeightsRow[], done: 'packed' | 'unpacked') => string[]} */
export function weightsTable(report, done) {
  const lines = report.map((row) => cellsOf(row, done).map(safe));
  // The last column, the facts, is not padded.
  const widths = [0, 1, 2, 3].map((column) => {
    const lengths = lines.map((cells) => cells[column].length);
    return Math.min(maxColumnWidth, largest(lengths));
  });
  const text = lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const changed = report.filter((row) => row[done]);
  // Count weights that several nodes share once.
  const distinct = [...new Map(changed.map((row) => [row.weights, row])).values()];
  const before = distinct.reduce((sum, row) => sum + (row.before ?? 0), 0);
  const after = distinct.reduce((sum, row) => sum + (row.after ?? 0), 0);
  const left = report.length - changed.length;
  return [...text, `${changed.length} ${done}, ${left} left: ${size(before)} to ${size(after)}`];
}

/** @type {(row: WeightsRow, done: 'packed' | 'unpacked') => string[]} */
function cellsOf(row, done) {
  const { node, operator, weights, why, before = 0, after = 0, rms } = row;
  if (!row[done]) return ['left', node, operator, weights, `${why}`];
  const error = rms === undefined ? '' : `, rms error ${Number(rms.toPrecision(3))}`;
  return [done, node, operator, weights, `${size(before)} to ${size(after)}${error}`];
}
