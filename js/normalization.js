/** What is made of an image's bytes: `(x * scale - mean) / std`, in float32. */
import { readWord } from './arguments.js';
import { show, showClass, showList, wrongKind, wrongValue } from './errors.js';
import { lengthOf, typedArrayName } from './views.js';

/** A number for all channels, or one a channel. @typedef {number | readonly number[] | Float32Array | Float64Array} PerChannel */

/**
 * @typedef {object} Normalization
 * @property {Preset} [preset] stands for the other three
 * @property {PerChannel} [scale] 1 if omitted
 * @property {PerChannel} [mean] 0 if omitted
 * @property {PerChannel} [std] 1 if omitted
 */

/**
 * The usual ones; lists are in the order red, green, blue. `imagenet`: torchvision's, for models trained on ImageNet. `clip`: OpenAI's
 * (clip/clip.py). `unit`: to [0, 1]. `signed`: to [-1, 1].
 */
const presets = {
  imagenet: { scale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  clip: { scale: 1 / 255, mean: [0.48145466, 0.4578275, 0.40821073], std: [0.26862954, 0.26130258, 0.27577711] },
  unit: { scale: 1 / 255, mean: 0, std: 1 },
  signed: { scale: 1 / 127.5, mean: 1, std: 1 },
};
/** @typedef {keyof typeof presets} Preset */

const presetNames = /** @type {Preset[]} */ (Object.keys(presets));

/**
 * Reads the normalization of an options bag.
 * @param {string} prefix
 * @param {{ preset?: unknown, scale?: unknown, mean?: unknown, std?: unknown }} options each read once
 * @param {string} channels the channels' letters in their order
 * @returns {{ scale: number[], mean: number[], std: number[] }} float32 numbers, one a channel
 */
export function readNormalization(prefix, { preset, scale, mean, std }, channels) {
  const name = readWord(prefix, 'preset', presetNames, preset);
  /** @type {Record<string, any>} */
  let given = { scale, mean, std };
  if (name) {
    for (const key in given) if (given[key] !== undefined) wrongKind(prefix, `${key} cannot stand beside preset, got ${show(given[key])}`);
    given = presets[name];
    const colors = Array.isArray(presets[name].mean);
    if (colors && channels.length !== 3) wrongValue(prefix, `preset '${name}' is for RGB or BGR, got channels '${channels}'`);
    if (channels === 'BGR') given = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === 'number' ? value : value.toReversed()]));
  }
  const normalization = {
    scale: readPerChannel(prefix, 'scale', given.scale, 1, channels),
    mean: readPerChannel(prefix, 'mean', given.mean, 0, channels),
    std: readPerChannel(prefix, 'std', given.std, 1, channels),
  };
  if (normalization.std.includes(0)) wrongValue(prefix, `std must not be 0, got ${show(given.std)}`);
  return normalization;
}

/** @type {(prefix: string, argument: string, value: any, byDefault: number, channels: string) => number[]} */
function readPerChannel(prefix, argument, value, byDefault, channels) {
  const name = typedArrayName(value);
  const isFloats = name === 'Float32Array' || name === 'Float64Array';
  if (value !== undefined && typeof value !== 'number' && !Array.isArray(value) && !isFloats) {
    wrongKind(prefix, `${argument} must be a number or a list of numbers, got ${showClass(value)}`);
  }
  const isList = typeof value === 'object';
  const length = isFloats ? lengthOf(value) : isList ? value.length : 1;
  if (isList && length !== channels.length) wrongValue(prefix, `${argument} must hold ${channels.length} numbers, one for each of ${channels}, got ${length}`);
  const list = Array.from({ length }, (_, i) => (isList ? value[i] : value ?? byDefault));
  for (const number of list) {
    const shown = isList ? showList(list) : show(number);
    if (typeof number !== 'number') wrongKind(prefix, `${argument} must hold numbers, got ${shown}`);
    if (!Number.isFinite(Math.fround(number))) wrongValue(prefix, `${argument} must be finite in float32, got ${shown}`);
  }
  return Array.from(channels, (_, i) => Math.fround(list[isList ? i : 0]));
}
