/** The patches of `install`, which replace methods of transformers.js' classes. */
import { linkModel, patchObject, patchProcessor } from './apply.js';
import { processorByFiles } from './processor-files.js';
import { originalOf } from './patches.js';
import { pipelineCall, pipelineClasses } from './pipelines.js';

/** @import { PatchContext } from './apply.js' */
/** @import { Patchable } from './types.js' */

/** The id and the options by which each model was loaded, by the configuration object of the model.
 * @typedef {WeakMap<object, [id: string, options: object | undefined]>} LoadedModels */

/** Makes a function that replaces `theirs`, the method `from_pretrained` of a class, and patches what it loads. If
 * `theirs` throws, because transformers.js lacks the class or does not read the files, the object is made from the
 * model's files; if these name none, the error of `theirs` is thrown. `part`: 'processor', or the part of a processor
 * that the class loads.
 * @type {(context: PatchContext, part: string, theirs: (...values: unknown[]) => Promise<Patchable>) => (id: string,
 *   options?: object) => Promise<Patchable>} */
const loaderOf = (context, part, theirs) => async (id, options) => {
  const loaded = await theirs(id, options).catch(async (error) => {
    const processor = await processorByFiles(context, id, options);
    const madeFromFiles = part === 'processor' ? processor : processor?.components[part];
    if (!madeFromFiles) throw error;
    return madeFromFiles;
  });
  await patchObject(context, loaded);
  return loaded;
};

/** Replaces `from_pretrained` of the classes that load processors, and of AutoConfig, which remembers the model of each
 * configuration in `loaded`.
 * @type {(context: PatchContext, loaded: LoadedModels) => void} */
function patchLoaders(context, loaded) {
  const { hf, patched } = context;
  // By the methods from before the patches, so that `install` may be called twice.
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
    /** Loads a configuration, and remembers by which id and options. */
    from_pretrained: async (/** @type {string} */ id, /** @type {object | undefined} */ options) => {
      const config = await readConfig(id, options);
      loaded.set(config, [id, options]);
      return config;
    },
  });
}

/** Gives a pipeline without a processor the one that its model's files name, patched, if the model was loaded after
 * `install`; and links the processor to the model.
 * @type {(context: PatchContext, loaded: LoadedModels, pipe: Patchable) => Promise<void>} */
async function completeProcessor(context, loaded, pipe) {
  const [id, options] = loaded.get(pipe.model.config) ?? [];
  if (!pipe.processor && id) {
    // null is what transformers.js has for a pipeline without a processor.
    pipe.processor = (await processorByFiles(context, id, options, pipe.tokenizer)) ?? null;
    if (pipe.processor) await patchProcessor(context, pipe.processor);
  }
  if (pipe.processor) linkModel(context, pipe.processor, pipe.model);
}

/** Replaces the call of each class of pipelines. The first call of a pipeline completes its processor.
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
      /** Runs a pipeline of the class, `this`. Completes its processor first, once. */
      async _call(/** @type {unknown[]} */ ...values) {
        if (!completed.has(this)) await completeProcessor(context, loaded, this);
        completed.add(this);
        return call.apply(this, values);
      },
    });
  }
}

/** Replaces `RawImage.fromBlob`, which decodes a picture's file, by the option `decode`, if there is one.
 * @type {(context: PatchContext) => void} */
function patchDecoding({ hf: { RawImage }, decode, patched }) {
  if (!decode) return;
  patched.patch(RawImage, {
    /** Decodes a picture's file, turned as its EXIF orientation says. */
    async fromBlob(/** @type {Blob} */ blob) {
      const { data, width, height, channels } = /** @type {any} */ (await decode(blob, { orientation: 'upright' }));
      // The class of array that RawImage takes, over the same memory.
      const bytes = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
      return new RawImage(bytes, width, height, channels);
    },
  });
}

/** Patches the module, so that all that is loaded afterwards has Python's numbers.
 * @type {(context: PatchContext) => void} */
export function installPatches(context) {
  /** @type {LoadedModels} */
  const loaded = new WeakMap();
  patchLoaders(context, loaded);
  patchPipelines(context, loaded);
  patchDecoding(context);
}
