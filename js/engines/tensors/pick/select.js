/** ONNX's Where: for each element of a mask one of two elements. Mask and inputs are broadcast by strides: where a
 * stride is 0, an element is read again. */
import * as cpp from '../../../../dist/bridge/tensors.js';
import { bytesBetween, bytesOf } from '../../../arguments/index.js';
import { dtypes, newData } from '../../../tensor/index.js';
import { checkMemory } from '../../memory/index.js';
import { callBlock, destinationByte, layout, scratch, scratchByte } from '../module.js';
import { stridesOf } from '../moves/plan.js';
import { wordBytesOf, wordsOf } from '../moves/words.js';
import { codeRules, convertBytes } from '../numbers/convert.js';
import { checkRows } from './rows.js';

/** @import { Selection } from '../types.js' */
/** @import { TensorData } from '../../../tensor/types.js' */

/** A number for each of the three inputs: a place or a step, in elements.
 * @typedef {[mask: number, first: number, second: number]} Three */

/** An axis of the result, and how far it steps in each of the inputs.
 * @typedef {{ extent: number, step: Three }} ThreeAxis */

/** Writes the elements of `first` where the mask is not 0, and those of `second` elsewhere. The result has at least one
 * element. Bits after a packed result's last element become zero. `bits`: of an element; 0: strings.
 * @type {(bits: number, selection: Selection, mask: Uint8Array, first: TensorData, second: TensorData,
 *   result: TensorData) => void} */
export function select(bits, selection, mask, first, second, result) {
  checkReach(bits, selection, mask, first, second, result);
  if (bits === 2 || bits === 4 || bits === 6) return selectPacked(bits, selection, mask, first, second, result);
  const axes = fusedAxes(selection);
  if (bits === 0) return forEachRow(axes, stringSelector(mask, first, second, result));
  const [a, b, to] = [first, second, result].map(bytesOf);
  const elementBytes = bits / 8;
  // The last axis is a row. No axis is left of a single element.
  const count = axes.at(-1)?.extent ?? 1;
  if (count >= longRow) return forEachRow(axes, longRowSelector(elementBytes, [mask, a, b], to));
  const wordBytes = wordBytesOf(elementBytes, [first, second, result]);
  const wordsPerElement = elementBytes / wordBytes;
  const words = [first, second, result].map((data) => wordsOf(wordBytes, data));
  const selectRow = wordsPerElement === 1 ? wordSelector(mask, words) : wordsSelector(wordsPerElement, mask, words);
  return forEachRow(axes, selectRow);
}

/** Refuses a mask, an input or a result that is shorter than its strides reach.
 * @type {(bits: number, selection: Selection, mask: Uint8Array, first: TensorData, second: TensorData,
 *   result: TensorData) => void} */
function checkReach(bits, { extents, strides }, mask, first, second, result) {
  checkMemory('read', mask, countOf(extents, strides[0]));
  checkRows(bits, countOf(extents, strides[1]), 'read', first);
  checkRows(bits, countOf(extents, strides[2]), 'read', second);
  checkRows(bits, countOf(extents, stridesOf(extents)), 'written', result);
}

/** Counts the elements of a memory up to the last one that the steps reach.
 * @type {(extents: readonly number[], steps: readonly number[]) => number} */
function countOf(extents, steps) {
  let last = 0;
  for (let axis = 0; axis < extents.length; axis++) last += (extents[axis] - 1) * steps[axis];
  return last + 1;
}

/** Selects a row of `count` elements: from the places `from` of the inputs on, by their steps, to place `at` of the
 * result and the next ones.
 * @typedef {(count: number, from: Three, step: Three, at: number) => void} SelectRow */

/** The axis of a row in a result of a single element, which has no axes.
 * @type {ThreeAxis} */
const oneElement = { extent: 1, step: [0, 0, 0] };

/** Calls `selectRow` for each row, in the order of the result. A row is the elements along the last axis; without axes
 * it is one element.
 * @type {(axes: ThreeAxis[], selectRow: SelectRow) => void} */
function forEachRow(axes, selectRow) {
  const outerAxes = axes.slice(0, -1);
  const { extent: count, step } = axes.at(-1) ?? oneElement;
  const index = outerAxes.map(() => 0);
  /** @type {Three} */
  const from = [0, 0, 0];
  let at = 0;
  do {
    selectRow(count, from, step, at);
    at += count;
  } while (moveToNextRow(outerAxes, index, from));
}

/** Moves `index` and the places `from` to the next row, in place: an axis at its end goes back to its first index, and
 * the axis before it moves on. Returns false once all rows are done.
 * @type {(axes: readonly ThreeAxis[], index: number[], from: Three) => boolean} */
function moveToNextRow(axes, index, from) {
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    const { extent, step } = axes[axis];
    index[axis]++;
    const isAtEnd = index[axis] === extent;
    const movedBy = isAtEnd ? 1 - extent : 1; // indices
    for (let i = 0; i < 3; i++) from[i] += movedBy * step[i];
    if (!isAtEnd) return true;
    index[axis] = 0;
  }
  return false;
}

/** Lists the axes of more than one element with their steps in the inputs. Neighbors that all inputs pass at one step
 * become one axis.
 * @type {(selection: Selection) => ThreeAxis[]} */
function fusedAxes({ extents, strides }) {
  /** @type {ThreeAxis[]} */
  const axes = [];
  for (let i = 0; i < extents.length; i++) {
    const extent = extents[i];
    if (extent === 1) continue;
    /** @type {Three} */
    const step = [strides[0][i], strides[1][i], strides[2][i]];
    const last = axes.at(-1);
    const continuesLast = last?.step.every((outer, k) => outer === extent * step[k]);
    if (last && continuesLast) axes[axes.length - 1] = { extent: last.extent * extent, step };
    else axes.push({ extent, step });
  }
  return axes;
}

/** Longer rows pass through the scratch area: the module selects 1,048,576 float32 3.8 times as fast as the loops
 * below, float16 6 times. A row costs 3 us, in which a loop selects 500 elements (measured). */
const longRow = 768;
/** Bytes of a piece of a row: all four memories stay in a second-level cache. */
const pieceBytes = 64 * 2 ** 10;
/** Places of the mask and both inputs in the scratch area, in bytes: a cache line of 64 bytes lies between them. */
const places = [0, pieceBytes + 64, 2 * (pieceBytes + 64)];

/** Makes a function that selects a long row by the module, piece by piece through the scratch area. `bytes`: of an
 * element; `inputs`: mask, first and second. The steps of a row are 1, or 0 where an input has one element for all of
 * it.
 * @type {(bytes: number, inputs: Uint8Array[], result: Uint8Array) => SelectRow} */
function longRowSelector(bytes, inputs, result) {
  const { select: selectStaged } = layout;
  const elementBytes = [1, bytes, bytes];
  const maxCount = pieceBytes / bytes;
  return (count, from, step, start) => {
    for (let done = 0; done < count; done += maxCount) {
      const selected = Math.min(maxCount, count - done);
      for (let k = 0; k < inputs.length; k++) {
        const isRepeated = step[k] === 0;
        const first = (from[k] + step[k] * done) * elementBytes[k];
        const end = first + (isRepeated ? 1 : selected) * elementBytes[k];
        scratch.set(bytesBetween(inputs[k], first, end), places[k]);
      }
      cpp.writeSelection(callBlock, {
        bytes,
        count: selected,
        maskStep: step[0],
        firstStep: step[1],
        secondStep: step[2],
        mask: scratchByte + places[0],
        first: scratchByte + places[1],
        second: scratchByte + places[2],
        dst: scratchByte + destinationByte,
      });
      selectStaged();
      const to = (start + done) * bytes;
      result.set(bytesBetween(scratch, destinationByte, destinationByte + selected * bytes), to);
    }
  };
}

/** Makes a function that selects a row of elements of one word each, by bits instead of a branch, which costs 5 ns an
 * element where the mask cannot be predicted. `memories`: first, second and result.
 * @type {(mask: Uint8Array, memories: (Uint8Array | Int32Array | Uint16Array)[]) => SelectRow} */
const wordSelector = (mask, memories) => (count, from, step, start) => {
  // By index: short rows take twice as long where lists are taken apart.
  const [first, second, result] = [memories[0], memories[1], memories[2]];
  let [m, a, b] = [from[0], from[1], from[2]];
  const [stepM, stepA, stepB] = [step[0], step[1], step[2]];
  const end = start + count;
  for (let at = start; at < end; at++, m += stepM, a += stepA, b += stepB) {
    // All bits for a mask of 1 to 255, so that the second xor turns `other` into the element of `first`; none for 0.
    const bits = -mask[m] >> 31;
    const other = second[b];
    result[at] = other ^ ((other ^ first[a]) & bits);
  }
};

/** Makes a function that selects a row of elements of several words, by bits. `memories`: first, second and result.
 * @type {(words: number, mask: Uint8Array, memories: (Uint8Array | Int32Array | Uint16Array)[]) => SelectRow} */
const wordsSelector = (words, mask, memories) => (count, from, step, start) => {
  const [first, second, result] = memories;
  for (let i = 0, at = words * start; i < count; i++, at += words) {
    const bits = -mask[from[0] + i * step[0]] >> 31; // all bits, or none where the mask is 0
    const [a, b] = [words * (from[1] + i * step[1]), words * (from[2] + i * step[2])];
    for (let word = 0; word < words; word++) {
      const other = second[b + word];
      result[at + word] = other ^ ((other ^ first[a + word]) & bits);
    }
  }
};

/** Makes a function that selects a row of strings.
 * @type {(mask: Uint8Array, first: string[], second: string[], result: string[]) => SelectRow} */
const stringSelector = (mask, first, second, result) => (count, from, step, start) => {
  for (let i = 0; i < count; i++) {
    const [m, a, b] = [from[0] + i * step[0], from[1] + i * step[1], from[2] + i * step[2]];
    result[start + i] = mask[m] ? first[a] : second[b];
  }
};

/** A type for each width of packed elements: their codes are moved alone, so it stands for all types of its width. */
const packedTypes = /** @type {const} */ ({ 2: dtypes.uint2, 4: dtypes.uint4, 6: dtypes.float6e2m3 });

/** Selects packed elements: unpacks both inputs to bytes, selects these, and packs the result. 90,000 elements take an
 * eighth of the time of a loop over bits, 12 elements 3 us longer (measured).
 * @type {(bits: 2 | 4 | 6, selection: Selection, mask: Uint8Array, first: TensorData, second: TensorData,
 *   result: TensorData) => void} */
function selectPacked(bits, selection, mask, first, second, result) {
  const { extents, strides } = selection;
  const packed = packedTypes[bits];
  const [a, b] = [first, second].map((data, k) => {
    const size = countOf(extents, strides[k + 1]);
    const wide = newData(dtypes.uint8, size, undefined);
    convertBytes(packed, dtypes.uint8, size, data, wide, codeRules);
    return wide;
  });
  const size = countOf(extents, stridesOf(extents)); // of the result
  const chosen = newData(dtypes.uint8, size, undefined);
  select(8, selection, mask, a, b, chosen);
  convertBytes(dtypes.uint8, packed, size, chosen, result, codeRules);
}
