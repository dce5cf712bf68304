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

/** @type {(name: unknown) => string | undefined} Names of videos end in nothing else. */
function rowName(name) {
  if (typeof name !== 'string') return undefined;
  const key = name.endsWith(videoSuffix) ? name.slice(0, -videoSuffix.length) : name;
  return Object.hasOwn(videoRows, key) ? key : undefined;
}

/** @type {(files: Record<string, Configuration>) => Configuration} the file that holds the settings */
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

/** @type {(type: unknown) => string | undefined} The video class that is named as an image class is. */
function ofImageClass(type) {
  if (typeof type !== 'string') return undefined;
  const name = type.replace('ImageProcessor', videoSuffix);
  return name.endsWith(videoSuffix) && rowName(name) !== undefined ? name : undefined;
}

/** The class and the settings that AutoVideoProcessor takes of some files, and the class of the processor around them.
 * @type {(config: unknown, className: unknown) => { name: string, row: typeof videoRows[string], source:
 *   Configuration, owner: unknown }} */
export function readVideoClass(config, className) {
  const files = readFiles(config);
  const source = settingsFile(files);
  const model = files['config.json'] ?? {};
  const owner = source.processor_class ?? files['processor_config.json']?.processor_class;
  const typeName = [
    className,
    source.video_processor_type,
    ofImageClass(source.image_processor_type),
    model.video_processor_type,
    videoClassOfModel(model.model_type),
  ].find(isGiven);
  if (typeName === undefined) {
    const keys = 'video_processor_type, or config.json a model_type that has videos';
    typeError(`config must have the key ${keys}. Known: ${videoProcessorNames.join(', ')}`);
  }
  const fullName = readText('video_processor_type', typeName);
  const name = rowName(fullName);
  if (name === undefined) typeError(unknownRule('className', brief(fullName), videoProcessorNames, Infinity));
  return { name: name + videoSuffix, row: videoRows[name], source, owner };
}
