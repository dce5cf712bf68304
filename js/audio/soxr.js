/**
 * soxr's filters at quality HQ, which `librosa.load` uses, for any ratio of whole rates. Their order and their shapes
 * were found from its answers to impulses and to noise.
 */
import { makeFilter, sincs } from '../engines/audio/index.js';

/** @import { Filter } from '../engines/audio/types.js' */

/** A filter that multiplies the rate by up / down: a sinc under a Kaiser window of shape `beta`. The lower of its two
 * rates is the input's divided by `scale` (1 if omitted). `width`: half of the filter, in samples of the lower rate;
 * `cutoff`: the middle of its slope, of half the lower rate.
 * @typedef {{ up: number, down: number, width: number, cutoff: number, beta: number, scale?: number }} Stage */

/** The sharp filter's middle and the width of its slope, both of half the lower rate. */
const cutoff = 0.95687183;
const slope = 0.0431282;

/** Gives the Kaiser window of a filter, by a fit to soxr's answers: the more filters follow each other, the better each
 * is. `count`: how many do, or twice how many others do if one of them has many phases. `product`: the window's length
 * in samples times the width of the filter's slope.
 * @type {(count: number) => { beta: number, product: number }} */
function qualityOf(count) {
  const beta = 13.04004 + 0.67116 * Math.log2(count);
  return { beta, product: 0.6366 * beta + 0.0011 };
}

/** Makes the filter with a sharp edge at the lower rate. `rate`: how many of its weights a sample of the lower rate
 * spans; `count`: how many filters follow each other, doubled if one has many phases, which decides the quality. All
 * in all the filter has a multiple of 4 weights, or of 8 if it quadruples the rate, and one more.
 * @type {(up: number, down: number, rate: number, scale: number, count: number) => Stage} */
function sharpStage(up, down, rate, scale, count) {
  const { beta, product } = qualityOf(count);
  const multiple = up === 4 ? 8 : 4;
  // The filter has product / slope samples of the lower rate.
  const weights = multiple * Math.ceil((product * rate) / slope / multiple) + 1;
  return { up, down, width: weights / 2 / rate, cutoff, beta, scale };
}

/** The greatest common divisor.
 * @type {(a: number, b: number) => number} */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

/** Computes the factor of two whole rates, to / from, in lowest terms up / down.
 * @type {(from: number, to: number) => { up: number, down: number }} */
export function lowestTerms(from, to) {
  const common = divisor(from, to);
  return { up: to / common, down: from / common };
}

/** Below this number of phases, the middle of a filter depends on the number. */
const fewPhases = 40;

/** Rounds up to an odd number. */
const oddFrom = (/** @type {number} */ least) => 2 * Math.floor(Math.ceil(least) / 2) + 1;

/** Makes the short filter from one rate to another. Each of its `up` phases has `weights` weights; `middle` is its
 * cutoff. It ends a quarter of a phase early, which shows only if there are few phases. 14.064 is a fit.
 * @type {(from: number, to: number, weights: number, middle: number) => Stage} */
function phaseStage(from, to, weights, middle) {
  const { up, down } = lowestTerms(from, to);
  return { up, down, width: (weights + 1) / 2 - (up < fewPhases ? 0.25 / up : 0), cutoff: middle, beta: 14.064 };
}

/** Makes the short filter behind a sharp one, which left only frequencies up to `edge` of half the rate: the lower the
 * edge, the fewer weights do. The numbers are fits.
 * @type {(from: number, to: number, edge: number) => Stage} */
function edgedStage(from, to, edge) {
  const { up } = lowestTerms(from, to);
  if (edge === 0.5) return phaseStage(from, to, 14, up === 3 ? 0.9116 : up < fewPhases ? 0.90906 : 0.908846);
  return phaseStage(from, to, oddFrom(6.9 / (1 - edge)), 0.856359 + 0.10491 * edge);
}

/** Makes the short filter to twice the lower rate, before a sharp one that halves it. `edge`: to / from. The numbers
 * are fits.
 * @type {(from: number, to: number, edge: number) => Stage} */
const earlyStage = (from, to, edge) => phaseStage(from, 2 * to, Math.ceil(6.93 / edge), 1.8071 * edge);

/** Makes the filter that multiplies the rate by `times`, behind `count` other filters, which left only frequencies up
 * to `edge` of half the rate. The numbers are fits.
 * @type {(times: number, edge: number, count: number) => Stage} */
function lastStage(times, edge, count) {
  const { beta, product } = qualityOf(count);
  const end = (1 - slope * 2) * edge;
  const weights = oddFrom((2 * product) / (2 - edge - end));
  const shape =
    edge < 0.4 && count === 2 ? { width: weights / 2 + 0.34375, beta: 13 } : { width: (weights + 1) / 2, beta };
  return { up: times, down: 1, cutoff: 1 - slope * edge, ...shape };
}

/** Chooses the filters for a ratio up / down that is above 1 / 4 and below 8. `others`: how many more filters the whole
 * resampling has; the more, the better each of these.
 * @type {(up: number, down: number, others: number) => Stage[]} */
function coreStages(up, down, others) {
  // How many samples of the input a sample of the lower rate stands for.
  const scale = Math.max(1, down / up);
  if (up === down) return [];
  // Small ratios: one sharp filter.
  if (Math.max(up, down) < 5 || up * down < 6) return [sharpStage(up, down, Math.max(up, down), scale, others + 1)];
  // Two filters, of which one has many phases: as qualityOf counts.
  const count = 2 * (others + 1);
  // From 1.5 to 2 downward: up to twice the lower rate, then a sharp filter halves it.
  if (scale > 1.5 && scale < 2) return [earlyStage(down, up, 1 / scale), sharpStage(1, 2, 2, 2, count)];
  // Otherwise a sharp filter, which doubles the rate unless it is halved at least, then many phases.
  const first = scale >= 2 ? 1 : 2;
  const sharp = sharpStage(first, 1, first * scale, scale, count);
  return [sharp, edgedStage(down * first, up, 1 / (first * scale))];
}

/** Filters that halve a rate, in longer and in shorter rows. Nothing but the first outputs shows their shapes. */
const longHalf = { width: 18.5, beta: 13.5 };
const shortHalf = { width: 18, beta: 14.5 };

/** Chooses the filters for a ratio up / down, in their order. First, filters halve the rate until the ratio is above
 * 1 / 4. A ratio above 4, other than 5, ends with a filter that multiplies the rate by 4 or a higher power of two.
 * @type {(up: number, down: number) => Stage[]} */
export function soxrStages(up, down) {
  let halvings = 0;
  let rest = { up, down };
  for (; rest.down / rest.up >= 4; rest = lowestTerms(rest.down, 2 * rest.up)) halvings++;
  const factor = rest.up / rest.down;
  if (!(factor > 4) || factor === 5) {
    const core = coreStages(rest.up, rest.down, halvings);
    // Which halving filter soxr takes was found by trial.
    const half = { up: 1, down: 2, cutoff: 0.5, ...(core.length > 1 || halvings > 2 ? longHalf : shortHalf) };
    return [...Array.from({ length: halvings }, () => half), ...core];
  }
  // The last filter leaves a ratio below 8 to those in front of it.
  const times = Math.max(4, 2 ** (Math.floor(Math.log2(factor)) - 2));
  rest = lowestTerms(times * rest.down, rest.up);
  const core = coreStages(rest.up, rest.down, 1);
  return [...core, lastStage(times, rest.down / rest.up, 2 * core.length)];
}

/** Makes soxr's filters for a ratio up / down, in the order in which they follow each other.
 * @type {(up: number, down: number) => Filter[]} */
export const soxrFilters = (up, down) =>
  soxrStages(up, down).map((stage) => makeFilter({ sinc: sincs.kaiser, ...stage }));
