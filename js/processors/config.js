/** `preprocessor_config.json`: which processor it is for, and its settings. */
import { brief, nearestRule, rangeError, readText, typeError } from '../arguments/index.js';
import { imageClassesByType, isGiven, parseConfiguration, readFiles } from '../arguments/configurations/index.js';
import { promptOptions } from './classes/prompts.js';
import { table } from './classes/table.js';

/** @import { Configuration } from '../arguments/configurations/index.js' */

const suffix = 'ImageProcessor';
const classOfModel = imageClassesByType(Object.keys(table));
const typeKeys = ['image_processor_type', 'feature_extractor_type'];

/**
 * The classes that {@link imageProcessor} knows, by their names in transformers.
 * @type {readonly string[]}
 */
export const processorNames = Object.freeze(
  Object.keys(table)
    .map((name) => name + suffix)
    .sort(),
);

const allNames = 'processorNames lists all';

/** Settings of Python's calls that no class here reads: of labels, of boxes, and of classes that are missing here. */
const unread = [
  'do_convert_annotations',
  'do_reduce_labels',
  'mask_size',
  'mask_pad_size',
  'format',
  'ignore_index',
  'num_text',
  'image_num_channels',
  'use_image_id',
  'ocr_lang',
  'tesseract_config',
];

/** Settings that a call may have: those of other classes have no effect, as in Python. */
export const callSettings = new Set([
  'do_convert_rgb',
  ...unread,
  ...promptOptions,
  ...Object.values(table).flatMap(({ make }) => make.reads),
]);

/** Rows by other names: transformers spells one class in two ways, and transformers.js has a class for one of Qwen2VL's
 * models.
 * @type {Record<string, string>} */
const otherNames = { Ernie4_5_VL_Moe: 'Ernie4_5_VLMoe', Lfm3Vl: 'Qwen2VL' };

/** The key of a class in the table, by any of its names: `ViTImageProcessor`, `ViTImageProcessorFast`, the older
 * `ViTFeatureExtractor`, and `ViT` itself, are all `ViT`. Undefined for names of no class.
 * @type {(name: string) => string | undefined} */
function classKey(name) {
  const base = name.replace('FeatureExtractor', suffix).replace(/(Fast|Pil)$/, '');
  const key = base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
  const spelled = otherNames[key] ?? key;
  return Object.hasOwn(table, spelled) ? spelled : undefined;
}

/** Chooses the class and the settings of a configuration as AutoImageProcessor does. The class is the first that is
 * named: by `className`, the file of settings, config.json, or the model type in it. `row`: its entry in the table of
 * classes; `source`: the file of settings; `holder`: processor_config.json, the file of a class that holds the
 * processor, as SamProcessor does, or `source` without it
 * @type {(config: unknown, className: unknown) => { name: string, row: typeof table[string], source: Configuration,
 *   holder: Configuration }} */
export function readProcessorClass(config, className) {
  const files = readFiles(config);
  const source = settingsFile(files);
  const holder = files['processor_config.json'] ?? source;
  const model = files['config.json'] ?? {};
  const [imageType, extractorType] = typeKeys.map((key) => source[key]);
  const stated = [className, imageType, extractorType, model.image_processor_type].find(isGiven);
  if (stated === undefined) return { ...findClass(nameByModelType(model)), source, holder };
  const statedBy = stated === className ? 'className' : 'image_processor_type';
  return { ...findClass(readText(statedBy, stated)), source, holder };
}

/** The name of the class that goes with the `model_type` of config.json; refuses a file without one.
 * @type {(model: Configuration) => string} */
function nameByModelType({ model_type: type }) {
  const keys = 'image_processor_type, or config.json a model_type';
  return classOfModel(type) ?? typeError(`config must have the key ${keys}: ${allNames} classes`);
}

/** Finds the class that any of its names in transformers means: its usual name, and its entry in the table of classes
 * (`row`). Other names are refused, with the names nearest to them in the message.
 * @type {(name: string) => { name: string, row: typeof table[string] }} */
function findClass(name) {
  const key = classKey(name);
  if (key === undefined) {
    const message = nearestRule('class', brief(name), processorNames, allNames);
    return typeError(message);
  }
  return { name: key + suffix, row: table[key] };
}

/** Chooses the file that holds the settings, as AutoImageProcessor does. `files`: by their names
 * @type {(files: Record<string, Configuration>) => Configuration} */
function settingsFile(files) {
  const nested = files['processor_config.json']?.image_processor;
  if (isGiven(nested)) return parseConfiguration(nested, 'image_processor');
  const model = files['config.json'];
  // These two keys together are the mark of timm's models, whose config.json has the settings of pictures too. Its
  // own key image_processor_type, if it has one, comes first.
  if (model && 'architecture' in model && 'pretrained_cfg' in model)
    return { image_processor_type: 'TimmWrapperImageProcessor', ...model };
  return (
    files['preprocessor_config.json'] ??
    rangeError(
      'config must have the file processor_config.json with image_processor, or preprocessor_config.json, got ' +
        brief(Object.keys(files).join(', ')),
    )
  );
}
