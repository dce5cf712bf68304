/**
 * Views: which elements of a dense tensor make another one, before any is moved. An operator that only rearranges says
 * its view, and a row of such operators is one view, so it costs one copy.
 */
import { planCopies, stridesOf } from '../engine/index.js';
import { sizeOf } from '../tensor/index.js';

/** @import { Describe } from '../engine/types.js' */

/**
 * A view, in elements. Its axes are made of factors, each an extent and a stride: one factor an axis (then `extents` is
 * `dims`), or any number, such as the two of an axis that DepthToSpace makes of two. Factors of 1 are left out then,
 * and those of one axis follow one another.
 * @typedef {object} View
 * @property {number[]} dims
 * @property {number[]} extents of the factors, outermost first
 * @property {number[]} strides of the factors
 * @property {number} first
 * @property {typeof ofFactors} [ofFactors] of a view that is made by {@link viewOf}: what only those need, so that a
 *   bundle of Transpose alone goes without it
 */
/** @typedef {[extent: number, stride: number]} Factor */

/**
 * The view that is the tensor itself.
 * @param {number[]} dims
 * @returns {View}
 */
export const wholeView = (dims) => ({ dims, extents: dims, strides: stridesOf(dims), first: 0 });

/**
 * Whether a view is all of a tensor in its own order.
 * @param {View} view
 * @param {number} size of the tensor, in elements
 * @returns {boolean}
 */
export function isWhole({ extents, strides, first }, size) {
  let stride = 1;
  for (let i = extents.length - 1; i >= 0; i--) {
    if (extents[i] !== 1 && strides[i] !== stride) return false;
    stride *= extents[i];
  }
  return stride === size && (first === 0 || size === 0);
}

/**
 * The factors of each axis.
 * @param {View} view without an extent of 0
 * @returns {Factor[][]}
 */
function factorsOf({ dims, extents, strides }) {
  if (extents === dims) return dims.map((extent, i) => [[extent, strides[i]]]);
  let next = 0;
  return dims.map((extent) => {
    /** @type {Factor[]} */
    const factors = [];
    for (let size = 1; size < extent; next++) {
      factors.push([extents[next], strides[next]]);
      size *= extents[next];
    }
    return factors;
  });
}

/**
 * Factors with those joined that are one axis in memory, and without those of extent 1.
 * @param {readonly Factor[]} factors
 * @returns {Factor[]}
 */
function joined(factors) {
  /** @type {Factor[]} */
  const result = [];
  for (const [extent, stride] of factors) {
    if (extent === 1) continue;
    const last = result.at(-1);
    if (last?.[1] === extent * stride) result[result.length - 1] = [last[0] * extent, stride];
    else result.push([extent, stride]);
  }
  return result;
}

/**
 * The view of given factors.
 * @param {number[]} dims
 * @param {readonly (readonly Factor[])[]} factors of each axis
 * @param {number} first
 * @returns {View}
 */
function viewOf(dims, factors, first) {
  const all = factors.flatMap(joined);
  return { dims, extents: all.map(([extent]) => extent), strides: all.map(([, stride]) => stride), first, ofFactors };
}

const ofFactors = {
  /** @type {(view: View, dims: number[], perm: readonly number[]) => View} */
  permute(view, dims, perm) {
    const factors = factorsOf(view);
    return viewOf(
      dims,
      perm.map((axis) => factors[axis]),
      view.first,
    );
  },
  /**
   * The box that copies such a view to a dense tensor: its axes may repeat.
   * @type {Describe}
   */
  boxes: (extents, [first, ...strides]) => [
    { extents, from: strides, to: stridesOf(extents), first, copies: planCopies },
  ],
};

/**
 * Entry i of the result is entry perm[i] of a list. A loop, because map takes 30 ns of the 440 ns that a small tensor
 * takes.
 * @template T
 * @param {readonly T[]} list
 * @param {readonly number[]} perm
 * @returns {T[]}
 */
export function permuted(list, perm) {
  const result = new Array(perm.length);
  for (let i = 0; i < perm.length; i++) result[i] = list[perm[i]];
  return result;
}

/**
 * Axis i of the result is axis perm[i].
 * @param {View} view
 * @param {readonly number[]} perm
 * @param {number[]} [dims] of the result, where they are known
 * @returns {View}
 */
export function permuteAxes(view, perm, dims = permuted(view.dims, perm)) {
  if (view.extents === view.dims)
    return { dims, extents: dims, strides: permuted(view.strides, perm), first: view.first };
  if (dims.includes(0)) return wholeView(dims);
  return /** @type {typeof ofFactors} */ (view.ofFactors).permute(view, dims, perm);
}

/**
 * Of each axis, `counts` elements from `starts` on, `steps` apart.
 * @param {View} view
 * @param {readonly number[]} starts
 * @param {readonly number[]} steps
 * @param {number[]} counts
 * @returns {View | undefined} undefined where an axis of several factors is cut: no strides say that
 */
export function stepAxes(view, starts, steps, counts) {
  if (counts.includes(0)) return wholeView(counts);
  let { first } = view;
  if (view.extents === view.dims) {
    /** @type {number[]} */
    const strides = new Array(counts.length);
    for (let i = 0; i < counts.length; i++) {
      first += starts[i] * view.strides[i];
      // With one element there is no next one, and a step may be too large to multiply.
      strides[i] = counts[i] === 1 ? 1 : steps[i] * view.strides[i];
    }
    return { dims: counts, extents: counts, strides, first };
  }
  const factors = factorsOf(view);
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === view.dims[i] && steps[i] === 1) continue;
    if (factors[i].length !== 1) return undefined;
    const stride = factors[i][0][1];
    first += starts[i] * stride;
    factors[i] = [[counts[i], counts[i] === 1 ? 1 : steps[i] * stride]];
  }
  return viewOf(counts, factors, first);
}

/**
 * The same elements in the same order under other dims.
 * @param {View} view
 * @param {number[]} dims of as many elements
 * @returns {View | undefined} undefined where a new axis ends inside a factor that it does not divide
 */
export function regroupAxes(view, dims) {
  if (dims.includes(0)) return wholeView(dims);
  // Squeezing a whole tensor takes .4 instead of .9 us like that (measured).
  if (isWhole(view, sizeOf(dims))) return wholeView(dims);
  // From the back, each factor is taken whole, or split where an axis begins inside it.
  const rest = joined(factorsOf(view).flat());
  /** @type {Factor[][]} */
  const factors = new Array(dims.length);
  for (let i = dims.length - 1; i >= 0; i--) {
    factors[i] = [];
    for (let left = dims[i]; left > 1;) {
      const [extent, stride] = /** @type {Factor} */ (rest.pop());
      const taken = Math.min(left, extent);
      if (left % taken !== 0 || extent % taken !== 0) return undefined;
      factors[i].unshift([taken, stride]);
      if (taken < extent) rest.push([extent / taken, stride * taken]);
      left /= taken;
    }
  }
  return viewOf(dims, factors, view.first);
}

/**
 * Repeats axes of extent 1, and adds axes in front.
 * @param {View} view
 * @param {number[]} dims with those of the view at their end, but for its extents of 1
 * @returns {View}
 */
export function expandAxes(view, dims) {
  if (dims.includes(0)) return wholeView(dims);
  const factors = factorsOf(view);
  const added = dims.length - view.dims.length;
  return viewOf(
    dims,
    dims.map((extent, i) => (i >= added && view.dims[i - added] === extent ? factors[i - added] : [[extent, 0]])),
    view.first,
  );
}

/**
 * Repeats each axis as a whole.
 * @param {View} view
 * @param {readonly number[]} repeats of each axis
 * @param {number[]} dims the products
 * @returns {View}
 */
export function repeatAxes(view, repeats, dims) {
  if (dims.includes(0)) return wholeView(dims);
  const factors = factorsOf(view);
  return viewOf(
    dims,
    factors.map((own, i) => [[repeats[i], 0], ...own]),
    view.first,
  );
}

/**
 * The strides of a view's factors in a tensor that has the view as a part.
 * @param {View} view without an extent of 0
 * @param {readonly number[]} strides of that tensor's axes
 * @returns {number[]}
 */
export function stridesWithin(view, strides) {
  if (view.extents === view.dims) return [...strides];
  return factorsOf(view).flatMap((factors, axis) => {
    let stride = strides[axis];
    return factors
      .toReversed()
      .map(([extent]) => {
        const own = stride;
        stride *= extent;
        return own;
      })
      .reverse();
  });
}
