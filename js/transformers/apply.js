/** Finds the parts of an object of transformers.js that compute numbers, and puts functions with Python's numbers in
 * the place of their methods. `context` is what all patches of one `usePython` share. */
import * as args from '../arguments/index.js';
import { exportedName, lacksResults } from './classes.js';
import { pictureCall } from './images.js';
import { patchPipeline, pipelineClasses } from './pipelines.js';

/** @import { PatchedObjects } from './patches.js' */
/** @import { Context, LoadedModule, Patchable, Session } from './types.js' */

/** @typedef {Context & { patched: PatchedObjects }} PatchContext */

/** @type {(model: { sessions?: Record<string, Session> } | undefined) => readonly Session[]} */
const sessionsOf = (model) => Object.values(model?.sessions ?? {});

/** False if the module has no such class.
 * @type {(hf: LoadedModule, name: string, object: unknown) => boolean} */
const isOf = (hf, name, object) => typeof hf[name] === 'function' && object instanceof hf[name];

/** Remembers for a processor and its parts the sessions of the model that takes their outputs: their inputs tell the
 * types and sizes that outputs must have.
 * @type {(context: Context, processor: Patchable, model: Patchable) => void} */
export function linkModel({ sessions }, processor, model) {
  // A Processor keeps its video processor beside its components.
  const parts = [processor, ...Object.values(processor?.components ?? {}), processor?.video_processor];
  if (!model) return;
  for (const part of parts) if (part) sessions.set(part, sessionsOf(model));
}

/** Patches the call of an image processor and, if its class has any, its `post_process_*` methods, unless
 * transformers.js keeps its own call.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function usePictures(context, object) {
  const python = pictureCall(context, object);
  if (!python) return;
  // `_call` is the method that runs when an object of transformers.js is called.
  const { call: _call, className } = python;
  if (lacksResults(context.hf, object, className)) return context.patched.patch(object, { _call });
  const { resultMethods } = await import('./results.js');
  context.patched.patch(object, { _call, ...resultMethods(context, object, className) });
}

/** @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function useVideos(context, object) {
  const { filmCall } = await import('./videos.js');
  const python = filmCall(context, object);
  if (python) context.patched.patch(object, { _call: python.call });
}

/** @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function useSounds(context, object) {
  const { soundCall } = await import('./sounds.js');
  const python = soundCall(context, object);
  if (python) context.patched.patch(object, { _call: python.call });
}

/** Grounding DINO's Processor has a `post_process_*` method of its own.
 * @type {(context: PatchContext, processor: Patchable) => Promise<void>} */
export async function useProcessor(context, processor) {
  const { image_processor, feature_extractor } = processor.components;
  if (image_processor) await usePictures(context, image_processor);
  if (feature_extractor) await useSounds(context, feature_extractor);
  if (processor.video_processor) await useVideos(context, processor.video_processor);
  if (!isOf(context.hf, 'GroundingDinoProcessor', processor)) return;
  const { groundedMethods } = await import('./results.js');
  context.patched.patch(processor, groundedMethods(context, processor));
}

/** Patches a pipeline's processor and, if its class resizes pictures or sorts labels by itself, its call. A pipeline
 * without a processor, as one of text, stays.
 * @type {(context: PatchContext, pipe: Patchable) => Promise<void>} */
async function usePipeline(context, pipe) {
  if (!pipe.processor) return;
  // The list has classes in front of those that they extend.
  const name = pipelineClasses.find((className) => isOf(context.hf, className, pipe));
  linkModel(context, pipe.processor, pipe.model);
  await useProcessor(context, pipe.processor);
  if (name) patchPipeline(context, pipe, name);
}

/** Patches an object by its kind. `model`: the model that takes the object's outputs, if it is known.
 * @type {(context: PatchContext, object: Patchable, model?: Patchable) => Promise<void>} */
export async function usePart(context, object, model) {
  const { hf } = context;
  linkModel(context, object, model);
  const isPipeline = object?.task !== undefined && object.model;
  if (isPipeline) return usePipeline(context, object);
  if (isOf(hf, 'Processor', object)) return useProcessor(context, object);
  if (isOf(hf, 'FeatureExtractor', object)) return useSounds(context, object);
  // These two classes of Gemma extend no base class of processors.
  const isVideo = isOf(hf, 'EmbeddingGemma2VideoProcessor', object);
  const isImage = isOf(hf, 'ImageProcessor', object) || isOf(hf, 'Gemma4ImageProcessor', object);
  if (isVideo) return useVideos(context, object);
  if (isImage) return usePictures(context, object);
  const kinds = 'a pipeline, a Processor, an image or video processor or a feature extractor of transformers.js';
  args.typeError(`object must be ${kinds}, got ${args.show(object && exportedName(hf, object))}`);
}
