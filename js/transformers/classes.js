/** The classes of transformers.js that need care: those without a class in Python, and those whose outputs differ. */

/** @import { LoadedModule } from './types.js' */

/** A class's name without the ending of its backend: transformers saves `DetrImageProcessorFast`.
 * @type {(name: unknown) => string} */
export const baseName = (name) => String(name).replace(/(Fast|Pil)$/, '');

const noClass = 'Python has no such class';

/** Processors and feature extractors that stay those of transformers.js, and why.
 * @type {Record<string, string>} */
export const staying = {
  ChatterboxFeatureExtractor: noClass,
  JinaCLIPImageProcessor: noClass,
  LlavaOnevisionImageProcessor: 'its model takes one picture in transformers.js, and tiles in Python',
  MoonshineFeatureExtractor: noClass,
  Phi3VImageProcessor: noClass,
  PyAnnoteFeatureExtractor: noClass,
  SnacFeatureExtractor: noClass,
  WeSpeakerFeatureExtractor: noClass,
};

/** Classes that only transformers.js has and whose steps are those of ViT's class, as far as their files ask for them.
 */
const plainClasses = ['ImageFeatureExtractor', 'ImageProcessor'];

/** Tells whether a class of {@link plainClasses} and its file ask for sides that are multiples of a number, which is no
 * step of ViT's class.
 * @type {(className: string, file: Record<string, unknown>) => boolean} */
export const asksForMultiples = (className, file) =>
  plainClasses.includes(className) && (file.size_divisibility ?? file.size_divisor) !== undefined;

/** Makes the configuration for Python's class from a file that transformers.js loaded as `className`. A class of
 * {@link plainClasses} becomes ViT's, which by itself would do steps that transformers.js does only if the file asks.
 * @type {(className: string, file: Record<string, unknown>) => object} */
export function pythonFile(className, file) {
  if (!plainClasses.includes(className)) return { image_processor_type: className, ...file };
  const theirDefaults = { do_rescale: true, do_normalize: false, do_resize: file.size !== undefined };
  return { ...theirDefaults, ...file, image_processor_type: 'ViTImageProcessor' };
}

/** Image processors that give `pixel_mask` with 64 x 64 numbers a picture, as their exported models take it. */
export const masksOf64 = ['DetrFeatureExtractor', 'DetrImageProcessor'];

/** The types of `pixel_attention_mask` that differ from Python's.
 * @type {Record<string, string>} */
export const maskTypes = {
  Idefics3ImageProcessor: 'bool',
  Lfm2VlImageProcessor: 'int64',
  SmolVLMImageProcessor: 'bool',
};

/** Classes of depth models. Python's have `post_process_depth_estimation`; those of transformers.js have no such
 * method, because its pipeline resizes the depth. */
const depthClasses = /^(CHMv2|DPT|DepthPro|GLPN|PromptDepthAnything|ZoeDepth)/;

/** Tells whether an image processor gets Python's `post_process_*` methods, whose code is loaded only then: if it has
 * such methods to replace, if its class is one of depth, or if transformers.js lacks its class, so that Python's
 * methods are the only ones.
 * @type {(hf: LoadedModule, object: unknown, className: string) => boolean} */
export function needsResultMethods(hf, object, className) {
  const isMissingClass = !hf[className];
  return isMissingClass || depthClasses.test(className) || hasResultMethod(object);
}

/** Tells whether an object or one of its classes has a method `post_process_*`.
 * @type {(object: unknown) => boolean} */
function hasResultMethod(object) {
  for (let holder = object; holder; holder = Object.getPrototypeOf(holder))
    if (Object.getOwnPropertyNames(holder).some((name) => name.startsWith('post_process_'))) return true;
  return false;
}

/** Feature extractors that always give the mask of a waveform, which Python gives where the file asks for it. */
export const alwaysMasked = ['Wav2Vec2FeatureExtractor'];

/** The name under which a module exports the class of an object. The class's own name, which bundlers shorten, counts
 * if it is exported, or if no name is.
 * @type {(hf: LoadedModule, object: object) => string} */
export function exportedName(hf, object) {
  const Class = object.constructor;
  const exportedNames = Object.keys(hf).filter((name) => hf[name] === Class);
  const nameInCode = Class?.name;
  if (exportedNames.length === 0 || exportedNames.includes(nameInCode)) return nameInCode ?? 'Object';
  return exportedNames[0];
}
