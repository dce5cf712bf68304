/** The patches of `install`: loading processors, calling pipelines, reading files of pictures. */
import { linkModel, useProcessor, usePart } from './apply.js';
import { processorByFiles } from './processor-files.js';
import { originalOf } from './patches.js';
import { pipelineCall, pipelineClasses } from './pipelines.js';

/** @import { PatchContext } from './apply.js' */
/** @import { Patchable } from './types.js' */

/** The ids and options that models were loaded by, by their configurations.
 * @typedef {WeakMap<object, [id: string, options: object | undefined]>} LoadedModels */

/**
 * A loader that gives what it loads Python's numbers, and loads classes and files that transformers.js does not know.
 * @type {(context: PatchContext, part: string, theirs: (...values: unknown[]) => Promise<Patchable>) => (id: string,
 *   options?: object) => Promise<Patchable>}
 */
const loaderOf = (context, part, theirs) => async (id, options) => {
  const loaded = await theirs(id, options).catch(async (error) => {
    const processor = await processorByFiles(context, id, options);
    const other = part === 'processor' ? processor : processor?.components[part];
    if (!other) throw error;
    return other;
  });
  await usePart(context, loaded);
  return loaded;
};

/** Patches `from_pretrained` of processors, which then get Python's numbers, and of configurations, whose ids and
 * options it writes to `loaded`.
 * @type {(context: PatchContext, loaded: LoadedModels) => void} */
function patchLoaders({ hf, patched, ...others }, loaded) {
  const context = { hf, patched, ...others };
  for (const [name, part] of [
    ['AutoProcessor', 'processor'],
    ['AutoImageProcessor', 'image_processor'],
    ['AutoFeatureExtractor', 'feature_extractor'],
  ]) {
    const theirs = originalOf(hf[name], 'from_pretrained').bind(hf[name]);
    patched.patch(hf[name], { from_pretrained: loaderOf(context, part, theirs) });
  }
  const readConfig = originalOf(hf.AutoConfig, 'from_pretrained').bind(hf.AutoConfig);
  patched.patch(hf.AutoConfig, {
    from_pretrained: async (/** @type {string} */ id, /** @type {object | undefined} */ options) => {
      const config = await readConfig(id, options);
      loaded.set(config, [id, options]);
      return config;
    },
  });
}

/** Gives a pipeline that was loaded without one the processor of its files, and tells its processor of its model.
 * @type {(context: PatchContext, loaded: LoadedModels, pipe: Patchable) => Promise<void>} */
async function complete(context, loaded, pipe) {
  const [id, options] = loaded.get(pipe.model.config) ?? [];
  if (!pipe.processor && id) {
    pipe.processor = (await processorByFiles(context, id, options, pipe.tokenizer)) ?? null;
    if (pipe.processor) await useProcessor(context, pipe.processor);
  }
  if (pipe.processor) linkModel(context, pipe.processor, pipe.model);
}

/** Patches the calls of pipelines: the first call of each completes it, all have Python's resizing and order.
 * @type {(context: PatchContext, loaded: LoadedModels) => void} */
function patchPipelines(context, loaded) {
  const { hf, patched } = context;
  for (const name of pipelineClasses) {
    const { prototype } = hf[name] ?? {};
    if (!prototype) continue;
    const theirs = originalOf(prototype, '_call');
    const call = pipelineCall(context, name, theirs) ?? theirs;
    /** @type {WeakSet<object>} */
    const completed = new WeakSet();
    patched.patch(prototype, {
      async _call(/** @type {unknown[]} */ ...values) {
        if (!completed.has(this)) await complete(context, loaded, this);
        completed.add(this);
        return call.apply(this, values);
      },
    });
  }
}

/** Patches `RawImage.fromBlob` to decode files by `decode`, upright. Without `decode` it stays.
 * @type {(context: PatchContext) => void} */
function patchDecoding({ hf: { RawImage }, decode, patched }) {
  if (!decode) return;
  patched.patch(RawImage, {
    async fromBlob(/** @type {Blob} */ blob) {
      const { data, width, height, channels } = /** @type {any} */ (await decode(blob, { orientation: 'upright' }));
      const bytes = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
      return new RawImage(bytes, width, height, channels);
    },
  });
}

/** Patches the classes of the module, so that all that is loaded from then on has Python's numbers.
 * @type {(context: PatchContext) => void} */
export function installPatches(context) {
  /** @type {LoadedModels} */
  const loaded = new WeakMap();
  patchLoaders(context, loaded);
  patchPipelines(context, loaded);
  patchDecoding(context);
}
