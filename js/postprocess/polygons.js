/** Polygons of points, as OpenCV 5 has them. */
import {
  flag,
  largest,
  named,
  rangeError,
  readBoolean,
  readCount,
  readEntries,
  readNumber,
  readTable,
  show,
  showList,
  smallest,
  typeError,
} from '../arguments/index.js';
import {
  approximationOf,
  areaInside,
  cornersOfRect,
  filledPolygon,
  gatherRows,
  hullOf,
  smallestRect,
} from '../engines/results/index.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { checkShape, floatRowsAt, floats, integers, readCpuTensor, readFloats, readIntegers } from './tensors.js';

/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { AreaOptions, HullOptions } from './option-types.js' */

/** @type {(type: unknown) => boolean} */
const isFloatType = (type) => typeof type === 'string' && type.startsWith('float');

/** Reads points [n, 2] as float32. Refuses an empty list and infinite coordinates.
 * @type {(name: string, value: TensorLike) => Float32Array} */
function readPoints(name, value) {
  const isFloat = isFloatType(value?.type);
  const { data, dims } = isFloat ? readFloats(name, value) : readIntegers(name, value);
  checkShape(name, dims, ['n', 2]);
  if (dims[0] === 0) rangeError(`${name} must have points, got dims ${showList(dims)}`);
  const points = Float32Array.from(data);
  if (!points.every(Number.isFinite)) rangeError(`${name} must be finite`);
  return points;
}

const hullTable = { clockwise: flag(false), returnPoints: flag(true) };

/**
 * The convex hull of points, without those on its edges, as `cv2.convexHull` gives it: from the rightmost point on, or
 * from the first or the last point where the others then follow in order.
 * @param {TensorLike} points [n, 2]: x and y, int32, int64 or float32
 * @param {HullOptions} [options]
 * @returns {Tensor} float32 [m, 2], or int32 [m]
 * @example
 * const points = Tensor.from('int32', [0, 0, 2, 0, 1, 1, 2, 2, 0, 2], [5, 2]);
 * convexHull(points).toArray(); // [0, 0, 2, 0, 2, 2, 0, 2]
 */
export function convexHull(points, options) {
  return named('convexHull', () => {
    const coordinates = readPoints('points', points);
    const { clockwise, returnPoints } = readTable(options, hullTable);
    const hull = reorderAsOpencv(hullOf(coordinates), coordinates, clockwise);
    return returnPoints ? floatRowsAt(coordinates, 2, hull) : integers(hull, [hull.length]);
  });
}

/** Orders the points of a hull as OpenCV lists them. `hull` goes counterclockwise (with y upwards) from the
 * rightmost point; with `clockwise`, OpenCV goes the other way, from the leftmost point. But if another first point
 * would give the order in which the caller listed the points, or the reverse of it, OpenCV begins there.
 * @param {Int32Array} hull indices of points
 * @param {Float32Array} points
 * @param {boolean} clockwise
 * @returns {Int32Array} */
function reorderAsOpencv(hull, points, clockwise) {
  const ordered = clockwise ? clockwiseFromLeftmost(hull, points) : [...hull];
  // Of two points each order is the caller's or backwards: they stay.
  if (ordered.length <= 2) return Int32Array.from(ordered);
  return Int32Array.from(inCallersOrder(ordered) ?? ordered);
}

/** Turns a hull that goes counterclockwise into one that goes clockwise from the leftmost point or, of several, the one
 * with the least y.
 * @type {(hull: Int32Array, points: Float32Array) => number[]} */
function clockwiseFromLeftmost(hull, points) {
  const clockwiseHull = [...hull].reverse();
  const leftmost = clockwiseHull.reduce((best, index) => (isLefter(points, index, best) ? index : best));
  return beginAt(clockwiseHull, leftmost);
}

/** Tells whether point `a` is farther left than point `b` or, if neither is, has a lower y.
 * @type {(points: Float32Array, a: number, b: number) => boolean} */
function isLefter(points, a, b) {
  const [ax, ay] = [points[2 * a], points[2 * a + 1]];
  const [bx, by] = [points[2 * b], points[2 * b + 1]];
  return ax === bx ? ay < by : ax < bx;
}

/** Begins a closed line, a list of indices, at another place, so that the indices rise from the first to the last, or
 * fall from the first to the last; undefined if no place is such.
 * @type {(around: number[]) => number[] | undefined} */
function inCallersOrder(around) {
  const fromLowest = beginAt(around, smallest(around));
  const isRising = fromLowest.every((index, i) => i === 0 || index > fromLowest[i - 1]);
  if (isRising) return fromLowest;
  const fromHighest = beginAt(around, largest(around));
  const isFalling = fromHighest.every((index, i) => i === 0 || index < fromHighest[i - 1]);
  return isFalling ? fromHighest : undefined;
}

/** Begins a closed line, a list of indices, at one of them. @type {(around: number[], first: number) => number[]} */
function beginAt(around, first) {
  const place = around.indexOf(first);
  return [...around.slice(place), ...around.slice(0, place)];
}

/**
 * A rectangle around its center.
 * @typedef {object} RotatedRect
 * @property {readonly [x: number, y: number]} center
 * @property {readonly [width: number, height: number]} size
 * @property {number} angle in degrees
 */

/**
 * The smallest rectangle around points, as `cv2.minAreaRect` of OpenCV 5 gives it: the angle is from -90 to 0. Where
 * two rectangles have the same area, the order of the points can decide in OpenCV.
 * @param {TensorLike} points [n, 2]: x and y, int32, int64 or float32
 * @returns {RotatedRect}
 * @example
 * minAreaRect(Tensor.from('int32', [0, 0, 4, 0, 4, 2, 0, 2], [4, 2])).center; // [2, 1]
 */
export function minAreaRect(points) {
  return named('minAreaRect', () => {
    const [x, y, width, height, angle] = smallestRect(readPoints('points', points));
    return { center: [x, y], size: [width, height], angle };
  });
}

/**
 * The corners of a rectangle, as `cv2.boxPoints` gives them.
 * @param {RotatedRect} rect
 * @returns {Tensor} float32 [4, 2]
 * @example
 * boxPoints({ center: [2, 1], size: [4, 2], angle: 0 }).toArray(); // [0, 2, 0, 0, 4, 0, 4, 2]
 */
export function boxPoints(rect) {
  return named('boxPoints', () => {
    if (typeof rect !== 'object' || rect === null) typeError(`rect must be an object, got ${show(rect)}`);
    const { center, size, angle } = rect;
    const numbers = [...readEntries('center', center, 2), ...readEntries('size', size, 2), angle];
    if (numbers.length !== 5 || !numbers.every(Number.isFinite))
      rangeError(`rect must hold 5 finite numbers, got ${showList(numbers)}`);
    return floats(cornersOfRect(Float32Array.from(numbers)), [4, 2]);
  });
}

/**
 * The area inside a closed contour, as `cv2.contourArea` gives it.
 * @param {TensorLike} contour [n, 2]: x and y, int32, int64 or float32
 * @param {AreaOptions} [options]
 * @returns {number}
 * @example
 * contourArea(Tensor.from('int32', [0, 0, 4, 0, 4, 2, 0, 2], [4, 2])); // 8
 */
export function contourArea(contour, options) {
  return named('contourArea', () => {
    const signedArea = areaInside(readPoints('contour', contour));
    const { oriented } = readTable(options, { oriented: flag(false) });
    return oriented ? signedArea : Math.abs(signedArea);
  });
}

/**
 * A polygon with fewer points, none farther from the given one than a distance, as `cv2.approxPolyDP` gives it. Points
 * that stay have their numbers; whole numbers are exact up to 2^24.
 * @param {TensorLike} curve [n, 2]: x and y, int32, int64 or float32
 * @param {number} epsilon the distance, at least 0
 * @param {boolean} closed whether the last point and the first are joined
 * @returns {Tensor} [m, 2], float32, or int32 for whole numbers
 * @example
 * const curve = Tensor.from('int32', [0, 0, 5, 1, 9, 0, 9, 9, 0, 9], [5, 2]);
 * approxPolyDP(curve, 2, true).toArray(); // [0, 0, 9, 0, 9, 9, 0, 9]
 */
export function approxPolyDP(curve, epsilon, closed) {
  return named('approxPolyDP', () => {
    const points = readPoints('curve', curve);
    if (!(readNumber('epsilon', epsilon) >= 0)) rangeError(`epsilon must be at least 0, got ${epsilon}`);
    const keptIndices = approximationOf(points, epsilon, readBoolean('closed', closed));
    const keptPoints = gatherRows(points, 2, keptIndices);
    const dims = [keptIndices.length, 2];
    return isFloatType(curve.type) ? floats(keptPoints, dims) : integers(Int32Array.from(keptPoints), dims);
  });
}

/** @type {(type: DType) => void} */
function checkByteMask(type) {
  if (type !== dtypes.uint8 && type !== dtypes.bool) typeError(`mask type must be uint8 or bool, got ${type.name}`);
}

/** Products of two differences of such coordinates are exact in float64. */
const maxCoordinate = 2 ** 24;

/**
 * Fills a polygon, as `cv2.fillPoly` does with one: the pixels inside, and those of the lines between its points.
 * A line that leaves the picture is cut there, at a whole place, as OpenCV cuts it.
 * @param {TensorLike} mask [height, width], uint8 or bool; it is not changed
 * @param {TensorLike} points [n, 2]: x and y, int32 or int64
 * @param {number} [value] 1 if omitted
 * @returns {Tensor} of the mask's type and dims
 * @example
 * const mask = Tensor.from('uint8', [0, 0, 0, 0, 0, 0], [2, 3]);
 * fillPoly(mask, Tensor.from('int32', [0, 0, 1, 0, 1, 1, 0, 1], [4, 2]), 7).toArray(); // [7, 7, 0, 7, 7, 0]
 */
export function fillPoly(mask, points, value = 1) {
  return named('fillPoly', () => {
    const { data, dims, dtype } = readCpuTensor('mask', mask, checkByteMask);
    checkShape('mask', dims, ['height', 'width']);
    const polygon = readIntegers('points', points, ['n', 2]).data;
    const outside = polygon.find((coordinate) => Math.abs(coordinate) > maxCoordinate);
    if (outside !== undefined) rangeError(`points must be in [${-maxCoordinate}, ${maxCoordinate}], got ${outside}`);
    const maxValue = dtype === dtypes.bool ? 1 : 255;
    if (readCount('value', value) > maxValue) rangeError(`value must be in [0, ${maxValue}], got ${value}`);
    return tensorOf(dtype, filledPolygon(data, dims, polygon, value), dims);
  });
}
