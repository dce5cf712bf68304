/** Text, tables and times. A model of text gives probabilities of classes, which are characters or words, for each of
 * its steps, one after the other. */
import { isList, rangeError, row, show, typeError } from '../../arguments/index.js';
import { extremesOf, textOf } from '../../engines/results/index.js';
import { torchMean } from '../means.js';
import { roundDecimals } from '../round-decimals.js';
import { floatOutput, method } from './define.js';
import { dataOfPicture, makeList } from './detection.js';
import { readRatio } from '../settings.js';
import { count, list, needed, number, sizes, threshold } from './options.js';
import { floats, integers } from '../tensors.js';

/** @import { OptionRow, ReadTensor } from '../types.js' */

const steps = floatOutput('batch', 'steps', 'classes');

/** Finds the likeliest class of each step of picture `i`, and its probability.
 * @type {(tensor: ReadTensor, i: number) => { indices: Int32Array, values: Float32Array }} */
export function bestOfSteps(tensor, i) {
  const [, count, classes] = tensor.dims;
  return extremesOf(dataOfPicture(tensor, i), { outer: count, length: classes, inner: 1 });
}

/** Lists the steps that stand for a character, by greedy CTC: of steps of the same class in a row, the first one; none
 * of the blank, which is class 0. `classes`: the likeliest class of each step. */
export const keptSteps = (/** @type {Int32Array} */ classes) =>
  Array.from(classes.keys()).filter(
    (step) => classes[step] !== 0 && (step === 0 || classes[step] !== classes[step - 1]),
  );

/** The text of each picture by greedy CTC, and the mean probability of its characters: NaN if there are none. */
export const textRecognition = method({
  outputs: { last_hidden_state: steps },
  options: { character_list: list },
  makeAnswer({ last_hidden_state: tensor }, options, settings) {
    // The character of each class.
    const alphabet = options.character_list ?? settings.character_list;
    if (alphabet === undefined) typeError('character_list must be given');
    if (!isList(alphabet)) typeError(`character_list must be a list, got ${show(alphabet)}`);
    const characters = /** @type {unknown[]} */ (alphabet);
    const classes = tensor.dims[2];
    if (characters.length < classes)
      rangeError(`character_list must have ${classes} entries, got ${characters.length}`);
    return makeList(tensor.dims[0], (i) => {
      const { indices, values } = bestOfSteps(tensor, i);
      const characterSteps = keptSteps(indices);
      return {
        text: characterSteps.map((step) => characters[indices[step]]).join(''),
        score: torchMean(Float32Array.from(characterSteps, (step) => values[step])),
      };
    });
  },
});

/** The words of a table's structure: the first and the last stand for its start and its end. */
const tableWords = [
  'sos',
  '<thead>',
  '</thead>',
  '<tbody>',
  '</tbody>',
  '<tr>',
  '</tr>',
  '<td',
  '>',
  '</td>',
  ...['colspan', 'rowspan'].flatMap((name) => Array.from({ length: 19 }, (_, i) => ` ${name}="${i + 2}"`)),
  '<td></td>',
  'eos',
];

const [startWord, endWord] = [0, tableWords.length - 1];

/** A table's HTML words up to its end, and their mean probability, NaN of none. As in Python, of one picture alone. */
export const tableRecognition = method({
  outputs: { last_hidden_state: floatOutput('batch', 'steps', tableWords.length) },
  options: {},
  makeAnswer({ last_hidden_state: tensor }) {
    if (tensor.dims[0] === 0) rangeError('last_hidden_state must have a picture, got none');
    const { indices, values } = bestOfSteps(tensor, 0);
    // As in Python, an end at the first step does not count as the end; such a word is left out all the same.
    const endStep = indices.findIndex((word, step) => step > 0 && word === endWord);
    const stepCount = endStep < 0 ? indices.length : endStep;
    const isMarker = (/** @type {number} */ word) => word === startWord || word === endWord;
    const wordSteps = [...indices.keys()].filter((step) => step < stepCount && !isMarker(indices[step]));
    const words = wordSteps.map((step) => tableWords[indices[step]]);
    return {
      structure: ['<html>', '<body>', '<table>', ...words, '</table>', '</body>', '</html>'],
      structure_score: torchMean(Float32Array.from(wordSteps, (step) => values[step])),
    };
  },
});

/** The start and the end of the scene that a text describes, in seconds, rounded to a tenth. The model gives both from
 * 0 to 1 over the video. Only the first video is read, as in Python. */
export const videoGrounding = method({
  outputs: { logits: floatOutput('batch', 2) },
  options: { video_durations: needed(number()) },
  makeAnswer({ logits }, options) {
    if (logits.dims[0] === 0) rangeError('logits must have a video, got none');
    return [0, 1].map((i) => roundDecimals(logits.data[i] * options.video_durations, 1));
  },
});

/** By how much boxes of text grow. @type {OptionRow<number>} */
const unclipRatio = row(readRatio, 1.5);

/** The boxes of text in PP-OCR's map, which grow as in transformers, and their scores. Labels are zeros: all is text.
 */
export const textDetection = method({
  outputs: { last_hidden_state: floatOutput('batch', 1, 'height', 'width') },
  options: {
    threshold: threshold(0.3),
    target_sizes: needed(sizes),
    box_threshold: threshold(0.6),
    max_candidates: count(1000, 0),
    min_size: number(3),
    unclip_ratio: unclipRatio,
  },
  makeAnswer({ last_hidden_state: tensor }, options) {
    const [batch, , height, width] = tensor.dims;
    return makeList(batch, (i) => {
      const { boxes, scores } = textOf(dataOfPicture(tensor, i), [height, width], {
        threshold: options.threshold,
        dilate: false,
        most: options.max_candidates,
        score: options.box_threshold,
        ratio: options.unclip_ratio,
        side: options.min_size,
        size: options.target_sizes[i],
        // Boxes grow by transformers' rule, not by PaddleOCR's round corners.
        isRound: false,
      });
      const boxCount = scores.length;
      return {
        boxes: integers(Int32Array.from(boxes), [boxCount, 4, 2]),
        scores: floats(scores, [boxCount]),
        labels: integers(new Int32Array(boxCount), [boxCount]),
      };
    });
  },
});
