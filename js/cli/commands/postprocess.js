/** The command `postprocess`: a model's outputs and a `preprocessor_config.json` in, Python's answer out. */
import { unknownRule } from '../../arguments/index.js';
import { readConfig, readEntry, withFiles } from '../files.js';
import { json, path, real, text, UsageError } from '../options.js';

/** @import { Tensor } from '../../index.js' */
/** @import { Command } from '../types.js' */

/** @type {Command} */
export const postprocess = {
  form: 'OUTPUTS',
  summary: "make of a model's outputs what Python's methods return",
  notes:
    "OUTPUTS.safetensors has the model's outputs by transformers' names, as logits and pred_boxes. NAME is a\n" +
    'method of the class in Python, with or without post_process_ in front. A tensor of the result is\n' +
    '{ type, dims, data }.',
  examples: [
    'postprocess outputs.safetensors --config preprocessor_config.json --method object_detection --json',
    'postprocess outputs.safetensors --config detr.json --method object_detection --threshold 0.7',
  ],
  options: {
    config: path('the preprocessor_config.json of the model, or the folder that has it'),
    method: text('NAME', 'object_detection, semantic_segmentation, …'),
    threshold: real('0.5', 'what a score has to pass'),
    options: json('JSON', 'other options of the method, by Python\'s names: {"target_sizes": [[480, 640]]}'),
    'class-name': text('NAME', 'the class, where it is not that of the configuration'),
  },
  required: ['config', 'method'],
  shared: [],
  work: (streams, { inputs, options }) =>
    withFiles(streams, inputs, undefined, async ([source]) => {
      const { config, method, className, threshold, options: others } = options;
      // Loaded here, so that the other commands start without these files.
      const { postProcessor } = await import('../../postprocess/index.js');
      const answer = methodOf(postProcessor(await readConfig(config), { className }), method);
      /** @type {Record<string, Tensor>} */
      const outputs = {};
      for (const [name, entry] of source.entries) outputs[name] = await readEntry(streams, inputs[0], entry);
      const result = answer(outputs, threshold === undefined ? { ...others } : { ...others, threshold });
      const report = /** @type {object} */ (plain(result));
      const entries = Array.isArray(report) ? report : [report];
      return { report, lines: entries.map((entry) => JSON.stringify(entry)) };
    }),
};

/** Finds a method by its name in Python, with or without `post_process_` in front.
 * @type {(processor: { className: string }, method: string) => Function} */
function methodOf({ className, ...rest }, method) {
  const methods = /** @type {Record<string, Function>} */ (rest);
  const name = [method, `post_process_${method}`].find((key) => Object.hasOwn(methods, key));
  if (name === undefined) throw new UsageError(unknownRule(`method of ${className}`, method, Object.keys(methods)));
  return methods[name];
}

/** Copies a result so that JSON.stringify writes all of it: typed arrays become arrays, and tensors become
 * { type, dims, data }.
 * @type {(value: unknown) => unknown} */
function plain(value) {
  if (ArrayBuffer.isView(value)) return Array.from(/** @type {ArrayLike<unknown>} */ (/** @type {unknown} */ (value)));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const isTensor = 'dims' in value && 'data' in value;
  const keys = isTensor ? ['type', 'dims', 'data'] : Object.keys(value);
  return Object.fromEntries(keys.map((key) => [key, plain(/** @type {Record<string, unknown>} */ (value)[key])]));
}
