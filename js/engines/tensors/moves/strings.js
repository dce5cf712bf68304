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
    /** Copies the elements of the axes from `axis` inward: from element `read` of list `input` of the sources on, to
     * element `written` of list `output` of the destinations.
     * @type {(axis: number, input: number, read: number, output: number, written: number) => void} */
    const copyFrom = (axis, input, read, output, written) => {
      if (axis === extents.length) {
        destinations[output][written] = sources[input][read];
        return;
      }
      // Each index of an axis steps to the next list, or by a stride within the list.
      const [inputStep, readStep] = from[axis] === nextMemory ? [1, 0] : [0, from[axis]];
      const [outputStep, writeStep] = to[axis] === nextMemory ? [1, 0] : [0, to[axis]];
      for (let i = 0; i < extents[axis]; i++)
        copyFrom(
          axis + 1,
          input + i * inputStep,
          read + i * readStep,
          output + i * outputStep,
          written + i * writeStep,
        );
    };
    copyFrom(0, source, first, destination, start);
  }
}
