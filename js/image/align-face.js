/** Faces turned upright, as InsightFace crops them. */
import * as args from '../arguments/index.js';
import { isNumberList, readNumbers } from './numbers/lists.js';
import { movedAffine } from './warp.js';

/** @import { AlignFaceOptions, Pixels, WarpedPixels } from './types.js' */

const { fround } = Math;

/** Where ArcFace has both eyes, the nose and both corners of the mouth, in 112 x 112 pixels. */
const arcFace = [38.2946, 51.6963, 73.5318, 51.5014, 56.0252, 71.7366, 41.5493, 92.3655, 70.7299, 92.2041];

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

/** Reads five points as ten numbers, x before y.
 * @type {(value: readonly number[] | Float32Array | Float64Array | readonly (readonly number[])[]) => number[]} */
function readLandmarks(value) {
  if (!isNumberList(value)) args.typeError(`landmarks must be a list of 5 points, got ${args.showClass(value)}`);
  // At most ten entries are copied: 5 points or 10 numbers.
  const list = Array.isArray(value) ? args.copyList('landmarks', value, 10) : value;
  // Points are lists of two numbers each, or their numbers in a row.
  const numbers = Array.isArray(list)
    ? list.flatMap((point) => (Array.isArray(point) ? args.copyList('a point', point, 2) : point))
    : list;
  return readNumbers('landmarks', numbers, 10);
}

/** Scales ArcFace's five points to a result of `size` pixels a side: ten numbers, x before y, in float32 steps as
 * InsightFace's `estimate_norm` computes them. If the size is a multiple of 128 but not of 112, ArcFace's 112 columns
 * begin 8 columns from the left of 128.
 * @type {(size: number) => number[]} */
function templateOf(size) {
  const isWide = size % 112 > 0;
  const ratio = size / (isWide ? 128 : 112);
  const shift = isWide ? 8 * ratio : 0;
  return arcFace.map((place, i) => fround(fround(fround(place) * fround(ratio)) + (i % 2 === 0 ? shift : 0)));
}

/** Finds the rotation, scale and shift that bring five points nearest to five others: least squares, as scikit-image's
 * `SimilarityTransform.estimate`, but in closed form. Points are ten numbers, x before y. Gives the affine matrix row
 * by row, 6 numbers. Refuses five equal points, which have no scale.
 * @type {(from: number[], to: number[]) => number[]} */
function similarityOf(from, to) {
  // x and y of the points in `from`; u and v of those in `to`, which is float32 in Python, and so are its means.
  const [x, y, u, v] = [0, 1, 0, 1].map((odd, k) => (k < 2 ? from : to).filter((_, i) => i % 2 === odd));
  const mean = (/** @type {number[]} */ list) => list.reduce((sum, entry) => sum + entry, 0) / 5;
  const floatMean = (/** @type {number[]} */ list) => fround(list.reduce((sum, entry) => fround(sum + entry), 0) / 5);
  const [mx, my, mu, mv] = [mean(x), mean(y), floatMean(u), floatMean(v)];
  let [along, across, square] = [0, 0, 0];
  for (let i = 0; i < 5; i++) {
    const [dx, dy, du, dv] = [x[i] - mx, y[i] - my, fround(u[i] - mu), fround(v[i] - mv)];
    along += dx * du + dy * dv;
    across += dx * dv - dy * du;
    square += dx * dx + dy * dy;
  }
  if (square === 0) args.rangeError(`landmarks must not be one point, got ${args.showList(from)}`);
  const [a, b] = [along / square, across / square]; // the scale times the cosine and the sine of the angle
  return [a, -b, mu - (a * mx - b * my), b, a, mv - (b * mx + a * my)];
}
