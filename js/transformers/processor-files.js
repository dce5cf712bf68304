/** Processors of files that transformers.js does not read: `processor_config.json` alone, and classes that it lacks. */
import { baseName } from './classes.js';

/** @import { Context, LoadedModule, Patchable } from './types.js' */

/** Reads `processor_config.json` of the model `id` by transformers.js' own fetch and cache; undefined if the file
 * cannot be read. Only `from_pretrained` of a Processor reads the file, so a subclass without parts of its own is
 * loaded, and its configuration is the file.
 * @type {(hf: LoadedModule, id: string, options: object | undefined) => Promise<Patchable>} */
function readProcessorFile({ Processor }, id, options) {
  class FileReader extends Processor {
    /** @type {string[]} */
    static classes = [];
    static uses_processor_config = true;
  }
  return FileReader.from_pretrained(id, options).then(
    (/** @type {Patchable} */ { config }) => config,
    () => undefined,
  );
}

/** Reads `preprocessor_config.json` of the model `id`, which `from_pretrained` of a feature extractor reads whatever
 * the file is for; undefined if it cannot be read.
 * @type {typeof readProcessorFile} */
const readPreprocessorFile = ({ FeatureExtractor }, id, options) =>
  FeatureExtractor.from_pretrained(id, options).then(
    (/** @type {Patchable} */ { config }) => config,
    () => undefined,
  );

/** Reads the file of a model's chat template through a subclass of the module's Processor that loads nothing else; null
 * if the model has none.
 * @type {(hf: LoadedModule, id: string, options: object | undefined) => Promise<string | null>} */
async function readChatTemplate({ Processor }, id, options) {
  class TemplateReader extends Processor {
    /** @type {string[]} */
    static classes = [];
    static uses_chat_template_file = true;
  }
  const { chat_template } = await TemplateReader.from_pretrained(id, options);
  return chat_template;
}

/** Finds the class that a file names, whatever backend the name ends in; `base` if the module lacks the class.
 * @type {(hf: LoadedModule, name: string | undefined, base: string) => new (file: object) => object} */
const classOf = (hf, name, base) => hf[baseName(name)] ?? hf[base];

/** The settings of one part, whose class the file names, or those of several parts, nested under their names.
 * @typedef {{ image_processor_type?: string, feature_extractor_type?: string, image_processor?: ProcessorFile,
 *   feature_extractor?: ProcessorFile }} ProcessorFile */

/** Makes the parts of a processor that the files name. `nested` (processor_config.json) has the settings of each part
 * under its name; a part that it lacks is read from `single` (preprocessor_config.json), which has those of one part.
 * @type {(hf: LoadedModule, single: ProcessorFile | undefined, nested: ProcessorFile | undefined) => object} */
function partsOf(hf, single, nested) {
  const image = nested?.image_processor ?? (single?.image_processor_type ? single : undefined);
  // Older files of image processors name a feature extractor, too.
  const isSound = single?.feature_extractor_type && !image;
  const sound = nested?.feature_extractor ?? (isSound ? single : undefined);
  /** @type {(settings: ProcessorFile, name: string | undefined, base: string) => object} */
  const partOf = (settings, name, base) => {
    const Class = classOf(hf, name, base);
    return new Class(settings);
  };
  return {
    ...(image && { image_processor: partOf(image, image.image_processor_type, 'ImageProcessor') }),
    ...(sound && { feature_extractor: partOf(sound, sound.feature_extractor_type, 'FeatureExtractor') }),
  };
}

/** Makes the Processor of the model `id` from its files; undefined if they name no image processor and no feature
 * extractor. If the class takes a tokenizer and none is handed in, the model's is loaded.
 * @type {(context: Context, id: string, options: object | undefined, tokenizer?: unknown) => Promise<Patchable>} */
export async function processorByFiles({ hf }, id, options, tokenizer) {
  const [single, nested] = await Promise.all([
    readPreprocessorFile(hf, id, options),
    readProcessorFile(hf, id, options),
  ]);
  const parts = partsOf(hf, single, nested);
  if (Object.keys(parts).length === 0) return undefined;
  const Class = hf[nested?.processor_class ?? single?.processor_class] ?? hf.Processor;
  const lacksTokenizer = 'tokenizer_class' in Class && !tokenizer;
  // A class that takes no tokenizer still gets one that the caller has.
  const tokenizerOrNone = lacksTokenizer ? await hf.AutoTokenizer.from_pretrained(id, options) : tokenizer;
  const components = { ...parts, ...(tokenizerOrNone && { tokenizer: tokenizerOrNone }) };
  const template = Class.uses_chat_template_file ? await readChatTemplate(hf, id, options) : null;
  return new Class(nested ?? {}, components, template);
}
