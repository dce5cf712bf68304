/** Image processors of transformers.js with Python's pixels. */
import { imageProcessorAsync } from '../processors/internal.js';
import { baseName, cutsSizes, exportedName, pythonFile, staying } from './classes.js';
import { inTheirForm, maskDtypeOf } from './forms.js';

/** @import { Context, LoadedModule, Patchable, TheirImage } from './types.js' */

/** In transformers.js, an option of null is left out.
 * @type {(options: object | undefined | null) => Record<string, unknown>} */
export const givenOptions = (options) =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== undefined));

/** The name of an object's class in transformers: by its configuration, or else by its class in transformers.js.
 * @type {(context: Context, object: Patchable) => string} */
export const classNameOf = ({ hf }, object) =>
  baseName(object.config.image_processor_type ?? object.config.feature_extractor_type ?? exportedName(hf, object));

/** By class: makes options of the second argument of a call, where transformers.js takes a value there, not options.
 * @type {Record<string, (value: unknown) => object>} */
const placedOptions = {
  VitMatteImageProcessor: (trimaps) => ({ trimaps }),
};

/** By class: makes options without which Python's class refuses a call, and which transformers.js does not have.
 * @type {Record<string, (images: readonly TheirImage[]) => object>} */
const neededOptions = {
  // The whole picture is the box of the only person.
  VitPoseImageProcessor: (images) => ({ boxes: images.map(({ width, height }) => [[0, 0, width, height]]) }),
};

/** The option `size` for a class that makes sides multiples of a number: that of transformers.js for the first picture.
 * @type {(object: Patchable, images: readonly unknown[]) => object} */
function cutSize(object, images) {
  const [width, height] = object.get_resize_output_image_size(images[0], object.size);
  return { size: { height, width } };
}

/** @type {(hf: LoadedModule, images: readonly unknown[]) => boolean} */
const areLoaded = ({ RawImage }, images) => images.every((image) => image instanceof RawImage);

/** The sizes of a picture before and after it is resized.
 * @typedef {{ original: readonly number[], resized: readonly number[] }} Sizes */

/** Makes the function that replaces an image processor's call. It also gives `original_sizes` and
 * `reshaped_input_sizes`, which transformers.js always adds.
 * @type {(context: Context, object: Patchable, className: string) => PythonCall['call']} */
function imageCall(context, object, className) {
  const { hf, backend, decode, sessions } = context;
  const file = pythonFile(className, object.config);
  const processor = imageProcessorAsync(file, { backend, decode, unknown: 'ignore' });
  const cutsToMultiples = cutsSizes(className, object.config);
  return async (images, given) => {
    const list = /** @type {TheirImage[]} */ ([images].flat(Infinity));
    const consumer = { className, sessions: sessions.get(object) ?? [] };
    // Later ones win: Python's needs, the size of multiples, the caller's options, RawImage's rule.
    const options = {
      ...neededOptions[className]?.(list),
      ...(cutsToMultiples && cutSize(object, list)),
      ...(placedOptions[className]?.(given) ?? givenOptions(/** @type {object | undefined} */ (given))),
      // A RawImage is what Python's load_image gives: it drops alpha, and lays nothing on white.
      ...(areLoaded(hf, list) && { do_convert_rgb: false }),
      // Options of this package alone: the type of masks, and the sizes beside the outputs.
      maskDtype: maskDtypeOf(consumer),
      returnSizes: true,
    };
    const results = /** @type {unknown} */ (await processor(/** @type {any} */ (images), options));
    const { sizes, ...outputs } = /** @type {{ sizes: Sizes[] }} */ (results);
    const shaped = inTheirForm(context, outputs, consumer);
    return {
      original_sizes: sizes.map(({ original }) => original),
      reshaped_input_sizes: sizes.map(({ resized }) => resized),
      ...shaped,
    };
  };
}

/** The function that replaces a part's call, and the name of the part's class in transformers.
 * @typedef {{ call: (...values: unknown[]) => Promise<object>, className: string }} PythonCall */

/** Makes the function that replaces the call of a part, by `make`, and notes for the report who computes the part.
 * Undefined if transformers.js keeps its own call: for a class in the table `staying`, or if `make` throws because it
 * refuses the configuration.
 * @type {(context: Context, about: { part: string, className: string },
 *   make: () => PythonCall['call']) => PythonCall | undefined} */
export function pythonCall(context, { part, className }, make) {
  const noteStaying = (/** @type {string} */ reason) =>
    context.note({ part, className, by: 'transformers.js', reason });
  if (staying[className]) {
    noteStaying(staying[className]);
    return undefined;
  }
  try {
    const call = make();
    context.note({ part, className, by: 'python', reason: '' });
    return { call, className };
  } catch (error) {
    noteStaying(/** @type {Error} */ (error).message);
    return undefined;
  }
}

/** Undefined if transformers.js keeps its own call.
 * @type {(context: Context, object: Patchable) => PythonCall | undefined} */
export function pictureCall(context, object) {
  const className = classNameOf(context, object);
  return pythonCall(context, { part: 'image_processor', className }, () => imageCall(context, object, className));
}
