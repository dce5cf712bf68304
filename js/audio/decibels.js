/** Decibels, as transformers' audio_utils has them. */
import * as args from '../arguments/index.js';
import { decibelsOf, decimalLog, limitRange, ready } from '../engines/audio/index.js';
import { readDims, readNumbers, tensor } from './tensors.js';

/** @import { Tensor } from '../tensor/index.js' */

/**
 * @typedef {object} DecibelOptions
 * @property {number} [reference] The value that is 0 dB: 1 if omitted.
 * @property {number} [min_value] Lower values count as this one: 1e-10 for power and 1e-5 for amplitudes if omitted.
 * @property {number | null} [db_range] The highest distance from the maximum, in decibels: results below it are raised;
 *   none are if omitted.
 */

export const decibelTable = {
  reference: args.positive(1),
  min_value: args.positive(1e-10),
  db_range: args.orNull(args.positive()),
};

/** Decibels for each power of ten. */
export const decibelFactors = { power: 10, amplitude: 20 };

/** The options of `decibelTable` as they were read.
 * @typedef {{ reference: number, min_value: number, db_range: number | null | undefined }} ReadDecibels */

/** The numbers of factor * (log10(max(x, least)) - reference), and `range`: how far below the maximum results may be,
 * in decibels; undefined for any.
 * @typedef {{ factor: number, least: number, reference: number, range: number | undefined }} DecibelSettings */

/** Makes the engine's settings of decibels from the options. `reference` becomes its logarithm, and is raised to
 * `min_value` before, as in Python.
 * @type {(read: ReadDecibels, factor: number) => DecibelSettings} */
export const decibelSettings = ({ reference, min_value: least, db_range: range }, factor) => ({
  factor,
  least,
  reference: decimalLog(Math.max(least, reference)),
  range: range ?? undefined,
});

/** Changes numbers to decibels in place.
 * @type {(numbers: Float64Array, settings: DecibelSettings) => void} */
export function changeToDecibels(numbers, { factor, least, reference, range }) {
  decibelsOf(numbers, factor, least, reference);
  if (range !== undefined) limitRange(numbers, range);
}

/** Converts a spectrogram to decibels. `leastDefault`: the default of `min_value`.
 * @type {(value: { type?: string, dims: unknown, data: unknown }, options: DecibelOptions | undefined,
 *   rules: { factor: number, leastDefault: number }) => Tensor} */
function convertToDecibels(value, options, { factor, leastDefault }) {
  ready();
  const read = args.readTable(options, decibelTable, { min_value: leastDefault });
  const { type = 'float64', dims, data } = value ?? {};
  if (type !== 'float32' && type !== 'float64')
    args.typeError(`spectrogram must be float32 or float64, got ${args.show(type)}`);
  const numbers = readNumbers('spectrogram data', data);
  const extents = readDims('spectrogram', dims, numbers.length);
  const result = new Float64Array(numbers);
  changeToDecibels(result, decibelSettings(read, factor));
  return tensor(type, type === 'float32' ? new Float32Array(result) : result, extents);
}

/**
 * A power spectrogram in decibels, as transformers' `power_to_db` makes it.
 * @param {{ type: string, dims: readonly number[], data: unknown }} spectrogram float32 or float64
 * @param {DecibelOptions} [options]
 * @returns {Tensor} of the same type and dims
 * @example
 * powerToDb(new Tensor('float64', Float64Array.of(1, 100), [2])).toArray(); // [0, 20]
 */
export function powerToDb(spectrogram, options) {
  const rules = { factor: decibelFactors.power, leastDefault: 1e-10 };
  return args.named('powerToDb', () => convertToDecibels(spectrogram, options, rules));
}

/**
 * An amplitude spectrogram in decibels, as transformers' `amplitude_to_db` makes it.
 * @param {{ type: string, dims: readonly number[], data: unknown }} spectrogram float32 or float64
 * @param {DecibelOptions} [options]
 * @returns {Tensor} of the same type and dims
 * @example
 * amplitudeToDb(new Tensor('float64', Float64Array.of(1, 10), [2])).toArray(); // [0, 20]
 */
export function amplitudeToDb(spectrogram, options) {
  const rules = { factor: decibelFactors.amplitude, leastDefault: 1e-5 };
  return args.named('amplitudeToDb', () => convertToDecibels(spectrogram, options, rules));
}
