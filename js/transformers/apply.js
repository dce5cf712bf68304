/** Which parts of an object of transformers.js are replaced, and by what. */
import * as args from '../arguments/index.js';
import { exportedName, lacksResults } from './classes.js';
import { pictureCall } from './images.js';
import { patchPipeline, pipelineClasses } from './pipelines.js';

/** @import { PatchedObjects } from './patches.js' */
/** @import { Context, LoadedModule, Patchable, Session } from './types.js' */

/** @typedef {Context & { patched: PatchedObjects }} PatchContext */

/** The sessions of a model; none without a model.
 * @type {(model: { sessions?: Record<string, Session> } | undefined) => readonly Session[]} */
const sessionsOf = (model) => Object.values(model?.sessions ?? {});

/** Whether an object is of the module's class of this name, if the module has it.
 * @type {(hf: LoadedModule, name: string, object: unknown) => boolean} */
const isOf = (hf, name, object) => typeof hf[name] === 'function' && object instanceof hf[name];

/** Remembers, for a processor and its parts, the sessions of the model that their outputs go to.
 * @type {(context: Context, processor: Patchable, model: Patchable) => void} */
export function linkModel({ sessions }, processor, model) {
  const parts = [processor, ...Object.values(processor?.components ?? {}), processor?.video_processor];
  if (!model) return;
  for (const part of parts) if (part) sessions.set(part, sessionsOf(model));
}

/** Patches an image processor: its call and, if its class has any, its `post_process_*` methods.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function usePictures(context, object) {
  const python = pictureCall(context, object);
  if (!python) return;
  const { call: _call, className } = python;
  if (lacksResults(context.hf, object, className)) return context.patched.patch(object, { _call });
  const { resultMethods } = await import('./results.js');
  context.patched.patch(object, { _call, ...resultMethods(context, object, className) });
}

/** Patches the call of a video processor.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function useVideos(context, object) {
  const { filmCall } = await import('./videos.js');
  const python = filmCall(context, object);
  if (python) context.patched.patch(object, { _call: python.call });
}

/** Patches the call of a feature extractor.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function useSounds(context, object) {
  const { soundCall } = await import('./sounds.js');
  const python = soundCall(context, object);
  if (python) context.patched.patch(object, { _call: python.call });
}

/** Patches the parts of a Processor, and the method that Grounding DINO's has itself.
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

/** Patches a pipeline that has a processor: the processor, and the call if the pipeline resizes or sorts by itself.
 * @type {(context: PatchContext, pipe: Patchable) => Promise<void>} */
async function usePipeline(context, pipe) {
  const name = pipelineClasses.find((className) => isOf(context.hf, className, pipe));
  if (!pipe.processor) return;
  linkModel(context, pipe.processor, pipe.model);
  await useProcessor(context, pipe.processor);
  if (name) patchPipeline(context, pipe, name);
}

/** Patches what an object computes: a pipeline, a Processor, or one of its parts.
 * @type {(context: PatchContext, object: Patchable, model?: Patchable) => Promise<void>} */
export async function usePart(context, object, model) {
  const { hf } = context;
  linkModel(context, object, model);
  if (object?.task !== undefined && object.model) return usePipeline(context, object);
  if (isOf(hf, 'Processor', object)) return useProcessor(context, object);
  if (isOf(hf, 'FeatureExtractor', object)) return useSounds(context, object);
  const isVideo = isOf(hf, 'EmbeddingGemma2VideoProcessor', object);
  const isImage = isOf(hf, 'ImageProcessor', object) || isOf(hf, 'Gemma4ImageProcessor', object);
  if (isVideo) return useVideos(context, object);
  if (isImage) return usePictures(context, object);
  const kinds = 'a pipeline, a Processor, an image or video processor or a feature extractor of transformers.js';
  args.typeError(`object must be ${kinds}, got ${args.show(object && exportedName(hf, object))}`);
}
