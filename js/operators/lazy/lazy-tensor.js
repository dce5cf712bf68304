/**
 * Operators in a row, composed before anything moves: what each rearranges becomes part of one view of the tensor that
 * is there, and the last of them costs the one copy.
 */
import { ready } from '../../engines/tensors/index.js';
import { checkData, readTensor, tensorOf } from '../../tensor/index.js';
import { calling, declaredView, isWhole, takeNamed, viewTensor, wholeView } from '../core/index.js';

/** @import { CheckedTensor, DType, Operator, Tensor, View } from '../types.js' */

/** A tensor that is there in part: another tensor, and which of its elements it has. */
export class LazyTensor {
  /** @param {CheckedTensor} parts @param {View} view */
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
   * @type {(operator: Operator, inputs: any[], options: any, outputs?: number) => LazyTensor | LazyTensor[]}
   */
  apply(operator, inputs, options, outputs) {
    return calling(operator, options, (call) => {
      const { dtype } = this.parts;
      call.checkType(dtype);
      const values = [undefined, ...inputs];
      if (options !== undefined) takeNamed(call, values, options);
      return this.viewed((view) => declaredView(call, view, values.slice(1), options, dtype, outputs));
    });
  }

  /**
   * Applies a rule. Where no strides say its result, the tensor is copied first.
   * @type {(rule: (view: View) => View | View[] | undefined) => any}
   */
  viewed(rule) {
    const views = rule(this.view);
    if (views === undefined) return LazyTensor.of('tensor', this.tensor()).viewed(rule);
    if (Array.isArray(views)) return views.map((view) => new LazyTensor(this.parts, view));
    return new LazyTensor(this.parts, views);
  }

  /** @type {(out?: unknown) => Tensor} Makes the tensor. */
  tensor(out) {
    const { parts, view } = this;
    if (out !== undefined || !this.isWhole) {
      ready();
      return viewTensor('tensor', parts, view, out);
    }
    checkData(parts);
    return tensorOf(parts.dtype, parts.data, view.dims);
  }
}
