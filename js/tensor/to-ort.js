/** Tensors as those that an onnxruntime session takes. */
import { rangeError, readEntries, show, typeError } from '../arguments/index.js';
import { dtypeOf } from './dtypes.js';
import { readWholeTensor } from './read-tensor.js';

/** @import { DType } from './dtypes.js' */
/** @import { TensorLike } from './read-tensor.js' */
/** @import { TensorData } from './types.js' */

/** @typedef {{ name?: string, type?: unknown }} InputMetadata what a session says of an input */

/**
 * A session of onnxruntime, or what is known of its inputs. Without `inputNames` every output is kept.
 * @typedef {{ inputNames?: readonly string[], inputMetadata?: readonly InputMetadata[] }} SessionLike
 */

/** @typedef {{ Tensor: new (...values: any) => any }} OrtLike onnxruntime, or another module with such a class */

/**
 * Tensors of a module: one of one, or else as many by their names.
 * @template {OrtLike} Ort
 * @template Outputs
 * @typedef {unknown extends Outputs ? any : [Outputs] extends [TensorLike] ? InstanceType<Ort['Tensor']>
 *   : { [Name in keyof Outputs]: OrtValue<Ort, Outputs[Name]> }} OrtTensors
 */

/**
 * The tensor of a tensor, the list of a list, and any other value itself.
 * @template {OrtLike} Ort
 * @template Value
 * @typedef {unknown extends Value ? any : Value extends TensorLike ? InstanceType<Ort['Tensor']>
 *   : Value extends readonly (infer Item)[] ? OrtValue<Ort, Item>[] : Value} OrtValue
 */

/** @typedef {(tensor: TensorLike & { dtype: DType, size: number }, wanted: DType) => TensorData} DataCast */

/** The types that `ort.Tensor` has no data for. */
const typesWithoutData = /^(bfloat16|float[468]e|u?int2$|complex)/;

/** Makes an `ort.Tensor` of one tensor, or an object of `ort.Tensor`s of tensors by their names: with a session, of its
 * inputs alone, in the types that it asks for. Without `inputNames` other values of the object are kept as they are.
 * `cast` gives the data of a tensor in another type.
 * @type {(ort: OrtLike, outputs: object, session: SessionLike | undefined, cast: DataCast) => any} */
export function ortTensors(ort, outputs, session, cast) {
  // Arrow functions, which make no tensor, have no prototype.
  if (typeof ort?.Tensor !== 'function' || ort.Tensor.prototype === undefined)
    typeError(`ort must have the class Tensor, got ${show(ort)}`);
  if (typeof outputs !== 'object' || outputs === null)
    typeError(`outputs must be a tensor, or tensors by their names, got ${show(outputs)}`);
  const { inputNames, inputMetadata } = readSession(session);
  const typeAskedFor = (/** @type {string} */ name) => inputMetadata?.find((input) => input?.name === name)?.type;
  const makeTensor = (/** @type {string} */ argument, /** @type {unknown} */ value, /** @type {unknown} */ type) =>
    ortTensor(ort, { argument, value, type }, cast);
  if (isTensor(outputs)) {
    // A tensor alone has no name, so the session must have a single input.
    if (inputNames && inputNames.length !== 1)
      rangeError(`outputs must be tensors by the names of the session's inputs, ${show(inputNames)}, got a tensor`);
    const type = inputNames && typeAskedFor(inputNames[0]);
    return makeTensor('outputs', outputs, type);
  }
  const names = Object.keys(outputs).filter((name) => !inputNames || inputNames.includes(name));
  if (names.length === 0) {
    const missing = inputNames ? `an input of the session, ${show(inputNames)}` : 'a tensor, got none';
    rangeError(`outputs must have ${missing}`);
  }
  const values = /** @type {Record<string, unknown>} */ (outputs);
  const makeValue = inputNames ? makeTensor : orPlain(makeTensor);
  return Object.fromEntries(
    names.map((name) => [name, makeValue(`outputs ${name}`, values[name], typeAskedFor(name))]),
  );
}

/** @typedef {(argument: string, value: unknown, type: unknown) => unknown} TensorMaker */

/** @type {(value: unknown) => boolean} whether a value looks like a tensor; its members are checked later */
const isTensor = (value) => typeof value === 'object' && value !== null && 'dims' in value && 'data' in value;

/** Makes a function that also takes the nested lists and plain values that a processor gives beside its tensors: it
 * makes the `ort.Tensor`s of all tensors in them, and keeps the rest.
 * @type {(makeTensor: TensorMaker) => TensorMaker} */
function orPlain(makeTensor) {
  /** @type {TensorMaker} */
  const makeValue = (argument, value, type) => {
    if (Array.isArray(value)) return value.map((item, i) => makeValue(`${argument}[${i}]`, item, type));
    return isTensor(value) ? makeTensor(argument, value, type) : value;
  };
  return makeValue;
}

/** Copies what a session says of its inputs: nothing without a session. A session with neither list is refused.
 * @type {(session: SessionLike | null | undefined) => { inputNames?: string[], inputMetadata?: InputMetadata[] }} */
function readSession(session) {
  if (session === undefined || session === null) return {};
  const { inputNames, inputMetadata } = session;
  const hasMetadataAlone = inputNames === undefined && inputMetadata;
  return {
    inputNames: hasMetadataAlone ? undefined : readEntries('session.inputNames', inputNames),
    inputMetadata: inputMetadata === undefined ? undefined : readEntries('session.inputMetadata', inputMetadata),
  };
}

/** Makes an `ort.Tensor` of the tensor `value`, cast to `type` if that is given.
 * @type {(ort: OrtLike, from: { argument: string, value: unknown, type: unknown }, cast: DataCast) => unknown} */
function ortTensor(ort, { argument, value, type }, cast) {
  // A processor gives a list where its tensors differ in their dims.
  if (Array.isArray(value)) rangeError(`${argument} must be one tensor, got a list: pass padding`);
  const { dtype, data, dims, size } = readWholeTensor(argument, value);
  const wanted = type === undefined ? dtype : dtypeOf(type);
  if (!wanted) return typeError(`the session must ask for a type of ONNX, got ${show(type)} for ${argument}`);
  if (typesWithoutData.test(wanted.name))
    typeError(`${argument} type must be one that ort.Tensor has, got ${wanted.name}: cast gives others`);
  if (wanted === dtype) return new ort.Tensor(dtype.name, data, [...dims]);
  if ([wanted, dtype].some(({ format }) => format.kind === 'string' || format.kind === 'complex'))
    typeError(`${argument} type must be ${wanted.name}, as the session asks, got ${dtype.name}`);
  return new ort.Tensor(wanted.name, cast({ type: dtype.name, dtype, data, dims, size }, wanted), [...dims]);
}
