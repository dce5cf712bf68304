/** Padding, truncation and masks, as transformers' base class has them. */
import { copySamples, wholeSignal } from '../engines/audio/index.js';
import { countFrom, largest, rangeError, readBoolean, readWord } from '../arguments/index.js';
import { allocateNumbers } from './tensors.js';

/** @import { PadMode } from '../engines/audio/types.js' */
/** @import { Item, PadDefaults, PaddedItem, Padding, Settings, StreamCall } from './types.js' */

const strategies = /** @type {const} */ (['longest', 'max_length', 'do_not_pad']);

/** Options that bound lengths, and their readers. */
export const lengthOptions = {
  padding: (/** @type {string} */ name, /** @type {unknown} */ value) =>
    typeof value === 'boolean' ? value : readWord(name, strategies, value),
  max_length: countFrom(1),
  truncation: readBoolean,
};

/** The options of the base class's `pad`. */
export const padOptions = { ...lengthOptions, pad_to_multiple_of: countFrom(1) };

/** The defaults of a class that cuts and pads audio to a number of seconds, which the setting `name` holds.
 * @type {(name: string, padding?: unknown) => (settings: Settings) => PadDefaults & { max_length: number }} */
export const paddedSeconds =
  (name, padding = 'max_length') =>
  (settings) => ({ padding, truncation: true, max_length: settings[name] * settings.sampling_rate });

/** The defaults of a class that pads to the longest of a batch. */
export const longest = () => ({ padding: 'longest' });

/** Python's round: half to even. */
export const roundEven = (/** @type {number} */ x) =>
  Math.round(x) - x === 0.5 ? 2 * Math.round(x / 2) : Math.round(x);

/** The least power of two from n on.
 * @type {(n: number) => number} */
export const powerOfTwo = (n) => 2 ** Math.ceil(Math.log2(n));

/** The least multiple from n on; n itself without a multiple.
 * @type {(n: number, multiple: number | undefined) => number} */
export const roundUp = (n, multiple) => (multiple ? Math.ceil(n / multiple) * multiple : n);

/** Reads the padding of a call: its options, over the defaults of a class. true means 'longest', false 'do_not_pad'.
 * @type {(call: StreamCall, defaults?: PadDefaults) => Padding} */
export function readPadding({ options, padding_side, padding_value: value }, defaults) {
  const { padding, max_length: limit, truncation, pad_to_multiple_of: multiple } = { ...defaults, ...options };
  const word = typeof padding === 'boolean' ? strategies[padding ? 0 : 2] : padding;
  const strategy = readWord('padding', strategies, word) ?? 'do_not_pad';
  if (limit === undefined) {
    if (strategy === 'max_length') rangeError("max_length must be given with padding 'max_length'");
    if (truncation) rangeError('max_length must be given with truncation');
  }
  return { strategy, limit, truncation: Boolean(truncation), multiple, value, isLeft: padding_side === 'left' };
}

/** Whether a single waveform keeps its length under the options of a call.
 * @type {(call: StreamCall) => boolean} */
export function isUnpadded(call) {
  const { strategy, truncation, multiple } = readPadding(call, longest());
  return strategy !== 'max_length' && !truncation && !multiple;
}

/** The most rows of an item, behind which truncation cuts it.
 * @type {(padding: Padding) => number} */
export const cutOf = ({ truncation, limit, multiple }) =>
  truncation ? roundUp(/** @type {number} */ (limit), multiple) : Infinity;

/** The padded length of an item of `real` rows in a batch whose longest item has `longest`.
 * @type {(real: number, padding: Padding, longest?: number) => number} */
export function paddedLength(real, { strategy, limit, multiple }, longest = real) {
  if (strategy === 'do_not_pad') return real;
  return Math.max(real, roundUp(strategy === 'longest' ? longest : /** @type {number} */ (limit), multiple));
}

/** Copies numbers to a longer array, from `at` on; all others there are `value`.
 * @type {(data: Float32Array, length: number, value?: number, at?: number) => Float32Array} */
export function extended(data, length, value = 0, at = 0) {
  const result = allocateNumbers('padded audio', length);
  if (value) result.fill(value);
  result.set(data, at);
  return result;
}

/** Pads and cuts waveforms, or rows of `width` numbers. An item with `frames` is never in the caller's memory.
 * @type {(items: readonly { data: Float32Array, width?: number, frames?: number }[], padding: Padding) => PaddedItem[]}
 */
export function padItems(items, padding) {
  const lengths = items.map(({ data, width = 1 }) => Math.min(data.length / width, cutOf(padding)));
  const longest = largest(lengths);
  return items.map(({ data: all, width = 1, frames }, i) => {
    const real = lengths[i];
    const length = paddedLength(real, padding, longest);
    const first = padding.isLeft ? length - real : 0;
    const numbers = all.subarray(0, real * width);
    const data = length > real ? extended(numbers, length * width, padding.value, first * width) : numbers;
    const dims = items[i].width ? [length, width] : [length];
    const isShared = length === real && frames === undefined;
    return { data, width, length, dims, first, end: first + real, isShared, realLength: all.length / width };
  });
}

/** Pads samples with `left` in front and `right` behind, by the rule `mode`. Without padding they are returned as such.
 * @type {<T extends Float32Array | Float64Array>(samples: T, left: number, right: number, mode?: PadMode) => T} */
export function surrounded(samples, left, right, mode = 'constant') {
  const { length } = samples;
  if (left + right <= 0) return samples;
  const Class = /** @type {new (length: number) => typeof samples} */ (samples.constructor);
  const padded = allocateNumbers('padded audio', left + length + right, Class);
  copySamples(wholeSignal(samples, left, mode), 0, padded.length, padded, 0);
  return padded;
}

/** Pads samples behind, up to a multiple.
 * @type {(samples: Float32Array, multiple: number, mode?: PadMode) => Float32Array} */
export const toMultiple = (samples, multiple, mode) =>
  surrounded(samples, 0, roundUp(samples.length, multiple) - samples.length, mode);

/** @type {(item: PaddedItem) => Float32Array} The numbers of an item, not in the caller's memory. */
export const ownData = ({ data, isShared }) => (isShared ? data.slice() : data);

/** @type {(item: PaddedItem) => Item} An item as it is. */
export const ownItem = (item) => ({ data: ownData(item), dims: item.dims });

/** @type {(item: PaddedItem) => Item} A waveform as it is, with an axis of one channel. */
export const channelItem = (item) => ({ data: ownData(item), dims: [1, item.length] });

/** A mask of `length` entries, of which those from `first` to before `count` are 1.
 * @type {(count: number, length: number, first?: number) => Item<Int32Array>} */
export const firstsOf = (count, length, first = 0) => ({
  data: allocateNumbers('the mask', length, Int32Array).fill(1, first, Math.max(first, count)),
  dims: [length],
});

/** The mask of an item, an entry a row: 1 for real rows, 0 for padding.
 * @type {(item: Pick<PaddedItem, 'length' | 'first' | 'end'>) => Item<Int32Array>} */
export const maskOf = ({ length, first, end }) => firstsOf(end, length, first);

/** The mask of an item at the rows first, first + step and so on below `length`.
 * @type {(item: Pick<PaddedItem, 'length' | 'first' | 'end'>, first: number, step: number, length?: number) =>
 *   Item<Int32Array>} */
export function everyOf({ length: all, first: from, end }, first, step, length = all) {
  const data = allocateNumbers('the mask', Math.max(0, Math.ceil((length - first) / step)), Int32Array);
  for (let i = 0; i < data.length; i++) data[i] = Number(first + i * step >= from && first + i * step < end);
  return { data, dims: [data.length] };
}

/** @type {(item: PaddedItem, settings: Settings) => Item<Int32Array>} Every hop-th entry of a mask of samples, from the
 * first frame's last sample on. */
export const sampleMask = (item, { win_length: win, hop_length: hop }) => everyOf(item, win - 1, hop);

/** Whisper's mask of frames: every hop-th entry, without the last where the length is no multiple.
 * @type {(item: PaddedItem, settings: Settings) => Item<Int32Array>} */
export const everyHop = (item, { hop_length: hop }) => everyOf(item, 0, hop, item.length - (item.length % hop));
