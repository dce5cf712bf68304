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
const foreign = /^(bfloat16|float[468]e|u?int2$|complex)/;

/** Makes an `ort.Tensor` of one tensor, or an object of `ort.Tensor`s of tensors by their names. With a session, only
 * of the tensors that are its inputs, in the types that it asks for; without one, other values of the object are kept
 * as they are. `cast` converts a tensor's data to another type.
 * @type {(ort: OrtLike, outputs: object, session: SessionLike | undefined, cast: DataCast) => any} */
export function ortTensors(ort, outputs, session, cast) {
  // Arrow functions, which make no tensor, have no prototype.
  if (typeof ort?.Tensor !== 'function' || ort.Tensor.prototype === undefined)
    typeError(`ort must have the class Tensor, got ${show(ort)}`);
  if (typeof outputs !== 'object' || outputs === null)
    typeError(`outputs must be a tensor, or tensors by their names, got ${show(outputs)}`);
  const { inputNames, inputMetadata } = readSession(session);
  // The type that the session asks for, undefined if it does not say.
  const typeOf = (/** @type {string} */ name) => inputMetadata?.find((input) => input?.name === name)?.type;
  const tensorOf = (/** @type {string} */ argument, /** @type {unknown} */ value, /** @type {unknown} */ type) =>
    ortTensor(ort, { argument, value, type }, cast);
  if (isTensor(outputs)) {
    // A tensor alone has no name, so the session must have a single input.
    if (inputNames && inputNames.length !== 1)
      rangeError(`outputs must be tensors by the names of the session's inputs, ${show(inputNames)}, got a tensor`);
    return tensorOf('outputs', outputs, inputNames && typeOf(inputNames[0]));
  }
  const names = Object.keys(outputs).filter((name) => !inputNames || inputNames.includes(name));
  if (names.length === 0)
    rangeError(
      `outputs must have ${inputNames ? `an input of the session, ${show(inputNames)}` : 'a tensor, got none'}`,
    );
  const values = /** @type {Record<string, unknown>} */ (outputs);
  const valueOf = inputNames ? tensorOf : orPlain(tensorOf);
  return Object.fromEntries(names.map((name) => [name, valueOf(`outputs ${name}`, values[name], typeOf(name))]));
}

/** @typedef {(argument: string, value: unknown, type: unknown) => unknown} TensorMaker */

/** @type {(value: unknown) => boolean} whether a value looks like a tensor; its members are checked later */
const isTensor = (value) => typeof value === 'object' && value !== null && 'dims' in value && 'data' in value;

/** Extends a function that makes an `ort.Tensor`: plain values are returned as they are, and lists are made entry by
 * entry, as deep as they are nested. A processor gives both beside its tensors.
 * @type {(tensorOf: TensorMaker) => TensorMaker} */
function orPlain(tensorOf) {
  /** Makes tensors of a value, of which nothing else is changed.
   * @type {TensorMaker} */
  const valueOf = (argument, value, type) => {
    if (Array.isArray(value)) return value.map((item, i) => valueOf(`${argument}[${i}]`, item, type));
    return isTensor(value) ? tensorOf(argument, value, type) : value;
  };
  return valueOf;
}

/** Reads the list of input names and the list of input metadata (name and type of each) of a session, as copies. Both
 * are undefined without a session; then, or if a session has metadata alone, `inputNames` is undefined, and callers
 * take tensors of any name. A session with neither list is refused.
 * @type {(session: SessionLike | null | undefined) => { inputNames?: string[], inputMetadata?: InputMetadata[] }} */
function readSession(session) {
  if (session === undefined || session === null) return {};
  const { inputNames, inputMetadata } = session;
  return {
    inputNames: inputNames === undefined && inputMetadata ? undefined : readEntries('session.inputNames', inputNames),
    inputMetadata: inputMetadata === undefined ? undefined : readEntries('session.inputMetadata', inputMetadata),
  };
}

/** Makes an `ort.Tensor` of the tensor `value`, cast to `type` if that is given. Refuses types that `ort.Tensor` has no
 * data for, and casts of strings and complex numbers. `argument`: its name, for messages.
 * @type {(ort: OrtLike, from: { argument: string, value: unknown, type: unknown }, cast: DataCast) => unknown} */
function ortTensor(ort, { argument, value, type }, cast) {
  // A processor gives a list where its tensors differ in their dims.
  if (Array.isArray(value)) rangeError(`${argument} must be one tensor, got a list: pass padding`);
  const { dtype, data, dims, size } = readWholeTensor(argument, value);
  const wanted = type === undefined ? dtype : dtypeOf(type);
  if (!wanted) return typeError(`the session must ask for a type of ONNX, got ${show(type)} for ${argument}`);
  if (foreign.test(wanted.name))
    typeError(`${argument} type must be one that ort.Tensor has, got ${wanted.name}: cast gives others`);
  if (wanted === dtype) return new ort.Tensor(dtype.name, data, [...dims]);
  if ([wanted, dtype].some(({ format }) => format.kind === 'string' || format.kind === 'complex'))
    typeError(`${argument} type must be ${wanted.name}, as the session asks, got ${dtype.name}`);
  return new ort.Tensor(wanted.name, cast({ type: dtype.name, dtype, data, dims, size }, wanted), [...dims]);
}
