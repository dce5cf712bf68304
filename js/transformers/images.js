/** Image processors of transformers.js with Python's pixels. */
import { imageProcessorAsync } from '../processors/internal.js';
import { baseName, cutsSizes, exportedName, pythonFile, staying } from './classes.js';
import { inTheirForm, maskDtypeOf } from './forms.js';

/** @import { Context, LoadedModule, Patchable, TheirImage } from './types.js' */

/** Options of a call without those that are null, which stands for an option that is left out.
 * @type {(options: object | undefined | null) => Record<string, unknown>} */
export const givenOptions = (options) =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => (value ?? undefined) !== undefined));

/** The class of a configuration, or that of the object, by the name that the tables have.
 * @type {(context: Context, object: Patchable) => string} */
export const classNameOf = ({ hf }, object) =>
  baseName(object.config.image_processor_type ?? object.config.feature_extractor_type ?? exportedName(hf, object));

/** Options of calls that transformers.js takes by place.
 * @type {Record<string, (value: unknown) => object>} */
const placedOptions = {
  VitMatteImageProcessor: (trimaps) => ({ trimaps }),
};

/** Options that Python's class needs, and transformers.js does not have.
 * @type {Record<string, (images: readonly TheirImage[]) => object>} */
const neededOptions = {
  VitPoseImageProcessor: (images) => ({ boxes: images.map(({ width, height }) => [[0, 0, width, height]]) }),
};

/** The option `size` to which transformers.js cuts pictures where its file asks for multiples.
 * @type {(object: Patchable, images: readonly unknown[]) => object} */
function cutSize(object, images) {
  const [width, height] = object.get_resize_output_image_size(images[0], object.size);
  return { size: { height, width } };
}

/** Whether all pictures are read already.
 * @type {(hf: LoadedModule, images: readonly unknown[]) => boolean} */
const areLoaded = ({ RawImage }, images) => images.every((image) => image instanceof RawImage);

/** The sizes of a picture before and after it is resized.
 * @typedef {{ original: readonly number[], resized: readonly number[] }} Sizes */

/** The call of an image processor: Python's pixels, and the sizes that transformers.js gives beside them.
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

/** @typedef {{ call: (...values: unknown[]) => Promise<object>, className: string }} PythonCall */

/** Makes Python's call of a part of an object, and reports who computes the part. Undefined where transformers.js keeps
 * its own call: for a class that stays, or where `make` throws.
 * @type {(context: Context, about: { part: string, className: string },
 *   make: () => PythonCall['call']) => PythonCall | undefined} */
export function pythonCall(context, { part, className }, make) {
  const stays = (/** @type {string} */ reason) => void context.note({ part, className, by: 'transformers.js', reason });
  if (staying[className]) return stays(staying[className]);
  try {
    const call = make();
    context.note({ part, className, by: 'python', reason: '' });
    return { call, className };
  } catch (error) {
    return stays(/** @type {Error} */ (error).message);
  }
}

/** Python's call of an image processor; undefined where transformers.js keeps its own.
 * @type {(context: Context, object: Patchable) => PythonCall | undefined} */
export function pictureCall(context, object) {
  const className = classNameOf(context, object);
  return pythonCall(context, { part: 'image_processor', className }, () => imageCall(context, object, className));
}
