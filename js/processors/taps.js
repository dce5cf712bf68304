/**
 * Which pixels of an axis a pixel of the result is made of, and by which weights, in float64: the ways in which
 * torchvision and torch resize pictures of float32.
 */

/**
 * @typedef {object} Taps
 * @property {number} first
 * @property {number[]} weights of the pixels from `first` on
 */

const { abs, ceil, floor, fround, max, min, PI, sin, trunc } = Math;

/** @type {(x: number) => number} */
const triangle = (x) => max(0, 1 - abs(x));

/** @type {(a: number) => (x: number) => number} */
const cubic = (a) => (x) => {
  const t = abs(x);
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0;
};

/** @type {(x: number) => number} */
const sinc = (x) => (x === 0 ? 1 : sin(PI * x) / (PI * x));

/** @type {(x: number) => number} */
const lanczos = (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0);

/** @type {Record<string, { support: number, weight: (x: number) => number }>} */
const filters = {
  bilinear: { support: 1, weight: triangle },
  bicubic: { support: 2, weight: cubic(-0.5) },
  lanczos: { support: 3, weight: lanczos },
};

/**
 * @type {(extent: number, positions: readonly number[], filter: string) => Taps[]} pixels around positions, those
 *   beyond the edges moved to the edges
 */
function pointTaps(extent, positions, filter) {
  const { support, weight } = filter === 'bicubic' ? { support: 2, weight: cubic(-0.75) } : filters.bilinear;
  return positions.map((position) => {
    const entries = Array.from({ length: 2 * support }, (_, k) => floor(position) + 1 - support + k);
    return gathered(
      entries.map((at) => min(max(at, 0), extent - 1)),
      entries.map((at) => weight(position - at)),
    );
  });
}

/**
 * @type {(at: readonly number[], weights: readonly number[]) => Taps} one window over pixels that may repeat
 */
function gathered(at, weights) {
  const first = at.reduce((least, pixel) => min(least, pixel), Infinity);
  const last = at.reduce((most, pixel) => max(most, pixel), 0);
  const sums = new Array(last - first + 1).fill(0);
  at.forEach((pixel, i) => (sums[pixel - first] += weights[i]));
  return { first, weights: sums };
}

/** @type {(size: number, of: (i: number) => number) => number[]} */
const list = (size, of) => Array.from({ length: size }, (_, i) => of(i));

/**
 * torchvision's resize with antialiasing: the filter is as wide as the picture shrinks.
 * @type {(extent: number, size: number, filter: string) => Taps[]}
 */
export function smoothTaps(extent, size, filter) {
  if (filter === 'nearest') {
    const nearest = list(size, (i) => min(floor((i + 0.5) * (extent / size)), extent - 1));
    return nearest.map((first) => ({ first, weights: [1] }));
  }
  if (extent === size) return keptTaps(extent);
  const { support, weight } = filters[filter];
  // torch computes positions and weights in float32: those of 500 pixels are 3e-5 off.
  const scale = fround(extent / size);
  const wide = max(scale, 1);
  const inverse = fround(1 / wide);
  const reach = fround(support * wide);
  return Array.from({ length: size }, (_, i) => {
    const center = fround(scale * (i + 0.5));
    const first = max(trunc(fround(center - reach) + 0.5), 0);
    const end = min(trunc(fround(center + reach) + 0.5), extent);
    const weights = list(end - first, (k) => fround(weight(fround((fround(first + k - center) + 0.5) * inverse))));
    const sum = weights.reduce((total, one) => fround(total + one), 0);
    return { first, weights: weights.map((one) => fround(one / sum)) };
  });
}

/**
 * Without antialiasing: as many pixels however much the picture shrinks.
 * @type {(extent: number, size: number, filter: string) => Taps[]}
 */
export function sharpTaps(extent, size, filter) {
  if (filter === 'nearest' || extent === size) return smoothTaps(extent, size, filter);
  const lowest = filter === 'bicubic' ? -Infinity : 0;
  const scale = fround(extent / size);
  return pointTaps(
    extent,
    list(size, (i) => max(fround(scale * (i + 0.5) - 0.5), lowest)),
    filter,
  );
}

/**
 * torch's `interpolate` with `align_corners`: the first and the last pixel stay.
 * @type {(extent: number, size: number, filter: string) => Taps[]}
 */
export function cornerTaps(extent, size, filter) {
  const scale = size === 1 ? 0 : fround((extent - 1) / (size - 1));
  return pointTaps(
    extent,
    list(size, (i) => fround(scale * i)),
    filter,
  );
}

/** @type {(extent: number) => Taps[]} */
const keptTaps = (extent) => Array.from({ length: extent }, (_, first) => ({ first, weights: [1] }));

/**
 * The pixel that stands where a picture is mirrored at its outermost pixels.
 * @type {(at: number, extent: number) => number}
 */
function mirrored(at, extent) {
  const period = max(1, 2 * (extent - 1));
  const place = abs(at) % period;
  return min(place, period - place);
}

/**
 * An axis with a mirrored border, a pixel at a time.
 * @type {(extent: number, border: number) => (i: number) => Taps}
 */
export const borderTaps = (extent, border) => (i) => ({ first: mirrored(i - border, extent), weights: [1] });

/**
 * torchvision's `gaussian_blur`, which mirrors the border, a pixel at a time: a list would hold the square of a long
 * axis.
 * @type {(extent: number, sigma: number) => (i: number) => Taps}
 */
export function blurTaps(extent, sigma) {
  const reach = ceil(3 * sigma);
  const weights = list(2 * reach + 1, (k) => Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)));
  const sum = weights.reduce((total, one) => total + one, 0);
  const shares = weights.map((one) => one / sum);
  return (i) =>
    gathered(
      shares.map((_, k) => mirrored(i + k - reach, extent)),
      shares,
    );
}

/**
 * One step after another.
 * @param {(i: number) => Taps} before
 * @param {readonly Taps[]} after whose pixels are the results of `before`
 * @returns {Taps[]}
 */
export function composedTaps(before, after) {
  return after.map(({ first, weights }) => {
    const used = weights.map((_, i) => before(first + i));
    return gathered(
      used.flatMap((taps) => taps.weights.map((_, k) => taps.first + k)),
      used.flatMap((taps, i) => taps.weights.map((weight) => weight * weights[i])),
    );
  });
}
