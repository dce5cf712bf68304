/** How the elements of two tensors of the same dims differ. */
import { cast, dtypes, Tensor } from '../../index.js';
import { digitsOf } from '../terminal.js';

/** @import { Difference, Place, Tolerance } from '../types.js' */

/** Elements that are compared at a time: a multiple of 8, so that packed types are cut between bytes. */
const pieceSize = 2 ** 18;

/** Compares two tensors of the same dims element by element. NaN equals NaN, and 0 differs from -0, by a distance of 0.
 * The two numbers of a complex one are two elements, along a last axis of extent 2. Text only is equal or not. Without
 * a tolerance all elements that differ are beyond it.
 * @type {(first: Tensor, second: Tensor, tolerance?: Tolerance) => Difference} */
export function difference(first, second, tolerance) {
  const [a, b] = [inReals(first), inReals(second)];
  const isText = a.type === 'string';
  // Two different numbers of different types may have the same fewest digits: show both as float64.
  const type = a.type === b.type ? a.type : 'float64';
  if (isText !== (b.type === 'string')) throw new TypeError(`diff: cannot compare ${a.type} and ${b.type}`);
  const hasUlps = a.type === b.type && Object.hasOwn(orders, a.type);
  /** @type {Difference} */
  const difference = { dims: [...a.dims], elements: a.size, differ: 0, beyond: 0 };
  const sums = { difference: 0, ulps: 0 };
  let maxUlps = 0;
  for (let done = 0; done < a.size; done += pieceSize) {
    const [part, other] = [partOf(a, done), partOf(b, done)];
    const [x, y] = valuesOf(part, other);
    const ulps = hasUlps ? ulpsOf(part, other) : () => 0;
    for (let i = 0; i < x.length; i++) {
      if (Object.is(x[i], y[i])) continue;
      // The first element that differs, and those beyond tolerance; of numbers also the sums and the largest.
      // Showing an element takes 70 times as long as the rest of this loop.
      const place = () => /** @type {Place} */ ({ at: done + i, values: [shown(type, x[i]), shown(type, y[i])] });
      const distance = isText ? Infinity : distanceOf(x[i], y[i]);
      difference.first ??= place();
      difference.differ++;
      if (isText || !isWithin(x[i], y[i], tolerance)) difference.beyond++;
      if (isText) continue;
      const apart = Number.isNaN(x[i]) || Number.isNaN(y[i]) ? Infinity : ulps(i);
      sums.difference += distance;
      sums.ulps += apart;
      maxUlps = Math.max(maxUlps, apart);
      if (distance > (difference.largest?.difference ?? -1)) difference.largest = { ...place(), difference: distance };
    }
  }
  if (difference.largest) difference.mean = sums.difference / a.size;
  if (difference.largest && hasUlps) difference.ulps = { largest: maxUlps, mean: sums.ulps / a.size };
  return difference;
}

/** @type {(type: unknown, value: unknown) => string} */
const shown = (type, value) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : digitsOf(type, value));

/** Whether two different numbers are within the tolerance, by the rule of NumPy's `allclose`. NaN and infinities never
 * are: by the formula alone, any number would be within rtol of an infinite `b`.
 * @type {(a: number | bigint, b: number | bigint, tolerance: Tolerance | undefined) => boolean} */
const isWithin = (a, b, tolerance) =>
  tolerance !== undefined &&
  Number.isFinite(Number(a)) &&
  Number.isFinite(Number(b)) &&
  distanceOf(a, b) <= tolerance.atol + tolerance.rtol * Math.abs(Number(b));

/** Views a tensor of complex numbers as one of real numbers, with a last axis of extent 2; others are returned as they
 * are.
 * @type {(tensor: Tensor) => Tensor} */
function inReals(tensor) {
  const { type, data, dims } = tensor;
  if (dtypes[type].format.kind !== 'complex') return tensor;
  return new Tensor(type === 'complex64' ? 'float32' : 'float64', data, [...dims, 2]);
}

/** Views the elements of a tensor from number `first` on, `pieceSize` of them or the rest, as a tensor of one axis that
 * shares their memory. `first` is a multiple of pieceSize, so packed elements begin with a byte.
 * @type {(tensor: Tensor, first: number) => Tensor} */
function partOf({ type, data, size }, first) {
  const count = Math.min(pieceSize, size - first);
  if (Array.isArray(data)) return new Tensor(type, data.slice(first, first + count), [count]);
  // Counts the entries of the array that hold so many elements: packed ones share an entry.
  const entries = (/** @type {number} */ elements) =>
    Math.ceil((elements * dtypes[type].bits) / (8 * data.BYTES_PER_ELEMENT));
  return new Tensor(type, data.subarray(entries(first), entries(first + count)), [count]);
}

const wide = ['string', 'int64', 'uint64'];

/** Gives the elements of two tensors as values that can be compared: those of `wide` types, which float64 does not
 * hold, as they are if both are such, otherwise all as float64.
 * @type {(a: Tensor, b: Tensor) => [a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>]} */
function valuesOf(a, b) {
  const isExact = wide.includes(a.type) && wide.includes(b.type);
  const values = (/** @type {Tensor} */ tensor) =>
    isExact ? tensor.data : cast(tensor, 'float64', { strict: false }).data;
  return [values(a), values(b)];
}

/** Computes the distance of two numbers; infinite if one of them is NaN. Bigints are subtracted exactly.
 * @type {(a: number | bigint, b: number | bigint) => number} */
function distanceOf(a, b) {
  const apart = typeof a === 'bigint' && typeof b === 'bigint' ? Number(a - b) : Number(a) - Number(b);
  return Number.isNaN(apart) ? Infinity : Math.abs(apart);
}

/** For each float type, a function that makes one of an array's index: the place of that element among all floats of
 * the type, counted from 0, which -0 has too. Neighbors differ by 1: without the sign, bits count up with the number.
 * @type {Record<string, (data: Uint16Array | Float32Array | Float64Array) => (i: number) => number | bigint>} */
const orders = {
  float16: (data) => (i) => (data[i] & 0x8000 ? -(data[i] & 0x7fff) : data[i]),
  // As integers of 32 and 64 bits, of which the sign bit makes the number negative.
  float32: ({ buffer, byteOffset, length }) => {
    const words = new Int32Array(buffer, byteOffset, length);
    return (i) => (words[i] < 0 ? -(words[i] & 0x7fffffff) : words[i]);
  },
  // The same, by bigints.
  float64: ({ buffer, byteOffset, length }) => {
    const words = new BigInt64Array(buffer, byteOffset, length);
    return (i) => (words[i] < 0n ? -(words[i] & 0x7fffffffffffffffn) : words[i]);
  },
};
orders.bfloat16 = orders.float16;

/** Makes a function that gives the distance in units in the last place (ULPs) of the elements of two tensors at one
 * index: how many floats of their type they are apart.
 * @type {(a: Tensor, b: Tensor) => (i: number) => number} */
function ulpsOf(a, b) {
  const [x, y] = [orders[a.type](a.data), orders[a.type](b.data)];
  return (i) => distanceOf(x(i), y(i));
}
