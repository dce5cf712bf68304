/** VitPose: the picture of each person's box, turned upright. */
import { copyList, rangeError, show, typeError } from '../../arguments/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { exactSize, lazyImage, pictureOf, rendered, reportStep } from '../pictures/index.js';
import { stack, usualNumbers, withSettings } from '../steps/index.js';
import { listOf } from '../settings/index.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Reader, Size } from '../types.js' */

/** One axis of an affine map: pixel i of the result is sampled at `scale * i + shift`, in pixels of the picture.
 * @typedef {{ scale: number, shift: number }} Axis */

/** Reads the option `boxes`: for each image a list of boxes, as COCO has them: [left, top, width, height]. Returns a
 * copy.
 * @type {Reader} */
export function boxes(name, value) {
  const lists = listOf(name, value);
  return lists.map((list, i) => {
    if (!Array.isArray(list)) typeError(`${name}[${i}] must be a list of boxes, got ${show(list)}`);
    return copyList(`${name}[${i}]`, list).map((box, k) => {
      const numbers = Array.isArray(box) ? copyList(`${name}[${i}][${k}]`, box) : [];
      if (numbers.length !== 4 || !numbers.every(Number.isFinite))
        typeError(`${name}[${i}][${k}] must be [left, top, width, height], got ${show(box)}`);
      return numbers;
    });
  });
}

/** Refuses lists of boxes whose number is not `count`, one for each image, and lists that hold no box at all.
 * @type {(lists: readonly (readonly number[][])[], count: number) => void} */
export function checkBoxes(lists, count) {
  if (lists.length !== count) rangeError(`boxes must hold ${count} lists, one for each image, got ${lists.length}`);
  if (lists.flat().length === 0) rangeError('boxes must hold a box at least, got none');
}

const { floor, fround, min } = Math;

/** Constants of Python's class: the factor by which a box is enlarged around its center, and the pixels that a scale of
 * 1 stands for. */
const [padding, pixelsOfScale] = [1.25, 200];

/** The axes x and y that map pixels of the result, which has `size`, to places in the picture, for a box [left, top,
 * width, height] that is widened along one side to the ratio of `size`. `factor`: the setting `normalize_factor`.
 * Operations are rounded to float32 where those of Python's `box_to_center_and_scale` and `get_warp_matrix` are.
 * @type {(box: readonly number[], size: Size, factor: number) => [x: Axis, y: Axis]} */
function axesOf([left, top, wide, high], size, factor) {
  const ratio = size.width / size.height;
  const isWide = wide > ratio * high;
  const width = isWide ? wide : high * ratio;
  const height = isWide ? wide / ratio : high;
  const centerX = fround(left + wide * 0.5);
  const centerY = fround(top + high * 0.5);
  return [axisOf(centerX, width, size.width, factor), axisOf(centerY, height, size.height, factor)];
}

/** Maps `count` pixels of the result to the picture, along one side of a box that is enlarged by a quarter around its
 * center. `boxExtent`: the length of that side, in pixels of the picture; `factor`: the setting `normalize_factor`, by
 * which Python makes a scale of the length
 * @type {(center: number, boxExtent: number, count: number, factor: number) => Axis} */
function axisOf(center, boxExtent, count, factor) {
  const boxScale = fround(boxExtent / factor);
  const extent = fround(fround(boxScale * padding) * pixelsOfScale);
  // Python's matrix maps the picture to the result, so that the centers of the outermost pixels meet the box's ends.
  const scale = (count - 1) / extent;
  // Where the box begins, center - extent / 2, with the opposite sign.
  const minusStart = fround(fround(-0.5 * fround(center * 2)) + fround(0.5 * extent));
  const shift = scale * minusStart;
  // The matrix is float32; the axis is its inverse.
  const [matrixScale, matrixShift] = [fround(scale), fround(shift)];
  return { scale: 1 / matrixScale, shift: -matrixShift / matrixScale };
}

/** Computes the RGB bytes of a result of this size, as Python's `scipy_warp_affine` does: each pixel is interpolated
 * linearly between four of the RGB image's, and rounded half up; places outside of the image give 0. `axes`: map pixels
 * of the result to the image. The loop takes 1.7 to 2 ms for a box of 192 x 256 of a picture of 1200 x 900, a kernel of
 * the same sums 2.1 (measured).
 * @type {(image: Image, size: Size, axes: [Axis, Axis]) => Uint8Array} */
function warpedPixels({ data, width, height, channels, rowstride }, size, [ofX, ofY]) {
  const pixels = newData(dtypes.uint8, 3 * size.width * size.height, undefined);
  for (let row = 0; row < size.height; row++) {
    const y = ofY.scale * row + ofY.shift;
    for (let column = 0; column < size.width; column++) {
      const x = ofX.scale * column + ofX.shift;
      const isInside = x >= 0 && x <= width - 1 && y >= 0 && y <= height - 1;
      if (!isInside) continue;
      const to = 3 * (row * size.width + column);
      const leftColumn = floor(x);
      const upperRow = floor(y);
      const rightWeight = x - leftColumn;
      const lowerWeight = y - upperRow;
      const leftWeight = 1 - rightWeight;
      const upperWeight = 1 - lowerWeight;
      // Places of bytes: of a column in its row, and of a row's first pixel.
      const left = leftColumn * channels;
      const right = min(leftColumn + 1, width - 1) * channels;
      const upper = upperRow * rowstride;
      const lower = min(upperRow + 1, height - 1) * rowstride;
      for (let c = 0; c < 3; c++) {
        const value =
          upperWeight * leftWeight * data[upper + left + c] +
          upperWeight * rightWeight * data[upper + right + c] +
          lowerWeight * leftWeight * data[lower + left + c] +
          lowerWeight * rightWeight * data[lower + right + c];
        pixels[to + c] = floor(value + 0.5);
      }
    }
  }
  return pixels;
}

/** Stacks a warped picture of each person's box, as VitPose does. */
export const makeVitPose = withSettings(
  [...usualNumbers.reads, 'size', 'default_to_square', 'do_affine_transform', 'normalize_factor', 'boxes'],
  (call, pictures) => {
    const { settings } = call;
    const { do_affine_transform: warps, boxes: lists, normalize_factor: factor } = settings;
    if (!lists) typeError('boxes must be given, got undefined');
    if (!warps) return { pixel_values: stack(call, pictures) };
    checkBoxes(lists, pictures.length);
    const size = exactSize(settings.size);
    const persons = pictures.flatMap((picture, i) => {
      const { image, onStep } = rendered(picture);
      return lists[i].map((/** @type {number[]} */ box) => {
        const shape = { ...size, channels: 3, rowstride: 3 * size.width };
        // Computed when it is first read, from a copy, which reads `data` once: a getter may compute it.
        const warped = lazyImage(shape, () => warpedPixels({ ...image }, size, axesOf(box, size, factor)));
        return reportStep(pictureOf(warped, { onStep }), { name: 'warp' });
      });
    });
    return { pixel_values: stack(call, persons) };
  },
);
