/** Sapiens 2: crops of boxes, sampled in float32, as torch's grid_sample does with aligned corners and zeros
 * outside. */
import { bytesOf } from '../../arguments/index.js';
import { samplePixels } from '../../engines/images/index.js';
import { encoded } from '../../image/internal.js';
import { dtypes } from '../../tensor/index.js';
import { checkSize, exactSize, rendered } from '../pictures/index.js';
import { checkBoxes } from './poses.js';
import { pixelTensor, usualNumbers, withSettings } from '../steps/index.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Call, Make, Size } from '../types.js' */

const { fround, min } = Math;
/** The factor by which a box is enlarged before it is cut out. */
const padding = 1.25;

/** The part of a picture that becomes the result for a box [left, top, width, height] in its pixels: the box enlarged
 * by a quarter around its center, then along one side to the ratio of `size`. Each operation is rounded to float32, as
 * in Python's `boxes_to_crop_params`.
 * @type {(box: readonly number[], size: Size) => { extents: Size, center: { x: number, y: number } }} */
function windowOf([left, top, boxWidth, boxHeight], size) {
  const width = fround(fround(boxWidth) * padding);
  const height = fround(fround(boxHeight) * padding);
  const ratio = fround(size.width / size.height);
  const widthByRatio = fround(height * ratio);
  const isWide = width > widthByRatio;
  const extents = isWide ? { width, height: fround(width / ratio) } : { width: widthByRatio, height };
  /** @type {(start: number, extent: number) => number} */
  const middleOf = (start, extent) => fround(fround(start) + fround(0.5 * fround(extent)));
  return { extents, center: { x: middleOf(left, boxWidth), y: middleOf(top, boxHeight) } };
}

/** The scale, in float32, from pixels of the picture to those of the result, along one axis: `extent` pixels become the
 * `count` - 1 steps between the result's pixels. torch divides a number by a tensor as a product with the reciprocal.
 * @type {(count: number, extent: number) => number} */
const scaleOf = (count, extent) => fround(fround(1 / extent) * (count - 1));

/** The place in the picture, in pixels, from which each of `count` pixels of the result along one axis is sampled.
 * `extent`, `center`: of the part that becomes the result; `pixels`: of the picture along the axis. Places go through
 * torch's coordinates, -1 for the first pixel and 1 for the last, and each operation is rounded to float32, so that the
 * last bit is that of Python's `crop_and_resize`.
 * @type {(count: number, extent: number, center: number, pixels: number) => number[]} */
function placesOf(count, extent, center, pixels) {
  const scale = scaleOf(count, extent);
  const lastPixel = pixels - 1;
  return Array.from({ length: count }, (_, i) => {
    // i / scale pixels after the part's start, center - extent / 2.
    const place = fround(fround(fround(i / scale) + center) - fround(0.5 * extent));
    // From pixels to torch's coordinates, then back.
    const coordinate = fround(fround(fround(2 * place) / lastPixel) - 1);
    return fround(fround(coordinate + 1) * fround(lastPixel / 2));
  });
}

/** The `count` places in the middle of a list of places, as a crop keeps them. A crop that is longer than the list gets
 * infinite places at both ends, which lie outside of any picture, so that their pixels are 0.
 * @type {(places: readonly number[], count: number) => number[]} */
function middlePlaces(places, count) {
  const first = Math.trunc((places.length - count) / 2);
  return Array.from({ length: count }, (_, i) => {
    const index = first + i;
    if (index < 0) return -Infinity;
    return index < places.length ? places[index] : Infinity;
  });
}

/** Samples the part of an image around a box as a picture of `size`, and writes to `data` the three float32 planes of
 * its middle, of the size `crop`. `numbers`: a factor, three means and three deviations, by which samples are rescaled
 * and normalized. 768 x 1024 bicubic samples take 25 ms, in JavaScript 60 to 72 (measured).
 * @type {(image: Image, box: readonly number[], size: Size, crop: Size, numbers: readonly number[], data: Uint8Array)
 *   => void} */
function sampleBox(image, box, size, crop, numbers, data) {
  const { extents, center } = windowOf(box, size);
  const { width, height } = extents;
  const columns = middlePlaces(placesOf(size.width, width, center.x, image.width), crop.width);
  const rows = middlePlaces(placesOf(size.height, height, center.y, image.height), crop.height);
  // A part that shrinks along an axis is sampled linearly, as in Python; a scale that is NaN counts as cubic there.
  const shrinks = min(scaleOf(size.width, width), scaleOf(size.height, height)) < 1;
  const sampling = { isCubic: !shrinks, numbers, places: [columns, rows] };
  // Of the result a pixel is one float32, 4 bytes.
  samplePixels(image, sampling, { ...crop, channels: 4, rowstride: 4 * crop.width, data });
}

/** The seven numbers by which samples are rescaled and normalized: the factor, three means and three deviations. Where
 * both steps are on, the factor is 1, and the others are multiplied by its reciprocal, as in torchvision.
 * @type {(call: Call) => number[]} */
function rescalingNumbers(call) {
  // The formula lacks the numbers of a step that is off.
  const { scale = [1], mean = [0, 0, 0], std = [1, 1, 1] } = usualNumbers({ ...call, dtype: dtypes.float32 }).channels;
  return [scale[0], ...mean, ...std];
}

/** Makes a class that takes the option `boxes`: its `pixel_values` are then [boxes, 3, H, W], a crop for each box of
 * all pictures. Without boxes it does what `make` does with whole pictures.
 * @type {(make: Make) => Make} */
export const withBoxes = (make) =>
  withSettings([...make.reads, 'boxes'], (call, pictures) => {
    const { boxes: lists, size: sizeSetting, do_center_crop: crops, crop_size: cropSetting } = call.settings;
    if (!lists) return make(call, pictures);
    checkBoxes(lists, pictures.length);
    const size = exactSize(sizeSetting);
    checkSize(size);
    const cropSize = crops ? exactSize(cropSetting, 'crop_size') : size;
    const count = lists.flat().length;
    const { dtype = dtypes.float32 } = call;
    const tensor = pixelTensor(call, dtype, [count, 3, cropSize.height, cropSize.width]);
    const bytes = bytesOf(tensor.data);
    const planes = new Float32Array(3 * cropSize.width * cropSize.height);
    const cropBytes = bytes.length / count;
    let firstByte = 0;
    pictures.forEach((picture, i) => {
      const { image, onStep } = rendered(picture);
      for (const box of lists[i]) {
        onStep?.({ name: 'warp' });
        // A copy, which reads `data` once: a getter may compute it.
        sampleBox({ ...image }, box, size, cropSize, rescalingNumbers(call), bytesOf(planes));
        bytes.set(encoded(planes, dtype), firstByte);
        firstByte += cropBytes;
      }
    });
    return { pixel_values: tensor };
  });
