/** Boxes for words and for example pictures: grounded and image-guided detection. */
import { largest } from '../../arguments/index.js';
import {
  clipBoxes,
  indicesAbove,
  rowsOf,
  sigmoidOf,
  suppressBoxes,
  suppressScores,
} from '../../engines/results/index.js';
import { floats } from '../tensors.js';
import { method, wholeOutput } from './define.js';
import {
  bestPairs,
  boxOutput,
  corners,
  each,
  logits,
  owlViT,
  owlv2,
  picked,
  pickedAt,
  pictureOf,
  scorings,
} from './detection.js';
import { callback, count, labelLists, needed, sizes, threshold } from './options.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Method } from '../types.js' */

/** Declares OWL's detection by an example picture: boxes that overlap better ones get the score 0, and {@link spread}
 * spreads the scores of the others. A picture whose scores are all 0 has no entry in the answer. `isSquare`: as in
 * {@link corners}.
 * @type {(isSquare: boolean) => Method} */
const imageGuided = (isSquare) =>
  method({
    outputs: { logits, target_pred_boxes: boxOutput },
    options: { threshold: threshold(0), nms_threshold: threshold(0.3), target_sizes: sizes },
    makeAnswer(outputs, options) {
      return each(outputs.logits.dims[0], (i) => {
        const boxes = pictureOf(outputs.target_pred_boxes, i);
        const { scores } = scorings.greatest(outputs, i);
        // Suppression compares boxes that are not scaled to the picture. From 1 on, none overlap by more.
        const visible =
          options.nms_threshold < 1 ? suppressScores(corners(boxes, undefined), scores, options.nms_threshold) : scores;
        return spread(visible, corners(boxes, options.target_sizes?.[i], isSquare), Math.fround(options.threshold));
      }).filter((result) => result !== undefined);
    },
  });

/** Makes a picture's answer of scores that are spread over [0, 1]: (score - 0.1 * top) / (0.9 * top), where top is the
 * greatest score. transformers shows boxes with such alphas. Scores below `least` count as 0, and only boxes whose
 * result is above 0 are part of the answer, which is undefined if all scores are 0.
 * @type {(scores: Float32Array, boxes: Float32Array, least: number) => object | undefined} */
function spread(scores, boxes, least) {
  const { fround } = Math;
  if (!scores.some((score) => score !== 0)) return undefined;
  const visible = scores.map((score) => (score < least ? 0 : score));
  // As in Python, 1e-6 more, so that nothing is divided by 0.
  const maxScore = fround(largest(visible) + fround(1e-6));
  const [low, range] = [fround(maxScore * fround(0.1)), fround(maxScore * fround(0.9))];
  const alphas = visible.map((score) => Math.min(Math.max(fround(fround(score - low) / range), 0), 1));
  const at = indicesAbove(alphas, 0);
  return {
    scores: floats(rowsOf(alphas, 1, at), [at.length]),
    labels: null,
    boxes: floats(rowsOf(boxes, 4, at), [at.length, 4]),
  };
}

export const owlViTGuided = imageGuided(false);
export const owlv2Guided = imageGuided(true);

/** Lists the word of each label; null without `words`, whose indices are labels.
 * @type {(labels: Tensor, words: unknown[] | undefined) => unknown[] | null} */
const wordsOf = (labels, words) =>
  words ? Array.from(labels.data, (/** @type {number} */ label) => words[label]) : null;

/** Turns a method into one with the option `text_labels`, whose words for the labels it adds to each picture's answer.
 * @type {(base: Method) => Method} */
const withWords = (base) => ({
  ...base,
  options: { ...base.options, text_labels: labelLists },
  makeAnswer(outputs, options, settings) {
    const results = /** @type {{ labels: Tensor }[]} */ (base.makeAnswer(outputs, options, settings));
    const words = /** @type {unknown[][] | undefined} */ (options.text_labels);
    return results.map((result, i) => ({ ...result, text_labels: wordsOf(result.labels, words?.[i]) }));
  },
});

export const owlViTGrounded = withWords(owlViT);
export const owlv2Grounded = withWords(owlv2);

/** Grounding DINO: the classes of its logits are the tokens of the prompt (`input_ids`). The answer has the boxes whose
 * best token is above `threshold`, and for each the tokens above `text_threshold`, of which the caller's `decode` makes
 * words. The first class and the last, which begin and end a prompt, are left out. */
export const groundingDino = method({
  outputs: {
    logits,
    pred_boxes: boxOutput,
    input_ids: wholeOutput('batch', 'tokens'),
  },
  options: {
    threshold: threshold(0.25),
    text_threshold: threshold(0.25),
    target_sizes: sizes,
    decode: callback,
  },
  makeAnswer(outputs, options) {
    const [batch, , classes] = outputs.logits.dims;
    const tokens = outputs.input_ids.dims[1];
    return each(batch, (i) => {
      const best = scorings.greatest(outputs, i);
      const { scores, boxes } = picked(
        { ...best, boxes: corners(pictureOf(outputs.pred_boxes, i), options.target_sizes?.[i]) },
        options.threshold,
      );
      // The probabilities of all tokens, [n, classes], for the n boxes that `picked` picked by the same threshold.
      const tokensAbove = rowsOf(
        sigmoidOf(pictureOf(outputs.logits, i)),
        classes,
        indicesAbove(best.scores, options.threshold),
      );
      const ids = pictureOf(outputs.input_ids, i);
      // The first class is left out, hence token + 1. A class beyond the prompt's tokens counts as the last token.
      const labels = each(scores.dims[0], (row) => {
        const at = indicesAbove(
          tokensAbove.subarray(row * classes + 1, (row + 1) * classes - 1),
          options.text_threshold,
        );
        const tokenIds = Array.from(at, (token) => ids[Math.min(token + 1, tokens - 1)]);
        return options.decode ? options.decode(tokenIds) : tokenIds;
      });
      return { scores, boxes, text_labels: labels };
    });
  },
});

/** OmDet: the best pairs of a query and a class above the threshold, without those whose boxes overlap a better one of
 * the same class. */
export const omDet = method({
  outputs: {
    decoder_class_logits: logits,
    decoder_coord_logits: boxOutput,
    classes_structure: wholeOutput('batch'),
  },
  options: {
    threshold: threshold(0.3),
    nms_threshold: threshold(0.5),
    max_num_det: count(),
    target_sizes: needed(sizes),
    text_labels: labelLists,
  },
  makeAnswer(outputs, options) {
    const [batch, queries, classes] = outputs.decoder_class_logits.dims;
    return each(batch, (i) => {
      const scores = sigmoidOf(pictureOf(outputs.decoder_class_logits, i));
      const pairs = bestPairs(scores, classes, options.max_num_det ?? queries, false);
      const chosen = rowsOf(pictureOf(outputs.decoder_coord_logits, i), 4, pairs.queries);
      const [height, width] = options.target_sizes[i];
      const boxes = corners(chosen, options.target_sizes[i]);
      // The classes from this one on are padding of the batch.
      const known = outputs.classes_structure.data[i];
      const at = indicesAbove(pairs.scores, options.threshold).filter((index) => pairs.labels[index] < known);
      const detections = { scores: rowsOf(pairs.scores, 1, at), labels: rowsOf(pairs.labels, 1, at) };
      const survivors = suppressBoxes(
        rowsOf(boxes, 4, at),
        detections.scores,
        options.nms_threshold,
        detections.labels,
      );
      const result = pickedAt({ ...pairs, boxes: clipBoxes(boxes, width, height) }, rowsOf(at, 1, survivors));
      return { ...result, text_labels: wordsOf(result.labels, options.text_labels?.[i]) };
    });
  },
});
