/**
 * The results of Cast, from the definitions: the exact number of a code, and the nearest number of the other format by
 * search. A number is a float64, or a bigint where that may not hold it; JavaScript compares the two exactly. Nothing
 * of js/ is in here.
 */
import { decodeByFormula, floats, grid } from '../tensor/codec.reference.js';
import { types } from '../support/reference.js';

const { isNaN, isFinite } = Number;
const { abs, fround, trunc } = Math;
const { is } = Object;

/** The types that Cast converts among by their numbers. */
export const numberTypes = Object.keys(types).filter((type) => type !== 'string' && !type.startsWith('complex'));

/** The types for which saturate counts. */
export const floats8 = ['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz', 'float8e8m0'];

const view = new DataView(new ArrayBuffer(8));

function floatOf32(code) {
  view.setUint32(0, code);
  return view.getFloat32(0);
}

function codeOf32(value) {
  view.setFloat32(0, value);
  return view.getUint32(0);
}

function floatOf64(code) {
  view.setBigUint64(0, code);
  return view.getFloat64(0);
}

function codeOf64(value) {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

const scales = Array.from({ length: 255 }, (_, code) => 2 ** (code - 127));

/** The number of a code: -0, infinities and NaN included. */
export function numberOf(type, code) {
  const { bits } = types[type];
  if (type === 'float32') return floatOf32(code);
  if (type === 'float64') return floatOf64(code);
  if (type === 'float8e8m0') return scales[code] ?? NaN;
  if (floats[type]) return decodeByFormula(type, code);
  if (type === 'bool') return code === 0 ? 0 : 1;
  const half = 2 ** (bits - 1);
  if (bits === 64) return type === 'int64' && code >= half ? code - (1n << 64n) : code;
  return type.startsWith('int') && code >= half ? code - 2 ** bits : code;
}

/**
 * For each small float: its finite numbers from 0 up and the one after them, and the middle of each two neighbors. All
 * exact in float64.
 */
const numbers = Object.fromEntries(Object.keys(floats).map((type) => [type, grid(type).values]));
const middles = Object.fromEntries(
  Object.entries(numbers).map(([type, values]) => [type, values.slice(1).map((value, i) => (value + values[i]) / 2)]),
);

/** The middles of neighbors of a float format with at most 16 bits, float8e8m0 among them. */
export const middlesOf = (type) => (type === 'float8e8m0' ? scales.map((value) => 1.5 * value) : middles[type]);

/** How many entries of an ascending list are below a number, or not above it. */
function count(list, value, inclusive) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const at = (low + high) >>> 1;
    if (inclusive ? list[at] <= value : list[at] < value) low = at + 1;
    else high = at;
  }
  return low;
}

function smallFloat(type, value, saturate) {
  const { bits, infinity, nan, noMinusZero, finite } = floats[type];
  if (isNaN(value)) return nan;
  const signBit = 2 ** (bits - 1);
  const sign = value < 0 || is(value, -0) ? signBit : 0;
  const magnitude = value < 0 ? -value : value;
  // On the middle itself the even code is the nearest.
  const below = count(middles[type], magnitude, false);
  // Loosely, because a bigint then compares with a number exactly.
  // eslint-disable-next-line eqeqeq
  let code = middles[type][below] == magnitude && below % 2 === 1 ? below + 1 : below;
  const overflow = numbers[type].length - 1;
  if (code === overflow) {
    if (finite || (saturate && bits === 8)) code = overflow - 1;
    else return infinity === undefined ? (noMinusZero ? nan : nan + sign) : infinity + sign;
  }
  return code === 0 && noMinusZero ? 0 : code + sign;
}

function scale(value, saturate, mode) {
  if (isNaN(value)) return 255;
  if (value < scales[0]) return saturate ? 0 : 255;
  if (value > scales[254]) return saturate ? 254 : 255;
  const code = count(scales, value, true) - 1;
  const above = { up: value > scales[code], down: false, nearest: value >= 1.5 * scales[code] }[mode];
  return above ? code + 1 : code;
}

/** An integer of up to 64 bits as the nearest float32: what lies beside the one that float64 leads to is tried too. */
function float32OfInteger(value) {
  if (typeof value !== 'bigint') return fround(value);
  const magnitude = value < 0n ? -value : value;
  const near = codeOf32(fround(Number(magnitude)));
  const distance = (code) => {
    const other = BigInt(floatOf32(code));
    return other > magnitude ? other - magnitude : magnitude - other;
  };
  let best = near;
  for (const code of near === 0 ? [1] : [near - 1, near + 1]) {
    if (floatOf32(code) % 1 !== 0) continue;
    const difference = distance(code) - distance(best);
    if (difference < 0n || (difference === 0n && code % 2 === 0)) best = code;
  }
  return value < 0n ? -floatOf32(best) : floatOf32(best);
}

/** The code that Cast gives a number: `saturate` and `round_mode` as its attributes. */
export function codeOf(type, value, saturate = true, mode = 'up') {
  const { bits } = types[type];
  if (type === 'float32') return codeOf32(float32OfInteger(value));
  if (type === 'float64') return codeOf64(Number(value));
  if (type === 'float8e8m0') return scale(value, saturate, mode);
  if (floats[type]) return smallFloat(type, value, saturate);
  if (type === 'bool') return value === 0 || value === 0n || value === false ? 0 : 1;
  if (typeof value === 'number') {
    if (!isFinite(value)) return bits === 64 ? 0n : 0;
    value = trunc(value);
    if (bits < 64 && abs(value) < 2 ** 31) return bits === 32 ? value >>> 0 : value & (2 ** bits - 1);
  }
  const code = BigInt.asUintN(bits, BigInt(value));
  return bits === 64 ? code : Number(code);
}

/** Whether a code is a NaN. */
export const isNaNCode = (type, code) => isNaN(numberOf(type, code));
