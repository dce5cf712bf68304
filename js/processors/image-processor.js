/** Image processors, as transformers has them: from `preprocessor_config.json` to what a model takes. */
import * as args from '../arguments/index.js';
import { loader, ready } from '../engines/images/index.js';
import { readTensor } from '../tensor/index.js';
import { imagesOf, readDecode, readEntries, readOrientation, withDecoded } from '../image/internal.js';
import * as settingsOf from './settings/index.js';
import { callSettings, readProcessorClass } from './config.js';
import { blankPicture, checkSides, pictureOf } from './pictures/index.js';
import { promptsOf } from './classes/prompts.js';
import { outName } from './steps/index.js';
import { listenerOf, sizesOf } from './step-listeners.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { DecoderOption, DecodingOptions, Entry, ImageLike, SourceImage } from '../image/types.js' */
/** @import { CallOptions, ClassOutputs, Decodable, ImageCallOptions, ImageClassName } from './types.js' */
/** @import { ImageClassOf, ImageOutputs, Maker, Processor } from './types.js' */
/** @import { ProcessorOptions, Row } from './types.js' */

const backends = /** @type {const} */ (['torchvision', 'pil']);

/**
 * Makes an image processor of a `preprocessor_config.json`. It gives the tensors that transformers 5 gives in Python,
 * under their names there and equal in every byte, for every image processor of transformers.
 *
 * - `backend`: take 'torchvision', Python's default, for what a model's own code gets from `AutoImageProcessor`. Take
 *   'pil' for models that were trained with or are compared to the slow processors of older releases.
 * - Settings that the configuration lacks are those of the processor's class, a flag that is null is off, and keys that
 *   the processor does not read are listed in `ignored`.
 * - Images are what {@link imageToTensor} takes, and pixels of two channels, gray and alpha. Where `do_convert_rgb` is
 *   on, a picture with alpha is laid on white; where it is off, alpha is dropped, as for files that Python opens
 *   itself.
 * - Segmenters take `input_points`, `input_labels` and `input_boxes`, nested lists in pixels of the image, and return
 *   them scaled and filled up under these names.
 * - `get_number_of_image_patches(height, width, options)` is there where Python's class has it: what a prompt needs to
 *   know of an image before it is there.
 * - The function's options are Python's: any setting by its name, for this call alone. `dtype` is that of
 *   `pixel_values`: float16 and bfloat16 are the float32 numbers, rounded once. `maskDtype` is that of masks with a
 *   number a pixel: 'bool' takes an eighth of the memory of Python's int64. VitMatte takes `trimaps`, one for each
 *   image. The images of a video processor are the frames of one video. `onStep` is called with what is done to each
 *   image: `{ image, name, width, height, … }`, where `image` is its number. `pixels()` computes the picture after a
 *   step on bytes. `out: { pixel_values }` has a tensor of the result's type and dims, which is overwritten and
 *   returned instead of a new one: `outputs.pixel_values.data` is its `data`. It must not share memory with an image.
 * - `settings` has the settings of the file and, where it lacks them, of the class, for code that reads more of a
 *   configuration than its file says. `unknown: 'ignore'` leaves options of a call alone that are settings of no class,
 *   as a tokenizer's are; they are refused if omitted. `returnSizes` adds `sizes` to the outputs:
 *   `{ original, resized }` of each image, each [height, width]; `resized` is after resizing and cropping, and before
 *   padding.
 * - `maxBytes`, 1 GiB if omitted, is how much memory each image of a call may become: a number of a stranger's
 *   configuration makes no more of a small picture.
 * @template {object | string} const Config
 * @template {ImageClassName | (string & {})} [Name=ImageClassOf<Config>]
 * @param {Config} config the parsed JSON, or its text
 * @param {ProcessorOptions<Name>} [options]
 * @returns {Processor<ImageLike, ImageCallOptions<Name>, ImageOutputs<Name>>} a function of one image or a list, and
 *   its options; with the processor's `className` and the configuration's `ignored` keys
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor', size: { height: 2, width: 2 } };
 * const { pixel_values } = imageProcessor(config)({ data: new Uint8Array(48).fill(255), width: 4, height: 4 });
 * pixel_values.dims; // [1, 3, 2, 2]
 */
export function imageProcessor(config, options) {
  return args.named('imageProcessor', () => {
    const maker = makerOf(config, options);
    /** Reads the options and the images of a call, then makes its outputs.
     * @type {(images: unknown, options?: CallOptions) => ImageOutputs<Name>} */
    const processor = (images, callOptions) =>
      args.named('imageProcessor', () => {
        // Loads the module, if no call has yet.
        ready();
        const call = readCall(maker, callOptions, []);
        const { images: list, counts } = readSamples(maker.row, images);
        const entries = readEntries('images', list);
        const samples = counts ?? [entries.length];
        const lists = { images: entries, ...readOtherImages(call.others) };
        return /** @type {ImageOutputs<Name>} */ (makeOutputsInBudget(maker, samples, call, lists));
      });
    return Object.assign(processor, propertiesOf(maker, 'imageProcessor'));
  });
}

/**
 * {@link imageProcessor} for images that take time to decode: an image may be a Blob or File too, as
 * {@link imageToTensorAsync} takes them, and whatever `decode` reads: in Node paths, Buffers, Blobs and sharp.
 * @template {object | string} const Config
 * @template {ImageClassName | (string & {})} [Name=ImageClassOf<Config>]
 * @param {Config} config
 * @param {ProcessorOptions<Name> & DecoderOption} [options]
 * @returns {Processor<Decodable, ImageCallOptions<Name> & DecodingOptions, Promise<ImageOutputs<Name>>>} whose options
 *   have `orientation` and `signal` too
 * @example
 * const processor = imageProcessorAsync('{ "image_processor_type": "ViTImageProcessor" }', { backend: 'pil' });
 * const { pixel_values } = await processor(input.files[0]);
 * pixel_values.dims; // [1, 3, 224, 224]
 */
export function imageProcessorAsync(config, options) {
  return args.named('imageProcessorAsync', () => {
    const maker = makerOf(config, options, asyncTable);
    const decode = readDecode(options?.decode);
    /** Reads the options of a call, loads the module, decodes the images, then makes the outputs.
     * @type {(images: unknown, options?: CallOptions & DecodingOptions) => Promise<ImageOutputs<Name>>} */
    const processor = (images, callOptions) =>
      args.namedAsync('imageProcessorAsync', async () => {
        const call = readCall(maker, callOptions, ['orientation', 'signal']);
        const orientation = readOrientation(callOptions?.orientation);
        // `pixels()` of a step may read an image after the call, so its memory must not be reused.
        const keepsPixels = call.onStep !== undefined;
        const decoding = { orientation, signal: args.readSignal('signal', callOptions?.signal), decode, keepsPixels };
        const { images: list, counts } = readSamples(maker.row, images);
        const entries = readEntries('images', list);
        const samples = counts ?? [entries.length];
        const lists = { images: entries, ...readOtherImages(call.others) };
        await loader.loadAsync();
        return withDecoded(Object.values(lists).flat(), decoding, (decoded) => {
          const decodedLists = splitLike(lists, decoded);
          const outputs = makeOutputsInBudget(maker, samples, call, decodedLists);
          return /** @type {ImageOutputs<Name>} */ (outputs);
        });
      });
    return Object.assign(processor, propertiesOf(maker, 'imageProcessorAsync'));
  });
}

/** Reads the samples of a call whose `images` are a list of lists, for a class that takes these: each inner list is a
 * sample, and an image beside them is a sample of one. Returns the flat list of images, and how many each sample has.
 * Other images come back as they are; they are one sample, and `counts` is undefined.
 * @type {(row: Row, images: unknown) => { images: unknown, counts: readonly number[] | undefined }} */
function readSamples(row, images) {
  const list = row.isNested && Array.isArray(images) ? args.copyList('images', images) : [];
  const isNested = list.some(Array.isArray);
  if (!isNested) return { images, counts: undefined };
  /** The images of a sample. @type {(sample: unknown, i: number) => unknown[]} */
  const imagesOfSample = (sample, i) => (Array.isArray(sample) ? args.copyList(`images[${i}]`, sample) : [sample]);
  const lists = list.map(imagesOfSample);
  const empty = lists.findIndex(({ length }) => length === 0);
  if (empty >= 0) args.rangeError(`images[${empty}] must hold an image at least, got []`);
  return { images: lists.flat(), counts: lists.map(({ length }) => length) };
}

/** Options that are images, other than those that become `pixel_values`. */
const imageOptions = ['trimaps', 'prompt_images', 'prompt_masks'];

/** Reads the images of options such as `trimaps`, by the options' names.
 * @type {(others: Record<string, unknown>) => Record<string, Entry[]>} */
const readOtherImages = (others) =>
  Object.fromEntries(Object.entries(others).map(([name, images]) => [name, readEntries(name, images)]));

/** Splits a flat list, which has an item for each entry of all `lists`, into lists of their names and lengths.
 * @type {<A, B>(lists: Record<string, A[]>, items: readonly B[]) => Record<string, B[]>} */
function splitLike(lists, items) {
  let end = 0;
  const groups = Object.entries(lists).map(([name, { length }]) => {
    const start = end;
    end += length;
    return [name, items.slice(start, end)];
  });
  return Object.fromEntries(groups);
}

/** @typedef {Omit<Processor<unknown, unknown, unknown>, keyof Function>} ProcessorFacts that need no images */

/** The properties that are laid on a processor, which is a function: its class, its settings and, where Python's class
 * counts patches, a method that does. `publicName`: the name of the public function, for messages
 * @type {(maker: Maker, publicName: string) => ProcessorFacts} */
function propertiesOf(maker, publicName) {
  const { name, row, backend, ignored, file } = maker;
  const { patches } = row.make;
  const properties = { className: name, backend, ignored, settings: settingsOf.shownSettings(file) };
  if (!patches) return properties;
  /** Counts the patches of an image of this size, by the file's settings and the options, as Python's method does.
   * @type {ProcessorFacts['get_number_of_image_patches']} */
  const count = (height, width, options) =>
    args.named(`${publicName} get_number_of_image_patches`, () => {
      settingsOf.checkExtents({ height, width });
      const { settings } = readCall(maker, settingsOf.callOptionsOfCount(row, options, file), []);
      const oneImage = blankPicture({ width, height });
      const call = { backend, settings, file, dtype: undefined, others: {}, samples: [1] };
      const budget = args.makeBudget('an image', maker.maxBytes);
      return args.spending(budget, () => patches(call, oneImage));
    });
  return { ...properties, get_number_of_image_patches: count };
}

const makerTable = {
  backend: args.word(backends, 'torchvision'),
  className: args.later,
  dtype: settingsOf.readPixelType,
  maxBytes: args.readMaxBytes,
  unknown: args.word(['refuse', 'ignore'], 'refuse'),
};
const asyncTable = { ...makerTable, decode: args.later };

/** Reads the class, the settings and the options of a processor, which hold for all of its calls. `table`: the options
 * that the public function has; it reads `decode` itself
 * @type {(config: unknown, options: ProcessorOptions | undefined, table?: typeof makerTable) => Maker} */
function makerOf(config, options, table = makerTable) {
  const { backend: asked, className, dtype, maxBytes, unknown } = args.readTable(options, table);
  const { name, row, source, holder } = readProcessorClass(config, className);
  // As in Python, a class that has one backend takes that one.
  const { backends: classBackends = backends } = row;
  const backend = classBackends.includes(asked) ? asked : classBackends[0];
  const fileSettings = settingsOf.readFileSettings(row, source);
  const ignoresUnknown = unknown === 'ignore';
  return { name, row, backend, holder, maxBytes, dtype, ignoresUnknown, ...fileSettings };
}

/** Reads the options of a call: its settings, and those that every class has. Left unread are options that are images,
 * as `trimaps`, in `others` by their names, and prompts, for which `prompts` has all options as they came. `more`:
 * names of options that are not settings, which the caller reads
 * @param {Maker} maker
 * @param {CallOptions | undefined} options
 * @param {readonly string[]} more */
function readCall(maker, options = {}, more) {
  if (typeof options !== 'object' || options === null)
    args.typeError(`options must be an object, got ${args.show(options)}`);
  const { dtype, maskDtype, onStep, out, returnSizes } = options;
  if (onStep !== undefined) args.readFunction('onStep', onStep);
  const otherOptions = ['dtype', 'maskDtype', ...imageOptions, 'onStep', 'out', 'returnSizes', ...more];
  const returnsSizes = returnSizes !== undefined && settingsOf.flag('returnSizes', returnSizes);
  const settings = settingsOf.readCallSettings(maker, options, otherOptions, callSettings);
  const statedImages = imageOptions.filter((name) => options[name] !== undefined);
  return {
    settings,
    dtype: settingsOf.readPixelType('dtype', dtype) ?? maker.dtype,
    maskDtype: settingsOf.readMaskType('maskDtype', maskDtype),
    others: Object.fromEntries(statedImages.map((name) => [name, options[name]])),
    onStep,
    returnsSizes,
    out: readOutput(out),
    prompts: options,
  };
}

/** Reads the option `out`, and gives its tensor for `pixel_values`.
 * @type {(value: CallOptions['out']) => TensorLike | undefined} */
function readOutput(value) {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null)
    args.typeError(`out must be { pixel_values }, got ${args.showClass(value)}`);
  args.checkNames('output', value, ['pixel_values']);
  const { pixel_values: values } = value;
  if (values !== undefined) readTensor(outName, values);
  return values;
}

/** Makes the outputs of a call, within the memory that its images may take (`maxBytes` for each). `samples`: how many
 * images each sample has; `lists`: the images by the name of the option that holds them, such as `trimaps`, and under
 * `images` those that become `pixel_values`
 * @type {(maker: Maker, samples: readonly number[], call: ReturnType<typeof readCall>,
 *   lists: Record<string, Entry[]>) => ClassOutputs} */
function makeOutputsInBudget(maker, samples, call, lists) {
  const budget = args.makeBudget('an image', maker.maxBytes, Object.values(lists).flat().length);
  return args.spending(budget, () => makeOutputs(maker, samples, call, lists));
}

/** Makes the outputs of a call from decoded images, in the order in which arguments are refused: checks the caller's
 * `out`, reads prompts such as points and boxes, then has the class compute. `samples`: the images of each sample, as a
 * number; `lists`: the images by their option, under `images` those that become `pixel_values`
 * @type {(maker: Maker, samples: readonly number[], call: ReturnType<typeof readCall>,
 *   lists: Record<string, Entry[]>) => ClassOutputs} */
function makeOutputs({ name, row, backend, file, holder }, samples, call, lists) {
  const { settings, dtype, maskDtype, onStep, returnsSizes, out, prompts } = call;
  const entries = Object.values(lists).flat();
  const decoded = imagesOf(entries);
  if (out) checkBeforeWriting(out, entries, decoded);
  const { images, ...others } = splitLike(lists, decoded);
  const isOnWhite = settings.do_convert_rgb && !row.keepsChannels;
  const promptOutputs = promptsOf(row.prompts, { file: holder, settings, sizes: images, options: prompts });
  const sizes = returnsSizes ? images.map(sizesOf) : undefined;
  const pictures = images.map((image, i) => {
    const listener = listenerOf({ onStep, sizes }, i);
    return pictureOf(image, { isOnWhite, onStep: listener });
  });
  // Pictures of other options report no steps, and their alpha is dropped.
  const otherPictures = Object.fromEntries(
    Object.entries(others).map(([name, list]) => [name, list.map((image) => pictureOf(image))]),
  );
  const classCall = { backend, settings, file, dtype, maskDtype, others: otherPictures, samples, out };
  const outputs = row.make(classCall, pictures);
  // Some classes have other outputs alone, as Fuyu `images`: none of them was written to `out`.
  if (out && !outputs.pixel_values) args.rangeError(`out must name outputs of ${name}, got pixel_values`);
  const allOutputs = { ...outputs, ...promptOutputs };
  return sizes ? { ...allOutputs, sizes } : allOutputs;
}

/** Refuses images with too long sides, and images that share memory with the caller's `out`: before anything is
 * written, so that a refused call leaves `out` as it is. `entries`: the arguments that the images come from, for
 * messages
 * @type {(out: TensorLike, entries: readonly Entry[], images: readonly SourceImage[]) => void} */
function checkBeforeWriting(out, entries, images) {
  images.forEach((image, i) => {
    checkSides(image);
    // An image with a `copy` computes its `data` from that when it is read, so the copy's memory is compared.
    if (args.overlap(out.data, (image.copy ?? image).data))
      args.rangeError(`${outName} must not overlap ${entries[i].argument}`);
  });
}
