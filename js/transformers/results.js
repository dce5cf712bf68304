/** The methods `post_process_*` of Python's classes, with the arguments and results of transformers.js. */
import { postProcessor } from '../postprocess/index.js';
import { inTheirForm, rowsOf } from './forms.js';
import { givenOptions } from './images.js';

/** @import { Tensor } from '../tensor/index.js' */
/** @import { Context, Patchable } from './types.js' */
/** @typedef {Record<string, Function>} Methods */
/** @typedef {ReturnType<typeof postProcessor>} PostProcessor */

/** A tensor as one of the module's class.
 * @type {(context: Context, tensor: unknown) => unknown} */
const theirTensor = (context, tensor) => inTheirForm(context, { tensor }, { className: '', sessions: [] }).tensor;

/** The options of arguments by place: sets become lists, and null stands for an argument that is left out.
 * @type {(names: readonly string[], values: readonly unknown[]) => object} */
const named = (names, values) =>
  givenOptions(
    Object.fromEntries(names.map((name, i) => [name, values[i] instanceof Set ? [...values[i]] : values[i]])),
  );

const segmentOptions = [
  'threshold',
  'mask_threshold',
  'overlap_mask_area_threshold',
  'label_ids_to_fuse',
  'target_sizes',
];

/** Boxes as lists of numbers, with labels as `classes`.
 * @type {(context: Context, result: Record<'boxes' | 'labels' | 'scores', Tensor>) => object} */
const boxes = (_, { boxes, labels, scores }) => ({
  boxes: rowsOf(boxes),
  classes: rowsOf(labels),
  scores: rowsOf(scores),
});

/** A label map as `segmentation`, and the labels in it in rising order.
 * @type {(context: Context, map: Tensor<'int32'>) => object} */
const labelMap = (context, map) => ({
  segmentation: theirTensor(context, map),
  labels: [...new Set(map.data)].sort((a, b) => a - b),
});

/** @type {(context: Context, result: Record<string, unknown>) => object} */
const tensors = (context, result) => inTheirForm(context, result, { className: '', sessions: [] });

/** The poses of people as lists of numbers.
 * @type {(context: Context, people: Record<string, Tensor>[]) => object[]} */
const poses = (_, people) =>
  people.map((person) => Object.fromEntries(Object.entries(person).map(([name, value]) => [name, rowsOf(value)])));

/**
 * How transformers.js calls a method, and the form of a picture's result there. `arguments` gives Python's outputs and
 * options of the arguments of a call.
 * @typedef {object} MethodForm
 * @property {(values: any[]) => [outputs: object, options: object]} arguments
 * @property {(context: Context, result: any) => unknown} shape
 * @property {boolean} [isAsync]
 */

/** Reads a call whose first argument is the outputs, and whose others are options of these names by place.
 * @type {(...names: string[]) => MethodForm['arguments']} */
const byPlace =
  (...names) =>
  ([outputs, ...values]) => [outputs, named(names, values)];

/** @type {Record<string, MethodForm>} */
const methodForms = {
  post_process_depth_estimation: { arguments: byPlace('target_sizes'), shape: tensors },
  post_process_instance_segmentation: {
    // The pipeline of segmentation passes the arguments of panoptic segmentation.
    arguments: ([outputs, ...values]) => {
      const names = values.length > 2 ? segmentOptions : ['threshold', 'target_sizes'];
      return [outputs, named(names, values)];
    },
    shape: tensors,
  },
  post_process_masks: {
    arguments: ([pred_masks, original_sizes, reshaped_input_sizes, options]) => [
      { pred_masks },
      { ...givenOptions({ original_sizes, reshaped_input_sizes }), ...givenOptions(options) },
    ],
    shape: theirTensor,
    isAsync: true,
  },
  post_process_object_detection: { arguments: byPlace('threshold', 'target_sizes'), shape: boxes },
  post_process_panoptic_segmentation: {
    arguments: ([outputs, ...values]) => [outputs, named(segmentOptions, values)],
    shape: tensors,
  },
  post_process_pose_estimation: {
    arguments: ([heatmaps, boxes, options]) => [{ heatmaps }, { boxes, ...givenOptions(options) }],
    shape: poses,
  },
  post_process_semantic_segmentation: { arguments: byPlace('target_sizes'), shape: labelMap },
};

/** The options without `reshaped_input_sizes`, unless the class is SAM's: other masks, as SAM 2's, have no size between
 * the model's and the picture's.
 * @type {(className: string, options: { reshaped_input_sizes?: unknown }) => object} */
function knownOptions(className, { reshaped_input_sizes, ...options }) {
  const isSam = /^Sam(ImageP|P)/.test(className);
  return reshaped_input_sizes && isSam ? { ...options, reshaped_input_sizes } : options;
}

/** Makes a method with the arguments and the results of transformers.js of one of Python's.
 * @type {(context: Context, name: string, methods: PostProcessor) => (...values: unknown[]) => unknown} */
function methodOf(context, name, methods) {
  const form = methodForms[name];
  const run = (/** @type {unknown[]} */ values) => {
    const [outputs, options] = form.arguments(values);
    const results = methods[name](outputs, knownOptions(methods.className, options));
    return results.map((/** @type {unknown} */ result) => form.shape(context, result));
  };
  return form.isAsync ? async (...values) => run(values) : (...values) => run(values);
}

/** Python's methods of an image processor, by name: none for a class without them.
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

/** Grounding DINO's method, whose labels are words of the prompt; none for another Processor.
 * @type {(context: Context, processor: Patchable) => Methods} */
export function groundedMethods(context, processor) {
  const name = 'post_process_grounded_object_detection';
  const className = 'GroundingDinoProcessor';
  if (!(context.hf[className] && processor instanceof context.hf[className])) return {};
  const methods = postProcessor({}, { className });
  context.note({ part: name, className, by: 'python', reason: '' });
  return {
    /** @type {(outputs: Record<string, unknown>, ids: unknown, options?: { box_threshold?: number }) => object[]} */
    [name]: (outputs, input_ids, { box_threshold: threshold, ...options } = {}) => {
      // Its tokenizers refuse to decode nothing.
      const decode = (/** @type {number[]} */ ids) =>
        ids.length === 0 ? '' : processor.batch_decode([Array.from(ids, Number)])[0];
      const { logits, pred_boxes } = outputs;
      return methods[name](
        { logits, pred_boxes, input_ids },
        { ...givenOptions({ threshold, ...options }), decode },
      ).map((/** @type {GroundedResult} */ { boxes, scores, text_labels }) => ({
        scores: rowsOf(scores),
        boxes: rowsOf(boxes),
        labels: text_labels,
      }));
    },
  };
}
