/** Text in pictures: boxes of a detector's map, their order, and the characters of a recognizer. Its steps are
 * positions along a line of text, for each of which it gives the probability of each class: a character, or the blank
 * for none. */
import {
  count,
  flag,
  later,
  named,
  rangeError,
  readEntries,
  readTable,
  readText,
  row,
  showList,
} from '../arguments/index.js';
import { extremesOf, gatherRows, textOf } from '../engines/results/index.js';
import { numpyMean, torchMean } from './means.js';
import { maxDigits, roundByProduct, roundDecimals } from './round-decimals.js';
import { readRatio, readSize, threshold } from './settings.js';
import { floats, readFloats } from './tensors.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { CtcOptions, TextDetectionOptions } from './option-types.js' */

const detectionTable = {
  size: row(readSize, undefined),
  thresh: threshold(0.3),
  box_thresh: threshold(0.5),
  unclip_ratio: row(readRatio, 1.6),
  use_dilation: flag(true),
  max_candidates: count(1000, 0),
  min_size: threshold(3),
};

/**
 * Finds boxes of text in the map of a detector with differentiable binarization (DB), as RapidOCR does: contours, the
 * smallest rectangle of each, its mean, its growth.
 * @param {TensorLike} prob [height, width] or [1, 1, height, width], probabilities
 * @param {TextDetectionOptions} [options]
 * @returns {{ boxes: Tensor, scores: Tensor }} float32 [n, 4, 2]: x and y of the corners in the picture, clockwise from
 *   the top left; float32 [n]
 * @example
 * const prob = new Tensor('float32', new Float32Array(32 * 64), [32, 64]);
 * for (let y = 12; y < 20; y++) prob.data.fill(0.9, 64 * y + 8, 64 * y + 56);
 * textDetection(prob, { use_dilation: false }).boxes.dims; // [1, 4, 2]
 */
export function textDetection(prob, options) {
  return named('textDetection', () => {
    const { data, dims } = readFloats('prob', prob);
    const [height, width] = dims.slice(-2);
    // Of four dims, the batch and the channels have to be 1.
    const isMap = (dims.length === 2 || dims.length === 4) && data.length === height * width;
    if (!isMap || data.length === 0)
      rangeError(`prob must have dims [height, width] or [1, 1, height, width], got ${showList(dims)}`);
    const read = readTable(options, detectionTable);
    const { boxes, scores } = textOf(data, [height, width], {
      threshold: read.thresh,
      score: read.box_thresh,
      ratio: read.unclip_ratio,
      dilate: read.use_dilation,
      most: read.max_candidates,
      side: read.min_size,
      size: read.size ?? readSize('size', [height, width]),
      // RapidOCR grows boxes with round corners, and drops small ones.
      isRound: true,
    });
    return { boxes: floats(boxes, [scores.length, 4, 2]), scores: floats(scores, [scores.length]) };
  });
}

/** Numbers of a box: x and y of four corners. */
const cornerNumbers = 8;
/** A box this many pixels or more below its predecessor begins a new line. */
const lineHeight = 10;

/**
 * Boxes of text in the order of reading, as RapidOCR sorts them: lines from the top, each from the left.
 * @param {TensorLike} boxes float32 [n, 4, 2], as of {@link textDetection}
 * @returns {Tensor} float32 [n, 4, 2]
 * @example
 * const boxes = Tensor.from('float32', [9, 2, 12, 2, 12, 4, 9, 4, 0, 0, 5, 0, 5, 4, 0, 4], [2, 4, 2]);
 * sortTextBoxes(boxes).toArray().slice(0, 2); // [0, 0]
 */
export function sortTextBoxes(boxes) {
  return named('sortTextBoxes', () => {
    const { data, dims } = readFloats('boxes', boxes, ['n', 4, 2]);
    // The top left corner of each box, which is its first of four.
    const corners = Array.from({ length: dims[0] }, (_, index) => {
      const first = cornerNumbers * index;
      return { index, x: data[first], y: data[first + 1], line: 0 };
    });
    corners.sort((a, b) => a.y - b.y);
    corners.slice(1).forEach((corner, i) => {
      const above = corners[i];
      // In float32, as NumPy compares them.
      const isNewLine = Math.fround(corner.y - above.y) >= lineHeight;
      corner.line = isNewLine ? above.line + 1 : above.line;
    });
    corners.sort((a, b) => a.line - b.line || a.x - b.x);
    const order = Int32Array.from(corners, ({ index }) => index);
    return floats(gatherRows(data, cornerNumbers, order), dims);
  });
}

/** @typedef {{ char: string, start_offset: number, end_offset: number }} CharOffset */
/** @typedef {{ word: string, start_offset: number, end_offset: number }} WordOffset */

/** Reads a list of texts. @type {(name: string, value: unknown) => string[]} */
function readTexts(name, value) {
  const list = readEntries(name, value);
  list.forEach((entry, i) => readText(`${name}[${i}]`, entry));
  return list;
}

const ctcTable = {
  character_list: readTexts,
  blank: count(0, 0),
  word_delimiter_token: later,
  round: count(undefined, 0, maxDigits),
  output_char_offsets: flag(false),
  output_word_offsets: flag(false),
};

/**
 * The text of a recognizer's steps, by greedy CTC: repeats are one, blanks are none.
 * @param {TensorLike} probs [batch, steps, classes], probabilities or logits
 * @param {CtcOptions} options
 * @returns {{ text: string, score: number, char_offsets?: CharOffset[], word_offsets?: WordOffset[] }[]}
 * @example
 * const probs = Tensor.from('float32', [0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1], [1, 4, 3]);
 * ctcDecode(probs, { character_list: ['', 'a', 'b'] }); // [{ text: 'ab', score: 1 }]
 */
export function ctcDecode(probs, options) {
  return named('ctcDecode', () => {
    const { data, dims } = readFloats('probs', probs, ['batch', 'steps', 'classes']);
    const {
      character_list: characters,
      blank,
      word_delimiter_token: delimiter,
      ...forms
    } = readTable(options, ctcTable);
    const [batch, steps, classes] = dims;
    if (characters.length < classes)
      rangeError(`character_list must have ${classes} entries, got ${characters.length}`);
    if (classes === 0) rangeError(`probs must have classes, got dims ${showList(dims)}`);
    const { indices: bestClasses, values: probabilities } = extremesOf(data, {
      outer: batch * steps,
      length: classes,
      inner: 1,
    });
    return Array.from({ length: batch }, (_, i) => {
      const best = bestClasses.subarray(i * steps, (i + 1) * steps);
      const chars = charsOf(best, { characters, blank, delimiter });
      const text = chars.map(({ char }) => char).join('');
      const scores = chars.map(({ start_offset: step }) => probabilities[i * steps + step]);
      return {
        text: delimiter === undefined ? text : text.trim(),
        score: meanOf(scores, forms.round),
        ...(forms.output_char_offsets && { char_offsets: chars }),
        ...(forms.output_word_offsets && { word_offsets: wordsOf(chars) }),
      };
    });
  });
}

/** Lists the characters of a line of text, without blanks and repeats. `best`: the likeliest class of each step;
 * `delimiter`: the character that stands for a space, if any.
 * @type {(best: Int32Array, o: { characters: string[], blank: number, delimiter: unknown }) => CharOffset[]} */
function charsOf(best, { characters, blank, delimiter }) {
  // Steps with one class in turn are one run, which is one character or blank.
  const starts = [...best.keys()].filter((step) => step === 0 || best[step] !== best[step - 1]);
  const runs = starts.map((start, run) => ({ start, end: starts[run + 1] ?? best.length, label: best[start] }));
  return runs
    .filter(({ label }) => label !== blank)
    .map(({ start, end, label }) => {
      const char = characters[label] === delimiter ? ' ' : characters[label];
      return { char, start_offset: start, end_offset: end };
    });
}

/** Joins characters to words, which spaces separate. @type {(chars: CharOffset[]) => WordOffset[]} */
function wordsOf(chars) {
  /** @type {WordOffset[]} */
  const words = [];
  chars.forEach(({ char, start_offset, end_offset }, i) => {
    if (char === ' ') return;
    const last = words.at(-1);
    const beginsWord = last === undefined || chars[i - 1].char === ' ';
    if (beginsWord) words.push({ word: char, start_offset, end_offset });
    else words[words.length - 1] = { ...last, word: last.word + char, end_offset };
  });
  return words;
}

/** Computes the mean of float32 scores as transformers does: NaN of no scores. With `digits`, does so as RapidOCR: the
 * scores and their mean are rounded to as many decimals, and the mean of no scores is 0.
 * @type {(scores: number[], digits: number | undefined) => number} */
function meanOf(scores, digits) {
  if (digits === undefined) return torchMean(Float32Array.from(scores));
  if (scores.length === 0) return 0;
  return roundByProduct(numpyMean(scores.map((score) => roundDecimals(score, digits))), digits);
}
