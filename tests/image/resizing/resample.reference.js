/**
 * Resampling along one axis, in plain loops: the filters, the weights of every result, and the sums of both kinds of
 * pixels. A picture is `{ data, width, height, channels }`, its rows without padding. Imports nothing of js/.
 */

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { PI, abs, cos, floor, fround, max, min, sin, trunc } = Math;

/** The cubic of Keys (1981), with the order of operations in its outer part that Pillow has. */
function cubic(x) {
  const a = -0.5;
  const distance = abs(x);
  if (distance < 1) return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  if (distance < 2) return (((distance - 5) * distance + 8) * distance - 4) * a;
  return 0;
}

/** Hamming's window has its two numbers in single precision, so that without the 1 its peak would be 1.00000003. */
function hamming(x) {
  const distance = abs(x);
  if (distance === 0) return 1;
  return distance < 1 ? sinc(distance) * (fround(0.54) + fround(0.46) * cos(PI * distance)) : 0;
}

/**
 * Engines' sines differ from the C library's by one unit in the last place, V8's for 3 % of the numbers. That moves a
 * weight by 1e-16, which does not outlast the rounding to 22 bits, nor that of a sum to float32 unless the sum cancels.
 */
const sinc = (x) => (x === 0 ? 1 : sin(PI * x) / (PI * x));

/** Each filter: how far it reaches, in pixels of the result where the picture shrinks, and its value at x. */
export const filters = {
  box: { support: 0.5, at: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, at: (x) => max(0, 1 - abs(x)) },
  hamming: { support: 1, at: hamming },
  bicubic: { support: 2, at: cubic },
  lanczos: { support: 3, at: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

/**
 * The weights with which the pixels of an axis make each result.
 * @typedef {{ start: number, weights: number[] }[]} Taps
 */

/**
 * The taps of one axis. All arithmetic is double, in this order of operations.
 * @param {{ support: number, at: (x: number) => number }} filter
 * @param {number} extent pixels of the picture along the axis
 * @param {number} origin where the first result begins, in pixels
 * @param {number} scale pixels that one result covers
 * @param {number} count results
 * @returns {Taps}
 */
export function tapsOf({ support, at }, extent, origin, scale, count) {
  const stretch = max(scale, 1);
  const reach = support * stretch;
  const inverse = 1 / stretch;
  const taps = [];
  for (let i = 0; i < count; i++) {
    const center = origin + (i + 0.5) * scale;
    const start = max(0, trunc(center - reach + 0.5));
    const end = min(extent, trunc(center + reach + 0.5));
    const weights = [];
    let sum = 0;
    for (let x = start; x < end; x++) {
      const weight = at((x - center + 0.5) * inverse);
      weights.push(weight);
      sum += weight;
    }
    taps.push({ start, weights: sum === 0 ? weights : weights.map((weight) => weight / sum) });
  }
  return taps;
}

/** The taps with whole weights: each times 2^bits, rounded half away from zero. */
export function wholeTaps(taps, bits) {
  const whole = (weight) => trunc(weight * 2 ** bits + (weight < 0 ? -0.5 : 0.5));
  return taps.map(({ start, weights }) => ({ start, weights: weights.map(whole) }));
}

/**
 * How bytes are summed: weights that are whole, with `bits` bits behind the point. No sum reaches 2^53, so the doubles
 * are exact.
 */
export function sumOfBytes(bits) {
  const [one, half] = [2 ** bits, bits === 0 ? 0 : 2 ** (bits - 1)];
  return (data, at, step, weights) => {
    let sum = half;
    for (let i = 0; i < weights.length; i++) sum += data[at + i * step] * weights[i];
    return max(0, min(255, floor(sum / one)));
  };
}

/** How float32 numbers are summed: each product and each sum rounded to double, the whole to float32 where stored. */
export function sumOfFloats(data, at, step, weights) {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += data[at + i * step] * weights[i];
  return sum;
}

/** A picture of the same class of data without its contents. */
export const blank = ({ data, channels }, width, height) => ({
  data: new data.constructor(width * height * channels),
  width,
  height,
  channels,
});

/** Makes each column of the result from the columns that its taps name. */
export function resampleWidth(picture, taps, sum) {
  const { data, width, height, channels } = picture;
  const result = blank(picture, taps.length, height);
  let i = 0;
  for (let y = 0; y < height; y++)
    for (const { start, weights } of taps)
      for (let c = 0; c < channels; c++)
        result.data[i++] = sum(data, (y * width + start) * channels + c, channels, weights);
  return result;
}

/** Makes each row of the result from the rows that its taps name. */
export function resampleHeight(picture, taps, sum) {
  const { data, width, channels } = picture;
  const result = blank(picture, width, taps.length);
  const row = width * channels;
  let i = 0;
  for (const { start, weights } of taps)
    for (let x = 0; x < row; x++) result.data[i++] = sum(data, start * row + x, row, weights);
  return result;
}

/**
 * The picture whose pixels are those at the given columns and rows; zeros where a column or row does not exist.
 * @param {object} picture
 * @param {number[]} columns
 * @param {number[]} rows
 */
export function pick(picture, columns, rows) {
  const { data, width, height, channels } = picture;
  const result = blank(picture, columns.length, rows.length);
  let i = 0;
  for (const y of rows)
    for (const x of columns)
      for (let c = 0; c < channels; c++)
        result.data[i++] = x < width && y < height ? data[(y * width + x) * channels + c] : 0;
  return result;
}
