/**
 * The oracle of the operators of places and indices, element by element: Compress, Trilu, EyeLike, Range, OneHot,
 * ScatterElements and ScatterND. Nothing of js/ is in here. A tensor is { type, dims, codes }; legal calls alone.
 *
 * ONNX's text leaves open, and is read as:
 *
 * - Compress: a condition longer than the axis is refused, though onnxruntime ignores the rest. Compress-9 takes no
 *   negative axis, as other operators whose text names none.
 * - Trilu: k is any int64, a scalar or one entry; a diagonal outside keeps all or nothing. Zero is '' of strings.
 * - EyeLike: k is any int64. Without dtype the result has the input's type; the elements of the input do not count.
 * - Range: the number of elements is max(ceil((limit - start) / delta), 0), exactly of integers and in float64 of
 *   floats; a delta of 0, NaN and an infinite number are refused. Float32 is computed in float64 and rounded once, as
 *   ONNX's reference does (onnxruntime adds up, and drifts). The 16-bit floats are computed in float32, rounded after
 *   the product and after the sum, or in float64 where stash_type says so; other stash types are refused.
 * - OneHot: floats among indices and depth are cut to whole numbers, toward zero; NaN and infinity are no index. Before
 *   opset 11 a negative index is outside, from 11 on it counts from the back. The axis of OneHot-9 is -1 or not
 *   negative. A depth of 0 is legal, a negative one is refused.
 * - ScatterElements, ScatterND: updates come in row-major order of the indices, so the last of equal indices stays, and
 *   each sum, product, maximum and minimum is rounded to the type. Integers wrap. Of bool, add and max are or, mul and
 *   min are and. The maximum and minimum of NaN and a number is NaN; of equal numbers the element stays, so that -0 and
 *   0 do not change each other. A NaN that is computed is quiet, without a sign. Complex numbers have add and mul
 *   alone, strings none. Indices smaller than data off the axis are legal, as of GatherElements; k = 0 is refused.
 */
import { codeOf, numberOf } from '../cast.reference.js';
import { elementCount, types } from '../../support/reference.js';

const { fround } = Math;

/** @type {(flat: number, dims: readonly number[]) => number[]} */
function coordinates(flat, dims) {
  const result = [];
  for (const extent of dims.toReversed()) {
    result.unshift(flat % extent);
    flat = Math.floor(flat / extent);
  }
  return result;
}

/** @type {(at: readonly number[], dims: readonly number[]) => number} */
const place = (at, dims) => at.reduce((flat, index, i) => flat * dims[i] + index, 0);

const zeroOf = (type) => {
  if (type === 'string') return '';
  return types[type].bits >= 64 ? 0n : 0;
};
const axisOf = (axis, rank) => (axis < 0 ? axis + rank : axis);
const numbers = ({ type, codes }) => Array.from(codes, (code) => numberOf(type, code));
/** A tensor whose element at each place is picked. */
const made = (type, dims, pick) => ({
  type,
  dims,
  codes: Array.from({ length: elementCount(dims) }, (_, i) => pick(coordinates(i, dims), i)),
});

function compress([input, condition], { axis }) {
  const chosen = Array.from(condition.codes, (code, i) => (code ? i : -1)).filter((i) => i >= 0);
  if (axis === undefined) return made(input.type, [chosen.length], (_, i) => input.codes[chosen[i]]);
  const at = axisOf(axis, input.dims.length);
  return made(
    input.type,
    input.dims.with(at, chosen.length),
    (where) => input.codes[place(where.with(at, chosen[where[at]]), input.dims)],
  );
}

function trilu([input, k], { upper = 1 }) {
  const diagonal = k ? numbers(k)[0] : 0n;
  return made(input.type, input.dims, (where, i) => {
    const over = BigInt(where.at(-1) - where.at(-2)) - BigInt(diagonal);
    return (upper ? over >= 0n : over <= 0n) ? input.codes[i] : zeroOf(input.type);
  });
}

function eyeLike([input], { dtype = input.type, k = 0 }) {
  const one = codeOf(dtype, types[dtype].bits === 64 && dtype !== 'float64' ? 1n : 1);
  return made(dtype, input.dims, ([row, column]) => (column - row === k ? one : zeroOf(dtype)));
}

function range([start, limit, delta], { stash_type: stash = 1 }) {
  const { type } = start;
  const [first, end, step] = [start, limit, delta].map((tensor) => numbers(tensor)[0]);
  if (!type.includes('float')) {
    const [a, b, d] = [first, end, step].map(BigInt);
    const span = d > 0n ? b - a : a - b;
    const size = d > 0n ? d : -d;
    const count = span > 0n ? Number((span + size - 1n) / size) : 0;
    return made(type, [count], (_, i) => {
      const value = a + BigInt(i) * d;
      return codeOf(type, types[type].bits === 64 ? value : Number(value));
    });
  }
  const count = Math.max(Math.ceil((end - first) / step), 0);
  const round = types[type].bits === 16 && stash === 1 ? fround : (x) => x;
  return made(type, [count], (_, i) => codeOf(type, round(first + round(round(i) * step))));
}

function oneHot([indices, depth, values], { axis = -1 }, since) {
  const count = Number(numbers(depth)[0]);
  const length = Math.trunc(count);
  const at = axisOf(axis, indices.dims.length + 1);
  const given = numbers(indices).map((index) => {
    const whole = typeof index === 'bigint' ? Number(index) : Math.trunc(index);
    return since >= 11 && whole < 0 ? whole + length : whole;
  });
  return made(values.type, indices.dims.toSpliced(at, 0, length), (where) => {
    const index = given[place(where.toSpliced(at, 1), indices.dims)];
    return values.codes[index === where[at] ? 1 : 0];
  });
}

/** The code of a number that is computed: JavaScript may keep the payload of a NaN, or its sign. */
const madeCode = (type, x) => codeOf(type, Number.isNaN(x) ? NaN : x);

/** An element after an update. */
function joined(type, reduction, current, update) {
  if (reduction === 'none') return update;
  if (type.startsWith('complex')) return joinedComplex(type, reduction, current, update);
  const [a, b] = [numberOf(type, current), numberOf(type, update)];
  if (type === 'bool') return Number(['add', 'max'].includes(reduction) ? a || b : a && b);
  if (reduction === 'max' || reduction === 'min') {
    if (Number.isNaN(a) || Number.isNaN(b)) return codeOf(type, NaN);
    return (reduction === 'max' ? b > a : b < a) ? update : current;
  }
  if (!type.includes('float')) {
    const { bits } = types[type];
    const [p, q] = [BigInt(a), BigInt(b)];
    const code = BigInt.asUintN(bits, reduction === 'add' ? p + q : p * q);
    return bits === 64 ? code : Number(code);
  }
  return madeCode(type, reduction === 'add' ? a + b : a * b);
}

/** A complex code is the real part's code and above it the imaginary part's. */
function joinedComplex(type, reduction, current, update) {
  const [part, width] = type === 'complex64' ? ['float32', 32n] : ['float64', 64n];
  const round = part === 'float32' ? fround : (x) => x;
  const parts = (code) =>
    [BigInt.asUintN(Number(width), BigInt(code)), BigInt(code) >> width].map((half) =>
      numberOf(part, width === 32n ? Number(half) : half),
    );
  const [[a, b], [c, d]] = [parts(current), parts(update)];
  const [re, im] = reduction === 'add' ? [a + c, b + d] : [round(a * c) - round(b * d), round(a * d) + round(b * c)];
  const [low, high] = [re, im].map((x) => BigInt(madeCode(part, x)));
  return low | (high << width);
}

function scatterElements([data, indices, updates], { axis = 0, reduction = 'none' }) {
  const at = axisOf(axis, data.dims.length);
  const codes = [...data.codes];
  numbers(indices).forEach((index, i) => {
    const where = coordinates(i, indices.dims).with(at, axisOf(Number(index), data.dims[at]));
    const to = place(where, data.dims);
    codes[to] = joined(data.type, reduction, codes[to], updates.codes[i]);
  });
  return { ...data, codes };
}

function scatterND([data, indices, updates], { reduction = 'none' }) {
  const length = indices.dims.at(-1);
  const run = elementCount(data.dims.slice(length));
  const codes = [...data.codes];
  const given = numbers(indices).map(Number);
  for (let row = 0; row < given.length / length; row++) {
    const tuple = given.slice(row * length, (row + 1) * length).map((index, k) => axisOf(index, data.dims[k]));
    const first = place(tuple, data.dims.slice(0, length)) * run;
    for (let i = 0; i < run; i++)
      codes[first + i] = joined(data.type, reduction, codes[first + i], updates.codes[row * run + i]);
  }
  return { ...data, codes };
}

/** The operators by their ONNX names: inputs, attributes and the version to the result. */
export const picks = {
  Compress: compress,
  Trilu: trilu,
  EyeLike: eyeLike,
  Range: range,
  OneHot: oneHot,
  ScatterElements: scatterElements,
  ScatterND: scatterND,
};
