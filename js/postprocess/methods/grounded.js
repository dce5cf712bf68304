/** Boxes for words and for example pictures: grounded and image-guided detection. */
import { largest } from '../../arguments/index.js';
import {
  clipBoxes,
  gatherRows,
  indicesAbove,
  sigmoidOf,
  suppressBoxes,
  suppressScores,
} from '../../engines/results/index.js';
import { floatRowsAt, floatsAt, numbersAt } from '../tensors.js';
import { method, wholeOutput } from './define.js';
import {
  answerOf,
  bestPairs,
  boxOutput,
  dataOfPicture,
  logits,
  makeList,
  owlv2,
  owlViT,
  scorings,
  toCorners,
} from './detection.js';
import { callback, count, labelLists, needed, sizes, threshold } from './options.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Method } from '../types.js' */

/** Declares OWL's detection of the things that look like an example picture: boxes with scores that {@link
 * answerOfAlphas} made of the model's, without those that overlap better ones. A picture whose scores are all 0 has no
 * entry in the answer. `isSquare`: whether pictures were padded to squares, over which boxes go from 0 to 1.
 * @type {(rules: { isSquare: boolean }) => Method} */
const imageGuided = ({ isSquare }) =>
  method({
    outputs: { logits, target_pred_boxes: boxOutput },
    options: { threshold: threshold(0), nms_threshold: threshold(0.3), target_sizes: sizes },
    makeAnswer(outputs, options) {
      const [batch] = outputs.logits.dims;
      const answers = makeList(batch, (i) => {
        const { scores } = scorings.greatest(outputs.logits, i);
        const boxes = dataOfPicture(outputs.target_pred_boxes, i);
        // Suppression compares boxes that are not scaled to the picture. From 1 on, none overlap by more.
        const suppresses = options.nms_threshold < 1;
        const visibleScores = suppresses
          ? suppressScores(toCorners(boxes, undefined), scores, options.nms_threshold)
          : scores;
        const corners = toCorners(boxes, options.target_sizes?.[i], { isSquare });
        return answerOfAlphas(visibleScores, corners, Math.fround(options.threshold));
      });
      return answers.filter((answer) => answer !== undefined);
    },
  });

/** Makes a picture's answer of scores that are spread over [0, 1]: (score - 0.1 * top) / (0.9 * top), where top is the
 * greatest score. transformers shows boxes with such alphas. Scores below `minScore` count as 0, and only boxes whose
 * result is above 0 are part of the answer, which is undefined if all scores are 0.
 * @type {(scores: Float32Array, boxes: Float32Array, minScore: number) => object | undefined} */
function answerOfAlphas(scores, boxes, minScore) {
  const { fround } = Math;
  if (scores.every((score) => score === 0)) return undefined;
  const highScores = scores.map((score) => (score < minScore ? 0 : score));
  // As in Python, 1e-6 more, so that nothing is divided by 0.
  const top = fround(largest(highScores) + fround(1e-6));
  const zeroScore = fround(top * fround(0.1)); // the score whose alpha is 0
  const range = fround(top * fround(0.9));
  const alphas = highScores.map((score) => {
    const alpha = fround(fround(score - zeroScore) / range);
    return Math.min(Math.max(alpha, 0), 1);
  });
  const indices = indicesAbove(alphas, 0);
  return {
    scores: floatsAt(alphas, indices),
    labels: null,
    boxes: floatRowsAt(boxes, 4, indices),
  };
}

export const owlViTGuided = imageGuided({ isSquare: false });
export const owlv2Guided = imageGuided({ isSquare: true });

/** Lists the word of each label, an index of `words`; null without `words`.
 * @type {(labels: Tensor, words: unknown[] | undefined) => unknown[] | null} */
const wordsOf = (labels, words) =>
  words ? Array.from(labels.data, (/** @type {number} */ label) => words[label]) : null;

/** Gives a method the option `text_labels`, the words of each picture, and adds the word of each label to its answers.
 * @type {(base: Method) => Method} */
const withWords = (base) => ({
  ...base,
  options: { ...base.options, text_labels: labelLists },
  makeAnswer(outputs, options, settings) {
    const answers = /** @type {{ labels: Tensor }[]} */ (base.makeAnswer(outputs, options, settings));
    const words = /** @type {unknown[][] | undefined} */ (options.text_labels);
    return answers.map((answer, i) => ({ ...answer, text_labels: wordsOf(answer.labels, words?.[i]) }));
  },
});

export const owlViTGrounded = withWords(owlViT);
export const owlv2Grounded = withWords(owlv2);

/** Lists the ids of the prompt's tokens whose probability is above `tokenThreshold`. The first class and the last,
 * which begin and end a prompt, are left out.
 * @type {(probabilities: Float32Array, ids: Int32Array, tokenThreshold: number) => number[]} */
function likelyTokens(probabilities, ids, tokenThreshold) {
  const inner = indicesAbove(probabilities.subarray(1, -1), tokenThreshold);
  const lastToken = ids.length - 1;
  // The first class is left out, hence index + 1. A class beyond the prompt's tokens counts as the last token.
  return Array.from(inner, (index) => ids[Math.min(index + 1, lastToken)]);
}

/** Grounding DINO: the classes of its logits are the tokens of the prompt (`input_ids`). The answer has the boxes whose
 * best token is above `threshold`, and for each the tokens above `text_threshold`, of which the caller's `decode` makes
 * words. */
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
    return makeList(batch, (i) => {
      const best = scorings.greatest(outputs.logits, i);
      const queries = indicesAbove(best.scores, options.threshold);
      const corners = toCorners(dataOfPicture(outputs.pred_boxes, i), options.target_sizes?.[i]);
      const { scores, boxes } = answerOf({ ...best, boxes: corners }, queries);
      const probabilities = gatherRows(sigmoidOf(dataOfPicture(outputs.logits, i)), classes, queries);
      const ids = dataOfPicture(outputs.input_ids, i);
      const words = makeList(queries.length, (row) => {
        const ofClasses = probabilities.subarray(row * classes, (row + 1) * classes);
        const tokenIds = likelyTokens(ofClasses, ids, options.text_threshold);
        return options.decode ? options.decode(tokenIds) : tokenIds;
      });
      return { scores, boxes, text_labels: words };
    });
  },
});

/** OmDet: the best pairs of a query and a class, without those whose boxes overlap a better one of the same class. */
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
    return makeList(batch, (i) => {
      const scores = sigmoidOf(dataOfPicture(outputs.decoder_class_logits, i));
      const pairs = bestPairs(scores, classes, options.max_num_det ?? queries, { isSorted: false });
      const size = options.target_sizes[i];
      const [height, width] = size;
      const boxes = toCorners(gatherRows(dataOfPicture(outputs.decoder_coord_logits, i), 4, pairs.queries), size);
      // The classes from this one on are padding of the batch.
      const firstPadding = outputs.classes_structure.data[i];
      const candidates = indicesAbove(pairs.scores, options.threshold).filter(
        (pair) => pairs.labels[pair] < firstPadding,
      );
      const survivors = suppressBoxes(
        gatherRows(boxes, 4, candidates),
        numbersAt(pairs.scores, candidates),
        options.nms_threshold,
        numbersAt(pairs.labels, candidates),
      );
      const detections = { ...pairs, boxes: clipBoxes(boxes, width, height) };
      const answer = answerOf(detections, numbersAt(candidates, survivors));
      return { ...answer, text_labels: wordsOf(answer.labels, options.text_labels?.[i]) };
    });
  },
});
