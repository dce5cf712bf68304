/** From a configuration to the methods that its class has in Python. */
import {
  brief,
  isList,
  named,
  overlap,
  rangeError,
  readOptions,
  readText,
  show,
  showClass,
  typeError,
  unknownName,
} from '../arguments/index.js';
import { imageClassesByType, isGiven, parseConfiguration, readFiles } from '../arguments/configurations/index.js';
import { withMemory } from '../engines/results/index.js';
import { checkApart } from '../tensor/index.js';
import { table, textClasses, unsupported } from './classes.js';
import { readMethodOptions, readOutputs } from './methods/define.js';
import { readLabels } from './settings.js';
import { PendingMap, readTarget } from './tensors.js';

/** @import { Configuration } from '../arguments/configurations/index.js' */
/** @import { CheckedTensor } from '../tensor/index.js' */
/** @import { TensorData } from '../tensor/types.js' */
/** @import { PostClassName, PostClassOf, PostProcessor } from './method-types.js' */
/** @import { Segment } from './methods/segment-maps.js' */
/** @import { PostProcessorOptions } from './option-types.js' */
/** @import { Method, ReadOutputs, Settings } from './types.js' */

/** Files that may hold the settings of a class, in the order in which they are tried. The settings are the value of
 * `key` in the file or, without it, the whole file. */
const files = [
  { file: 'processor_config.json', key: 'image_processor' },
  { file: 'processor_config.json', key: 'video_processor' },
  { file: 'preprocessor_config.json' },
  { file: 'video_preprocessor_config.json' },
];

const typeKeys = ['image_processor_type', 'video_processor_type', 'feature_extractor_type'];

/** Turns the name of a class as earlier versions of transformers wrote it into today's. */
const currentName = (/** @type {string} */ name) =>
  name.replace(/FeatureExtractor$/, 'ImageProcessor').replace(/(Fast|Pil)$/, '');

const classOfModel = imageClassesByType(Object.keys(table).map((name) => name.replace(/ImageProcessor$/, '')));

/** Reads a configuration, in any form, to the `settings` of a class, from the first file that has them, and to `model`,
 * the content of `config.json`, which is empty where there is none.
 * @type {(config: unknown) => { settings: Configuration, model: Configuration }} */
function readSettings(config) {
  const all = readFiles(config);
  const model = all['config.json'] ?? {};
  for (const { file, key } of files) {
    const content = key ? all[file]?.[key] : all[file];
    if (isGiven(content)) return { settings: parseConfiguration(content, key ?? file), model };
  }
  const rule = 'config must have the file processor_config.json or preprocessor_config.json';
  return rangeError(`${rule}, got ${brief(Object.keys(all).join(', '))}`);
}

/** @type {(model: Configuration) => string | undefined} */
function classByModelType(model) {
  const base = classOfModel(model.model_type);
  return base && `${base}ImageProcessor`;
}

/** Finds the name of the class in the table of classes: the caller's `className` or else the name that the files state
 * or else the class of the `model_type`. Refuses classes that are not there, and says why where it is known.
 * @type {(settings: Configuration, model: Configuration, className: unknown) => string} */
function readClass(settings, model, className) {
  const namesInFiles = [...typeKeys.map((key) => settings[key]), model.image_processor_type];
  const stated = [className, ...namesInFiles].find(isGiven) ?? classByModelType(model);
  if (stated === undefined)
    typeError('config must have the key image_processor_type, or config.json a model_type, or pass className');
  const name = currentName(readText('className', stated));
  if (textClasses.includes(name)) rangeError(`${name} makes text of tokens, which is for its tokenizer`);
  if (Object.hasOwn(table, name)) return name;
  // A class that has unsupported methods alone is refused by the first one's reason.
  for (const [method, reason] of Object.entries(unsupported[name] ?? {})) rangeError(`${name}.${method} ${reason}`);
  return unknownName('class', name, Object.keys(table));
}

/** The part of a picture's answer that says classes: `labels` is a tensor of class ids.
 * @typedef {{ labels?: { data?: unknown }, segments_info?: Segment[] }} PictureAnswer */

/** Returns the answer of a picture with `label_names`, the name of the class of each segment or of each label.
 * @type {(result: PictureAnswer | null, labelOf: (id: number) => string) => unknown} */
function withLabelNames(result, labelOf) {
  if (result?.segments_info)
    return { ...result, label_names: result.segments_info.map((part) => labelOf(part.label_id)) };
  const labels = result?.labels?.data;
  if (isList(labels)) return { ...result, label_names: Array.from(labels, (id) => labelOf(Number(id))) };
  return result;
}

/** Adds `label_names` to the answer of one picture, or to each answer of a list, if the option `id2label` is given.
 * @type {(answer: unknown, id2label: unknown) => unknown} */
function addLabelNames(answer, id2label) {
  if (id2label === undefined) return answer;
  const labelOf = readLabels('id2label', id2label);
  if (Array.isArray(answer)) return answer.map((part) => withLabelNames(part, labelOf));
  return withLabelNames(/** @type {PictureAnswer} */ (answer), labelOf);
}

/** Calls a method of a class; null stands for any option that is omitted.
 * @type {(method: Method, settings: Settings, outputs: ReadOutputs, options: unknown) => unknown} */
function callMethod(method, settings, outputs, options) {
  const bag = /** @type {Record<string, unknown>} */ (options ?? {});
  if (typeof bag !== 'object' || Array.isArray(bag)) typeError(`options must be an object, got ${show(bag)}`);
  // All methods take these two; the others are those that the method declares.
  const { id2label, out, ...methodOptions } = bag;
  return withMemory(() => {
    const { read, known } = readOutputs(method.outputs, outputs);
    const checkedOptions = readMethodOptions(method.options, methodOptions, known);
    const answer = method.makeAnswer(read, checkedOptions, settings);
    const computed = computeMaps(answer, out ?? undefined, read);
    return addLabelNames(computed, id2label);
  });
}

/** A map of an answer that is not computed yet, the object or list that holds it, and the caller's tensor for it.
 * @typedef {object} MapPlace
 * @property {Record<string | number, unknown>} holder
 * @property {string | number} key
 * @property {PendingMap} map
 * @property {string} name in messages
 * @property {unknown} to */

/** Finds the maps of an answer that are still to be computed: entries of its list, or values in its entries. `out` has
 * tensors at the same places. An answer that is no list has no maps.
 * @type {(answer: unknown, out: unknown) => MapPlace[]} */
function mapsOf(answer, out) {
  if (!Array.isArray(answer)) return [];
  const targets = /** @type {Record<string, unknown>[] | undefined} */ (out);
  const list = /** @type {MapPlace['holder']} */ (/** @type {unknown} */ (answer));
  /** @type {MapPlace[]} */
  const places = [];
  answer.forEach((entry, i) => {
    const name = `out[${i}]`;
    const target = targets?.[i];
    if (entry instanceof PendingMap) places.push({ holder: list, key: i, map: entry, name, to: target });
    for (const [key, map] of Object.entries(entry ?? {}))
      if (map instanceof PendingMap)
        places.push({ holder: entry, key, map, name: `${name}.${key}`, to: target?.[key] });
  });
  return places;
}

/** Computes the maps of an answer and puts them into it, in the place of the pending ones. If `out` is given, its
 * tensors are written to, after all of them have been checked against each other and against the outputs in `read`.
 * @type {(answer: unknown, out: unknown, read: ReadOutputs) => unknown} */
function computeMaps(answer, out, read) {
  const maps = mapsOf(answer, out);
  const count = Array.isArray(answer) ? answer.length : undefined;
  const targets = out === undefined ? [] : readTargets(maps, out, read, count);
  maps.forEach(({ holder, key, map }, i) => {
    holder[key] = map.tensor(targets[i]?.data);
  });
  return answer;
}

/** Reads the tensor of `out` for each map of an answer. The tensors must not overlap each other or the outputs in
 * `read`. `count`: the number of entries of the answer, undefined if it is no list.
 * @type {(maps: MapPlace[], out: unknown, read: ReadOutputs, count: number | undefined) => CheckedTensor[]} */
function readTargets(maps, out, read, count) {
  // An empty batch has no maps to write, but `out: []` is right for it.
  if (maps.length === 0 && count !== 0) rangeError('out must be omitted where the result has no maps');
  if (!Array.isArray(out)) typeError(`out must be an array, got ${showClass(out)}`);
  if (out.length !== count) rangeError(`out must have ${count} entries, one a picture, got ${out.length}`);
  const targets = maps.map(({ map, name, to }) => readTarget(name, to, map.dtype, map.dims));
  checkApart(targets);
  for (const [output, value] of Object.entries(read)) {
    // An output is a tensor or, where the batch is a list, a list of tensors.
    const tensors = /** @type {({ data?: TensorData } | undefined)[]} */ ([value].flat());
    for (const tensor of tensors)
      targets.forEach((target, i) => {
        const isShared = tensor?.data && overlap(target.data, tensor.data);
        if (isShared) rangeError(`${maps[i].name} must not overlap ${output}`);
      });
  }
  return targets;
}

/**
 * Makes an object with the `post_process_*` methods that the class of a configuration has in Python, under their names
 * there.
 *
 * - The configuration is a parsed file, its text, or files by name: an object whose keys end in .json. The `model_type`
 *   of `config.json` tells the class where nothing else does.
 * - Outputs are float32 or float16 on the CPU. A method reads its own, and leaves others alone.
 * - `target_sizes` is a list of [height, width] or a tensor of them. null is an option that is not given.
 * - Label maps, labels and indices are int32 tensors, scores and boxes float32, masks bool; ids and `segments_info` are
 *   plain numbers.
 * - `id2label`, an object or an array, adds `label_names`.
 * - `out` has tensors for the maps of the result, in its form: `[labels]`, `[{ predicted_depth }]`. They are
 *   overwritten, and must not overlap the outputs. Maps are those of one label, mask or number a pixel, for each
 *   picture; not `segmentation_scores`, nor stacks of as many masks as are found.
 * @template {object | string} const Config
 * @template {PostClassName | (string & {})} [Name=PostClassOf<Config>]
 * @param {Config} config
 * @param {PostProcessorOptions<Name>} [options]
 * @returns {PostProcessor<Name>} whose type has the methods of the class, where the program names it
 * @example
 * const { post_process_object_detection } = postProcessor({ image_processor_type: 'DetrImageProcessor' });
 * const outputs = {
 *   logits: Tensor.from('float32', [9, 0, 0, 0, 0, 9], [1, 2, 3]),
 *   pred_boxes: Tensor.from('float32', [0.5, 0.5, 0.5, 0.5, 0, 0, 1, 1], [1, 2, 4]),
 * };
 * const [{ boxes, labels }] = post_process_object_detection(outputs, { target_sizes: [[40, 80]] });
 * boxes.toArray(); // [20, 10, 60, 30]
 */
export function postProcessor(config, options) {
  return named('postProcessor', () => {
    const { className } = readOptions(options, ['className']);
    const { settings: file, model } = readSettings(config);
    const name = readClass(file, model, className);
    const { methods, settings: defaults } = table[name];
    const settings = { ...defaults, ...withoutNull(file) };
    /** @type {Record<string, unknown>} */
    const processor = { className: name };
    for (const [key, method] of Object.entries(methods)) {
      processor[key] = (/** @type {ReadOutputs} */ outputs, /** @type {unknown} */ methodOptions) =>
        named(`${name}.${key}`, () => callMethod(method, settings, outputs, methodOptions));
    }
    for (const [key, reason] of Object.entries(unsupported[name] ?? {}))
      processor[key] = () => named(`${name}.${key}`, () => rangeError(reason));
    return /** @type {PostProcessor<Name>} */ (processor);
  });
}

/** Leaves out the settings that are null, which keep the class's default.
 * @type {(settings: Configuration) => Configuration} */
const withoutNull = (settings) => Object.fromEntries(Object.entries(settings).filter(([, value]) => isGiven(value)));
