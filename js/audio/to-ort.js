/** Outputs as the tensors that an onnxruntime session takes. */
import { named, rangeError, show, typeError } from '../arguments/index.js';
import { decodeValues, dtypeOf, encodeValues, newData, readWholeTensor } from '../tensor/index.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Outputs } from './types.js' */

/** @typedef {{ inputNames: readonly string[], inputMetadata?: readonly any[] }} SessionLike */

/**
 * The feeds of an onnxruntime session: the outputs that it takes as inputs, as `ort.Tensor`s. Where the session's
 * metadata asks for another type, values are cast: masks of int32 to int64 or bool, features to float16. That is a loop
 * in JS over masks, which have an entry a frame.
 * @param {{ Tensor: any }} ort `onnxruntime-web` or `onnxruntime-node`
 * @param {Outputs} outputs of a feature extractor
 * @param {SessionLike} session an `ort.InferenceSession`
 * @returns {Record<string, any>}
 * @example
 * const ort = { Tensor };
 * const session = { inputNames: ['mask'], inputMetadata: [{ name: 'mask', isTensor: true, type: 'int64' }] };
 * const { mask } = toOrt(ort, { mask: new Tensor('int32', Int32Array.of(1, 0), [1, 2]) }, session);
 * mask.toArray(); // [1n, 0n]
 */
export function toOrt(ort, outputs, session) {
  return named('toOrt', () => {
    const { inputNames, inputMetadata = [] } = session;
    const names = Object.keys(outputs).filter((name) => inputNames.includes(name));
    if (names.length === 0) rangeError(`outputs must have an input of the session, ${show(inputNames)}`);
    const typeOf = (/** @type {string} */ name) => inputMetadata.find((input) => input.name === name)?.type;
    return Object.fromEntries(names.map((name) => [name, feedOf(ort, name, outputs[name], typeOf(name))]));
  });
}

/** @param {{ Tensor: any }} ort
 * @param {string} name
 * @param {any} value
 * @param {unknown} type that the session asks for, if it says so */
function feedOf(ort, name, value, type) {
  if (Array.isArray(value)) rangeError(`outputs ${name} must be one tensor, got a list: pass padding`);
  const { dtype, data, dims, size } = readWholeTensor(`outputs ${name}`, value);
  if (type === undefined || type === dtype.name) return new ort.Tensor(dtype.name, data, dims);
  const wanted = dtypeOf(type) ?? typeError(`the type of input ${name} must be one of ONNX, got ${show(type)}`);
  const cast = newData(/** @type {DType} */ (wanted), size, undefined);
  const values = decodeValues(dtype, data, size);
  const isBig = wanted.array.startsWith('Big');
  encodeValues(
    wanted,
    isBig ? values.map((entry) => BigInt(/** @type {any} */ (entry))) : values.map(Number),
    cast,
    size,
  );
  return new ort.Tensor(wanted.name, cast, dims);
}
