/**
 * soxr's filters at quality HQ, which `librosa.load` uses, for any ratio of whole rates. Their order and their shapes
 * were found from its answers to impulses and to noise.
 */
import { makeFilter, sincs } from '../engines/audio/index.js';

/** @import { Filter } from '../engines/audio/types.js' */

/** @typedef {{ up: number, down: number, width: number, cutoff: number, beta: number, scale?: number }} Stage */

/** The sharp filter's middle and the width of its slope, both of half the lower rate. */
const cutoff = 0.95687183;
const slope = 0.0431282;

/** The Kaiser window of a filter, by a fit to soxr's answers: the more filters there are, the better each is. `count`:
 * how many, or twice how many others if one of them has many phases. `product`: the window's length times the width of
 * the filter's slope.
 * @type {(count: number) => { beta: number, product: number }} */
function qualityOf(count) {
  const beta = 13.04004 + 0.67116 * Math.log2(count);
  return { beta, product: 0.6366 * beta + 0.0011 };
}

/** The filter with a sharp edge at the lower rate. `rate`: how many of its weights a sample of the lower rate spans.
 * All in all it has a multiple of 4 weights, or of 8 if it quadruples the rate, and one more.
 * @type {(up: number, down: number, rate: number, scale: number, count: number) => Stage} */
function sharpStage(up, down, rate, scale, count) {
  const { beta, product } = qualityOf(count);
  const multiple = up === 4 ? 8 : 4;
  const weights = multiple * Math.ceil((product * rate) / slope / multiple) + 1;
  return { up, down, width: weights / 2 / rate, cutoff, beta, scale };
}

/** The greatest common divisor.
 * @type {(a: number, b: number) => number} */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));

/** The factor of two rates, to / from, in lowest terms up / down.
 * @type {(from: number, to: number) => { up: number, down: number }} */
export function lowestTerms(from, to) {
  const common = divisor(from, to);
  return { up: to / common, down: from / common };
}

/** Below this number of phases, the middle of a filter depends on the number. */
const fewPhases = 40;

/** The least odd number from `least` on. */
const oddFrom = (/** @type {number} */ least) => 2 * Math.floor(Math.ceil(least) / 2) + 1;

/** The short filter from one rate to another, of `up` phases. It ends a quarter of a phase early, which only few phases
 * show.
 * @type {(from: number, to: number, weights: number, middle: number) => Stage} */
function phaseStage(from, to, weights, middle) {
  const { up, down } = lowestTerms(from, to);
  return { up, down, width: (weights + 1) / 2 - (up < fewPhases ? 0.25 / up : 0), cutoff: middle, beta: 14.064 };
}

/** The short filter behind a sharp one, which leaves a signal up to `edge` of half its rate. The numbers are fits.
 * @type {(from: number, to: number, edge: number) => Stage} */
function edgedStage(from, to, edge) {
  const { up } = lowestTerms(from, to);
  if (edge === 0.5) return phaseStage(from, to, 14, up === 3 ? 0.9116 : up < fewPhases ? 0.90906 : 0.908846);
  return phaseStage(from, to, oddFrom(6.9 / (1 - edge)), 0.856359 + 0.10491 * edge);
}

/** The short filter to twice the lower rate, before a sharp one that halves it. `edge`: the lower rate by the other.
 * @type {(from: number, to: number, edge: number) => Stage} */
const earlyStage = (from, to, edge) => phaseStage(from, 2 * to, Math.ceil(6.93 / edge), 1.8071 * edge);

/** The filter that multiplies a rate of which a signal takes up to `edge` of a half, behind `count` others.
 * @type {(times: number, edge: number, count: number) => Stage} */
function lastStage(times, edge, count) {
  const { beta, product } = qualityOf(count);
  const end = (1 - slope * 2) * edge;
  const weights = oddFrom((2 * product) / (2 - edge - end));
  const shape =
    edge < 0.4 && count === 2 ? { width: weights / 2 + 0.34375, beta: 13 } : { width: (weights + 1) / 2, beta };
  return { up: times, down: 1, cutoff: 1 - slope * edge, ...shape };
}

/** The stages of a ratio below 4 downward and of at most 5 upward. `others`: how many stages are around them.
 * @type {(up: number, down: number, others: number) => Stage[]} */
function coreStages(up, down, others) {
  const scale = Math.max(1, down / up);
  if (up === down) return [];
  // Small ratios: one sharp filter.
  if (Math.max(up, down) < 5 || up * down < 6) return [sharpStage(up, down, Math.max(up, down), scale, others + 1)];
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

/** The stages of a ratio up / down: halves the rate until the ratio is below 4 downward; a ratio above 4 upward, but
 * for 5, ends with a stage that multiplies the rate by a power of two from 4 on.
 * @type {(up: number, down: number) => Stage[]} */
export function soxrStages(up, down) {
  let halvings = 0;
  let rest = { up, down };
  for (; rest.down / rest.up >= 4; rest = lowestTerms(rest.down, 2 * rest.up)) halvings++;
  const factor = rest.up / rest.down;
  if (!(factor > 4) || factor === 5) {
    const core = coreStages(rest.up, rest.down, halvings);
    const half = { up: 1, down: 2, cutoff: 0.5, ...(core.length > 1 || halvings > 2 ? longHalf : shortHalf) };
    return [...Array.from({ length: halvings }, () => half), ...core];
  }
  const times = Math.max(4, 2 ** (Math.floor(Math.log2(factor)) - 2));
  rest = lowestTerms(times * rest.down, rest.up);
  const core = coreStages(rest.up, rest.down, 1);
  return [...core, lastStage(times, rest.down / rest.up, 2 * core.length)];
}

/** Makes soxr's filters for a ratio up / down, in the order in which they follow each other.
 * @type {(up: number, down: number) => Filter[]} */
export const soxrFilters = (up, down) =>
  soxrStages(up, down).map((stage) => makeFilter({ sinc: sincs.kaiser, ...stage }));
