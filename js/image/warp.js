/** Pixels through an affine map or a perspective, as OpenCV moves them. */
import {
  flag,
  later,
  named,
  rangeError,
  readTable,
  row,
  showClass,
  showList,
  typeError,
  word,
} from '../arguments/index.js';
import { ready, warpPixels } from '../engines/images/index.js';
import { isNumberList, readNumbers } from './numbers/lists.js';
import { pixelOf, readBackgroundOption } from './resizing/background.js';
import { checkSides, readSide } from './resizing/size.js';
import { checkPixels, readBytePixels, readOutPixels } from './sources/pixels.js';
import { resultPixels } from './sources/target.js';

/** @import { Pixels, WarpOptions, WarpedPixels } from './types.js' */

/**
 * Moves pixels by an affine map, with the bytes of OpenCV 5's `cv2.warpAffine` on x86 with AVX2.
 * @param {Pixels} image bytes of 1, 3 or 4 channels, with sides of up to 65536 pixels
 * @param {readonly number[] | Float32Array | Float64Array} matrix 6 numbers, row by row: `[a, b, c, d, e, f]` moves the
 *   pixel at x and y to a x + b y + c and d x + e y + f
 * @param {WarpOptions} [options]
 * @returns {WarpedPixels} with memory of its own, or over `out.data`
 * @example
 * const image = { data: Uint8Array.of(10, 20, 30), width: 3, height: 1 };
 * warpAffine(image, [1, 0, 0.5, 0, 1, 0]).data; // Uint8Array [5, 15, 25]
 */
export function warpAffine(image, matrix, options) {
  return named('warpAffine', () => movedAffine(image, matrix, options));
}

/** Moves pixels by an affine map, for functions that name their errors themselves. @type {typeof warpAffine} */
export const movedAffine = (image, matrix, options) => warpImage(image, readMatrix(matrix, 6), inverseAffine, options);

/**
 * Moves pixels by a perspective, with the bytes of OpenCV 5's `cv2.warpPerspective` on x86 with AVX2.
 * @param {Pixels} image bytes of 1, 3 or 4 channels, with sides of up to 65536 pixels
 * @param {readonly number[] | Float32Array | Float64Array} matrix 9 numbers, row by row: `[a, b, c, d, e, f, g, h, i]`
 *   moves the pixel at x and y to (a x + b y + c) / w and (d x + e y + f) / w, where w is g x + h y + i
 * @param {WarpOptions} [options]
 * @returns {WarpedPixels} with memory of its own, or over `out.data`
 * @example
 * const image = { data: Uint8Array.of(10, 20, 30), width: 3, height: 1 };
 * const options = { filter: 'nearest', border: 'replicate', inverse: true };
 * warpPerspective(image, [2, 0, 0, 0, 1, 0, 0, 0, 1], options).data; // Uint8Array [10, 30, 30]
 */
export function warpPerspective(image, matrix, options) {
  return named('warpPerspective', () => warpImage(image, readMatrix(matrix, 9), inversePerspective, options));
}

const table = {
  width: row(readSide, undefined),
  height: row(readSide, undefined),
  filter: word(['nearest', 'linear', 'cubic'], 'linear'),
  border: word(['constant', 'replicate'], 'constant'),
  background: readBackgroundOption,
  inverse: flag(false),
  out: later,
};

/** Reads a matrix of `count` numbers.
 * @type {(value: readonly number[] | Float32Array | Float64Array, count: number) => number[]} */
function readMatrix(value, count) {
  if (!isNumberList(value)) typeError(`matrix must be a list of ${count} numbers, got ${showClass(value)}`);
  return readNumbers('matrix', value, count);
}

/** Moves pixels by a matrix. The wasm module needs the one from the result to the picture. `map`: that matrix with the
 * option `inverse`, otherwise the one from the picture to the result; `invert`: inverts a matrix
 * @type {(image: Pixels, map: number[], invert: (matrix: number[]) => number[], options: WarpOptions | undefined) =>
 *   WarpedPixels} */
function warpImage(image, map, invert, options) {
  ready();
  const source = readBytePixels('image', image);
  checkSides('image', source);
  const { filter, border, background, inverse, out, ...sides } = readTable(options, table);
  const { width = source.width, height = source.height } = sides;
  const outPixels = readOutPixels(out);
  const matrix = inverse ? map : invert(map);
  if (!matrix.every(Number.isFinite)) rangeError(`matrix must have an inverse, got ${showList(map)}`);
  const picture = checkPixels(source);
  const { channels } = picture;
  const pixel = pixelOf(background, channels);
  const { data, target } = resultPixels(outPixels, { isFloat: false, width, height }, picture);
  // Without a background, pixels beyond the picture repeat its edge.
  const borderPixel = border === 'constant' ? pixel : undefined;
  warpPixels(picture, { filter, matrix, background: borderPixel }, target);
  return { data, width, height, channels };
}

/** Inverts an affine map of 6 numbers, row by row, in OpenCV's order of operations. A map without an inverse gives
 * numbers that are not finite.
 * @type {(matrix: number[]) => number[]} */
function inverseAffine([a, b, shiftX, d, e, shiftY]) {
  const factor = 1 / (a * e - b * d); // 1 / determinant
  // The inverse of the matrix [[a, b], [d, e]] is [[p, q], [r, s]]; it brings the negative shift back.
  const [p, q, r, s] = [e * factor, -b * factor, -d * factor, a * factor];
  const inverseShiftX = -p * shiftX - q * shiftY;
  const inverseShiftY = -r * shiftX - s * shiftY;
  return [p, q, inverseShiftX, r, s, inverseShiftY];
}

/** Inverts a perspective of 9 numbers, row by row, in OpenCV's order of operations: the adjugate matrix over the
 * determinant. One without an inverse gives numbers that are not finite.
 * @type {(matrix: number[]) => number[]} */
function inversePerspective([a, b, c, d, e, f, g, h, i]) {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const factor = 1 / determinant;
  const adjugate = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return adjugate.flat().map((entry) => entry * factor);
}
