/** Maps of segments with scores: panoptic segmentation, and instance segmentation that merges like it. A query of a
 * model has logits of classes and a mask; the chosen queries of a picture become its segments. */
import { isList, row } from '../../arguments/index.js';
import { cutRows, extremesOf, indicesAbove, softmaxOf } from '../../engines/results/index.js';
import { floatOutput, method, optionalOutput } from './define.js';
import { bestPairs, checkClasses, dataOfPicture, makeList } from './detection.js';
import { answerOfSegments, answerWithoutSegments, mergeAboveThreshold, mergeByProduct } from './segment-maps.js';
import { maskOutput, plainResize, planesOf } from './semantic.js';
import { numbersAt } from '../tensors.js';
import { flag, ids, needed, sizes, threshold } from './options.js';
import { readNumbers } from '../settings.js';
import { checkNoPatches } from './settings.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { Method, OptionRow, OutputKind, ReadOptions, ReadOutputs, ReadTensor } from '../types.js' */
/** @import { Settings } from '../types.js' */

/** Picks the queries of picture `i` whose likeliest class has a probability above `scoreThreshold` and is not the last
 * class, "no object". `indices`: of these queries among all of the picture; `scored`: the probability and the class of
 * each.
 * @type {(logits: ReadTensor, i: number, scoreThreshold: number) =>
 *   { indices: Int32Array, scored: { scores: Float32Array, labels: Int32Array } }} */
function confidentQueries(logits, i, scoreThreshold) {
  const [, queries, classes] = logits.dims;
  const noObject = classes - 1;
  const probabilities = softmaxOf(dataOfPicture(logits, i), classes);
  const best = extremesOf(probabilities, { outer: queries, length: classes, inner: 1 });
  const [bestProbabilities, bestClasses] = [best.values, best.indices];
  const indices = indicesAbove(bestProbabilities, scoreThreshold).filter((query) => bestClasses[query] !== noObject);
  const scored = { scores: numbersAt(bestProbabilities, indices), labels: numbersAt(bestClasses, indices) };
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
  patch_offsets: optionalOutput(floatOutput('any', 'any')),
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
  const probabilities = cutRows(softmaxOf(dataOfPicture(logits, i), classes), classes, realClasses);
  return bestPairs(probabilities, realClasses, queries, { isSorted: false });
}

/** Resizes masks to the size that the model gives them before anything else, if it has one.
 * @type {(planes: Planes, model: QueryModel) => Planes} */
export const toFirstSize = (planes, { firstSize }) => (firstSize ? planes.resize(firstSize) : planes);

/** @type {{ label_ids_to_fuse?: OptionRow<Set<number>>, return_coco_annotation?: OptionRow<boolean> }} */
const fusing = { label_ids_to_fuse: ids };
/** @type {typeof fusing} */
const asRuns = { return_coco_annotation: flag(false) };

/** Declares DETR's segmentation: the masks of queries, merged to one map.
 * @type {(model: QueryModel, ownOption: typeof fusing | typeof asRuns) => Method} */
const mergedSegments = (model, ownOption) =>
  method({
    outputs: queryOutputs(model),
    options: { ...merging, ...ownOption },
    makeAnswer(outputs, options) {
      const { logits, masks } = queryTensors(outputs, model);
      const { resizeToTarget = plainResize } = model;
      return makeList(logits.dims[0], (i) => {
        const allPlanes = planesOf(masks, i);
        const size = options.target_sizes?.[i] ?? model.firstSize ?? [allPlanes.height, allPlanes.width];
        const { indices, scored } = confidentQueries(logits, i, options.threshold);
        if (indices.length === 0) return answerWithoutSegments(size);
        const probabilities = toFirstSize(allPlanes.gather(indices), model).sigmoid();
        const resized = options.target_sizes ? resizeToTarget(probabilities, size) : probabilities;
        const map = mergeByProduct(resized, scored, options, options.label_ids_to_fuse ?? new Set());
        return answerOfSegments(map, size, options.return_coco_annotation ?? false);
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
      return makeList(logits.dims[0], (i) => {
        const size = options.target_sizes[i];
        const { indices, scored } = confidentQueries(logits, i, options.threshold);
        if (indices.length === 0) return answerWithoutSegments(size);
        // torch resizes all planes as one picture, so those that stay are picked afterwards.
        const probabilities = resizeMasks(planesOf(masks, i), size, settings).gather(indices).sigmoid();
        return answerOfSegments(mergeAboveThreshold(probabilities, scored, options, fused), size, false);
      });
    },
  });

/** @type {OptionRow<string>} */
const taskType = row((_, value) => String(value), 'instance');

/** Reads the labels of things, which can be counted. @type {(settings: Settings) => number[]} */
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
      return makeList(logits.dims[0], (i) => {
        const pairs = likeliestPairs(logits, i);
        // As in Python, only the demo applies the threshold, and the panoptic task keeps things alone.
        const above = options.is_demo
          ? indicesAbove(pairs.scores, options.threshold)
          : Int32Array.from(pairs.scores.keys());
        const isPanoptic = options.task_type === 'panoptic';
        const chosen = isPanoptic ? above.filter((pair) => things.includes(pairs.labels[pair])) : above;
        const allPlanes = planesOf(masks, i);
        const size = options.target_sizes?.[i] ?? [allPlanes.height, allPlanes.width];
        if (chosen.length === 0) return answerWithoutSegments(size);
        const planes = allPlanes.gather(numbersAt(pairs.queries, chosen));
        const scored = { scores: numbersAt(pairs.scores, chosen), labels: numbersAt(pairs.labels, chosen) };
        const resized = options.target_sizes ? resizeToTarget(planes, size) : planes;
        return answerOfSegments(
          mergeByProduct(resized, scored, options, new Set()),
          size,
          options.return_coco_annotation,
        );
      });
    },
  });
