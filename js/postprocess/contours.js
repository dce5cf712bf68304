/** Contours of masks, and polygons of points, as OpenCV 5 has them. A contour is the list of the pixels on a border; a
 * border is the outer edge of a region of set pixels, or the edge of a hole in it. */
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
  word,
} from '../arguments/index.js';
import {
  approximationOf,
  areaInside,
  contourFields,
  contoursOf,
  cornersOfRect,
  filledPolygon,
  hullOf,
  rowsOf,
  smallestRect,
} from '../engines/results/index.js';
import { leftOut, none, treeOf } from './contour-tree.js';
import { dtypes, tensorOf } from '../tensor/index.js';
import { checkShape, floats, integers, readFloats, readIntegers, readMasks, readPlaced } from './tensors.js';

/** @import { DType, Tensor, TensorLike } from '../tensor/index.js' */
/** @import { AreaOptions, ContourOptions, HullOptions } from './option-types.js' */

const table = {
  mode: word(['list', 'external', 'ccomp', 'tree'], 'list'),
  method: word(['simple', 'none'], 'simple'),
};

/**
 * Follows the borders of a mask, as `cv2.findContours` does: 8-connected parts, and their holes, the last found first;
 * children come right behind their parent.
 * @param {TensorLike} mask [height, width]: bool, uint8, int32 or float32, of which all but 0 is set
 * @param {ContourOptions} [options]
 * @returns {{ contours: Tensor[], parents: Tensor, hierarchy: Tensor }} int32 [n, 2] of x and y each; `parents` int32
 *   [n]: the index of the contour around each, or -1; `hierarchy` int32 [n, 4]: next, previous, first child and parent
 *   in the levels of the mode, or -1
 * @example
 * const mask = Tensor.from('bool', [1, 1, 1, 1], [2, 2]);
 * findContours(mask).contours[0].toArray(); // [0, 0, 0, 1, 1, 1, 1, 0]
 */
export function findContours(mask, options) {
  return named('findContours', () => tracedContours(mask, options));
}

/** The place of each number of a border in `contoursOf`'s list. `parent`: the border around it, or {@link none}. */
const fields = { firstPoint: 0, pointCount: 1, parent: 2, isHole: 3 };

/** {@link findContours} for other public functions, whose own names errors then have in front.
 * @type {(mask: unknown, options?: ContourOptions) => { contours: Tensor[], parents: Tensor, hierarchy: Tensor }} */
export function tracedContours(mask, options) {
  const { data, dims } = readMasks('mask', mask, ['height', 'width']);
  const { mode, method } = readTable(options, table);
  const { points, contours: borders } = contoursOf(data, dims, method === 'simple');
  const fieldOf = (/** @type {number} */ border, /** @type {keyof typeof fields} */ field) =>
    borders[contourFields * border + fields[field]];
  const surrounding = Int32Array.from({ length: borders.length / contourFields }, (_, border) =>
    fieldOf(border, 'parent'),
  );
  const parents = surrounding.map((parent, border) => parentInMode(mode, parent, fieldOf(border, 'isHole') === 1));
  const { order, placeOf, hierarchy } = treeOf(parents);
  const pointsOf = (/** @type {number} */ border) => {
    const [first, count] = [fieldOf(border, 'firstPoint'), fieldOf(border, 'pointCount')];
    return integers(points.slice(2 * first, 2 * (first + count)), [count, 2]);
  };
  return {
    contours: Array.from(order, pointsOf),
    parents: integers(
      order.map((border) => placeOf(surrounding[border])),
      [order.length],
    ),
    hierarchy: integers(hierarchy, [order.length, 4]),
  };
}

/** Gives the parent that `hierarchy` has for a border, of which `parent` is the one around it.
 * @type {(mode: string, parent: number, isHole: boolean) => number} */
function parentInMode(mode, parent, isHole) {
  if (mode === 'tree') return parent;
  if (mode === 'ccomp') return isHole ? parent : none;
  if (mode === 'external') return parent === none ? none : leftOut;
  return none;
}

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
    const read = readPoints('points', points);
    const { clockwise, returnPoints } = readTable(options, hullTable);
    const ordered = inOpencvOrder(hullOf(read), read, clockwise);
    if (!returnPoints) return integers(ordered, [ordered.length]);
    return floats(rowsOf(read, 2, ordered), [ordered.length, 2]);
  });
}

/** Puts the indices of a hull's points into OpenCV's order. `hull` goes from the rightmost point on, counterclockwise
 * as OpenCV means it, with y upwards; `clockwise` reverses it and begins at the leftmost point. If the hull, begun at
 * another point, has indices that rise or fall throughout, OpenCV begins there.
 * @type {(hull: Int32Array, points: Float32Array, clockwise: boolean) => Int32Array} */
function inOpencvOrder(hull, points, clockwise) {
  const circle = clockwise ? clockwiseFromLeft(hull, points) : [...hull];
  // Two indices always rise or fall: such a hull stays as it is.
  const ordered = circle.length > 2 ? sortedRotation(circle) : undefined;
  return Int32Array.from(ordered ?? circle);
}

/** Reverses a hull, and begins it at the leftmost point; of several, at the one with the least y.
 * @type {(hull: Int32Array, points: Float32Array) => number[]} */
function clockwiseFromLeft(hull, points) {
  const isLefter = (/** @type {number} */ a, /** @type {number} */ b) => {
    const [ax, ay, bx, by] = [points[2 * a], points[2 * a + 1], points[2 * b], points[2 * b + 1]];
    return ax === bx ? ay < by : ax < bx;
  };
  const circle = [...hull].reverse();
  return rotatedTo(
    circle,
    circle.reduce((best, point) => (isLefter(point, best) ? point : best)),
  );
}

/** Rotates a circle of indices so that they rise throughout or fall throughout; undefined if no rotation does.
 * @type {(circle: number[]) => number[] | undefined} */
function sortedRotation(circle) {
  const fromLowest = rotatedTo(circle, smallest(circle));
  if (fromLowest.every((index, i) => i === 0 || index > fromLowest[i - 1])) return fromLowest;
  const fromHighest = rotatedTo(circle, largest(circle));
  if (fromHighest.every((index, i) => i === 0 || index < fromHighest[i - 1])) return fromHighest;
  return undefined;
}

/** @type {(circle: number[], first: number) => number[]} */
function rotatedTo(circle, first) {
  const at = circle.indexOf(first);
  return [...circle.slice(at), ...circle.slice(0, at)];
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
    const area = areaInside(readPoints('contour', contour));
    return readTable(options, { oriented: flag(false) }).oriented ? area : Math.abs(area);
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
    const rows = rowsOf(points, 2, approximationOf(points, epsilon, readBoolean('closed', closed)));
    const dims = [rows.length / 2, 2];
    return isFloatType(curve.type) ? floats(rows, dims) : integers(Int32Array.from(rows), dims);
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
    const { data, dims, dtype } = readPlaced('mask', mask, checkByteMask);
    checkShape('mask', dims, ['height', 'width']);
    const polygon = readIntegers('points', points, ['n', 2]).data;
    const far = polygon.find((coordinate) => Math.abs(coordinate) > maxCoordinate);
    if (far !== undefined) rangeError(`points must be in [${-maxCoordinate}, ${maxCoordinate}], got ${far}`);
    const maxValue = dtype === dtypes.bool ? 1 : 255;
    if (readCount('value', value) > maxValue) rangeError(`value must be in [0, ${maxValue}], got ${value}`);
    return tensorOf(dtype, filledPolygon(data, dims, polygon, value), dims);
  });
}
