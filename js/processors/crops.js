/** Sapiens 2: crops of boxes, sampled as float32, as torch's grid_sample does with aligned corners and zeros beside. */
import { bytesOf, typeError } from '../arguments/index.js';
import { samplePixels } from '../image-engine/index.js';
import { encoded } from '../image/internal.js';
import { dtypes } from '../tensor/index.js';
import { checkSize, rendered } from './picture.js';
import { checkBoxes } from './poses.js';
import { pixelTensor, scalingOf, withSettings } from './results.js';
import { exactSize } from './sizes.js';

/** @import { Image } from '../image-engine/types.js' */
/** @import { Call, Make, Size } from './types.js' */

const { fround, min } = Math;
const padding = 1.25;

/** @type {(box: readonly number[], size: Size) => { extents: number[], centers: number[] }} in the steps of Python's
 *   float32 */
function windowOf([left, top, wide, high], size) {
  const [width, height] = [fround(fround(wide) * padding), fround(fround(high) * padding)];
  const ratio = fround(size.width / size.height);
  const extents = width > fround(height * ratio) ? [width, fround(width / ratio)] : [fround(height * ratio), height];
  const center = (/** @type {number} */ start, /** @type {number} */ side) =>
    fround(fround(start) + fround(0.5 * fround(side)));
  return { extents, centers: [center(left, wide), center(top, high)] };
}

/** @type {(count: number, extent: number, center: number, side: number) => number[]} places on a side of the
 *   picture, through torch's coordinates from -1 to 1 */
function placesOf(count, extent, center, side) {
  const scale = fround((count - 1) / extent);
  return Array.from({ length: count }, (_, i) => {
    const place = fround(fround(fround(i / scale) + center) - fround(0.5 * extent));
    const coordinate = fround(fround(fround(2 * place) / (side - 1)) - 1);
    return fround(fround(coordinate + 1) * fround((side - 1) / 2));
  });
}

/** Writes three planes: a box of 768 x 1024 bicubic samples takes 25 ms, in JS 60 to 72 (measured).
 * @type {(image: Image, box: readonly number[], size: Size, numbers: readonly number[], data: Uint8Array) => void} */
function sampleBox(image, box, size, numbers, data) {
  const { extents, centers } = windowOf(box, size);
  const places = [
    placesOf(size.width, extents[0], centers[0], image.width),
    placesOf(size.height, extents[1], centers[1], image.height),
  ];
  const isCubic = !(min((size.width - 1) / extents[0], (size.height - 1) / extents[1]) < 1);
  samplePixels(image, { isCubic, numbers, places }, { ...size, channels: 4, rowstride: 4 * size.width, data });
}

/** @type {(call: Call) => number[]} a factor, means and deviations of three colors */
function numbersOf(call) {
  const { factor = 1, mean = 0, std = 1 } = scalingOf(call);
  return [factor, ...[mean, std].flatMap((value) => (typeof value === 'number' ? [value, value, value] : value))];
}

/**
 * A processor that takes boxes of persons in place of its pictures.
 * @type {(make: Make) => Make}
 */
export const withBoxes = (make) =>
  withSettings([...make.reads, 'boxes'], (call, pictures) => {
    const { boxes: lists, size: asked, do_center_crop: crops } = call.settings;
    if (!lists) return make(call, pictures);
    checkBoxes(lists, pictures.length);
    if (crops) typeError('do_center_crop must be false beside boxes, got true');
    const size = exactSize(asked);
    checkSize(size);
    const count = lists.flat().length;
    const { dtype = dtypes.float32 } = call;
    const tensor = pixelTensor(call, dtype, [count, 3, size.height, size.width]);
    const bytes = bytesOf(tensor.data);
    const crop = new Float32Array(3 * size.width * size.height);
    let done = 0;
    pictures.forEach((picture, i) => {
      const { image, onStep } = rendered(picture);
      for (const box of lists[i]) {
        onStep?.({ name: 'warp' });
        sampleBox({ ...image }, box, size, numbersOf(call), bytesOf(crop));
        bytes.set(encoded(crop, dtype), (bytes.length / count) * done++);
      }
    });
    return { pixel_values: tensor };
  });
