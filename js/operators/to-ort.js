/** `toOrt`: tensors handed over to onnxruntime, cast in wasm. */
import { named } from '../arguments/index.js';
import { ortTensors } from '../tensor/index.js';
import { cast } from './convert/cast.js';

/** @import { DataCast, OrtLike, OrtTensors, SessionLike, TensorLike } from '../tensor/index.js' */

/**
 * Tensors as `ort.Tensor`s that share their data, or as those of transformers.js with its `Tensor`: what a processor, a
 * feature extractor or {@link imageToTensor} returns. int4 and uint4 stay packed; onnxruntime's tensors have no
 * bfloat16, floats of 8 bits or fewer, integers of 2 bits or complex numbers.
 *
 * With a session, outputs become its feeds: those that it takes as inputs, each in the type that `inputMetadata` asks
 * for, by {@link cast}. With `{ inputMetadata }` alone, which may be that of several sessions, all outputs stay.
 * Without `inputNames`, plain values pass, and lists become lists of the same.
 * @template {OrtLike} Ort
 * @template {TensorLike | object} Outputs
 * @param {Ort} ort `onnxruntime-web`, `onnxruntime-node` or `@huggingface/transformers`
 * @param {Outputs} outputs a tensor, or tensors by their names
 * @param {SessionLike} [session] an `ort.InferenceSession`; of one input where `outputs` is a tensor
 * @returns {OrtTensors<Ort, Outputs>} one tensor of one, or tensors by their names
 * @example
 * const ort = { Tensor };
 * const session = { inputNames: ['mask'], inputMetadata: [{ name: 'mask', isTensor: true, type: 'int64' }] };
 * const { mask } = toOrt(ort, { mask: new Tensor('int32', Int32Array.of(1, 0), [1, 2]) }, session);
 * mask.toArray(); // [1n, 0n]
 */
export function toOrt(ort, outputs, session) {
  return named('toOrt', () => ortTensors(ort, outputs, session, castData));
}

/** @type {DataCast} */
const castData = ({ type, data, dims }, wantedType) => cast({ type, data, dims }, wantedType.name).data;
