/** Padding, truncation and masks, as transformers' base class has them. */
import { rangeError, show, typeError } from '../arguments/index.js';
import { newFloats } from './tensors.js';

/** @import { Settings, CallOptions } from './row.js' */

/**
 * An item of a batch: `length` rows of `width` numbers, of which those from `first` to `end` are real.
 * @typedef {object} Item
 * @property {Float32Array} data
 * @property {number} width
 * @property {number} length
 * @property {number} first
 * @property {number} end
 * @property {boolean} [isShared] whether the memory is the caller's
 */

/**
 * @typedef {object} Padding
 * @property {'longest' | 'max_length' | 'do_not_pad'} strategy
 * @property {number | undefined} limit
 * @property {boolean} truncation
 * @property {number | undefined} multiple
 * @property {number} value
 * @property {boolean} isLeft
 */

/** The options of the base class's `pad`. */
export const padOptions = ['padding', 'max_length', 'truncation', 'pad_to_multiple_of'];

/** @type {(n: number, multiple: number | undefined) => number} */
export const roundUp = (n, multiple) => (multiple ? Math.ceil(n / multiple) * multiple : n);

const strategies = ['longest', 'max_length', 'do_not_pad'];

/**
 * @param {unknown} padding
 * @returns {Padding['strategy']}
 */
function readStrategy(padding) {
  if (padding === true) return 'longest';
  if (padding === false) return 'do_not_pad';
  if (strategies.includes(/** @type {string} */ (padding))) return /** @type {Padding['strategy']} */ (padding);
  const wrong = typeof padding === 'string' ? rangeError : typeError;
  return wrong(`padding must be true, false, 'longest', 'max_length' or 'do_not_pad', got ${show(padding)}`);
}

/**
 * The padding that the options of a call and the defaults of a class ask for.
 * @param {Settings} settings
 * @param {CallOptions} options
 * @param {{ padding?: unknown, max_length?: number, truncation?: boolean, pad_to_multiple_of?: number }} [defaults]
 * @returns {Padding}
 */
export function readPadding(settings, options, defaults = {}) {
  const { padding, max_length: limit, truncation, pad_to_multiple_of: multiple } = { ...defaults, ...options };
  const strategy = readStrategy(padding ?? false);
  if (strategy === 'max_length' && limit === undefined)
    rangeError("max_length must be given with padding 'max_length'");
  if (truncation && limit === undefined) rangeError('max_length must be given with truncation');
  const isLeft = settings.padding_side === 'left';
  return { strategy, limit, truncation: Boolean(truncation), multiple, value: settings.padding_value, isLeft };
}

/**
 * Pads and cuts items.
 * @param {readonly { data: Float32Array, width?: number }[]} items
 * @param {Padding} padding
 * @returns {Item[]}
 */
export function padItems(items, { strategy, limit, truncation, multiple, value, isLeft }) {
  const cut = truncation ? roundUp(/** @type {number} */ (limit), multiple) : Infinity;
  const lengths = items.map(({ data, width = 1 }) => Math.min(data.length / width, cut));
  const target = strategy === 'longest' ? Math.max(...lengths) : limit;
  const whole = strategy === 'do_not_pad' ? 0 : roundUp(/** @type {number} */ (target), multiple);
  return items.map(({ data, width = 1 }, i) => {
    const real = lengths[i];
    const length = Math.max(real, whole);
    const kept = data.subarray(0, real * width);
    if (length === real) return { data: kept, width, length, first: 0, end: real, isShared: true };
    const padded = newFloats('padded audio', length * width);
    const first = isLeft ? length - real : 0;
    if (value !== 0) padded.fill(value);
    padded.set(kept, first * width);
    return { data: padded, width, length, first, end: first + real };
  });
}

/**
 * The numbers of an item, not in the caller's memory.
 * @param {Item} item
 * @returns {Float32Array}
 */
export const ownData = ({ data, isShared }) => (isShared ? data.slice() : data);

/**
 * How long `real` rows become.
 * @param {number} real
 * @param {Padding} padding
 * @returns {number}
 */
export function paddedLength(real, { strategy, limit, multiple }) {
  if (strategy === 'do_not_pad') return real;
  return Math.max(real, roundUp(strategy === 'longest' ? real : /** @type {number} */ (limit), multiple));
}

/**
 * One number an item's row: 1 where it is real.
 * @param {Item} item
 * @returns {{ data: Int32Array, dims: number[] }}
 */
export function maskOf({ length, first, end }) {
  return { data: new Int32Array(length).fill(1, first, end), dims: [length] };
}

/**
 * Every so many entries of a mask.
 * @template {Int32Array | Uint8Array} T
 * @param {{ data: T }} mask
 * @param {number} first
 * @param {number} step
 * @param {number} [end]
 * @returns {{ data: T, dims: number[] }}
 */
export function everyOf({ data }, first, step, end = data.length) {
  const count = Math.max(0, Math.ceil((end - first) / step));
  const Class = /** @type {any} */ (data.constructor);
  const kept = new Class(count);
  for (let i = 0; i < count; i++) kept[i] = data[first + i * step];
  return { data: kept, dims: [count] };
}

/**
 * Whisper's mask of frames: every hop-th entry, without the last where the length is no multiple.
 * @param {{ data: Int32Array }} mask
 * @param {number} hop
 */
export function everyHop(mask, hop) {
  const { length } = mask.data;
  return everyOf(mask, 0, hop, length % hop ? length - (length % hop) : length);
}

/**
 * @param {{ data: Int32Array, dims: number[] }} mask
 * @returns {{ data: Uint8Array, dims: number[] }}
 */
export const asBool = ({ data, dims }) => ({ data: new Uint8Array(data), dims });

/**
 * A mask of `length` entries whose first `count` are true.
 * @param {number} count
 * @param {number} length
 */
export const firstsOf = (count, length) => ({ data: new Uint8Array(length).fill(1, 0, count), dims: [length] });

/**
 * Whether a class gives its mask.
 * @param {Settings} settings
 * @param {CallOptions} options
 * @returns {boolean}
 */
export const wantsMask = (settings, options) => options.return_attention_mask ?? settings.return_attention_mask;
