/** The order and the tree of a mask's borders, as OpenCV lists them. */

/** OpenCV's -1: no such border. */
export const none = -1;
/** Stands for the parent of a border that mode 'external' leaves out, because it lies inside another. */
export const leftOut = -2;

/** Orders borders as OpenCV lists them: the outermost ones from the last found to the first, each followed by its
 * children in the same order. `parents`: of each border, {@link none} or {@link leftOut}. `order` has the borders,
 * `placeOf` gives the index of a border in `order`, and `hierarchy` has four such indices for each: next, previous,
 * first child and parent. All are typed arrays, because a picture of 4 megapixels can have a million borders.
 * @type {(parents: Int32Array) =>
 *   { order: Int32Array, placeOf: (border: number) => number, hierarchy: Int32Array }} */
export function treeOf(parents) {
  const links = linkSiblings(parents);
  const order = inListOrder(parents, links);
  const places = new Int32Array(parents.length).fill(none);
  order.forEach((border, place) => {
    places[border] = place;
  });
  const placeOf = (/** @type {number} */ border) => (border === none ? none : places[border]);
  const hierarchy = new Int32Array(4 * order.length);
  order.forEach((border, place) => {
    // The list goes from the last found to the first, so the next one was found earlier.
    const [next, previous, firstChild] = [links.earlier[border], links.later[border], links.lastChild[border]];
    hierarchy.set([next, previous, firstChild, parents[border]].map(placeOf), 4 * place);
  });
  return { order, placeOf, hierarchy };
}

/** The siblings of each border that were found just before it and just after it, and its last child, or {@link none}.
 * The outermost borders are the children of a root, whose index is the count of borders.
 * @typedef {{ earlier: Int32Array, later: Int32Array, lastChild: Int32Array, root: number }} SiblingLinks */

/** @type {(parents: Int32Array) => SiblingLinks} */
function linkSiblings(parents) {
  const root = parents.length;
  const lastChild = new Int32Array(root + 1).fill(none);
  const [earlier, later] = [new Int32Array(root).fill(none), new Int32Array(root).fill(none)];
  parents.forEach((parent, border) => {
    if (parent === leftOut) return;
    const family = parent === none ? root : parent;
    const sibling = lastChild[family];
    if (sibling !== none) later[sibling] = border;
    earlier[border] = sibling;
    lastChild[family] = border;
  });
  return { earlier, later, lastChild, root };
}

/** Lists the outermost borders from the last found to the first, each followed by its children in the same order.
 * @type {(parents: Int32Array, links: SiblingLinks) => Int32Array} */
function inListOrder(parents, { earlier, lastChild, root }) {
  const order = new Int32Array(parents.length);
  let length = 0;
  let border = lastChild[root];
  while (border !== none) {
    order[length] = border;
    length++;
    const hasChildren = lastChild[border] !== none;
    if (hasChildren) {
      border = lastChild[border];
      continue;
    }
    // The nearest ancestor, or the border itself, that has a sibling in front of it.
    while (border !== none && earlier[border] === none) border = parents[border];
    if (border !== none) border = earlier[border];
  }
  return order.subarray(0, length);
}
