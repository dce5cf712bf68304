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

/** Writes run lengths as COCO's compressed string. From the fourth count on, the number that is written is the count
 * less the count two places before, which is often small. A number is written from its low end, five bits a character.
 * A character is {@link firstCharacter} plus these bits, plus 32 if more follow; the highest bit of the last five (16)
 * is the sign.
 * @type {(counts: readonly number[]) => string} */
function writeCounts(counts) {
  let text = '';
  counts.forEach((count, i) => {
    let left = i > 2 ? count - counts[i - 2] : count;
    for (let goesOn = true; goesOn;) {
      const digit = left & 31;
      left >>= 5;
      // Nothing but the sign is left: 0, or -1 of a negative number.
      goesOn = digit & 16 ? left !== -1 : left !== 0;
      text += String.fromCharCode(firstCharacter + (goesOn ? digit | 32 : digit));
    }
  });
  return text;
}

/** Parses COCO's string to run lengths: the inverse of {@link writeCounts}.
 * @type {(text: string) => number[]} */
function parseCounts(text) {
  /** @type {number[]} */
  const counts = [];
  for (let at = 0; at < text.length;) {
    let count = 0;
    let goesOn = true;
    for (let shift = 0; goesOn; shift += 5, at++) {
      const digit = text.charCodeAt(at) - firstCharacter;
      // The seventh character has the last of 32 bits.
      if (!(digit >= 0 && digit < 64) || shift > 30) rangeError(`counts must be COCO's string, got ${show(text)}`);
      count |= (digit & 31) << shift;
      goesOn = (digit & 32) !== 0;
      // A negative number gets ones above its bits. Behind the seventh character, no bits of the 32 are left.
      if (!goesOn && digit & 16 && shift < 27) count |= -1 << (shift + 5);
    }
    counts.push(counts.length > 2 ? count + counts[counts.length - 2] : count);
  }
  return counts;
}
