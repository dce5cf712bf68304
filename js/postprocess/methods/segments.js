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
/** @import { Method, OptionRow, OutputKind, ReadOptions, ReadTensor, Settings } from '../types.js' */

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
  const low = Math.floor(x * scale);
  // The product alone does not tell a tie, as it may be rounded to such a half; divided by the scale again it has to be
  // x.
  const isTie = x * scale - low === 0.5 && (low + 0.5) / scale === x;
  if (!isTie) return Number(x.toFixed(digits));
  const even = low % 2 === 0 ? low : low + 1;
  return even / scale;
}

/** No pixel has a segment.
 * @type {(size: readonly number[]) => Int32Array} */
const emptyMap = ([height, width]) => new Int32Array(height * width).fill(-1);

/** @type {(map: Int32Array, to?: Int32Array) => Int32Array} */
function copied(map, to) {
  to?.set(map);
  return to ?? map;
}

/** Makes the answer of a picture: the segments, and their map as a pending tensor or, with `asRuns`, the run lengths of
 * each id in rising order, along rows.
 * @type {(map: SegmentMap, size: readonly number[], asRuns: boolean) =>
 *   { segmentation: PendingMap | number[][], segments_info: Segment[] }} */
export function segmented({ map, segments }, size, asRuns) {
  if (!asRuns) return { segmentation: labelMap(size, (to) => copied(map, to)), segments_info: segments };
  // -1 and 0 stand for pixels without a segment.
  const values = [-1, 0, ...segments.map(({ id }) => id)];
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const ofEachValue = valueRuns(map, distinct);
  return { segmentation: ofEachValue.filter((runs) => runs.length > 0), segments_info: segments };
}

/** @typedef {{ mask_threshold: number, overlap_mask_area_threshold: number }} MergeOptions */

/** Merges masks to one map as DETR does: a pixel belongs to the query with the greatest product of mask and score. A
 * query becomes a segment if the count of its pixels, divided by the count of those at which its product reaches
 * `mask_threshold`, is above `overlap_mask_area_threshold`; pixels of other queries are 0. Ids count from 1. All
 * segments of a label in `fused` have the first one's id, after which Python's count goes on from that id, so that a
 * later segment may get an id that is taken.
 * @param {Planes} planes the masks of the queries that stay, as probabilities or logits
 * @param {{ scores: Float32Array, labels: Int32Array }} found of these queries
 * @param {MergeOptions} o
 * @param {Set<number>} fused labels whose segments are one
 * @returns {SegmentMap} */
function merged(planes, { scores, labels }, o, fused) {
  // Counts of pixels: of those that belong to a query, and of those at which its product reaches `mask_threshold`.
  const { owners, own: ownedCounts, whole: maskCounts } = planes.owners(scores, o.mask_threshold, true);
  /** Ids by label. @type {Map<number, number>} */
  const seen = new Map();
  /** @type {Segment[]} */
  const segments = [];
  let id = 0;
  // The id of each query, or 0 if it is no segment.
  const names = Int32Array.from(labels, (label, k) => {
    const hasPixels = ownedCounts[k] > 0 && maskCounts[k] > 0;
    const overlap = Math.fround(ownedCounts[k] / maskCounts[k]);
    if (!hasPixels || !(overlap > o.overlap_mask_area_threshold)) return 0;
    id = seen.get(label) ?? id + 1;
    segments.push({ id, label_id: label, was_fused: fused.has(label), score: roundTo(scores[k], 6) });
    if (fused.has(label)) seen.set(label, id);
    return id;
  });
  return { map: namedOwners(owners, names), segments };
}

/** Merges masks to one map as EoMT does, which differs from {@link merged} in three ways: ids count from 0; pixels at
 * which the mask of their query is below `mask_threshold`, or whose query is no segment, are -1; and a label in `fused`
 * is listed once.
 * @type {typeof merged} */
function mergedStuff(planes, { scores, labels }, o, fused) {
  // Counts of pixels: of those that belong to a query, of those at which its mask reaches the threshold, and of those
  // in both.
  const areas = planes.owners(scores, o.mask_threshold, false);
  const { owners, own: ownedCounts, whole: maskCounts, common: commonCounts } = areas;
  /** Ids of fused labels. @type {Map<number, number>} */
  const seen = new Map();
  /** @type {Segment[]} */
  const segments = [];
  // The id of each query, or -1 if it is no segment.
  const names = Int32Array.from(labels, (label, k) => {
    const hasPixels = ownedCounts[k] > 0 && maskCounts[k] > 0 && commonCounts[k] > 0;
    const overlap = Math.fround(ownedCounts[k] / maskCounts[k]);
    if (!hasPixels || !(overlap > o.overlap_mask_area_threshold)) return -1;
    const known = seen.get(label);
    if (known !== undefined) return known;
    const id = segments.length;
    if (fused.has(label)) seen.set(label, id);
    segments.push({ id, label_id: label, score: roundTo(scores[k], 6) });
    return id;
  });
  return { map: namedOwners(owners, names), segments };
}

/** Picks the queries of picture `i` whose likeliest class is not the last one, "no object", and has a probability above
 * `least`. `at`: their indices; `labels`: their classes.
 * @type {(logits: ReadTensor, i: number, least: number) =>
 *   { at: Int32Array, scores: Float32Array, labels: Int32Array }} */
function keptQueries(logits, i, least) {
  const [, queries, classes] = logits.dims;
  const probabilities = softmaxOf(pictureOf(logits, i), classes);
  const { values, indices } = extremesOf(probabilities, { outer: queries, length: classes, inner: 1 });
  const at = indicesAbove(values, least).filter((query) => indices[query] !== classes - 1);
  return { at, scores: rowsOf(values, 1, at), labels: rowsOf(indices, 1, at) };
}

/** Options of methods that merge the masks of queries. */
export const merging = {
  threshold: threshold(0.5),
  mask_threshold: threshold(0.5),
  overlap_mask_area_threshold: threshold(0.8),
  target_sizes: sizes,
};

/**
 * The names of a model's outputs. `first`: the size to which its masks are resized before anything else; `resize`: how
 * they are resized to the target.
 * @typedef {object} QueryOutputs
 * @property {string} logits
 * @property {string} masks
 * @property {readonly number[]} [first]
 * @property {import('./semantic.js').Resize} [resize]
 */

/** Declares the outputs of a model with queries, under the model's names.
 * @type {(names: QueryOutputs) => Record<string, OutputKind<ReadTensor | undefined>>} */
export const queryOutputs = ({ logits, masks }) => ({
  [logits]: floatOutput('batch', 'queries', 'classes'),
  [masks]: maskOutput,
  patch_offsets: named(floatOutput('any', 'any'), { isOptional: true }),
});

/** @type {{ label_ids_to_fuse?: OptionRow<Set<number>>, return_coco_annotation?: OptionRow<boolean> }} */
const fusing = { label_ids_to_fuse: ids };
/** @type {typeof fusing} */
const asRuns = { return_coco_annotation: flag(false) };

/** Declares segmentation that merges the masks of queries to one map, as DETR does. The panoptic method has the option
 * `label_ids_to_fuse`, the method for instances `return_coco_annotation`.
 * @type {(names: QueryOutputs, isPanoptic: boolean) => Method} */
export const panoptic = (names, isPanoptic) =>
  method({
    outputs: queryOutputs(names),
    options: { ...merging, ...(isPanoptic ? fusing : asRuns) },
    makeAnswer(t, o) {
      const [logits, masks] = /** @type {ReadTensor[]} */ ([t[names.logits], t[names.masks]]);
      checkClasses(logits.dims);
      return each(logits.dims[0], (i) => {
        const allPlanes = planesOf(masks, i);
        const sized = names.first ? allPlanes.resize(names.first) : allPlanes;
        // Without a target, the map has the size of the masks.
        const size = o.target_sizes?.[i] ?? [sized.height, sized.width];
        const { at, ...scored } = keptQueries(logits, i, o.threshold);
        // Without segments the answer has a map, even where run lengths are asked for.
        if (at.length === 0) return segmented({ map: emptyMap(size), segments: [] }, size, false);
        const chosen = allPlanes.gather(at);
        const probabilities = (names.first ? chosen.resize(names.first) : chosen).sigmoid();
        const resized = o.target_sizes ? (names.resize ?? plainResize)(probabilities, size) : probabilities;
        const map = merged(resized, scored, o, o.label_ids_to_fuse ?? new Set());
        return segmented(map, size, o.return_coco_annotation ?? false);
      });
    },
  });

/** Declares the panoptic segmentation of EoMT and VidEoMT: masks are resized to the target and merged to one map.
 * @param {QueryOutputs} names
 * @param {string} fuse the name of the option with the labels that are fused, which differs between the two
 * @param {(planes: Planes, size: readonly number[], settings: Settings) => Planes} resized resizes the masks
 * @returns {Method} */
export const stuffPanoptic = (names, fuse, resized) =>
  method({
    outputs: queryOutputs(names),
    options: { ...merging, threshold: threshold(0.8), target_sizes: needed(sizes), [fuse]: ids },
    makeAnswer(t, o, settings) {
      checkNoPatches(t);
      const [logits, masks] = /** @type {ReadTensor[]} */ ([t[names.logits], t[names.masks]]);
      checkClasses(logits.dims);
      return each(logits.dims[0], (i) => {
        const size = o.target_sizes[i];
        const { at, ...scored } = keptQueries(logits, i, o.threshold);
        if (at.length === 0) return segmented({ map: emptyMap(size), segments: [] }, size, false);
        // torch resizes all planes as one picture, so those that stay are picked afterwards.
        const probabilities = resized(planesOf(masks, i), size, settings).gather(at).sigmoid();
        const fused = /** @type {Set<number>} */ (/** @type {ReadOptions} */ (o)[fuse]);
        return segmented(mergedStuff(probabilities, scored, o, fused), size, false);
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
export const oneFormerInstance = (/** @type {QueryOutputs} */ names) =>
  method({
    outputs: queryOutputs(names),
    options: {
      ...merging,
      task_type: taskType,
      is_demo: flag(true),
      return_coco_annotation: flag(false),
    },
    makeAnswer(t, o, settings) {
      const [logits, masks] = /** @type {ReadTensor[]} */ ([t[names.logits], t[names.masks]]);
      checkClasses(logits.dims);
      const [batch, queries, classes] = logits.dims;
      const things = readThings(settings);
      return each(batch, (i) => {
        // Without the last class, "no object".
        const scores = cutRows(softmaxOf(pictureOf(logits, i), classes), classes, classes - 1);
        const pairs = bestPairs(scores, classes - 1, queries, false);
        // As in Python, only the demo applies the threshold, and the panoptic task keeps things alone.
        const above = o.is_demo ? indicesAbove(pairs.scores, o.threshold) : Int32Array.from(pairs.labels.keys());
        const isPanoptic = o.task_type === 'panoptic';
        const at = isPanoptic ? above.filter((pair) => things.includes(pairs.labels[pair])) : above;
        const allPlanes = planesOf(masks, i);
        const size = o.target_sizes?.[i] ?? [allPlanes.height, allPlanes.width];
        // Without segments the answer has a map, even where run lengths are asked for.
        if (at.length === 0) return segmented({ map: emptyMap(size), segments: [] }, size, false);
        const planes = allPlanes.gather(rowsOf(pairs.queries, 1, at));
        const scored = { scores: rowsOf(pairs.scores, 1, at), labels: rowsOf(pairs.labels, 1, at) };
        const sized = o.target_sizes ? (names.resize ?? plainResize)(planes, size) : planes;
        const map = merged(sized, scored, o, new Set());
        return segmented(map, size, o.return_coco_annotation);
      });
    },
  });
