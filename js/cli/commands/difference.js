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
  const a = inReals(first);
  const b = inReals(second);
  const isText = a.type === 'string';
  if (isText !== (b.type === 'string')) throw new TypeError(`diff: cannot compare ${a.type} and ${b.type}`);
  // Two different numbers of different types may have the same fewest digits: show both as float64.
  const shownType = a.type === b.type ? a.type : 'float64';
  const hasUlps = a.type === b.type && Object.hasOwn(placesOf, a.type);
  /** @type {Difference} */
  const result = { dims: [...a.dims], elements: a.size, differ: 0, beyond: 0 };
  const sums = { distance: 0, ulps: 0 };
  let maxUlps = 0;
  for (let start = 0; start < a.size; start += pieceSize) {
    const pieceA = pieceOf(a, start);
    const pieceB = pieceOf(b, start);
    const [x, y] = valuesOf(pieceA, pieceB);
    const ulpsAt = hasUlps ? ulpsOf(pieceA, pieceB) : () => 0;
    for (let i = 0; i < x.length; i++) {
      if (Object.is(x[i], y[i])) continue;
      // Called for few elements: showing one takes 70 times as long as the rest of this loop.
      const place = () => placeOf(start + i, [x[i], y[i]], shownType);
      result.first ??= place();
      result.differ++;
      if (isText || !isWithin(x[i], y[i], tolerance)) result.beyond++;
      if (isText) continue;
      const distance = distanceOf(x[i], y[i]);
      const ulps = Number.isNaN(x[i]) || Number.isNaN(y[i]) ? Infinity : ulpsAt(i);
      sums.distance += distance;
      sums.ulps += ulps;
      maxUlps = Math.max(maxUlps, ulps);
      if (distance > (result.largest?.difference ?? -1)) result.largest = { ...place(), difference: distance };
    }
  }
  if (result.largest) result.mean = sums.distance / a.size;
  if (result.largest && hasUlps) result.ulps = { largest: maxUlps, mean: sums.ulps / a.size };
  return result;
}

/** @type {(at: number, values: [unknown, unknown], type: unknown) => Place} */
const placeOf = (at, [a, b], type) => ({ at, values: [shown(type, a), shown(type, b)] });

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

/** Views a tensor of complex numbers as one of real numbers, with a last axis of extent 2.
 * @type {(tensor: Tensor) => Tensor} */
function inReals(tensor) {
  const { type, data, dims } = tensor;
  if (dtypes[type].format.kind !== 'complex') return tensor;
  return new Tensor(type === 'complex64' ? 'float32' : 'float64', data, [...dims, 2]);
}

/** Views the elements of a tensor from number `first` on, `pieceSize` of them or the rest, as a tensor of one axis that
 * shares their memory. `first` is a multiple of pieceSize, so packed elements begin with a byte.
 * @type {(tensor: Tensor, first: number) => Tensor} */
function pieceOf({ type, data, size }, first) {
  const count = Math.min(pieceSize, size - first);
  if (Array.isArray(data)) return new Tensor(type, data.slice(first, first + count), [count]);
  // Packed elements share an entry of the array.
  const entryBits = 8 * data.BYTES_PER_ELEMENT;
  const entriesOf = (/** @type {number} */ elements) => Math.ceil((elements * dtypes[type].bits) / entryBits);
  return new Tensor(type, data.subarray(entriesOf(first), entriesOf(first + count)), [count]);
}

/** Types whose elements float64 does not hold. */
const wideTypes = ['string', 'int64', 'uint64'];

/** Gives the elements of two tensors as values that can be compared: as they are if both have wide types, otherwise all
 * as float64.
 * @type {(a: Tensor, b: Tensor) => [a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>]} */
function valuesOf(a, b) {
  const isExact = wideTypes.includes(a.type) && wideTypes.includes(b.type);
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

/** For each float type, a function that numbers the elements of an array by their place among all floats of the type:
 * 0 and -0 have place 0, the next larger float has 1, the next smaller one -1. The bits of a float, read as an integer,
 * are its place if it is positive; a negative float has the bits of its opposite and the sign bit.
 * @type {Record<string, (data: Uint16Array | Float32Array | Float64Array) => (i: number) => number | bigint>} */
const placesOf = {
  float16: ({ buffer, byteOffset, length }) => {
    const words = new Int16Array(buffer, byteOffset, length);
    return (i) => (words[i] < 0 ? -(words[i] & 0x7fff) : words[i]);
  },
  float32: ({ buffer, byteOffset, length }) => {
    const words = new Int32Array(buffer, byteOffset, length);
    return (i) => (words[i] < 0 ? -(words[i] & 0x7fffffff) : words[i]);
  },
  float64: ({ buffer, byteOffset, length }) => {
    const words = new BigInt64Array(buffer, byteOffset, length);
    return (i) => (words[i] < 0n ? -(words[i] & 0x7fffffffffffffffn) : words[i]);
  },
};
placesOf.bfloat16 = placesOf.float16;

/** Makes a function that gives how many floats of their type (ULPs) the elements of two tensors at one index are apart.
 * @type {(a: Tensor, b: Tensor) => (i: number) => number} */
function ulpsOf(a, b) {
  const placeInA = placesOf[a.type](a.data);
  const placeInB = placesOf[a.type](b.data);
  return (i) => distanceOf(placeInA(i), placeInB(i));
}
