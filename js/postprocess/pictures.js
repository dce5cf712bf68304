/** Answers as pictures: colors of label maps, cut-outs, polygons, crops of text. */
import {
  copyList,
  isList,
  named,
  rangeError,
  readEntries,
  readOptions,
  show,
  showList,
  typeError,
} from '../arguments/index.js';
import { paintedLabels, warped, withAlpha } from '../engines/results/index.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { tracedContours } from './contours.js';
import { perspectiveOf } from './perspective.js';
import { readSize } from './settings.js';
import { checkShape, readFloats, readIntegers, readCpuTensor, resultIn } from './tensors.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { PictureOptions } from './option-types.js' */

/** @type {(data: Uint8Array, dims: number[]) => Tensor} */
const bytes = (data, dims) => tensorOf(dtypes.uint8, data, dims);

/** @typedef {readonly (readonly [red: number, green: number, blue: number, alpha?: number])[]} Palette */

/**
 * Paints a label map for a canvas.
 * @param {TensorLike} map [height, width], int32, int64 or uint8
 * @param {Palette} palette the color of each label; the alpha is 255 if omitted. Labels without a color are transparent
 * @param {PictureOptions} [options]
 * @returns {Tensor} uint8 [height, width, 4]: red, green, blue, alpha
 * @example
 * const map = Tensor.from('int32', [0, 1, -1], [1, 3]);
 * labelMapToImage(map, [[0, 0, 0], [255, 0, 0, 128]]).toArray(); // [0, 0, 0, 255, 255, 0, 0, 128, 0, 0, 0, 0]
 */
export function labelMapToImage(map, palette, options) {
  return named('labelMapToImage', () => {
    const { data, dims } = readIntegers('map', map, ['height', 'width']);
    const colors = readEntries('palette', palette).flatMap((color, i) => readColor(`palette[${i}]`, color));
    const { out } = readOptions(options, ['out']);
    return resultIn(out, dtypes.uint8, [...dims, 4], (to) => paintedLabels(data, Uint8Array.from(colors), to));
  });
}

/** Reads a color to red, green, blue and alpha. @type {(name: string, color: unknown) => number[]} */
function readColor(name, color) {
  const [red, green, blue, alpha = 255] = isList(color) ? copyList(name, color, 4) : [];
  const read = /** @type {number[]} */ ([red, green, blue, alpha]);
  if (!read.every((value) => Number.isInteger(value) && value >= 0 && value <= 255))
    rangeError(`${name} must be 3 or 4 whole numbers of 0 to 255, got ${show(color)}`);
  return read;
}

/** Reads a picture, uint8 [height, width, 3 or 4].
 * @type {(name: string, image: unknown) => { data: Uint8Array, dims: number[] }} */
function readImage(name, image) {
  const { data, dims } = readCpuTensor(name, image, (type) => {
    if (type !== dtypes.uint8) typeError(`${name} type must be uint8, got ${type.name}`);
  });
  checkShape(name, dims, ['height', 'width', 'channels']);
  if (dims[2] !== 3 && dims[2] !== 4) rangeError(`${name} must have 3 or 4 channels, got dims ${showList(dims)}`);
  return { data, dims };
}

/**
 * Gives a picture the alpha of a mask, for cut-outs and mattes.
 * @param {TensorLike} image uint8 [height, width, 3 or 4]
 * @param {TensorLike} mask [height, width]: bool; uint8, of 0 to 255; or float32, of 0 to 1
 * @param {PictureOptions} [options]
 * @returns {Tensor} uint8 [height, width, 4]
 * @example
 * const image = Tensor.from('uint8', [1, 2, 3], [1, 1, 3]);
 * applyAlpha(image, Tensor.from('float32', [0.5], [1, 1])).toArray(); // [1, 2, 3, 128]
 */
export function applyAlpha(image, mask, options) {
  return named('applyAlpha', () => {
    const { data: pixels, dims } = readImage('image', image);
    const [height, width, channels] = dims;
    const {
      dtype,
      data: alphas,
      dims: maskDims,
    } = readCpuTensor('mask', mask, (type) => {
      if (!['bool', 'uint8', 'float32'].includes(type.name))
        typeError(`mask type must be bool, uint8 or float32, got ${type.name}`);
    });
    checkShape('mask', maskDims, [height, width]);
    const { out } = readOptions(options, ['out']);
    const make = (/** @type {Uint8Array | undefined} */ to) => withAlpha(pixels, channels, alphas, dtype.name, to);
    return resultIn(out, dtypes.uint8, [height, width, 4], make);
  });
}

/**
 * The outlines of a mask's parts, as COCO writes them: holes are not among them.
 * @param {TensorLike} mask [height, width]: bool, uint8, int32 or float32, of which all but 0 is set
 * @returns {number[][]} x and y in turn, of at least 3 points each
 * @example
 * maskToPolygons(Tensor.from('bool', [1, 1, 1, 1], [2, 2])); // [[0, 0, 0, 1, 1, 1, 1, 0]]
 */
export function maskToPolygons(mask) {
  return named('maskToPolygons', () =>
    tracedContours(mask, { mode: 'external' })
      .contours.filter(({ dims }) => dims[0] >= 3)
      .map(({ data }) => [.../** @type {Int32Array} */ (data)]),
  );
}

/** A crop whose height divided by its width is at least this is taken for a vertical line of text, and turned. */
const uprightRatio = 1.5;

/**
 * Cuts a box of text out of a picture, straightened, as PaddleOCR does: a crop much higher than wide is turned by 90
 * degrees counterclockwise. The bytes are those of OpenCV 5's `cv2.warpPerspective` on x86 with AVX2.
 * @param {TensorLike} image uint8 [height, width, 3 or 4]
 * @param {TensorLike} box float32 [4, 2]: x and y of the corners, clockwise from the top left
 * @returns {Tensor} uint8 [height, width, channels]
 * @example
 * const image = Tensor.from('uint8', [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], [1, 4, 3]);
 * cropTextBox(image, Tensor.from('float32', [1, 0, 3, 0, 3, 1, 1, 1], [4, 2])).toArray(); // [2, 2, 2, 3, 3, 3]
 */
export function cropTextBox(image, box) {
  return named('cropTextBox', () => {
    const { data, dims } = readImage('image', image);
    if (data.length === 0) rangeError(`image must have pixels, got dims ${showList(dims)}`);
    const corners = readFloats('box', box, [4, 2]).data;
    if (!corners.every(Number.isFinite)) rangeError('box must be finite');
    const [topLeft, topRight, bottomRight, bottomLeft] = [0, 2, 4, 6].map((first) =>
      corners.subarray(first, first + 2),
    );
    const width = Math.trunc(Math.max(distanceOf(topLeft, topRight), distanceOf(bottomRight, bottomLeft)));
    const height = Math.trunc(Math.max(distanceOf(topLeft, bottomLeft), distanceOf(topRight, bottomRight)));
    const size = readSize('size of box', [height, width]);
    // From the pixels of the crop to those of the picture.
    const matrix = perspectiveOf(corners, size);
    if (!matrix) rangeError('box must have corners that are not on one line');
    const isTurned = height / width >= uprightRatio;
    const resultSize = isTurned ? [width, height] : size;
    const [, , channels] = dims;
    return bytes(warped(data, dims, matrix, size, isTurned), [...resultSize, channels]);
  });
}

/** The distance of two points, in float32 as NumPy computes it. @type {(a: Float32Array, b: Float32Array) => number} */
function distanceOf([ax, ay], [bx, by]) {
  const { fround } = Math;
  const [x, y] = [fround(ax - bx), fround(ay - by)];
  return fround(Math.sqrt(fround(fround(x * x) + fround(y * y))));
}
