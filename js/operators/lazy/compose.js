/** Beside ONNX: a row of operators that only rearrange, as one copy. */
import { named, readOptions, typeError } from '../../arguments/index.js';
import { ready } from '../../engines/tensors/index.js';
import { optionsOf } from '../core/index.js';
import { LazyTensor } from './lazy-tensor.js';
import { patternView } from '../einops/rearrange.js';
import { DepthToSpace, SpaceToDepth } from '../layout/depth-to-space.js';
import { Flatten } from '../layout/flatten.js';
import { Reshape } from '../layout/reshape.js';
import { Squeeze, Unsqueeze } from '../layout/squeeze.js';
import { Transpose } from '../layout/transpose.js';
import { Expand, Tile } from '../pad/expand.js';
import { Slice } from '../pick/slice.js';

/** @import { depthToSpace, spaceToDepth } from '../layout/depth-to-space.js' */
/** @import { flatten } from '../layout/flatten.js' */
/** @import { reshape } from '../layout/reshape.js' */
/** @import { squeeze, unsqueeze } from '../layout/squeeze.js' */
/** @import { transpose } from '../layout/transpose.js' */
/** @import { expand, tile } from '../pad/expand.js' */
/** @import { slice } from '../pick/slice.js' */
/** @import { Behind, Lengths, Operator, Results, Tensor, TensorLike, TypeName, View } from '../types.js' */

/**
 * Operators in a row on one tensor. Nothing moves before {@link Composition.tensor}. Each method takes what the
 * function of its name takes behind the tensor, but for `out`, refuses what that refuses, and gives a new composition.
 *
 * Methods, because a row of calls reads in the order in which it is carried out.
 */
export class Composition {
  /** @type {LazyTensor} */
  #composed;

  /** @param {unknown} composed a LazyTensor */
  constructor(composed) {
    this.#composed = /** @type {LazyTensor} */ (composed);
  }

  /**
   * The type of the elements.
   * @returns {TypeName}
   */
  get type() {
    return this.#composed.tensor.dtype.name;
  }

  /**
   * The dims so far.
   * @returns {number[]}
   */
  get dims() {
    return [...this.#composed.view.dims];
  }

  /** Applies an operator as its function does. `args`: the other inputs, behind the tensor, and then the options.
   * @type {(operator: Operator, args: readonly unknown[]) => Composition} */
  #apply(operator, args) {
    const otherInputCount = operator.declaredInputs.length - 1;
    const otherInputs = Array.from({ length: otherInputCount }, (_, i) => args[i]);
    const lastArgument = args[otherInputCount];
    const inputs = [undefined, ...otherInputs]; // the place of the tensor is empty
    // Takes options that stand in the place of an input out of `inputs`.
    const options = optionsOf(operator, inputs, lastArgument);
    if (options?.out !== undefined)
      named('compose', () => typeError('out must be given to tensor(), where all that moves is known'));
    return new Composition(/** @type {LazyTensor} */ (this.#composed.apply(operator, inputs.slice(1), options)));
  }

  /** @type {(...args: Behind<typeof transpose>) => Composition} */
  transpose(...args) {
    return this.#apply(Transpose, args);
  }

  /** @type {(...args: Behind<typeof slice>) => Composition} */
  slice(...args) {
    return this.#apply(Slice, args);
  }

  /** @type {(...args: Behind<typeof squeeze>) => Composition} */
  squeeze(...args) {
    return this.#apply(Squeeze, args);
  }

  /** @type {(...args: Behind<typeof unsqueeze>) => Composition} */
  unsqueeze(...args) {
    return this.#apply(Unsqueeze, args);
  }

  /** @type {(...args: Behind<typeof expand>) => Composition} */
  expand(...args) {
    return this.#apply(Expand, args);
  }

  /** @type {(...args: Behind<typeof tile>) => Composition} */
  tile(...args) {
    return this.#apply(Tile, args);
  }

  /** @type {(...args: Behind<typeof flatten>) => Composition} */
  flatten(...args) {
    return this.#apply(Flatten, args);
  }

  /** @type {(...args: Behind<typeof reshape>) => Composition} */
  reshape(...args) {
    return this.#apply(Reshape, args);
  }

  /** @type {(...args: Behind<typeof depthToSpace>) => Composition} */
  depthToSpace(...args) {
    return this.#apply(DepthToSpace, args);
  }

  /** @type {(...args: Behind<typeof spaceToDepth>) => Composition} */
  spaceToDepth(...args) {
    return this.#apply(SpaceToDepth, args);
  }

  /** Applies the pattern to the view, as the function `rearrange` does to a tensor.
   * @type {(pattern: string, lengths?: Lengths) => Composition} */
  rearrange(pattern, lengths) {
    const rule = (/** @type {View} */ view) => patternView('rearrange', view, pattern, lengths);
    return new Composition(named('rearrange', () => this.#composed.applyRule(rule)));
  }

  /** Applies the pattern to the view, as the function `repeat` does to a tensor.
   * @type {(pattern: string, lengths?: Lengths) => Composition} */
  repeat(pattern, lengths) {
    const rule = (/** @type {View} */ view) => patternView('repeat', view, pattern, lengths);
    return new Composition(named('repeat', () => this.#composed.applyRule(rule)));
  }

  /**
   * Makes the tensor, by one copy. Two copies are made where strides cannot say a row, such as a slice of an axis that
   * was merged of two in another order.
   * @param {Results} [options]
   * @returns {Tensor} with memory of its own, or over `out.data`; where nothing moves, it shares the input's data,
   *   unless `out` is given
   */
  tensor(options) {
    return named('compose', () => this.#composed.copy(readOptions(options, ['out']).out));
  }
}

/**
 * Begins a row of operators that only rearrange. However many there are, their result is one copy of the tensor; what
 * is between them is never there.
 * @param {TensorLike} tensor
 * @returns {Composition}
 * @example
 * const image = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [1, 2, 3] };
 * compose(image).transpose({ perm: [2, 0, 1] }).slice([1], [3]).flatten().tensor().data; // Uint8Array [2, 5, 3, 6]
 */
export function compose(tensor) {
  return named('compose', () => {
    ready();
    return new Composition(LazyTensor.of('tensor', tensor));
  });
}
