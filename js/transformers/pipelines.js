/** Pipelines of transformers.js that resize by themselves, where Python resizes by the class or by Pillow. */
import { originalOf } from './patches.js';

/** @import { PatchedObjects } from './patches.js' */
/** @import { Context, LoadedModule, Patchable, TheirImage, TheirTensor } from './types.js' */

/** Pipelines that have a processor of pictures or sounds. */
export const pipelineClasses = [
  'AudioClassificationPipeline',
  'AutomaticSpeechRecognitionPipeline',
  // Before its base class.
  'BackgroundRemovalPipeline',
  'DepthEstimationPipeline',
  'DocumentQuestionAnsweringPipeline',
  'ImageClassificationPipeline',
  'ImageFeatureExtractionPipeline',
  'ImageSegmentationPipeline',
  'ImageToImagePipeline',
  'ImageToTextPipeline',
  'ObjectDetectionPipeline',
  'ZeroShotAudioClassificationPipeline',
  'ZeroShotImageClassificationPipeline',
  'ZeroShotObjectDetectionPipeline',
];

/** @type {(hf: LoadedModule, images: unknown) => Promise<TheirImage[]>} */
const readImages = ({ RawImage }, images) => Promise.all([images].flat().map((image) => RawImage.read(image)));

/** Runs a depth pipeline as Python does: the depth resized by the class of the model, and a picture whose levels from 0
 * to 255 are its range.
 * @type {(context: Context, pipe: Patchable, images: unknown) => Promise<unknown>} */
async function depth({ hf }, pipe, images) {
  const pictures = await readImages(hf, images);
  const sizes = pictures.map(({ width, height }) => [height, width]);
  const outputs = await pipe.model(await pipe.processor(pictures));
  const maps = pipe.processor.image_processor.post_process_depth_estimation(outputs, sizes);
  const results = maps.map((/** @type {{ predicted_depth: TheirTensor }} */ { predicted_depth }) => {
    const low = predicted_depth.min().item();
    const range = Math.fround(predicted_depth.max().item() - low);
    const levels = predicted_depth.sub(low).div_(range).mul_(255).to('uint8');
    return { predicted_depth, depth: hf.RawImage.fromTensor(levels.unsqueeze(0)) };
  });
  return Array.isArray(images) ? results : results[0];
}

/** The inputs of a model; `pixel_values` alone, under the session's name, if it has one input.
 * @type {(model: Patchable, inputs: Record<string, unknown>) => Record<string, unknown>} */
function renamed(model, inputs) {
  const { inputNames } = model.sessions.model;
  return inputNames.length === 1 ? { [inputNames[0]]: inputs.pixel_values } : inputs;
}

/** Runs a model that gives one number a pixel, and resizes its masks to the pictures' sizes as Pillow does.
 * @type {(context: Context, pipe: Patchable, pictures: readonly TheirImage[]) => Promise<TheirImage[]>} */
async function plainMasks({ hf }, pipe, pictures) {
  const { resize } = await import('./mask-sizes.js');
  const outputs = await pipe.model(renamed(pipe.model, await pipe.processor(pictures)));
  const first = outputs[pipe.model.sessions.model.outputNames[0]];
  return pictures.map((picture, i) => {
    /** @type {TheirTensor} */
    const item = first[i];
    // Outputs that are no probabilities are logits. onnxruntime's may miss 0 and 1 by a little.
    const numbers = /** @type {Float32Array} */ (item.data);
    if (numbers.some((value) => value < -1e-5 || value > 1 + 1e-5)) item.sigmoid_();
    const { data, width, height } = hf.RawImage.fromTensor(item.mul_(255).to('uint8'));
    const source = { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height };
    const size = { width: picture.width, height: picture.height };
    const resized = resize(source, { ...size, filter: 'bilinear' });
    return new hf.RawImage(new Uint8ClampedArray(resized.data.buffer), size.width, size.height, 1);
  });
}

/** Whether a pipeline's processor has a method that makes labels of a model's outputs.
 * @type {(pipe: Patchable) => boolean} */
const hasLabels = ({ processor: { image_processor } }) =>
  ['panoptic', 'instance', 'semantic'].some((name) => `post_process_${name}_segmentation` in image_processor);

/** A pipeline's call with Python's resizing; it gives undefined where transformers.js' own call is Python's.
 * @typedef {(context: Context, pipe: Patchable, images: unknown, options?: { subtask?: string }) => Promise<unknown>}
 *   PipelineCall */

/** Gives one mask without label or score for each picture; undefined where the model has labels.
 * @type {PipelineCall} */
async function segmentation({ hf, ...context }, pipe, images, options) {
  if (hasLabels(pipe) || options?.subtask) return undefined;
  const pictures = await readImages(hf, images);
  const masks = await plainMasks({ hf, ...context }, pipe, pictures);
  return masks.map((mask) => ({ label: null, score: null, mask }));
}

/** Gives pictures whose alpha is their mask; undefined where the model has labels.
 * @type {PipelineCall} */
async function backgroundRemoval(context, pipe, images, options) {
  if (hasLabels(pipe) || options?.subtask) return undefined;
  const pictures = await readImages(context.hf, images);
  const masks = await plainMasks(context, pipe, pictures);
  const results = pictures.map((picture) => picture.clone());
  results.forEach((picture, i) => picture.putAlpha(masks[i]));
  return Array.isArray(images) ? results : results[0];
}

/** @type {Record<string, PipelineCall>} */
const calls = {
  BackgroundRemovalPipeline: backgroundRemoval,
  DepthEstimationPipeline: depth,
  ImageSegmentationPipeline: segmentation,
};

/** Whether the call of an image processor is patched, so that its pixels are Python's.
 * @type {(processor: Patchable) => boolean} */
const hasPython = ({ image_processor }) => image_processor?._call !== originalOf(image_processor, '_call');

/** Sorts labels by score, the likeliest first, as Python does: transformers.js leaves labels of sounds in the caller's
 * order. `results`: of one sound, or a list for each.
 * @type {(results: unknown[]) => unknown[]} */
const byScore = (results) =>
  Array.isArray(results[0])
    ? /** @type {unknown[][]} */ (results).map(byScore)
    : /** @type {{ score: number }[]} */ ([...results]).sort((a, b) => b.score - a.score);

/** @typedef {(this: Patchable, ...values: unknown[]) => Promise<unknown>} TheirCall a pipeline's `_call` */

/** Makes a pipeline's call with Python's resizing, which holds while its processor is patched, or with Python's order
 * of labels. `theirs`: the call that it replaces. Undefined for a pipeline that needs neither.
 * @type {(context: Context, name: string, theirs: TheirCall) => TheirCall | undefined} */
export function pipelineCall(context, name, theirs) {
  if (name === 'ZeroShotAudioClassificationPipeline')
    return async function sortedCall(...values) {
      return byScore(/** @type {unknown[]} */ (await theirs.apply(this, values)));
    };
  const call = calls[name];
  if (!call) return undefined;
  return async function pythonCall(images, ...rest) {
    const options = /** @type {Parameters<PipelineCall>[3]} */ (rest[0]);
    const result = hasPython(this.processor) ? await call(context, this, images, options) : undefined;
    return result ?? theirs.call(this, images, ...rest);
  };
}

/** Patches the call of a pipeline of the class `name`, if {@link pipelineCall} has one for it.
 * @type {(context: Context & { patched: PatchedObjects }, pipe: Patchable, name: string) => void} */
export function patchPipeline(context, pipe, name) {
  const _call = pipelineCall(context, name, originalOf(pipe, '_call'));
  if (!_call) return;
  context.patched.patch(pipe, { _call });
  context.note({ part: 'pipeline', className: name, by: 'python', reason: '' });
}
