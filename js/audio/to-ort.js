/** Outputs as the tensors that an onnxruntime session takes. */
import { named } from '../arguments/index.js';
import { decodeValues, encodeValues, newData, ortTensors } from '../tensor/index.js';

/** @import { DataCast, OrtLike, OrtTensors, SessionLike } from '../tensor/index.js' */

/**
 * The feeds of an onnxruntime session: the outputs that it takes as inputs, as `ort.Tensor`s. Where the session's
 * metadata asks for another type, values are cast: masks of int32 to int64 or bool, features to float16. That is a loop
 * in JS over masks, which have an entry a frame.
 * @template {OrtLike} Ort
 * @template {object} Outputs
 * @param {Ort} ort `onnxruntime-web` or `onnxruntime-node`
 * @param {Outputs} outputs of a feature extractor
 * @param {SessionLike} [session] an `ort.InferenceSession`
 * @returns {OrtTensors<Ort, Outputs>}
 * @example
 * const ort = { Tensor };
 * const session = { inputNames: ['mask'], inputMetadata: [{ name: 'mask', isTensor: true, type: 'int64' }] };
 * const { mask } = toOrt(ort, { mask: new Tensor('int32', Int32Array.of(1, 0), [1, 2]) }, session);
 * mask.toArray(); // [1n, 0n]
 */
export function toOrt(ort, outputs, session) {
  return named('toOrt', () => ortTensors(ort, outputs, session, castInScript));
}

/** @type {DataCast} */
function castInScript({ dtype, data, size }, wanted) {
  const cast = newData(wanted, size, undefined);
  const values = decodeValues(dtype, data, size);
  const isBig = wanted.array.startsWith('Big');
  const bigOf = (/** @type {any} */ value) => BigInt(typeof value === 'number' ? Math.trunc(value) : value);
  encodeValues(wanted, isBig ? values.map(bigOf) : values.map(Number), cast, size);
  return cast;
}
