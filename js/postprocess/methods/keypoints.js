/** Keypoints of a picture, and matches between those of two pictures. */
import { gatherRows, indicesAbove, scalePoints } from '../../engines/results/index.js';
import { floatRowsAt, floats, floatsAt, integers, numbersAt } from '../tensors.js';
import { floatOutput, method, wholeOutput } from './define.js';
import { dataOfPicture, makeList } from './detection.js';
import { needed, sizePairs, sizes, threshold } from './options.js';

/** @import { ReadTensor } from '../types.js' */

/** Lists the indices of the points that a mask of SuperGlue or LightGlue marks: those with a number above 0.
 * @type {(mask: Int32Array) => Int32Array} */
const positivePoints = (mask) => Int32Array.from(mask.keys()).filter((point) => mask[point] > 0);

/** Lists the indices of the points that a mask of SuperPoint marks: those whose number is not 0.
 * @type {(mask: Int32Array) => Int32Array} */
const nonzeroPoints = (mask) => Int32Array.from(mask.keys()).filter((point) => mask[point] !== 0);

/** SuperPoint: the keypoints that the mask marks, in pixels, with their scores and descriptors. */
export const keypointDetection = method({
  outputs: {
    mask: wholeOutput('batch', 'points'),
    keypoints: floatOutput('batch', 'points', 2),
    scores: floatOutput('batch', 'points'),
    descriptors: floatOutput('batch', 'points', 'width'),
  },
  options: { target_sizes: needed(sizes) },
  makeAnswer: (outputs, options) =>
    makeList(outputs.mask.dims[0], (i) => {
      const points = nonzeroPoints(dataOfPicture(outputs.mask, i));
      const places = scalePoints(dataOfPicture(outputs.keypoints, i), options.target_sizes[i]);
      const width = outputs.descriptors.dims[2];
      return {
        keypoints: integers(gatherRows(places, 2, points), [points.length, 2]),
        scores: floatsAt(dataOfPicture(outputs.scores, i), points),
        descriptors: floatRowsAt(dataOfPicture(outputs.descriptors, i), width, points),
      };
    }),
});

const matchOutputs = {
  keypoints: floatOutput('batch', 2, 'points', 2),
  matches: wholeOutput('batch', 2, 'points'),
  matching_scores: floatOutput('batch', 2, 'points'),
};

/** Returns the numbers of a picture, 0 or 1, of a pair, an entry of a tensor [batch, 2, ...], without copying them.
 * @template {Float32Array | Int32Array} Data
 * @param {ReadTensor<Data>} tensor
 * @param {number} pair
 * @param {number} picture */
function dataInPair(tensor, pair, picture) {
  const both = dataOfPicture(tensor, pair);
  const length = both.length / 2;
  return /** @type {Data} */ (both.subarray(picture * length, (picture + 1) * length));
}

/** Makes the answer of a pair of pictures. `first` and `second`: x and y, in turn, of their matched points.
 * @type {(first: Int32Array, second: Int32Array, scores: Float32Array) => object} */
const answerOfPair = (first, second, scores) => ({
  keypoints0: integers(first, [first.length / 2, 2]),
  keypoints1: integers(second, [second.length / 2, 2]),
  matching_scores: floats(scores, [scores.length]),
});

/** Matches of SuperGlue and LightGlue. `matches` has, for each point of the first picture, the index of its partner in
 * the second one, or -1. Only the points that `mask` marks are points; the indices count these alone. */
export const matching = method({
  outputs: { ...matchOutputs, mask: wholeOutput('batch', 2, 'points') },
  options: { target_sizes: sizePairs, threshold: threshold(0) },
  makeAnswer: (outputs, options) =>
    makeList(outputs.mask.dims[0], (pair) => {
      const [first, second] = [0, 1].map((picture) => {
        const marked = positivePoints(dataInPair(outputs.mask, pair, picture));
        const places = scalePoints(dataInPair(outputs.keypoints, pair, picture), options.target_sizes[pair][picture]);
        return { marked, places: gatherRows(places, 2, marked) };
      });
      // From here on, indices of points count the marked ones alone.
      const partners = numbersAt(dataInPair(outputs.matches, pair, 0), first.marked);
      const scores = numbersAt(dataInPair(outputs.matching_scores, pair, 0), first.marked);
      // Partners beyond the marked points of the second picture are none.
      const partnerCount = second.marked.length;
      const hasPartner = (/** @type {number} */ point) => partners[point] > -1 && partners[point] < partnerCount;
      const matched = indicesAbove(scores, options.threshold).filter(hasPartner);
      const matchedPartners = numbersAt(partners, matched);
      return answerOfPair(
        gatherRows(first.places, 2, matched),
        gatherRows(second.places, 2, matchedPartners),
        numbersAt(scores, matched),
      );
    }),
});

/** Matches of EfficientLoFTR: `matches` is above -1 for each matched point of either picture. The first such point of
 * one picture belongs to the first one of the other, and so on. */
export const denseMatching = method({
  outputs: matchOutputs,
  options: { target_sizes: sizePairs, threshold: threshold(0) },
  makeAnswer: (outputs, options) =>
    makeList(outputs.matches.dims[0], (pair) => {
      const [first, second] = [0, 1].map((picture) => {
        const matches = dataInPair(outputs.matches, pair, picture);
        const scores = dataInPair(outputs.matching_scores, pair, picture);
        const matched = indicesAbove(scores, options.threshold).filter((point) => matches[point] > -1);
        const places = scalePoints(dataInPair(outputs.keypoints, pair, picture), options.target_sizes[pair][picture]);
        return { places: gatherRows(places, 2, matched), scores: numbersAt(scores, matched) };
      });
      return answerOfPair(first.places, second.places, first.scores);
    }),
});
