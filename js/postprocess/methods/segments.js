/** Maps of segments with scores: panoptic segmentation, and instance segmentation that merges like it. A query of a
 * model has logits of classes and a mask; the chosen queries of a picture become its segments. */
import { isList, row } from '../../arguments/index.js';
import {
  cutRows,
  extremesOf,
  indicesAbove,
  namedOwners,
  rowsOf,
  softmaxOf,
  valueRuns,
} from '../../engines/results/index.js';
import { floatOutput, method, named } from './define.js';
import { bestPairs, checkClasses, each, pictureOf } from './detection.js';
import { labelMap, maskOutput, plainResize, planesOf } from './semantic.js';
import { flag, ids, needed, sizes, threshold } from './options.js';
import { readNumbers } from '../settings.js';
import { checkNoPatches } from './settings.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { PendingMap } from '../tensors.js' */
/** @import { Method, OptionRow, OutputKind, ReadOptions, ReadOutputs, ReadTensor } from '../types.js' */
/** @import { Settings } from '../types.js' */

/**
 * A segment of a map: `id` is its number in the map, `label_id` its class, and `was_fused` says whether all queries of
 * this class are one segment.
 * @typedef {{ id: number, label_id: number, score: number, was_fused?: boolean }} Segment
 */

/** @typedef {{ map: Int32Array, segments: Segment[] }} SegmentMap */

/** Rounds a float32 number to decimals as Python's `round` does: to the nearest, of ties to the even digit.
 * @type {(x: number, digits: number) => number} */
export function roundTo(x, digits) {
  const scale = 10 ** digits;
  const scaled = x * scale;
  const lower = Math.floor(scaled);
  // The product may be a half by rounding alone; that of a tie, divided by the scale again, is x.
  const isTie = scaled - lower === 0.5 && (lower + 0.5) / scale === x;
  if (!isTie) return Number(x.toFixed(digits));
  const even = lower % 2 === 0 ? lower : lower + 1;
  return even / scale;
}

/** No pixel has a segment.
 * @type {(size: readonly number[]) => Int32Array} */
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
export function segmented({ map, segments }, size, asRuns) {
  if (!asRuns) return { segmentation: labelMap(size, (to) => copyMap(map, to)), segments_info: segments };
  // Pixels without a segment are -1 or 0, whose runs are in the answer, too.
  const values = new Set([-1, 0, ...segments.map(({ id }) => id)]);
  const risingValues = [...values].sort((a, b) => a - b);
  const runsOfIds = valueRuns(map, risingValues);
  return { segmentation: runsOfIds.filter((runs) => runs.length > 0), segments_info: segments };
}

/** @typedef {{ mask_threshold: number, overlap_mask_area_threshold: number }} MergeOptions */

/** Tells whether enough of a query's mask is left for a segment: the pixels that belong to the query, divided by those
 * of its mask, must be above `least`.
 * @type {(ownedCount: number, maskCount: number, least: number) => boolean} */
const hasEnoughPixels = (ownedCount, maskCount, least) =>
  ownedCount > 0 && maskCount > 0 && Math.fround(ownedCount / maskCount) > least;

/** Merges the masks of queries to one map of segment ids, as DETR does: a pixel belongs to the query with the greatest
 * product of mask and score. A query is a segment if it {@link hasEnoughPixels}, where its mask is the pixels at which
 * its product reaches `mask_threshold`; pixels of other queries are 0. Ids count from 1. All segments of a label in
 * `fused` have the first one's id, after which Python's count goes on from that id, so that a later segment may get an
 * id that is taken.
 * @param {Planes} planes the masks of the queries that stay, as probabilities or logits
 * @param {{ scores: Float32Array, labels: Int32Array }} scored of these queries
 * @param {MergeOptions} options
 * @param {Set<number>} fused labels whose segments are one
 * @returns {SegmentMap} */
function mergedByProduct(planes, { scores, labels }, options, fused) {
  const isThresholdOfProduct = true;
  const areas = planes.owners(scores, options.mask_threshold, isThresholdOfProduct);
  const { owners, own: ownedCounts, whole: maskCounts } = areas;
  const noSegment = 0;
  /** @type {Map<number, number>} */
  const idOfFusedLabel = new Map();
  /** @type {Segment[]} */
  const segments = [];
  let id = 0;
  const idOfQuery = Int32Array.from(labels, (label, query) => {
    if (!hasEnoughPixels(ownedCounts[query], maskCounts[query], options.overlap_mask_area_threshold)) return noSegment;
    const isFused = fused.has(label);
    id = idOfFusedLabel.get(label) ?? id + 1;
    segments.push({ id, label_id: label, was_fused: isFused, score: roundTo(scores[query], 6) });
    if (isFused) idOfFusedLabel.set(label, id);
    return id;
  });
  return { map: namedOwners(owners, idOfQuery), segments };
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
function mergedAboveThreshold(planes, { scores, labels }, options, fused) {
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
    const least = options.overlap_mask_area_threshold;
    if (!isVisible || !hasEnoughPixels(ownedCounts[query], maskCounts[query], least)) return noSegment;
    const fusedId = idOfFusedLabel.get(label);
    if (fusedId !== undefined) return fusedId;
    const id = segments.length;
    if (fused.has(label)) idOfFusedLabel.set(label, id);
    segments.push({ id, label_id: label, score: roundTo(scores[query], 6) });
    return id;
  });
  return { map: namedOwners(owners, idOfQuery), segments };
}

/** Picks the queries of picture `i` whose likeliest class has a probability above `least` and is not the last class,
 * "no object". `indices`: of these queries among all of the picture; `scored`: the probability and the class of each.
 * @type {(logits: ReadTensor, i: number, least: number) =>
 *   { indices: Int32Array, scored: { scores: Float32Array, labels: Int32Array } }} */
function confidentQueries(logits, i, least) {
  const [, queries, classes] = logits.dims;
  const noObject = classes - 1;
  const probabilities = softmaxOf(pictureOf(logits, i), classes);
  const best = extremesOf(probabilities, { outer: queries, length: classes, inner: 1 });
  const [bestProbabilities, bestClasses] = [best.values, best.indices];
  const indices = indicesAbove(bestProbabilities, least).filter((query) => bestClasses[query] !== noObject);
  const scored = { scores: rowsOf(bestProbabilities, 1, indices), labels: rowsOf(bestClasses, 1, indices) };
  return { indices, scored };
}

/** Options of methods that merge the masks of queries. */
export const merging = {
  threshold: threshold(0.5),
  mask_threshold: threshold(0.5),
  overlap_mask_area_threshold: threshold(0.8),
  target_sizes: sizes,
};

/**
 * A model that gives logits and a mask for each query.
 * @typedef {object} QueryModel
 * @property {string} logits the name of the output with the logits
 * @property {string} masks the name of the output with the masks
 * @property {readonly number[]} [firstSize] the size to which the masks are resized before anything else
 * @property {import('./semantic.js').Resize} [resizeToTarget] {@link plainResize} if omitted
 */

/** Declares the outputs of a model with queries, under the model's names.
 * @type {(model: QueryModel) => Record<string, OutputKind<ReadTensor | undefined>>} */
export const queryOutputs = ({ logits, masks }) => ({
  [logits]: floatOutput('batch', 'queries', 'classes'),
  [masks]: maskOutput,
  patch_offsets: named(floatOutput('any', 'any'), { isOptional: true }),
});

/** Picks the logits and the masks of a model's queries from its outputs, and refuses logits of fewer than 2 classes.
 * @type {(outputs: ReadOutputs, model: QueryModel) => { logits: ReadTensor, masks: ReadTensor }} */
export function queryTensors(outputs, model) {
  const logits = /** @type {ReadTensor} */ (outputs[model.logits]);
  const masks = /** @type {ReadTensor} */ (outputs[model.masks]);
  checkClasses(logits.dims);
  return { logits, masks };
}

/** Picks the pairs of a query of picture `i` and a class with the greatest probabilities, as many as there are queries,
 * in the order of Python's unsorted topk. The last class, "no object", is in no pair.
 * @type {(logits: ReadTensor, i: number) => ReturnType<typeof bestPairs>} */
export function likeliestPairs(logits, i) {
  const [, queries, classes] = logits.dims;
  const realClasses = classes - 1;
  const probabilities = cutRows(softmaxOf(pictureOf(logits, i), classes), classes, realClasses);
  return bestPairs(probabilities, realClasses, queries, { isSorted: false });
}

/** Resizes masks to the size that the model gives them before anything else, if it has one.
 * @type {(planes: Planes, model: QueryModel) => Planes} */
export const toFirstSize = (planes, { firstSize }) => (firstSize ? planes.resize(firstSize) : planes);

/** @type {{ label_ids_to_fuse?: OptionRow<Set<number>>, return_coco_annotation?: OptionRow<boolean> }} */
const fusing = { label_ids_to_fuse: ids };
/** @type {typeof fusing} */
const asRuns = { return_coco_annotation: flag(false) };

/** The answer for a picture without segments: a map of -1, even where run lengths are asked for.
 * @type {(size: readonly number[]) => ReturnType<typeof segmented>} */
const withoutSegments = (size) => segmented({ map: emptyMap(size), segments: [] }, size, false);

/** Declares DETR's segmentation: the masks of queries, merged to one map.
 * @type {(model: QueryModel, ownOption: typeof fusing | typeof asRuns) => Method} */
const mergedSegments = (model, ownOption) =>
  method({
    outputs: queryOutputs(model),
    options: { ...merging, ...ownOption },
    makeAnswer(outputs, options) {
      const { logits, masks } = queryTensors(outputs, model);
      const { resizeToTarget = plainResize } = model;
      return each(logits.dims[0], (i) => {
        const allPlanes = planesOf(masks, i);
        const size = options.target_sizes?.[i] ?? model.firstSize ?? [allPlanes.height, allPlanes.width];
        const { indices, scored } = confidentQueries(logits, i, options.threshold);
        if (indices.length === 0) return withoutSegments(size);
        const probabilities = toFirstSize(allPlanes.gather(indices), model).sigmoid();
        const resized = options.target_sizes ? resizeToTarget(probabilities, size) : probabilities;
        const map = mergedByProduct(resized, scored, options, options.label_ids_to_fuse ?? new Set());
        return segmented(map, size, options.return_coco_annotation ?? false);
      });
    },
  });

export const panopticSegments = (/** @type {QueryModel} */ model) => mergedSegments(model, fusing);
export const instanceSegments = (/** @type {QueryModel} */ model) => mergedSegments(model, asRuns);

/** Declares the panoptic segmentation of EoMT and VidEoMT: masks are resized to the target and merged to one map.
 * @param {QueryModel} model
 * @param {string} fusedOption the name of the option with the labels that are fused, which differs between the two
 * @param {(planes: Planes, size: readonly number[], settings: Settings) => Planes} resizeMasks
 * @returns {Method} */
export const stuffPanoptic = (model, fusedOption, resizeMasks) =>
  method({
    outputs: queryOutputs(model),
    options: { ...merging, threshold: threshold(0.8), target_sizes: needed(sizes), [fusedOption]: ids },
    makeAnswer(outputs, options, settings) {
      checkNoPatches(outputs);
      const { logits, masks } = queryTensors(outputs, model);
      const fused = /** @type {Set<number>} */ (/** @type {ReadOptions} */ (options)[fusedOption]);
      return each(logits.dims[0], (i) => {
        const size = options.target_sizes[i];
        const { indices, scored } = confidentQueries(logits, i, options.threshold);
        if (indices.length === 0) return withoutSegments(size);
        // torch resizes all planes as one picture, so those that stay are picked afterwards.
        const probabilities = resizeMasks(planesOf(masks, i), size, settings).gather(indices).sigmoid();
        return segmented(mergedAboveThreshold(probabilities, scored, options, fused), size, false);
      });
    },
  });

/** @type {OptionRow<string>} */
const taskType = row((_, value) => String(value), 'instance');

/** Reads the labels of things, which can be counted.
 * @type {(settings: Settings) => number[]} */
function readThings(settings) {
  const metadata = /** @type {{ thing_ids?: unknown } | null | undefined} */ (settings.metadata);
  const thingIds = metadata?.thing_ids;
  return isList(thingIds) ? readNumbers('metadata.thing_ids', thingIds) : [];
}

/** Declares OneFormer's instance segmentation: the best pairs of a query and a class, merged to one map by the logits
 * of their masks. As in Python, the logits go through no sigmoid. */
export const oneFormerInstance = (/** @type {QueryModel} */ model) =>
  method({
    outputs: queryOutputs(model),
    options: {
      ...merging,
      task_type: taskType,
      is_demo: flag(true),
      return_coco_annotation: flag(false),
    },
    makeAnswer(outputs, options, settings) {
      const { logits, masks } = queryTensors(outputs, model);
      const { resizeToTarget = plainResize } = model;
      const things = readThings(settings);
      return each(logits.dims[0], (i) => {
        const pairs = likeliestPairs(logits, i);
        // As in Python, only the demo applies the threshold, and the panoptic task keeps things alone.
        const above = options.is_demo
          ? indicesAbove(pairs.scores, options.threshold)
          : Int32Array.from(pairs.scores.keys());
        const isPanoptic = options.task_type === 'panoptic';
        const chosen = isPanoptic ? above.filter((pair) => things.includes(pairs.labels[pair])) : above;
        const allPlanes = planesOf(masks, i);
        const size = options.target_sizes?.[i] ?? [allPlanes.height, allPlanes.width];
        if (chosen.length === 0) return withoutSegments(size);
        const planes = allPlanes.gather(rowsOf(pairs.queries, 1, chosen));
        const scored = { scores: rowsOf(pairs.scores, 1, chosen), labels: rowsOf(pairs.labels, 1, chosen) };
        const resized = options.target_sizes ? resizeToTarget(planes, size) : planes;
        return segmented(mergedByProduct(resized, scored, options, new Set()), size, options.return_coco_annotation);
      });
    },
  });
