/** One of two elements for each of a mask, all three broadcast by strides. */
import { bytesOf } from '../arguments/index.js';
import { checkMemory, checkStrings } from './memory.js';
import { stridesOf } from './plan.js';
import { wordBytesOf, wordsOf } from './words.js';

/** @import { Selection } from './types.js' */

/** @typedef {[mask: number, first: number, second: number]} Three */

/**
 * Writes the elements that a mask selects to a result of at least one element. The bits after a packed result's last
 * element become zero. `bits` 0: strings.
 * @type {(bits: number, selection: Selection, mask: Uint8Array, first: any, second: any, result: any) => void}
 */
export function select(bits, selection, mask, first, second, result) {
  checkLengths(bits, selection, [mask, first, second, result]);
  if (bits === 0) walk(selection, 1, stringsOf(mask, first, second, result));
  else if (bits < 8) walk(selection, 1, packedOf(bits, mask, bytesOf(first), bytesOf(second), bytesOf(result)));
  else {
    const bytes = wordBytesOf(bits / 8, [first, second, result]);
    const [a, b, to] = [first, second, result].map((data) => wordsOf(bytes, data));
    const words = bits / 8 / bytes;
    walk(selection, words, words === 1 ? wordOf(mask, a, b, to) : groupOf(words, mask, a, b, to));
  }
}

/** @type {(bits: number, selection: Selection, memories: any[]) => void} */
function checkLengths(bits, { extents, strides }, memories) {
  memories.forEach((memory, k) => {
    const steps = strides[k] ?? stridesOf(extents);
    const count = extents.reduce((last, extent, axis) => last + (extent - 1) * steps[axis], 1);
    const use = k < 3 ? 'read' : 'written';
    if (bits === 0 && k > 0) checkStrings(use, memory, count);
    else checkMemory(use, memory, k === 0 ? count : Math.ceil((bits * count) / 8));
  });
}

/** @typedef {(count: number, from: Three, step: Three, at: number) => void} SelectRow selects a row of elements */

/**
 * Goes through the rows of the result, in its order. Axes that are one axis in all three inputs count as one. `words`:
 * of an element of the two that are selected from.
 * @type {(selection: Selection, words: number, selectRow: SelectRow) => void}
 */
function walk({ extents, strides }, words, selectRow) {
  const axes = fusedAxes(extents, strides, words);
  const { extent: count, step } = axes.pop() ?? { extent: 1, step: /** @type {Three} */ ([0, 0, 0]) };
  const index = axes.map(() => 0);
  /** @type {Three} */
  const from = [0, 0, 0];
  for (let at = 0; ; at += count) {
    selectRow(count, from, step, at);
    let axis = axes.length - 1;
    for (; axis >= 0; axis--) {
      const { extent, step: own } = axes[axis];
      const back = ++index[axis] === extent;
      for (let i = 0; i < 3; i++) from[i] += back ? (1 - extent) * own[i] : own[i];
      if (!back) break;
      index[axis] = 0;
    }
    if (axis < 0) return;
  }
}

/** @typedef {{ extent: number, step: Three }} ThreeAxis */

/** @type {(extents: readonly number[], strides: readonly (readonly number[])[], words: number) => ThreeAxis[]} */
function fusedAxes(extents, strides, words) {
  /** @type {ThreeAxis[]} */
  const axes = [];
  extents.forEach((extent, i) => {
    if (extent === 1) return;
    /** @type {Three} */
    const step = [strides[0][i], words * strides[1][i], words * strides[2][i]];
    const last = axes.at(-1);
    if (last && last.step.every((outer, k) => outer === extent * step[k]))
      axes[axes.length - 1] = { extent: last.extent * extent, step };
    else axes.push({ extent, step });
  });
  return axes;
}

/**
 * Words of which each is an element. Without a branch, because a mask that nobody can guess costs 5 ns an element.
 * @type {(mask: Uint8Array, first: any, second: any, result: any) => SelectRow}
 */
const wordOf =
  (...memories) =>
  (count, from, step, start) => {
    // Of its own, or the loop would load them from the closure again and again.
    const [mask, first, second, result] = memories;
    let [m, a, b] = from;
    const [stepM, stepA, stepB] = step;
    const end = start + count;
    for (let at = start; at < end; at++) {
      const other = second[b];
      result[at] = other ^ ((other ^ first[a]) & (-mask[m] >> 31));
      m += stepM;
      a += stepA;
      b += stepB;
    }
  };

/**
 * Elements of several words.
 * @type {(words: number, mask: Uint8Array, first: any, second: any, result: any) => SelectRow}
 */
const groupOf = (words, mask, first, second, result) => (count, from, step, start) => {
  let [m, a, b] = from;
  const [stepM, stepA, stepB] = step;
  for (let at = words * start; at < words * (start + count); at += words) {
    const bits = -mask[m] >> 31;
    for (let word = 0; word < words; word++) {
      const other = second[b + word];
      result[at + word] = other ^ ((other ^ first[a + word]) & bits);
    }
    m += stepM;
    a += stepA;
    b += stepB;
  }
};

/** @type {(mask: Uint8Array, first: string[], second: string[], result: string[]) => SelectRow} */
const stringsOf = (mask, first, second, result) => (count, from, step, start) => {
  for (let i = 0; i < count; i++) {
    const [m, a, b] = [from[0] + i * step[0], from[1] + i * step[1], from[2] + i * step[2]];
    result[start + i] = mask[m] ? first[a] : second[b];
  }
};

/**
 * Packed elements. They come in the result's order, so their bits make up one stream, the low ones first.
 * @type {(bits: number, mask: Uint8Array, first: Uint8Array, second: Uint8Array, result: Uint8Array) => SelectRow}
 */
function packedOf(bits, mask, first, second, result) {
  const most = (1 << bits) - 1;
  let [stream, length, at] = [0, 0, 0];
  return (count, from, step) => {
    let [m, a, b] = from;
    const [stepM, stepA, stepB] = step;
    for (let i = 0; i < count; i++) {
      const bit = bits * (mask[m] ? a : b);
      const source = mask[m] ? first : second;
      const byte = Math.floor(bit / 8);
      // Beyond the last byte there is undefined, which counts as 0.
      const word = (source[byte] | (source[byte + 1] << 8)) >>> (bit - 8 * byte);
      stream |= (word & most) << length;
      length += bits;
      if (length >= 8) {
        result[at++] = stream;
        stream >>>= 8;
        length -= 8;
      }
      // The last byte is written again and again until it is full.
      if (length > 0) result[at] = stream;
      m += stepM;
      a += stepA;
      b += stepB;
    }
  };
}
