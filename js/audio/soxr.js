/**
 * soxr's filters at quality HQ, which `librosa.load` uses, for any ratio of whole rates. Their order and their shapes
 * were found from its answers to impulses and to noise.
 */
import { greatestCommonDivisor } from '../arguments/index.js';
import { makeFilter, sincs } from '../engines/audio/index.js';

/** @import { Filter } from '../engines/audio/types.js' */

/** A filter that multiplies the rate by up / down: a sinc under a Kaiser window of shape `beta`. The lower of its two
 * rates is the input's divided by `scale` (1 if omitted). `width`: half of the filter, in samples of the lower rate;
 * `cutoff`: the frequency in the middle of its slope, as a share of half the lower rate.
 * @typedef {{ up: number, down: number, width: number, cutoff: number, beta: number, scale?: number }} Stage */

/** The slope of the sharp filter: its middle, as a share of half the lower rate, and its width, as a share of the lower
 * rate. It ends at half the lower rate; so in shares of that it begins at 1 - 2 * `sharpSlope`. */
const sharpCutoff = 0.95687183;
const sharpSlope = 0.0431282;

/** Computes the Kaiser window of a filter, by a fit to soxr's answers. `filterCount`: how many filters follow each
 * other; the more, the better each is. With a short one among them, the others count twice, and it does not.
 * `lengthTimesSlope`: the window's length in samples times the width of the filter's slope, as a share of the rate.
 * @type {(filterCount: number) => { beta: number, lengthTimesSlope: number }} */
function windowFor(filterCount) {
  const beta = 13.04004 + 0.67116 * Math.log2(filterCount);
  return { beta, lengthTimesSlope: 0.6366 * beta + 0.0011 };
}

/** Makes the filter with a sharp edge at the lower rate. `weightsPerSample`: how many of its weights a sample of the
 * lower rate spans; `scale`: as in {@link Stage}.
 * @type {(settings: { up: number, down: number, weightsPerSample: number, scale: number, filterCount: number }) =>
 *   Stage} */
function sharpStage({ up, down, weightsPerSample, scale, filterCount }) {
  const { beta, lengthTimesSlope } = windowFor(filterCount);
  // In samples of the lower rate, the filter has lengthTimesSlope / sharpSlope.
  const leastWeights = (lengthTimesSlope * weightsPerSample) / sharpSlope;
  const multiple = up === 4 ? 8 : 4;
  const weights = multiple * Math.ceil(leastWeights / multiple) + 1;
  return { up, down, width: weights / 2 / weightsPerSample, cutoff: sharpCutoff, beta, scale };
}

/** Computes to / from in lowest terms, up / down.
 * @type {(from: number, to: number) => { up: number, down: number }} */
export function lowestTerms(from, to) {
  const common = greatestCommonDivisor(from, to);
  return { up: to / common, down: from / common };
}

/** Below this number of phases, the middle of a filter depends on the number. */
const fewPhases = 40;

/** @type {(least: number) => number} */
const roundUpToOdd = (least) => 2 * Math.floor(Math.ceil(least) / 2) + 1;

/** Makes the short filter from one rate to another: to / from in lowest terms is up / down. It has `up` phases, sets of
 * weights that are used in turn.
 * @type {(from: number, to: number, shape: { weightsPerPhase: number, cutoff: number }) => Stage} */
function polyphaseStage(from, to, { weightsPerPhase, cutoff }) {
  const { up, down } = lowestTerms(from, to);
  // The filter ends a quarter of a phase early, which shows only if there are few phases.
  const missing = up < fewPhases ? 0.25 / up : 0;
  const fittedBeta = 14.064;
  return { up, down, width: (weightsPerPhase + 1) / 2 - missing, cutoff, beta: fittedBeta };
}

/** Makes the short filter behind a sharp one, which left only frequencies up to `edge` of half the rate: the lower the
 * edge, the fewer weights do. The numbers are fits.
 * @type {(from: number, to: number, edge: number) => Stage} */
function edgedStage(from, to, edge) {
  if (edge !== 0.5) {
    const weightsPerPhase = roundUpToOdd(6.9 / (1 - edge));
    return polyphaseStage(from, to, { weightsPerPhase, cutoff: 0.856359 + 0.10491 * edge });
  }
  const { up: phases } = lowestTerms(from, to);
  const cutoffOfFew = phases === 3 ? 0.9116 : 0.90906;
  const cutoff = phases < fewPhases ? cutoffOfFew : 0.908846;
  return polyphaseStage(from, to, { weightsPerPhase: 14, cutoff });
}

/** Makes the short filter to twice the lower rate, before a sharp one that halves it. `edge`: to / from. The numbers
 * are fits.
 * @type {(from: number, to: number, edge: number) => Stage} */
const earlyStage = (from, to, edge) =>
  polyphaseStage(from, 2 * to, { weightsPerPhase: Math.ceil(6.93 / edge), cutoff: 1.8071 * edge });

/** Makes the filter that multiplies the rate by `times`, behind others, which left only frequencies up to `edge`, a
 * share of half the rate that it gets. All frequencies here are such shares. A higher rate repeats each frequency f as
 * an image at 2 - f, mirrored at half the lower rate, and the filter removes the images.
 * @type {(times: number, edge: number, filterCount: number) => Stage} */
function lastStage(times, edge, filterCount) {
  const { beta, lengthTimesSlope } = windowFor(filterCount);
  // The filter's slope falls from the end of the frequencies that are kept to the start of their first image.
  const keptEnd = (1 - 2 * sharpSlope) * edge; // where the slope of the sharp filter in front begins
  const imageStart = 2 - edge;
  const slopeMiddle = 1 - sharpSlope * edge; // (keptEnd + imageStart) / 2
  const slopeOfRate = (imageStart - keptEnd) / 2; // the slope's width as a share of the rate, not of its half
  const weights = roundUpToOdd(lengthTimesSlope / slopeOfRate);
  const stage = { up: times, down: 1, cutoff: slopeMiddle };
  // A fit: behind one filter that left few frequencies, the window is a little narrower and less steep.
  const isBehindNarrowOne = edge < 0.4 && filterCount === 2;
  if (isBehindNarrowOne) return { ...stage, width: weights / 2 + 0.34375, beta: 13 };
  return { ...stage, width: (weights + 1) / 2, beta };
}

/** Chooses the filters for a ratio up / down that is above 1 / 4 and below 8. `others`: how many more filters the whole
 * resampling has; the more, the better each of these.
 * @type {(up: number, down: number, others: number) => Stage[]} */
function coreStages(up, down, others) {
  if (up === down) return [];
  // How many samples of the input a sample of the lower rate stands for.
  const scale = Math.max(1, down / up);
  const isSmallRatio = Math.max(up, down) < 5 || up * down < 6;
  if (isSmallRatio)
    return [sharpStage({ up, down, weightsPerSample: Math.max(up, down), scale, filterCount: others + 1 })];
  // A sharp filter and a short one: as windowFor counts.
  const filterCount = 2 * (others + 1);
  const endsSharp = scale > 1.5 && scale < 2;
  const pairOf = endsSharp ? shortThenSharp : sharpThenShort;
  return pairOf(up, down, scale, filterCount);
}

/** Chooses the filters for a ratio up / down = 1 / scale: a short one to twice the lower rate, then a sharp one that
 * halves it.
 * @type {(up: number, down: number, scale: number, filterCount: number) => Stage[]} */
function shortThenSharp(up, down, scale, filterCount) {
  const early = earlyStage(down, up, 1 / scale);
  return [early, sharpStage({ up: 1, down: 2, weightsPerSample: 2, scale: 2, filterCount })];
}

/** Chooses the filters for a ratio up / down: a sharp one, which doubles the rate unless it is at least twice the lower
 * one already, then a short one. `scale`: as in {@link Stage}.
 * @type {(up: number, down: number, scale: number, filterCount: number) => Stage[]} */
function sharpThenShort(up, down, scale, filterCount) {
  const times = scale >= 2 ? 1 : 2;
  const samplesOfLower = times * scale; // behind the sharp filter, for each sample of the lower rate
  const sharp = sharpStage({ up: times, down: 1, weightsPerSample: samplesOfLower, scale, filterCount });
  const edge = 1 / samplesOfLower;
  return [sharp, edgedStage(down * times, up, edge)];
}

/** Filters that halve a rate, in longer and in shorter rows. Nothing but the first outputs shows their shapes. */
const longHalf = { width: 18.5, beta: 13.5 };
const shortHalf = { width: 18, beta: 14.5 };

/** Chooses the filters for a ratio up to 4, or of 5: halve the rate until the ratio is above 1 / 4, then do the rest.
 * @type {(up: number, down: number) => Stage[]} */
function halvingStages(up, down) {
  let halvings = 0;
  let rest = { up, down };
  while (rest.down / rest.up >= 4) {
    rest = lowestTerms(rest.down, 2 * rest.up);
    halvings++;
  }
  const core = coreStages(rest.up, rest.down, halvings);
  // Which halving filter soxr takes was found by trial.
  const isLongRow = core.length > 1 || halvings > 2;
  const shape = isLongRow ? longHalf : shortHalf;
  const half = { up: 1, down: 2, cutoff: 0.5, ...shape };
  return [...Array.from({ length: halvings }, () => half), ...core];
}

/** Chooses the filters for a ratio above 4: at the end, one that multiplies the rate by 4 or a higher power of two, and
 * leaves a ratio below 8 to those in front of it.
 * @type {(up: number, down: number) => Stage[]} */
function multiplyingStages(up, down) {
  const times = Math.max(4, 2 ** (Math.floor(Math.log2(up / down)) - 2));
  const rest = lowestTerms(times * down, up);
  const core = coreStages(rest.up, rest.down, 1);
  const edge = rest.down / rest.up;
  // As windowFor counts: two filters or, if the core has a short one, twice the two others.
  const filterCount = 2 * core.length;
  return [...core, lastStage(times, edge, filterCount)];
}

/** Chooses the filters for a ratio up / down, in their order.
 * @type {(up: number, down: number) => Stage[]} */
export function soxrStages(up, down) {
  const ratio = up / down;
  return ratio > 4 && ratio !== 5 ? multiplyingStages(up, down) : halvingStages(up, down);
}

/** Makes soxr's filters for a ratio up / down, in the order in which they follow each other.
 * @type {(up: number, down: number) => Filter[]} */
export const soxrFilters = (up, down) =>
  soxrStages(up, down).map((stage) => makeFilter({ sinc: sincs.kaiser, ...stage }));
