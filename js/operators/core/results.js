/** How the bytes of a call move. */
import { rangeError, showClass, showList, typeError } from '../../arguments/index.js';
import { checkData, checkOut, readOut, readWholeTensor, sizeOf, tensorOf } from '../../tensor/index.js';
import { resultData, viewTensor } from './copy.js';
import { checkSize, isUnknown } from './extents.js';
import { regroupAxes, wholeView } from './view.js';

/** @import { CheckedTensor, DType, Dim, Move, Plan, Tensor, TensorLike, TensorSequence, View } from '../types.js' */

/** More outputs than this are a mistake, and their bookkeeping would take longer than their bytes. */
export const outputLimit = 1_000_000;

/** @type {Move} The result has the first input's elements in their order, and shares its data. */
export const shared = {
  isMoving: false,
  out: undefined,
  run(_, { dims }, values) {
    const parts = values[0];
    checkData(parts);
    return tensorOf(parts.dtype, parts.data, dims);
  },
  view: (source, { dims }) => regroupAxes(source, dims),
};

/** The result is a copy of a view of the first input.
 * @type {(view: (source: View, plan: Plan) => View | undefined) => Move} */
export const copied = (view) => ({ isMoving: true, out: 'out', run: runCopied, view });

/** @type {Move['run']} */
function runCopied({ inputs, move }, plan, values, options) {
  const parts = values[0];
  const view = move.view(wholeView(parts.dims), plan);
  return viewTensor(inputs[0], parts, view, options === undefined ? undefined : options.out);
}

/** A function writes the result. `prepare` refuses what only the inputs' elements show, before anything is written.
 * @param {(plan: Plan, data: any, sources: any[], prepared: any) => void} fill gets the result's data, whose tail is
 *   clear, and those of the inputs; the plan has `dtype`, and `isFresh` where the data are all 0
 * @param {(plan: Plan, values: any[], sources: any[]) => any} [prepare]
 * @returns {Move} */
export const filled = (fill, prepare) => ({
  isMoving: true,
  out: 'out',
  run(operator, plan, values, options) {
    const { dims } = plan;
    const dtype = (plan.dtype ??= /** @type {DType} */ (values[0].dtype));
    const target = options === undefined ? undefined : options.out;
    checkSize(dims);
    const out = target === undefined ? undefined : readOut('out', target, dtype, dims);
    plan.isFresh = out === undefined;
    const sources = new Array(values.length);
    let like;
    for (let i = 0; i < values.length; i++) {
      const parts = tensorIn(values[i]);
      if (parts === undefined) continue;
      sources[i] = checkData(parts);
      if (like === undefined && parts.dtype === dtype) like = sources[i];
    }
    if (out) checkOuts(operator, out, values);
    const prepared = prepare?.(plan, values, sources);
    const data = resultData(dtype, sizeOf(dims), out, like);
    fill(plan, data, sources, prepared);
    return tensorOf(dtype, data, dims);
  },
  view: undefined,
});

/** @type {(value: any) => CheckedTensor | undefined} */
function tensorIn(value) {
  if (value === undefined || value === null) return undefined;
  return value.parts ?? (value.data === undefined ? undefined : value);
}

/** @type {(operator: any, out: CheckedTensor, values: any[]) => void} */
function checkOuts({ inputs }, out, values) {
  values.forEach((value, i) => {
    const parts = tensorIn(value);
    if (parts) checkOut('out', out, inputs[i], parts);
  });
}

/** The result is made of the dims alone.
 * @param {(plan: Plan, values: any[]) => Tensor | TensorSequence} make
 * @returns {Move} */
export const made = (make) => ({
  isMoving: false,
  out: undefined,
  run: (_, plan, values) => make(plan, values),
  view: undefined,
});

/** A function that an operator brings makes the results, which need not have the dims that the plan has: these may
 * depend on elements. It gets the inputs, whose data have the length that their dims say, and gives a list where the
 * operator has several outputs.
 * @param {(plan: Plan, ...inputs: any[]) => TensorLike | readonly TensorLike[]} compute
 * @returns {Move} */
export const computed = (compute) => ({
  isMoving: false,
  out: undefined,
  run(operator, plan, values) {
    for (const value of values) if (value?.data !== undefined) checkData(value);
    const given = compute(plan, ...values);
    const count = operator.several ? (operator.outputs ?? plan.outputs.length) : 1;
    const list = operator.several ? given : [given];
    if (!Array.isArray(list) || list.length !== count)
      typeError(`move must give ${count} result${count === 1 ? '' : 's'}, got ${showClass(given)}`);
    const results = list.map((/** @type {any} */ result, /** @type {number} */ i) => {
      const { dtype, dims } = /** @type {Plan} */ (plan.outputs?.[i] ?? plan);
      return resultOf(`result[${i}]`, result, dtype ?? values[0].dtype, dims);
    });
    return operator.several ? results : results[0];
  },
  view: undefined,
});

/** @type {(name: string, value: unknown, dtype: DType, dims: Dim[] | null) => Tensor} as inference says of it */
function resultOf(name, value, dtype, dims) {
  const parts = readWholeTensor(name, value, (own) => {
    if (own !== dtype) typeError(`${name} type must be ${dtype.name}, got ${own.name}`);
  });
  const fits = dims?.every((extent, i) => isUnknown(extent) || extent === parts.dims[i]) ?? true;
  if (!fits || (dims && dims.length !== parts.dims.length))
    rangeError(`${name} dims must be ${showList(dims ?? [])}, got ${showList(parts.dims)}`);
  return tensorOf(dtype, parts.data, parts.dims);
}
