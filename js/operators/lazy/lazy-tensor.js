/**
 * Chains of operators that only rearrange: each changes the view of the first tensor, and one copy at the end makes the
 * result.
 */
import { ready } from '../../engines/tensors/index.js';
import { checkData, readTensor, tensorOf } from '../../tensor/index.js';
import { declaredView, isWhole, takeNamed, viewTensor, wholeView, withCall } from '../core/index.js';

/** @import { CheckedTensor, DType, Operator, OptionBag, Tensor, View } from '../types.js' */

/** A tensor and a view of it that is not copied yet. */
export class LazyTensor {
  /** @param {CheckedTensor} tensor @param {View} view */
  constructor(tensor, view) {
    this.tensor = tensor;
    this.view = view;
  }

  /** Reads a tensor, and makes the view that is all of it.
   * @type {(argument: string, tensor: unknown, checkType?: (dtype: DType) => void) => LazyTensor} */
  static of(argument, tensor, checkType) {
    const checked = readTensor(argument, tensor, checkType);
    return new LazyTensor(checked, wholeView(checked.dims));
  }

  /** Whether the view is the whole tensor in its order. */
  get isWhole() {
    return isWhole(this.view, this.tensor.size);
  }

  /** Applies an operator that only rearranges to the view, without a copy. `inputs`: those behind the tensor;
   * `outputs`: how many a node has, of an operator with any number of them.
   * @type {(operator: Operator, inputs: unknown[], options: OptionBag | undefined, outputs?: number) => LazyTensor |
   *   LazyTensor[]} */
  apply(operator, inputs, options, outputs) {
    return withCall(operator, options, (call) => {
      const { dtype } = this.tensor;
      call.checkType(dtype);
      // Inputs that are named in the options go to their places behind the tensor's, which is empty.
      const allInputs = [undefined, ...inputs];
      if (options !== undefined) takeNamed(call, allInputs, options);
      const otherInputs = allInputs.slice(1);
      return this.applyRule((view) => declaredView(call, view, otherInputs, options, dtype, outputs));
    });
  }

  /** Applies a rule, which gives the view of the result, or of each of several results. Where strides cannot express
   * these, the rule gives undefined, and is applied to a copy: strides can express any result of a whole tensor.
   * @type {(rule: (view: View) => View | View[] | undefined) => LazyTensor | LazyTensor[]} */
  applyRule(rule) {
    const result = rule(this.view);
    if (result === undefined) return LazyTensor.of('tensor', this.copy()).applyRule(rule);
    if (Array.isArray(result)) return result.map((view) => new LazyTensor(this.tensor, view));
    return new LazyTensor(this.tensor, result);
  }

  /** Makes the tensor of the view. A whole view without `out` shares the data.
   * @type {(out?: unknown) => Tensor} */
  copy(out) {
    const { tensor, view } = this;
    const sharesData = out === undefined && this.isWhole;
    if (!sharesData) {
      ready();
      return viewTensor('tensor', tensor, view, out);
    }
    checkData(tensor);
    return tensorOf(tensor.dtype, tensor.data, view.dims);
  }
}
