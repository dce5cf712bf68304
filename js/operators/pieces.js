/** A tensor cut along one axis, and tensors joined along one: the copies of splitting and of concatenating. */
import { mostMemories, nextMemory } from '../engine/index.js';
import { moveElements } from './copy.js';

/** @import { Describe } from '../engine/types.js' */
/** @import { DType } from '../tensor/index.js' */

/**
 * Copies the pieces of a tensor.
 * @param {DType} dtype
 * @param {number} outer the product of the extents before the axis
 * @param {number} inner the product of the extents behind it
 * @param {readonly number[]} sizes of the pieces along the axis
 * @param {any} source
 * @param {any[]} results whose tails are clear
 */
export function cutPieces(dtype, outer, inner, sizes, source, results) {
  moveElements(dtype, cutBoxes, [outer, inner], sizes, [source], results);
}

/**
 * Copies tensors into one.
 * @param {DType} dtype
 * @param {number} outer the product of the extents before the axis
 * @param {number} inner the product of the extents behind it
 * @param {readonly number[]} sizes of the sources along the axis
 * @param {any[]} sources
 * @param {any} result whose tail is clear
 */
export function joinPieces(dtype, outer, inner, sizes, sources, result) {
  moveElements(dtype, joinBoxes, [outer, inner], sizes, sources, [result]);
}

/**
 * The boxes of a split.
 * @type {Describe}
 */
function cutBoxes(bounds, sizes) {
  return pieceBoxes(bounds, sizes).map(({ extents, piece: to, whole: from, first, memory: destination }) => {
    return { extents, from, to, first, destination };
  });
}

/**
 * The boxes of a join.
 * @type {Describe}
 */
function joinBoxes(bounds, sizes) {
  return pieceBoxes(bounds, sizes).map(({ extents, piece: from, whole: to, first: start, memory: source }) => {
    return { extents, from, to, start, source };
  });
}

/**
 * How pieces lie in a whole. Those of one size that follow one another are one box.
 * @param {readonly number[]} bounds the products of the extents before and behind the axis
 * @param {readonly number[]} sizes
 * @returns {{ extents: number[], piece: number[], whole: number[], first: number, memory: number }[]}
 */
function pieceBoxes([outer, inner], sizes) {
  const row = inner * sizes.reduce((sum, size) => sum + size, 0);
  const boxes = [];
  let first = 0;
  for (let i = 0; i < sizes.length;) {
    let count = 1;
    while (count < mostMemories && sizes[i + count] === sizes[i]) count++;
    const own = inner * sizes[i];
    const extents = [count, outer, own];
    boxes.push({ extents, piece: [nextMemory, own, 1], whole: [own, row, 1], first, memory: i });
    first += count * own;
    i += count;
  }
  return boxes;
}
