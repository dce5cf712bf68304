/**
 * OWLv2's pictures, blurred before they shrink: torchvision's `gaussian_blur` of bytes, and scipy's filters of numbers
 * and of bytes. Both Gaussians are kernels: 2000 x 2000 pixels take .33 s with Pillow's backend, and .54 by loops in
 * JavaScript; bytes with torchvision .19 and .63. Of these, the zoom takes 17 to 24 ms, a kernel with its staging 16
 * to 19 (measured).
 */
import { largest } from '../../arguments/index.js';
import { blurLine, extremesOf, neighborMemory, neighborSums } from '../../engines/images/index.js';
import { dtypes, newData } from '../../tensor/index.js';
import { lazyImage, pictureOf, rendered, sizeOf } from './picture.js';

/** @import { Image, Samples } from '../../engines/images/types.js' */
/** @import { Picture, Size } from '../types.js' */

const { abs, ceil, exp, floor, fround, max, min, round, sqrt, trunc } = Math;

/** @type {(i: number, extent: number) => number} the pixel that mirrors one beyond an edge */
function mirrored(i, extent) {
  const period = max(1, 2 * (extent - 1));
  const place = abs(i) % period;
  return min(place, period - place);
}

/** One product and a sum with one rounding, of bytes or float32: both are exact in double.
 * @type {(a: number, b: number, c: number) => number} */
const fused = (a, b, c) => fround(a * b + c);

/** @type {(x: number) => number} torch's exponential of float32, of numbers up to 0 */
function exponential(x) {
  if (x < -104) return 0;
  const q = round(fround(x * fround(1.4426950408889634)));
  const s = fused(q, fround(-1.428606765330187e-6), fused(q, -0.693145751953125, x));
  const series = [0.001393043552525341, 0.008333360776305199, 0.04166646853920547, 0.1666666716336204, 0.5];
  const p = series.reduce((sum, term) => fused(sum, s, fround(term)), fround(0.00019852761761285365));
  return fround(fround(1 + fused(fround(s * s), p, s)) * 2 ** q);
}

/** @type {(sigma: number) => Float32Array} torchvision's weights: the softmax of squares, in torch's order */
function torchGaussian(sigma) {
  const reach = ceil(fround(3 * sigma));
  const length = 2 * reach + 1;
  const limit = reach / sqrt(2);
  const [edge, pace] = [fround(limit), fround(fround(2 * limit) / (2 * reach))];
  const squares = Float32Array.from({ length }, (_, k) => {
    // torch.linspace counts from the nearer end.
    const share = fround(fused(pace, min(k, 2 * reach - k), -edge) / sigma);
    return -fround(share * share);
  });
  const maxSquare = largest(squares);
  const shares = squares.map((square) => exponential(fround(square - maxSquare)));
  const lanes = new Float32Array(8);
  shares.forEach((share, k) => (lanes[k % 8] += share));
  if (length > 7) for (let half = 4; half >= 1; half /= 2) for (let k = 0; k < half; k++) lanes[k] += lanes[k + half];
  const sum = length > 7 ? lanes[0] : shares.reduce((total, share) => fround(total + share));
  const factor = fround(1 / sum);
  return shares.map((share) => share * factor);
}

/**
 * A picture of the bytes of torchvision's `gaussian_blur`, made when they are first read.
 * @type {(picture: Picture, sigmas: { columns: number, rows: number }) => Picture}
 */
export function blurredPicture(picture, { columns, rows }) {
  const { width, height } = sizeOf(picture);
  const image = lazyImage({ width, height, channels: 3, rowstride: 3 * width }, () =>
    blurredBytes(rendered(picture).image, torchGaussian(columns), torchGaussian(rows)),
  );
  return pictureOf(image, false, picture.onStep);
}

/** @type {(image: Image, across: Float32Array, down: Float32Array) => Uint8Array} */
function blurredBytes({ data, width, height, rowstride }, across, down) {
  const [length, fall] = [3 * width, down.length >> 1];
  const result = newData(dtypes.uint8, length * height, undefined);
  const line = neighborMemory(data).subarray(0, length + 3 * across.length - 3);
  for (let y = 0, row = line; y < height; y++) {
    for (let i = 0; i < down.length; i++) {
      const first = mirrored(y + i - fall, height) * rowstride;
      mirrorRow(data.subarray(first, first + length), line);
      row = blurLine(length, across, down, i);
    }
    result.set(row, y * length);
  }
  return result;
}

/** Copies a row of pixels to the middle of a line, and mirrors it at both ends.
 * @type {(row: ArrayLike<number>, line: Samples) => void} */
function mirrorRow(row, line) {
  const reach = (line.length - row.length) / 6;
  line.set(row, 3 * reach);
  for (let x = 1; x <= reach; x++) {
    for (let c = 0; c < 3; c++) {
      line[3 * (reach - x) + c] = row[3 * mirrored(-x, row.length / 3) + c];
      line[3 * (reach - 1 + x) + row.length + c] = row[3 * mirrored(row.length / 3 - 1 + x, row.length / 3) + c];
    }
  }
}

/**
 * Resizes as transformers does with scipy: `gaussian_filter` along the axes that shrink, and `zoom` of order 1.
 * @type {(samples: Samples, from: Size, to: Size, blurs: boolean) => Samples} [height, width, 3], bytes or float32
 */
export function zoomed(samples, from, to, blurs) {
  const isBytes = samples instanceof Uint8Array;
  /** @type {(length: number) => Samples} */
  const empty = (length) => newData(isBytes ? dtypes.uint8 : dtypes.float32, length, undefined);
  const sigmas = [(from.height / to.height - 1) / 2, (from.width / to.width - 1) / 2];
  let blurred = samples;
  [filterDown, filterAcross].forEach((filter, k) => {
    if (!(blurs && sigmas[k] > 0)) return;
    const result = empty(samples.length);
    filter(neighborMemory(samples), blurred, result, from, scipyGaussian(sigmas[k]));
    blurred = result;
  });
  const [lowest, highest] = extremesOf(samples);
  const result = empty(3 * to.width * to.height);
  const columns = places(from.width, to.width);
  const rows = places(from.height, to.height);
  for (let y = 0, at = 0; y < to.height; y++) {
    const above = blurred.subarray(3 * from.width * rows.first[y]);
    const below = blurred.subarray(3 * from.width * rows.second[y]);
    const down = rows.share[y];
    for (let x = 0; x < to.width; x++) {
      const left = 3 * columns.first[x];
      const right = 3 * columns.second[x];
      const across = columns.share[x];
      for (let c = 0; c < 3; c++, at++) {
        const sum =
          above[left + c] * (1 - down) * (1 - across) +
          above[right + c] * (1 - down) * across +
          below[left + c] * down * (1 - across) +
          below[right + c] * down * across;
        result[at] = min(max(isBytes ? trunc(sum + 0.5) : sum, lowest), highest);
      }
    }
  }
  return result;
}

/** For each pixel of the result along an axis: two pixels of the source, and the share of the second.
 * @type {(from: number, to: number) => { first: Int32Array, second: Int32Array, share: Float64Array }} */
function places(from, to) {
  // Before the first pixel, places are mirrored and not pixels: 1 minus a share would round.
  const exact = Float64Array.from({ length: to }, (_, i) => abs((i + 0.5) * (from / to) - 0.5));
  return {
    first: Int32Array.from(exact, (place) => mirrored(floor(place), from)),
    second: Int32Array.from(exact, (place) => mirrored(floor(place) + 1, from)),
    share: exact.map((place) => place - floor(place)),
  };
}

/** @type {(sigma: number) => number[]} from the middle outwards */
function scipyGaussian(sigma) {
  const reach = trunc(4 * sigma + 0.5);
  const shares = Array.from({ length: reach + 1 }, (_, k) => exp((-0.5 / (sigma * sigma)) * k * k));
  const sum = numpySum([...shares.slice(1).reverse(), ...shares]);
  return shares.map((share) => share / sum);
}

/** NumPy's order, of up to 128 numbers: eight sums from eight numbers on, then the rest.
 * @type {(values: readonly number[]) => number} */
function numpySum(values) {
  const vectorEnd = values.length - (values.length % 8);
  const lanes = Array(8).fill(0);
  for (let i = 0; i < vectorEnd; i++) lanes[i % 8] += values[i];
  const [a, b, c, d, e, f, g, h] = lanes;
  return values.slice(vectorEnd).reduce((sum, value) => sum + value, a + b + (c + d) + (e + f + (g + h)));
}

/** Weighted sums in double, which are rounded to float32 or truncated to bytes.
 * @type {(memory: Samples, samples: Samples, result: Samples, size: Size, weights: number[]) => void} */
function filterDown(memory, samples, result, { width, height }, weights) {
  const [length, reach] = [3 * width, weights.length - 1];
  const columns = min(length, floor(2 ** 19 / (reach + 16)));
  const rows = floor((3 * 2 ** 20) / columns) - 2 * reach;
  for (let y = 0; y < height; y += rows)
    for (let x = 0; x < length; x += columns) {
      const [high, wide] = [min(rows, height - y), min(columns, length - x)];
      for (let i = 0; i < high + 2 * reach; i++) {
        const from = mirrored(y - reach + i, height) * length + x;
        memory.set(samples.subarray(from, from + wide), i * wide);
      }
      const sums = neighborSums(memory, high * wide, wide, weights);
      for (let i = 0; i < high; i++) result.set(sums.subarray(i * wide, (i + 1) * wide), (y + i) * length + x);
    }
}

/** @type {typeof filterDown} */
function filterAcross(memory, samples, result, { width }, weights) {
  const length = 3 * width;
  const line = memory.subarray(0, length + 6 * (weights.length - 1));
  for (let at = 0; at < samples.length; at += length) {
    mirrorRow(samples.subarray(at, at + length), line);
    result.set(neighborSums(memory, length, 3, weights), at);
  }
}
