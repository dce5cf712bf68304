/**
 * Operators in a row, composed before anything moves: what each rearranges becomes part of one view of the tensor that
 * is there, and the last of them costs the one copy.
 */
import { checkData, readTensor, tensorOf } from '../tensor/index.js';
import { readCall } from './call.js';
import { viewTensor } from './copy.js';
import { isWhole, wholeView } from './view.js';

/** @import { DType, Parts, Tensor } from '../tensor/index.js' */
/** @import { Operator, ViewRule } from './operator.js' */
/** @import { View } from './view.js' */

/** A tensor that is there in part: another tensor, and which of its elements it has. */
export class Composed {
  /**
   * @param {Parts} parts of the tensor that is there
   * @param {View} view
   */
  constructor(parts, view) {
    this.parts = parts;
    this.view = view;
  }

  /**
   * The tensor as a whole.
   * @param {string} prefix
   * @param {string} argument its name in messages
   * @param {unknown} tensor
   * @param {(dtype: DType) => void} [checkType]
   * @returns {Composed}
   */
  static of(prefix, argument, tensor, checkType) {
    const parts = readTensor(prefix, argument, tensor, checkType);
    return new Composed(parts, wholeView(parts.dims));
  }

  /** Whether it is the tensor that is there, in its order. */
  get isWhole() {
    return isWhole(this.view, this.parts.size);
  }

  /**
   * Applies an operator that only rearranges.
   * @param {Operator} operator
   * @param {any[]} inputs those behind the first
   * @param {any} options
   * @param {number} [outputs] how many the node of a model has
   * @returns {Composed | Composed[]}
   */
  apply(operator, inputs, options, outputs) {
    const call = readCall(operator, options);
    const { dtype } = this.parts;
    call.checkType(dtype);
    return this.viewed(call.prefix, (view) =>
      /** @type {ViewRule} */ (operator.view)(call, view, inputs, options, dtype, outputs),
    );
  }

  /**
   * Applies a rule. Where no strides say its result, the tensor is copied first.
   * @param {string} prefix
   * @param {(view: View) => View | View[] | undefined} rule
   * @returns {any} a {@link Composed}, or a list of them
   */
  viewed(prefix, rule) {
    const views = rule(this.view);
    if (views === undefined) return Composed.of(prefix, 'tensor', this.tensor(prefix)).viewed(prefix, rule);
    if (Array.isArray(views)) return views.map((view) => new Composed(this.parts, view));
    return new Composed(this.parts, views);
  }

  /**
   * Makes the tensor.
   * @param {string} prefix
   * @param {unknown} [out] a tensor to write to
   * @returns {Tensor} with memory of its own, or over `out.data`; where nothing moves, over the data that is there
   */
  tensor(prefix, out) {
    const { parts, view } = this;
    if (out !== undefined || !this.isWhole) return viewTensor(prefix, 'tensor', parts, view, out);
    checkData(prefix, parts);
    return tensorOf(parts.dtype, parts.data, view.dims);
  }
}
