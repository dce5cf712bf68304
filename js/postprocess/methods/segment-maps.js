/** Maps of segments: how the masks of queries are merged into one, and how a map becomes an answer. */
import { replaceOwners, valueRuns } from '../../engines/results/index.js';
import { roundDecimals } from '../round-decimals.js';
import { labelMap } from './semantic.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { PendingMap } from '../tensors.js' */

/**
 * A segment of a map: `id` is its number in the map, `label_id` its class, and `was_fused` says whether all queries of
 * this class are one segment.
 * @typedef {{ id: number, label_id: number, score: number, was_fused?: boolean }} Segment
 */

/** @typedef {{ map: Int32Array, segments: Segment[] }} SegmentMap */

/** No pixel has a segment. @type {(size: readonly number[]) => Int32Array} */
const emptyMap = ([height, width]) => new Int32Array(height * width).fill(-1);

/** Copies a map to the memory `to`; without it, returns the map itself.
 * @type {(map: Int32Array, to?: Int32Array) => Int32Array} */
function copyMap(map, to) {
  to?.set(map);
  return to ?? map;
}

/** Makes the answer of a picture: the segments, and their map as a pending tensor or, with `asRuns`, the run lengths of
 * each id's pixels, row by row, of the ids in rising order.
 * @type {(map: SegmentMap, size: readonly number[], asRuns: boolean) =>
 *   { segmentation: PendingMap | number[][], segments_info: Segment[] }} */
export function answerOfSegments({ map, segments }, size, asRuns) {
  if (!asRuns) return { segmentation: labelMap(size, (to) => copyMap(map, to)), segments_info: segments };
  // Pixels without a segment are -1 or 0, whose runs are in the answer, too.
  const values = new Set([-1, 0, ...segments.map(({ id }) => id)]);
  const risingValues = [...values].sort((a, b) => a - b);
  const runsOfIds = valueRuns(map, risingValues);
  return { segmentation: runsOfIds.filter((runs) => runs.length > 0), segments_info: segments };
}

/** @typedef {{ mask_threshold: number, overlap_mask_area_threshold: number }} MergeOptions */

/** Tells whether enough of a query's mask is left for a segment: the pixels that belong to the query, divided by those
 * of its mask, must be above `areaThreshold`.
 * @type {(ownedCount: number, maskCount: number, areaThreshold: number) => boolean} */
const hasEnoughPixels = (ownedCount, maskCount, areaThreshold) =>
  ownedCount > 0 && maskCount > 0 && Math.fround(ownedCount / maskCount) > areaThreshold;

/** Merges the masks of queries to one map of segment ids, as DETR does: a pixel belongs to the query with the greatest
 * product of mask and score. A query is a segment if it {@link hasEnoughPixels}, where its mask is the pixels at which
 * its product reaches `mask_threshold`; pixels of other queries are 0. Ids count from 1. All segments of a label in
 * `fused` have the first one's id.
 * @param {Planes} planes the masks of the queries that stay, as probabilities or logits
 * @param {{ scores: Float32Array, labels: Int32Array }} scored of these queries
 * @param {MergeOptions} options
 * @param {Set<number>} fused labels whose segments are one
 * @returns {SegmentMap} */
export function mergeByProduct(planes, { scores, labels }, options, fused) {
  const isThresholdOfProduct = true;
  const areas = planes.owners(scores, options.mask_threshold, isThresholdOfProduct);
  const { owners, own: ownedCounts, whole: maskCounts } = areas;
  const noSegment = 0;
  /** @type {Map<number, number>} */
  const idOfFusedLabel = new Map();
  /** @type {Segment[]} */
  const segments = [];
  let lastId = 0;
  const idOfQuery = Int32Array.from(labels, (label, query) => {
    if (!hasEnoughPixels(ownedCounts[query], maskCounts[query], options.overlap_mask_area_threshold)) return noSegment;
    const isFused = fused.has(label);
    // As in Python, the count goes on from a fused label's id, so that a later segment may get an id that is taken.
    const id = idOfFusedLabel.get(label) ?? lastId + 1;
    lastId = id;
    segments.push({ id, label_id: label, was_fused: isFused, score: roundDecimals(scores[query], 6) });
    if (isFused) idOfFusedLabel.set(label, id);
    return id;
  });
  return { map: replaceOwners(owners, idOfQuery), segments };
}

/** Merges the masks of queries to one map of segment ids, as EoMT does: a pixel belongs to the query with the greatest
 * product of mask and score, if that query's mask reaches `mask_threshold` there. A query is a segment if it
 * {@link hasEnoughPixels}; pixels of no segment are -1. Ids count from 0. All queries of a label in `fused` are one
 * segment, with the score of the first.
 * @param {Planes} planes the masks of the queries that stay, as probabilities
 * @param {{ scores: Float32Array, labels: Int32Array }} scored of these queries
 * @param {MergeOptions} options
 * @param {Set<number>} fused labels whose queries are one segment
 * @returns {SegmentMap} */
export function mergeAboveThreshold(planes, { scores, labels }, options, fused) {
  const isThresholdOfProduct = false;
  const areas = planes.owners(scores, options.mask_threshold, isThresholdOfProduct);
  // `commonCounts`: pixels that belong to the query and at which its mask reaches the threshold.
  const { owners, own: ownedCounts, whole: maskCounts, common: commonCounts } = areas;
  const noSegment = -1;
  /** @type {Map<number, number>} */
  const idOfFusedLabel = new Map();
  /** @type {Segment[]} */
  const segments = [];
  const idOfQuery = Int32Array.from(labels, (label, query) => {
    const isVisible = commonCounts[query] > 0;
    const areaThreshold = options.overlap_mask_area_threshold;
    if (!isVisible || !hasEnoughPixels(ownedCounts[query], maskCounts[query], areaThreshold)) return noSegment;
    const fusedId = idOfFusedLabel.get(label);
    if (fusedId !== undefined) return fusedId;
    const id = segments.length;
    if (fused.has(label)) idOfFusedLabel.set(label, id);
    segments.push({ id, label_id: label, score: roundDecimals(scores[query], 6) });
    return id;
  });
  return { map: replaceOwners(owners, idOfQuery), segments };
}

/** The answer for a picture without segments: a map of -1, even where run lengths are asked for.
 * @type {(size: readonly number[]) => ReturnType<typeof answerOfSegments>} */
export const answerWithoutSegments = (size) => answerOfSegments({ map: emptyMap(size), segments: [] }, size, false);
