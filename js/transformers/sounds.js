/** Feature extractors of transformers.js with Python's features. */
import { featureExtractor } from '../audio/index.js';
import { alwaysMasked } from './classes.js';
import { inTheirForm } from './forms.js';
import { classNameOf, pythonCall } from './images.js';

/** @import { PythonCall } from './images.js' */
/** @import { Context, Patchable } from './types.js' */

/** Makes the function that replaces a feature extractor's call: it computes Python's features, in the types that the
 * model of `object` takes. Where transformers.js always gives a mask and Python gave none, it adds one of ones: no
 * sample is padding.
 * @type {(context: Context, object: Patchable, className: string) => PythonCall} */
function extractorCall(context, object, className) {
  const { hf, sessions } = context;
  const extract = featureExtractor({ feature_extractor_type: className, ...object.config }, { unknown: 'ignore' });
  return async (samples, options) => {
    const callerOptions = /** @type {Record<string, unknown>} */ (options ?? {});
    const outputs = extract(/** @type {Float32Array} */ (samples), callerOptions);
    const shaped = inTheirForm(context, outputs, { className, sessions: sessions.get(object) ?? [] });
    const { input_values: waveforms, attention_mask: mask } = shaped;
    const lacksMask = alwaysMasked.includes(className) && waveforms && !mask;
    if (!lacksMask) return shaped;
    const ones = new BigInt64Array(waveforms.size).fill(1n);
    return { ...shaped, attention_mask: new hf.Tensor('int64', ones, waveforms.dims) };
  };
}

/** Makes the function that replaces the call of a feature extractor, and notes for the report who computes it.
 * Undefined if transformers.js keeps its own call: {@link pythonCall} says when.
 * @type {(context: Context, object: Patchable) => PythonCall | undefined} */
export function pythonSoundCall(context, object) {
  const className = classNameOf(context, object);
  const makeCall = () => extractorCall(context, object, className);
  return pythonCall(context, { part: 'feature_extractor', className }, makeCall);
}
