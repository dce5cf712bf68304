/** Joins the maps of pictures that EoMT saw in patches: parts of the model's size along the longer side of a picture,
 * which may overlap. Such a batch has an entry for each patch, not for each picture. */
import { isList, rangeError, show, typedArrayName } from '../../arguments/index.js';
import { Planes } from '../../engines/results/index.js';
import { readRows } from './define.js';
import { readNumbers } from '../settings.js';
import { readEdges, sizeWithin } from './settings.js';

/** @import { OutputKind, Settings } from '../types.js' */

/** Declares the output with the offsets of EoMT's patches. Each is read to [picture, start, end], the index of its
 * picture and the pixels along that picture's longer side; undefined for an empty list. Changes the known batch from
 * the number of patches to that of pictures.
 * @type {OutputKind} */
export const patchOffsets = {
  isOptional: true,
  readOutput(name, value, known) {
    const rows = readRows(name, value).map((row, i) => {
      // A row may be a tensor.
      const list = /** @type {{ data?: unknown } | null | undefined} */ (row)?.data ?? row;
      const offsets = isList(list) || typedArrayName(list) ? readNumbers(`${name}[${i}]`, list) : [];
      if (!(offsets.length === 3 && offsets.every(Number.isSafeInteger) && offsets[0] >= 0))
        rangeError(`${name}[${i}] must hold a picture, a start and an end, got ${show(row)}`);
      return offsets;
    });
    // An empty list stands for pictures that were not cut.
    if (rows.length === 0) return undefined;
    if (rows.length !== known.batch)
      rangeError(`${name} must have ${known.batch} entries, one a patch, got ${rows.length}`);
    // The batch counted patches until here, and counts pictures from now on.
    known.batch = 1 + rows.reduce((last, [picture]) => Math.max(last, picture), 0);
    return rows;
  },
};

/** Joins the patches of each picture to planes of the picture's size in front of the model, which follows from its
 * target size and the settings. A pixel of overlapping patches gets their mean. 150 classes of 512 x 683 pixels take .3
 * s, and their labels a second.
 * @type {(patches: Planes[], offsets: number[][], sizes: number[][] | undefined, settings: Settings) => Planes[]} */
export function mergedPatches(patches, offsets, sizes, settings) {
  if (!sizes) rangeError('target_sizes must be given with patch_offsets');
  return sizes.map((size, picture) => {
    const [height, width] = sizeWithin(size, readEdges(settings));
    const { planes } = patches[0];
    const sums = new Float32Array(planes * height * width);
    // All planes have the same patches at a pixel.
    const counts = new Float32Array(height * width);
    // Whether patches lie below, and not beside, each other.
    const isUpright = size[0] > size[1];
    patches.forEach((patch, i) => {
      const [pictureOfPatch, start, end] = offsets[i];
      if (pictureOfPatch !== picture) return;
      const box = isUpright
        ? { top: start, left: 0, height: end - start, width }
        : { top: 0, left: start, height, width: end - start };
      const length = isUpright ? height : width;
      const fits = start >= 0 && end <= length && patch.height === box.height && patch.width === box.width;
      if (!fits)
        rangeError(
          `patch_offsets[${i}] must be a part of ${length} of ${patch.height} x ${patch.width}, got ${start} to ${end}`,
        );
      addPatch(patch, box, sums, counts, [height, width]);
    });
    divideByCounts(sums, counts);
    return new Planes(sums, { planes, channels: planes, height, width });
  });
}

/** Adds the planes of a patch to `sums`, at the place of its box, and 1 to the `counts` of its pixels.
 * @type {(patch: Planes, box: { top: number, left: number }, sums: Float32Array, counts: Float32Array,
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

/** Divides the pixels of each plane by their counts.
 * @type {(sums: Float32Array, counts: Float32Array) => void} */
function divideByCounts(sums, counts) {
  for (let first = 0; first < sums.length; first += counts.length) {
    const plane = sums.subarray(first, first + counts.length);
    for (let i = 0; i < plane.length; i++) if (counts[i] > 1) plane[i] /= counts[i];
  }
}
