/** Puts together the maps of pictures that EoMT saw in patches. */
import { isList, rangeError, show, typedArrayName } from '../../arguments/index.js';
import { Planes } from '../../engines/results/index.js';
import { readRows } from './define.js';
import { readNumbers } from '../settings.js';
import { readEdges, sizeWithin } from './settings.js';

/** @import { OutputKind, Settings } from '../types.js' */

/** Declares the offsets of EoMT's patches: [picture, start, end] of each, along the longer side of its picture. Reads
 * them to rows, and the number of pictures from the highest one.
 * @type {OutputKind} */
export const patchOffsets = {
  isOptional: true,
  readOutput(name, value, known) {
    const rows = readRows(name, value).map((row, i) => {
      const list = /** @type {{ data?: unknown } | null | undefined} */ (row)?.data ?? row;
      const offsets = isList(list) || typedArrayName(list) ? readNumbers(`${name}[${i}]`, list) : [];
      if (!(offsets.length === 3 && offsets.every(Number.isSafeInteger) && offsets[0] >= 0))
        rangeError(`${name}[${i}] must hold a picture, a start and an end, got ${show(row)}`);
      return offsets;
    });
    if (rows.length === 0) return undefined;
    if (rows.length !== known.batch)
      rangeError(`${name} must have ${known.batch} entries, one a patch, got ${rows.length}`);
    known.batch = 1 + rows.reduce((last, [picture]) => Math.max(last, picture), 0);
    return rows;
  },
};

/** Puts together the planes of each picture: the mean of the patches at each pixel. 150 classes of 512 x 683 pixels
 * take .3 s, and their labels a second.
 * @type {(patches: Planes[], offsets: number[][], sizes: number[][] | undefined, settings: Settings) => Planes[]} */
export function mergedPatches(patches, offsets, sizes, settings) {
  if (!sizes) rangeError('target_sizes must be given with patch_offsets');
  return sizes.map((size, picture) => {
    const [height, width] = sizeWithin(size, readEdges(settings));
    const planes = patches[0].planes;
    const sums = new Float32Array(planes * height * width);
    // All planes have the same patches at a pixel.
    const counts = new Float32Array(height * width);
    const isUpright = size[0] > size[1];
    patches.forEach((patch, i) => {
      const [pictureOfPatch, start, end] = offsets[i];
      if (pictureOfPatch !== picture) return;
      const box = isUpright ? [start, 0, end - start, width] : [0, start, height, end - start];
      if (start < 0 || end > (isUpright ? height : width) || patch.height !== box[2] || patch.width !== box[3])
        rangeError(
          `patch_offsets[${i}] must be a part of ${isUpright ? height : width} of ${patch.height} x ${patch.width}, ` +
            `got ${start} to ${end}`,
        );
      const numbers = patch.numbers();
      for (let row = 0; row < planes * box[2]; row++) {
        const from = row * box[3];
        const to = (Math.floor(row / box[2]) * height + box[0] + (row % box[2])) * width + box[1];
        for (let x = 0; x < box[3]; x++) sums[to + x] += numbers[from + x];
        if (row < box[2]) for (let x = 0; x < box[3]; x++) counts[to + x]++;
      }
    });
    for (let first = 0; first < sums.length; first += counts.length) {
      const plane = sums.subarray(first, first + counts.length);
      for (let i = 0; i < plane.length; i++) if (counts[i] > 1) plane[i] /= counts[i];
    }
    return new Planes(sums, { planes, channels: planes, height, width });
  });
}
