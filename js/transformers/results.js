/** The methods `post_process_*` of Python's classes, with the arguments and results of transformers.js. */
import { postProcessor } from '../postprocess/index.js';
import { inTheirForm, rowsOf } from './forms.js';
import { givenOptions } from './images.js';

/** @import { Tensor } from '../tensor/index.js' */
/** @import { Context, Patchable } from './types.js' */
/** @typedef {Record<string, Function>} Methods */
/** @typedef {ReturnType<typeof postProcessor>} PostProcessor */

/** @type {(context: Context, tensor: unknown) => unknown} */
const theirTensor = (context, tensor) => inTheirForm(context, { tensor }, { className: '', sessions: [] }).tensor;

/** Turns the arguments of a call, by their places, into options of these names. Sets become lists.
 * @type {(names: readonly string[], values: readonly unknown[]) => object} */
function optionsByPlace(names, values) {
  const lists = values.map((value) => (value instanceof Set ? [...value] : value));
  return givenOptions(Object.fromEntries(names.map((name, i) => [name, lists[i]])));
}

/** The options of panoptic segmentation in the order of transformers.js' arguments. */
const segmentOptions = [
  'threshold',
  'mask_threshold',
  'overlap_mask_area_threshold',
  'label_ids_to_fuse',
  'target_sizes',
];

/** A picture's detections.
 * @type {(context: Context, result: Record<'boxes' | 'labels' | 'scores', Tensor>) => object} */
const boxes = (_, { boxes, labels, scores }) => ({
  boxes: rowsOf(boxes),
  classes: rowsOf(labels),
  scores: rowsOf(scores),
});

/** @type {(context: Context, map: Tensor<'int32'>) => object} */
const labelMap = (context, map) => ({
  segmentation: theirTensor(context, map),
  labels: [...new Set(map.data)].sort((a, b) => a - b),
});

/** @type {(context: Context, result: Record<string, unknown>) => object} */
const tensors = (context, result) => inTheirForm(context, result, { className: '', sessions: [] });

/** The poses of a picture's people.
 * @type {(context: Context, people: Record<string, Tensor>[]) => object[]} */
const poses = (_, people) =>
  people.map((person) => Object.fromEntries(Object.entries(person).map(([name, value]) => [name, rowsOf(value)])));

/**
 * How transformers.js calls a method: `arguments` turns the arguments of a call into the outputs and options of
 * Python's, and `shape` gives a picture's result the form of transformers.js. `isAsync`: there it returns a promise.
 * @typedef {object} MethodForm
 * @property {(values: any[]) => [outputs: object, options: object]} arguments
 * @property {(context: Context, result: any) => unknown} shape
 * @property {boolean} [isAsync]
 */

/** Reads a call whose first argument is the outputs, and whose others are options of these names.
 * @type {(...names: string[]) => MethodForm['arguments']} */
const byPlace =
  (...names) =>
  ([outputs, ...values]) => [outputs, optionsByPlace(names, values)];

/** @type {Record<string, MethodForm>} */
const methodForms = {
  post_process_depth_estimation: { arguments: byPlace('target_sizes'), shape: tensors },
  post_process_instance_segmentation: {
    // The segmentation pipeline passes the options of panoptic segmentation; a caller passes the two of
    // transformers.js' own method.
    arguments: ([outputs, ...values]) => {
      const isOfPipeline = values.length > 2;
      const names = isOfPipeline ? segmentOptions : ['threshold', 'target_sizes'];
      return [outputs, optionsByPlace(names, values)];
    },
    shape: tensors,
  },
  post_process_masks: {
    // The masks alone are the outputs; the options are an argument of their own.
    arguments: ([pred_masks, original_sizes, reshaped_input_sizes, options]) => [
      { pred_masks },
      { ...givenOptions({ original_sizes, reshaped_input_sizes }), ...givenOptions(options) },
    ],
    shape: theirTensor,
    isAsync: true,
  },
  post_process_object_detection: { arguments: byPlace('threshold', 'target_sizes'), shape: boxes },
  post_process_panoptic_segmentation: {
    arguments: ([outputs, ...values]) => [outputs, optionsByPlace(segmentOptions, values)],
    shape: tensors,
  },
  post_process_pose_estimation: {
    arguments: ([heatmaps, boxes, options]) => [{ heatmaps }, { boxes, ...givenOptions(options) }],
    shape: poses,
  },
  post_process_semantic_segmentation: { arguments: byPlace('target_sizes'), shape: labelMap },
};

/** Leaves out the option `reshaped_input_sizes`, which transformers.js passes for the masks of all classes, unless the
 * class is SAM's: the methods of the others, as SAM 2's, do not have it.
 * @type {(className: string, options: { reshaped_input_sizes?: unknown }) => object} */
function knownOptions(className, { reshaped_input_sizes, ...options }) {
  // SamImageProcessor and SamProcessor, not Sam2ImageProcessor and others.
  const isSam = /^Sam(ImageP|P)/.test(className);
  return reshaped_input_sizes && isSam ? { ...options, reshaped_input_sizes } : options;
}

/** @type {(context: Context, name: string, methods: PostProcessor) => (...values: unknown[]) => unknown} */
function methodOf(context, name, methods) {
  const form = methodForms[name];
  const run = (/** @type {unknown[]} */ values) => {
    const [outputs, options] = form.arguments(values);
    const results = methods[name](outputs, knownOptions(methods.className, options));
    return results.map((/** @type {unknown} */ result) => form.shape(context, result));
  };
  return form.isAsync ? async (...values) => run(values) : (...values) => run(values);
}

/** Makes the methods `post_process_*` that replace those of an image processor: none for a class or configuration that
 * `postProcessor` refuses.
 * @type {(context: Context, object: Patchable, className: string) => Methods} */
export function resultMethods(context, object, className) {
  /** @type {PostProcessor} */
  let methods;
  try {
    methods = postProcessor({ ...object.config, image_processor_type: className });
  } catch {
    return {};
  }
  const names = Object.keys(methodForms).filter((name) => methods[name]);
  for (const part of names) context.note({ part, className, by: 'python', reason: '' });
  return Object.fromEntries(names.map((name) => [name, methodOf(context, name, methods)]));
}

/** @typedef {{ boxes: Tensor, scores: Tensor, text_labels: unknown[] }} GroundedResult */

/** Makes the method of Grounding DINO's Processor, whose labels are words of the prompt; none for another Processor.
 * @type {(context: Context, processor: Patchable) => Methods} */
export function groundedMethods(context, processor) {
  const name = 'post_process_grounded_object_detection';
  const className = 'GroundingDinoProcessor';
  if (!(context.hf[className] && processor instanceof context.hf[className])) return {};
  const methods = postProcessor({}, { className });
  context.note({ part: name, className, by: 'python', reason: '' });
  // transformers.js' tokenizers refuse to decode nothing.
  const decode = (/** @type {number[]} */ ids) =>
    ids.length === 0 ? '' : processor.batch_decode([Array.from(ids, Number)])[0];
  return {
    /** @type {(outputs: Record<string, unknown>, ids: unknown, options?: { box_threshold?: number }) => object[]} */
    // transformers.js calls `box_threshold` what Python calls `threshold`.
    [name]: ({ logits, pred_boxes }, input_ids, { box_threshold: threshold, ...options } = {}) => {
      const pythonOptions = { ...givenOptions({ threshold, ...options }), decode };
      /** @type {GroundedResult[]} */
      const results = methods[name]({ logits, pred_boxes, input_ids }, pythonOptions);
      return results.map(({ boxes: corners, scores, text_labels }) => ({
        ...{ scores: rowsOf(scores), boxes: rowsOf(corners), labels: text_labels },
      }));
    },
  };
}
