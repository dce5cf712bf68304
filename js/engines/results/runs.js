/** Run lengths of masks, and the boxes around them, through the module. Names that end in `At` are addresses
 * there. */
import { intBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, sizeOf } from './module.js';
import { boxBytes, boxNumbers } from './sizes.js';

/** Encodes a mask [height, width] as COCO's run lengths: down the columns, one after the other, runs of 0 and of 1 in
 * turn, 0 first.
 * @type {(mask: Uint8Array, height: number, width: number) => Uint32Array} */
export const countRuns = (mask, height, width) =>
  withMemory(() => {
    const size = sizeOf([height, width]);
    // At most a run a pixel, and one of 0 zeros in front.
    const countsAt = arena.allocate(intBytes * (size + 1));
    const maskAt = arena.copyIn(mask, size);
    const runCount = kernels.count_runs(maskAt, height, width, countsAt);
    return arena.copyOut(Uint32Array, countsAt, runCount);
  });

/** Decodes a mask [height, width] from COCO's run lengths, as {@link countRuns} gives them. Pixels behind the last run
 * are 0, and runs beyond the mask are cut.
 * @type {(counts: Uint32Array, height: number, width: number) => Uint8Array} */
export const fillRuns = (counts, height, width) =>
  withMemory(() => {
    const size = sizeOf([height, width]);
    const maskAt = arena.allocate(size);
    const countsAt = arena.copyIn(counts, intBytes * counts.length);
    kernels.fill_runs(countsAt, counts.length, height, width, maskAt);
    return arena.copyOut(Uint8Array, maskAt, size);
  });

/** Lists for each value where it stands in a map, row after row: the start and the length of each run in turn, where
 * the map's first pixel has the start 1, as in transformers' `binary_mask_to_rle`.
 * @type {(map: Int32Array, values: number[]) => number[][]} */
export const valueRuns = (map, values) =>
  withMemory(() => {
    // Runs of one value are apart, so their two numbers each are at most one more than the pixels.
    const mapAt = arena.copyIn(map, intBytes * map.length);
    const runsAt = arena.allocate(intBytes * (map.length + 1));
    return values.map((value) => {
      const numbers = kernels.value_runs(mapAt, map.length, value, runsAt);
      return [...arena.view(Int32Array, runsAt, numbers)];
    });
  });

/** Finds the box around the pixels of each mask that are not 0, of [count, height, width]: left, top, right and bottom,
 * the indices of the first and last columns and rows; zeros where there are none.
 * @type {(masks: Uint8Array, count: number, height: number, width: number) => Int32Array} */
export const boxesOfMasks = (masks, count, height, width) =>
  withMemory(() => {
    const masksAt = arena.copyIn(masks, sizeOf([count, height, width]));
    const boxesAt = arena.allocate(boxBytes * count);
    kernels.mask_boxes(masksAt, count, height, width, boxesAt);
    return arena.copyOut(Int32Array, boxesAt, boxNumbers * count);
  });
