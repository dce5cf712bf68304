/** The files of a video processor: which class they are for, and its settings. */
import { brief, rangeError, readText, typeError, unknownRule } from '../../arguments/index.js';
import { isGiven, parseConfiguration, readFiles } from '../../arguments/configurations/index.js';
import { videoClassesByType } from './video-model-types.js';
import { videoRows } from './video-rows.js';

/** @import { Configuration } from '../../arguments/configurations/index.js' */

const videoSuffix = 'VideoProcessor';
const videoClassOfModel = videoClassesByType(Object.keys(videoRows));

/** The processors' names. */
const videoProcessorNames = Object.keys(videoRows)
  .map((name) => name + videoSuffix)
  .sort();

/** Settings that a call may have: those of other classes have no effect, as in Python. */
export const callSettings = new Set(['do_convert_rgb', ...Object.values(videoRows).flatMap(({ make }) => make.reads)]);

/** The key of a class in the table of video processors, by its name with or without `VideoProcessor`; undefined for
 * names of no class.
 * @type {(name: unknown) => string | undefined} */
function rowKey(name) {
  if (typeof name !== 'string') return undefined;
  const key = name.endsWith(videoSuffix) ? name.slice(0, -videoSuffix.length) : name;
  return Object.hasOwn(videoRows, key) ? key : undefined;
}

/** Chooses the file that holds the settings, as AutoVideoProcessor does: `video_processor` inside
 * processor_config.json, else video_preprocessor_config.json, else preprocessor_config.json. `files`: by their names
 * @type {(files: Record<string, Configuration>) => Configuration} */
function settingsFile(files) {
  const nested = files['processor_config.json']?.video_processor;
  if (isGiven(nested)) return parseConfiguration(nested, 'video_processor');
  return (
    files['video_preprocessor_config.json'] ??
    files['preprocessor_config.json'] ??
    rangeError(
      'config must have the file processor_config.json with video_processor, video_preprocessor_config.json or ' +
        `preprocessor_config.json, got ${brief(Object.keys(files).join(', '))}`,
    )
  );
}

/** The name of the video class that belongs to an image class: its name with VideoProcessor for ImageProcessor;
 * undefined if there is no such class.
 * @type {(imageClass: unknown) => string | undefined} */
function videoClassOfImageClass(imageClass) {
  if (typeof imageClass !== 'string') return undefined;
  const name = imageClass.replace('ImageProcessor', videoSuffix);
  return name.endsWith(videoSuffix) && rowKey(name) !== undefined ? name : undefined;
}

/** Chooses the class and the settings of a configuration as AutoVideoProcessor does. The class is the first that is
 * named: by `className`, by the file of settings (its video class, else its image class), by config.json, or by the
 * model type in config.json. `source`: the file of settings; `owner`: the class of the processor around it, as
 * Qwen2_5_VLProcessor
 * @type {(config: unknown, className: unknown) => { name: string, row: typeof videoRows[string], source:
 *   Configuration, owner: unknown }} */
export function readVideoClass(config, className) {
  const files = readFiles(config);
  const source = settingsFile(files);
  const model = files['config.json'] ?? {};
  const owner = source.processor_class ?? files['processor_config.json']?.processor_class;
  const chosenClass = [
    className,
    source.video_processor_type,
    videoClassOfImageClass(source.image_processor_type),
    model.video_processor_type,
    videoClassOfModel(model.model_type),
  ].find(isGiven);
  if (chosenClass === undefined) {
    const keys = 'video_processor_type, or config.json a model_type that has videos';
    typeError(`config must have the key ${keys}. Known: ${videoProcessorNames.join(', ')}`);
  }
  const givenName = readText('video_processor_type', chosenClass);
  const key = rowKey(givenName);
  if (key !== undefined) return { name: key + videoSuffix, row: videoRows[key], source, owner };
  const maxNames = Infinity;
  return typeError(unknownRule('className', brief(givenName), videoProcessorNames, maxNames));
}
