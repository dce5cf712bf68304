/** Image processors of transformers.js with Python's pixels. */
import { imageProcessorAsync } from '../processors/internal.js';
import { asksForMultiples, baseName, exportedName, pythonFile, staying } from './classes.js';
import { inTheirForm, maskDtypeOf } from './forms.js';

/** @import { Context, LoadedModule, Patchable, TheirImage } from './types.js' */

/** Copies options without those that are null, which transformers.js takes for omitted, or undefined.
 * @type {(options: object | undefined | null) => Record<string, unknown>} */
export const givenOptions = (options) =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== undefined));

/** The name of an object's class in transformers: by its configuration, or else by its class in transformers.js.
 * @type {(context: Context, object: Patchable) => string} */
export const classNameOf = ({ hf }, object) =>
  baseName(object.config.image_processor_type ?? object.config.feature_extractor_type ?? exportedName(hf, object));

/** Classes whose call takes a second argument that is no object of options, as `processor(images, trimaps)`, and how
 * that argument becomes options.
 * @type {Record<string, (secondArgument: unknown) => object>} */
const optionsOfSecondArgument = {
  VitMatteImageProcessor: (trimaps) => ({ trimaps }),
};

/** Classes of which Python refuses a call without an option that transformers.js does not have, and a value for it.
 * @type {Record<string, (images: readonly TheirImage[]) => object>} */
const requiredOptions = {
  // The whole picture is the box of the only person.
  VitPoseImageProcessor: (images) => ({ boxes: images.map(({ width, height }) => [[0, 0, width, height]]) }),
};

/** Gives the option `size` for an image processor whose configuration asks for sides that are multiples of a number:
 * the size that transformers.js computes for the first picture.
 * @type {(object: Patchable, images: readonly unknown[]) => object} */
function sizeByTheirs(object, images) {
  const [width, height] = object.get_resize_output_image_size(images[0], object.size);
  return { size: { height, width } };
}

/** Tells whether all pictures are RawImages, so that their files are decoded already.
 * @type {(hf: LoadedModule, images: readonly unknown[]) => boolean} */
const areDecoded = ({ RawImage }, images) => images.every((image) => image instanceof RawImage);

/** The sizes of a picture before and after it is resized.
 * @typedef {{ original: readonly number[], resized: readonly number[] }} Sizes */

/** Makes the options of Python's image processor for one call of `object`, whose second argument is `secondArgument`.
 * @type {(context: Context, object: Patchable, className: string, pictures: readonly TheirImage[], secondArgument:
 *   unknown) => object} */
function optionsOfCall({ hf }, object, className, pictures, secondArgument) {
  const callerOptions =
    optionsOfSecondArgument[className]?.(secondArgument) ??
    givenOptions(/** @type {object | undefined} */ (secondArgument));
  const needsTheirSize = asksForMultiples(className, object.config);
  // Later ones win.
  return {
    ...requiredOptions[className]?.(pictures),
    ...(needsTheirSize && sizeByTheirs(object, pictures)),
    ...callerOptions,
    // A RawImage is what Python's load_image gives: it drops alpha, and lays nothing on white.
    ...(areDecoded(hf, pictures) && { do_convert_rgb: false }),
  };
}

/** Makes the function that replaces the call of the image processor `object`: it computes Python's pixels and gives
 * them the types and shapes that the model of `object` takes, as far as its sessions are known. It also gives
 * `original_sizes` and `reshaped_input_sizes`, which transformers.js always adds.
 * @type {(context: Context, object: Patchable, className: string) => PythonCall} */
function imageCall(context, object, className) {
  const { backend, decode, sessions } = context;
  const file = pythonFile(className, object.config);
  const processor = imageProcessorAsync(file, { backend, decode, unknown: 'ignore' });
  return async (images, secondArgument) => {
    const pictures = /** @type {TheirImage[]} */ ([images].flat(Infinity));
    // Looked up at each call, because a pipeline may link its model after this function is made.
    const consumer = { className, sessions: sessions.get(object) ?? [] };
    const options = optionsOfCall(context, object, className, pictures, secondArgument);
    // Two options of this package alone: the type of masks, and the sizes beside the outputs.
    const ourOptions = { maskDtype: maskDtypeOf(consumer), returnSizes: true };
    const results = await processor(/** @type {any} */ (images), { ...options, ...ourOptions });
    const { sizes, ...outputs } = /** @type {{ sizes: Sizes[] }} */ (/** @type {unknown} */ (results));
    const theirOutputs = inTheirForm(context, outputs, consumer);
    return {
      original_sizes: sizes.map(({ original }) => original),
      reshaped_input_sizes: sizes.map(({ resized }) => resized),
      ...theirOutputs,
    };
  };
}

/** @typedef {(...values: unknown[]) => Promise<object>} PythonCall the function that replaces the call of a part */

/** Makes the function that replaces the call of a part of a Processor, by `makeCall`, and notes for the report who
 * computes the part. Undefined if transformers.js keeps its own call: for a class in the table `staying`, or if
 * `makeCall` throws because it refuses the configuration.
 * @type {(context: Context, about: { part: string, className: string },
 *   makeCall: () => PythonCall) => PythonCall | undefined} */
export function pythonCall(context, { part, className }, makeCall) {
  const noteStaying = (/** @type {string} */ reason) =>
    context.note({ part, className, by: 'transformers.js', reason });
  if (staying[className]) {
    noteStaying(staying[className]);
    return undefined;
  }
  try {
    const call = makeCall();
    context.note({ part, className, by: 'python', reason: '' });
    return call;
  } catch (error) {
    noteStaying(/** @type {Error} */ (error).message);
    return undefined;
  }
}

/** Makes the function that replaces the call of an image processor of the class `className` of transformers, and notes
 * for the report who computes it. Undefined if transformers.js keeps its own call: {@link pythonCall} says when.
 * @type {(context: Context, object: Patchable, className: string) => PythonCall | undefined} */
export function pythonPictureCall(context, object, className) {
  return pythonCall(context, { part: 'image_processor', className }, () => imageCall(context, object, className));
}
