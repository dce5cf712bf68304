/** The methods `post_process_*` of Python's classes, with the arguments and results of transformers.js. A form is how
 * transformers.js has a result, or its arguments. */
import { postProcessor } from '../postprocess/index.js';
import { inTheirForm, rowsOf } from './forms.js';
import { givenOptions } from './images.js';

/** @import { Tensor } from '../tensor/index.js' */
/** @import { Context, Patchable } from './types.js' */
/** @typedef {Record<string, Function>} Methods */
/** @typedef {ReturnType<typeof postProcessor>} PostProcessor */

/** Converts a tensor to a `Tensor` of transformers.js. Results go to no model that asks for a type.
 * @type {(context: Context, tensor: unknown) => unknown} */
const theirTensor = (context, tensor) => inTheirForm(context, { tensor }, { className: '', sessions: [] }).tensor;

/** Makes options of arguments: each of `values` becomes the option that `names` has in its place. A Set becomes a list,
 * and null and undefined are left out.
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

/** Converts a picture's detections: the tensors become lists, and `labels` is called `classes`.
 * @type {(context: Context, result: Record<'boxes' | 'labels' | 'scores', Tensor>) => object} */
const detectionForm = (_, { boxes, labels, scores }) => ({
  boxes: rowsOf(boxes),
  classes: rowsOf(labels),
  scores: rowsOf(scores),
});

/** Converts a picture's map of labels; `labels` lists those that occur in it, in rising order.
 * @type {(context: Context, map: Tensor<'int32'>) => object} */
const labelMapForm = (context, map) => ({
  segmentation: theirTensor(context, map),
  labels: [...new Set(map.data)].sort((a, b) => a - b),
});

/** Converts the tensors of a picture's result to `Tensor`s of transformers.js; other values stay.
 * @type {(context: Context, result: Record<string, unknown>) => object} */
const tensorForm = (context, result) => inTheirForm(context, result, { className: '', sessions: [] });

/** Converts the poses of a picture's people: the tensors of each person become lists.
 * @type {(context: Context, people: Record<string, Tensor>[]) => object[]} */
const poseForm = (_, people) =>
  people.map((person) => Object.fromEntries(Object.entries(person).map(([name, value]) => [name, rowsOf(value)])));

/** The two arguments of a method of Python: the model's outputs, and the options.
 * @typedef {{ outputs: object, options: object }} PythonArguments */

/**
 * How transformers.js calls a method: `toPython` makes Python's arguments of those of a call, and `toTheirs` gives a
 * picture's result the form of transformers.js. `isAsync`: the method of transformers.js returns a promise.
 * @typedef {object} MethodForm
 * @property {(values: any[]) => PythonArguments} toPython
 * @property {(context: Context, result: any) => unknown} toTheirs
 * @property {boolean} [isAsync]
 */

/** Makes `toPython` of a method whose first argument is the outputs, and whose others are options of these names.
 * @type {(...names: string[]) => MethodForm['toPython']} */
const outputsThenOptions =
  (...names) =>
  ([outputs, ...values]) => ({ outputs, options: optionsByPlace(names, values) });

/** @type {Record<string, MethodForm>} */
const methodForms = {
  post_process_depth_estimation: { toPython: outputsThenOptions('target_sizes'), toTheirs: tensorForm },
  post_process_instance_segmentation: {
    /** Tells by the number of arguments who calls: the segmentation pipeline passes the options of panoptic
     * segmentation, anyone else the two of transformers.js' own method. */
    toPython: ([outputs, ...values]) => {
      const isOfPipeline = values.length > 2;
      const names = isOfPipeline ? segmentOptions : ['threshold', 'target_sizes'];
      return { outputs, options: optionsByPlace(names, values) };
    },
    toTheirs: tensorForm,
  },
  post_process_masks: {
    /** Takes the masks alone as the outputs, two options by their places, and the others of an object. */
    toPython: ([pred_masks, original_sizes, reshaped_input_sizes, others]) => ({
      outputs: { pred_masks },
      options: { ...givenOptions({ original_sizes, reshaped_input_sizes }), ...givenOptions(others) },
    }),
    toTheirs: theirTensor,
    isAsync: true,
  },
  post_process_object_detection: {
    toPython: outputsThenOptions('threshold', 'target_sizes'),
    toTheirs: detectionForm,
  },
  post_process_panoptic_segmentation: { toPython: outputsThenOptions(...segmentOptions), toTheirs: tensorForm },
  post_process_pose_estimation: {
    /** Takes the heatmaps alone as the outputs, the boxes by their place, and the other options of an object. */
    toPython: ([heatmaps, boxes, others]) => ({
      outputs: { heatmaps },
      options: { boxes, ...givenOptions(others) },
    }),
    toTheirs: poseForm,
  },
  post_process_semantic_segmentation: { toPython: outputsThenOptions('target_sizes'), toTheirs: labelMapForm },
};

/** Copies options, without `reshaped_input_sizes` unless the class is SAM's: transformers.js passes it for the masks of
 * all classes, and the methods of the others, as SAM 2's, do not have it.
 * @type {(className: string, options: { reshaped_input_sizes?: unknown }) => object} */
function knownOptions(className, { reshaped_input_sizes, ...options }) {
  // SamImageProcessor and SamProcessor, not Sam2ImageProcessor and others.
  const isSam = /^Sam(ImageP|P)/.test(className);
  return reshaped_input_sizes && isSam ? { ...options, reshaped_input_sizes } : options;
}

/** Makes the method `name` of transformers.js from the one of Python: it converts the arguments of a call and the
 * result for each picture.
 * @type {(context: Context, name: string, methods: PostProcessor) => (...values: unknown[]) => unknown} */
function methodOf(context, name, methods) {
  const form = methodForms[name];
  const run = (/** @type {unknown[]} */ values) => {
    const { outputs, options } = form.toPython(values);
    const results = methods[name](outputs, knownOptions(methods.className, options));
    return results.map((/** @type {unknown} */ result) => form.toTheirs(context, result));
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
  // transformers.js' tokenizers refuse an empty list.
  const decode = (/** @type {number[]} */ ids) =>
    ids.length === 0 ? '' : processor.batch_decode([Array.from(ids, Number)])[0];
  return {
    /** Finds the boxes of each picture and the words of its prompt, `input_ids`, that they are of. transformers.js
     * calls `box_threshold` what Python calls `threshold`.
     * @type {(outputs: Record<string, unknown>, ids: unknown, options?: { box_threshold?: number }) => object[]} */
    [name]: ({ logits, pred_boxes }, input_ids, { box_threshold: threshold, ...options } = {}) => {
      const pythonOptions = { ...givenOptions({ threshold, ...options }), decode };
      /** @type {GroundedResult[]} */
      const results = methods[name]({ logits, pred_boxes, input_ids }, pythonOptions);
      return results.map(({ scores, boxes, text_labels }) => ({
        scores: rowsOf(scores),
        boxes: rowsOf(boxes),
        labels: text_labels,
      }));
    },
  };
}
