/** Processors of files that transformers.js does not read: `processor_config.json` alone, and classes that it lacks. */
import { baseName } from './classes.js';

/** @import { Context, LoadedModule, Patchable } from './types.js' */

/** Reads `processor_config.json` of a model by the module's own fetch and cache, through a subclass of its Processor;
 * undefined where the file is missing.
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

/** Reads `preprocessor_config.json` of a model; undefined where it is missing.
 * @type {typeof readProcessorFile} */
const readPreprocessorFile = ({ FeatureExtractor }, id, options) =>
  FeatureExtractor.from_pretrained(id, options).then(
    (/** @type {Patchable} */ { config }) => config,
    () => undefined,
  );

/** Reads the file of a model's chat template, through a subclass of the module's Processor.
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

/** The module's class for a name that transformers 5 saves, or its base class.
 * @type {(hf: LoadedModule, name: string | undefined, base: string) => new (file: object) => object} */
const classOf = (hf, name, base) => hf[baseName(name)] ?? hf[base];

/** A file as far as it says which parts a processor has.
 * @typedef {{ image_processor_type?: string, feature_extractor_type?: string, image_processor?: ProcessorFile,
 *   feature_extractor?: ProcessorFile }} ProcessorFile */

/** Makes the image processor and the feature extractor that the files name, in `nested` (processor_config.json) or else
 * in `file` (preprocessor_config.json).
 * @type {(hf: LoadedModule, file: ProcessorFile | undefined, nested: ProcessorFile | undefined) => object} */
function partsOf(hf, file, nested) {
  const image = nested?.image_processor ?? (file?.image_processor_type ? file : undefined);
  const sound = nested?.feature_extractor ?? (file?.feature_extractor_type && !image ? file : undefined);
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

/** Makes the Processor of a model's files, which the module fetches and caches; undefined where they name no parts of
 * one. A tokenizer is loaded if the class has one and none is handed in.
 * @type {(context: Context, id: string, options: object | undefined, tokenizer?: unknown) => Promise<Patchable>} */
export async function processorByFiles({ hf }, id, options, tokenizer) {
  const [file, nested] = await Promise.all([readPreprocessorFile(hf, id, options), readProcessorFile(hf, id, options)]);
  const parts = partsOf(hf, file, nested);
  if (Object.keys(parts).length === 0) return undefined;
  const Class = hf[nested?.processor_class ?? file?.processor_class] ?? hf.Processor;
  const needsTokenizer = 'tokenizer_class' in Class && !tokenizer;
  const words = needsTokenizer ? await hf.AutoTokenizer.from_pretrained(id, options) : tokenizer;
  const template = Class.uses_chat_template_file ? await readChatTemplate(hf, id, options) : null;
  return new Class(nested ?? {}, { ...parts, ...(words && { tokenizer: words }) }, template);
}
