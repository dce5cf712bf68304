/**
 * Operators in a row, composed before anything moves: what each rearranges becomes part of one view of the tensor that
 * is there, and the last of them costs the one copy.
 */
import { checkData, readTensor, tensorOf } from '../../tensor/index.js';
import { calling } from '../call.js';
import { viewTensor } from '../copy.js';
import { declaredView } from '../core/run.js';
import { isWhole, wholeView } from '../view.js';

/** @import { DType, CheckedTensor, Tensor } from '../../tensor/index.js' */
/** @import { Operator } from '../operator.js' */
/** @import { View } from '../view.js' */

/** A tensor that is there in part: another tensor, and which of its elements it has. */
export class LazyTensor {
  /**
   * @param {CheckedTensor} parts of the tensor that is there
   * @param {View} view
   */
  constructor(parts, view) {
    this.parts = parts;
    this.view = view;
  }

  /** @type {(argument: string, tensor: unknown, checkType?: (dtype: DType) => void) => LazyTensor} as a whole */
  static of(argument, tensor, checkType) {
    const parts = readTensor(argument, tensor, checkType);
    return new LazyTensor(parts, wholeView(parts.dims));
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
   * @returns {LazyTensor | LazyTensor[]}
   */
  apply(operator, inputs, options, outputs) {
    return calling(operator, options, (call) => {
      const { dtype } = this.parts;
      call.checkType(dtype);
      return this.viewed((view) => declaredView(call, view, inputs, options, dtype, outputs));
    });
  }

  /**
   * Applies a rule. Where no strides say its result, the tensor is copied first.
   * @param {(view: View) => View | View[] | undefined} rule
   * @returns {any} a {@link LazyTensor}, or a list of them
   */
  viewed(rule) {
    const views = rule(this.view);
    if (views === undefined) return LazyTensor.of('tensor', this.tensor()).viewed(rule);
    if (Array.isArray(views)) return views.map((view) => new LazyTensor(this.parts, view));
    return new LazyTensor(this.parts, views);
  }

  /**
   * Makes the tensor.
   * @param {unknown} [out] a tensor to write to
   * @returns {Tensor} with memory of its own, or over `out.data`; where nothing moves, over the data that is there
   */
  tensor(out) {
    const { parts, view } = this;
    if (out !== undefined || !this.isWhole) return viewTensor('tensor', parts, view, out);
    checkData(parts);
    return tensorOf(parts.dtype, parts.data, view.dims);
  }
}
