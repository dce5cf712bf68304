/**
 * OpenCV's resize as tuned loops in JavaScript, with its bytes: tables of taps in typed arrays, and rows of sums. Cubic
 * is that of opencv-js, in whole numbers throughout.
 */
const { ceil, floor, fround, max, min } = Math;

/** Rounds half to even: a sum near 2^52 has no bits behind the binary point. */
const roundHalfToEven = (x) => x + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** The indices of each result's two or four source pixels, and their weights in 2048ths. */
function tapsOf(extent, size, count) {
  const scale = 1 / (size / extent);
  const [indices, weights] = [new Int32Array(size * count), new Int32Array(size * count)];
  for (let i = 0; i < size; i++) {
    const position = fround((i + 0.5) * scale - 0.5);
    const first = floor(position);
    const t = fround(position - first);
    const values = count === 2 ? [fround(1 - t), t] : cubicWeights(t);
    for (let k = 0; k < count; k++) {
      indices[i * count + k] = max(0, min(first + k + 1 - count / 2, extent - 1));
      weights[i * count + k] = roundHalfToEven(fround(values[k] * 2048));
    }
  }
  return { indices, weights };
}

function cubicWeights(t) {
  const [u, v] = [fround(t + 1), fround(1 - t)];
  const far = fround(fround(fround(fround(fround(fround(-0.75 * u) + 3.75) * u) - 6) * u) + 3);
  const near = (x) => fround(fround(fround(fround(fround(1.25 * x) - 2.25) * x) * x) + 1);
  const [second, third] = [near(t), near(v)];
  return [far, second, third, fround(fround(fround(1 - far) - second) - third)];
}

/** Sums along a row of the source. */
function sumRow(data, from, channels, { indices, weights }, count, sums) {
  for (let i = 0, to = 0; to < sums.length; i += count)
    for (let c = 0; c < channels; c++, to++) {
      let sum = 0;
      for (let k = i; k < i + count; k++) sum += data[from + indices[k] * channels + c] * weights[k];
      sums[to] = sum;
    }
}

/** Gives the sums of a source row. The last rows stay, because neighboring rows of the result need the same ones. */
function rowsOfSums(data, width, channels, columns, count) {
  const across = tapsOf(width, columns, count);
  const kept = new Map();
  return (row) => {
    if (!kept.has(row)) {
      const oldest = kept.size < 2 * count ? undefined : kept.keys().next().value;
      const sums = oldest === undefined ? new Int32Array(columns * channels) : kept.get(oldest);
      kept.delete(oldest);
      sumRow(data, row * width * channels, channels, across, count, sums);
      kept.set(row, sums);
    }
    return kept.get(row);
  };
}

const byteOf = (x) => (x < 0 ? 0 : x > 255 ? 255 : x);

function linear({ data, width, height, channels }, columns, rows) {
  const row = columns * channels;
  const result = new Uint8Array(rows * row);
  const down = tapsOf(height, rows, 2);
  const sumsOf = rowsOfSums(data, width, channels, columns, 2);
  for (let y = 0; y < rows; y++) {
    const [upper, lower] = [sumsOf(down.indices[2 * y]), sumsOf(down.indices[2 * y + 1])];
    const [a, b] = [down.weights[2 * y], down.weights[2 * y + 1]];
    for (let x = 0, to = y * row; x < row; x++, to++)
      result[to] = (((a * (upper[x] >> 4)) >> 16) + ((b * (lower[x] >> 4)) >> 16) + 2) >> 2;
  }
  return result;
}

function cubic({ data, width, height, channels }, columns, rows) {
  const row = columns * channels;
  const result = new Uint8Array(rows * row);
  const { indices, weights } = tapsOf(height, rows, 4);
  const sumsOf = rowsOfSums(data, width, channels, columns, 4);
  for (let y = 0; y < rows; y++) {
    const [r0, r1, r2, r3] = [0, 1, 2, 3].map((k) => sumsOf(indices[4 * y + k]));
    const [a, b, c, d] = weights.subarray(4 * y, 4 * y + 4);
    for (let x = 0, to = y * row; x < row; x++, to++)
      result[to] = byteOf((a * r0[x] + b * r1[x] + c * r2[x] + d * r3[x] + 2 ** 21) >> 22);
  }
  return result;
}

/** The first pixel, the number of pixels, and the weights of each cell. */
function cellsOf(extent, size) {
  const scale = 1 / (size / extent);
  return Array.from({ length: size }, (_, i) => {
    const [from, to] = [i * scale, i * scale + scale];
    const cell = min(scale, extent - from);
    const end = min(floor(to), extent - 1);
    const begin = min(ceil(from), end);
    const hasFront = begin - from > 1e-3;
    const weights = [
      ...(hasFront ? [(begin - from) / cell] : []),
      ...Array.from({ length: end - begin }, () => 1 / cell),
      ...(to - end > 1e-3 ? [min(to - end, 1, cell) / cell] : []),
    ];
    return { first: begin - (hasFront ? 1 : 0), weights: Float32Array.from(weights) };
  });
}

function area({ data, width, height, channels }, columns, rows) {
  const row = columns * channels;
  const result = new Uint8Array(rows * row);
  const across = cellsOf(width, columns);
  const [sums, totals] = [new Float32Array(row), new Float32Array(row)];
  cellsOf(height, rows).forEach(({ first, weights }, y) => {
    totals.fill(0);
    weights.forEach((weight, j) => {
      sums.fill(0);
      across.forEach((cell, x) => {
        const [to, count] = [x * channels, cell.weights.length];
        let from = ((first + j) * width + cell.first) * channels;
        for (let k = 0; k < count; k++, from += channels)
          for (let c = 0; c < channels; c++) sums[to + c] += fround(data[from + c] * cell.weights[k]);
      });
      for (let x = 0; x < row; x++) totals[x] += fround(sums[x] * weight);
    });
    // An Uint8ClampedArray rounds half to even.
    new Uint8ClampedArray(result.buffer, y * row, row).set(totals);
  });
  return result;
}

export const loops = { linear, cubic, area };

/** The picture in a letterbox of gray 114, at the place that its geometry gives. */
export function loopLetterbox(picture, { width, height, left, top, resized }) {
  const { channels } = picture;
  const inner = linear(picture, resized.width, resized.height);
  const result = new Uint8Array(width * height * channels).fill(114);
  const bytes = resized.width * channels;
  for (let y = 0; y < resized.height; y++)
    result.set(inner.subarray(y * bytes, (y + 1) * bytes), ((top + y) * width + left) * channels);
  return result;
}

/** Red, green and blue of RGBA in planes, each divided by 255. */
export function loopPlanes(rgba) {
  const size = rgba.length / 4;
  const result = new Float32Array(3 * size);
  for (let i = 0, at = 0; i < size; i++, at += 4) {
    result[i] = rgba[at] / 255;
    result[size + i] = rgba[at + 1] / 255;
    result[2 * size + i] = rgba[at + 2] / 255;
  }
  return result;
}
