/** Joins the maps of pictures that EoMT saw in patches: parts of the model's size along the longer side of a picture,
 * which may overlap. Such a batch has an entry for each patch, not for each picture. */
import { isList, largest, rangeError, show, typedArrayName } from '../../arguments/index.js';
import { Planes } from '../../engines/results/index.js';
import { readRows } from './define.js';
import { readNumbers } from '../settings.js';
import { readEdges, sizeWithin } from './settings.js';

/** @import { OutputKind, Settings } from '../types.js' */

/** A patch: the index of its picture, and the pixels along that picture's longer side from which to which it reaches.
 * @typedef {{ picture: number, start: number, end: number }} PatchOffsets */

/** Declares the output with the offsets of EoMT's patches; an empty list is read to undefined. Changes the known batch
 * from the number of patches to that of pictures.
 * @type {OutputKind<PatchOffsets[] | undefined>} */
export const patchOffsets = {
  isOptional: true,
  readOutput(name, value, known) {
    const patches = readRows(name, value).map((row, i) => readOffsets(`${name}[${i}]`, row));
    // An empty list stands for pictures that were not cut.
    if (patches.length === 0) return undefined;
    if (patches.length !== known.batch)
      rangeError(`${name} must have ${known.batch} entries, one a patch, got ${patches.length}`);
    known.batch = 1 + largest(patches.map(({ picture }) => picture));
    return patches;
  },
};

/** Reads the offsets of a patch, [picture, start, end], from a list or a tensor.
 * @type {(name: string, value: unknown) => PatchOffsets} */
function readOffsets(name, value) {
  const list = /** @type {{ data?: unknown } | null | undefined} */ (value)?.data ?? value;
  const numbers = isList(list) || typedArrayName(list) ? readNumbers(name, list) : [];
  const [picture, start, end] = numbers;
  if (!(numbers.length === 3 && numbers.every(Number.isSafeInteger) && picture >= 0))
    rangeError(`${name} must hold a picture, a start and an end, got ${show(value)}`);
  return { picture, start, end };
}

/** Joins the patches of each picture to planes of the picture's size in front of the model, which follows from its
 * target size and the settings. A pixel of overlapping patches gets their mean. 150 classes of 512 x 683 pixels take .3
 * s, and their labels a second.
 * @type {(patches: Planes[], offsets: PatchOffsets[], sizes: number[][] | undefined, settings: Settings) =>
 *   Planes[]} */
export function mergePatches(patches, offsets, sizes, settings) {
  if (!sizes) rangeError('target_sizes must be given with patch_offsets');
  return sizes.map((size, picture) => {
    const [height, width] = sizeWithin(size, readEdges(settings));
    const { planes } = patches[0];
    const sums = new Float32Array(planes * height * width);
    // All planes have the same patches at a pixel.
    const counts = new Float32Array(height * width);
    // Whether patches lie below, and not beside, each other.
    const isUpright = size[0] > size[1];
    offsets.forEach((patchPlace, i) => {
      if (patchPlace.picture !== picture) return;
      checkPatch(`patch_offsets[${i}]`, patches[i], patchPlace, [height, width], isUpright);
      const { start } = patchPlace;
      const corner = isUpright ? { top: start, left: 0 } : { top: 0, left: start };
      addPatch(patches[i], corner, sums, counts, [height, width]);
    });
    divideByCounts(sums, counts);
    return new Planes(sums, { planes, channels: planes, height, width });
  });
}

/** Refuses a patch that lies beyond its picture of [height, width], or has another size than its offsets tell.
 * @type {(name: string, patch: Planes, offsets: PatchOffsets, size: number[], isUpright: boolean) => void} */
function checkPatch(name, patch, { start, end }, [height, width], isUpright) {
  const length = isUpright ? height : width;
  const [patchHeight, patchWidth] = isUpright ? [end - start, width] : [height, end - start];
  const hasSize = patch.height === patchHeight && patch.width === patchWidth;
  const fits = start >= 0 && end <= length && hasSize;
  if (!fits)
    rangeError(`${name} must be a part of ${length} of ${patch.height} x ${patch.width}, got ${start} to ${end}`);
}

/** Adds the planes of a patch to `sums`, with its first pixel at `corner`, and 1 to the `counts` of its pixels. `size`:
 * the [height, width] of the picture, whose planes and counts are in `sums` and `counts`.
 * @type {(patch: Planes, corner: { top: number, left: number }, sums: Float32Array, counts: Float32Array,
 *   size: number[]) => void} */
function addPatch(patch, { top, left }, sums, counts, [height, width]) {
  const numbers = patch.numbers();
  for (let plane = 0; plane < patch.planes; plane++)
    for (let y = 0; y < patch.height; y++) {
      const from = (plane * patch.height + y) * patch.width;
      const to = (plane * height + top + y) * width + left;
      for (let x = 0; x < patch.width; x++) sums[to + x] += numbers[from + x];
    }
  for (let y = 0; y < patch.height; y++) {
    const to = (top + y) * width + left;
    for (let x = 0; x < patch.width; x++) counts[to + x]++;
  }
}

/** Divides the pixels of each plane by their counts. @type {(sums: Float32Array, counts: Float32Array) => void} */
function divideByCounts(sums, counts) {
  for (let first = 0; first < sums.length; first += counts.length) {
    const plane = sums.subarray(first, first + counts.length);
    for (let i = 0; i < plane.length; i++) if (counts[i] > 1) plane[i] /= counts[i];
  }
}
