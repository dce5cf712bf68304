/** The kinds of values that settings have, and how a value is refused. */
import {
  copyList,
  countFrom,
  either,
  rangeError,
  readBoolean,
  readNumber,
  show,
  showList,
  typeError,
} from '../../arguments/index.js';

/** @import { Reader, SizeSetting } from '../types.js' */

/** The keys that a size may have, as transformers accepts them. */
const sizeKeys = [
  ['height', 'width'],
  ['shortest_edge'],
  ['shortest_edge', 'longest_edge'],
  ['longest_edge'],
  ['max_height', 'max_width'],
  ['min_pixels', 'max_pixels'],
];

/** Reads a flag, which may be 0 or 1 too.
 * @type {(name: string, value: boolean | 0 | 1) => boolean} */
export function flag(name, value) {
  const isDigit = value === 1 || value === 0;
  return isDigit ? value === 1 : readBoolean(name, value);
}

/** Reads a finite number above 0.
 * @type {(name: string, value: number) => number} */
export function number(name, value) {
  if (!(Number.isFinite(readNumber(name, value)) && value > 0))
    rangeError(`${name} must be positive, got ${show(value)}`);
  return value;
}

export const count = countFrom(1);

/** Reads a whole number from 1 on, or 0, which some classes take as none. @type {typeof count} */
export const countOrNone = (name, value) => (value === 0 ? 0 : count(name, value));

/** The most tiles that a setting may ask for: to choose among the grids of more would take forever. */
const maxTiles = 1024;

/** Reads a number of tiles. */
export const tiles = countFrom(1, maxTiles);

/** Reads a list, and copies it. @type {(name: string, value: unknown) => unknown[]} */
export const listOf = (name, value) =>
  Array.isArray(value) ? copyList(name, value) : typeError(`${name} must be a list, got ${show(value)}`);

/** Makes a reader of lists of two whole numbers from `least` on. @type {(least: number) => Reader} */
export const pairFrom = (least) => (name, value) => {
  const pair = listOf(name, value);
  const isFrom = (/** @type {unknown} */ entry) => Number.isSafeInteger(entry) && Number(entry) >= least;
  if (pair.length !== 2 || !pair.every(isFrom))
    rangeError(`${name} must be 2 whole numbers from ${least} on, got ${show(value)}`);
  return pair;
};

/** Reads a color as a list of three bytes.
 * @type {(name: string, value: number | readonly number[]) => readonly number[]} */
export function color(name, value) {
  const isList = Array.isArray(value);
  const list = isList ? copyList(name, value) : [value, value, value];
  const isByte = (/** @type {number} */ byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255;
  if (list.length !== 3 || !list.every(isByte))
    rangeError(`${name} must be 3 whole numbers from 0 to 255, got ${isList ? showList(list) : show(value)}`);
  return list;
}

/** Reads a mean or a deviation: a number, or a list of one or three, which must be finite in float32. Deviations, which
 * are divisors, must not be 0.
 * @type {(name: string, value: number | readonly number[]) => number | readonly number[]} */
export function perChannel(name, value) {
  const isList = Array.isArray(value);
  const list = isList ? copyList(name, value) : [value];
  const shown = () => (isList ? showList(list) : show(value));
  if (!list.every((entry) => typeof entry === 'number'))
    typeError(`${name} must be a number or a list of 3, got ${shown()}`);
  // torchvision takes a list of one number for all colors; settingsOfBackend refuses it for the other backend.
  if (list.length !== 1 && list.length !== 3) rangeError(`${name} must be a number or a list of 3, got ${shown()}`);
  const floats = list.map(Math.fround);
  if (!floats.every(Number.isFinite)) rangeError(`${name} must be finite in float32, got ${shown()}`);
  if (name.endsWith('std') && floats.includes(0)) rangeError(`${name} must not be 0, got ${shown()}`);
  return isList ? list : value;
}

/** Repeats the number of a list of one for all three colors.
 * @type {(value: number | readonly number[]) => number | readonly number[]} */
const repeatedForColors = (value) => {
  const isListOfOne = Array.isArray(value) && value.length === 1;
  return isListOfOne ? [value[0], value[0], value[0]] : value;
};

/** The filters in the order of the numbers that Pillow has for them, 0 to 5. */
export const filterCodes = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming'];

/** The filters of the resizing engine by torchvision's names: `nearest` is torch's older rule, which rounds positions
 * down, and so another filter than Pillow's 0.
 * @type {Record<string, string>} */
export const namedFilters = {
  ...Object.fromEntries(filterCodes.map((name) => [name, name])),
  nearest: 'nearest_floor',
  'nearest-exact': 'nearest_exact',
};

/** Reads a filter, as its number in Pillow or its name in torchvision. The name is kept as `{ name }`, because its
 * meaning depends on the backend.
 * @type {(name: string, value: 0 | 1 | 2 | 3 | 4 | 5 | string) => string | { name: string }} */
export function resample(name, value) {
  if (typeof value === 'string' && Object.hasOwn(namedFilters, value)) return { name: value };
  if (typeof value === 'number' && value in filterCodes) return filterCodes[value];
  const refuse = typeof value === 'number' || typeof value === 'string' ? rangeError : typeError;
  const names = Object.keys(namedFilters).join(', ');
  return refuse(`${name} must be a number from 0 to 5 or one of ${names}, got ${show(value)}`);
}

/** A filter as files have it: Pillow's number, torchvision's name, or null for none.
 * @type {(filter: undefined | string | { name: string }) => number | string | null} */
export const shownFilter = (filter) =>
  typeof filter === 'string' ? filterCodes.indexOf(filter) : (filter?.name ?? null);

/** Reads a size: one number, a list of two, or an object with the keys that transformers accepts.
 * @type {(name: string, value: number | readonly number[] | SizeSetting) => number | number[] | SizeSetting} */
export function size(name, value) {
  if (typeof value === 'number') return count(name, value);
  if (Array.isArray(value)) {
    const list = copyList(name, value);
    if (list.length !== 2) rangeError(`${name} must hold 2 numbers, got ${showList(list)}`);
    return list.map((entry, i) => count(`${name}[${i}]`, entry));
  }
  if (typeof value !== 'object' || value === null)
    typeError(`${name} must be a number, a list or an object, got ${show(value)}`);
  // A key that is null counts for nothing.
  const entries = Object.entries(value).filter(([, entry]) => entry !== null);
  const keys = entries.map(([key]) => key);
  checkSizeKeys(name, keys);
  return Object.fromEntries(entries.map(([key, entry]) => [key, count(`${name} ${key}`, entry)]));
}

/** Refuses a size that has other keys together than transformers accepts.
 * @type {(name: string, keys: string[]) => void} */
function checkSizeKeys(name, keys) {
  /** @type {(accepted: readonly string[]) => boolean} */
  const areSameKeys = (accepted) => accepted.length === keys.length && accepted.every((key) => keys.includes(key));
  if (sizeKeys.some(areSameKeys)) return;
  const known = either(sizeKeys.map((list) => `{ ${list.join(', ')} }`));
  rangeError(`${name} must have the keys ${known}, got { ${keys.slice(0, 8).join(', ')} }`);
}

/** Reads a list of sizes [height, width], one at least.
 * @type {(name: string, value: readonly (readonly number[])[]) => number[][]} */
export function resolutions(name, value) {
  if (!Array.isArray(value)) typeError(`${name} must be a list of [height, width], got ${show(value)}`);
  const list = copyList(name, value);
  if (list.length === 0) rangeError(`${name} must be a list of [height, width], got []`);
  return list.map((entry, i) => {
    const pair = size(`${name}[${i}]`, entry);
    return Array.isArray(pair) ? pair : typeError(`${name}[${i}] must be [height, width], got ${show(entry)}`);
  });
}

/** Reads the settings of one of timm's models. One that is missing, null, 0 or an empty text has timm's default; those
 * of mean and deviation are ImageNet's. `share` in the result: the crop's part of the resized picture
 * @type {Reader} */
export function timmSettings(name, value) {
  if (typeof value !== 'object' || Array.isArray(value)) typeError(`${name} must be an object, got ${show(value)}`);
  /** @type {<T>(key: string, byDefault: T) => T} */
  const settingOr = (key, byDefault) => value[key] || byDefault;
  const input = listOf(`${name} input_size`, settingOr('input_size', [3, 224, 224]));
  // timm takes the last two, so that a list without channels is taken too.
  if (input.length < 2) rangeError(`${name} input_size must be [channels, height, width], got ${showList(input)}`);
  const [height, width] = input.slice(-2).map((entry) => count(`${name} input_size`, entry));
  const filter = settingOr('interpolation', 'bicubic');
  if (!filterCodes.includes(filter))
    rangeError(`${name} interpolation must be ${either(filterCodes)}, got ${show(filter)}`);
  return {
    width,
    height,
    filter,
    mean: repeatedForColors(perChannel(`${name} mean`, settingOr('mean', [0.485, 0.456, 0.406]))),
    std: repeatedForColors(perChannel(`${name} std`, settingOr('std', [0.229, 0.224, 0.225]))),
    share: number(`${name} crop_pct`, settingOr('crop_pct', 0.875)),
    mode: settingOr('crop_mode', 'center'),
  };
}
