/** Faces turned upright, as InsightFace crops them. */
import * as args from '../arguments/index.js';
import { isNumberList, readNumbers } from './numbers/lists.js';
import { movedAffine } from './warp.js';

/** @import { AlignFaceOptions, Pixels, WarpedPixels } from './types.js' */

const { fround } = Math;

/** @typedef {[x: number, y: number]} Point */

/** @type {Point[]} Where ArcFace has both eyes, the nose and both corners of the mouth, in 112 x 112 pixels. */
const arcFacePoints = [
  [38.2946, 51.6963],
  [73.5318, 51.5014],
  [56.0252, 71.7366],
  [41.5493, 92.3655],
  [70.7299, 92.2041],
];

/**
 * Turns, scales and cuts a face out of a picture, with the bytes of InsightFace's `norm_crop` of float64 landmarks. Of
 * float32 landmarks Python computes the map in float32, which changes .15 % of the bytes by 1.
 * @param {Pixels} image bytes of 1, 3 or 4 channels
 * @param {readonly number[] | readonly (readonly number[])[] | Float32Array | Float64Array} landmarks x and y of the
 *   left eye, the right eye, the nose, the left and the right corner of the mouth, as they are seen
 * @param {AlignFaceOptions} [options]
 * @returns {WarpedPixels} square, black beyond the picture, with memory of its own, or over `out.data`
 * @example
 * const image = { data: new Uint8Array(3 * 200 * 200), width: 200, height: 200 };
 * const landmarks = [[80, 90], [120, 90], [100, 115], [85, 140], [115, 140]];
 * alignFace(image, landmarks).width; // 112
 */
export function alignFace(image, landmarks, options) {
  return args.named('alignFace', () => {
    const { size, out } = args.readTable(options, table);
    const matrix = similarityOf(readLandmarks(landmarks), templateOf(size));
    return movedAffine(image, matrix, { width: size, height: size, out });
  });
}

const table = { size: readFaceSize, out: args.later };

/** Reads the side of the result in pixels, which InsightFace has as a multiple of 112 or 128: 112 if omitted.
 * @type {(name: string, value: unknown) => number} */
function readFaceSize(name, value = 112) {
  const size = args.readExtent(name, value);
  if (size % 112 > 0 && size % 128 > 0) args.rangeError(`${name} must be a multiple of 112 or 128, got ${size}`);
  return size;
}

/** Reads five points: as lists of two numbers each, or as ten numbers in a row.
 * @type {(value: readonly number[] | Float32Array | Float64Array | readonly (readonly number[])[]) => Point[]} */
function readLandmarks(value) {
  if (!isNumberList(value)) args.typeError(`landmarks must be a list of 5 points, got ${args.showClass(value)}`);
  const count = 2 * arcFacePoints.length;
  // The last argument of copyList is the most entries that it copies: `count` numbers, or fewer points.
  const list = Array.isArray(value) ? args.copyList('landmarks', value, count) : value;
  const flat = Array.isArray(list)
    ? list.flatMap((point) => (Array.isArray(point) ? args.copyList('a point', point, 2) : point))
    : list;
  const numbers = readNumbers('landmarks', flat, count);
  return arcFacePoints.map((_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
}

/** Scales ArcFace's five points to a result of `size` pixels a side, in float32 steps as InsightFace's `estimate_norm`.
 * In multiples of 128 that are none of 112, ArcFace's 112 columns are the middle ones of 128.
 * @type {(size: number) => Point[]} */
function templateOf(size) {
  const isOf128 = size % 112 > 0;
  const ratio = size / (isOf128 ? 128 : 112);
  const margin = (128 - 112) / 2; // columns of 128 to the left of the middle ones
  const shiftX = isOf128 ? margin * ratio : 0;
  /** @type {(coordinate: number) => number} */
  const scaled = (coordinate) => fround(fround(coordinate) * fround(ratio));
  return arcFacePoints.map(([x, y]) => [fround(scaled(x) + shiftX), scaled(y)]);
}

/** The mean of five points. `round` rounds each sum and both quotients, to float32 or not at all
 * @type {(points: readonly Point[], round: (x: number) => number) => Point} */
function meanOf(points, round) {
  let [sumX, sumY] = [0, 0];
  for (const [x, y] of points) [sumX, sumY] = [round(sumX + x), round(sumY + y)];
  return [round(sumX / 5), round(sumY / 5)];
}

/** Finds the rotation, scale and shift that bring five points nearest to five others: least squares, as scikit-image's
 * `SimilarityTransform.estimate`, but in closed form. Gives an affine matrix row by row.
 * @type {(from: readonly Point[], to: readonly Point[]) => number[]} */
function similarityOf(from, to) {
  const [fromMeanX, fromMeanY] = meanOf(from, (x) => x);
  // `to` is float32 in Python, and so are its means.
  const [toMeanX, toMeanY] = meanOf(to, fround);
  // With points as complex numbers, z of `from` and w of `to`, both counted from their means, the best factor from z to
  // w is sum(conj(z) w) / sum(|z|^2).
  let [realSum, imaginarySum, squareSum] = [0, 0, 0];
  from.forEach(([x, y], i) => {
    const [toX, toY] = to[i];
    const zx = x - fromMeanX;
    const zy = y - fromMeanY;
    const wx = fround(toX - toMeanX);
    const wy = fround(toY - toMeanY);
    realSum += zx * wx + zy * wy;
    imaginarySum += zx * wy - zy * wx;
    squareSum += zx * zx + zy * zy;
  });
  if (squareSum === 0) args.rangeError(`landmarks must not be one point, got ${args.showList(from.flat())}`);
  const scaledCosine = realSum / squareSum;
  const scaledSine = imaginarySum / squareSum;
  // The shift brings the mean of `from` to that of `to`.
  const shiftX = toMeanX - (scaledCosine * fromMeanX - scaledSine * fromMeanY);
  const shiftY = toMeanY - (scaledSine * fromMeanX + scaledCosine * fromMeanY);
  return [scaledCosine, -scaledSine, shiftX, scaledSine, scaledCosine, shiftY];
}
