/** The forms of a data set's outputs: type and dims, where null stands for an extent that differs among inputs. */
import { bytesOf, rangeError, show, showClass, showList, typeError } from '../../arguments/index.js';
import { dtypes, Tensor } from '../../tensor/index.js';

/** @import { Outputs } from '../../processors/types.js' */
/** @import { OutputForm } from './types.js' */

/** @typedef {Record<string, OutputForm>} Forms */

/** Finds the form of each output by samples, the outputs of made-up inputs of several sizes. So all shards have the
 * same forms, whatever their inputs are. The first sample has all outputs and their types.
 * @type {(samples: Outputs[]) => Forms} */
export function formsOf([first, ...others]) {
  /** @type {Forms} */
  const forms = {};
  for (const [name, tensor] of Object.entries(first)) {
    checkTensor(name, tensor);
    const all = [tensor, ...others.map((outputs) => outputs[name])];
    const sameRank = all.every((other) => other?.dims?.length === tensor.dims.length);
    if (!sameRank) rangeError(`${name} must have one rank for all inputs, got ${all.map(rankOf).join(', ')}`);
    const dims = tensor.dims.map((extent, axis) => (all.every((other) => other.dims[axis] === extent) ? extent : null));
    forms[name] = { dtype: tensor.type, dims };
  }
  return forms;
}

/** @type {(value: Tensor | undefined) => string} */
const rankOf = (value) => (value?.dims === undefined ? 'no tensor' : String(value.dims.length));

/** Refuses an output that is no tensor with an axis 0, or whose elements have less than a byte, because such cannot be
 * joined byte by byte.
 * @type {(name: string, value: unknown) => void} */
function checkTensor(name, value) {
  if (!(value instanceof Tensor) || value.dims.length === 0)
    typeError(`${name} must be a tensor with a row for each input, got ${showClass(value)}`);
  if (value.type === 'string' || dtypes[/** @type {'uint8'} */ (value.type)].bits % 8 !== 0)
    typeError(`${name} must be of a type of whole bytes, got ${value.type}`);
}

/** Whether the dims of an output differ between inputs: null stands for such an extent.
 * @type {(form: OutputForm) => boolean} */
export const isVarying = ({ dims }) => dims.includes(null);

/** Says why the outputs of an input do not fit the forms; undefined if they fit.
 * @type {(forms: Forms, outputs: Outputs) => string | undefined} */
export function faultOf(forms, outputs) {
  const names = Object.keys(outputs);
  if (names.length !== Object.keys(forms).length || names.some((name) => !Object.hasOwn(forms, name)))
    return `outputs must be ${Object.keys(forms).join(', ')}, got ${names.join(', ')}`;
  for (const [name, { dtype, dims }] of Object.entries(forms)) {
    const { type, dims: outputDims } = outputs[name];
    const isSame =
      type === dtype &&
      outputDims.length === dims.length &&
      dims.every((extent, axis) => extent === null || extent === outputDims[axis]);
    const expected = `${dtype} [${dims.map((extent) => extent ?? '*').join(', ')}]`;
    if (!isSame) return `${name} must be ${expected} as of other inputs, got ${type} ${showList(outputDims)}`;
  }
  return undefined;
}

/** Adds up the bytes of all outputs of an input.
 * @type {(outputs: Outputs) => number} */
export const byteLengthOf = (outputs) =>
  Object.values(outputs).reduce((sum, { data }) => sum + bytesOf(data).length, 0);

/** Refuses outputs that shards of .npy cannot hold, because a file has one tensor: several outputs, or differing dims.
 * @type {(forms: Forms) => void} */
export function checkNpyForms(forms) {
  const names = Object.keys(forms);
  if (names.length > 1)
    rangeError(`format must be 'safetensors' for several outputs, got 'npy' for ${names.join(', ')}`);
  const [[name, form]] = Object.entries(forms);
  if (isVarying(form)) rangeError(`format must be 'safetensors' for dims that differ, got 'npy' for ${show(name)}`);
}
