/** Results. A move makes the result of a call that the operator's shape rule has planned. Here are the kinds of moves,
 * the memory of results, and the copies that fill it. */
import { rangeError, showClass, showList, typeError } from '../../arguments/index.js';
import { clearTail, move, moveStrings, planFor, strided, stridesOf } from '../../engines/tensors/index.js';
import { checkData, checkOut, newData, readOut, readWholeTensor, sizeOf, tensorOf } from '../../tensor/index.js';
import { checkSize, isUnknown } from './extents.js';
import { regroupAxes, wholeView } from './view.js';

/** @import { CheckedTensor, DType, Describe, Dim, Move, Plan, RunOperator, Tensor, TensorLike } from '../types.js' */
/** @import { ReadInputs, TensorData, TensorSequence, View } from '../types.js' */

/** More outputs than this are a mistake, and their bookkeeping would take longer than their bytes. */
export const outputLimit = 1_000_000;

/** The move that keeps the first input's elements in their order, and shares its data.
 * @type {Move} */
export const shared = {
  isMoving: false,
  out: undefined,
  /** Makes a tensor of the plan's dims over the first input's data. */
  run(_, { dims }, values) {
    const source = values[0];
    checkData(source);
    return tensorOf(source.dtype, source.data, dims);
  },
  /** Views the same elements in the same order under the plan's dims. */
  view: (source, { dims }) => regroupAxes(source, dims),
};

/** Makes the move that copies a view of the first input. `view` gives that of a plan, from the view of all the input.
 * @type {(view: (source: View, plan: Plan) => View | undefined) => Move} */
export const copied = (view) => ({ isMoving: true, out: 'out', run: runCopied, view });

/** Copies the view of the first input that the operator's move gives.
 * @type {Move['run']} */
function runCopied({ inputs, move }, plan, values, options) {
  const source = values[0];
  const { view: viewOfPlan } = /** @type {{ view: NonNullable<Move['view']> }} */ (move);
  const view = /** @type {View} */ (viewOfPlan(wholeView(source.dims), plan));
  return viewTensor(inputs[0], source, view, options === undefined ? undefined : options.out);
}

/** Makes the move in which `fill` writes the result. `prepare` is called before anything is written: it refuses what
 * only the inputs' elements show to be wrong, and what it gives goes to `fill` as `prepared`.
 * @param {(plan: Plan, data: TensorData, sources: TensorData[], prepared: any) => void} fill gets the result's data and
 *   those of the inputs. The plan has the result's `dtype`, and `isFresh`: true where the data are new, and so all 0;
 *   false where they are those of `out`, in which only the bits behind the last packed element are 0
 * @param {(plan: Plan, values: ReadInputs, sources: TensorData[]) => unknown} [prepare]
 * @returns {Move} */
export const filled = (fill, prepare) => ({
  isMoving: true,
  out: 'out',
  /** Checks `out` and the inputs' data, and then makes the result's data and fills them. */
  run(operator, plan, values, options) {
    const { dims } = plan;
    const dtype = plan.dtype ?? /** @type {DType} */ (values[0].dtype);
    plan.dtype = dtype;
    const target = options === undefined ? undefined : options.out;
    checkSize(dims);
    const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
    plan.isFresh = out === undefined;
    const sources = new Array(values.length);
    // Of the first input that has the result's type: the result gets the same class of array.
    let dataOfType;
    for (let i = 0; i < values.length; i++) {
      const source = tensorIn(values[i]);
      if (source === undefined) continue;
      sources[i] = checkData(source);
      if (dataOfType === undefined && source.dtype === dtype) dataOfType = sources[i];
    }
    if (out) checkApartFromInputs(operator, out, values);
    const prepared = prepare?.(plan, values, sources);
    const data = resultData(dtype, sizeOf(dims), out, dataOfType);
    fill(plan, data, sources, prepared);
    return tensorOf(dtype, data, dims);
  },
  view: undefined,
});

/** Gives the tensor that an input was read from: the value itself, or its `tensor`, as an input of indices has it;
 * undefined where the caller gave numbers, or nothing.
 * @type {(value: (CheckedTensor & { tensor?: CheckedTensor }) | null | undefined) => CheckedTensor | undefined} */
function tensorIn(value) {
  if (value === undefined || value === null) return undefined;
  if (value.tensor) return value.tensor;
  const isTensor = value.data !== undefined;
  return isTensor ? value : undefined;
}

/** Refuses an `out` that shares memory with an input, or whose data have another length than its dims say.
 * @type {(operator: RunOperator, out: CheckedTensor, values: ReadInputs) => void} */
function checkApartFromInputs({ inputs }, out, values) {
  values.forEach((value, i) => {
    const source = tensorIn(value);
    if (source) checkOut('out', out, inputs[i], source);
  });
}

/** Makes the move in which `make` gives the result without copying elements: from dims that the plan has, or over an
 * input's data.
 * @type {(make: (plan: Plan, values: ReadInputs) => Tensor | TensorSequence) => Move} */
export const fromDims = (make) => ({
  isMoving: false,
  out: undefined,
  run: (_, plan, values) => make(plan, values),
  view: undefined,
});

/** Makes the move in which `compute` gives the results: one, or a list where the operator has several outputs. Extents
 * that the plan leaves unknown may be any, because they may depend on elements. `compute` gets the inputs, whose data
 * have the length that their dims say.
 * @param {(plan: Plan, ...inputs: any[]) => TensorLike | readonly TensorLike[]} compute
 * @returns {Move} */
export const computed = (compute) => ({
  isMoving: false,
  out: undefined,
  /** Computes the results, and refuses other numbers, types and dims of them than the plan says. */
  run(operator, plan, values) {
    for (const value of values) if (value?.data !== undefined) checkData(value);
    // eslint-disable-next-line architecture/spreads -- few values: a list of tensors is one of them
    const computedResult = compute(plan, ...values);
    // An operator with any number of outputs has as many as the plan.
    const count = operator.several ? (operator.outputs ?? plan.outputs.length) : 1;
    const list = operator.several ? computedResult : [computedResult];
    if (!Array.isArray(list) || list.length !== count)
      typeError(`move must give ${count} result${count === 1 ? '' : 's'}, got ${showClass(computedResult)}`);
    const results = list.map((/** @type {unknown} */ result, /** @type {number} */ i) => {
      const { dtype, dims } = /** @type {Plan} */ (plan.outputs?.[i] ?? plan);
      // A plan without a type means that of the first input.
      return readResult(`result[${i}]`, result, dtype ?? values[0].dtype, dims);
    });
    return operator.several ? results : results[0];
  },
  view: undefined,
});

/** Reads a tensor that `compute` gave: it must have the plan's type `dtype`, and its `dims` as far as they are known.
 * @type {(name: string, value: unknown, dtype: DType, dims: Dim[] | null) => Tensor} */
function readResult(name, value, dtype, dims) {
  const result = readWholeTensor(name, value, (type) => {
    if (type !== dtype) typeError(`${name} type must be ${dtype.name}, got ${type.name}`);
  });
  if (dims && !fitsDims(result.dims, dims))
    rangeError(`${name} dims must be ${showList(dims)}, got ${showList(result.dims)}`);
  return tensorOf(dtype, result.data, result.dims);
}

/** Tells whether dims are those planned, of which an unknown extent may be any.
 * @type {(dims: readonly number[], planned: readonly Dim[]) => boolean} */
const fitsDims = (dims, planned) =>
  dims.length === planned.length && planned.every((extent, i) => isUnknown(extent) || extent === dims[i]);

/** Describes the copy of a view to a dense tensor: one box, with the view's strides in the source.
 * @type {Describe} */
const boxOfView = (extents, [first, ...strides]) => [{ extents, from: strides, to: stridesOf(extents), first }];

/** Moves elements, or strings, from sources to results. The bits behind a result's last packed element must be 0.
 * `describe(a, b)` lists the boxes to copy, which have extents, and strides in a source and in a result. `a` and `b`
 * are plain numbers: the engine keeps the plan that it makes of the boxes by `describe`, `a` and `b`.
 * @type {(dtype: DType, describe: Describe, a: readonly number[], b: readonly number[], sources: TensorData[], results:
 *   TensorData[]) => void} */
export function moveElements(dtype, describe, a, b, sources, results) {
  if (dtype.array === 'Array') moveStrings(describe(a, b), sources, results);
  else move(planFor(describe, dtype.bits, a, b), sources, results);
}

/** Gives the data of a result: those of `out`, or else new ones of the class of `like`, an input's data. Clears the
 * bits behind the last packed element.
 * @type {(dtype: DType, size: number, out: CheckedTensor | undefined, like: unknown) => TensorData} */
export function resultData(dtype, size, out, like) {
  const data = out ? out.data : newData(dtype, size, like);
  clearTail(dtype.bits, size, data);
  return data;
}

/** Copies the elements of a view to a dense result. The bits behind its last packed element must be 0.
 * @type {(dtype: DType, view: View, source: unknown, result: unknown) => void} */
export function copyView(dtype, { extents, strides, first, ofFactors }, source, result) {
  const describe = ofFactors ? ofFactors.boxes : boxOfView;
  moveElements(dtype, describe, extents, [first, ...strides], [source], [result]);
}

/** Copies the elements of a view to the part of a result that begins at the element `start`, where `resultStrides` has
 * a stride for each of the view's `extents`. The bits behind the result's last packed element must be 0.
 * @type {(dtype: DType, view: View, source: unknown, result: unknown, resultStrides: readonly number[], start: number)
 *   => void} */
export function copyInto(dtype, { extents, strides, first }, source, result, resultStrides, start) {
  const startsAndStrides = [first, start, ...strides, ...resultStrides]; // as `strided` takes them
  moveElements(dtype, strided, extents, startsAndStrides, [source], [result]);
}

/** Makes the tensor of a view of `source` by one copy, over `target`, the caller's `out`, if that is given. `name`:
 * that of the source, in messages.
 * @type {(name: string, source: CheckedTensor, view: View, target: unknown) => Tensor} */
export function viewTensor(name, source, view, target) {
  const { dtype } = source;
  const out = target === undefined ? undefined : readOut('out', target, dtype, view.dims);
  const elements = checkData(source);
  if (out) checkOut('out', out, name, source);
  const data = resultData(dtype, sizeOf(view.dims), out, elements);
  copyView(dtype, view, elements, data);
  return tensorOf(dtype, data, view.dims);
}
