/** Masks as COCO writes them: run lengths along columns, zeros first, as numbers or as a compressed string. */
import {
  flag,
  isList,
  named,
  rangeError,
  readList,
  readTable,
  show,
  showClass,
  typeError,
} from '../arguments/index.js';
import { countRuns, fillRuns } from '../engines/results/index.js';
import { readSize } from './settings.js';
import { flags, readMasks } from './tensors.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { RleOptions } from './option-types.js' */

/**
 * A mask as run lengths.
 * @typedef {{ size: [height: number, width: number], counts: number[] | string }} RunLengths
 */

/**
 * Writes a mask as COCO's run lengths.
 * @param {TensorLike} mask [height, width]: bool, uint8, int32 or float32, of which all but 0 is set
 * @param {RleOptions} [options]
 * @returns {RunLengths}
 * @example
 * encodeRle(Tensor.from('bool', [0, 1, 1, 1], [2, 2])).counts; // [1, 3]
 */
export function encodeRle(mask, options) {
  return named('encodeRle', () => {
    const { data, dims } = readMasks('mask', mask, ['height', 'width']);
    const { compress } = readTable(options, { compress: flag(false) });
    const counts = [...countRuns(data, dims[0], dims[1])];
    return { size: [dims[0], dims[1]], counts: compress ? writeCounts(counts) : counts };
  });
}

/**
 * Reads a mask from COCO's run lengths.
 * @param {RunLengths} rle `counts` as numbers or as COCO's string
 * @returns {Tensor} bool [height, width]
 * @example
 * decodeRle({ size: [2, 2], counts: [1, 3] }).toArray(); // [0, 1, 1, 1]
 */
export function decodeRle(rle) {
  return named('decodeRle', () => {
    if (typeof rle !== 'object' || rle === null) typeError(`rle must be an object, got ${show(rle)}`);
    const [height, width] = readSize('size', rle.size);
    const counts = typeof rle.counts === 'string' ? parseCounts(rle.counts) : readCounts(rle.counts);
    const sum = counts.reduce((all, count) => all + count, 0);
    if (!(counts.every((count) => count >= 0) && sum === height * width))
      rangeError(`counts must sum to ${height * width}, got ${sum}`);
    return flags(fillRuns(Uint32Array.from(counts), height, width), [height, width]);
  });
}

/** Reads an array or typed array of run lengths, whose entries `Number` converts.
 * @type {(counts: unknown) => number[]} */
function readCounts(counts) {
  if (!isList(counts)) typeError(`counts must be an array or a string, got ${showClass(counts)}`);
  return readList('counts', counts).map(Number);
}

/** The code of the character that stands for 0. */
const firstCharacter = 48;
/** A character of COCO's string has five bits of a number, of which the highest is the sign in the last character, and
 * a bit that says that more characters follow. */
const [digitBits, digitMask, signBit, moreBit] = [5, 31, 16, 32];

/** Writes run lengths as COCO's compressed string. From the fourth count on, the number that is written is the count
 * less the count two places before, which is often small.
 * @type {(counts: readonly number[]) => string} */
function writeCounts(counts) {
  const numbers = counts.map((count, i) => (i > 2 ? count - counts[i - 2] : count));
  return numbers.map(writeNumber).join('');
}

/** Writes an int32 as characters of five bits each, the lowest bits first. @type {(number: number) => string} */
function writeNumber(number) {
  let text = '';
  let rest = number;
  let hasMore = true;
  while (hasMore) {
    const digit = rest & digitMask;
    rest >>= digitBits;
    // The number ends where the sign bit of its last character tells the bits that are left: only 0, or only 1.
    const impliedRest = digit & signBit ? -1 : 0;
    hasMore = rest !== impliedRest;
    const code = hasMore ? digit | moreBit : digit;
    text += String.fromCharCode(firstCharacter + code);
  }
  return text;
}

/** Parses COCO's string to run lengths: the inverse of {@link writeCounts}. @type {(text: string) => number[]} */
function parseCounts(text) {
  /** @type {number[]} */
  const counts = [];
  let at = 0;
  while (at < text.length) {
    const { number, end } = parseNumber(text, at);
    const isDifference = counts.length > 2; // from the count two places before
    counts.push(isDifference ? number + counts[counts.length - 2] : number);
    at = end;
  }
  return counts;
}

/** The shift of the seventh character, which has the last of 32 bits. */
const maxShift = 30;

/** Parses the number that begins at a character: the inverse of {@link writeNumber}. `end`: behind its last character.
 * @type {(text: string, start: number) => { number: number, end: number }} */
function parseNumber(text, start) {
  let number = 0;
  let end = start;
  for (let hasMore = true, shift = 0; hasMore; shift += digitBits) {
    const code = text.charCodeAt(end) - firstCharacter;
    end++;
    const isCode = code >= 0 && code < 2 * moreBit;
    if (!isCode || shift > maxShift) rangeError(`counts must be COCO's string, got ${show(text)}`);
    number |= (code & digitMask) << shift;
    hasMore = (code & moreBit) !== 0;
    // A negative number gets ones above its bits. Behind the seventh character, no bits of the 32 are left.
    const isNegative = !hasMore && (code & signBit) !== 0;
    if (isNegative && shift < maxShift) number |= -1 << (shift + digitBits);
  }
  return { number, end };
}
