/** Maps of things that may overlap: instance segmentation by painting masks one after the other on one map. A query of
 * a model has logits of classes and a mask, which is a plane. */
import { rangeError } from '../../arguments/index.js';
import { indicesAbove, productOf, sigmoidOf } from '../../engines/results/index.js';
import { roundDecimals } from '../round-decimals.js';
import { flags, floatRowsAt, floats, floatsAt, integers, numbersAt } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { bestPairs, dataOfPicture, makeList, presentScores, sam3Outputs, scorings, toPixels } from './detection.js';
import { count, flag, needed, sizes, threshold } from './options.js';
import { maskOutput, planesOf } from './semantic.js';
import { answerOfSegments } from './segment-maps.js';
import { likeliestPairs, merging, queryOutputs, queryTensors, toFirstSize } from './segments.js';
import { checkNoPatches } from './settings.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { Method, Settings } from '../types.js' */
/** @import { Segment, SegmentMap } from './segment-maps.js' */
/** @import { QueryModel } from './segments.js' */

const asRuns = { return_coco_annotation: flag(false), return_binary_maps: flag(false) };

/** Refuses a call that asks for run lengths and for binary maps, two forms of the result, at once.
 * @type {(options: { return_coco_annotation: boolean, return_binary_maps: boolean }) => void} */
function checkForm({ return_coco_annotation: asRunLengths, return_binary_maps: asMaps }) {
  if (asRunLengths && asMaps) rangeError('return_coco_annotation and return_binary_maps must not both be true');
}

/** Rules of painting: a pixel of a mask is one above `threshold`; with `firstWins`, later masks do not paint over
 * earlier ones; ids count from `firstId`.
 * @typedef {{ threshold: number, firstWins: boolean, firstId: number }} PaintRules */

/** MaskFormer's and EoMT's rules of painting. @type {PaintRules} */
const laterWins = { threshold: 0, firstWins: false, firstId: 0 };

/** Paints masks one after the other on one map, which has the id of a mask at its pixels, and -1 where no mask is.
 * Masks that paint no pixel get no id. `paintedPlanes`: the indices of the planes that got an id.
 * @param {Planes} planes a mask each
 * @param {Iterable<number>} chosen the indices of the planes that are painted, in this order
 * @param {PaintRules} rules
 * @param {(id: number, plane: number) => Segment} segmentOf makes the segment of a plane
 * @returns {SegmentMap & { paintedPlanes: number[] }} */
function paintMasks(planes, chosen, { threshold: maskThreshold, firstWins, firstId }, segmentOf) {
  /** @type {Segment[]} */
  const segments = [];
  /** @type {number[]} */
  const paintedPlanes = [];
  const map = planes.paint(maskThreshold, { firstWins }, (paint) => {
    for (const plane of chosen) {
      const id = firstId + segments.length;
      const pixels = paint(plane, id);
      if (pixels === 0) continue;
      segments.push(segmentOf(id, plane));
      paintedPlanes.push(plane);
    }
  });
  return { map, segments, paintedPlanes };
}

/** Lists the indices of the scores that are at least `minScore`.
 * @type {(scores: Float32Array, minScore: number) => number[]} */
const indicesFrom = (scores, minScore) => [...scores.keys()].filter((i) => scores[i] >= minScore);

/** Multiplies the score of each mask's class by the mean probability of the mask's pixels: those with logits above 0.
 * @type {(classScores: Float32Array, planes: Planes) => Float32Array} */
const timesMaskScores = (classScores, planes) => productOf(classScores, planes.means());

/** Declares the instance segmentation of MaskFormer and Mask2Former: the best pairs of a query and a class, painted on
 * one map or, with `return_binary_maps`, stacked as a mask each.
 * @type {(model: QueryModel) => Method} */
export const maskFormerInstance = (model) =>
  method({
    outputs: queryOutputs(model),
    options: {
      ...merging,
      ...asRuns,
    },
    makeAnswer(outputs, options) {
      checkForm(options);
      const { logits, masks } = queryTensors(outputs, model);
      return makeList(logits.dims[0], (i) => {
        const pairs = likeliestPairs(logits, i);
        const planes = toFirstSize(planesOf(masks, i), model).gather(pairs.queries);
        const scores = timesMaskScores(pairs.scores, planes);
        const size = options.target_sizes?.[i] ?? [planes.height, planes.width];
        const resized = options.target_sizes ? planes.resize(size, 'nearest') : planes;
        const chosen = indicesFrom(scores, options.threshold);
        const { paintedPlanes, ...painted } = paintMasks(resized, chosen, laterWins, (id, plane) => ({
          id,
          label_id: pairs.labels[plane],
          was_fused: false,
          score: roundDecimals(scores[plane], 6),
        }));
        // Without masks there is nothing to stack, and the answer has a map of -1.
        if (!options.return_binary_maps || paintedPlanes.length === 0)
          return answerOfSegments(painted, size, options.return_coco_annotation);
        const stack = resized.gather(Int32Array.from(paintedPlanes)).above(0, Float32Array);
        return { segmentation: floats(stack, [paintedPlanes.length, ...size]), segments_info: painted.segments };
      });
    },
  });

/** Declares the instance segmentation of EoMT and VidEoMT: each query has its likeliest class, and the masks are
 * painted on one map of the target's size.
 * @param {QueryModel} model
 * @param {number} defaultThreshold the default of `threshold`
 * @param {(planes: Planes, size: readonly number[], settings: Settings) => Planes} resizeMasks
 * @returns {Method} */
export const stuffInstance = (model, defaultThreshold, resizeMasks) =>
  method({
    outputs: queryOutputs(model),
    options: { threshold: threshold(defaultThreshold), target_sizes: needed(sizes) },
    makeAnswer(outputs, options, settings) {
      checkNoPatches(outputs);
      const { logits, masks } = queryTensors(outputs, model);
      return makeList(logits.dims[0], (i) => {
        const best = scorings.softmax(logits, i);
        const size = options.target_sizes[i];
        const planes = resizeMasks(planesOf(masks, i), size, settings);
        const scores = timesMaskScores(best.scores, planes);
        const chosen = indicesFrom(scores, options.threshold);
        const { map, segments } = paintMasks(planes, chosen, laterWins, (id, plane) => ({
          id,
          label_id: best.labels[plane],
          score: roundDecimals(scores[plane], 6),
        }));
        return answerOfSegments({ map, segments }, size, false);
      });
    },
  });

/** Channels of a picture when torch resizes the masks of RF-DETR: each is a picture of its own. */
const oneChannel = 1;

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
  makeAnswer(outputs, options) {
    checkForm(options);
    const [batch, queries, classes] = outputs.logits.dims;
    return makeList(batch, (i) => {
      const pairs = bestPairs(sigmoidOf(dataOfPicture(outputs.logits, i)), classes, options.top_k ?? queries);
      const chosenPairs = indicesAbove(pairs.scores, options.threshold);
      const allPlanes = planesOf(outputs.pred_masks, i);
      const size = options.target_sizes?.[i] ?? [allPlanes.height, allPlanes.width];
      const planes = allPlanes.gather(numbersAt(pairs.queries, chosenPairs), oneChannel).resize(size);
      const rules = {
        threshold: options.mask_threshold,
        // Binary maps may overlap: every mask with a pixel counts, hidden or not.
        firstWins: !options.return_binary_maps,
        firstId: 1,
      };
      const { map, segments, paintedPlanes } = paintMasks(planes, chosenPairs.keys(), rules, (id, plane) => {
        const pair = chosenPairs[plane];
        return { id, label_id: pairs.labels[pair], score: roundDecimals(pairs.scores[pair], 6) };
      });
      // Without pairs the answer has a map of -1, whatever form is asked for.
      const hasPairs = chosenPairs.length > 0;
      if (!options.return_binary_maps || !hasPairs)
        return answerOfSegments({ map, segments }, size, options.return_coco_annotation && hasPairs);
      const stack = planes.gather(Int32Array.from(paintedPlanes), oneChannel).above(options.mask_threshold, Uint8Array);
      return { segmentation: flags(stack, [paintedPlanes.length, ...size]), segments_info: segments };
    });
  },
});

/** SAM 3's queries above the threshold: scores [n], boxes [n, 4] and masks [n, height, width] of 0 and 1. */
export const sam3Instance = method({
  outputs: { ...sam3Outputs, pred_masks: maskOutput },
  options: { threshold: threshold(0.3), mask_threshold: threshold(0.5), target_sizes: sizes },
  makeAnswer: (outputs, options) =>
    makeList(outputs.pred_logits.dims[0], (i) => {
      const scores = presentScores(outputs, i);
      const queries = indicesAbove(scores, options.threshold);
      const size = options.target_sizes?.[i];
      const boxes = toPixels(dataOfPicture(outputs.pred_boxes, i), size);
      const planes = planesOf(outputs.pred_masks, i).gather(queries).sigmoid();
      // Without a query above the threshold there is no plane to resize.
      const resized = size && queries.length > 0 ? planes.resize(size) : planes;
      const masks = resized.above(options.mask_threshold, Int32Array);
      return {
        scores: floatsAt(scores, queries),
        boxes: floatRowsAt(boxes, 4, queries),
        masks: integers(masks, [queries.length, resized.height, resized.width]),
      };
    }),
});
