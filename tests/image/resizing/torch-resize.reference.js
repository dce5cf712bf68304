/**
 * torchvision's resize of uint8 tensors on a CPU with AVX2, pixel by pixel from its rules. A picture is `{ data,
 * width, height, channels }`, its rows without padding. Imports nothing of js/.
 */
import { filters, pick, resampleHeight, resampleWidth, sumOfBytes, tapsOf, wholeTaps } from './resample.reference.js';

const { abs, floor, fround, max, min, trunc } = Math;

/** The cubic of Keys, with the order of operations in its outer part that torch has. */
function cubic(x, a) {
  const distance = abs(x);
  if (distance < 1) return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  if (distance < 2) return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a;
  return 0;
}

/** The filters with antialiasing. */
const smooth = {
  bilinear: filters.bilinear,
  bicubic: { support: 2, at: (x) => cubic(x, -0.5) },
  lanczos: filters.lanczos,
};

/** The filters without antialiasing: the value at x, and the taps on either side. */
const sharp = { bilinear: { side: 1, at: filters.bilinear.at }, bicubic: { side: 2, at: (x) => cubic(x, -0.75) } };

const largest = (taps) => {
  let most = 0;
  for (const { weights } of taps) for (const weight of weights) most = max(most, weight);
  return most;
};

function smoothTaps(filter, extent, count) {
  const taps = tapsOf(smooth[filter], extent, 0, extent / count, count);
  return { taps, most: largest(taps) };
}

/** Two or four taps a result. Those beyond an edge are added to the edge's, in order; each sum counts for `most`. */
function sharpTaps(filter, extent, count) {
  const { side, at } = sharp[filter];
  const scale = extent / count;
  let most = 0;
  const taps = [];
  for (let i = 0; i < count; i++) {
    const center = scale * (i + 0.5) - 0.5;
    const position = filter === 'bilinear' ? max(0, center) : center;
    const index = min(floor(fround(position)), extent - 1);
    const rest = max(0, min(1, position - index));
    const first = index - side + 1;
    const start = max(0, first);
    const weights = [];
    for (let j = 0; j < 2 * side; j++) {
      const tap = max(0, min(extent - 1, first + j)) - start;
      weights[tap] = (weights[tap] ?? 0) + at(j + 1 - side - rest);
      most = max(most, weights[tap]);
    }
    taps.push({ start, weights });
  }
  return { taps, most };
}

/** The bits behind the point: as many as let the axis' largest weight fit 16 bits with a sign, and at most 22. */
function weightBits(most) {
  let bits = 0;
  while (bits < 22 && trunc(0.5 + most * 2 ** (bits + 1)) < 2 ** 15) bits++;
  return bits;
}

/** The indices of the nearest pixels. `fused` rounds the product and the difference together. */
function nearestIndices(extent, count, isExact, fused) {
  const scale = fround(fround(extent) / fround(count));
  const indices = [];
  for (let i = 0; i < count; i++) {
    let position = fround(fround(i) * scale);
    // The products are exact in double: 24 bits times the bits of i + 0.5.
    if (isExact && fused) position = fround(fround(scale * (i + 0.5) - 0.5) + 0.5);
    else if (isExact) position = fround(scale * (i + 0.5));
    indices.push(min(floor(position), extent - 1));
  }
  return indices;
}

/**
 * torchvision.transforms.v2.functional.resize of a CHW tensor.
 * @param {object} picture
 * @param {number} columns of the result
 * @param {number} rows of the result
 * @param {{ filter: string, antialias: boolean }} options
 */
export function torchResize(picture, columns, rows, { filter, antialias }) {
  const { width, height } = picture;
  if (filter.startsWith('nearest')) {
    const isExact = filter === 'nearest_exact';
    const fused = columns + rows > 128;
    const indices = (extent, count) => nearestIndices(extent, count, isExact, fused);
    return pick(picture, indices(width, columns), indices(height, rows));
  }
  const pass = (resampleAxis, extent, count) => (source) => {
    if (extent === count) return source;
    const { taps, most } = (antialias ? smoothTaps : sharpTaps)(filter, extent, count);
    const bits = weightBits(most);
    return resampleAxis(source, wholeTaps(taps, bits), sumOfBytes(bits));
  };
  const result = pass(resampleHeight, height, rows)(pass(resampleWidth, width, columns)(picture));
  return result === picture ? { ...picture, data: picture.data.slice() } : result;
}
