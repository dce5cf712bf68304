/** A label for each pixel: `post_process_semantic_segmentation`. A plane is [height, width] numbers, such as the logits
 * of one class or the mask of one query; `Planes` computes no number before a result is asked for. */
import { nearestColors, Planes, resizedAxes, resizedLabels, softmaxOf } from '../../engines/results/index.js';
import { dtypes } from '../../tensor/index.js';
import { floats, integers, PendingMap } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { checkClasses, dataOfPicture, makeList } from './detection.js';
import { count, flag, needed, sizes, threshold } from './options.js';
import { mergePatches, patchOffsets } from './patches.js';
import { evenSize, readColorSettings } from './settings.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { PatchOffsets } from './patches.js' */
/** @import { Method, ReadTensor, Settings } from '../types.js' */

export const maskOutput = floatOutput('batch', 'queries', 'height', 'width');

const commonOptions = { target_sizes: sizes, return_segmentation_scores: flag(false) };

/** Makes the planes of picture `i` of a tensor [batch, planes, height, width].
 * @type {(tensor: ReadTensor, i: number) => Planes} */
export function planesOf(tensor, i) {
  const [, planes, height, width] = tensor.dims;
  return new Planes(dataOfPicture(tensor, i), { planes, channels: planes, height, width });
}

/** Cuts planes to their first rows and columns, `size` of them, or all if there are fewer, as a slice in Python does.
 * @type {(planes: Planes, size: readonly number[]) => Planes} */
export const sliceOf = (planes, [height, width]) =>
  planes.crop(0, 0, Math.min(height, planes.height), Math.min(width, planes.width));

/** Makes a pending map of int32 labels, [height, width], that `make` computes.
 * @type {(dims: readonly number[], make: (to?: Int32Array) => Int32Array) => PendingMap} */
export const labelMap = (dims, make) => new PendingMap(dtypes.int32, dims, make);

/** Makes the answer of a picture of one plane for each class: the map of the class with the greatest number at each
 * pixel or, `withScores`, an object of this map and of all numbers, [classes, height, width].
 * @type {(planes: Planes, withScores: boolean) => PendingMap | Record<string, Tensor>} */
function answerOfClasses(planes, withScores) {
  const dims = [planes.height, planes.width];
  // A map alone is computed later, over the caller's `out` if that is given: `to` is its memory.
  if (!withScores) return labelMap(dims, (to) => planes.labels(withScores, to).labels);
  // With scores, `out` is not supported, so both are computed now, in one pass.
  const { labels, scores } = planes.labels(withScores);
  return {
    segmentation: integers(labels, dims),
    segmentation_scores: floats(/** @type {Float32Array} */ (scores), [planes.planes, ...dims]),
  };
}

/** The class with the greatest logit at each pixel, of logits that are resized to the target. */
export const semantic = method({
  outputs: { logits: floatOutput('batch', 'classes', 'height', 'width') },
  options: commonOptions,
  makeAnswer: ({ logits }, options) =>
    makeList(logits.dims[0], (i) => {
      const planes = planesOf(logits, i);
      const size = options.target_sizes?.[i];
      if (!size || options.return_segmentation_scores)
        return answerOfClasses(size ? planes.resize(size) : planes, options.return_segmentation_scores);
      // Resizes and compares at once, without an array of resized logits.
      return labelMap(size, (to) => resizedLabels(planes.source, planes.sourceExtents, size, to));
    }),
});

/** @typedef {(planes: Planes, size: readonly number[]) => Planes} Resize */

/** Resizes planes by bilinear interpolation, which is never antialiased. @type {Resize} */
export const plainResize = (planes, size) => planes.resize(size);

/** The rules of torchvision's antialiased resizing. @type {import('../../engines/results/index.js').ResizeRules} */
const antialiasedRules = {
  mode: 'linear',
  coordinate: 'half_pixel',
  nearest: 'floor',
  antialias: true,
  excludesOutside: true,
  cubic: -0.75,
  extrapolation: 0,
};

/** Makes the step that resizes one axis of planes, all of it (0 to 1), from `length` to `count` elements.
 * @type {(axis: number, length: number, count: number) => import('../../engines/results/index.js').ResizeStep} */
const resizeStep = (axis, length, count) => ({
  axis,
  count,
  scale: Math.fround(count / length),
  start: 0,
  end: 1,
});

/** Resizes planes as torchvision does float tensors: antialiased along an axis that shrinks. @type {Resize} */
export function smoothResize(planes, [height, width]) {
  const shrinks = height < planes.height || width < planes.width;
  if (!shrinks) return planes.resize([height, width]);
  const [rowAxis, columnAxis] = [1, 2];
  // Columns come first, as in torch.
  const steps = [resizeStep(columnAxis, planes.width, width), resizeStep(rowAxis, planes.height, height)];
  const dims = [planes.planes, planes.height, planes.width];
  const data = resizedAxes(planes.numbers(), dims, steps, antialiasedRules);
  return new Planes(data, { planes: planes.planes, channels: planes.planes, height, width });
}

/**
 * A model whose queries each have a mask and logits of classes.
 * @typedef {object} SemanticModel
 * @property {string} logits the name of the output [batch, queries, classes]
 * @property {string} masks the name of the output [batch, queries, height, width]
 * @property {boolean} [keepsLast] whether the last class counts, and is not "no object"
 * @property {(planes: Planes, settings: Settings) => Planes} [resizeFirst] resizes the masks before anything else
 * @property {Resize} [resizeToTarget] resizes the sums of the classes; {@link plainResize} if omitted
 */

/** Declares semantic segmentation: the label of a pixel is the class with the greatest sum, over the queries, of the
 * class's probability times the mask's.
 * @type {(model: SemanticModel) => Method} */
export const querySemantic = ({ logits, masks, keepsLast, resizeFirst, resizeToTarget = plainResize }) =>
  method({
    outputs: {
      [logits]: floatOutput('batch', 'queries', 'classes'),
      [masks]: maskOutput,
      patch_offsets: patchOffsets,
    },
    options: commonOptions,
    makeAnswer(outputs, options, settings) {
      const classLogits = /** @type {ReadTensor} */ (outputs[logits]);
      const maskLogits = /** @type {ReadTensor} */ (outputs[masks]);
      const offsets = /** @type {PatchOffsets[] | undefined} */ (outputs.patch_offsets);
      checkClasses(classLogits.dims);
      const [batch, , classes] = classLogits.dims;
      const usedClasses = keepsLast ? classes : classes - 1;
      const sums = makeList(batch, (i) => {
        const classWeights = softmaxOf(dataOfPicture(classLogits, i), classes);
        const planes = planesOf(maskLogits, i);
        const resized = resizeFirst ? resizeFirst(planes, settings) : planes;
        // A plane for each class: the sum of the queries' masks, each times the query's probability of the class.
        return resized.sigmoid().mix(classWeights, classes, usedClasses);
      });
      const pictures = offsets ? mergePatches(sums, offsets, options.target_sizes, settings) : sums;
      return pictures.map((planes, i) => {
        const size = options.target_sizes?.[i];
        return answerOfClasses(size ? resizeToTarget(planes, size) : planes, options.return_segmentation_scores);
      });
    },
  });

/** Resizes EoMT's masks to the size of the model's input, which is that of the patches before they are joined. */
export const toModelSize = (/** @type {Planes} */ planes, /** @type {Settings} */ settings) =>
  planes.resize(evenSize(settings));

/** SAM 3: a map that is 1 where the probability of the one class, resized to the target, is above the threshold. */
export const sam3Semantic = method({
  outputs: { semantic_seg: floatOutput('batch', 1, 'height', 'width') },
  options: { ...commonOptions, threshold: threshold(0.5) },
  makeAnswer: ({ semantic_seg: tensor }, options) =>
    makeList(tensor.dims[0], (i) => {
      const planes = planesOf(tensor, i).sigmoid();
      const size = options.target_sizes?.[i];
      const resized = size ? planes.resize(size) : planes;
      const dims = [resized.height, resized.width];
      if (!options.return_segmentation_scores)
        return labelMap(dims, (to) => resized.above(options.threshold, Int32Array, to));
      const segmentation = integers(resized.above(options.threshold, Int32Array), dims);
      return { segmentation, segmentation_scores: floats(resized.numbers(), [1, ...dims]) };
    }),
});

/** Makes the palette of transformers' `build_palette` for SegGPT, [labels + 1, 3]: black for label 0, then the color of
 * each label. Its red, green and blue are the three digits of the label less 1, each of which makes the channel darker
 * by as many equal steps down from white.
 * @type {(labels: number) => Float32Array} */
function palette(labels) {
  // Three digits of this base tell all labels apart.
  const base = Math.floor(labels ** (1 / 3)) + 1;
  const step = Math.floor(256 / base);
  const colors = makeList(labels, (i) => {
    const digits = [Math.floor(i / base ** 2), Math.floor(i / base) % base, i % base];
    return digits.map((digit) => 255 - digit * step);
  });
  return Float32Array.from([0, 0, 0, ...colors.flat()]);
}

/** SegGPT: the model paints a picture, whose upper half belongs to the example and is dropped. Each pixel of the
 * lower half, denormalized, has the label of the nearest color of the palette; without `num_labels` the mean of its
 * channels. */
export const segGpt = method({
  outputs: { pred_masks: floatOutput('batch', 3, 'height', 'width') },
  options: { target_sizes: sizes, num_labels: count() },
  makeAnswer({ pred_masks: masks }, options, settings) {
    const colors = options.num_labels === undefined ? new Float32Array(0) : palette(options.num_labels);
    const numbers = readColorSettings(settings);
    return makeList(masks.dims[0], (i) => {
      const planes = planesOf(masks, i);
      const top = Math.floor(planes.height / 2);
      const lowerHalf = planes.crop(top, 0, planes.height - top, planes.width);
      const resized = options.target_sizes ? lowerHalf.resize(options.target_sizes[i], 'nearest') : lowerHalf;
      return labelMap([resized.height, resized.width], (to) => nearestColors(resized.numbers(), numbers, colors, to));
    });
  },
});

/** Turns a method into one for the frames of a video or for EoMT, which must be called with `target_sizes`. */
export const videoSemantic = (/** @type {Method} */ base) => ({
  ...base,
  options: { ...base.options, target_sizes: needed(sizes) },
});
