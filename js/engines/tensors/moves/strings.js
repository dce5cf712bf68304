/** Boxes of strings, which have no width and never enter the module's memory. */
import { checkStrings } from '../../memory/index.js';
import { lengthsOf, nextMemory } from './plan.js';

/** @import { Box } from '../types.js' */

/** Copies boxes of strings from the sources to the destinations, element by element. Refuses lists that are shorter
 * than the boxes reach.
 * @type {(boxes: readonly Box[], sources: readonly (readonly string[])[], destinations: readonly string[][]) =>
 *   void} */
export function moveStrings(boxes, sources, destinations) {
  // As if each string were a byte, so that the lengths count strings.
  const { reads, writes } = lengthsOf(8, boxes);
  reads.forEach((count, k) => checkStrings('read', sources[k], count));
  // A sparse destination, which has no entries yet, grows as it is written.
  writes.forEach((count, k) => checkStrings('written', destinations[k], count));
  for (const { extents, from, to, first = 0, start = 0, source = 0, destination = 0 } of boxes) {
    // A box of no elements may have an enormous extent in front of the 0. NaN is empty, too: infinity times 0.
    const size = extents.reduce((product, extent) => product * extent, 1);
    if (!(size > 0)) continue;
    /** Copies the elements of the axes from `axis` inward: from element `a` of source `input` on to element `b` of
     * destination `output`.
     * @type {(axis: number, input: number, a: number, output: number, b: number) => void} */
    const walk = (axis, input, a, output, b) => {
      if (axis === extents.length) {
        destinations[output][b] = sources[input][a];
        return;
      }
      // How far the lists and the elements move on with each index.
      const [inputStep, stepA] = from[axis] === nextMemory ? [1, 0] : [0, from[axis]];
      const [outputStep, stepB] = to[axis] === nextMemory ? [1, 0] : [0, to[axis]];
      for (let i = 0; i < extents[axis]; i++)
        walk(axis + 1, input + i * inputStep, a + i * stepA, output + i * outputStep, b + i * stepB);
    };
    walk(0, source, first, destination, start);
  }
}
