/** Maps of things that may overlap: instance segmentation by painting masks one after the other on one map. A query of
 * a model has logits of classes and a mask, which is a plane. */
import { rangeError } from '../../arguments/index.js';
import {
  cutRows,
  extremesOf,
  indicesAbove,
  productOf,
  rowsOf,
  sigmoidOf,
  softmaxOf,
} from '../../engines/results/index.js';
import { flags, floats, integers } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { bestPairs, checkClasses, each, pictureOf, presentScores, sam3Outputs, scaledTo } from './detection.js';
import { count, flag, needed, sizes, threshold } from './options.js';
import { maskOutput, planesOf } from './semantic.js';
import { merging, queryOutputs, roundTo, segmented } from './segments.js';
import { checkNoPatches } from './settings.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { Method, ReadTensor, Settings } from '../types.js' */
/** @import { QueryOutputs, Segment } from './segments.js' */

const asRuns = { return_coco_annotation: flag(false), return_binary_maps: flag(false) };

/** Refuses a call that asks for run lengths and for binary maps, two forms of the result, at once.
 * @type {(o: { return_coco_annotation: boolean, return_binary_maps: boolean }) => void} */
function checkForm(o) {
  if (o.return_coco_annotation && o.return_binary_maps)
    rangeError('return_coco_annotation and return_binary_maps must not both be true');
}

/** Paints the masks whose score reaches `least` on one map of -1: where a mask is above 0, the map gets its id. Later
 * masks paint over earlier ones. Masks without such a pixel get no id; ids count from 0. `painted`: the indices of the
 * planes that got one.
 * @param {Planes} planes a mask each
 * @param {Float32Array} scores of each plane
 * @param {number} least
 * @param {(id: number, plane: number) => Segment} entryOf makes the segment of a plane
 * @returns {{ map: Int32Array, segments: Segment[], painted: number[] }} */
function painted(planes, scores, least, entryOf) {
  /** @type {Segment[]} */
  const segments = [];
  /** @type {number[]} */
  const paintedPlanes = [];
  const map = planes.paint(0, { firstWins: false }, (paint) => {
    scores.forEach((score, plane) => {
      if (!(score >= least && paint(plane, segments.length) > 0)) return;
      segments.push(entryOf(segments.length, plane));
      paintedPlanes.push(plane);
    });
  });
  return { map, segments, painted: paintedPlanes };
}

/** Declares the instance segmentation of MaskFormer and Mask2Former: the best pairs of a query and a class, painted on
 * one map or, with `return_binary_maps`, stacked as a mask each.
 * @type {(names: QueryOutputs) => Method} */
export const maskFormerInstance = (names) =>
  method({
    outputs: queryOutputs(names),
    options: {
      ...merging,
      ...asRuns,
    },
    makeAnswer(t, o) {
      checkForm(o);
      const [logits, masks] = /** @type {ReadTensor[]} */ ([t[names.logits], t[names.masks]]);
      checkClasses(logits.dims);
      const [batch, queries, classes] = logits.dims;
      return each(batch, (i) => {
        // Without the last class, "no object".
        const probabilities = cutRows(softmaxOf(pictureOf(logits, i), classes), classes, classes - 1);
        // As many pairs as there are queries, in the order of Python's unsorted topk.
        const pairs = bestPairs(probabilities, classes - 1, queries, false);
        const allPlanes = planesOf(masks, i);
        const sized = names.first ? allPlanes.resize(names.first) : allPlanes;
        const planes = sized.gather(pairs.queries);
        // The score of the class times the mean probability of the mask's pixels: those whose logit is above 0.
        const scores = productOf(pairs.scores, planes.means());
        const size = o.target_sizes?.[i] ?? [planes.height, planes.width];
        const resized = o.target_sizes ? planes.resize(size, 'nearest') : planes;
        const { painted: paintedPlanes, ...map } = painted(resized, scores, o.threshold, (id, plane) => ({
          id,
          label_id: pairs.labels[plane],
          was_fused: false,
          score: roundTo(scores[plane], 6),
        }));
        // Without masks there is nothing to stack, and the answer has a map of -1.
        if (!o.return_binary_maps || paintedPlanes.length === 0) return segmented(map, size, o.return_coco_annotation);
        const stack = resized.gather(Int32Array.from(paintedPlanes)).above(0, Float32Array);
        return { segmentation: floats(stack, [paintedPlanes.length, ...size]), segments_info: map.segments };
      });
    },
  });

/** Declares the instance segmentation of EoMT and VidEoMT: each query has its likeliest class, and the masks are
 * painted on one map of the target's size.
 * @param {QueryOutputs} names
 * @param {number} least the default of `threshold`
 * @param {(planes: Planes, size: readonly number[], settings: Settings) => Planes} resized resizes the masks
 * @returns {Method} */
export const stuffInstance = (names, least, resized) =>
  method({
    outputs: queryOutputs(names),
    options: { threshold: threshold(least), target_sizes: needed(sizes) },
    makeAnswer(t, o, settings) {
      checkNoPatches(t);
      const [logits, masks] = /** @type {ReadTensor[]} */ ([t[names.logits], t[names.masks]]);
      checkClasses(logits.dims);
      const [batch, queries, classes] = logits.dims;
      return each(batch, (i) => {
        // The likeliest class of each query; the last one, "no object", does not count.
        const probabilities = cutRows(softmaxOf(pictureOf(logits, i), classes), classes, classes - 1);
        const best = extremesOf(probabilities, { outer: queries, length: classes - 1, inner: 1 });
        const size = o.target_sizes[i];
        const planes = resized(planesOf(masks, i), size, settings);
        // The score of the class times the mean probability of the mask's pixels: those whose logit is above 0.
        const scores = productOf(best.values, planes.means());
        const { map, segments } = painted(planes, scores, o.threshold, (id, plane) => ({
          id,
          label_id: best.indices[plane],
          score: roundTo(scores[plane], 6),
        }));
        return segmented({ map, segments }, size, false);
      });
    },
  });

/** The instances of RF-DETR: the best pairs of a query and a class, painted on one map or, with `return_binary_maps`,
 * stacked as a mask each. A pixel belongs to the first mask that is above `mask_threshold` there; ids count from 1. */
export const rfDetrInstance = method({
  outputs: { logits: floatOutput('batch', 'queries', 'classes'), pred_masks: maskOutput },
  options: {
    threshold: threshold(0.5),
    mask_threshold: threshold(0),
    top_k: count(),
    target_sizes: sizes,
    ...asRuns,
  },
  makeAnswer(t, o) {
    checkForm(o);
    const [batch, queries, classes] = t.logits.dims;
    return each(batch, (i) => {
      const pairs = bestPairs(sigmoidOf(pictureOf(t.logits, i)), classes, o.top_k ?? queries);
      const at = indicesAbove(pairs.scores, o.threshold);
      const allPlanes = planesOf(t.pred_masks, i);
      const size = o.target_sizes?.[i] ?? [allPlanes.height, allPlanes.width];
      // Torch resizes these masks as pictures of one channel each.
      const resized = allPlanes.gather(rowsOf(pairs.queries, 1, at), 1).resize(size);
      /** @type {Segment[]} */
      const segments = [];
      /** @type {number[]} */
      const paintedPlanes = [];
      // Binary maps may overlap: every mask with a pixel counts, hidden or not.
      const map = resized.paint(o.mask_threshold, { firstWins: !o.return_binary_maps }, (paint) => {
        at.forEach((pair, plane) => {
          // Masks without a pixel get no id.
          if (paint(plane, segments.length + 1) === 0) return;
          const score = roundTo(pairs.scores[pair], 6);
          segments.push({ id: segments.length + 1, label_id: pairs.labels[pair], score });
          paintedPlanes.push(plane);
        });
      });
      // Without pairs the answer has a map of -1, whatever form is asked for.
      if (!o.return_binary_maps || at.length === 0)
        return segmented({ map, segments }, size, o.return_coco_annotation && at.length > 0);
      const stack = resized.gather(Int32Array.from(paintedPlanes), 1).above(o.mask_threshold, Uint8Array);
      return { segmentation: flags(stack, [paintedPlanes.length, ...size]), segments_info: segments };
    });
  },
});

/** The instances of SAM 3: scores [n], boxes [n, 4] and masks [n, height, width] of 0 and 1 of the queries above the
 * threshold. */
export const sam3Instance = method({
  outputs: { ...sam3Outputs, pred_masks: maskOutput },
  options: { threshold: threshold(0.3), mask_threshold: threshold(0.5), target_sizes: sizes },
  makeAnswer: (t, o) =>
    each(t.pred_logits.dims[0], (i) => {
      const scores = presentScores(t, i);
      const at = indicesAbove(scores, o.threshold);
      const size = o.target_sizes?.[i];
      const planes = planesOf(t.pred_masks, i).gather(at).sigmoid();
      // Without a query above the threshold there is no plane to resize.
      const resized = size && at.length > 0 ? planes.resize(size) : planes;
      return {
        scores: floats(rowsOf(scores, 1, at), [at.length]),
        boxes: floats(rowsOf(scaledTo(pictureOf(t.pred_boxes, i), size), 4, at), [at.length, 4]),
        masks: integers(resized.above(o.mask_threshold, Int32Array), [at.length, resized.height, resized.width]),
      };
    }),
});
