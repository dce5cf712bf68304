/**
 * A View lists which elements of a dense tensor form a result. Chained views combine, so a chain of operators costs one
 * copy. An axis of a view is made of factors, pairs of an extent and a stride: one in most views, and then `extents` is
 * the very object `dims`.
 */
import { strided, stridesOf } from '../../engines/tensors/index.js';
import { sizeOf } from '../../tensor/index.js';

/** @import { Factor, View } from '../types.js' */

/** Makes the view that is the tensor itself.
 * @type {(dims: number[]) => View} */
export const wholeView = (dims) => ({ dims, extents: dims, strides: stridesOf(dims), first: 0 });

/** Tells whether a view has all `size` elements of a tensor in their own order.
 * @type {(view: View, size: number) => boolean} */
export function isWhole({ extents, strides, first }, size) {
  let stride = 1;
  for (let i = extents.length - 1; i >= 0; i--) {
    if (extents[i] !== 1 && strides[i] !== stride) return false;
    stride *= extents[i];
  }
  // Of a tensor without elements, the first one does not matter.
  return stride === size && (first === 0 || size === 0);
}

/** Lists the factors of each axis, pairs [extent, stride], the outermost first: one in most views, several where axes
 * were merged, none where the extent is 1.
 * @type {(view: View) => Factor[][]} */
function factorsOf({ dims, extents, strides }) {
  if (extents === dims) return dims.map((extent, i) => [[extent, strides[i]]]);
  let next = 0;
  // An axis has the next factors whose product is its extent.
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

/** Merges neighboring factors that are one axis in memory, and drops those of extent 1.
 * @type {(factors: readonly Factor[]) => Factor[]} */
function mergeFactors(factors) {
  /** @type {Factor[]} */
  const result = [];
  for (const [extent, stride] of factors) {
    if (extent === 1) continue;
    const last = result.at(-1);
    // The outer factor goes on where the inner one ends.
    if (last?.[1] === extent * stride) result[result.length - 1] = [last[0] * extent, stride];
    else result.push([extent, stride]);
  }
  return result;
}

/** Makes the view whose axis i has the factors[i], pairs [extent, stride]. Neighboring factors that are one axis in
 * memory are merged. It carries `ofFactors`, which such views alone need.
 * @type {(dims: number[], factors: readonly (readonly Factor[])[], first: number) => View} */
function viewOfFactors(dims, factors, first) {
  const all = factors.flatMap(mergeFactors);
  return { dims, extents: all.map(([extent]) => extent), strides: all.map(([, stride]) => stride), first, ofFactors };
}

/** The functions that only views of several factors an axis need.
 * @type {NonNullable<View['ofFactors']>} */
const ofFactors = {
  /** Puts the axes in another order, each with its factors. */
  permute(view, dims, perm) {
    const factors = factorsOf(view);
    return viewOfFactors(dims, permuted(factors, perm), view.first);
  },
  // `strided`, because axes of such a view may repeat elements. The 0 is the first element of the result.
  boxes: (extents, [first, ...strides]) => strided(extents, [first, 0, ...strides, ...stridesOf(extents)]),
};

/** Puts a list in another order: entry i of the result is entry perm[i].
 * @type {<T>(list: readonly T[], perm: readonly number[]) => T[]} */
export function permuted(list, perm) {
  const result = new Array(perm.length);
  for (let i = 0; i < perm.length; i++) result[i] = list[perm[i]];
  return result;
}

/** Puts the axes of a view in another order: axis i of the result is axis perm[i].
 * @type {(view: View, perm: readonly number[], dims?: number[]) => View} */
export function permuteAxes(view, perm, dims = permuted(view.dims, perm)) {
  if (view.extents === view.dims)
    return { dims, extents: dims, strides: permuted(view.strides, perm), first: view.first };
  // Any view will do where there are no elements.
  if (dims.includes(0)) return wholeView(dims);
  return /** @type {NonNullable<View['ofFactors']>} */ (view.ofFactors).permute(view, dims, perm);
}

/** Takes from each axis `counts` elements, from `starts` on, `steps` apart; undefined where an axis that is not one
 * factor (several, or none where its extent is 1) gets another count or step, because its strides cannot express that.
 * @type {(view: View, starts: readonly number[], steps: readonly number[], counts: number[]) => View | undefined} */
export function stepAxes(view, starts, steps, counts) {
  if (counts.includes(0)) return wholeView(counts);
  let { first } = view;
  // Where each axis has one factor, only strides and the first element change.
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
    const isUncut = counts[i] === view.dims[i] && steps[i] === 1;
    if (isUncut) continue;
    if (factors[i].length !== 1) return undefined;
    const stride = factors[i][0][1];
    first += starts[i] * stride;
    factors[i] = [[counts[i], counts[i] === 1 ? 1 : steps[i] * stride]];
  }
  return viewOfFactors(counts, factors, first);
}

/** Views the same elements in the same order under other dims, of the same product; undefined where strides cannot
 * express that.
 * @type {(view: View, dims: number[]) => View | undefined} */
export function regroupAxes(view, dims) {
  if (dims.includes(0)) return wholeView(dims);
  // Other dims of a whole tensor are a whole tensor.
  if (isWhole(view, sizeOf(dims))) return wholeView(dims);
  // From the back, each axis takes factors until they make its extent. A factor of which an axis needs a part is split;
  // where the extent does not divide, no strides can say the axis.
  const rest = mergeFactors(factorsOf(view).flat());
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
  return viewOfFactors(dims, factors, view.first);
}

/** Broadcasts a view to `dims`: repeats axes of extent 1, by stride 0, and adds axes in front. An extent of 0 has no
 * elements to view.
 * @type {(view: View, dims: number[]) => View} */
export function expandAxes(view, dims) {
  if (dims.includes(0)) return wholeView(dims);
  const factors = factorsOf(view);
  const added = dims.length - view.dims.length;
  // An axis keeps its factors where it keeps its extent; a new one, or one of extent 1, reads the same element again.
  /** @type {(extent: number, i: number) => Factor[]} */
  const expanded = (extent, i) => (i >= added && view.dims[i - added] === extent ? factors[i - added] : [[extent, 0]]);
  const all = dims.map(expanded);
  return viewOfFactors(dims, all, view.first);
}

/** Repeats each axis as a whole, `repeats` times, by an outer factor of stride 0. `dims` are those of the result.
 * @type {(view: View, repeats: readonly number[], dims: number[]) => View} */
export function repeatAxes(view, repeats, dims) {
  if (dims.includes(0)) return wholeView(dims);
  const repeated = factorsOf(view).map((factors, i) => /** @type {Factor[]} */ ([[repeats[i], 0], ...factors]));
  return viewOfFactors(dims, repeated, view.first);
}

/** Gives the stride of each of the view's factors in a larger tensor that holds its copy, and whose axes have
 * `strides`.
 * @type {(view: View, strides: readonly number[]) => number[]} */
export function stridesWithin(view, strides) {
  if (view.extents === view.dims) return [...strides];
  return factorsOf(view).flatMap((factors, axis) => {
    const inner = stridesOf(factors.map(([extent]) => extent));
    return inner.map((stride) => stride * strides[axis]);
  });
}
