/**
 * Filters of resampling by a rational factor up / down: an output is a weighted sum of `taps` input samples near it.
 *
 * A row is `up` outputs that follow one another, and the samples that a row reads begin `down` samples after those of
 * the row before. The place of an output in its row is its phase; outputs of one phase have the same weights.
 */
import { largest, rangeError, smallest } from '../../arguments/index.js';
import * as cpp from '../../../dist/bridge/audio.js';
import { doubleBytes, structBytes, wordBytes } from '../memory/index.js';
import { copyTables, halfBytes, kernels, startTables, tables } from './module.js';

/** @import { Filter, FilterSettings } from './types.js' */

/** The libraries whose weights a filter may have. */
export const sincs = cpp.Sinc;
/** Bytes of a filter's settings: the table begins behind them, at a multiple of 16. */
export const settingsBytes = Math.ceil(cpp.Resampling.bytes / 16) * 16;

/** Weights of more bytes are not kept in a table but made a block of phases at a time: those of rates without a large
 * common divisor. */
const mostTableBytes = 2 ** 20;
/** With a larger `up` or `down` there is no table either: a block of the kernel's 16 rows would be too large. */
const mostSteps = 4096;
/** Making so many weights takes 4 s. Filters of usual rates have less than a million. */
const mostWeights = 2 ** 25;

/** Refuses a filter that does not fit in the module's memory or takes seconds to make, because a file may state any
 * rate. Returns the number of taps, for which `countTaps` asks the module once `up` and `down` are known to be int32.
 * @type {(up: number, down: number, countTaps: () => number) => number} */
function checkFilter(up, down, countTaps) {
  // Negated comparisons refuse NaN, too.
  if (!(Math.max(up, down) <= mostWeights))
    rangeError(`orig_freq and new_freq in lowest terms must be at most ${mostWeights}, got ${down} and ${up}`);
  const taps = countTaps();
  // The weights of an output, in float64, take a quarter of the memory of a piece, and its samples another one.
  const maxTaps = halfBytes / 4 / doubleBytes;
  if (!(taps <= maxTaps)) rangeError(`the filter must have at most ${maxTaps} taps, got ${taps}`);
  if (up * taps > mostWeights)
    rangeError(`the filter must have at most ${mostWeights} weights, got ${up} times ${taps}`);
  return taps;
}

/** Makes a filter in the module's memory of tables, of which it keeps a copy: its settings, and the weights of all
 * phases if they fit a table.
 * @type {(settings: FilterSettings) => Filter} */
export function makeFilter(settings) {
  const { sinc, up, down } = settings;
  startTables();
  const block = tables.allocate(settingsBytes);
  const writeSettings = (/** @type {FilterSettings} */ values) =>
    tables.view(Uint8Array, block, cpp.Resampling.bytes).set(structBytes(cpp.Resampling, values));
  const taps = checkFilter(up, down, () => {
    writeSettings(settings);
    return kernels.tap_count(block);
  });
  // The sum of scipy's weights, by which they are scaled.
  if (sinc === sincs.scipy) writeSettings({ ...settings, scale: kernels.sum_of_weights(block) });
  const tableBytes = wordBytes * up * (taps + 1); // a phase's weights and its first sample
  const isTabled = tableBytes <= mostTableBytes && Math.max(up, down) <= mostSteps;
  if (isTabled) {
    const { earliest, lastStart } = addTable(block, up, taps);
    return { up, down, taps, earliest, end: lastStart + taps, tables: copyTables(), isTabled };
  }
  // No later phase begins earlier, so the first and the last one tell which samples a row reads. Their weights, which
  // `make_phase` makes to find where a phase begins, are not kept.
  const weights = tables.allocate(wordBytes * taps);
  const earliest = kernels.make_phase(block, 0, weights);
  const lastStart = kernels.make_phase(block, up - 1, weights);
  return { up, down, taps, earliest, end: lastStart + taps, tables: copyTables(settingsBytes), isTabled };
}

/** Makes the table of a filter behind its settings: the first sample of each of its `up` phases, counted from the
 * earliest one, and the weights. Returns the earliest and the last of these samples in row 0.
 * @type {(settings: number, up: number, taps: number) => { earliest: number, lastStart: number }} */
function addTable(settings, up, taps) {
  const firsts = tables.allocate(wordBytes * up);
  const weights = tables.allocate(wordBytes * up * taps);
  const starts = makePhases(settings, 0, up, weights, taps);
  const earliest = smallest(starts);
  tables.view(Int32Array, firsts, up).set(starts.map((start) => start - earliest));
  return { earliest, lastStart: largest(starts) };
}

/** Makes the weights of `count` phases, `taps` of each, from address `weights` on. Returns the first sample that each
 * phase of row 0 reads. `settings`: the address of the filter's.
 * @type {(settings: number, firstPhase: number, count: number, weights: number, taps: number) => number[]} */
export function makePhases(settings, firstPhase, count, weights, taps) {
  const starts = [];
  for (let i = 0; i < count; i++) {
    const weightsOfPhase = weights + wordBytes * i * taps;
    starts.push(kernels.make_phase(settings, firstPhase + i, weightsOfPhase));
  }
  return starts;
}
