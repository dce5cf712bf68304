/**
 * A View lists which elements of a dense tensor form a result, from the element `first` of the tensor on. Chained views
 * combine, so a chain of operators costs one copy. An axis of a view is made of factors, pairs of an extent and a
 * stride: one in most views, and then `extents` is the very object `dims`. Strides are in elements.
 */
import { strided, stridesOf } from '../../engines/tensors/index.js';
import { sizeOf } from '../../tensor/index.js';

/** @import { Factor, View } from '../types.js' */

/** Gives the view that is all of a dense tensor.
 * @type {(dims: number[]) => View} */
export const wholeView = (dims) => ({ dims, extents: dims, strides: stridesOf(dims), first: 0 });

/** Tells whether a view has all `size` elements of a tensor in their own order.
 * @type {(view: View, size: number) => boolean} */
export function isWhole({ extents, strides, first }, size) {
  let elementsInside = 1; // of the axes inside axis i: the stride of that axis in a dense tensor
  for (let i = extents.length - 1; i >= 0; i--) {
    if (extents[i] !== 1 && strides[i] !== elementsInside) return false;
    elementsInside *= extents[i];
  }
  const hasAll = elementsInside === size;
  return hasAll && (first === 0 || size === 0);
}

/** Tells whether each axis has one factor, and so one stride: `extents` are then the very object `dims`.
 * @type {(view: View) => boolean} */
const hasOneFactorAnAxis = ({ dims, extents }) => extents === dims;

/** Lists the factors of each axis, the outermost first: several where axes were merged, none where the extent is 1.
 * @type {(view: View) => Factor[][]} */
function factorsOf(view) {
  const { dims, extents, strides } = view;
  if (hasOneFactorAnAxis(view)) return dims.map((extent, i) => [[extent, strides[i]]]);
  let next = 0; // the index of a factor
  return dims.map((extent) => {
    /** @type {Factor[]} */
    const factors = [];
    // An axis has the next factors whose product is its extent.
    let productOfFactors = 1;
    while (productOfFactors < extent) {
      factors.push([extents[next], strides[next]]);
      productOfFactors *= extents[next];
      next += 1;
    }
    return factors;
  });
}

/** Merges neighboring factors that are one axis in memory, and drops those of extent 1.
 * @type {(factors: readonly Factor[]) => Factor[]} */
function mergeFactors(factors) {
  /** @type {Factor[]} */
  const merged = [];
  for (const [extent, stride] of factors) {
    if (extent === 1) continue;
    const outer = merged.at(-1);
    // A step of the outer factor is the whole inner one.
    const areOneAxis = outer !== undefined && outer[1] === extent * stride;
    if (areOneAxis) merged[merged.length - 1] = [outer[0] * extent, stride];
    else merged.push([extent, stride]);
  }
  return merged;
}

/** Makes the view whose axis i has the factors[i]. Neighboring factors of an axis that are one in memory are merged.
 * @type {(dims: number[], factors: readonly (readonly Factor[])[], first: number) => View} */
function viewOfFactors(dims, factors, first) {
  const allFactors = factors.flatMap(mergeFactors);
  const extents = allFactors.map(([extent]) => extent);
  const strides = allFactors.map(([, stride]) => stride);
  return { dims, extents, strides, first, ofFactors };
}

/** The functions of views of several factors an axis, which hold them: a bundle of Transpose alone goes without.
 * @type {NonNullable<View['ofFactors']>} */
const ofFactors = {
  /** Gives the view whose axis i, of the extent dims[i], is axis perm[i]. */
  permute: (view, dims, perm) => viewOfFactors(dims, permuted(factorsOf(view), perm), view.first),
  /** Lists the boxes that copy such a view, of factors with these `strides`, to a dense tensor: by `strided`, because
   * the factors may repeat elements. */
  boxes(extents, [first, ...strides]) {
    const start = 0; // in the dense tensor
    const denseStrides = stridesOf(extents);
    return strided(extents, [first, start, ...strides, ...denseStrides]);
  },
};

/** Gives the list whose entry i is entry perm[i].
 * @type {<T>(list: readonly T[], perm: readonly number[]) => T[]} */
export function permuted(list, perm) {
  const result = new Array(perm.length);
  for (let i = 0; i < perm.length; i++) result[i] = list[perm[i]];
  return result;
}

/** Gives the view whose axis i is axis perm[i].
 * @type {(view: View, perm: readonly number[], dims?: number[]) => View} */
export function permuteAxes(view, perm, dims = permuted(view.dims, perm)) {
  if (hasOneFactorAnAxis(view))
    return { dims, extents: dims, strides: permuted(view.strides, perm), first: view.first };
  // Any view will do where there are no elements.
  if (dims.includes(0)) return wholeView(dims);
  return /** @type {NonNullable<View['ofFactors']>} */ (view.ofFactors).permute(view, dims, perm);
}

/** Gives the stride of every `step`-th of `count` elements. One element has no next one, and its step may be too large
 * to multiply.
 * @type {(stride: number, step: number, count: number) => number} */
const steppedStride = (stride, step, count) => (count === 1 ? 1 : step * stride);

/** Takes from each axis `counts` elements, from `starts` on, `steps` apart; undefined where an axis that is not one
 * factor gets another count or step, because its strides cannot express that.
 * @type {(view: View, starts: readonly number[], steps: readonly number[], counts: number[]) => View | undefined} */
export function stepAxes(view, starts, steps, counts) {
  if (counts.includes(0)) return wholeView(counts);
  return hasOneFactorAnAxis(view)
    ? stepSimpleAxes(view, starts, steps, counts)
    : stepFactoredAxes(view, starts, steps, counts);
}

/** Takes elements as {@link stepAxes} does, of a view whose axes have one stride each.
 * @type {(view: View, starts: readonly number[], steps: readonly number[], counts: number[]) => View} */
function stepSimpleAxes(view, starts, steps, counts) {
  let { first } = view;
  /** @type {number[]} */
  const strides = new Array(counts.length);
  for (let i = 0; i < counts.length; i++) {
    first += starts[i] * view.strides[i];
    strides[i] = steppedStride(view.strides[i], steps[i], counts[i]);
  }
  return { dims: counts, extents: counts, strides, first };
}

/** Takes elements as {@link stepAxes} does, of a view whose axes are made of any number of factors.
 * @type {(view: View, starts: readonly number[], steps: readonly number[], counts: number[]) => View | undefined} */
function stepFactoredAxes(view, starts, steps, counts) {
  let { first } = view;
  const factors = factorsOf(view);
  for (let i = 0; i < counts.length; i++) {
    const isUncut = counts[i] === view.dims[i] && steps[i] === 1;
    if (isUncut) continue;
    if (factors[i].length !== 1) return undefined;
    const [[, stride]] = factors[i];
    first += starts[i] * stride;
    factors[i] = [[counts[i], steppedStride(stride, steps[i], counts[i])]];
  }
  return viewOfFactors(counts, factors, first);
}

/** Takes from the end of `rest`, the factors that no axis has yet, those that make up an axis of this extent. A factor
 * may be split: its inner part is taken, and its outer part stays. Undefined where the extents do not divide, because
 * strides cannot express such an axis.
 * @type {(rest: Factor[], extent: number) => Factor[] | undefined} */
function takeFactors(rest, extent) {
  /** @type {Factor[]} */
  const taken = [];
  let missing = extent; // the product of the factors that the axis still lacks
  while (missing > 1) {
    const [factorExtent, stride] = /** @type {Factor} */ (rest.pop());
    const part = Math.min(missing, factorExtent);
    if (missing % part !== 0 || factorExtent % part !== 0) return undefined;
    taken.unshift([part, stride]);
    if (part < factorExtent) rest.push([factorExtent / part, stride * part]);
    missing /= part;
  }
  return taken;
}

/** Views the same elements in the same order under other dims; undefined where strides cannot express that.
 * @type {(view: View, dims: number[]) => View | undefined} */
export function regroupAxes(view, dims) {
  if (dims.includes(0) || isWhole(view, sizeOf(dims))) return wholeView(dims);
  const rest = mergeFactors(factorsOf(view).flat());
  /** @type {Factor[][]} */
  const factors = new Array(dims.length);
  for (let i = dims.length - 1; i >= 0; i--) {
    const taken = takeFactors(rest, dims[i]);
    if (taken === undefined) return undefined;
    factors[i] = taken;
  }
  return viewOfFactors(dims, factors, view.first);
}

/** The stride of an axis that reads the same element again. */
const repeatingStride = 0;

/** Broadcasts a view to `dims`: repeats axes of extent 1, and adds axes in front.
 * @type {(view: View, dims: number[]) => View} */
export function expandAxes(view, dims) {
  if (dims.includes(0)) return wholeView(dims);
  const factors = factorsOf(view);
  const addedAxes = dims.length - view.dims.length;
  /** @type {Factor[][]} */
  const expanded = dims.map((extent, i) => {
    const axis = i - addedAxes; // of the view
    const isKept = axis >= 0 && view.dims[axis] === extent;
    return isKept ? factors[axis] : [[extent, repeatingStride]];
  });
  return viewOfFactors(dims, expanded, view.first);
}

/** Repeats each axis as a whole, `repeats` times. `dims` are those of the result.
 * @type {(view: View, repeats: readonly number[], dims: number[]) => View} */
export function repeatAxes(view, repeats, dims) {
  if (dims.includes(0)) return wholeView(dims);
  const repeated = factorsOf(view).map((factors, i) => {
    const repetition = /** @type {Factor} */ ([repeats[i], repeatingStride]);
    return [repetition, ...factors];
  });
  return viewOfFactors(dims, repeated, view.first);
}

/** Gives strides for the copy of a view to a part of a larger tensor, whose axes have `strides`: one for each factor.
 * @type {(view: View, strides: readonly number[]) => number[]} */
export function stridesWithin(view, strides) {
  if (hasOneFactorAnAxis(view)) return [...strides];
  return factorsOf(view).flatMap((factors, axis) => {
    const stridesInAxis = stridesOf(factors.map(([extent]) => extent));
    return stridesInAxis.map((stride) => stride * strides[axis]);
  });
}
