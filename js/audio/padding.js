/** Padding, truncation and masks, as transformers' base class has them. */
import { copySamples, wholeSignal } from '../engines/audio/index.js';
import { countFrom, largest, rangeError, readBoolean, readWord } from '../arguments/index.js';
import { allocateNumbers } from './tensors.js';

/** @import { PadMode } from '../engines/audio/types.js' */
/** @import { Item, PadDefaults, PaddedItem, Padding, Settings, StreamCall } from './types.js' */

const strategies = /** @type {const} */ (['longest', 'max_length', 'do_not_pad']);

export const lengthOptions = {
  padding: (/** @type {string} */ name, /** @type {unknown} */ value) =>
    typeof value === 'boolean' ? value : readWord(name, strategies, value),
  max_length: countFrom(1),
  truncation: readBoolean,
};

export const padOptions = { ...lengthOptions, pad_to_multiple_of: countFrom(1) };

/** Makes a row's `padding` for a class that pads and cuts audio to the seconds of the setting `name`.
 * @type {(name: string, padding?: unknown) => (settings: Settings) => PadDefaults & { max_length: number }} */
export const paddedSeconds =
  (name, padding = 'max_length') =>
  (settings) => ({ padding, truncation: true, max_length: settings[name] * settings.sampling_rate });

/** A row's `padding` for a class that pads a batch to its longest waveform. */
export const longest = () => ({ padding: 'longest' });

/** Rounds to the nearest whole number, and halves to the even one, as Python does.
 * @type {(x: number) => number} */
export function roundEven(x) {
  const isHalf = Math.round(x) - x === 0.5;
  return isHalf ? 2 * Math.round(x / 2) : Math.round(x);
}

/** Gives the least power of two that is at least `n`.
 * @type {(n: number) => number} */
export const powerOfTwo = (n) => 2 ** Math.ceil(Math.log2(n));

/** Rounds up to a multiple; gives `n` itself if `multiple` is undefined or 0.
 * @type {(n: number, multiple: number | undefined) => number} */
export const roundUp = (n, multiple) => (multiple ? Math.ceil(n / multiple) * multiple : n);

/** @type {(n: number, multiple: number) => number} */
export const roundDown = (n, multiple) => n - (n % multiple);

/** Reads the padding of a call: its options, over the `defaults` of its class. `padding` true means 'longest', false
 * and none 'do_not_pad'.
 * @type {(call: StreamCall, defaults?: PadDefaults) => Padding} */
export function readPadding({ options, padding_side, padding_value: value }, defaults) {
  const { padding, max_length: limit, truncation, pad_to_multiple_of: multiple } = { ...defaults, ...options };
  const wordOfFlag = padding ? 'longest' : 'do_not_pad';
  const word = typeof padding === 'boolean' ? wordOfFlag : padding;
  const strategy = readWord('padding', strategies, word) ?? 'do_not_pad';
  if (limit === undefined) {
    if (strategy === 'max_length') rangeError("max_length must be given with padding 'max_length'");
    if (truncation) rangeError('max_length must be given with truncation');
  }
  return { strategy, limit, truncation: Boolean(truncation), multiple, value, isLeft: padding_side === 'left' };
}

/** Whether the options of a call leave the length of a single waveform as it is: it is the longest of its batch.
 * @type {(call: StreamCall) => boolean} */
export function isUnpadded(call) {
  const { strategy, truncation, multiple } = readPadding(call, longest());
  return strategy !== 'max_length' && !truncation && !multiple;
}

/** How many rows of an item truncation leaves, Infinity without truncation. Python rounds `max_length` up to the
 * multiple first.
 * @type {(padding: Padding) => number} */
export const truncatedLength = ({ truncation, limit, multiple }) =>
  truncation ? roundUp(/** @type {number} */ (limit), multiple) : Infinity;

/** Computes the length to which an item of `real` rows is padded, in a batch whose longest item has `longest` rows. An
 * item that is longer than `max_length` keeps its length: truncation was before.
 * @type {(real: number, padding: Padding, longest?: number) => number} */
export function paddedLength(real, { strategy, limit, multiple }, longest = real) {
  if (strategy === 'do_not_pad') return real;
  const target = strategy === 'longest' ? longest : /** @type {number} */ (limit);
  return Math.max(real, roundUp(target, multiple));
}

/** Copies numbers into a new array of `length` numbers, from index `at` on; all other numbers are `value`.
 * @type {(data: Float32Array, length: number, value?: number, at?: number) => Float32Array} */
export function extendNumbers(data, length, value = 0, at = 0) {
  const result = allocateNumbers('padded audio', length);
  if (value) result.fill(value);
  result.set(data, at);
  return result;
}

/** A matrix of rows with `width` numbers or, without `width`, a waveform, whose rows are its samples. One with `frames`
 * was made for this call; one without may be the caller's own memory.
 * @typedef {{ data: Float32Array, width?: number, frames?: number }} UnpaddedItem */

/** Cuts and pads the items of a batch. An item that may be the caller's own memory is marked as shared if it is not
 * copied.
 * @type {(items: readonly UnpaddedItem[], padding: Padding) => PaddedItem[]} */
export function padItems(items, padding) {
  const maxRows = truncatedLength(padding);
  const keptRows = items.map(({ data, width = 1 }) => Math.min(data.length / width, maxRows));
  const mostRows = largest(keptRows);
  return items.map((item, i) => {
    const length = paddedLength(keptRows[i], padding, mostRows);
    return padItem(item, keptRows[i], length, padding);
  });
}

/** Cuts an item to its first `keptRows` rows, and pads these to `length` rows.
 * @type {(item: UnpaddedItem, keptRows: number, length: number, padding: Padding) => PaddedItem} */
function padItem({ data, width: statedWidth, frames }, keptRows, length, { isLeft, value }) {
  const width = statedWidth ?? 1;
  const cut = data.subarray(0, keptRows * width);
  const isPadded = length > keptRows;
  const first = isLeft ? length - keptRows : 0;
  const isMadeForCall = frames !== undefined;
  return {
    data: isPadded ? extendNumbers(cut, length * width, value, first * width) : cut,
    width,
    length,
    dims: statedWidth ? [length, width] : [length],
    first,
    end: first + keptRows,
    isShared: !isPadded && !isMadeForCall,
    realLength: data.length / width,
  };
}

/** Pads samples on both sides, by the rule `mode`: with zeros, if omitted. Gives the same array if there is nothing to
 * pad; a negative `right` means that, too.
 * @type {<T extends Float32Array | Float64Array>(samples: T, left: number, right: number, mode?: PadMode) => T} */
export function padSamples(samples, left, right, mode = 'constant') {
  const { length } = samples;
  if (left + right <= 0) return samples;
  const Class = /** @type {new (length: number) => typeof samples} */ (samples.constructor);
  const padded = allocateNumbers('padded audio', left + length + right, Class);
  const firstPlace = 0; // of the padding in front
  const firstEntry = 0;
  copySamples(wholeSignal(samples, left, mode), firstPlace, padded.length, padded, firstEntry);
  return padded;
}

/** Pads samples at the end, until their number is a multiple.
 * @type {(samples: Float32Array, multiple: number, mode?: PadMode) => Float32Array} */
export const toMultiple = (samples, multiple, mode) =>
  padSamples(samples, 0, roundUp(samples.length, multiple) - samples.length, mode);

/** Gives the numbers of an item in memory that may be changed: a copy if they lie in the caller's.
 * @type {(item: PaddedItem) => Float32Array} */
export const ownData = ({ data, isShared }) => (isShared ? data.slice() : data);

/** Makes the output of a waveform or its frames as they are, in memory that is not the caller's.
 * @type {(item: PaddedItem) => Item} */
export const ownItem = (item) => ({ data: ownData(item), dims: item.dims });

/** Makes the output of a waveform with an axis of one channel, in memory that is not the caller's.
 * @type {(item: PaddedItem) => Item} */
export const channelItem = (item) => ({ data: ownData(item), dims: [1, item.length] });

/** Makes a mask of `length` entries: 1 for those from `first` (0 if omitted) to before `end`, and 0 for the others. Of
 * a padded item, these are its real rows. If `end` is below `first`, as a negative one is, all are 0.
 * @type {(range: { length: number, first?: number, end: number }) => Item<Int32Array>} */
export const maskOf = ({ length, first = 0, end }) => ({
  data: allocateNumbers('the mask', length, Int32Array).fill(1, first, Math.max(first, end)),
  dims: [length],
});

/** Makes a mask of some rows of an item, `start` (0 if omitted), start + step, start + 2 step and so on below `length`,
 * that of the item if omitted: 1 for a row that is real, 0 for padding. A row is a sample or, of features, a frame.
 * @type {(item: Pick<PaddedItem, 'length' | 'first' | 'end'>, rows: { start?: number, step: number, length?: number })
 *   => Item<Int32Array>} */
export function makeSteppedMask(item, { start = 0, step, length = item.length }) {
  const { first, end } = item;
  const count = Math.max(0, Math.ceil((length - start) / step));
  const data = allocateNumbers('the mask', count, Int32Array);
  for (let i = 0; i < count; i++) {
    const row = start + i * step;
    data[i] = Number(row >= first && row < end);
  }
  return { data, dims: [count] };
}

/** Makes a mask of the frames of a padded waveform: a frame is real if the last sample of its window is.
 * @type {(item: PaddedItem, settings: Settings) => Item<Int32Array>} */
export const windowMask = (item, { win_length: win, hop_length: hop }) =>
  makeSteppedMask(item, { start: win - 1, step: hop });

/** Makes Whisper's mask of frames: a frame is real if its first sample is. The samples behind the last whole hop have
 * no entry, because Whisper drops the last frame.
 * @type {(item: PaddedItem, settings: Settings) => Item<Int32Array>} */
export const whisperMask = (item, { hop_length: hop }) =>
  makeSteppedMask(item, { step: hop, length: roundDown(item.length, hop) });
