/** Padding, truncation and masks, as transformers' base class has them. */
import { copySamples } from '../audio-engine/index.js';
import { rangeError, show, typeError } from '../arguments/index.js';
import { newNumbers } from './tensors.js';

/** @import { PadMode } from '../audio-engine/types.js' */
/** @import { CallOptions, Item, PadDefaults, PaddedItem, Padding, Settings } from './types.js' */

/** The options of the base class's `pad`. */
export const padOptions = ['padding', 'max_length', 'truncation', 'pad_to_multiple_of'];

/** @type {(n: number, multiple: number | undefined) => number} */
export const roundUp = (n, multiple) => (multiple ? Math.ceil(n / multiple) * multiple : n);

/** @type {(padding: unknown) => Padding['strategy']} */
function readStrategy(padding) {
  if (padding === true) return 'longest';
  if (padding === false) return 'do_not_pad';
  if (padding === 'longest' || padding === 'max_length' || padding === 'do_not_pad') return padding;
  const wrong = typeof padding === 'string' ? rangeError : typeError;
  return wrong(`padding must be true, false, 'longest', 'max_length' or 'do_not_pad', got ${show(padding)}`);
}

/** The padding that the options of a call and the defaults of a class ask for.
 * @type {(settings: Settings, options: CallOptions, defaults?: PadDefaults) => Padding} */
export function readPadding(settings, options, defaults) {
  const { padding, max_length: limit, truncation, pad_to_multiple_of: multiple } = { ...defaults, ...options };
  const strategy = readStrategy(padding ?? false);
  if (limit === undefined) {
    if (strategy === 'max_length') rangeError("max_length must be given with padding 'max_length'");
    if (truncation) rangeError('max_length must be given with truncation');
  }
  const isLeft = settings.padding_side === 'left';
  return { strategy, limit, truncation: Boolean(truncation), multiple, value: settings.padding_value, isLeft };
}

/** @type {(padding: Padding) => number} how long an item may be */
export const cutOf = ({ truncation, limit, multiple }) =>
  truncation ? roundUp(/** @type {number} */ (limit), multiple) : Infinity;

/** How long an item of `real` rows becomes, where the longest has `longest`.
 * @type {(real: number, padding: Padding, longest?: number) => number} */
export function paddedLength(real, { strategy, limit, multiple }, longest = real) {
  if (strategy === 'do_not_pad') return real;
  return Math.max(real, roundUp(strategy === 'longest' ? longest : /** @type {number} */ (limit), multiple));
}

/** Pads and cuts items.
 * @type {(items: readonly { data: Float32Array, width?: number }[], padding: Padding) => PaddedItem[]} */
export function padItems(items, padding) {
  const lengths = items.map(({ data, width = 1 }) => Math.min(data.length / width, cutOf(padding)));
  const longest = Math.max(...lengths);
  return items.map(({ data, width = 1 }, i) => {
    const [real, given] = [lengths[i], data.length / width];
    const length = paddedLength(real, padding, longest);
    const kept = data.subarray(0, real * width);
    if (length === real) return { data: kept, width, length, first: 0, end: real, isShared: true, given };
    const padded = newNumbers('padded audio', length * width);
    const first = padding.isLeft ? length - real : 0;
    if (padding.value !== 0) padded.fill(padding.value);
    padded.set(kept, first * width);
    return { data: padded, width, length, first, end: first + real, given };
  });
}

/** Samples with others around them, or as they are if there are none.
 * @type {<T extends Float32Array | Float64Array>(samples: T, left: number, right: number, mode?: PadMode) => T} */
export function surrounded(samples, left, right, mode = 'constant') {
  const { length } = samples;
  if (left + right <= 0) return samples;
  /** @type {any} */
  const padded = newNumbers('padded audio', left + length + right, /** @type {any} */ (samples.constructor));
  copySamples({ data: samples, start: 0, total: length, left, mode }, 0, padded.length, padded, 0);
  return padded;
}

/** @type {(samples: Float32Array, multiple: number, mode?: PadMode) => Float32Array} */
export const toMultiple = (samples, multiple, mode) =>
  surrounded(samples, 0, roundUp(samples.length, multiple) - samples.length, mode);

/** @type {(item: PaddedItem) => Float32Array} The numbers of an item, not in the caller's memory. */
export const ownData = ({ data, isShared }) => (isShared ? data.slice() : data);

/** A mask of `length` entries whose first `count` are 1.
 * @type {(count: number, length: number, first?: number) => Item} */
export const firstsOf = (count, length, first = 0) => ({
  data: newNumbers('the mask', length, Int32Array).fill(1, first, Math.max(first, count)),
  dims: [length],
});

/** @type {(item: PaddedItem) => Item} One number an item's row: 1 where it is real. */
export const maskOf = ({ length, first, end }) => firstsOf(end, length, first);

/** The mask of every `step`-th row of an item.
 * @type {(item: PaddedItem, first: number, step: number, length?: number) => Item} */
export function everyOf({ length: all, first: from, end }, first, step, length = all) {
  const data = newNumbers('the mask', Math.max(0, Math.ceil((length - first) / step)), Int32Array);
  for (let i = 0; i < data.length; i++) data[i] = Number(first + i * step >= from && first + i * step < end);
  return { data, dims: [data.length] };
}

/** Whisper's mask of frames: every hop-th entry, without the last where the length is no multiple.
 * @type {(item: PaddedItem, settings: Settings) => Item} */
export const everyHop = (item, { hop_length: hop }) => everyOf(item, 0, hop, item.length - (item.length % hop));
