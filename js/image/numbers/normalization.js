/** The numbers that an image's bytes become, and back: `(x * scale - mean) / std`, in float32; and the presets. */
import { rangeError, readWord, show, showClass, showList, typeError } from '../../arguments/index.js';
import { numbersOf, tablesOf } from './backends.js';
import { isNumberList } from './lists.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Backend } from '../resizing/filters.js' */
/** @import { NormalizationLists, Preset, PresetRow } from '../types.js' */

/** @type {(dtype: DType) => boolean} whether pixels can become numbers of this type */
export const isPixelType = ({ name }) => ['uint8', 'int8', 'float32', 'float16', 'bfloat16'].includes(name);

/** @type {NormalizationLists} Leaves every number as it is. */
export const identity = { scale: [1, 1, 1, 1], mean: [0, 0, 0, 0], std: [1, 1, 1, 1] };

/** @type {Record<Preset, PresetRow>} Lists are in the order red, green, blue. `imagenet` is torchvision's, `clip`
 *   OpenAI's (clip/clip.py); `unit` goes to [0, 1], `signed` to [-1, 1]. The others are their projects' own; those of
 *   text round in another order than the formula. */
const presets = {
  imagenet: { scale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225], isBackends: true },
  clip: {
    scale: 1 / 255,
    mean: [0.48145466, 0.4578275, 0.40821073],
    std: [0.26862954, 0.26130258, 0.27577711],
    isBackends: true,
  },
  unit: { scale: 1 / 255, mean: 0, std: 1, isBackends: true },
  signed: { scale: 1 / 255, mean: 0.5, std: 0.5, isBackends: true },
  yolo: { scale: 1, mean: 0, std: 255 },
  'yolo-cls': { scale: 1, mean: 0, std: 255 },
  yolox: { scale: 1, mean: 0, std: 1 },
  scrfd: { scale: 1, mean: 127.5, std: 128 },
  'rapidocr-det': { scale: 1 / 255, mean: 0.5, std: 0.5 },
  // PaddleOCR takes ImageNet's means in this order for blue, green and red.
  'paddleocr-det': {
    scale: 1 / 255,
    mean: [0.406, 0.456, 0.485],
    std: [0.225, 0.224, 0.229],
    numberOf: (byte, mean, std) => (Math.fround(byte * Math.fround(1 / 255)) - mean) / std,
  },
  'rapidocr-text': {
    scale: 1 / 255,
    mean: 0.5,
    std: 0.5,
    numberOf: (byte, mean, std) => Math.fround(Math.fround(byte / 255) - mean) / std,
  },
};

const presetNames = /** @type {Preset[]} */ (Object.keys(presets));

/** Reads scale, mean and std, or the preset that stands for them, one number a channel. `channels`: a letter for each,
 * such as 'RGB'; `divisor`: the one of the three that must not be 0 (no preset has a 0 there); `result`: the type and
 * backend of the tensor, by which a preset's numbers differ; omitted where a tensor is turned back into a picture
 * @type {(options: { preset?: unknown, scale?: unknown, mean?: unknown, std?: unknown }, channels: string, divisor:
 *   'std' | 'scale', result?: { dtype: DType, backend: Backend }) => NormalizationLists} */
export function readNormalization({ preset, scale, mean, std }, channels, divisor, result) {
  const name = readWord('preset', presetNames, preset);
  if (name) {
    for (const [key, value] of Object.entries({ scale, mean, std })) {
      if (value !== undefined) typeError(`${key} cannot stand beside preset, got ${show(value)}`);
    }
    return presetFor(name, channels, result);
  }
  /** @type {(argument: 'scale' | 'mean' | 'std', value: unknown) => readonly number[]} */
  const readOrIdentity = (argument, value) =>
    value === undefined ? identity[argument] : readPerChannel(argument, value, channels, argument === divisor);
  return {
    scale: readOrIdentity('scale', scale),
    mean: readOrIdentity('mean', mean),
    std: readOrIdentity('std', std),
  };
}

/** The numbers of presets that were used, by the preset's name, the channels and the result. Without this map an image
 * of 16 x 16 pixels takes 1.7 times as long (measured).
 * @type {Map<string, NormalizationLists>} */
const presetLists = new Map();

/** The type and backend of a result. @typedef {{ dtype: DType, backend: Backend }} Result */

/** The numbers of a preset, which are made only once. `channels`: a letter for each, such as 'RGB'
 * @type {(name: Preset, channels: string, result: Result | undefined) => NormalizationLists} */
function presetFor(name, channels, result) {
  const key = `${name} ${channels}${result ? ` ${result.dtype.name} ${result.backend}` : ''}`;
  const earlier = presetLists.get(key);
  if (earlier) return earlier;
  const lists = makePresetLists(name, channels, result);
  presetLists.set(key, lists);
  return lists;
}

/** Makes scale, mean and std of a preset, one number a channel, for the engine's formula. Where Python rounds in
 * another order, other numbers or tables of all bytes take their place; not without `result`, when a tensor is turned
 * back into a picture.
 * @type {(name: Preset, channels: string, result: Result | undefined) => NormalizationLists} */
function makePresetLists(name, channels, result) {
  const { scale, mean, std, isBackends, numberOf } = presets[name];
  if (Array.isArray(mean) && channels.length !== 3)
    rangeError(`preset '${name}' is for RGB or BGR, got channels '${channels}'`);
  // One number for each channel, in the result's order; lists are in the order RGB.
  const spread = (/** @type {number | number[]} */ value) =>
    Array.from(channels, (letter) => (Array.isArray(value) ? value['RGB'.indexOf(letter)] : value));
  const [means, stds] = [spread(mean), spread(std)];
  const lists = { scale: spread(scale).map(Math.fround), mean: means.map(Math.fround), std: stds.map(Math.fround) };
  if (!result) return lists;
  // Results of integers take the formula: a difference in the last bit of float32 is rounded away. So do those of
  // OpenCV, for which transformers has no processor whose rounding would count.
  const isOfTransformers = isBackends && result.dtype.format.kind === 'float' && result.backend !== 'opencv';
  if (isOfTransformers) return { ...lists, ...transformersNumbers(name, channels, result) };
  if (!numberOf) return lists;
  const tables = tablesOf(result.dtype, channels.length, (byte, i) => numberOf(byte, means[i], stds[i]));
  return { ...lists, tables };
}

/** The numbers, or tables of all bytes, by which a preset gives the floats of transformers' image processors.
 * @type {(name: Preset, channels: string, result: Result) => Partial<NormalizationLists>} */
function transformersNumbers(name, channels, { dtype, backend }) {
  const { scale, mean, std } = presets[name];
  // transformers' processors only rescale for 'unit', without a mean.
  const scaling = name === 'unit' ? { factor: scale } : { factor: scale, mean, std };
  const format = { dtype, channels: channels.length, isReversed: channels === 'BGR' };
  // The order of the channels is left out, because the call knows it.
  const { sources: _, ...channelNumbers } = numbersOf(backend, scaling, format).channels;
  return channelNumbers;
}

/** Reads a number, or one for each channel, rounded to float32. `divides`: refuses 0, and numbers that are rounded to 0
 * @type {(argument: string, value: unknown, channels: string, divides: boolean) => number[]} */
function readPerChannel(argument, value, channels, divides) {
  const isList = isNumberList(value);
  if (!isList && typeof value !== 'number')
    typeError(`${argument} must be a number or a list of numbers, got ${showClass(value)}`);
  const { length } = channels;
  const count = isList ? value.length : length;
  if (count !== length)
    rangeError(`${argument} must hold ${length} numbers, one for each of ${channels}, got ${count}`);
  const list = Array.from({ length }, (_, i) => (isList ? value[i] : value));
  const shown = () => (isList ? showList(list) : show(value));
  return list.map((number) => {
    if (typeof number !== 'number') typeError(`${argument} must hold numbers, got ${shown()}`);
    const rounded = Math.fround(number);
    if (!Number.isFinite(rounded)) rangeError(`${argument} must be finite in float32, got ${shown()}`);
    if (divides && rounded === 0) rangeError(`${argument} must not be 0, got ${shown()}`);
    return rounded;
  });
}
