/** Beside ONNX: axes split, merged, reordered and repeated by a pattern, as einops has it. */
import { isList, named, rangeError, readOptions, readWhole, show, showList, typeError } from '../../arguments/index.js';
import { ready } from '../../engines/tensors/index.js';
import { checkData, rankLimit, readTensor, sizeOf, tensorOf } from '../../tensor/index.js';
import * as core from '../core/index.js';
import { ellipsis, readPattern } from './pattern.js';

/** @import { Lengths, Name, Pattern, Results, Side, Tensor, TensorLike, TypeName, View } from '../types.js' */

/** @typedef {'rearrange' | 'repeat'} Operation */
/** @typedef {Map<Name, number[]>} Extents by name: a list of one extent, or of an ellipsis of any number */

/**
 * Splits, merges and reorders axes. A side of the pattern names the axes; brackets make one axis of several; `1` and
 * `()` are axes of extent 1; `...` stands for any number of axes. `'b c (h p) (w q) -> b (h w) (p q c)'` cuts images
 * into patches.
 *
 * The grammar and the rules are those of einops.
 * @template {TypeName} T
 * @param {TensorLike<T>} tensor
 * @param {string} pattern `'left -> right'`, with the same names on both sides
 * @param {Lengths} [lengths] those that the dims do not tell: of each pair of brackets on the left, one may be left out
 * @param {Results} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`; where the elements keep their order, it shares the
 *   input's data, unless `out` is given
 * @example
 * const image = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [1, 2, 3] };
 * rearrange(image, 'h w c -> c (h w)').data; // Uint8Array [1, 4, 2, 5, 3, 6]
 */
export const rearrange = (tensor, pattern, lengths, options) =>
  byPattern('rearrange', tensor, pattern, lengths, options);

/**
 * Repeats elements along new axes: {@link rearrange} whose right side may have names that the left has not, with their
 * lengths given, and numbers.
 *
 * The grammar and the rules are those of einops.
 * @template {TypeName} T
 * @param {TensorLike<T>} tensor
 * @param {string} pattern `'left -> right'`, with the names of the left on the right too
 * @param {Lengths} [lengths] of the new axes, and those that the dims do not tell
 * @param {Results} [options]
 * @returns {Tensor<T>} with memory of its own, or over `out.data`; where nothing is repeated or moved, it shares the
 *   input's data, unless `out` is given
 * @example
 * const row = { type: 'uint8', data: Uint8Array.of(1, 2), dims: [2] };
 * repeat(row, 'w -> 2 (w n)', { n: 2 }).data; // Uint8Array [1, 1, 2, 2, 1, 1, 2, 2]
 */
export const repeat = (tensor, pattern, lengths, options) => byPattern('repeat', tensor, pattern, lengths, options);

/** Runs `rearrange` or `repeat`: copies the view that the pattern asks for, or shares the data of a whole view.
 * @type {(operation: Operation, tensor: unknown, pattern: string, lengths?: Lengths, options?: { out?: unknown }) =>
 *   any} */
function byPattern(operation, tensor, pattern, lengths, options) {
  return named(operation, () => {
    ready();
    const source = readTensor('tensor', tensor);
    const view = /** @type {View} */ (patternView(operation, core.wholeView(source.dims), pattern, lengths));
    const { out } = readOptions(options, ['out']);
    const sharesData = out === undefined && core.isWhole(view, source.size);
    if (!sharesData) return core.viewTensor('tensor', source, view, out);
    checkData(source);
    return tensorOf(source.dtype, source.data, view.dims);
  });
}

/** Gives the view that a pattern asks for; undefined where strides cannot express it: they can, of a whole tensor.
 * `lengths`: the caller's, by names of the pattern.
 * @type {(operation: Operation, source: View, pattern: unknown, lengths: unknown) => View | undefined} */
export function patternView(operation, source, pattern, lengths) {
  const parsed = readPattern(operation, pattern);
  const { left, right } = parsed;
  const extents = extentsOf(parsed, source.dims, readLengths(parsed, lengths));
  const dims = dimsOf(right, extents);
  core.checkRank(dims.length, rankLimit);
  core.checkSize(core.checkExtents(dims));
  const leftNames = left.flat();
  const rightNames = right.flat();
  const namedAxes = core.regroupAxes(source, extentsIn(leftNames, extents)); // one axis for each name
  if (namedAxes === undefined) return undefined;
  const orderedAxes = orderAxes(namedAxes, leftNames, rightNames, extents);
  return core.regroupAxes(orderedAxes, dims);
}

/** Gives the dims of a side of a pattern: the product of the extents of each axis' names; of an ellipsis, its extents.
 * @type {(axes: Side, extents: Extents) => number[]} */
const dimsOf = (axes, extents) =>
  axes.flatMap((axis) => (axis === ellipsis ? extentsIn([axis], extents) : [sizeOf(extentsIn(axis, extents))]));

/** Orders the axes of a view, one for each name of the left side, as the right side has the names, and repeats the view
 * along the right side's new ones.
 * @type {(view: View, leftNames: readonly Name[], rightNames: readonly Name[], extents: Extents) => View} */
function orderAxes(view, leftNames, rightNames, extents) {
  const axesByName = findAxes(leftNames, extents);
  const perm = rightNames.flatMap((name) => axesByName.get(name) ?? []);
  const permuted = core.permuteAxes(view, perm);
  const hasNewNames = rightNames.some((name) => !axesByName.has(name));
  if (!hasNewNames) return permuted;
  // New axes come in as extents of 1, which any view can take.
  const dimsWithOnes = rightNames.flatMap((name) => (axesByName.has(name) ? extentsIn([name], extents) : [1]));
  const regrouped = /** @type {View} */ (core.regroupAxes(permuted, dimsWithOnes));
  return core.expandAxes(regrouped, extentsIn(rightNames, extents));
}

/** Finds the indices of each name's axes in a view that has an axis for each of these names, and any number of axes for
 * an ellipsis.
 * @type {(names: readonly Name[], extents: Extents) => Map<Name, number[]>} */
function findAxes(names, extents) {
  const axesByName = new Map();
  let firstAxis = 0;
  for (const name of names) {
    const count = extents.get(name)?.length ?? 0;
    const axes = Array.from({ length: count }, (_, i) => firstAxis + i);
    axesByName.set(name, axes);
    firstAxis += count;
  }
  return axesByName;
}

/** Lists the extents of names. One that is a number, a new axis, stands for its own extent.
 * @type {(names: readonly Name[], extents: Extents) => number[]} */
const extentsIn = (names, extents) => names.flatMap((name) => extents.get(name) ?? [/** @type {number} */ (name)]);

/** Reads the caller's lengths, an object by names: refuses a name that the pattern does not have.
 * @type {(pattern: Pattern, lengths: unknown) => Map<Name, number>} */
function readLengths({ left, right }, lengths) {
  /** @type {Map<Name, number>} */
  const lengthsByName = new Map();
  if (lengths === undefined || lengths === null) return lengthsByName;
  if (typeof lengths !== 'object' || isList(lengths)) typeError(`lengths must be an object, got ${show(lengths)}`);
  const names = new Set([...left.flat(), ...right.flat()]);
  for (const [name, value] of Object.entries(lengths)) {
    if (!names.has(name) || name === ellipsis) rangeError(`lengths must be of the pattern's names, got ${show(name)}`);
    const length = readWhole(`length ${name}`, value);
    if (length < 0 || !Number.isSafeInteger(length))
      rangeError(`length ${name} must be in [0, ${Number.MAX_SAFE_INTEGER}], got ${length}`);
    lengthsByName.set(name, Number(length));
  }
  return lengthsByName;
}

/** Finds the extents of all names of a pattern, by the tensor's dims and the caller's lengths. Refuses dims that do not
 * fit the left side, and a new name of the right side without a length.
 * @type {(pattern: Pattern, dims: readonly number[], lengths: Map<Name, number>) => Extents} */
function extentsOf({ left, right }, dims, lengths) {
  const ellipsisAxes = countEllipsisAxes(left, dims);
  /** @type {Extents} */
  const extents = new Map();
  let axis = 0; // of the tensor
  for (const names of left) {
    if (names === ellipsis) {
      extents.set(ellipsis, dims.slice(axis, axis + ellipsisAxes));
      axis += ellipsisAxes;
    } else {
      splitExtent(names, dims[axis], axis, lengths, extents);
      axis += 1;
    }
  }
  for (const name of right.flat()) {
    const isNewName = !extents.has(name) && typeof name === 'string';
    if (!isNewName) continue;
    const length = lengths.get(name);
    if (length === undefined) rangeError(`lengths must have the new axis ${show(name)}, got undefined`);
    extents.set(name, [length]);
  }
  return extents;
}

/** Counts the axes of a tensor that the left side's ellipsis stands for, 0 without one. Refuses dims of more or fewer
 * axes than the side has.
 * @type {(left: Side, dims: readonly number[]) => number} */
function countEllipsisAxes(left, dims) {
  const hasEllipsis = left.includes(ellipsis);
  const otherAxes = hasEllipsis ? left.length - 1 : left.length;
  const ellipsisAxes = dims.length - otherAxes;
  const fits = hasEllipsis ? ellipsisAxes >= 0 : ellipsisAxes === 0;
  if (!fits) {
    const axes = hasEllipsis ? `${otherAxes} or more` : otherAxes;
    rangeError(`tensor must have ${axes} axes, as the pattern has, got dims ${showList(dims)}`);
  }
  return ellipsisAxes;
}

/** Adds to `extents` those of the names that an axis of this extent is made of, by the caller's lengths. One name may
 * have no length: its extent is that of the axis, divided by the other lengths. `axis`: its index, in messages.
 * @type {(names: readonly Name[], extent: number, axis: number, lengths: Map<Name, number>, extents: Extents) =>
 *   void} */
function splitExtent(names, extent, axis, lengths, extents) {
  let knownProduct = 1;
  /** @type {Name | undefined} */
  let nameWithoutLength;
  for (const name of names) {
    const length = lengths.get(name);
    if (length !== undefined) {
      knownProduct *= length;
      extents.set(name, [length]);
    } else {
      if (nameWithoutLength !== undefined)
        rangeError(`lengths must have all but one of ${names.map(show).join(', ')}, got too few`);
      nameWithoutLength = name;
    }
  }
  if (nameWithoutLength === undefined) {
    if (knownProduct !== extent)
      rangeError(`dims[${axis}] must be ${knownProduct}, as the pattern has it, got ${extent}`);
    return;
  }
  // A length of 0 makes the product 0: the remainder is NaN then, and any extent is refused.
  if (extent % knownProduct !== 0)
    rangeError(`dims[${axis}] must be a multiple of ${knownProduct}, the product of its lengths, got ${extent}`);
  extents.set(nameWithoutLength, [extent / knownProduct]);
}
