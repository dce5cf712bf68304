/**
 * Boxes that repeat what they have moved. Only boxes that may repeat know this file, so a bundle without Expand and
 * Tile goes without it.
 */
import { bytesOf } from '../arguments/index.js';

/** @import { Copies } from './plan.js' */

/**
 * A box whose outermost axis repeats all that is inside it: the inside moves once, and is copied from there. Tiling
 * [256, 256] by 8 x 8 takes .9 instead of 2.5 of what it takes to copy the result, expanding [512, 1] to
 * [64, 512, 512] 1.1 instead of 3 (measured).
 * @type {Copies}
 */
export function planCopies(elementBits, box, planBox) {
  const { extents, start = 0, destination = 0 } = box;
  let outermost = -1;
  let size = 1;
  for (let i = 0; i < extents.length; i++) {
    if (extents[i] === 1) continue;
    size *= extents[i];
    if (outermost < 0 || box.to[i] > box.to[outermost]) outermost = i;
  }
  if (outermost < 0 || box.from[outermost] !== 0) return undefined;
  const count = extents[outermost];
  const bits = box.to[outermost] * elementBits;
  // The inside fills what lies between two of its copies, or some of it would be copied before it is there.
  if (bits % 8 !== 0 || (start * elementBits) % 8 !== 0 || size !== count * box.to[outermost]) return undefined;
  if (box.to.some((stride, i) => extents[i] > 1 && stride < 0)) return undefined;
  const inside = planBox(elementBits, { ...box, extents: extents.with(outermost, 1) });
  return inside && { move: moveCopies, inside, destination, at: (start * elementBits) / 8, bytes: bits / 8, count };
}

/** What is copied at once stays in a second-level cache. */
const copyBytes = 256 * 2 ** 10;

/**
 * Moves a box once and copies it within the destination.
 * @param {{ inside: any, destination: number, at: number, bytes: number, count: number }} box
 * @param {any[]} sources
 * @param {any[]} destinations
 */
function moveCopies({ inside, destination, at, bytes, count }, sources, destinations) {
  inside.move(inside, sources, destinations);
  const output = bytesOf(destinations[destination]);
  const end = at + bytes * count;
  const most = Math.max(bytes, copyBytes - (copyBytes % bytes));
  for (let done = at + bytes; done < end;) {
    const part = Math.min(done - at, most, end - done);
    output.copyWithin(done, at, at + part);
    done += part;
  }
}
