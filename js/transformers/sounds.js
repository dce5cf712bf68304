/** Feature extractors of transformers.js with Python's features. */
import { featureExtractor, init as initSounds } from '../audio/index.js';
import { init as initTensors } from '../processors/index.js';
import { alwaysMasked } from './classes.js';
import { inTheirForm } from './forms.js';
import { classNameOf } from './images.js';

/** Loads what extracts features, and what casts them. */
export const init = () => Promise.all([initSounds(), initTensors()]);

/** @import { Context, Patchable } from './types.js' */

/**
 * Python's call of a feature extractor; undefined where transformers.js keeps its own.
 * @type {(context: Context, object: Patchable) => ((samples: any, options?: object) => Promise<object>) | undefined}
 */
export function soundCall(context, object) {
  const { hf, sessions } = context;
  const className = classNameOf(context, object);
  const row = { part: 'feature_extractor', className };
  try {
    const extract = featureExtractor({ feature_extractor_type: className, ...object.config }, { unknown: 'ignore' });
    context.note({ ...row, by: 'python', reason: '' });
    return async (samples, options) => {
      const outputs = /** @type {any} */ (extract(samples, options ?? {}));
      const shaped = inTheirForm(context, outputs, { className, sessions: sessions.get(object) ?? [] });
      const { input_values: values } = shaped;
      if (alwaysMasked.includes(className) && values && !shaped.attention_mask)
        shaped.attention_mask = new hf.Tensor('int64', new BigInt64Array(values.size).fill(1n), values.dims);
      return shaped;
    };
  } catch (error) {
    context.note({ ...row, by: 'transformers.js', reason: /** @type {Error} */ (error).message });
    return undefined;
  }
}
