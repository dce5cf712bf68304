/** The numbers that bytes become, in each backend's own order of float32 and float64 operations. The engine's formula
 * is taken where it gives them: 1.6 times as fast as tables of all 256 bytes (measured). */
import { bytesOf } from '../../arguments/index.js';
import { convertBytes } from '../../engines/tensors/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { roundHalfToEven } from '../resizing/size.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Backend } from '../resizing/filters.js' */
/** @import { Formula, Numbers, NumberStep, Scaling } from '../types.js' */

const { fround } = Math;

/** @type {(value: number | readonly number[], channel: number) => number} */
const ofChannel = (value, channel) => (typeof value === 'number' ? value : value[channel]);

/** The engine's formula, if that gives the backend's numbers, otherwise tables of all bytes. Lists in `scaling` are in
 * the order of the picture's channels. `dtype`: if omitted, uint8 if the bytes stay as they are, otherwise float32;
 * `isReversed`: whether the result has the picture's channels in reverse; `then`: float32 steps after the scaling,
 * which no formula has.
 * @type {(backend: Backend, scaling: Scaling, format?: { dtype?: DType, channels?: number, isReversed?: boolean,
 *   then?: readonly NumberStep[] }) => Numbers} */
export function numbersOf(backend, scaling, format = {}) {
  const { channels = 3, isReversed = false, then = [] } = format;
  const isBytes = scaling.factor === undefined && scaling.mean === undefined && then.length === 0;
  const dtype = format.dtype ?? (isBytes ? dtypes.uint8 : dtypes.float32);
  const sources = Array.from({ length: channels }, (_, i) => (isReversed ? channels - 1 - i : i));
  const formula = then.length === 0 ? formulaOf(backend, scaling) : undefined;
  if (formula) {
    /** @type {(value: number | readonly number[]) => number[]} */
    const listOf = (value) => sources.map((channel) => fround(ofChannel(value, channel)));
    const lists = Object.fromEntries(Object.entries(formula).map(([name, value]) => [name, listOf(value)]));
    return { dtype, channels: { sources, ...lists } };
  }
  const scaled = stepOf(backend, scaling);
  const tables = tablesOf(dtype, channels, (byte, i) => {
    let value = scaled(byte, sources[i]);
    for (const next of then) value = fround(next(value, sources[i]));
    return value;
  });
  return { dtype, channels: { sources, tables } };
}

/** The numbers of bytes 0 to 255, of one channel after the other, as a dtype of `isPixelType`.
 * @type {(dtype: DType, count: number, numberOf: (byte: number, channel: number) => number) => Uint8Array} */
export function tablesOf(dtype, count, numberOf) {
  const table = Float32Array.from({ length: 256 * count }, (_, i) => numberOf(i % 256, Math.floor(i / 256)));
  if (dtype.bits !== 8) return encoded(table, dtype);
  // Round to nearest and saturate here: the engine's conversion cuts off and wraps, as Cast does.
  const least = dtype.name === 'int8' ? -128 : 0;
  const greatest = least + 255;
  const saturated = table.map((x) => Math.min(Math.max(roundHalfToEven(x), least), greatest));
  return encoded(saturated, dtype);
}

/** Finds numbers for the engine's formula, (byte * scale + byte * low - mean) / std with float32 steps. Undefined only
 * for 'pil' and a `factor` (of rescaling, in float64) that {@link partsOf} cannot split. Every backend but 'pil' counts
 * as torchvision.
 * @type {(backend: Backend, scaling: Scaling) => Formula | undefined} */
function formulaOf(backend, { factor, mean, std }) {
  const [subtracted, divisor] = mean === undefined || std === undefined ? [0, 1] : [mean, std];
  if (factor === undefined) return { scale: 1, mean: subtracted, std: divisor };
  // transformers' processors of Pillow's images multiply by the float64 factor, and round once.
  if (backend === 'pil') {
    const halves = partsOf(factor);
    return halves && { ...halves, mean: subtracted, std: divisor };
  }
  if (mean === undefined || std === undefined) return { scale: factor, mean: 0, std: 1 };
  // transformers' processors of torchvision's tensors multiply the mean and the deviation by the reciprocal of the
  // factor, and leave the bytes as they are.
  const reciprocal = fround(1 / factor);
  /** @type {(value: number | readonly number[]) => number | readonly number[]} */
  const widened = (value) =>
    typeof value === 'number'
      ? fround(fround(value) * reciprocal)
      : value.map((number) => fround(fround(number) * reciprocal));
  return { scale: 1, mean: widened(mean), std: widened(std) };
}

/** Splits a float64 factor into two float32 parts, so that float32 steps give `byte * factor` rounded once: the first
 * part keeps 16 bits, so its product with a byte is exact, and only the sum of both products is rounded.
 * @type {(factor: number) => { scale: number, low: number } | undefined} */
function partsOf(factor) {
  const bits = new Uint32Array(new Float32Array([factor]).buffer);
  bits[0] &= 0xffffff00; // clears 8 of the 24 bits of a float32's significand
  const [scale] = new Float32Array(bits.buffer);
  const low = fround(factor - scale);
  for (let byte = 0; byte < 256; byte++) {
    const byParts = fround(fround(byte * scale) + fround(byte * low));
    if (!Object.is(byParts, fround(byte * factor))) return undefined;
  }
  return { scale, low };
}

/** Computes a byte's number in JavaScript, to the bit as the backend does.
 * @type {(backend: Backend, scaling: Scaling) => NumberStep} */
function stepOf(backend, scaling) {
  const formula = formulaOf(backend, scaling);
  if (formula) {
    const { scale, low = -0, mean, std } = formula; // adding -0 changes no number, not even -0
    return (byte, channel) => {
      const scaled = fround(fround(byte * fround(scale)) + fround(byte * low));
      const difference = fround(scaled - fround(ofChannel(mean, channel)));
      return fround(difference / fround(ofChannel(std, channel)));
    };
  }
  // Only a factor for 'pil' that two float32 parts do not give has no formula: round the float64 product once.
  const { factor = 1, mean, std } = scaling;
  const normalize = mean === undefined || std === undefined ? undefined : normalizing(mean, std);
  return (byte, channel) => {
    const value = fround(byte * factor);
    return normalize ? normalize(value, channel) : value;
  };
}

/** `(x - mean) / std` in float32, as both backends compute it where bytes are not rescaled in the same step.
 * @type {(mean: number | readonly number[], std: number | readonly number[]) => NumberStep} */
export const normalizing = (mean, std) => (value, channel) =>
  fround(fround(value - fround(ofChannel(mean, channel))) / fround(ofChannel(std, channel)));

/** @type {(table: Float32Array, dtype: DType) => Uint8Array} */
export function encoded(table, dtype) {
  if (dtype === dtypes.float32) return bytesOf(table);
  const bytes = bytesOf(newData(dtype, table.length, undefined));
  convertBytes(dtypes.float32, dtype, table.length, bytesOf(table), bytes);
  return bytes;
}
