/** Contours of masks, as OpenCV 5 has them. A contour is the list of the pixels on a border; a border is the outer edge
 * of a region of set pixels, or the edge of a hole in it. */
import { named, readTable, word } from '../arguments/index.js';
import { contourFields, contoursOf } from '../engines/results/index.js';
import { leftOut, none, treeOf } from './contour-tree.js';
import { integers, readMasks } from './tensors.js';

/** @import { Tensor, TensorLike } from '../tensor/index.js' */
/** @import { ContourOptions } from './option-types.js' */

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

/** Reads a border from the engine's list, in which each has {@link contourFields} numbers. Its points are `pointCount`
 * from the `firstPoint` of all on; `parent`: the border around it, or {@link none}; `isHole`: it is the edge of a hole.
 * @type {(list: Int32Array, border: number) =>
 *   { firstPoint: number, pointCount: number, parent: number, isHole: boolean }} */
function borderAt(list, border) {
  const place = contourFields * border;
  return {
    firstPoint: list[place],
    pointCount: list[place + 1],
    parent: list[place + 2],
    isHole: list[place + 3] === 1,
  };
}

/** {@link findContours} for other public functions, whose own names errors then have in front.
 * @type {(mask: unknown, options?: ContourOptions) => { contours: Tensor[], parents: Tensor, hierarchy: Tensor }} */
export function tracedContours(mask, options) {
  const { data, dims } = readMasks('mask', mask, ['height', 'width']);
  const { mode, method } = readTable(options, table);
  const { points, contours: list } = contoursOf(data, dims, method === 'simple');
  const parents = new Int32Array(list.length / contourFields);
  for (let border = 0; border < parents.length; border++) parents[border] = parentInMode(mode, borderAt(list, border));
  const { order, placeOf, hierarchy } = treeOf(parents);
  const contours = Array.from(order, (border) => {
    const { firstPoint, pointCount } = borderAt(list, border);
    const endPoint = firstPoint + pointCount;
    return integers(points.slice(2 * firstPoint, 2 * endPoint), [pointCount, 2]);
  });
  // In all modes `parents` of the result names the border around each, unlike the hierarchy.
  const placesOfParents = order.map((border) => placeOf(borderAt(list, border).parent));
  return {
    contours,
    parents: integers(placesOfParents, [order.length]),
    hierarchy: integers(hierarchy, [order.length, 4]),
  };
}

/** Gives the parent of a border in the hierarchy of OpenCV's mode RETR_TREE, RETR_CCOMP, RETR_EXTERNAL or RETR_LIST, or
 * {@link none}; {@link leftOut} if the mode does not list the border. `parent`: the border around it.
 * @type {(mode: string, border: { parent: number, isHole: boolean }) => number} */
function parentInMode(mode, { parent, isHole }) {
  if (mode === 'tree') return parent;
  if (mode === 'ccomp') return isHole ? parent : none; // two levels: outer borders, and their holes
  if (mode === 'external') return parent === none ? none : leftOut; // outermost borders alone
  return none; // 'list': no levels
}
