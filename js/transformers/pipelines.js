/** Calls of pipelines of transformers.js that resize or sort in JavaScript, where Python resizes by the methods of a
 * class or by Pillow. */
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
const readImagesByTheirs = ({ RawImage }, images) => Promise.all([images].flat().map((image) => RawImage.read(image)));

/** Runs a depth pipeline as Python does. The result of each picture has `predicted_depth`, which the method of the
 * image processor resized to the picture, and `depth`, a gray picture in which the least depth is 0 and the greatest
 * 255. A list of pictures gives a list of results.
 * @type {(context: Context, pipe: Patchable, images: unknown) => Promise<unknown>} */
async function estimateDepth({ hf }, pipe, images) {
  const pictures = await readImagesByTheirs(hf, images);
  const sizes = pictures.map(({ width, height }) => [height, width]);
  const inputs = await pipe.processor(pictures);
  const outputs = await pipe.model(inputs);
  const maps = pipe.processor.image_processor.post_process_depth_estimation(outputs, sizes);
  const results = maps.map((/** @type {{ predicted_depth: TheirTensor }} */ { predicted_depth }) => {
    // As Python's pipeline: (depth - min) / (max - min) * 255, cut to bytes, in float32 steps.
    const low = predicted_depth.min().item();
    const range = Math.fround(predicted_depth.max().item() - low);
    const levels = predicted_depth.sub(low).div_(range).mul_(255).to('uint8');
    return { predicted_depth, depth: hf.RawImage.fromTensor(levels.unsqueeze(0)) };
  });
  return Array.isArray(images) ? results : results[0];
}

/** Renames a processor's outputs for the model: a model of one input takes `pixel_values` under the name that its file
 * has for that input; one of several takes all outputs as they are.
 * @type {(model: Patchable, inputs: Record<string, unknown>) => Record<string, unknown>} */
function namedForModel(model, inputs) {
  const { inputNames } = model.sessions.model;
  return inputNames.length === 1 ? { [inputNames[0]]: inputs.pixel_values } : inputs;
}

/** Runs a model whose first output has one number for each pixel, and makes a gray mask of it for each picture, which
 * is resized to the picture as Pillow does. Overwrites the model's output.
 * @type {(context: Context, pipe: Patchable, pictures: readonly TheirImage[]) => Promise<TheirImage[]>} */
async function plainMasks({ hf }, pipe, pictures) {
  const { resize } = await import('./mask-sizes.js');
  const pixels = await pipe.processor(pictures);
  const inputs = namedForModel(pipe.model, pixels);
  const outputs = await pipe.model(inputs);
  const [firstOutput] = pipe.model.sessions.model.outputNames;
  const masks = outputs[firstOutput];
  return pictures.map((picture, i) => {
    /** @type {TheirTensor} */
    const mask = masks[i];
    if (areLogits(/** @type {Float32Array} */ (mask.data))) mask.sigmoid_();
    const { data, width, height } = hf.RawImage.fromTensor(mask.mul_(255).to('uint8'));
    // The same bytes as a Uint8Array, which `resize` takes.
    const source = { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width, height };
    const size = { width: picture.width, height: picture.height };
    const resized = resize(source, { ...size, filter: 'bilinear' });
    return new hf.RawImage(new Uint8ClampedArray(resized.data.buffer), size.width, size.height, 1);
  });
}

/** How far rounding may carry a probability out of [0, 1]. */
const tolerance = 1e-5;

/** Tells whether numbers are logits, which need a sigmoid: some lie outside the range of probabilities, [0, 1].
 * @type {(numbers: Float32Array) => boolean} */
const areLogits = (numbers) => numbers.some((value) => value < -tolerance || value > 1 + tolerance);

/** Tells whether a pipeline's model gives labels, not plain masks, which is so if its image processor has a
 * `post_process_*_segmentation` method.
 * @type {(pipe: Patchable) => boolean} */
const givesLabels = ({ processor: { image_processor } }) =>
  ['panoptic', 'instance', 'semantic'].some((name) => `post_process_${name}_segmentation` in image_processor);

/** A function that makes a pipeline's results with Python's resizing. It gives undefined for a call in which nothing
 * differs, so that transformers.js' own call is to run.
 * @typedef {(context: Context, pipe: Patchable, images: unknown, options?: { subtask?: string }) => Promise<unknown>}
 *   PipelineCall */

/** Runs a segmentation pipeline whose model gives plain masks. Leaves a model of labels, and a subtask, which needs
 * labels, to transformers.js.
 * @type {PipelineCall} */
async function segment(context, pipe, images, options) {
  if (givesLabels(pipe) || options?.subtask) return undefined;
  const pictures = await readImagesByTheirs(context.hf, images);
  const masks = await plainMasks(context, pipe, pictures);
  return masks.map((mask) => ({ label: null, score: null, mask }));
}

/** Runs a pipeline of background removal whose model gives plain masks. The results are copies of the pictures whose
 * alpha is their mask: a list for a list. Leaves a model of labels, and a subtask, to transformers.js.
 * @type {PipelineCall} */
async function removeBackground(context, pipe, images, options) {
  if (givesLabels(pipe) || options?.subtask) return undefined;
  const pictures = await readImagesByTheirs(context.hf, images);
  const masks = await plainMasks(context, pipe, pictures);
  const results = pictures.map((picture) => picture.clone());
  results.forEach((picture, i) => picture.putAlpha(masks[i]));
  return Array.isArray(images) ? results : results[0];
}

/** The function that replaces a pipeline's call, by the pipeline's class. @type {Record<string, PipelineCall>} */
const pythonCalls = {
  BackgroundRemovalPipeline: removeBackground,
  DepthEstimationPipeline: estimateDepth,
  ImageSegmentationPipeline: segment,
};

/** Tells whether the call of a Processor's image processor is patched, so that its pixels are Python's.
 * @type {(processor: Patchable) => boolean} */
const hasPythonPixels = ({ image_processor }) => image_processor?._call !== originalOf(image_processor, '_call');

/** Sorts the labels of a sound, or of each sound of a list, the likeliest first. transformers.js leaves them in the
 * caller's order.
 * @type {(results: unknown[]) => unknown[]} */
const sortedByScore = (results) =>
  Array.isArray(results[0])
    ? /** @type {unknown[][]} */ (results).map(sortedByScore)
    : /** @type {{ score: number }[]} */ ([...results]).sort((a, b) => b.score - a.score);

/** @typedef {(this: Patchable, ...values: unknown[]) => Promise<unknown>} TheirCall a pipeline's `_call` */

/** Makes the function that replaces `theirs`, the `_call` of pipelines of the class `name`, which is called with the
 * pipeline as `this`. Undefined for a class whose call stays as it is. A replaced call still runs `theirs` where the
 * pipeline's pixels are not Python's, and where the replacement leaves it the call by giving undefined.
 * @type {(context: Context, name: string, theirs: TheirCall) => TheirCall | undefined} */
export function pipelineCall(context, name, theirs) {
  if (name === 'ZeroShotAudioClassificationPipeline')
    return async function sortedCall(...values) {
      return sortedByScore(/** @type {unknown[]} */ (await theirs.apply(this, values)));
    };
  const call = pythonCalls[name];
  if (!call) return undefined;
  return async function pythonCall(images, ...rest) {
    const [options] = /** @type {[Parameters<PipelineCall>[3]]} */ (rest);
    const callTheirs = () => theirs.call(this, images, ...rest);
    // Without Python's pixels, Python's resizing of the results would not give Python's results.
    if (!hasPythonPixels(this.processor)) return callTheirs();
    return (await call(context, this, images, options)) ?? callTheirs();
  };
}

/** Replaces the call of a pipeline of the class `name`, if {@link pipelineCall} has a function for that class.
 * @type {(context: Context & { patched: PatchedObjects }, pipe: Patchable, name: string) => void} */
export function patchPipelineCall(context, pipe, name) {
  const _call = pipelineCall(context, name, originalOf(pipe, '_call'));
  if (!_call) return;
  context.patched.patch(pipe, { _call });
  context.note({ part: 'pipeline', className: name, by: 'python', reason: '' });
}
