/** Run lengths of masks, and the boxes around them, through the module. */
import { withMemory } from './load.js';
import { arena, kernels, sizeOf } from './module.js';

/** Counts the runs of a mask as COCO does, along columns, the first one of 0.
 * @type {(mask: Uint8Array, height: number, width: number) => Uint32Array} */
export const countRuns = (mask, height, width) =>
  withMemory(() => {
    const size = sizeOf([height, width]);
    const counts = arena.space(4 * (size + 1));
    return arena.take(Uint32Array, counts, kernels.count_runs(arena.put(mask, size), height, width, counts));
  });

/** Makes a mask of COCO's counts. Pixels that no count reaches are 0.
 * @type {(counts: Uint32Array, height: number, width: number) => Uint8Array} */
export const fillRuns = (counts, height, width) =>
  withMemory(() => {
    const size = sizeOf([height, width]);
    const mask = arena.space(size);
    kernels.fill_runs(arena.put(counts, 4 * counts.length), counts.length, height, width, mask);
    return arena.take(Uint8Array, mask, size);
  });

/** Lists the runs of each value over rows: [start, length, ...], where the first pixel is 1.
 * @type {(map: Int32Array, values: number[]) => number[][]} */
export const valueRuns = (map, values) =>
  withMemory(() => {
    const [from, runs] = [arena.put(map, 4 * map.length), arena.space(4 * (map.length + 1))];
    return values.map((value) => [...arena.take(Int32Array, runs, kernels.value_runs(from, map.length, value, runs))]);
  });

/** Finds the box around each mask: 4 numbers a mask.
 * @type {(masks: Uint8Array, count: number, height: number, width: number) => Int32Array} */
export const boxesOfMasks = (masks, count, height, width) =>
  withMemory(() => {
    const from = arena.put(masks, sizeOf([count, height, width]));
    const boxes = arena.space(16 * count);
    kernels.mask_boxes(from, count, height, width, boxes);
    return arena.take(Int32Array, boxes, 4 * count);
  });
