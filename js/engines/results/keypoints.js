/** Points, and the peaks of heat maps, through the module. Names that end in `At` are addresses there. */
import { doubleBytes, floatBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';
import { pointBytes, pointNumbers } from './sizes.js';

/** The kernel's rules of the edges of blurred maps. */
const mirroredEdges = 0;
const zerosAround = 1;

/** Multiplies points [count, 2], the x of each by a width and the y by a height, and cuts them to whole numbers.
 * @type {(points: Float32Array, size: readonly number[]) => Int32Array} */
export const scalePoints = (points, [height, width]) =>
  withMemory(() => {
    const count = rowsIn(points, pointNumbers);
    const scaledAt = arena.allocate(pointBytes * count);
    const pointsAt = arena.copyIn(points, pointBytes * count);
    kernels.scale_points(pointsAt, count, width, height, scaledAt);
    return arena.copyOut(Int32Array, scaledAt, pointNumbers * count);
  });

/**
 * How maps are blurred before their peaks are refined.
 * @typedef {object} Blur
 * @property {Float64Array} weights of a symmetric kernel, from its center on
 * @property {boolean} isMirrored whether maps are mirrored at their edges; else 0 lies around them
 * @property {boolean} keepsPeaks whether each blurred map is scaled so that its greatest number is that of the map
 */

/** Finds the greatest number of each map and its place; then refines the place to a part of a pixel, by a Newton step
 * on the logarithm of the blurred map. Where no number is above 0, the place before that step is -1, -1, as in
 * transformers.
 * @param {Float32Array} maps [count, height, width]
 * @param {readonly number[]} dims of the maps
 * @param {Blur} blur
 * @returns {{ places: Float32Array, values: Float32Array }} x and y of each map's place, and its greatest number */
export const refinedPeaks = (maps, dims, { weights, isMirrored, keepsPeaks }) =>
  withMemory(() => {
    const [count, height, width] = dims;
    const bytes = floatBytes * sizeOf([count]) * sizeOf([height, width], 1);
    const mapsAt = arena.copyIn(maps, bytes);
    const placesAt = arena.allocate(pointBytes * count);
    const valuesAt = arena.allocate(floatBytes * count);
    kernels.find_peaks(mapsAt, count, height, width, placesAt, valuesAt);
    // A second copy, because `keep_peaks` needs the maps as they were, too.
    const blurredAt = arena.copyIn(maps, bytes);
    const radius = sizeOf([weights.length], 1) - 1;
    // A row or a column in float64, with the kernel's radius on both sides.
    const lineAt = arena.allocate(doubleBytes * (Math.max(height, width) + 2 * radius));
    const weightsAt = arena.copyIn(weights, doubleBytes * (radius + 1));
    const edges = isMirrored ? mirroredEdges : zerosAround;
    kernels.blur_maps(blurredAt, count, height, width, weightsAt, radius, edges, lineAt);
    if (keepsPeaks) kernels.keep_peaks(blurredAt, mapsAt, count, height, width);
    kernels.refine_peaks(blurredAt, count, height, width, placesAt);
    return {
      places: arena.copyOut(Float32Array, placesAt, pointNumbers * count),
      values: arena.copyOut(Float32Array, valuesAt, count),
    };
  });
