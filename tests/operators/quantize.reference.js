/**
 * The oracle of quantization: one element at a time, by the decisions of the package's reference, with exact quotients
 * where the precision is int32. Of the numbers alone; nothing of js/ is in here.
 */
import { elementCount, fromCodes, toCodes, types } from '../support/reference.js';
import { codeOf, numberOf } from './cast.reference.js';

/** The first opset of each type that is quantized to. */
export const quantized = {
  ...{ uint8: 10, int8: 10, float8e4m3fn: 19, float8e4m3fnuz: 19, float8e5m2: 19, float8e5m2fnuz: 19, uint16: 21 },
  ...{ int16: 21, uint4: 21, int4: 21, float4e2m1: 23, uint2: 25, int2: 25, float6e2m3: 28, float6e3m2: 28 },
};
export const versions = [10, 13, 19, 21, 23, 24, 25, 28];
const at = (list, opset) => Object.keys(list).filter((type) => list[type] <= opset);

/** The types of a version of QuantizeLinear: types of x, of a scale beside an x, of the result. */
export const quantizeTypes = {
  x: (opset) => at({ float32: 10, int32: 10, float16: 19, bfloat16: 19 }, opset),
  scale(opset, x) {
    if (opset < 19) return ['float32'];
    return opset < 23 ? [x] : at({ float32: 10, int32: 19, float16: 19, bfloat16: 19, float8e8m0: 24 }, opset);
  },
  y: (opset) => at(quantized, opset),
};
/** The same of DequantizeLinear; the result has a type of its own from opset 23 on. */
export const dequantizeTypes = {
  x: (opset) => at({ int32: 10, ...quantized }, opset),
  scale: (opset) => at({ float32: 10, float16: 19, bfloat16: 19, float8e8m0: 24 }, opset),
  y: (opset, scale) => (opset < 23 ? [scale] : ['float32', 'float16', 'bfloat16']),
};

const isInteger = (type) => type.includes('int');
const rounded = (type, value) => numberOf(type, codeOf(type, value));

/** The numbers of a tensor. */
export const numbersOf = ({ type, data, dims }) =>
  Array.from(toCodes(type, data, elementCount(dims)), (code) => Number(numberOf(type, code)));

/** The index of each element's scale. */
export function scaleIndices(dims, scaleDims, { axis = 1, block_size: block = 0 }) {
  const size = elementCount(dims);
  if (elementCount(scaleDims) === 1 && scaleDims.every((extent) => extent === 1)) return new Array(size).fill(0);
  const along = axis < 0 ? axis + dims.length : axis;
  return Array.from({ length: size }, (_, element) => {
    const place = dims.map(() => 0);
    let rest = element;
    for (let i = dims.length - 1; i >= 0; i--) {
      place[i] = rest % dims[i];
      rest = Math.floor(rest / dims[i]);
    }
    if (block === 0) return place[along];
    place[along] = Math.floor(place[along] / block);
    return place.reduce((index, entry, i) => index * scaleDims[i] + entry, 0);
  });
}

/** The integer next to x / s, ties to even, by fractions of big integers; x and s are finite and s is not 0. */
function nearestInteger(x, s) {
  const denominator = 2n ** 160n;
  // A float32's last place is 2^-149, and 2^1000 is none: both products are whole.
  const scaled = (value) => {
    let [number, power] = [value, 0];
    while (!Number.isInteger(number)) [number, power] = [number * 2, power + 1];
    return (BigInt(number) * denominator) / 2n ** BigInt(power);
  };
  let [a, b] = [scaled(x), scaled(s)];
  if (b < 0n) [a, b] = [-a, -b];
  let floor = a / b;
  if (floor * b > a) floor -= 1n;
  const twice = 2n * (a - floor * b);
  return Number(twice > b || (twice === b && floor % 2n !== 0n) ? floor + 1n : floor);
}

/** The even integer of the two that are next, or the nearest one. */
function nearestEven(value) {
  if (!Number.isFinite(value)) return value;
  const floor = Math.floor(value);
  const beyond = value - floor;
  return beyond > 0.5 || (beyond === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** The type in which a quotient is made. */
function precisionOf(x, scale, { precision }, opset) {
  if (precision) return precision;
  if (opset < 23) return scale === 'int32' ? 'int32' : 'float32';
  return scale === 'float8e8m0' ? x : scale;
}

/** QuantizeLinear: the codes of y. */
export function quantize(x, scale, zero, options, opset) {
  const { saturate = 1, output_dtype } = options;
  const to = zero?.type ?? output_dtype ?? 'uint8';
  const [numbers, scales, zeros] = [numbersOf(x), numbersOf(scale), zero && numbersOf(zero)];
  const indices = scaleIndices(x.dims, scale.dims, options);
  const precision = precisionOf(x.type, scale.type, options, opset);
  const { bits } = types[to];
  const lowest = to.startsWith('u') ? 0 : -(2 ** (bits - 1));
  const codes = numbers.map((number, i) => {
    const [own, z] = [scales[indices[i]], zeros?.[indices[i]]];
    const isExact = precision === 'int32';
    const quotient = isExact
      ? number / own
      : rounded(precision, Math.fround(rounded(precision, number) / rounded(precision, own)));
    if (isInteger(to)) {
      const isRational = isExact && Number.isFinite(number) && Number.isFinite(own) && own !== 0;
      const sum = (isRational ? nearestInteger(number, own) : nearestEven(quotient)) + (z ?? 0);
      const value = Number.isNaN(sum) ? lowest : Math.min(Math.max(sum, lowest), lowest + 2 ** bits - 1);
      return value & (2 ** bits - 1);
    }
    if (to === 'float4e2m1' && zero) {
      const sum = quotient + z;
      return codeOf(to, isExact ? Math.trunc(sum) + 0 : rounded(precision, Math.fround(sum)));
    }
    return codeOf(to, quotient, saturate === 1);
  });
  return { type: to, dims: x.dims, data: fromCodes(to, codes) };
}

/** DequantizeLinear. */
export function dequantize(x, scale, zero, options) {
  const to = options.output_dtype ?? scale.type;
  const [numbers, scales, zeros] = [numbersOf(x), numbersOf(scale), zero && numbersOf(zero)];
  const indices = scaleIndices(x.dims, scale.dims, options);
  const codes = numbers.map((number, i) => {
    const difference = isInteger(x.type) ? number - (zeros?.[indices[i]] ?? 0) : number;
    return codeOf(to, Math.fround(Math.fround(difference) * Math.fround(scales[indices[i]])));
  });
  return { type: to, dims: x.dims, data: fromCodes(to, codes) };
}

/** DynamicQuantizeLinear: y, its scale and its zero point. */
export function dynamicQuantize({ data, dims }) {
  const { fround } = Math;
  let [low, high] = [0, 0];
  for (const value of data) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const scale = low === high ? 1 : fround(fround(high - low) / 255);
  const exact = low === high ? 0 : fround(0 - fround(low / scale));
  const zero = Number.isNaN(exact) ? 0 : nearestEven(Math.min(Math.max(exact, 0), 255));
  const y = Array.from(data, (value) => {
    const sum = nearestEven(fround(value / scale)) + zero;
    return Number.isNaN(sum) ? 0 : Math.min(Math.max(sum, 0), 255);
  });
  return [
    { type: 'uint8', dims, data: Uint8Array.from(y) },
    { type: 'float32', dims: [], data: Float32Array.of(scale) },
    { type: 'uint8', dims: [], data: Uint8Array.of(zero) },
  ];
}
