/** Replaces methods of objects of transformers.js by functions with Python's numbers. */
import * as args from '../arguments/index.js';
import { exportedName, needsResultMethods } from './classes.js';
import { classNameOf, pythonPictureCall } from './images.js';
import { patchPipelineCall, pipelineClasses } from './pipelines.js';

/** @import { PatchedObjects } from './patches.js' */
/** @import { Context, LoadedModule, Patchable, Session } from './types.js' */

/** @typedef {Context & { patched: PatchedObjects }} PatchContext */

/** Lists the sessions of a model; none without a model.
 * @type {(model: { sessions?: Record<string, Session> } | undefined) => readonly Session[]} */
const sessionsOf = (model) => Object.values(model?.sessions ?? {});

/** Tells whether an object is of the module's class `name`; false if the module has no such class.
 * @type {(hf: LoadedModule, name: string, object: unknown) => boolean} */
const isOf = (hf, name, object) => typeof hf[name] === 'function' && object instanceof hf[name];

/** Remembers for a processor and its parts the sessions of the model that takes their outputs: their inputs tell the
 * types and sizes that outputs must have.
 * @type {(context: Context, processor: Patchable, model: Patchable) => void} */
export function linkModel({ sessions }, processor, model) {
  if (!model) return;
  // A Processor keeps its video processor beside its components.
  const parts = [processor, ...Object.values(processor?.components ?? {}), processor?.video_processor];
  for (const part of parts) if (part) sessions.set(part, sessionsOf(model));
}

// `_call`, which the functions below replace, is the method that runs when an object of transformers.js is called.

/** Gives an image processor Python's pixels and `post_process_*` methods, unless transformers.js keeps its own call.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function patchImageProcessor(context, object) {
  const className = classNameOf(context, object);
  const _call = pythonPictureCall(context, object, className);
  if (!_call) return;
  if (!needsResultMethods(context.hf, object, className)) return context.patched.patch(object, { _call });
  const { resultMethods } = await import('./results.js');
  context.patched.patch(object, { _call, ...resultMethods(context, object, className) });
}

/** Gives a video processor Python's pixels, unless transformers.js keeps its own call.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function patchVideoProcessor(context, object) {
  const { pythonVideoCall } = await import('./videos.js');
  const _call = pythonVideoCall(context, object);
  if (_call) context.patched.patch(object, { _call });
}

/** Gives a feature extractor, which takes sounds, Python's features, unless transformers.js keeps its own call.
 * @type {(context: PatchContext, object: Patchable) => Promise<void>} */
async function patchFeatureExtractor(context, object) {
  const { pythonSoundCall } = await import('./sounds.js');
  const _call = pythonSoundCall(context, object);
  if (_call) context.patched.patch(object, { _call });
}

/** Patches the parts of a Processor for pictures, sounds and videos, and Grounding DINO's Processor itself, which has a
 * `post_process_*` method of its own.
 * @type {(context: PatchContext, processor: Patchable) => Promise<void>} */
export async function patchProcessor(context, processor) {
  const { image_processor, feature_extractor } = processor.components;
  if (image_processor) await patchImageProcessor(context, image_processor);
  if (feature_extractor) await patchFeatureExtractor(context, feature_extractor);
  if (processor.video_processor) await patchVideoProcessor(context, processor.video_processor);
  if (!isOf(context.hf, 'GroundingDinoProcessor', processor)) return;
  const { groundedMethods } = await import('./results.js');
  context.patched.patch(processor, groundedMethods(context, processor));
}

/** Patches a pipeline's processor and, if its class resizes pictures or sorts labels by itself, its call. A pipeline
 * without a processor, as one of text, stays.
 * @type {(context: PatchContext, pipe: Patchable) => Promise<void>} */
async function patchPipeline(context, pipe) {
  if (!pipe.processor) return;
  // The list has classes in front of those that they extend.
  const className = pipelineClasses.find((name) => isOf(context.hf, name, pipe));
  linkModel(context, pipe.processor, pipe.model);
  await patchProcessor(context, pipe.processor);
  if (className) patchPipelineCall(context, pipe, className);
}

/** Patches a pipeline, a Processor or a part of one. `model`: the model that takes its outputs, if it is known.
 * @type {(context: PatchContext, object: Patchable, model?: Patchable) => Promise<void>} */
export async function patchObject(context, object, model) {
  const { hf } = context;
  linkModel(context, object, model);
  const isPipeline = object?.task !== undefined && object.model;
  if (isPipeline) return patchPipeline(context, object);
  if (isOf(hf, 'Processor', object)) return patchProcessor(context, object);
  if (isOf(hf, 'FeatureExtractor', object)) return patchFeatureExtractor(context, object);
  // These two classes of Gemma extend no base class of processors.
  const isVideo = isOf(hf, 'EmbeddingGemma2VideoProcessor', object);
  const isImage = isOf(hf, 'ImageProcessor', object) || isOf(hf, 'Gemma4ImageProcessor', object);
  if (isVideo) return patchVideoProcessor(context, object);
  if (isImage) return patchImageProcessor(context, object);
  const kinds = 'a pipeline, a Processor, an image or video processor or a feature extractor of transformers.js';
  args.typeError(`object must be ${kinds}, got ${args.show(object && exportedName(hf, object))}`);
}
